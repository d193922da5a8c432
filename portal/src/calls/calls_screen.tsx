// Calls: a list that follows what happens, and one call with everything that happened in it.
import type { Call, CallsListItem, CallsListParams } from '@tandem/sdk'
import { useParams } from '@tanstack/react-router'
import { Phone, Play } from 'lucide-react'
import { CursorTable } from '../data/cursor_table.tsx'
import { SelectFilter, TextFilter } from '../data/filters.tsx'
import { useCursorList } from '../data/lists.ts'
import { useLiveRecords } from '../data/live_records.ts'
import { Refused } from '../navigation/fallbacks.tsx'
import { chosenOf, type Params, without } from '../navigation/params.ts'
import { fromStartOfDay, useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import {
  ButtonLink,
  Card,
  CodeLink,
  type Column,
  IdLink,
  NewOnTop,
  PageHeader,
  StatusChip,
  Time,
  Toolbar,
} from '../ui/index.ts'
import { underWay } from './call_commands.tsx'
import { secondsText } from './call_facts.tsx'
import { CallPage } from './call_page.tsx'

export function CallsScreen() {
  const { id } = useParams({ strict: false }) as { id?: string }
  const { permissions } = useSession()
  if (!permissions.has('calls:read')) return <Refused title="Calls" permission="calls:read" />
  return id === undefined ? <CallList /> : <CallPage key={id} id={id} />
}

const states: Call['state'][] = [
  'initiated',
  'ringing',
  'answered',
  'completed',
  'busy',
  'no_answer',
  'rejected',
  'failed',
  'canceled',
]
const filterNames = ['state', 'direction', 'to', 'from', 'createdAfter'] as const

/** Whether a new call belongs into the list; numbers are compared as the server would read them. */
function fits(item: CallsListItem, { state, direction, to, from }: Params): boolean {
  const same = (wanted: string | undefined, value: string) =>
    wanted === undefined || wanted.replace(/[^\d+]/g, '') === value
  if (state !== undefined && state !== item.state) return false
  if (direction !== undefined && direction !== item.direction) return false
  return same(to, item.to) && same(from, item.from)
}

const columns: Column<CallsListItem>[] = [
  { key: 'to', header: 'To', nowrap: true, render: item => item.to },
  { key: 'from', header: 'From', nowrap: true, hideOnNarrow: true, render: item => item.from },
  {
    key: 'state',
    header: 'State',
    render: item => (
      <>
        <StatusChip status={item.state} /> {item.errorCode !== null && <CodeLink code={item.errorCode} />}
      </>
    ),
  },
  {
    key: 'direction',
    header: 'Direction',
    hideOnNarrow: true,
    nowrap: true,
    // A leg is a call that another one dialled.
    render: item => (item.parentCallId === null ? item.direction : `${item.direction}, leg`),
  },
  {
    key: 'duration',
    header: 'Talked',
    align: 'end',
    hideOnNarrow: true,
    nowrap: true,
    render: item => secondsText(item.billableSeconds),
  },
  { key: 'created', header: 'Started', render: item => <Time iso={item.createdAt} /> },
  { key: 'id', header: 'Id', hideOnNarrow: true, render: item => <IdLink id={item.callId}>Inspect</IdLink> },
]

function CallList() {
  const api = useApi()
  const [params, change] = useParamsOfAddress()
  const filters = chosenOf(params, filterNames)
  const asked = fromStartOfDay(filters, 'createdAfter')
  const list = useCursorList<CallsListItem>('calls', filters, (cursor, signal) =>
    api.calls.list({ ...(asked as CallsListParams), limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
  )
  const { unseen, show } = useLiveRecords<CallsListItem>({
    list,
    eventPrefix: 'call.',
    idOf: item => item.callId,
    isMoving: item => underWay.includes(item.state),
    fits: item => fits(item, filters),
  })
  const startCall = (
    <ButtonLink to="/playground" search={{ endpoint: 'calls.create' }} variant="primary" icon={<Play size={14} />}>
      Start a call
    </ButtonLink>
  )
  return (
    <>
      <PageHeader
        title="Calls"
        description="Every call that was made or taken, newest first, with how it went."
        actions={startCall}
      />
      <Toolbar label="Filters of calls">
        <TextFilter name="to" label="To" params={params} onChange={change} placeholder="+1 500 555 0200" pageSearch />
        <TextFilter name="from" label="From" params={params} onChange={change} placeholder="+1 500 555 0006" />
        <SelectFilter
          name="state"
          label="State"
          all="All"
          params={params}
          onChange={change}
          options={states.map(value => ({ value, label: value.replaceAll('_', ' ') }))}
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
        <TextFilter name="createdAfter" label="Started since" type="date" params={params} onChange={change} />
      </Toolbar>
      <Card flush>
        <NewOnTop count={unseen} noun="call" onShow={show} />
        <CursorTable
          list={list}
          noun="calls"
          isFiltered={Object.keys(filters).length > 0}
          onClearFilters={() => change(without(filterNames))}
          empty={{
            icon: <Phone size={20} />,
            title: 'No calls yet',
            text: 'Start the first one from the Playground. In test mode +1 500 555 0200 is always answered by a person.',
            action: startCall,
          }}
          caption="Calls"
          columns={columns}
          rowKey={item => item.callId}
          rowLink={item => ({ to: '/calls/$id', params: { id: item.callId } })}
          subline={item => `from ${item.from}`}
          openLabel={item => `Open the call to ${item.to}, ${item.state.replaceAll('_', ' ')}`}
        />
      </Card>
    </>
  )
}
