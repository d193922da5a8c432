// The dialog that asks for another e-mail address: it holds once the link of a mail to it was opened.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { TextField, toast } from '../ui/index.ts'
import { t } from './texts.ts'

export function EmailDialog({ onClose }: { onClose(): void }) {
  const api = useApi()
  const [values, setValues] = useState({ email: '' })
  const change = useMutation({
    mutationFn: () => api.account.changeEmail(values),
    onSuccess({ sentTo }) {
      toast({
        text: t('emailSent', { email: sentTo }),
      })
      onClose()
    },
  })
  const fields = useFormFields({ values, change: setValues }, change.error, ['email'])
  return (
    <FormDialog
      title={t('emailTitle')}
      description={t('emailText')}
      className={record['form']}
      faults={fields}
      action={t('emailSend')}
      busy={change.isPending}
      disabled={values.email === ''}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <TextField
        className={record['wide']}
        label={t('emailNew')}
        type="email"
        autoComplete="email"
        maxLength={254}
        {...fields.text('email')}
      />
    </FormDialog>
  )
}
