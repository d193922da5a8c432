// One endpoint, all there is to know of it: what it does, who may call it, what it takes, answers and refuses. The head
// stands at once, from the index; the rest when its description has come.
import { bodyFields, categorySlug, type Endpoint, type Reply } from '@tandem/catalog'
import { ArrowLeft, ArrowRight, Play } from 'lucide-react'
import { Fragment, memo, type ReactNode } from 'react'
import { endpointAddress, type IndexEntry, preloadEndpoint, useEndpoint } from '../session/catalog.ts'
import { CopyButton } from '../ui/code.tsx'
import {
  ButtonLink,
  Chip,
  ErrorState,
  HttpStatus,
  LoadingRows,
  MethodBadge,
  TextLink,
  useDocumentTitle,
} from '../ui/index.ts'
import { useLanguage } from '../words/language.ts'
import { AnchorLink, useArrival } from './anchor.tsx'
import styles from './endpoint.module.css'
import { ErrorRows } from './error_rows.tsx'
import { CopyAsMarkdown, Exports } from './exports.tsx'
import { FieldsList, Parameters, Schemas } from './fields_list.tsx'
import { useHash } from './filters.ts'
import type { Caller } from './may_call.ts'
import beside from './neighbours.module.css'
import { Notes } from './notes.tsx'
import { PermissionFacts } from './permission_facts.tsx'
import { Prose } from './prose.tsx'
import { SampleReplies, SampleRequest } from './samples.tsx'
import { t } from './texts.ts'

type EndpointPageProps = {
  entry: IndexEntry
  caller: Caller
  previous?: IndexEntry | undefined
  next?: IndexEntry | undefined
}

export function EndpointPage({ entry, caller, previous, next }: EndpointPageProps) {
  const query = useEndpoint(entry.id)
  useDocumentTitle(entry.name)
  return (
    <article className={styles['endpoint']}>
      <Head entry={entry} />
      {query.isPending && <LoadingRows label={t('loadingEndpoint')} />}
      {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
      {query.data !== undefined && <Body endpoint={query.data} entry={entry} caller={caller} />}
      <nav className={beside['neighbours']} aria-label={t('neighbours')}>
        {previous !== undefined && <Neighbour entry={previous} direction="previous" />}
        {next !== undefined && <Neighbour entry={next} direction="next" />}
      </nav>
      <Exports page={endpointAddress(entry)} />
    </article>
  )
}

// What is typed into the search must not draw the page again.
const Head = memo(function Head({ entry }: { entry: IndexEntry }) {
  useLanguage()
  const { id, name, method, path, version, category } = entry
  const url = window.location.origin + path
  return (
    <header className={styles['head']}>
      <div className={styles['headLine']}>
        <div>
          <p className={styles['crumbs']}>
            <TextLink to="/explorer" search={{ category }}>
              {category}
            </TextLink>
            <Chip>{version}</Chip>
          </p>
          <h1>{name}</h1>
        </div>
        <div className={styles['actions']}>
          <CopyAsMarkdown page={endpointAddress(entry)} />
          <ButtonLink variant="primary" icon={<Play size={14} />} to="/playground" search={{ endpoint: id }}>
            {t('openInPlayground')}
          </ButtonLink>
        </div>
      </div>
      <div className={styles['url']}>
        <MethodBadge method={method} />
        <code data-testid="endpoint-url">
          <span className={styles['origin']}>{window.location.origin}</span>
          {path.split(/(\{\w+\})/).map((part, index) =>
            // biome-ignore lint/suspicious/noArrayIndexKey: parts of one path, in its order
            part.startsWith('{') ? <em key={index}>{part}</em> : <Fragment key={index}>{part}</Fragment>,
          )}
        </code>
        <CopyButton text={url} label={t('copyUrl')} />
      </div>
    </header>
  )
})

const sections = ['permission', 'parameters', 'reply', 'samples', 'errors', 'limits'] as const

type BodyProps = { endpoint: Endpoint; entry: IndexEntry; caller: Caller }
const Body = memo(function Body({ endpoint, entry, caller }: BodyProps) {
  useLanguage()
  const hash = useHash()
  useArrival(hash, true)
  const { permission, parameters, replies, problems, schemas } = endpoint
  return (
    <Schemas value={schemas}>
      <nav className={styles['contents']} aria-label={t('contents')}>
        {sections.map(id => (
          <AnchorLink key={id} id={id}>
            {t(`part.${id}`)}
          </AnchorLink>
        ))}
      </nav>
      <div className={styles['columns']}>
        <div className={styles['reading']}>
          <Prose className={styles['description']} text={endpoint.description} />
          <Part id="permission" title={t('part.permission')}>
            <PermissionFacts entry={entry} description={permission.description} caller={caller} />
          </Part>
          <Part id="parameters" title={t('part.parameters')}>
            <Parameters fields={parameters} hash={hash} />
          </Part>
          <Part id="reply" title={t('part.reply')}>
            <ReplyParts replies={replies} hash={hash} />
          </Part>
        </div>
        <aside id="samples" className={styles['samples']} aria-label={t('part.samples')}>
          <SampleRequest endpoint={endpoint} />
          <SampleReplies replies={replies} />
        </aside>
      </div>
      <Part id="errors" title={t('part.errors')}>
        <ErrorRows problems={problems} hash={hash} />
      </Part>
      <Part id="limits" title={t('part.limits')}>
        <Notes endpoint={endpoint} />
      </Part>
    </Schemas>
  )
})

function Part({ id, title, children }: { id: string; title: string; children: ReactNode }) {
  return (
    <section id={id} className={styles['part']} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>
        <AnchorLink id={id}>{title}</AnchorLink>
      </h2>
      {children}
    </section>
  )
}

/** The answer when all goes well, field by field, and the headers answers carry. */
function ReplyParts({ replies, hash }: { replies: readonly Reply[]; hash: string }) {
  const [success] = replies
  if (success === undefined) return null
  const fields = bodyFields(success.schema)
  const refusal = replies.find(reply => reply.status >= 400)
  return (
    <>
      <p className={styles['replyLine']}>
        <HttpStatus status={success.status} reason={success.reason} />
        <code className={styles['faint']}>{success.contentType}</code>
      </p>
      {fields.length > 0 ? (
        <FieldsList fields={fields} prefix="reply" label={t('fieldsOfReply')} hash={hash} isReply />
      ) : (
        <p className={styles['muted']}>{success.schema === null ? t('itHasNoBody') : success.description}</p>
      )}
      <Headers replies={replies} />
      {refusal !== undefined && (
        <details className={styles['more']}>
          <summary>{t('fieldsOfError')}</summary>
          <FieldsList
            fields={bodyFields(refusal.schema)}
            prefix="refusal"
            label={t('fieldsOfError')}
            hash={hash}
            isReply
          />
        </details>
      )}
    </>
  )
}

function Headers({ replies }: { replies: readonly Reply[] }) {
  const seen = new Map<string, { description: string; statuses: number[] }>()
  for (const { status, headers } of replies) {
    for (const { name, description } of headers) {
      const known = seen.get(name)
      if (known === undefined) seen.set(name, { description, statuses: [status] })
      else known.statuses.push(status)
    }
  }
  if (seen.size === 0) return null
  return (
    <div className={styles['place']}>
      <h3>{t('replyHeaders')}</h3>
      <ul className={styles['fields']} aria-label={t('replyHeaders')}>
        {[...seen].map(([name, { description, statuses }]) => (
          <li key={name}>
            <div className={styles['fieldHead']}>
              <code>
                <b>{name}</b>
              </code>
              {statuses[0] !== replies[0]?.status && (
                <span className={styles['faint']}>{t('withStatuses', { statuses: statuses.join(', ') })}</span>
              )}
            </div>
            <p>{description}</p>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Neighbour({ entry, direction }: { entry: IndexEntry; direction: 'previous' | 'next' }) {
  const isNext = direction === 'next'
  const preload = () => preloadEndpoint(entry.id)
  return (
    <TextLink
      to="/explorer/$version/$category/$slug"
      params={{
        version: entry.version,
        category: categorySlug(entry.category),
        slug: endpointAddress(entry).split('/').at(-1) ?? '',
      }}
      search={true}
      className={beside['neighbour']}
      data-direction={direction}
      onPointerEnter={preload}
      onFocus={preload}
    >
      {!isNext && <ArrowLeft size={14} aria-hidden="true" />}
      <span>
        <small>{isNext ? t('next') : t('previous')}</small>
        {entry.name}
      </span>
      {isNext && <ArrowRight size={14} aria-hidden="true" />}
    </TextLink>
  )
}
