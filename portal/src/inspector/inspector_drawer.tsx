// The inspector: the object behind any id, what happened to it, and the requests that touched it, beside any screen.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
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
} from '../ui/index.ts'
import {
  InspectedCall,
  InspectedEvent,
  InspectedInvoice,
  InspectedKey,
  InspectedLead,
  InspectedMessage,
  InspectedRequest,
} from './inspected_object.tsx'
import styles from './inspector.module.css'

const names = {
  message: 'Message',
  call: 'Call',
  request: 'Request',
  key: 'API key',
  event: 'Event',
  lead: 'Lead',
  invoice: 'Invoice',
} as const

export function InspectorDrawer({ id }: { id: string }) {
  const { inspect } = useInspect()
  const kind = kindOfId(id)
  const number = id.split(':')[1] ?? ''
  const page = pageOf(kind, id, number)
  return (
    <Drawer
      open
      onOpenChange={open => !open && inspect(undefined)}
      title={kind === undefined ? 'Nothing to inspect' : names[kind]}
      description={
        <>
          <code>{id}</code>
          <CopyButton text={id} label="Copy the id" />
        </>
      }
      footer={page}
    >
      <div className={styles['stack']}>
        {kind === undefined && (
          <EmptyState
            title="This is no id of Tandem"
            text="Ids look like msg_…, call_…, req_…, key_…, evt_…, lead:12 or invoice:5."
          />
        )}
        {kind === 'message' && <InspectedMessage id={id} />}
        {kind === 'call' && <InspectedCall id={id} />}
        {kind === 'request' && <InspectedRequest id={id} />}
        {kind === 'key' && <InspectedKey id={id} />}
        {kind === 'event' && <InspectedEvent id={id} />}
        {kind === 'lead' && <InspectedLead number={number} />}
        {kind === 'invoice' && <InspectedInvoice number={number} />}
        {(kind === 'lead' || kind === 'invoice') && <ResourceEvents resourceId={number} noun={kind} />}
        {(kind === 'message' || kind === 'call') && <ResourceEvents resourceId={id} noun={kind} />}
        {kind !== undefined && kind !== 'request' && kind !== 'event' && (
          <TouchingRequests id={id} isKey={kind === 'key'} />
        )}
      </div>
    </Drawer>
  )
}

function pageOf(kind: ReturnType<typeof kindOfId>, id: string, number: string): ReactNode {
  const target = {
    message: `/messages/${id}`,
    call: `/calls/${id}`,
    request: `/logs/${id}`,
    lead: `/leads/${number}`,
    invoice: `/invoices/${number}`,
    key: '/keys',
    event: '/events',
  }
  if (kind === undefined) return undefined
  return (
    <ButtonLink to={target[kind] as '/'} search={{}}>
      Open the page
    </ButtonLink>
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
            tone: item.status >= 400 ? 'warn' : 'ok',
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
