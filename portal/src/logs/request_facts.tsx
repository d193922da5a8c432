// One request in full: what was asked, how it was answered, and what a refusal means. Shown on its own page and in the
// inspector.
import { toCurl } from '@tandem/catalog'
import type { RequestLogEntry } from '@tandem/sdk'
import { UserLink } from '../nouns/user_name.tsx'
import { useProblemWords } from '../problems/said.ts'
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
import { t } from './texts.ts'

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

export function RequestFacts({ request }: { request: RequestLogEntry }) {
  const entry = request.endpointId === null ? undefined : endpointById(request.endpointId)
  return (
    <div className={styles['facts']}>
      <div className={styles['grid']}>
        <Card title={t('request')}>
          <DescriptionList
            items={[
              {
                term: t('asked'),
                detail: (
                  <span className={styles['request']}>
                    <MethodBadge method={request.method} />
                    <span>{addressOf(request)}</span>
                  </span>
                ),
              },
              { term: t('answered'), detail: <HttpStatus status={request.status} /> },
              ...(request.problem === null
                ? []
                : [{ term: t('refusedWith'), detail: <CodeLink code={request.problem} /> }]),
              { term: t('took'), detail: durationText(request.durationMs) },
              { term: t('when'), detail: <Moment iso={request.at} /> },
              {
                term: t('endpoint'),
                detail:
                  entry === undefined ? (
                    t('noneOfCatalog')
                  ) : (
                    <TextLink to={endpointAddress(entry) as '/'}>{entry.name}</TextLink>
                  ),
              },
              ...(request.resourceId === null
                ? []
                : [{ term: t('aboutTerm'), detail: <IdLink id={request.resourceId} /> }]),
            ]}
          />
        </Card>
        <Card title={t('caller')}>
          <DescriptionList
            items={[
              { term: t('fromTerm'), detail: t(`from.${request.source}`) },
              {
                term: t('credential'),
                detail: request.keyId === null ? t('tokenOfPerson') : <IdLink id={request.keyId} />,
              },
              { term: t('user'), detail: request.userId === null ? '–' : <UserLink id={request.userId} /> },
              { term: t('address'), detail: request.ip ?? '–' },
              { term: t('requestId'), detail: <code>{request.requestId}</code> },
            ]}
          />
        </Card>
        {request.problem !== null && <Explanation code={request.problem} />}
        <Card title={t('whatWasSent')}>
          <div className={styles['blocks']}>
            {headersOf(request).length > 0 && (
              <CodeBlock
                label={t('requestHeaders')}
                code={headersOf(request)
                  .map(([name, value]) => `${name}: ${value}`)
                  .join('\n')}
              />
            )}
            {request.requestBody !== null && (
              <CodeBlock label={t('requestBody')} language="json" code={readable(request.requestBody)} wrap />
            )}
            {request.requestBody === null && bodiless.has(request.method) && (
              <p className={styles['note']}>{t('noBody', { method: request.method })}</p>
            )}
            {request.bodyNote !== null && <p className={styles['note']}>{request.bodyNote}</p>}
          </div>
        </Card>
        <Card title={t('whatWasAnswered')}>
          {request.responseBody === null ? (
            <p className={styles['note']}>{t(request.status < 400 ? 'answerNotKept' : 'answerLost')}</p>
          ) : (
            <CodeBlock label={t('answer')} language="json" code={readable(request.responseBody)} wrap />
          )}
        </Card>
        <div className={styles['all']}>
          <CodeBlock label={t('asCurl')} language="shell" code={curlOf(request)} wrap />
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
  const found = useProblems().data?.find(one => one.code === code)
  const say = useProblemWords()
  if (found === undefined) return null
  const problem = say(found)
  return (
    <Card title={problem.title} className={styles['all']}>
      <div className={styles['explain']}>
        <p>{problem.cause}</p>
        <p>
          <strong>{t('whatToDo')}</strong> {problem.fix}
        </p>
        <p className={styles['note']}>
          {t(problem.retriable ? 'retriable' : 'notRetriable')}{' '}
          <TextLink to="/errors/$code" params={{ code }}>
            {t('moreAbout', { code })}
          </TextLink>
        </p>
      </div>
    </Card>
  )
}
