// The event log: what happened in this tenant and mode, live. Each event was written with the change it tells.
import type { EventsListParams, TandemEvent } from '@tandem/sdk'
import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { useState } from 'react'
import { useApi } from '../app/api.ts'
import { SelectFilter, TextFilter } from '../app/filters.tsx'
import { type Page, useCursorList, withNewItem } from '../app/lists.ts'
import { useLive } from '../app/live.ts'
import { LiveSwitch } from '../app/live_switch.tsx'
import { useParamsOfAddress } from '../app/search_params.ts'
import { useSession } from '../app/session.ts'
import {
  ButtonLink,
  Card,
  type Column,
  DataTable,
  Drawer,
  IdLink,
  JsonView,
  ListStates,
  LoadMore,
  PageHeader,
  Time,
  Toolbar,
} from '../ui/index.ts'

const filterNames = ['type', 'resourceId', 'after', 'before'] as const
const nouns = ['lead', 'invoice', 'payment', 'message', 'call']

/** The id the inspector knows a resource of an event by: v1 ids are numbers and need their noun. */
export function inspectedId(event: Pick<TandemEvent, 'type' | 'resourceId'>): string {
  return /^\d+$/.test(event.resourceId) ? `${event.type.split('.')[0]}:${event.resourceId}` : event.resourceId
}

const columns: Column<TandemEvent>[] = [
  { key: 'type', header: 'Event', render: event => event.type },
  { key: 'resource', header: 'About', render: event => <IdLink id={inspectedId(event)} /> },
  { key: 'sequence', header: 'Sequence', align: 'end', hideOnNarrow: true, render: event => event.sequence },
  { key: 'at', header: 'When', render: event => <Time iso={event.timestamp} /> },
]

/** Whether a live event belongs into the list as it is filtered. */
function fits(event: TandemEvent, filters: EventsListParams): boolean {
  const { type, resourceId, before } = filters
  if (resourceId !== undefined && event.resourceId !== resourceId) return false
  if (before !== undefined) return false
  if (type === undefined) return true
  return type.endsWith('.*') ? event.type.startsWith(type.slice(0, -1)) : event.type === type
}

export function EventsScreen() {
  const api = useApi()
  const cache = useQueryClient()
  const { permissions } = useSession()
  const [params, change] = useParamsOfAddress()
  const [live, setLive] = useState(true)
  const filters: EventsListParams = Object.fromEntries(
    filterNames.flatMap(name => (params[name] ? [[name, params[name]]] : [])),
  )
  const list = useCursorList<TandemEvent>('events', filters, (cursor, signal) =>
    api.events.list({ ...filters, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
  )
  const liveState = useLive(
    ['events'],
    message => {
      if (message.event === 'gap') void list.query.refetch()
      if (message.event !== 'event' || !fits(message.data, filters)) return
      const event = message.data
      cache.setQueryData<InfiniteData<Page<TandemEvent>>>(list.queryKey, old =>
        old?.pages.some(page => page.items.some(item => item.id === event.id)) ? old : withNewItem(old, event),
      )
    },
    live && permissions.has('events:read'),
  )
  const opened = list.items.find(event => event.id === params['event'])
  return (
    <>
      <PageHeader
        title="Events"
        description="Everything that happened, newest first, as webhooks tell it."
        actions={<LiveSwitch live={live} state={liveState} onChange={setLive} />}
      />
      <Toolbar label="Filters of events">
        <SelectFilter
          name="type"
          label="Kind"
          all="All"
          params={params}
          onChange={change}
          options={nouns.map(noun => ({ value: `${noun}.*`, label: `${noun}s` }))}
        />
        <TextFilter
          name="resourceId"
          label="About"
          params={params}
          onChange={change}
          placeholder="msg_… or 12"
          pageSearch
        />
        <TextFilter name="after" label="After" type="date" params={params} onChange={change} />
        <TextFilter name="before" label="Before" type="date" params={params} onChange={change} />
      </Toolbar>
      <Card flush>
        <ListStates
          label="Loading events"
          query={list.query}
          isEmpty={list.items.length === 0}
          isFiltered={Object.keys(filters).length > 0}
          onClearFilters={() => change(Object.fromEntries(filterNames.map(name => [name, undefined])))}
          empty={{
            icon: <Activity size={20} />,
            title: 'Nothing has happened yet',
            text: 'Create a lead or send a message, and its events appear here as they happen.',
            action: (
              <ButtonLink to="/playground" search={{ endpoint: 'messages.sms.send' }} variant="primary">
                Send an SMS
              </ButtonLink>
            ),
          }}
        >
          <DataTable
            caption="Events"
            columns={columns}
            rows={list.items}
            rowKey={event => event.id}
            onOpen={event => change({ event: event.id }, { push: true })}
            openLabel={event => `Open ${event.type} of ${event.resourceId}`}
            selectedKey={params['event']}
          />
          <LoadMore
            shown={list.items.length}
            noun="events"
            hasMore={list.hasMore}
            busy={list.loadingMore}
            onMore={list.loadMore}
          />
        </ListStates>
      </Card>
      <Drawer
        open={opened !== undefined}
        onOpenChange={() => change({ event: undefined })}
        title={opened?.type ?? 'Event'}
        description={opened?.id}
      >
        {opened !== undefined && <JsonView value={opened} label="Event as webhooks tell it" />}
      </Drawer>
    </>
  )
}
