// People who wait: new leads, texts without an answer, calls that nobody took.
import { nouns } from '../navigation/nouns.generated.ts'
import { usePhoneText } from '../people/use_phone_text.ts'
import { CallButton } from '../softphone/phone_button.tsx'
import { ButtonLink, StatusChip, Time } from '../ui/index.ts'
import { CallBack } from './call_back.tsx'
import { linkOf, Row, Rows, WaitingCard } from './rows.tsx'
import { t } from './texts.ts'
import type { Home } from './use_home.ts'
import { allTexts, answerAt, type WaitingTexts } from './waiting_texts.ts'

/** The server counts no further. */
const maxLeads = 1_000
const maxPeople = 200

type Person = WaitingTexts['items'][number]['person']
type Leads = NonNullable<Home['waiting']['leads']>
type Calls = NonNullable<Home['waiting']['calls']>

const pageOf = (person: Person) => person && { to: `/${nouns[person.kind].many}/$id`, params: { id: person.id } }

export function LeadsCard({ leads, userId }: { leads: Leads; userId: number }) {
  // Mine are those that nobody has, too.
  const all = { to: '/leads', search: { status: 'New', owner_id: String(userId) } }
  return (
    <WaitingCard
      title={t('leads')}
      count={Math.min(leads.count, maxLeads)}
      isMore={leads.count > maxLeads}
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

export function TextsCard({ texts }: { texts: WaitingTexts }) {
  const phoneText = usePhoneText()
  return (
    <WaitingCard title={t('texts')} count={texts.count} isMore={texts.count >= maxPeople} all={allTexts}>
      <Rows label={t('texts')}>
        {texts.items.map(text => (
          <Row
            key={text.messageId}
            target={pageOf(text.person) ?? answerAt(text)}
            name={text.person?.name ?? phoneText(text.from)}
            detail={text.body ?? t('erased')}
            meta={<Time iso={text.createdAt} />}
            action={
              <ButtonLink
                {...linkOf(answerAt(text))}
                size="sm"
                aria-label={t('answerNamed', { name: text.person?.name ?? phoneText(text.from) })}
              >
                {t('answer')}{' '}
              </ButtonLink>
            }
          />
        ))}
      </Rows>
    </WaitingCard>
  )
}

export function CallsCard({ calls }: { calls: Calls }) {
  const phoneText = usePhoneText()
  return (
    <WaitingCard
      title={t('calls')}
      count={calls.count}
      isMore={calls.count >= maxPeople}
      all={{ to: '/calls', search: { direction: 'inbound' } }}
    >
      <Rows label={t('calls')}>
        {calls.items.map(({ callId, from, times, createdAt, person }) => (
          <Row
            key={callId}
            target={pageOf(person) ?? { to: '/calls/$id', params: { id: callId } }}
            name={person?.name ?? phoneText(from)}
            detail={[person && phoneText(from), times > 1 && t('calledTimes', { count: times })]
              .filter(Boolean)
              .join(' · ')}
            meta={<Time iso={createdAt} />}
            action={
              <CallBack
                to={from}
                name={person?.name ?? phoneText(from)}
                leadId={person?.kind === 'lead' ? Number(person.id) : undefined}
              />
            }
          />
        ))}
      </Rows>
    </WaitingCard>
  )
}
