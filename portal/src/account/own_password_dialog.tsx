// The dialog that changes one's own password, with the present one.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { CheckboxField, TextField, toast } from '../ui/index.ts'
import { t } from './texts.ts'

const empty = { currentPassword: '', newPassword: '', endOtherSessions: true }

export function OwnPasswordDialog({ onClose }: { onClose(): void }) {
  const api = useApi()
  const cache = useQueryClient()
  const [values, setValues] = useState(empty)
  const change = useMutation({
    mutationFn: () => api.account.changePassword(values),
    gcTime: 0,
    onSuccess({ endedSessions }) {
      void cache.invalidateQueries({ queryKey: ['live', 'account'] })
      void cache.invalidateQueries({ queryKey: ['live', 'own_sessions'] })
      toast({ text: t('passwordChanged', { sessions: endedSessions }) })
      onClose()
    },
  })
  const fields = useFormFields({ values, change: setValues }, change.error, ['currentPassword', 'newPassword'])
  return (
    <FormDialog
      title={t('passwordTitle')}
      className={record['form']}
      faults={fields}
      action={t('changePassword')}
      busy={change.isPending}
      disabled={values.currentPassword === '' || values.newPassword === ''}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <TextField
        className={record['wide']}
        label={t('passwordCurrent')}
        type="password"
        autoComplete="current-password"
        maxLength={128}
        {...fields.text('currentPassword')}
      />
      <TextField
        className={record['wide']}
        label={t('passwordNew')}
        type="password"
        autoComplete="new-password"
        hint={t('passwordHint')}
        maxLength={128}
        {...fields.text('newPassword')}
      />
      <CheckboxField
        className={record['wide']}
        label={t('passwordOthers')}
        checked={values.endOtherSessions}
        onChange={event => fields.put('endOtherSessions', event.target.checked)}
      />
    </FormDialog>
  )
}
