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
import { t } from './texts.ts'

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
      title={phone === undefined ? t('create') : t('editName', { name: phone.username })}
      description={t(phone === undefined ? 'createText' : 'editText')}
      className={styles['form']}
      faults={fields}
      action={t(phone === undefined ? 'createAction' : 'save')}
      busy={save.isPending}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      {phone === undefined && (
        <TextField
          label={t('name')}
          placeholder={t('exampleUsername')}
          hint={t('nameHint')}
          {...fields.text('username')}
        />
      )}
      <TextField
        label={t('displayName')}
        optional
        placeholder={t('exampleName')}
        hint={t('displayNameHint')}
        {...fields.text('displayName')}
      />
      <TextField
        label={t('callerId')}
        optional
        placeholder="+15550100001"
        hint={t('callerIdHint')}
        {...fields.text('callerId')}
      />
    </FormDialog>
  )
}
