// One problem code: what it means, what to do, whether to try again, how it looks on the wire, and who answers it.
import { errorSample, reasonPhrase, type Version } from '@tandem/catalog'
import { ArrowLeft } from 'lucide-react'
import { useProblemWords } from '../problems/said.ts'
import {
  endpointAddress,
  endpointById,
  type IndexEntry,
  type Problem,
  preloadEndpoint,
  useProblems,
} from '../session/catalog.ts'
import { CodeBlock, CopyButton } from '../ui/code.tsx'
import {
  ButtonLink,
  Card,
  DescriptionList,
  EmptyState,
  ErrorState,
  HttpStatus,
  LoadingRows,
  MethodBadge,
  PageHeader,
  TextLink,
  useDocumentTitle,
} from '../ui/index.ts'
import styles from './errors.module.css'
import { CopyAsMarkdown, Exports } from './exports.tsx'
import { inlineText } from './prose.tsx'
import { t } from './texts.ts'

export function ErrorPage({ code }: { code: string }) {
  const query = useProblems()
  const problem = query.data?.find(own => own.code === code)
  return (
    <div className={styles['screen']}>
      <TextLink to="/errors" className={styles['back']}>
        <ArrowLeft size={15} aria-hidden="true" /> {t('allErrors')}
      </TextLink>
      {problem === undefined ? (
        <>
          <h1 className="visually-hidden">{code}</h1>
          {query.isPending && <LoadingRows label={t('loadingErrors')} />}
          {query.isError && <ErrorState error={query.error} onRetry={() => void query.refetch()} />}
          {query.isSuccess && <UnknownCode code={code} />}
        </>
      ) : (
        <KnownCode problem={problem} />
      )}
    </div>
  )
}

function UnknownCode({ code }: { code: string }) {
  useDocumentTitle(t('noCode'))
  return (
    <EmptyState
      title={t('noCodeTitle')}
      text={t.rich('noCodeText', { name: code })}
      action={
        <ButtonLink to="/errors" search={{}}>
          {t('allErrors')}
        </ButtonLink>
      }
    />
  )
}

function KnownCode({ problem }: { problem: Problem }) {
  const { code, status, title, cause, fix } = useProblemWords()(problem)
  const answering = problem.endpoints.flatMap(id => endpointById(id) ?? [])
  const isProtocol = answering.length > 0 && answering.every(({ version }) => version === 'oauth')
  return (
    <>
      <PageHeader
        title={code}
        heading={<code className={styles['heading']}>{code}</code>}
        description={title}
        actions={
          <>
            <CopyButton showLabel size="md" text={code} label={t('copyCode')} />
            <CopyAsMarkdown page={`/errors/${code}`} />
          </>
        }
      />
      <div className={styles['columns']}>
        <div className={styles['stack']}>
          <Card title={t('whatToDo')}>
            <DescriptionList
              items={[
                {
                  term: t('status'),
                  detail:
                    status === 0 ? (
                      t('inRecordsOnlyText')
                    ) : (
                      <HttpStatus status={status} reason={reasonPhrase(status)} />
                    ),
                },
                { term: t('cause'), detail: inlineText(cause) },
                { term: t('fix'), detail: inlineText(fix) },
                { term: t('retryTerm'), detail: retryText(problem) },
              ]}
            />
          </Card>
          <Answering endpoints={answering} status={status} />
        </div>
        {status !== 0 && (
          <div className={styles['stack']}>
            {(isProtocol ? (['oauth'] as const) : (['v2', 'v1'] as const)).map(version => (
              <Sample key={version} problem={problem} version={version} />
            ))}
          </div>
        )}
      </div>
      <Exports page={`/errors/${code}`} />
    </>
  )
}

function Sample({ problem, version }: { problem: Problem; version: Version }) {
  const code = JSON.stringify(errorSample(problem, version), null, 2)
  return <CodeBlock code={code} language="json" label={t('sampleReplyOf', { version })} wrap />
}

function retryText({ retriable, status }: Problem): string {
  if (status === 0) return t(retriable ? 'retry.recordYes' : 'retry.recordNo')
  return t(retriable ? 'retry.yes' : 'retry.no')
}

/** Codes such as validation_failed are answered by hundreds. */
const maxAtOnce = 12

type AnsweringProps = { endpoints: readonly IndexEntry[]; status: number }
function Answering({ endpoints, status }: AnsweringProps) {
  if (endpoints.length === 0) {
    return status === 0 ? null : (
      <Card title={t('endpoints')}>
        <p>{t('answeredBefore')}</p>
      </Card>
    )
  }
  return (
    <Card title={t('answering', { count: endpoints.length })}>
      <EndpointLinks endpoints={endpoints.slice(0, maxAtOnce)} />
      {endpoints.length > maxAtOnce && (
        <details className={styles['more']}>
          <summary>{t('answeringMore', { count: endpoints.length - maxAtOnce })}</summary>
          <EndpointLinks endpoints={endpoints.slice(maxAtOnce)} />
        </details>
      )}
    </Card>
  )
}

function EndpointLinks({ endpoints }: { endpoints: readonly IndexEntry[] }) {
  return (
    <ul className={styles['endpoints']}>
      {endpoints.map(entry => (
        <li key={entry.id}>
          <MethodBadge method={entry.method} />
          <TextLink to={endpointAddress(entry) as '/'} onPointerEnter={() => preloadEndpoint(entry.id)}>
            {entry.name}
          </TextLink>
          <span>{entry.version}</span>
        </li>
      ))}
    </ul>
  )
}
