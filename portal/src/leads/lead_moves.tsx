// Moves a lead to another status: only to where it may come, and with a reason where it is given up. Converted it becomes by converting it.
import type { Lead } from '@tandem/sdk'
import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import type { NounRecord } from '../nouns/noun.ts'
import { useMayChange } from '../nouns/rights.ts'
import { Button, Menu, toast } from '../ui/index.ts'
import { MoveDialog } from './later.ts'
import { leads } from './lead_noun.ts'
import { asksMore, type Move, useMayMove, useMove } from './moves.ts'

type Status = Lead['status']

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
