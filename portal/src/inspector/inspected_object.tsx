// The object behind an id, each kind drawn as on its own page.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useApi } from '../app/api.ts'
import { useSession } from '../app/session.ts'
import { CallFacts } from '../calls/call_facts.tsx'
import { InvoiceFacts } from '../invoices/invoice_facts.tsx'
import { maskedKey, scopesText, stateOfKey } from '../keys/key_state.ts'
import { LeadFacts } from '../leads/lead_facts.tsx'
import { RequestFacts } from '../logs/request_facts.tsx'
import { MessageFacts } from '../messages/message_facts.tsx'
import {
  Card,
  DescriptionList,
  EmptyState,
  ErrorState,
  IdLink,
  JsonView,
  LoadingRows,
  Moment,
  StatusChip,
} from '../ui/index.ts'
import { timeOfId } from './id_time.ts'
import styles from './inspector.module.css'

type Found = { isPending: boolean; error: unknown; refetch(): unknown }

function Shown({ query, label, children }: { query: Found; label: string; children: ReactNode }) {
  if (query.isPending) return <LoadingRows label={label} rows={4} />
  if (query.error != null) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return children
}

function useObject<Value>(kind: string, id: string, fetchIt: (signal: AbortSignal) => Promise<Value>) {
  const { mode } = useSession()
  return useQuery({ queryKey: [mode, kind, id], queryFn: ({ signal }) => fetchIt(signal) })
}

export function InspectedMessage({ id }: { id: string }) {
  const api = useApi()
  const query = useObject('message', id, signal => api.messages.get({ messageId: id }, { signal }))
  return (
    <Shown query={query} label="Loading the message">
      {query.data && <MessageFacts message={query.data} />}
    </Shown>
  )
}

export function InspectedCall({ id }: { id: string }) {
  const api = useApi()
  const query = useObject('call', id, signal => api.calls.get({ callId: id }, { signal }))
  return (
    <Shown query={query} label="Loading the call">
      {query.data && <CallFacts call={query.data} />}
    </Shown>
  )
}

export function InspectedLead({ number }: { number: string }) {
  const api = useApi()
  const query = useObject(
    'lead',
    number,
    async signal => (await api.leads.get({ id: Number(number) }, { signal })).lead,
  )
  return (
    <Shown query={query} label="Loading the lead">
      {query.data && <LeadFacts lead={query.data} />}
    </Shown>
  )
}

export function InspectedInvoice({ number }: { number: string }) {
  const api = useApi()
  const query = useObject(
    'invoice',
    number,
    async signal => (await api.invoices.get({ id: Number(number) }, { signal })).invoice,
  )
  return (
    <Shown query={query} label="Loading the invoice">
      {query.data && <InvoiceFacts invoice={query.data} />}
    </Shown>
  )
}

export function InspectedRequest({ id }: { id: string }) {
  const api = useApi()
  const query = useObject('request', id, signal => api.requests.get({ requestId: id }, { signal }))
  return (
    <Shown query={query} label="Loading the request">
      {query.data && <RequestFacts request={query.data} />}
    </Shown>
  )
}

/** Keys have no address of their own in the API: the one is looked for in their list. */
export function InspectedKey({ id }: { id: string }) {
  const api = useApi()
  const query = useObject('key', id, async signal => {
    for await (const key of api.apiKeys.list.all({ limit: 200 }, { signal })) if (key.keyId === id) return key
    return null
  })
  const key = query.data
  return (
    <Shown query={query} label="Loading the key">
      {key == null ? (
        <EmptyState title="No such key" text="It may belong to somebody else." />
      ) : (
        <Card title={key.name}>
          <DescriptionList
            items={[
              { term: 'Key', detail: <span className={styles['mono']}>{maskedKey(key)}</span> },
              { term: 'State', detail: <StatusChip status={stateOfKey(key, Date.now())} /> },
              { term: 'Mode', detail: key.mode },
              { term: 'May', detail: scopesText(key.scopes) },
              { term: 'Owner', detail: `User ${key.userId}` },
              { term: 'Created', detail: <Moment iso={key.createdAt} /> },
              { term: 'Last used', detail: <Moment iso={key.lastUsedAt} /> },
              { term: 'Expires', detail: <Moment iso={key.expiresAt} /> },
              { term: 'Revoked', detail: <Moment iso={key.revokedAt} /> },
              ...(key.replacedBy === null ? [] : [{ term: 'Rotated into', detail: <IdLink id={key.replacedBy} /> }]),
            ]}
          />
        </Card>
      )}
    </Shown>
  )
}

/** Events are read by time, which their ids tell. */
export function InspectedEvent({ id }: { id: string }) {
  const api = useApi()
  const query = useObject('event', id, async signal => {
    const ms = timeOfId(id)
    const around = { after: new Date(ms - 1_000).toISOString(), before: new Date(ms + 1_000).toISOString() }
    for await (const event of api.events.list.all({ ...around, limit: 200 }, { signal })) {
      if (event.id === id) return event
    }
    return null
  })
  return (
    <Shown query={query} label="Loading the event">
      {query.data == null ? (
        <EmptyState title="No such event" text="It may belong to the other mode." />
      ) : (
        <JsonView value={query.data} label="Event as webhooks tell it" />
      )}
    </Shown>
  )
}
