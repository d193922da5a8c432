// Messages: a list that follows what happens, and one message with everything that happened to it.
import type { Message, MessagesListParams } from '@tandem/sdk'
import { useParams } from '@tanstack/react-router'
import { MessageSquare, Play } from 'lucide-react'
import { useApi } from '../app/api.ts'
import { Refused } from '../app/fallbacks.tsx'
import { SelectFilter, TextFilter } from '../app/filters.tsx'
import { useCursorList } from '../app/lists.ts'
import { useLiveRecord, useLiveRecords } from '../app/live_records.ts'
import { chosenOf, type Params, without } from '../app/params.ts'
import { RecordStates } from '../app/record_states.tsx'
import { useRecord } from '../app/records.ts'
import { startOfDay, useParamsOfAddress } from '../app/search_params.ts'
import { useSession } from '../app/session.ts'
import {
  ButtonLink,
  Card,
  CodeLink,
  type Column,
  CopyButton,
  DataTable,
  IdLink,
  ListStates,
  LoadMore,
  NewOnTop,
  PageHeader,
  StatusChip,
  TextLink,
  Time,
  Toolbar,
} from '../ui/index.ts'
import { MessageFacts } from './message_facts.tsx'
import styles from './messages.module.css'

export function MessagesScreen() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const { permissions } = useSession()
  if (!permissions.has('messages:read')) return <Refused title="Messages" permission="messages:read" />
  return id === undefined ? <MessageList /> : <MessagePage key={id} id={id} />
}

type Item = Omit<Message, 'history'>

const statuses: Item['status'][] = [
  'queued',
  'sending',
  'sent',
  'delivered',
  'undelivered',
  'expired',
  'failed',
  'unconfirmed',
  'received',
  'scheduled',
  'canceled',
]
const filterNames = ['status', 'direction', 'to', 'from', 'createdAfter'] as const
const moving: readonly Item['status'][] = ['queued', 'sending', 'sent']

/** Whether a new message belongs into the list; numbers are compared as the server would read them. */
function fits(item: Item, { status, direction, to, from }: Params): boolean {
  const same = (wanted: string | undefined, value: string) =>
    wanted === undefined || wanted.replace(/[^\da-z+]/gi, '') === value.replace(/[^\da-z+]/gi, '')
  if (status !== undefined && status !== item.status) return false
  if (direction !== undefined && direction !== item.direction) return false
  return same(to, item.to) && same(from, item.from)
}

const columns: Column<Item>[] = [
  { key: 'to', header: 'To', nowrap: true, render: item => item.to },
  { key: 'from', header: 'From', nowrap: true, hideOnNarrow: true, render: item => item.from },
  {
    key: 'body',
    header: 'Text',
    hideOnNarrow: true,
    render: item => <span className={styles['text']}>{item.body}</span>,
  },
  {
    key: 'status',
    header: 'Status',
    render: item => (
      <>
        <StatusChip status={item.status} /> {item.code !== null && <CodeLink code={item.code} />}
      </>
    ),
  },
  { key: 'segments', header: 'Segments', align: 'end', hideOnNarrow: true, render: item => item.segments },
  { key: 'created', header: 'Created', nowrap: true, render: item => <Time iso={item.createdAt} /> },
  { key: 'id', header: 'Id', hideOnNarrow: true, render: item => <IdLink id={item.messageId}>Inspect</IdLink> },
]

function MessageList() {
  const api = useApi()
  const [params, change] = useParamsOfAddress()
  const filters = chosenOf(params, filterNames)
  const { createdAfter: day } = filters
  const asked = day === undefined ? filters : { ...filters, createdAfter: startOfDay(day) }
  const list = useCursorList<Item>('messages', filters, (cursor, signal) =>
    api.messages.list({ ...(asked as MessagesListParams), limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
  )
  const { unseen, show } = useLiveRecords<Item>({
    list,
    eventPrefix: 'message.',
    idOf: item => item.messageId,
    isMoving: item => moving.includes(item.status),
    fits: item => fits(item, filters),
  })
  const isFiltered = Object.keys(filters).length > 0
  return (
    <>
      <PageHeader
        title="Messages"
        description="Every text that went out or came in, newest first, with what became of it."
        actions={
          <ButtonLink
            to="/playground"
            search={{ endpoint: 'messages.sms.send' }}
            variant="primary"
            icon={<Play size={14} />}
          >
            Send an SMS
          </ButtonLink>
        }
      />
      <Toolbar label="Filters of messages">
        <TextFilter name="to" label="To" params={params} onChange={change} placeholder="+1 500 555 0100" pageSearch />
        <TextFilter name="from" label="From" params={params} onChange={change} placeholder="Number or sender" />
        <SelectFilter
          name="status"
          label="Status"
          all="All"
          params={params}
          onChange={change}
          options={statuses.map(value => ({ value, label: value }))}
        />
        <SelectFilter
          name="direction"
          label="Direction"
          all="Both"
          params={params}
          onChange={change}
          options={[
            { value: 'outbound', label: 'Outbound' },
            { value: 'inbound', label: 'Inbound' },
          ]}
        />
        <TextFilter name="createdAfter" label="Created since" type="date" params={params} onChange={change} />
      </Toolbar>
      <Card flush>
        <NewOnTop count={unseen} noun="message" onShow={show} />
        <ListStates
          label="Loading messages"
          query={list.query}
          isEmpty={list.items.length === 0}
          isFiltered={isFiltered}
          onClearFilters={() => change(without(filterNames))}
          empty={{
            icon: <MessageSquare size={20} />,
            title: 'No messages yet',
            text: 'Send the first one from the Playground. In test mode the simulator carries it, and +1 500 555 0100 always receives.',
            action: (
              <ButtonLink to="/playground" search={{ endpoint: 'messages.sms.send' }} variant="primary">
                Send an SMS
              </ButtonLink>
            ),
          }}
        >
          <DataTable
            caption="Messages"
            columns={columns}
            rows={list.items}
            rowKey={item => item.messageId}
            rowLink={item => ({ to: '/messages/$id', params: { id: item.messageId } })}
            subline={item => item.body}
            openLabel={item => `Open the message to ${item.to}, ${item.status}`}
          />
          <LoadMore
            shown={list.items.length}
            noun="messages"
            hasMore={list.hasMore}
            busy={list.loadingMore}
            onMore={list.loadMore}
          />
        </ListStates>
      </Card>
    </>
  )
}

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
          <ButtonLink to="/logs" search={{ resourceId: id }}>
            Requests about it
          </ButtonLink>
        }
      />
      <RecordStates kind="message" id={id} query={query}>
        {message => <MessageFacts message={message} />}
      </RecordStates>
    </>
  )
}
