// Moves a lead to another status: only to where it may come, and with a reason where it is given up. Converted it becomes by converting it.
import type { Lead } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { FormDialog } from '../forms/form.tsx'
import { useNounApi } from '../nouns/api.ts'
import { leads } from '../nouns/described/leads.ts'
import { useFieldFaults } from '../nouns/field_faults.ts'
import type { NounRecord } from '../nouns/noun.ts'
import { useMayChange } from '../nouns/rights.ts'
import { useSession } from '../session/session.ts'
import { Button, Menu, TextArea, toast } from '../ui/index.ts'
import { ConvertDialog } from './convert_dialog.tsx'

type Status = Lead['status']

/** Whether a lead may come there, as far as the role lets it: giving up is undone by a Sales Manager or an Admin only. */
export function useMayMove(): (lead: NounRecord, to: string) => boolean {
  const { user } = useSession()
  return (_lead, to) => to !== 'New' || user.role !== 'Sales Executive'
}

/** Whether a move asks for more than the status. */
export const asksMore = (to: string) => to === 'Unqualified' || to === 'Junk' || to === 'Converted'

export type Move = { lead: NounRecord; to: string }

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

function useMove(onMoved: (lead: NounRecord) => void) {
  const own = useNounApi(leads)
  const { mode } = useSession()
  const cache = useQueryClient()
  return useMutation({
    mutationFn: ({ lead, ...patch }: { lead: NounRecord; status: string; lost_reason?: string }) =>
      own.update(lead.id, patch, lead.version),
    onSuccess(moved) {
      void cache.invalidateQueries({ queryKey: [mode, 'leads'] })
      toast({ text: `${String(moved['name'])} is ${String(moved['status'])} now.` })
      onMoved(moved)
    },
  })
}

function GiveUpDialog({ lead, to, onClose, onMoved }: Move & { onClose(): void; onMoved(lead: NounRecord): void }) {
  const [reason, setReason] = useState('')
  const move = useMove(onMoved)
  const faults = useFieldFaults(move.error, ['lost_reason'])
  return (
    <FormDialog
      title={to === 'Junk' ? `Mark ${String(lead['name'])} as junk` : `Give ${String(lead['name'])} up`}
      description={to === 'Junk' ? 'It is no enquiry at all.' : 'It will not become a customer for now.'}
      faults={faults}
      action={`Move to ${to}`}
      busy={move.isPending}
      onSubmit={() => move.mutate({ lead, status: to, ...(reason.trim() !== '' && { lost_reason: reason }) })}
      onClose={onClose}
    >
      <TextArea
        label="Why"
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

/** "Move to" and "Convert" on the page of a lead. */
export function LeadMoves({ lead, onMoved }: { lead: NounRecord; onMoved(lead: NounRecord): void }) {
  const mayChange = useMayChange(leads)
  const mayMove = useMayMove()
  const [asked, setAsked] = useState<Move>()
  const move = useMove(onMoved)
  const status = lead['status'] as Status
  if (!mayChange(lead)) return null
  const targets = (leads.moves?.[status] ?? []).filter(to => to !== 'Converted' && mayMove(lead, to))
  const mayConvert = status === 'Qualified' || targets.includes('Qualified')
  return (
    <>
      {targets.length > 0 && (
        <Menu
          trigger={
            <Button icon={<ArrowRight size={14} />} busy={move.isPending}>
              Move to
            </Button>
          }
          items={targets.map(to => ({
            key: to,
            label: to,
            onSelect() {
              if (asksMore(to)) setAsked({ lead, to })
              else move.mutate({ lead, status: to }, { onError: error => toast({ text: error.message, tone: 'bad' }) })
            },
          }))}
        />
      )}
      {mayConvert && <Button onClick={() => setAsked({ lead, to: 'Converted' })}>Convert</Button>}
      {asked !== undefined && (
        <MoveDialog
          move={asked}
          onClose={() => setAsked(undefined)}
          onMoved={moved => {
            setAsked(undefined)
            onMoved(moved)
          }}
        />
      )}
    </>
  )
}
