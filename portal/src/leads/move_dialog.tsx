// The dialogs of moves that ask for more: a reason where a lead is given up, what becomes of it where it is converted.
import { useState } from 'react'
import { FormDialog } from '../forms/form.tsx'
import { useFieldFaults } from '../nouns/field_faults.ts'
import type { NounRecord } from '../nouns/noun.ts'
import { TextArea } from '../ui/index.ts'
import { ConvertDialog } from './convert_dialog.tsx'
import { statusText } from './lead_noun.ts'
import { type Move, useMove } from './moves.ts'
import { t } from './texts.ts'

/** The dialog that a move opens, where it asks for more. */
export function MoveDialog({
  move: { lead, to },
  onClose,
  onMoved,
}: {
  move: Move
  onClose(): void
  onMoved(lead: NounRecord): void
}) {
  if (to === 'Converted') return <ConvertDialog lead={lead} onClose={onClose} onConverted={onMoved} />
  return <GiveUpDialog lead={lead} to={to} onClose={onClose} onMoved={onMoved} />
}

function GiveUpDialog({ lead, to, onClose, onMoved }: Move & { onClose(): void; onMoved(lead: NounRecord): void }) {
  const [reason, setReason] = useState('')
  const move = useMove(onMoved)
  const faults = useFieldFaults(move.error, ['lost_reason'])
  const way = to === 'Junk' ? 'Junk' : 'Unqualified'
  return (
    <FormDialog
      title={t(`give.${way}`, { name: String(lead['name']) })}
      description={t(`giveText.${way}`)}
      faults={faults}
      action={t('moveTo', { status: statusText(to) })}
      busy={move.isPending}
      onSubmit={() => move.mutate({ lead, status: to, ...(reason.trim() !== '' && { lost_reason: reason }) })}
      onClose={onClose}
    >
      <TextArea
        label={t('why')}
        {...(to === 'Junk' && { optional: true })}
        {...(faults.faultOf('lost_reason') !== undefined && { error: faults.faultOf('lost_reason') as string })}
        value={reason}
        onChange={event => {
          faults.mend('lost_reason')
          setReason(event.target.value)
        }}
      />
    </FormDialog>
  )
}
