// What came back: body, status, time and headers side by side; a failure says which one it was; an error is explained.

import { MousePointerClick } from 'lucide-react'
import { lazy, Suspense, useMemo } from 'react'
import { useProblemWords } from '../../problems/said.ts'
import { type Endpoint, useProblems } from '../../session/catalog.ts'
import { Button, durationText, EmptyState, ErrorState, HttpStatus, sizeText } from '../../ui/index.ts'
import { useLanguage } from '../../words/language.ts'
import styles from '../parts/response.module.css'
import { SendingState } from '../parts/send_button.tsx'
import { explain, type FieldFault } from '../sending/explain.ts'
import { headerOf } from '../sending/rate_limit.ts'
import type { Failure } from '../sending/send.ts'
import { responseMs } from '../sending/timing.ts'
import type { Sending, SentResult } from '../state/use_sender.ts'
import { AnswerSummary } from './answer_summary.tsx'
import { ExplanationCard } from './explanation_card.tsx'
import { type BodyActions, ResponseBody } from './response_body.tsx'
import { ResponseHeaders } from './response_headers.tsx'
import { t } from './texts.ts'

const StreamView = lazy(() => import('./stream_view.tsx').then(module => ({ default: module.StreamView })))
const TestResults = lazy(() => import('./test_results.tsx').then(module => ({ default: module.TestResults })))

export type ResponsePanelProps = BodyActions & {
  result: SentResult | undefined
  sending: Sending | undefined
  /** Whether the result belongs to the request on the screen. */
  isCurrent: boolean
  /** The endpoint the result is of. */
  endpoint: Endpoint | undefined
  onField(fault: FieldFault): void
  onMethod(method: string): void
  onResend(): void
}

export function ResponsePanel(props: ResponsePanelProps) {
  const { result, sending } = props
  if (sending !== undefined) {
    return (
      <section className={styles['bodyBox']} aria-label={t('response')}>
        <Suspense fallback={null}>
          {sending.progress?.newest === undefined ? (
            <SendingState sending={sending} />
          ) : (
            <StreamView {...sending.progress} newest={sending.progress.newest} />
          )}
        </Suspense>
      </section>
    )
  }
  if (result === undefined) {
    return (
      <section className={styles['bodyBox']} aria-label={t('response')}>
        <EmptyState icon={<MousePointerClick size={20} />} title={t('sendFirst')} text={t('sendFirstText')} />
      </section>
    )
  }
  if (result.outcome.kind === 'failure') return <FailurePanel {...props} result={result} failure={result.outcome} />
  return <AnswerPanel {...props} result={result} />
}

function AnswerPanel({
  result,
  isCurrent,
  endpoint,
  onField,
  onMethod,
  onResend,
  ...actions
}: ResponsePanelProps & { result: SentResult }) {
  const { outcome, receivedAtMs } = result
  const problems = useProblems().data
  const language = useLanguage()
  const say = useProblemWords()
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is said in words
  const explanation = useMemo(() => {
    if (outcome.kind !== 'answer') return undefined
    const { status, statusText, headers } = outcome
    const { errorJson, credential } = result
    return explain(
      { status, statusText, headers, json: errorJson },
      { endpoint, problems: problems ?? [], credential, nowMs: receivedAtMs, say },
    )
  }, [result, outcome, endpoint, problems, receivedAtMs, language, say])
  if (outcome.kind !== 'answer') return null
  const contentType = headerOf(outcome.headers, 'content-type') ?? ''
  return (
    <>
      <section className={styles['bodyBox']} aria-label={t('response')}>
        <span className="visually-hidden" role="status">
          {t('answeredIn', {
            status: `${outcome.status} ${outcome.statusText}`,
            time: durationText(responseMs(outcome.time)),
          })}
        </span>
        {!isCurrent && (
          <p className={styles['other']}>
            {t('answerTo', { method: result.effective.method, path: new URL(result.effective.url).pathname })}
          </p>
        )}
        {outcome.ended !== undefined && <p className={styles['other']}>{t(`ended.${outcome.ended}`)}</p>}
        {outcome.leftOut !== undefined && <p className={styles['other']}>{t('leftOut', { count: outcome.leftOut })}</p>}
        {outcome.isCut === true && <p className={styles['other']}>{t('eventCut')}</p>}
        {explanation !== undefined && (
          <ExplanationCard
            explanation={explanation}
            receivedAtMs={receivedAtMs}
            onField={onField}
            onMethod={onMethod}
            onResend={onResend}
          />
        )}
        <ResponseBody
          body={outcome.body}
          contentType={contentType}
          fileName={fileNameOf(result, contentType)}
          {...actions}
        />
      </section>
      <aside className={styles['facts']} aria-label={t('aboutResponse')}>
        <AnswerSummary answer={outcome} receivedAtMs={receivedAtMs} />
        {result.tested !== undefined && (
          <Suspense fallback={null}>
            <TestResults tested={result.tested} />
          </Suspense>
        )}
        <ResponseHeaders
          headers={outcome.headers}
          isLogged={outcome.status !== 401 && result.credential !== undefined && endpoint?.version !== 'oauth'}
        />
      </aside>
    </>
  )
}

function fileNameOf({ effective }: SentResult, contentType: string): string {
  const { pathname } = new URL(effective.url)
  const end = /json/i.test(contentType)
    ? 'json'
    : /^text\/csv/i.test(contentType)
      ? 'csv'
      : /^text\//i.test(contentType)
        ? 'txt'
        : /^audio\/wav/i.test(contentType)
          ? 'wav'
          : 'bin'
  return `${effective.method}${pathname.replaceAll('/', '-')}.${end}`
}

function FailurePanel({ failure, result, onResend }: ResponsePanelProps & { result: SentResult; failure: Failure }) {
  const title = t(`failure.${failure.reason}`)
  const text = t(`failureText.${failure.reason}`)
  const { partial } = failure
  return (
    <section className={styles['bodyBox']} aria-label={t('response')}>
      <section className={styles['failed']} aria-label={t('statusAndTime')}>
        <div className={styles['headline']}>
          <span data-testid="status">
            {partial === undefined ? (
              <span className={styles['noStatus']}>{t('noStatus')}</span>
            ) : (
              <HttpStatus status={partial.status} />
            )}
          </span>
          <strong data-testid="time">{durationText(failure.totalMs)}</strong>
          {partial !== undefined && <span>{t('hadCome', { size: sizeText(partial.bytes) })}</span>}
        </div>
      </section>
      <div className={styles['failure']}>
        {failure.reason === 'redirect' && result?.effective.method === 'GET' ? (
          <EmptyState
            title={title}
            text={text}
            action={
              <a href={result.effective.url} target="_blank" rel="noreferrer">
                {t('newTab')}
              </a>
            }
          />
        ) : failure.reason === 'canceled' ? (
          <EmptyState title={title} text={text} action={<Button onClick={onResend}>{t('sendAgain')}</Button>} />
        ) : (
          <ErrorState title={title} error={new Error(text)} onRetry={onResend} />
        )}
      </div>
      {result.tested !== undefined && (
        <Suspense fallback={null}>
          <TestResults tested={result.tested} />
        </Suspense>
      )}
      {partial !== undefined && <ResponseHeaders headers={partial.headers} isLogged={false} />}
    </section>
  )
}
