// Where a lead may come to on its page, and what brings it there: at once, or by the dialog of a move that asks for more.
import { useState } from 'react'
import type { NounRecord } from '../nouns/noun.ts'
import { useMayChange } from '../nouns/rights.ts'
import { faultText } from '../ui/faults.ts'
import { toast } from '../ui/index.ts'
import { leads } from './lead_noun.ts'
import { asksMore, type Move, useMayMove, useMove } from './moves.ts'

export function useLeadMoves(onMoved: (lead: NounRecord) => void) {
  const mayChange = useMayChange(leads)
  const mayMove = useMayMove()
  const [asked, setAsked] = useState<Move>()
  const move = useMove(onMoved)
  const targetsOf = (lead: NounRecord): readonly string[] => {
    if (!mayChange(lead)) return []
    const targets = (leads.moves?.[String(lead['status'])] ?? []).filter(to => mayMove(lead, to))
    // Who could be qualified is qualified by the conversion.
    return targets.includes('Qualified') ? [...targets, 'Converted'] : targets
  }
  return {
    targetsOf,
    /** Where it is on its way to. */
    busy: move.isPending ? move.variables.status : undefined,
    begin(lead: NounRecord, to: string) {
      if (asksMore(to)) setAsked({ lead, to })
      else move.mutate({ lead, status: to }, { onError: error => toast({ text: faultText(error), tone: 'bad' }) })
    },
    asked,
    close: () => setAsked(undefined),
  }
}

export type LeadMoves = ReturnType<typeof useLeadMoves>
