// The inspector: the object behind any id, what happened to it, and the requests that touched it, beside any screen.
import { useQuery } from '@tanstack/react-query'
import { type ComponentType, useState } from 'react'
import { ResourceEvents } from '../data/resource_events.tsx'
import { type InspectedKind, idPrefixes, kindOfId, type NounKind } from '../navigation/ids.ts'
import { useInspect } from '../navigation/inspect.ts'
import { nouns } from '../navigation/nouns.generated.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { CopyButton } from '../ui/code.tsx'
import {
  ButtonLink,
  Card,
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
  InspectedApp,
  InspectedAuditEvent,
  InspectedAuditStream,
  InspectedHandOver,
  InspectedInboundMail,
  InspectedMail,
  InspectedMailbox,
  InspectedMailDomain,
  InspectedMailSender,
  InspectedMailTemplate,
  InspectedMailTransport,
  InspectedRole,
  InspectedTeam,
} from './inspected_identity.tsx'
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
  InspectedKey,
  InspectedMessage,
  InspectedNoun,
  type InspectedProps,
  InspectedRequest,
  InspectedWebhook,
} from './inspected_object.tsx'
import {
  InspectedAttachment,
  InspectedBatch,
  InspectedConference,
  InspectedImport,
  InspectedNote,
  InspectedPhone,
  InspectedRecording,
  InspectedTag,
  InspectedTask,
  InspectedView,
} from './inspected_records.tsx'
import styles from './inspector.module.css'

type Entry = {
  name: string
  Inspected: ComponentType<InspectedProps>
  /** Where the same is found on a page of its own, or among others; left out where that is on the record that it is about. */
  page?(id: string): string
  /** What the way there is called, where it is no page of its own. */
  all?: string
  /** Its events are of the same name as it. */
  hasEvents?: true
  /** Requests that read others touch it, too: nothing would be said by naming them. */
  isPassing?: true
}

/** As addresses and events name it: of `lead:12` the number. */
const ownId = (id: string) => id.split(':').at(-1) ?? id

/** What is found among others, in a list. */
const among = (path: string, all: string) => ({ page: () => `/${path}`, all: `All ${all}`, hasEvents: true as const })

/** Every kind of object that an id may name. */
const kinds: Readonly<Record<Exclude<InspectedKind, NounKind>, Entry>> = {
  carrier: { name: 'Carrier', Inspected: InspectedCarrier, page: id => `/carriers/${id}`, hasEvents: true },
  trunk: { name: 'Trunk', Inspected: InspectedTrunk, page: id => `/trunks/${id}`, hasEvents: true },
  number: { name: 'Number', Inspected: InspectedNumber, page: () => '/numbers', all: 'All numbers', hasEvents: true },
  service: { name: 'Messaging service', Inspected: InspectedService, page: id => `/services/${id}` },
  opt_out: { name: 'Opt-out', Inspected: InspectedOptOut, page: () => '/opt-outs', all: 'All opt-outs' },
  message: { name: 'Message', Inspected: InspectedMessage, page: id => `/messages/${id}`, hasEvents: true },
  call: { name: 'Call', Inspected: InspectedCall, page: id => `/calls/${id}`, hasEvents: true },
  request: { name: 'Request', Inspected: InspectedRequest, page: id => `/logs/${id}`, isPassing: true },
  key: { name: 'API key', Inspected: InspectedKey, page: () => '/keys', all: 'All API keys' },
  event: { name: 'Event', Inspected: InspectedEvent, page: () => '/events', all: 'All events', isPassing: true },
  invoice: {
    name: 'Invoice',
    Inspected: props => <InspectedNoun one="invoice" {...props} />,
    page: id => `/invoices/${ownId(id)}`,
    hasEvents: true,
  },
  webhook: { name: 'Webhook', Inspected: InspectedWebhook, page: id => `/webhooks/${id}`, hasEvents: true },
  delivery: {
    name: 'Delivery',
    Inspected: InspectedDelivery,
    page: id => `/webhooks/deliveries/${id}`,
    isPassing: true,
  },
  conference: { name: 'Conference', Inspected: InspectedConference, page: id => `/conferences/${id}`, hasEvents: true },
  recording: {
    name: 'Recording',
    Inspected: InspectedRecording,
    page: () => '/recordings',
    all: 'All recordings',
    hasEvents: true,
  },
  sip_credential: {
    name: 'SIP phone',
    Inspected: InspectedPhone,
    page: () => '/phones',
    all: 'All SIP phones',
    hasEvents: true,
  },
  note: { name: 'Note', Inspected: InspectedNote, hasEvents: true },
  task: { name: 'Task', Inspected: InspectedTask, hasEvents: true },
  attachment: { name: 'File', Inspected: InspectedAttachment, hasEvents: true },
  tag: { name: 'Tag', Inspected: InspectedTag, hasEvents: true },
  view: { name: 'View', Inspected: InspectedView, hasEvents: true },
  import: { name: 'Import', Inspected: InspectedImport, hasEvents: true },
  batch: { name: 'Batch', Inspected: InspectedBatch, hasEvents: true },
  app: { name: 'App', Inspected: InspectedApp, page: () => '/apps', all: 'All apps', hasEvents: true },
  role: { name: 'Role', Inspected: InspectedRole, page: id => `/roles/${id}`, hasEvents: true },
  team: { name: 'Team', Inspected: InspectedTeam, page: id => `/teams/${id}`, hasEvents: true },
  hand_over: { name: 'Hand-over', Inspected: InspectedHandOver, hasEvents: true },
  audit_event: { name: 'Audit event', Inspected: InspectedAuditEvent, page: id => `/audit/${id}`, isPassing: true },
  audit_stream: { name: 'Audit stream', Inspected: InspectedAuditStream, page: () => '/audit', all: 'The audit log' },
  mail: { name: 'Mail', Inspected: InspectedMail, page: id => `/mails/${id}`, hasEvents: true },
  mail_template: { name: 'Mail template', Inspected: InspectedMailTemplate, ...among('mail-templates', 'templates') },
  mail_sender: { name: 'Mail sender', Inspected: InspectedMailSender, ...among('mail-senders', 'senders') },
  mail_domain: { name: 'Mail domain', Inspected: InspectedMailDomain, ...among('mail-domains', 'mail domains') },
  mail_transport: {
    name: 'Mail server',
    Inspected: InspectedMailTransport,
    ...among('mail-transports', 'mail servers'),
  },
  inbound_mail: {
    name: 'Mail that came in',
    Inspected: InspectedInboundMail,
    page: id => `/mail-inbox/${id}`,
    hasEvents: true,
  },
  mailbox: { name: 'Mailbox', Inspected: InspectedMailbox, ...among('mailboxes', 'mailboxes') },
}

const nounEntries = new Map(
  (Object.keys(nouns) as NounKind[]).map((one): [NounKind, Entry] => {
    const { many, word } = nouns[one]
    return [
      one,
      {
        name: word.charAt(0).toUpperCase() + word.slice(1),
        Inspected: props => <InspectedNoun one={one} {...props} />,
        page: id => `/${many}/${ownId(id)}`,
        hasEvents: true,
      },
    ]
  }),
)

function entryOf(kind: InspectedKind): Entry {
  return nounEntries.get(kind as NounKind) ?? kinds[kind as keyof typeof kinds]
}

export function InspectorDrawer({ id }: { id: string }) {
  const { inspect } = useInspect()
  const kind = kindOfId(id)
  return (
    <Drawer
      open
      onOpenChange={open => !open && inspect(undefined)}
      title={kind === undefined ? 'Nothing to inspect' : entryOf(kind).name}
      description={
        <span className={styles['line']}>
          <code>{id}</code>
          <CopyButton text={id} label="Copy the id" />
        </span>
      }
      footer={kind === undefined || entryOf(kind).page === undefined ? undefined : <PageLinks kind={kind} id={id} />}
    >
      {kind === undefined ? (
        <EmptyState
          title="This is no id of Tandem"
          text={`Ids look like ${idPrefixes.map(prefix => `${prefix}_…`).join(', ')}, lead:12 or invoice:5.`}
        />
      ) : (
        <Everything key={id} id={id} kind={kind} />
      )}
    </Drawer>
  )
}

/** The object, what happened to it, and who touched it. Of what is not there, nothing more is asked. */
function Everything({ id, kind }: { id: string; kind: InspectedKind }) {
  const [exists, setExists] = useState(false)
  const { Inspected, hasEvents, isPassing } = entryOf(kind)
  return (
    <div className={styles['stack']}>
      <Inspected id={id} onKnown={setExists} />
      {exists && hasEvents && <ResourceEvents resourceId={ownId(id)} noun={kind} />}
      {exists && !isPassing && <TouchingRequests id={id} isKey={kind === 'key'} />}
    </div>
  )
}

/** Where the same is found on a page of its own, and for a request the way to send it again. */
function PageLinks({ kind, id }: { kind: InspectedKind; id: string }) {
  const { page, all } = entryOf(kind)
  return (
    <>
      {kind === 'request' && (
        <ButtonLink to="/playground" search={{ replay: id }}>
          Replay in the Playground
        </ButtonLink>
      )}
      {page !== undefined && (
        <ButtonLink to={page(id) as '/'} search={{}}>
          {all ?? 'Open the page'}
        </ButtonLink>
      )}
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
