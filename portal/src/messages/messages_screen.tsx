// Messages: a list that follows what happens, and one message with everything that happened to it.
import type { MessagesListItem } from '@tandem/sdk'
import { Send, Smartphone } from 'lucide-react'
import { useLiveRecord } from '../data/live_records.ts'
import { useCarrierOptions, useServiceOptions } from '../data/messaging_lists.ts'
import { RecordStates } from '../data/record_states.tsx'
import { useRecord } from '../data/records.ts'
import type { Resource } from '../lists/resource.ts'
import { ResourceScreen } from '../lists/resource_list.tsx'
import { Party } from '../people/party.tsx'
import { PhoneNumber } from '../people/phone_number.tsx'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import { ButtonLink, PageHeader, TextLink } from '../ui/index.ts'
import { MessageActions } from './message_actions.tsx'
import { MessageFacts } from './message_facts.tsx'
import { priceText } from './price.tsx'
import { SendDialog } from './send_dialog.tsx'

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
  const builtIn = mode === 'test' ? ['simulator'] : ['handset', 'none']
  return [...builtIn.map(value => ({ value, label: value })), ...useCarrierOptions()]
}

const messages: Resource<Item> = {
  many: 'messages',
  about: 'Every text that went out or came in, newest first, with what became of it.',
  from: api => api.messages.list,
  id: 'messageId',
  nameOf: ({ to, status }) => `the message to ${to}, ${status}`,
  filters: [
    { name: 'to', label: 'To', kind: 'number', placeholder: '+1 500 555 0100' },
    { name: 'from', label: 'From', kind: 'number', placeholder: 'Number or sender' },
    { name: 'status', label: 'Status', options: [...moving, ...final] },
    {
      name: 'direction',
      label: 'Direction',
      all: 'Both',
      options: [
        { value: 'outbound', label: 'Outbound' },
        { value: 'inbound', label: 'Inbound' },
      ],
    },
    { name: 'createdAfter', label: 'Created since', kind: 'day' },
    { name: 'participant', label: 'With', kind: 'number', placeholder: 'Either way', of: personOf, more: true },
    { name: 'serviceId', label: 'Service', useOptions: useServiceOptions, more: true },
    { name: 'carrier', label: 'Carrier', useOptions: useAnyCarrier, more: true },
    { name: 'tag', label: 'Tag', more: true, fits: ({ tags }, tag) => tags.includes(tag) },
  ],
  columns: [
    { name: 'to', label: 'To', px: 250, hasControls: true, cell: To },
    { name: 'from', label: 'From', px: 170, atFirst: 'wide', cell: From },
    {
      name: 'body',
      label: 'Text',
      px: 340,
      cell: ({ body, redactedAt }) => (redactedAt === null ? body : '(redacted)'),
    },
    { name: 'status', label: 'Status', px: 260, kind: 'status', code: 'code' },
    { name: 'segments', label: 'Segments', kind: 'count', atFirst: 'wide' },
    { name: 'createdAt', label: 'Created', kind: 'time' },
    { name: 'messageId', label: 'Id', kind: 'id', atFirst: 'wide' },
    { name: 'direction', label: 'Direction', atFirst: 'never' },
    { name: 'deliveredAt', label: 'Delivered', kind: 'time', atFirst: 'never' },
    { name: 'sendAt', label: 'Scheduled for', kind: 'time', atFirst: 'never' },
    { name: 'carrier', label: 'Carrier', px: 260, atFirst: 'never' },
    {
      name: 'price',
      label: 'Price',
      px: 120,
      align: 'end',
      atFirst: 'never',
      cell: one => one.price && priceText(one.price, one.currency),
    },
    { name: 'tags', label: 'Tags', atFirst: 'never' },
  ],
  tools: (
    <ButtonLink to="/handset" icon={<Smartphone size={14} />}>
      Open the handset
    </ButtonLink>
  ),
  create: {
    label: 'Send a message',
    needs: 'messages:send',
    icon: <Send size={14} />,
    param: 'send',
    Form: SendDialog,
  },
  addressesOf: message => [personOf(message)],
  live: { events: 'message.', isMoving: ({ status }) => moving.includes(status) },
  empty: {
    text: 'Send the first one from here or from the Playground. In test mode the simulator carries it, and +1 500 555 0100 always receives.',
    action: <SendInPlayground />,
  },
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
      Send an SMS in the Playground
    </ButtonLink>
  )
}

export const MessagesScreen = () => <ResourceScreen of={messages} page={MessagePage} />

function MessagePage({ id }: { id: string }) {
  const query = useRecord('message', id)
  useLiveRecord({
    resourceId: id,
    isMoving: query.data !== undefined && moving.includes(query.data.status),
    onChange: () => void query.refetch(),
  })
  return (
    <>
      <PageHeader
        title={`Message ${id}`}
        heading="Message"
        description={
          <>
            <TextLink to="/messages">All messages</TextLink> / <code>{id}</code>
            <CopyButton text={id} label="Copy the id" />
          </>
        }
        actions={
          <>
            <ButtonLink to="/logs" search={{ resourceId: id }}>
              Requests about it
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
