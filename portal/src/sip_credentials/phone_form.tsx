// The dialog that adds or changes a phone: its name, what it shows, and the number it calls from. When it is added the answer has the
// password, this once.
import type { SipCredential } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useHeldDialog } from '../lists/held_dialog.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { TextField } from '../ui/index.ts'
import { PhonePassword } from './phone_password.tsx'
import styles from './phones.module.css'

const shownFields = ['username', 'displayName', 'callerId'] as const

export type PhoneFormProps = {
  /** The one that is changed; a new one without it. */
  phone?: SipCredential
  onClose(): void
  onSaved(phone: SipCredential): void
}
export function PhoneForm({ phone, onClose, onSaved }: PhoneFormProps) {
  const show = useHeldDialog()
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [values, setValues] = useState({
    username: phone?.username ?? '',
    displayName: phone?.displayName ?? '',
    callerId: phone?.callerId ?? '',
  })
  const save = useMutation({
    mutationFn: async (): Promise<SipCredential & { password?: string | null }> => {
      const { username } = values
      const more = {
        displayName: values.displayName === '' ? null : values.displayName,
        callerId: values.callerId === '' ? null : values.callerId,
      }
      return phone === undefined
        ? api.sipCredentials.create({ username, ...more })
        : api.sipCredentials.update({ credentialId: phone.credentialId, ...more })
    },
    // The reply to a new one holds the password: nothing keeps it but the dialog that shows it.
    gcTime: 0,
    onSuccess: reply => {
      void cache.invalidateQueries({ queryKey: [mode, 'phones'] })
      onSaved(reply)
      const { password } = reply
      if (password) show(onDone => <PhonePassword of={reply} password={password} onDone={onDone} />)
    },
  })
  const fields = useFormFields({ values, change: setValues }, save.error, shownFields)
  return (
    <FormDialog
      title={phone === undefined ? 'Create a phone' : `Update ${phone.username}`}
      description={
        phone === undefined
          ? 'Makes a user name and a password for a desk phone or a softphone. The password is shown once.'
          : 'Holds for the next call. Its user name and its password stay.'
      }
      className={styles['form']}
      faults={fields}
      action={phone === undefined ? 'Add the phone' : 'Save'}
      busy={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {phone === undefined && (
        <TextField
          label="Name"
          placeholder="reception"
          hint="Small letters and digits. Other phones of the organization dial it: reception, or 101."
          {...fields.text('username')}
        />
      )}
      <TextField
        label="Shown name (optional)"
        placeholder="Reception"
        hint="What the called party sees beside the number."
        {...fields.text('displayName')}
      />
      <TextField
        label="Caller id (optional)"
        placeholder="+15550100001"
        hint="A number of yours that makes calls. Without one the phone reaches other phones only."
        {...fields.text('callerId')}
      />
    </FormDialog>
  )
}
