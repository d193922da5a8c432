// The event log: what happened in this tenant and mode, live. Each event was written with the change it reports.

import type { TandemEvent } from '@tandem/sdk'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Activity, Lock } from 'lucide-react'
import { useState } from 'react'
import { CursorTable } from '../data/cursor_table.tsx'
import { SelectFilter, TextFilter } from '../data/filters.tsx'
import { inspectedId } from '../data/inspected_id.ts'
import { useCursorList } from '../data/lists.ts'
import type { EventPattern } from '../data/live.ts'
import { useLiveTop } from '../data/live_list.ts'
import { LiveSwitch } from '../data/live_switch.tsx'
import { useInspect } from '../navigation/inspect.ts'
import { without } from '../navigation/params.ts'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { clientOf } from '../people/phone_text.ts'
import { usePhoneText } from '../people/use_phone_text.ts'
import { usePeople, useWho } from '../people/who.ts'
import { apiOf, useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import type { Column } from '../ui/data_table.tsx'
import { ButtonLink, Card, EmptyState, IdLink, PageHeader, StatusChip, Time, Toolbar, Wrapped } from '../ui/index.ts'
import { byLanguage } from '../words/words.ts'
import { filterNames, fits, kindsOf, queryOf } from './event_filters.ts'
import styles from './events.module.css'
import { t } from './texts.ts'

/** What stands where the record stood after the event: a status, a state. */
function stateOf(event: TandemEvent): string | undefined {
  const data = (event.data ?? {}) as { status?: unknown; state?: unknown }
  const now = data.status ?? data.state
  return typeof now === 'string' ? now : undefined
}

const columns = byLanguage((): Column<TandemEvent>[] => [
  { key: 'type', header: t('event'), render: event => <Wrapped text={event.type} /> },
  {
    key: 'resource',
    header: t('aboutTerm'),
    render: event => (
      <span className={styles['about']}>
        <About event={event} />
      </span>
    ),
  },
  {
    key: 'state',
    header: t('stateAfter'),
    hideOnNarrow: true,
    render: event => {
      const state = stateOf(event)
      return state === undefined ? '–' : <StatusChip status={state} />
    },
  },
  { key: 'sequence', header: t('sequence'), align: 'end', hideOnNarrow: true, render: event => event.sequence },
  { key: 'at', header: t('when'), align: 'end', render: event => <Time iso={event.timestamp} /> },
])

type Data = Readonly<Record<string, unknown>>

/** What the record of an event is called in it: people and companies by name, invoices by number. */
function nameIn(data: Data): string | undefined {
  const name = data['name'] ?? data['number'] ?? data['subject']
  return typeof name === 'string' && name !== '' ? name : undefined
}

/** The address of whom a message or call was exchanged with; empty for anything else. */
function partyIn({ direction, from, to }: Data): string {
  const isOurs = direction === 'outbound' || clientOf(String(from ?? '')) !== undefined
  const party = isOurs ? to : from
  return typeof party === 'string' ? party : ''
}

/** The record by what it is called, as far as the event says or one may know; it leads to the inspector. */
function About({ event }: { event: TandemEvent }) {
  const phoneText = usePhoneText()
  const id = inspectedId(event)
  const data = (event.data ?? {}) as Data
  const party = partyIn(data)
  const person = useWho(party)
  const name = nameIn(data) ?? person?.name ?? (party === '' ? undefined : phoneText(party))
  return name === undefined ? <IdLink id={id} /> : <IdLink id={id}>{name}</IdLink>
}

/** Whether it may be asked for; an address may hold anything. */
function isPattern(type: string | undefined): type is EventPattern {
  return type !== undefined && /^[a-z_]+\.(?:[a-z_]+|\*)$/.test(type)
}

const header = byLanguage(() => ({ title: t('events'), description: t('about') }))

export function EventsScreen() {
  const { permissions, user } = useSession()
  if (permissions.has('events:read')) return <EventList />
  return (
    <>
      <PageHeader {...header()} />
      <Card>
        <EmptyState
          icon={<Lock size={20} />}
          title={t('refused')}
          text={t('refusedText', { role: user.role })}
          action={<ButtonLink to="/messages">{t('openMessages')}</ButtonLink>}
        />
      </Card>
    </>
  )
}

/** Every type of event, for those who may read them. They change with the server's version only. */
function useEventTypes(): readonly string[] {
  const { mode, permissions } = useSession()
  const { data } = useQuery({
    queryKey: [mode, 'event types'],
    enabled: permissions.has('webhooks:read'),
    queryFn: ({ signal }) => apiOf(mode).webhooks.eventTypes({}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return data?.eventTypes.map(({ type }) => type) ?? []
}

const kindText = (kind: string) => (kind.endsWith('.*') ? t.of('all', kind.slice(0, -2)) : undefined) ?? kind

const idOf = (event: TandemEvent) => event.id
const partiesOf = (event: TandemEvent) => [partyIn((event.data ?? {}) as Data)]

function EventList() {
  const api = useApi()
  const cache = useQueryClient()
  const { mode } = useSession()
  const { inspected, inspect } = useInspect()
  const [params, change] = useParamsOfAddress()
  const [live, setLive] = useState(true)
  const filters = queryOf(params)
  const types = useEventTypes()
  const list = useCursorList<TandemEvent>('events', filters, (cursor, signal) =>
    api.events.list({ ...filters, limit: 50, ...(cursor ? { cursor } : {}) }, { signal }),
  )
  const liveState = useLiveTop({
    list,
    topic: isPattern(filters.type) ? { events: [filters.type] } : 'events',
    live,
    idOf,
    pick: message => (message.event === 'event' && fits(message.data, filters) ? message.data : undefined),
  })
  usePeople(list.items, partiesOf)
  const seen = list.items.map(({ type }) => type)
  const kinds = kindsOf(types, seen, params['type'])
  const open = (event: TandemEvent) => {
    // The inspector need not ask for what is here already.
    cache.setQueryData([mode, 'inspected', event.id], event)
    inspect(event.id)
  }
  return (
    <>
      <PageHeader {...header()} actions={<LiveSwitch live={live} state={liveState} onChange={setLive} />} />
      <Toolbar label={t('filters')}>
        <SelectFilter
          name="type"
          label={t('kind')}
          all={t('all')}
          params={params}
          onChange={change}
          options={kinds.map(value => ({ value, label: kindText(value) }))}
        />
        <TextFilter
          name="resourceId"
          label={t('aboutTerm')}
          params={params}
          onChange={change}
          placeholder={t('hint')}
          mono
          pageSearch
        />
        <TextFilter name="createdAfter" label={t('from')} type="date" params={params} onChange={change} />
        <TextFilter name="createdBefore" label={t('before')} type="date" params={params} onChange={change} />
      </Toolbar>
      <Card flush>
        <CursorTable
          list={list}
          isFiltered={Object.keys(filters).length > 0}
          onClearFilters={() => change(without(filterNames))}
          empty={{
            icon: <Activity size={20} />,
            title: t('none'),
            text: t('noneText'),
            action: (
              <ButtonLink to="/playground" search={{ endpoint: 'messages.sms.send' }} variant="primary">
                {t('sendSms')}
              </ButtonLink>
            ),
          }}
          caption={t('events')}
          columns={columns()}
          rowKey={idOf}
          onOpen={open}
          openLabel={event => t('openEvent', { type: event.type, id: inspectedId(event) })}
          {...(inspected === undefined ? {} : { selectedKey: inspected })}
        />
      </Card>
    </>
  )
}
