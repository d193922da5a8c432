// The dialog that adds a phone: its name, what it shows, and the number it calls from. The answer has the password, this once.
import type { SipCredentialsCreateReply } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../app/api.ts'
import { FormDialog, useFormFields } from '../app/form.tsx'
import { useSession } from '../app/session.ts'
import { TextField } from '../ui/index.ts'
import styles from './phones.module.css'

const shownFields = ['username', 'displayName', 'callerId'] as const
const empty = { username: '', displayName: '', callerId: '' }

export type PhoneFormProps = { onClose(): void; onCreated(reply: SipCredentialsCreateReply): void }
export function PhoneForm({ onClose, onCreated }: PhoneFormProps) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [values, setValues] = useState(empty)
  const create = useMutation({
    mutationFn: () =>
      api.sipCredentials.create({
        username: values.username,
        displayName: values.displayName === '' ? null : values.displayName,
        callerId: values.callerId === '' ? null : values.callerId,
      }),
    // The reply holds the password: nothing keeps it but the dialog that shows it.
    gcTime: 0,
    onSuccess: reply => {
      void cache.invalidateQueries({ queryKey: [mode, 'phones'] })
      onCreated(reply)
    },
  })
  const fields = useFormFields({ values, change: setValues }, create.error, shownFields)
  return (
    <FormDialog
      title="Add a phone"
      description="Makes a user name and a password for a desk phone or a softphone. The password is shown once."
      className={styles['form']}
      faults={fields}
      action="Add the phone"
      busy={create.isPending}
      onSubmit={() => create.mutate()}
      onClose={onClose}
    >
      <TextField
        label="Name"
        placeholder="reception"
        hint="Small letters and digits. Other phones of the organization dial it: reception, or 101."
        {...fields.text('username')}
      />
      <TextField
        label="Shown name (optional)"
        placeholder="Reception"
        hint="What whoever is called sees beside the number."
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
