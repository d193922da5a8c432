// One problem code: what it means, what to do, whether to try again, how it looks on the wire, and who answers it.
import { errorSample, reasonPhrase, type Version } from '@tandem/catalog'
import { ArrowLeft } from 'lucide-react'
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

export function ErrorPage({ code }: { code: string }) {
  const query = useProblems()
  const problem = query.data?.find(own => own.code === code)
  return (
    <div className={styles['screen']}>
      <TextLink to="/errors" className={styles['back']}>
        <ArrowLeft size={15} aria-hidden="true" /> All errors
      </TextLink>
      {problem === undefined ? (
        <>
          <h1 className="visually-hidden">{code}</h1>
          {query.isPending && <LoadingRows label="Loading the errors" />}
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
  useDocumentTitle('No such error')
  return (
    <EmptyState
      title="There is no such error code"
      text={
        <>
          <code>{code}</code> is none of this server's codes. It may be mistyped, or of another version.
        </>
      }
      action={
        <ButtonLink to="/errors" search={{}}>
          All errors
        </ButtonLink>
      }
    />
  )
}

function KnownCode({ problem }: { problem: Problem }) {
  const { code, status, title, cause, fix } = problem
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
            <CopyButton showLabel size="md" text={code} label="Copy code" />
            <CopyAsMarkdown page={`/errors/${code}`} />
          </>
        }
      />
      <div className={styles['columns']}>
        <div className={styles['stack']}>
          <Card title="What to do">
            <DescriptionList
              items={[
                {
                  term: 'Status',
                  detail:
                    status === 0 ? (
                      'None: it stands in message and call records and in their events, never as an answer.'
                    ) : (
                      <HttpStatus status={status} reason={reasonPhrase(status)} />
                    ),
                },
                { term: 'Cause', detail: inlineText(cause) },
                { term: 'Fix', detail: inlineText(fix) },
                { term: 'Does a retry help', detail: retryText(problem) },
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
  return <CodeBlock code={code} language="json" label={`Sample reply of ${version}`} wrap />
}

function retryText({ retriable, status }: Problem): string {
  if (status === 0) {
    return retriable
      ? 'Yes: a new attempt later may come through.'
      : 'No: a new attempt ends the same way until its cause is gone.'
  }
  if (!retriable) return 'No: the same request gets the same answer until its cause is gone.'
  return 'Yes: send the same request again, with the same Idempotency-Key, after the seconds of Retry-After when the answer has it.'
}

type AnsweringProps = { endpoints: readonly IndexEntry[]; status: number }
function Answering({ endpoints, status }: AnsweringProps) {
  if (endpoints.length === 0) {
    return status === 0 ? null : (
      <Card title="Endpoints">
        <p>No endpoint answers it by itself: it comes before the request reaches one.</p>
      </Card>
    )
  }
  return (
    <Card title={endpoints.length === 1 ? '1 endpoint may answer it' : `${endpoints.length} endpoints may answer it`}>
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
    </Card>
  )
}
