// One request in full: what was asked, how it was answered, and what a refusal means. Shown on its own page and in the
// inspector.
import { toCurl } from '@tandem/catalog'
import type { RequestLogEntry } from '@tandem/sdk'
import { UserLink } from '../nouns/user_name.tsx'
import { endpointAddress, endpointById, useProblems } from '../session/catalog.ts'
import { CodeBlock } from '../ui/code.tsx'
import {
  Card,
  CodeLink,
  DescriptionList,
  durationText,
  HttpStatus,
  IdLink,
  MethodBadge,
  Moment,
  TextLink,
} from '../ui/index.ts'
import styles from './logs.module.css'

/** The path with its query, as it was sent. */
export function addressOf({ path, query }: RequestLogEntry): string {
  return query === null || query === '' ? path : `${path}?${query}`
}

/** The request as a command. The credential was never stored: $API_KEY stands for it. */
export function curlOf(request: RequestLogEntry): string {
  const headers = Object.entries(request.requestHeaders ?? {}).filter(([name]) => name.toLowerCase() !== 'user-agent')
  const sent = {
    method: request.method,
    url: `${window.location.origin}${addressOf(request)}`,
    headers: [['Authorization', 'Bearer token'], ...headers] as [string, string][],
    ...(request.requestBody === null ? {} : { body: request.requestBody }),
  }
  return toCurl(sent, 'API_KEY')
}

/** JSON text indented; other text, or JSON that was cut, as it is. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

const sources = { api: 'A program', playground: 'The Playground', portal: 'The portal itself' } as const

export function RequestFacts({ request }: { request: RequestLogEntry }) {
  const entry = request.endpointId === null ? undefined : endpointById(request.endpointId)
  return (
    <div className={styles['facts']}>
      <div className={styles['grid']}>
        <Card title="Request">
          <DescriptionList
            items={[
              {
                term: 'Asked',
                detail: (
                  <span className={styles['request']}>
                    <MethodBadge method={request.method} />
                    <span>{addressOf(request)}</span>
                  </span>
                ),
              },
              { term: 'Answered', detail: <HttpStatus status={request.status} /> },
              ...(request.problem === null
                ? []
                : [{ term: 'Refused with', detail: <CodeLink code={request.problem} /> }]),
              { term: 'Took', detail: durationText(request.durationMs) },
              { term: 'When', detail: <Moment iso={request.at} /> },
              {
                term: 'Endpoint',
                detail:
                  entry === undefined ? (
                    'None of the catalog'
                  ) : (
                    <TextLink to={endpointAddress(entry) as '/'}>{entry.name}</TextLink>
                  ),
              },
              ...(request.resourceId === null ? [] : [{ term: 'About', detail: <IdLink id={request.resourceId} /> }]),
            ]}
          />
        </Card>
        <Card title="Caller">
          <DescriptionList
            items={[
              { term: 'From', detail: sources[request.source] },
              {
                term: 'Credential',
                detail: request.keyId === null ? 'Access token of a person' : <IdLink id={request.keyId} />,
              },
              { term: 'User', detail: request.userId === null ? '–' : <UserLink id={request.userId} /> },
              { term: 'Address', detail: request.ip ?? '–' },
              { term: 'Request id', detail: <code>{request.requestId}</code> },
            ]}
          />
        </Card>
        {request.problem !== null && <Explanation code={request.problem} />}
        <Card title="What was sent">
          <div className={styles['blocks']}>
            {headersOf(request).length > 0 && (
              <CodeBlock
                label="Request headers"
                code={headersOf(request)
                  .map(([name, value]) => `${name}: ${value}`)
                  .join('\n')}
              />
            )}
            {request.requestBody !== null && (
              <CodeBlock label="Request body" language="json" code={readable(request.requestBody)} wrap />
            )}
            {request.requestBody === null && bodiless.has(request.method) && (
              <p className={styles['note']}>A {request.method} request has no body.</p>
            )}
            {request.bodyNote !== null && <p className={styles['note']}>{request.bodyNote}</p>}
          </div>
        </Card>
        <Card title="What was answered">
          {request.responseBody === null ? (
            <p className={styles['note']}>
              {request.status < 400
                ? 'Only the answers of refused requests are kept. Replay it to see this one again.'
                : 'This answer was not kept.'}
            </p>
          ) : (
            <CodeBlock label="Answer" language="json" code={readable(request.responseBody)} wrap />
          )}
        </Card>
        <div className={styles['all']}>
          <CodeBlock label="As cURL" language="shell" code={curlOf(request)} wrap />
        </div>
      </div>
    </div>
  )
}

const bodiless = new Set(['GET', 'HEAD'])

function headersOf(request: RequestLogEntry): [name: string, value: string][] {
  return Object.entries(request.requestHeaders ?? {})
}

function Explanation({ code }: { code: string }) {
  const problem = useProblems().data?.find(one => one.code === code)
  if (problem === undefined) return null
  return (
    <Card title={problem.title} className={styles['all']}>
      <div className={styles['explain']}>
        <p>{problem.cause}</p>
        <p>
          <strong>What to do:</strong> {problem.fix}
        </p>
        <p className={styles['note']}>
          {problem.retriable ? 'The same request may succeed later.' : 'The same request will be refused again.'}{' '}
          <TextLink to="/errors/$code" params={{ code }}>
            More about {code}
          </TextLink>
        </p>
      </div>
    </Card>
  )
}
