// The dialog that changes one's own password, with the present one.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { FormDialog, useFormFields } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { CheckboxField, TextField, toast } from '../ui/index.ts'

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
      const ended = endedSessions === 1 ? 'One other session was ended.' : `${endedSessions} other sessions were ended.`
      toast({ text: `Your password was changed. ${endedSessions > 0 ? ended : ''}`.trim() })
      onClose()
    },
  })
  const fields = useFormFields({ values, change: setValues }, change.error, ['currentPassword', 'newPassword'])
  return (
    <FormDialog
      title="Change your password"
      className={record['form']}
      faults={fields}
      action="Change the password"
      busy={change.isPending}
      disabled={values.currentPassword === '' || values.newPassword === ''}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <TextField
        className={record['wide']}
        label="Present password"
        type="password"
        autoComplete="current-password"
        maxLength={128}
        {...fields.text('currentPassword')}
      />
      <TextField
        className={record['wide']}
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="At least 15 characters, or 10 with a second factor. Several words are easy to remember and hard to guess."
        maxLength={128}
        {...fields.text('newPassword')}
      />
      <CheckboxField
        className={record['wide']}
        label="Log out everywhere else"
        checked={values.endOtherSessions}
        onChange={event => fields.put('endOtherSessions', event.target.checked)}
      />
    </FormDialog>
  )
}
