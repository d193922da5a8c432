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
import { listText } from '../words/format.ts'
import { useLanguage } from '../words/language.ts'
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
import { t } from './texts.ts'

type Entry = {
  Inspected: ComponentType<InspectedProps>
  /** Where the same is found on a page of its own, or among others; left out where that is on the record that it is about. */
  page?(id: string): string
  /** It is found among others, in a list: `all.<kind>` names the way there. */
  all?: true
  /** Its events are of the same name as it. */
  hasEvents?: true
  /** Requests that read others touch it, too: nothing would be said by naming them. */
  isPassing?: true
}

/** As addresses and events name it: of `lead:12` the number. */
const ownId = (id: string) => id.split(':').at(-1) ?? id

/** What is found among others, in a list. */
const among = (path: string) => ({ page: () => `/${path}`, all: true as const, hasEvents: true as const })

/** Every kind of object that an id may name. */
const kinds: Readonly<Record<Exclude<InspectedKind, NounKind>, Entry>> = {
  carrier: { Inspected: InspectedCarrier, page: id => `/carriers/${id}`, hasEvents: true },
  trunk: { Inspected: InspectedTrunk, page: id => `/trunks/${id}`, hasEvents: true },
  number: { Inspected: InspectedNumber, page: () => '/numbers', all: true, hasEvents: true },
  service: { Inspected: InspectedService, page: id => `/services/${id}` },
  opt_out: { Inspected: InspectedOptOut, page: () => '/opt-outs', all: true },
  message: { Inspected: InspectedMessage, page: id => `/messages/${id}`, hasEvents: true },
  call: { Inspected: InspectedCall, page: id => `/calls/${id}`, hasEvents: true },
  request: { Inspected: InspectedRequest, page: id => `/logs/${id}`, isPassing: true },
  key: { Inspected: InspectedKey, page: () => '/keys', all: true },
  event: { Inspected: InspectedEvent, page: () => '/events', all: true, isPassing: true },
  invoice: {
    Inspected: props => <InspectedNoun one="invoice" {...props} />,
    page: id => `/invoices/${ownId(id)}`,
    hasEvents: true,
  },
  webhook: { Inspected: InspectedWebhook, page: id => `/webhooks/${id}`, hasEvents: true },
  delivery: {
    Inspected: InspectedDelivery,
    page: id => `/webhooks/deliveries/${id}`,
    isPassing: true,
  },
  conference: { Inspected: InspectedConference, page: id => `/conferences/${id}`, hasEvents: true },
  recording: {
    Inspected: InspectedRecording,
    page: () => '/recordings',
    all: true,
    hasEvents: true,
  },
  sip_credential: {
    Inspected: InspectedPhone,
    page: () => '/phones',
    all: true,
    hasEvents: true,
  },
  note: { Inspected: InspectedNote, hasEvents: true },
  task: { Inspected: InspectedTask, hasEvents: true },
  attachment: { Inspected: InspectedAttachment, hasEvents: true },
  tag: { Inspected: InspectedTag, hasEvents: true },
  view: { Inspected: InspectedView, hasEvents: true },
  import: { Inspected: InspectedImport, hasEvents: true },
  batch: { Inspected: InspectedBatch, hasEvents: true },
  app: { Inspected: InspectedApp, page: () => '/apps', all: true, hasEvents: true },
  role: { Inspected: InspectedRole, page: id => `/roles/${id}`, hasEvents: true },
  team: { Inspected: InspectedTeam, page: id => `/teams/${id}`, hasEvents: true },
  hand_over: { Inspected: InspectedHandOver, hasEvents: true },
  audit_event: { Inspected: InspectedAuditEvent, page: id => `/audit/${id}`, isPassing: true },
  audit_stream: { Inspected: InspectedAuditStream, page: () => '/audit', all: true },
  mail: { Inspected: InspectedMail, page: id => `/mails/${id}`, hasEvents: true },
  mail_template: { Inspected: InspectedMailTemplate, ...among('mail-templates') },
  mail_sender: { Inspected: InspectedMailSender, ...among('mail-senders') },
  mail_domain: { Inspected: InspectedMailDomain, ...among('mail-domains') },
  mail_transport: {
    Inspected: InspectedMailTransport,
    ...among('mail-transports'),
  },
  inbound_mail: {
    Inspected: InspectedInboundMail,
    page: id => `/mail-inbox/${id}`,
    hasEvents: true,
  },
  mailbox: { Inspected: InspectedMailbox, ...among('mailboxes') },
}

const nounEntries = new Map(
  (Object.keys(nouns) as NounKind[]).map((one): [NounKind, Entry] => {
    const { many } = nouns[one]
    return [
      one,
      {
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

/** As titles say it; by the noun's own word where there is none of ours. */
function nameOf(kind: InspectedKind): string {
  const own = t.of('kind', kind)
  if (own !== undefined) return own
  const { word } = nouns[kind as NounKind]
  return word.charAt(0).toUpperCase() + word.slice(1)
}

export function InspectorDrawer({ id }: { id: string }) {
  useLanguage()
  const { inspect } = useInspect()
  const kind = kindOfId(id)
  return (
    <Drawer
      open
      onOpenChange={open => !open && inspect(undefined)}
      title={kind === undefined ? t('nothing') : nameOf(kind)}
      description={
        <span className={styles['line']}>
          <code>{id}</code>
          <CopyButton text={id} label={t('copyId')} />
        </span>
      }
      footer={kind === undefined || entryOf(kind).page === undefined ? undefined : <PageLinks kind={kind} id={id} />}
    >
      {kind === undefined ? (
        <EmptyState
          title={t('noId')}
          text={t('noIdText', {
            examples: listText([...idPrefixes.map(prefix => `${prefix}_…`), 'lead:12', 'invoice:5'], 'disjunction'),
          })}
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
          {t('replay')}
        </ButtonLink>
      )}
      {page !== undefined && (
        <ButtonLink to={page(id) as '/'} search={{}}>
          {(all && t.of('all', kind)) ?? t('openPage')}
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
      {t('allInLogs')}
    </ButtonLink>
  )
  return (
    <Card title={t('requests')} actions={more}>
      {query.isPending ? (
        <LoadingRows label={t('loadingRequests')} rows={3} />
      ) : query.error !== null ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : items.length === 0 ? (
        <p>{t('noRequests')}</p>
      ) : (
        <Timeline
          label={t('requestsNewest')}
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
