// People who wait: new leads, and conversations that nobody answered.
import { usePhoneText } from '../people/use_phone_text.ts'
import { CallButton } from '../softphone/phone_button.tsx'
import { ButtonLink, StatusChip, Time } from '../ui/index.ts'
import { CallBack } from './call_back.tsx'
import { linkOf, Row, Rows, WaitingCard } from './rows.tsx'
import { t } from './texts.ts'
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
      title={t('leads')}
      count={Math.min(leads.count, maxCounted)}
      isMore={leads.count > maxCounted}
      all={leads.items.some(({ isMine }) => !isMine) ? { to: '/leads', search: { status: 'New' } } : all}
    >
      <Rows label={t('leads')}>
        {leads.items.map(({ leadId, name, company, phone, priority, isMine, createdAt }) => (
          <Row
            key={leadId}
            target={{ to: '/leads/$id', params: { id: String(leadId) } }}
            name={name}
            detail={[company, isMine ? undefined : t('nobodys')].filter(Boolean).join(' · ')}
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
      title={t('conversations')}
      count={Math.min(conversations.count, maxCounted)}
      isMore={conversations.count > maxCounted}
      all={{ to: '/inbox' }}
    >
      <Rows label={t('conversations')}>
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
              detail={previewOf(lastActivity)}
              meta={<Time iso={waitingSince ?? lastActivity.at} />}
              action={
                isCall && phone !== undefined ? (
                  <CallBack to={phone} name={name} party={party} />
                ) : (
                  <ButtonLink {...linkOf(target)} size="sm" aria-label={t('answerNamed', { name })}>
                    {t('answer')}
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

/** Calls are named by us, in the person's language; the rest begins as it was written. */
function previewOf({ kind, direction, preview }: Conversations['items'][number]['lastActivity']): string {
  if (kind === 'voicemail') return t('voicemail')
  return kind === 'call' && direction === 'inbound' ? t('missedCall') : preview
}
