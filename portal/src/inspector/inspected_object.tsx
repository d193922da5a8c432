// The object behind an id, each kind drawn as on its own page; and what to say when there is none.
import { isTandemError } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { CallFacts } from '../calls/call_facts.tsx'
import { inspectedId } from '../data/inspected_id.ts'
import type { EventPattern } from '../data/live.ts'
import { useLiveResource } from '../data/live_records.ts'
import { readRecord } from '../data/records.ts'
import { maskedKey, scopesText, stateOfKey } from '../keys/key_state.ts'
import { RequestFacts } from '../logs/request_facts.tsx'
import { MessageFacts } from '../messages/message_facts.tsx'
import { type InspectedKind, kindOfId } from '../navigation/ids.ts'
import { useNounApi } from '../nouns/api.ts'
import { spoken } from '../nouns/described/spoken.ts'
import { Facts } from '../nouns/facts.tsx'
import { loadNoun } from '../nouns/known.ts'
import type { NounDescription } from '../nouns/noun.ts'
import { UserLink } from '../nouns/user_name.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { JsonView } from '../ui/code.tsx'
import {
  Button,
  Card,
  DescriptionList,
  EmptyState,
  ErrorState,
  IdLink,
  LoadingRows,
  Moment,
  StatusChip,
} from '../ui/index.ts'
import { DeliveryFacts } from '../webhooks/delivery_facts.tsx'
import { nameOf, WebhookFacts } from '../webhooks/webhook_facts.tsx'
import { timeOfId } from './id_time.ts'
import styles from './inspector.module.css'
import { t } from './texts.ts'

export type InspectedProps = {
  id: string
  /** Whether there is such an object, as far as the person may know. */
  onKnown(exists: boolean): void
}

type ObjectOptions<Value> = InspectedProps & {
  /** Null when there is none. */
  fetchIt(signal: AbortSignal): Promise<Value | null>
  children(value: NonNullable<Value>): ReactNode
}

/** "not found", and ids that are none, such as a number too large. */
function isAbsent(error: unknown): boolean {
  return isTandemError(error) && (error.status === 404 || error.status === 400)
}

/** Events of some objects are named otherwise than they are here; of some there are none. */
const nouns: Readonly<Partial<Record<InspectedKind, string | null>>> = {
  service: 'messaging_service',
  key: 'api_key',
  inbound_mail: 'mail',
  request: null,
  event: null,
  delivery: null,
  audit_event: null,
}

function eventsOf(id: string): readonly EventPattern[] {
  const kind = kindOfId(id)
  if (kind === undefined) return []
  const noun = nouns[kind]
  return noun === null ? [] : [`${noun ?? kind}.*`]
}

/** Where the role does not reach. */
export function Hidden({ permission }: { permission: string }) {
  return <EmptyState title={t('hidden')} text={t('hiddenText', { permission })} />
}

export function Inspected<Value>({ id, fetchIt, onKnown, children }: ObjectOptions<Value>) {
  const { mode, setMode } = useSession()
  const other = mode === 'live' ? 'test' : 'live'
  const query = useQuery({
    queryKey: [mode, 'inspected', id],
    queryFn: async ({ signal }) => {
      try {
        return await fetchIt(signal)
      } catch (error) {
        if (isAbsent(error)) return null
        throw error
      }
    },
  })
  useLiveResource(id.split(':').at(-1) ?? id, eventsOf(id), () => void query.refetch())
  const exists = query.data != null
  useEffect(() => onKnown(exists), [exists, onKnown])
  if (query.isPending) return <LoadingRows label={t('loading')} rows={4} />
  if (query.data != null) return children(query.data)
  if (query.error !== null) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return (
    <EmptyState
      title={t('absent', { mode })}
      text={t('absentText', { mode: other })}
      action={<Button onClick={() => setMode(other)}>{t('lookIn', { mode: other })}</Button>}
    />
  )
}

export function InspectedMessage(props: InspectedProps) {
  const api = useApi()
  return (
    <Inspected {...props} fetchIt={signal => readRecord('message', api, props.id, signal)}>
      {message => <MessageFacts message={message} />}
    </Inspected>
  )
}

export function InspectedCall(props: InspectedProps) {
  const api = useApi()
  return (
    <Inspected {...props} fetchIt={signal => readRecord('call', api, props.id, signal)}>
      {call => <CallFacts call={call} />}
    </Inspected>
  )
}

/** A record of a noun, whose description comes with its first record. */
export function InspectedNoun({ one, ...props }: InspectedProps & { one: string }) {
  const noun = useQuery({ queryKey: ['noun', one], queryFn: () => loadNoun(one), staleTime: Number.POSITIVE_INFINITY })
  if (noun.data === undefined) return <LoadingRows label={t('loadingRecord')} rows={4} />
  return <InspectedRecord {...props} noun={spoken(noun.data)} />
}

function InspectedRecord({ noun, ...props }: InspectedProps & { noun: NounDescription }) {
  const own = useNounApi(noun)
  return (
    <Inspected {...props} fetchIt={signal => own.get(props.id, signal)}>
      {record => <Facts noun={noun} record={record} mayEdit={false} />}
    </Inspected>
  )
}

export function InspectedRequest(props: InspectedProps) {
  const api = useApi()
  return (
    <Inspected {...props} fetchIt={signal => api.requests.get({ requestId: props.id }, { signal })}>
      {request => <RequestFacts request={request} />}
    </Inspected>
  )
}

export function InspectedWebhook(props: InspectedProps) {
  const api = useApi()
  return (
    <Inspected {...props} fetchIt={signal => readRecord('webhook', api, props.id, signal)}>
      {webhook => <WebhookFacts webhook={webhook} title={nameOf(webhook)} />}
    </Inspected>
  )
}

export function InspectedDelivery(props: InspectedProps) {
  const api = useApi()
  return (
    <Inspected {...props} fetchIt={signal => readRecord('delivery', api, props.id, signal)}>
      {delivery => <DeliveryFacts delivery={delivery} />}
    </Inspected>
  )
}

/** Keys have no address of their own in the API: the one is looked for in their list. */
export function InspectedKey(props: InspectedProps) {
  const api = useApi()
  const { user } = useSession()
  const find = async (signal: AbortSignal) => {
    for await (const key of api.apiKeys.list.all({ limit: 200 }, { signal })) if (key.keyId === props.id) return key
    return null
  }
  return (
    <Inspected {...props} fetchIt={find}>
      {key => (
        <Card title={key.name}>
          <DescriptionList
            items={[
              { term: t('key'), detail: <span className={styles['mono']}>{maskedKey(key)}</span> },
              { term: t('state'), detail: <StatusChip status={stateOfKey(key, Date.now())} /> },
              { term: t('mode'), detail: t(`mode.${key.mode}`) },
              { term: t('may'), detail: scopesText(key.scopes) },
              { term: t('owner'), detail: key.userId === user.id ? t('you') : <UserLink id={key.userId} /> },
              { term: t('created'), detail: <Moment iso={key.createdAt} /> },
              { term: t('lastUsed'), detail: <Moment iso={key.lastUsedAt} /> },
              { term: t('expires'), detail: <Moment iso={key.expiresAt} /> },
              { term: t('revoked'), detail: <Moment iso={key.revokedAt} /> },
              ...(key.replacedBy === null ? [] : [{ term: t('rotatedInto'), detail: <IdLink id={key.replacedBy} /> }]),
            ]}
          />
        </Card>
      )}
    </Inspected>
  )
}

export function InspectedEvent(props: InspectedProps) {
  const { permissions } = useSession()
  if (permissions.has('events:read')) return <ReadableEvent {...props} />
  return <Hidden permission="events:read" />
}

/** Events are read by time, which their ids contain. */
function ReadableEvent(props: InspectedProps) {
  const api = useApi()
  const find = async (signal: AbortSignal) => {
    const ms = timeOfId(props.id)
    if (!(Math.abs(ms) < 8.64e15)) return null
    const around = {
      createdAfter: new Date(ms - 1_000).toISOString(),
      createdBefore: new Date(ms + 1_000).toISOString(),
    }
    for await (const event of api.events.list.all({ ...around, limit: 200 }, { signal })) {
      if (event.id === props.id) return event
    }
    return null
  }
  return (
    <Inspected {...props} fetchIt={find}>
      {event => (
        <>
          <Card title={event.type}>
            <DescriptionList
              items={[
                { term: t('about'), detail: <IdLink id={inspectedId(event)} /> },
                { term: t('happened'), detail: <Moment iso={event.timestamp} /> },
                { term: t('sequence'), detail: t('sequenceOf', { number: event.sequence }) },
              ]}
            />
          </Card>
          <JsonView value={event} label={t('eventJson')} />
        </>
      )}
    </Inspected>
  )
}
