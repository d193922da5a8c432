// The one thing to do next with a lead, by its state: get in touch with a new one, qualify who answered, convert who is qualified, and go
// on with who became a contact.
import { ArrowRight, Sparkles, UserRound } from 'lucide-react'
import { BillButton } from '../nouns/attached/bill_button.tsx'
import { ReachButtons } from '../nouns/attached/reach_buttons.tsx'
import type { NounRecord } from '../nouns/noun.ts'
import { useMayTake } from '../nouns/rights.ts'
import { useSession } from '../session/session.ts'
import { Button, ButtonLink } from '../ui/index.ts'
import type { LeadMoves } from './lead_moves.ts'
import { leads } from './lead_noun.ts'
import { t } from './texts.ts'

type Props = { lead: NounRecord; moves: LeadMoves }

export function LeadNext({ lead, moves }: Props) {
  const mayTake = useMayTake(leads)
  // Who takes it goes on with it then.
  if (mayTake(lead) || lead.deleted_at != null) return null
  const targets = moves.targetsOf(lead)
  const go = (to: string, label: string) => (
    <Button
      variant="primary"
      icon={<ArrowRight size={14} />}
      busy={moves.busy === to}
      onClick={() => moves.begin(lead, to)}
    >
      {label}
    </Button>
  )
  switch (lead['status']) {
    case 'Qualified':
      return (
        <>
          <Reach lead={lead} />
          {targets.includes('Converted') && (
            <Button variant="primary" icon={<Sparkles size={14} />} onClick={() => moves.begin(lead, 'Converted')}>
              {t('convert')}
            </Button>
          )}
        </>
      )
    case 'Contacted':
      return (
        <>
          <Reach lead={lead} />
          {targets.includes('Qualified') && go('Qualified', t('qualify'))}
        </>
      )
    case 'Converted':
      return <Customer lead={lead} />
    case 'Unqualified':
    case 'Junk':
      return targets.includes('New') ? go('New', t('reopen')) : null
    default:
      return <Reach lead={lead} first />
  }
}

/** The ways to the person that there are; the best one is for pressing where it is what comes next. */
function Reach({ lead, first = false }: { lead: NounRecord; first?: boolean }) {
  return (
    <ReachButtons
      recordId={`lead:${lead.id}`}
      name={String(lead['name'])}
      phone={(lead['phone'] as string | null) ?? undefined}
      email={(lead['email'] as string | null) ?? undefined}
      leadId={Number(lead.id)}
      first={first}
    />
  )
}

/** Who was won: the contact, and for who bills them the first invoice. */
function Customer({ lead }: { lead: NounRecord }) {
  const { permissions } = useSession()
  const contact = lead['contact_id'] as string | null
  const mayBill = permissions.has('invoices:create')
  return (
    <>
      {contact !== null && permissions.has('contacts:read') && (
        <ButtonLink
          to="/contacts/$id"
          params={{ id: contact }}
          icon={<UserRound size={14} />}
          variant={mayBill ? 'secondary' : 'primary'}
        >
          {t('openContact')}
        </ButtonLink>
      )}
      <BillButton recordId={`lead:${lead.id}`} variant="primary" />
    </>
  )
}
