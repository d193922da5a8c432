// The inspector: the object behind any id, what happened to it, and the requests that touched it, beside any screen.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useApi } from '../app/api.ts'
import { kindOfId, useInspect } from '../app/inspect.ts'
import { ResourceEvents } from '../app/resource_events.tsx'
import { useSession } from '../app/session.ts'
import {
  ButtonLink,
  Card,
  CopyButton,
  Drawer,
  EmptyState,
  ErrorState,
  HttpStatus,
  IdLink,
  LoadingRows,
  MethodBadge,
  Timeline,
  toneOfHttp,
} from '../ui/index.ts'
import {
  InspectedCarrier,
  InspectedNumber,
  InspectedOptOut,
  InspectedService,
  InspectedTrunk,
} from './inspected_messaging.tsx'
import {
  InspectedCall,
  InspectedDelivery,
  InspectedEvent,
  InspectedInvoice,
  InspectedKey,
  InspectedLead,
  InspectedMessage,
  InspectedRequest,
  InspectedWebhook,
} from './inspected_object.tsx'
import styles from './inspector.module.css'

const names = {
  carrier: 'Carrier',
  trunk: 'Trunk',
  number: 'Number',
  service: 'Messaging service',
  opt_out: 'Opt-out',
  message: 'Message',
  call: 'Call',
  request: 'Request',
  key: 'API key',
  event: 'Event',
  lead: 'Lead',
  invoice: 'Invoice',
  webhook: 'Webhook',
  delivery: 'Delivery',
} as const

const objects = {
  carrier: InspectedCarrier,
  trunk: InspectedTrunk,
  number: InspectedNumber,
  service: InspectedService,
  opt_out: InspectedOptOut,
  message: InspectedMessage,
  call: InspectedCall,
  request: InspectedRequest,
  key: InspectedKey,
  event: InspectedEvent,
  lead: InspectedLead,
  invoice: InspectedInvoice,
  webhook: InspectedWebhook,
  delivery: InspectedDelivery,
} as const

type Kind = keyof typeof names

/** Kinds whose events are of the same name as they. */
const withEvents: ReadonlySet<Kind> = new Set(['message', 'call', 'webhook', 'carrier', 'trunk', 'number'])

export function InspectorDrawer({ id }: { id: string }) {
  const { inspect } = useInspect()
  const kind = kindOfId(id)
  return (
    <Drawer
      open
      onOpenChange={open => !open && inspect(undefined)}
      title={kind === undefined ? 'Nothing to inspect' : names[kind]}
      description={
        <span className={styles['line']}>
          <code>{id}</code>
          <CopyButton text={id} label="Copy the id" />
        </span>
      }
      footer={kind === undefined ? undefined : <PageLinks kind={kind} id={id} />}
    >
      {kind === undefined ? (
        <EmptyState
          title="This is no id of Tandem"
          text="Ids look like msg_…, num_…, msv_…, opt_…, car_…, trk_…, call_…, req_…, key_…, evt_…, whk_…, dlv_…, lead:12 or invoice:5."
        />
      ) : (
        <Everything key={id} id={id} kind={kind} />
      )}
    </Drawer>
  )
}

/** The object, what happened to it, and who touched it. Of what is not there, nothing more is asked. */
function Everything({ id, kind }: { id: string; kind: Kind }) {
  const [exists, setExists] = useState(false)
  const Inspected = objects[kind]
  const number = id.split(':')[1]
  return (
    <div className={styles['stack']}>
      <Inspected id={id} onKnown={setExists} />
      {exists && (kind === 'lead' || kind === 'invoice') && <ResourceEvents resourceId={number ?? ''} noun={kind} />}
      {exists && withEvents.has(kind) && <ResourceEvents resourceId={id} noun={kind} />}
      {exists && kind !== 'request' && kind !== 'event' && kind !== 'delivery' && (
        <TouchingRequests id={id} isKey={kind === 'key'} />
      )}
    </div>
  )
}

/** Where the same is found on a page of its own, and for a request the way to send it again. */
function PageLinks({ kind, id }: { kind: Kind; id: string }) {
  const number = id.split(':')[1] ?? ''
  const addresses = {
    carrier: `/carriers/${id}`,
    trunk: `/trunks/${id}`,
    number: '/numbers',
    service: `/services/${id}`,
    opt_out: '/opt-outs',
    message: `/messages/${id}`,
    call: `/calls/${id}`,
    request: `/logs/${id}`,
    lead: `/leads/${number}`,
    invoice: `/invoices/${number}`,
    webhook: `/webhooks/${id}`,
    delivery: `/webhooks/deliveries/${id}`,
    key: '/keys',
    event: '/events',
  }
  const labels: Partial<Record<Kind, string>> = {
    key: 'All API keys',
    event: 'All events',
    number: 'All numbers',
    opt_out: 'All opt-outs',
  }
  return (
    <>
      {kind === 'request' && (
        <ButtonLink to="/playground" search={{ replay: id }}>
          Replay in the Playground
        </ButtonLink>
      )}
      <ButtonLink to={addresses[kind] as '/'} search={{}}>
        {labels[kind] ?? 'Open the page'}
      </ButtonLink>
    </>
  )
}

/** The newest requests that made, read or changed the object; for a key those it was used for. */
function TouchingRequests({ id, isKey }: { id: string; isKey: boolean }) {
  const api = useApi()
  const { mode } = useSession()
  const query = useQuery({
    queryKey: [mode, 'requests about', id],
    queryFn: ({ signal }) =>
      api.requests.list(
        { ...(isKey ? { keyId: id } : { resourceId: id, source: 'api,playground' }), limit: 10 },
        { signal },
      ),
  })
  const items = query.data?.items ?? []
  const more = (
    <ButtonLink to="/logs" search={isKey ? { keyId: id } : { resourceId: id }} size="sm">
      All in Logs
    </ButtonLink>
  )
  return (
    <Card title="Requests" actions={more}>
      {query.isPending ? (
        <LoadingRows label="Loading the requests" rows={3} />
      ) : query.error !== null ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : items.length === 0 ? (
        <p>No request of the last seven days touched it.</p>
      ) : (
        <Timeline
          label="Requests, newest first"
          items={items.map(item => ({
            key: item.requestId,
            at: item.at,
            tone: toneOfHttp(item.status),
            title: (
              <span className={styles['line']}>
                <MethodBadge method={item.method} /> <HttpStatus status={item.status} />
                <IdLink id={item.requestId}>{item.path}</IdLink>
              </span>
            ),
          }))}
        />
      )}
    </Card>
  )
}
