// The dialog that asks for another e-mail address: it holds once the link of a mail to it was opened.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { TextField, toast } from '../ui/index.ts'

export function EmailDialog({ onClose }: { onClose(): void }) {
  const api = useApi()
  const [values, setValues] = useState({ email: '' })
  const change = useMutation({
    mutationFn: () => api.account.changeEmail(values),
    onSuccess({ sentTo }) {
      toast({
        text: `A mail is on its way to ${sentTo}. Open its link within a day, in a browser in which you are logged in.`,
      })
      onClose()
    },
  })
  const fields = useFormFields({ values, change: setValues }, change.error, ['email'])
  return (
    <FormDialog
      title="Change your e-mail"
      description="You get a mail at the new address, and confirm it by its link. The present address gets one with which the change can be undone for seven days."
      className={record['form']}
      faults={fields}
      action="Send the mail"
      busy={change.isPending}
      disabled={values.email === ''}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <TextField
        className={record['wide']}
        label="New e-mail"
        type="email"
        autoComplete="email"
        maxLength={254}
        {...fields.text('email')}
      />
    </FormDialog>
  )
}
