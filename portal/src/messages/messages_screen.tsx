// Messages: a list that follows what happens, and one message with everything that happened to it.
import type { MessagesListItem, MessagesListParams } from '@tandem/sdk'
import { useParams } from '@tanstack/react-router'
import { MessageSquare, Send, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { CursorTable } from '../data/cursor_table.tsx'
import { SelectFilter, TextFilter } from '../data/filters.tsx'
import { useCursorList } from '../data/lists.ts'
import { useLiveRecord, useLiveRecords } from '../data/live_records.ts'
import { useCarriers, useServices } from '../data/messaging_lists.ts'
import { RecordStates } from '../data/record_states.tsx'
import { useRecord } from '../data/records.ts'
import { Refused } from '../navigation/fallbacks.tsx'
import { chosenOf, type Params, without } from '../navigation/params.ts'
import { fromStartOfDay, useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import {
  Button,
  ButtonLink,
  Card,
  CodeLink,
  type Column,
  CopyButton,
  IdLink,
  NewOnTop,
  type Option,
  PageHeader,
  StatusChip,
  TextLink,
  Time,
  Toolbar,
} from '../ui/index.ts'
import { MessageActions } from './message_actions.tsx'
import { MessageFacts } from './message_facts.tsx'
import styles from './messages.module.css'
import { SendDialog } from './send_dialog.tsx'

export function MessagesScreen() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const { permissions } = useSession()
  if (!permissions.has('messages:read')) return <Refused title="Messages" permission="messages:read" />
  return id === undefined ? <MessageList /> : <MessagePage key={id} id={id} />
}

type Item = MessagesListItem

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
const moreNames = ['participant', 'serviceId', 'carrier', 'tag'] as const
const filterNames = ['status', 'direction', 'to', 'from', 'createdAfter', ...moreNames] as const
const moving: readonly Item['status'][] = ['scheduled', 'queued', 'sending', 'sent']

/** Whether a new message belongs into the list; numbers are compared as the server would read them. */
function fits(item: Item, { status, direction, to, from, participant, serviceId, carrier, tag }: Params): boolean {
  const same = (wanted: string | undefined, value: string) =>
    wanted === undefined || wanted.replace(/[^\da-z+]/gi, '') === value.replace(/[^\da-z+]/gi, '')
  if (status !== undefined && status !== item.status) return false
  if (direction !== undefined && direction !== item.direction) return false
  if (serviceId !== undefined && serviceId !== item.serviceId) return false
  if (carrier !== undefined && carrier !== item.carrier) return false
  if (tag !== undefined && !item.tags.includes(tag)) return false
  const person = item.direction === 'outbound' ? item.to : item.from
  return same(to, item.to) && same(from, item.from) && same(participant, person)
}

/** What a list shows of a text. */
function textOf({ body, redactedAt }: Item): string {
  return redactedAt === null ? body : '(redacted)'
}

const columns: Column<Item>[] = [
  { key: 'to', header: 'To', nowrap: true, render: item => item.to },
  { key: 'from', header: 'From', nowrap: true, hideOnNarrow: true, render: item => item.from },
  {
    key: 'body',
    header: 'Text',
    hideOnNarrow: true,
    render: item => <span className={styles['text']}>{textOf(item)}</span>,
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
  const { permissions } = useSession()
  const [params, change] = useParamsOfAddress()
  const filters = chosenOf(params, filterNames)
  const asked = fromStartOfDay(filters, 'createdAfter')
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
  const maySend = permissions.has('messages:send')
  return (
    <>
      <PageHeader
        title="Messages"
        description="Every text that went out or came in, newest first, with what became of it."
        actions={
          <>
            <ButtonLink to="/handset" icon={<Smartphone size={14} />}>
              Open the handset
            </ButtonLink>
            {maySend && (
              <Button variant="primary" icon={<Send size={14} />} onClick={() => change({ send: '1' }, { push: true })}>
                Send a message
              </Button>
            )}
          </>
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
        <MoreFilters params={params} onChange={change} />
      </Toolbar>
      <Card flush>
        <NewOnTop count={unseen} noun="message" onShow={show} />
        <CursorTable
          list={list}
          noun="messages"
          isFiltered={isFiltered}
          onClearFilters={() => change(without(filterNames))}
          empty={{
            icon: <MessageSquare size={20} />,
            title: 'No messages yet',
            text: 'Send the first one from here or from the Playground. In test mode the simulator carries it, and +1 500 555 0100 always receives.',
            action: maySend ? (
              <>
                <Button variant="primary" onClick={() => change({ send: '1' }, { push: true })}>
                  Send a message
                </Button>
                <ButtonLink to="/playground" search={{ endpoint: 'messages.sms.send' }}>
                  Send an SMS in the Playground
                </ButtonLink>
              </>
            ) : undefined,
          }}
          caption="Messages"
          columns={columns}
          rowKey={item => item.messageId}
          rowLink={item => ({ to: '/messages/$id', params: { id: item.messageId } })}
          subline={item => textOf(item)}
          openLabel={item => `Open the message to ${item.to}, ${item.status}`}
        />
      </Card>
      {params['send'] !== undefined && maySend && <SendDialog onClose={() => change({ send: undefined })} />}
    </>
  )
}

type MoreFiltersProps = { params: Params; onChange(patch: Params): void }
/** The filters that are needed less often; they stand open while one of them is chosen. */
function MoreFilters({ params, onChange }: MoreFiltersProps) {
  const chosen = Object.keys(chosenOf(params, moreNames)).length > 0
  const [opened, setOpened] = useState(chosen)
  const open = opened || chosen
  const { mode } = useSession()
  const services = useServices(open)
  const carriers = useCarriers(open)
  if (!open) return <Button onClick={() => setOpened(true)}>More filters</Button>
  const builtIn = mode === 'test' ? ['simulator'] : ['handset', 'none']
  return (
    <>
      <TextFilter name="participant" label="With" params={params} onChange={onChange} placeholder="Either way" />
      <SelectFilter
        name="serviceId"
        label="Service"
        all="All"
        params={params}
        onChange={onChange}
        options={withChosen(
          services.items.map(({ serviceId, name }) => ({ value: serviceId, label: name })),
          params['serviceId'],
        )}
      />
      <SelectFilter
        name="carrier"
        label="Carrier"
        all="All"
        params={params}
        onChange={onChange}
        options={withChosen(
          [...builtIn, ...carriers.items].map(one =>
            typeof one === 'string' ? { value: one, label: one } : { value: one.carrierId, label: one.name },
          ),
          params['carrier'],
        )}
      />
      <TextFilter name="tag" label="Tag" params={params} onChange={onChange} />
    </>
  )
}

/** The options with the one that the address names, which may be gone or not read yet. */
function withChosen(options: readonly Option[], chosen: string | undefined): readonly Option[] {
  if (chosen === undefined || options.some(({ value }) => value === chosen)) return options
  return [...options, { value: chosen, label: chosen }]
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
