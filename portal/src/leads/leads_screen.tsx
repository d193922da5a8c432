// Leads: their list, and their board, on which they are moved. A move that asks for more opens a dialog first: a reason where one is
// given up, what becomes of it where one is converted.
import { type ReactNode, useState } from 'react'
import { NounList } from '../nouns/list.tsx'
import type { NounField, NounRecord } from '../nouns/noun.ts'
import { PhoneNumber } from '../people/phone_number.tsx'
import { CallButton } from '../softphone/phone_button.tsx'
import { MoveDialog } from './later.ts'
import { leads } from './lead_noun.ts'
import { asksMore, type Move, useMayMove } from './moves.ts'
import { t } from './texts.ts'

export function LeadsScreen() {
  const mayMove = useMayMove()
  const [asked, setAsked] = useState<Move>()
  return (
    <>
      <NounList
        noun={leads}
        description={t('about')}
        mayMove={mayMove}
        cell={callable}
        onMove={(lead, to) => {
          if (asksMore(to)) setAsked({ lead, to })
          return asksMore(to)
        }}
      />
      {asked !== undefined && (
        <MoveDialog move={asked} onClose={() => setAsked(undefined)} onMoved={() => setAsked(undefined)} />
      )}
    </>
  )
}

/** A number behind the way to call it: at the end of a cell its pencil would lie over that. */
function callable(field: NounField, lead: NounRecord): ReactNode {
  if (field.name !== 'phone' || lead['phone'] === null) return undefined
  const phone = String(lead['phone'])
  return (
    <>
      <CallButton compact to={phone} name={String(lead['name'])} leadId={Number(lead.id)} />{' '}
      <PhoneNumber number={phone} />
    </>
  )
}
