// Messages: a list that follows what happens, and one message with everything that happened to it.
import type { Message, MessagesListItem } from '@tandem/sdk'
import { Send, Smartphone } from 'lucide-react'
import { useLiveRecord } from '../data/live_records.ts'
import { useCarrierOptions, useServiceOptions } from '../data/messaging_lists.ts'
import { RecordStates } from '../data/record_states.tsx'
import { useRecord } from '../data/records.ts'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { Party, useOtherName } from '../people/party.tsx'
import { PhoneNumber } from '../people/phone_number.tsx'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import { ButtonLink, PageHeader, stateText, TextLink } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { ManyButton } from './many/many_button.tsx'
import { MessageActions } from './message_actions.tsx'
import { MessageFacts } from './message_facts.tsx'
import { priceText } from './price.tsx'
import { SendDialog } from './send_dialog.tsx'
import { t } from './texts.ts'

type Item = MessagesListItem

const moving: readonly Item['status'][] = ['scheduled', 'queued', 'sending', 'sent']
const final: readonly Item['status'][] = [
  'delivered',
  'undelivered',
  'expired',
  'failed',
  'unconfirmed',
  'received',
  'canceled',
]

function useAnyCarrier() {
  const { mode } = useSession()
  const builtIn = mode === 'test' ? (['simulator'] as const) : (['handset', 'none'] as const)
  return [...builtIn.map(value => ({ value, label: t(`builtIn.${value}`) })), ...useCarrierOptions()]
}

const messages = byLanguage(
  (): Resource<Item> => ({
    many: 'messages',
    things: t('things'),
    about: t('about'),
    from: api => api.messages.list,
    id: 'messageId',
    nameOf: ({ to, status }) => t('nameOf', { to, status: stateText(status) }),
    filters: [
      { name: 'to', label: t('to'), kind: 'number', placeholder: '+1 500 555 0100' },
      { name: 'from', label: t('from'), kind: 'number', placeholder: t('fromExample') },
      { name: 'status', label: t('status'), options: [...moving, ...final] },
      {
        name: 'direction',
        label: t('direction'),
        all: t('both'),
        options: [
          { value: 'outbound', label: t('direction.outbound') },
          { value: 'inbound', label: t('direction.inbound') },
        ],
      },
      { name: 'createdAfter', label: t('since'), kind: 'day' },
      {
        name: 'participant',
        label: t('with'),
        kind: 'number',
        placeholder: t('withExample'),
        of: personOf,
        more: true,
      },
      { name: 'serviceId', label: t('service'), useOptions: useServiceOptions, more: true },
      { name: 'carrier', label: t('carrier'), useOptions: useAnyCarrier, more: true },
      { name: 'tag', label: t('tag'), more: true, fits: ({ tags }, tag) => tags.includes(tag) },
    ],
    columns: [
      { name: 'to', label: t('to'), px: 230, hasControls: true, cell: To },
      { name: 'from', label: t('from'), px: 190, atFirst: 'wide', cell: From },
      {
        name: 'body',
        label: t('text'),
        px: 310,
        cell: ({ body, redactedAt }) => (redactedAt === null ? body : t('redactedShort')),
      },
      { name: 'status', label: t('status'), px: 220, kind: 'status', code: 'code' },
      { name: 'segments', label: t('segments'), kind: 'count', atFirst: 'wide' },
      { name: 'createdAt', label: t('created'), kind: 'time' },
      { name: 'messageId', label: t('id'), kind: 'id', atFirst: 'wide' },
      { name: 'direction', label: t('direction'), atFirst: 'never', cell: ({ direction }) => t(`way.${direction}`) },
      { name: 'deliveredAt', label: t('delivered'), kind: 'time', atFirst: 'never' },
      { name: 'sendAt', label: t('scheduledFor'), kind: 'time', atFirst: 'never' },
      { name: 'carrier', label: t('carrier'), px: 260, atFirst: 'never' },
      {
        name: 'price',
        label: t('price'),
        px: 120,
        align: 'end',
        atFirst: 'never',
        cell: one => one.price && priceText(one.price, one.currency),
      },
      { name: 'tags', label: t('tags'), atFirst: 'never' },
    ],
    tools: <Tools />,
    create: {
      label: t('send'),
      needs: 'messages:send',
      icon: <Send size={14} />,
      param: 'send',
      Form: SendDialog,
    },
    addressesOf: message => [personOf(message)],
    live: { events: ['message.*'], isMoving: ({ status }) => moving.includes(status) },
    empty: {
      text: t('emptyText'),
      action: <SendInPlayground />,
    },
  }),
)

function Tools() {
  return (
    <>
      <ButtonLink to="/handset" icon={<Smartphone size={14} />}>
        {t('handset')}
      </ButtonLink>
      <ManyButton />
    </>
  )
}

/** Whom it is exchanged with; the sender is ours, or theirs. */
function personOf({ direction, to, from }: Item): string {
  return direction === 'outbound' ? to : from
}

function To({ direction, to }: Item) {
  return direction === 'outbound' ? <Party address={to} /> : <PhoneNumber number={to} />
}

function From({ direction, from }: Item) {
  return direction === 'inbound' ? <Party address={from} /> : <PhoneNumber number={from} />
}

function SendInPlayground() {
  const { permissions } = useSession()
  if (!permissions.has('messages:send')) return null
  return (
    <ButtonLink to="/playground" search={{ endpoint: 'messages.sms.send' }}>
      {t('inPlayground')}
    </ButtonLink>
  )
}

export const MessagesScreen = () => <ResourceScreen of={messages} page={MessagePage} />

/** Whom it was with. */
function Heading({ message }: { message: Message }) {
  return t(message.direction === 'inbound' ? 'headingFrom' : 'headingTo', { who: useOtherName(message) })
}

function MessagePage({ id }: { id: string }) {
  const query = useRecord('message', id)
  const isMoving = query.data !== undefined && moving.includes(query.data.status)
  useLiveRecord({
    resourceId: id,
    // Of one that has come to its end there is no more to hear, however many others are sent.
    events: isMoving || query.data === undefined ? ['message.*'] : [],
    isMoving,
    onChange: () => void query.refetch(),
  })
  return (
    <>
      <PageHeader
        title={t('messageId', { id })}
        heading={query.data === undefined ? t('message') : <Heading message={query.data} />}
        description={
          <>
            <TextLink to="/messages">{t('all')}</TextLink> / <code>{id}</code>
            <CopyButton text={id} label={t('copyId')} />
          </>
        }
        actions={
          <>
            <ButtonLink to="/logs" search={{ resourceId: id }}>
              {t('requests')}
            </ButtonLink>
            {query.data !== undefined && <MessageActions message={query.data} />}
          </>
        }
      />
      <RecordStates kind="message" id={id} query={query}>
        {message => <MessageFacts message={message} />}
      </RecordStates>
    </>
  )
}
