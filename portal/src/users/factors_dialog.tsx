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

type FactorsDialogProps = { member: Member; onClose(): void }

export function FactorsDialog({ member: { userId, name }, onClose }: FactorsDialogProps) {
  const api = useApi()
  const changed = useMembersChanged()
  const [reason, setReason] = useState('')
  const reset = useMutation({
    mutationFn: () => api.users.resetFactors({ id: userId ?? 0, reason }),
    onSuccess() {
      changed()
      toast({ text: `${name} logs in with the password alone now, and got a mail about it.` })
      onClose()
    },
  })
  const faults = useFormFaults(reset.error, ['reason'])
  return (
    <FormDialog
      title={`Reset the second factors of ${name}`}
      description="All apps, passkeys and recovery codes of theirs are taken away, and they are logged out. Make sure by another way than a mail that it is really them who ask."
      className={record['form']}
      faults={faults}
      action="Reset"
      danger
      busy={reset.isPending}
      disabled={reason.trim() === ''}
      onSubmit={() => reset.mutate()}
      onClose={onClose}
    >
      <TextArea
        label="Reason"
        name="reason"
        rows={3}
        maxLength={500}
        className={record['wide']}
        hint="At least 10 characters. The person reads it in a mail, and the audit log keeps it."
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
