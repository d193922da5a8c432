// People who wait: new leads, and conversations that nobody answered.
import { ownIdOf } from '../nouns/noun.ts'
import { usePhoneText } from '../people/use_phone_text.ts'
import { CallButton } from '../softphone/phone_button.tsx'
import { ButtonLink, StatusChip, Time } from '../ui/index.ts'
import { CallBack } from './call_back.tsx'
import { linkOf, Row, Rows, WaitingCard } from './rows.tsx'
import type { Home } from './use_home.ts'

/** The server counts no further. */
const maxCounted = 1_000

type Leads = NonNullable<Home['waiting']['leads']>
type Conversations = NonNullable<Home['waiting']['conversations']>

export function LeadsCard({ leads, userId }: { leads: Leads; userId: number }) {
  // Mine are those that nobody has, too.
  const all = { to: '/leads', search: { status: 'New', owner_id: String(userId) } }
  return (
    <WaitingCard
      title="New leads"
      count={Math.min(leads.count, maxCounted)}
      isMore={leads.count > maxCounted}
      all={leads.items.some(({ isMine }) => !isMine) ? { to: '/leads', search: { status: 'New' } } : all}
    >
      <Rows label="New leads">
        {leads.items.map(({ leadId, name, company, phone, priority, isMine, createdAt }) => (
          <Row
            key={leadId}
            target={{ to: '/leads/$id', params: { id: String(leadId) } }}
            name={name}
            detail={[company, isMine ? undefined : 'nobody’s yet'].filter(Boolean).join(' · ')}
            meta={
              <>
                {priority === 'Hot' && <StatusChip status={priority} />}
                <Time iso={createdAt} />
              </>
            }
            action={phone === null ? undefined : <CallButton to={phone} name={name} leadId={leadId} compact />}
          />
        ))}
      </Rows>
    </WaitingCard>
  )
}

export function ConversationsCard({ conversations }: { conversations: Conversations }) {
  const phoneText = usePhoneText()
  return (
    <WaitingCard
      title="Waiting for an answer"
      count={Math.min(conversations.count, maxCounted)}
      isMore={conversations.count > maxCounted}
      all={{ to: '/inbox' }}
    >
      <Rows label="Waiting for an answer">
        {conversations.items.map(one => {
          const { conversationId, party, addresses, lastActivity, waitingSince } = one
          const name = party.kind === 'unknown' ? phoneText(party.name) : party.name
          const target = { to: '/inbox/$id', params: { id: conversationId } }
          const phone = addresses.find(({ channel }) => channel === 'phone')?.address
          const isCall = lastActivity.kind === 'call' || lastActivity.kind === 'voicemail'
          return (
            <Row
              key={conversationId}
              target={target}
              name={name}
              detail={lastActivity.preview}
              meta={<Time iso={waitingSince ?? lastActivity.at} />}
              action={
                isCall && phone !== undefined ? (
                  <CallBack to={phone} name={name} leadId={leadIdOf(one)} />
                ) : (
                  <ButtonLink {...linkOf(target)} size="sm" aria-label={`Answer ${name}`}>
                    Answer
                  </ButtonLink>
                )
              }
            />
          )
        })}
      </Rows>
    </WaitingCard>
  )
}

function leadIdOf({ party: { kind, recordId } }: Conversations['items'][number]): number | undefined {
  return kind === 'lead' && recordId !== null ? Number(ownIdOf({ one: 'lead' }, recordId)) : undefined
}
