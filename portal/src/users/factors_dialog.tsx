// Takes the second factors of somebody away who lost them, with the reason.
import type { Member } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { useFormFaults } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { TextArea, toast } from '../ui/index.ts'
import { useMembersChanged } from './member.ts'
import { t } from './texts.ts'

type FactorsDialogProps = { member: Member; onClose(): void }

export function FactorsDialog({ member: { userId, name }, onClose }: FactorsDialogProps) {
  const api = useApi()
  const changed = useMembersChanged()
  const [reason, setReason] = useState('')
  const reset = useMutation({
    mutationFn: () => api.users.resetFactors({ id: userId ?? 0, reason }),
    onSuccess() {
      changed()
      toast({ text: t('factorsDone', { name }) })
      onClose()
    },
  })
  const faults = useFormFaults(reset.error, ['reason'])
  return (
    <FormDialog
      title={t('factorsTitle', { name })}
      description={t('factorsText')}
      className={record['form']}
      faults={faults}
      action={t('factorsAction')}
      danger
      busy={reset.isPending}
      disabled={reason.trim() === ''}
      onSubmit={() => reset.mutate()}
      onClose={onClose}
    >
      <TextArea
        label={t('factorsReason')}
        name="reason"
        rows={3}
        maxLength={500}
        className={record['wide']}
        hint={t('factorsReasonHint')}
        value={reason}
        {...(faults.fields['reason'] !== undefined && { error: faults.fields['reason'] })}
        onChange={({ target }) => {
          faults.mend('reason')
          setReason(target.value)
        }}
      />
    </FormDialog>
  )
}
