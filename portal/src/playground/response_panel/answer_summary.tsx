// What an answer says of itself at a glance: status, time and where it went, size, what is left of the rate limit.
import { useCountdown } from '../../ui/countdown.ts'
import { durationText, HttpStatus, sizeText } from '../../ui/index.ts'
import styles from '../parts/response.module.css'
import { type RateLimit, readRateLimit } from '../sending/rate_limit.ts'
import type { Answer } from '../sending/send.ts'
import { responseMs } from '../sending/timing.ts'
import { t } from './texts.ts'

export type AnswerSummaryProps = { answer: Answer; receivedAtMs: number }
export function AnswerSummary({ answer, receivedAtMs }: AnswerSummaryProps) {
  const { status, statusText, time, sizes, headers } = answer
  const limit = readRateLimit(headers)
  return (
    <section className={styles['summary']} aria-label={t('statusAndTime')}>
      <div className={styles['headline']}>
        <span data-testid="status">
          <HttpStatus status={status} reason={statusText} />
        </span>
        <strong data-testid="time">{durationText(responseMs(time))}</strong>
        <span>{sizeText(sizes.decoded)}</span>
        {sizes.wire !== undefined && sizes.wire !== sizes.decoded && (
          <span>{t('onTheWire', { size: sizeText(sizes.wire) })}</span>
        )}
      </div>
      <TimeBar answer={answer} />
      {limit !== undefined && <RateMeter limit={limit} receivedAtMs={receivedAtMs} />}
    </section>
  )
}

function TimeBar({ answer: { time } }: { answer: Answer }) {
  const { totalMs, waitMs, downloadMs, serverMs } = time
  if (waitMs === undefined || downloadMs === undefined) return null
  const networkMs = responseMs(time)
  const share = (ms: number) => `${Math.min(100, (100 * ms) / Math.max(networkMs, 0.1))}%`
  return (
    <div>
      <div className={styles['timeBar']} aria-hidden="true">
        <span className={styles['timeWait']} style={{ width: share(waitMs) }} />
        <span className={styles['timeDownload']} style={{ width: share(downloadMs) }} />
      </div>
      <dl className={styles['timeParts']}>
        <Part name={t('time.wait')} ms={waitMs} mark={styles['timeWait']} />
        <Part name={t('time.download')} ms={downloadMs} mark={styles['timeDownload']} />
        {serverMs !== undefined && <Part name={t('time.server')} ms={serverMs} />}
        <Part name={t('time.page')} ms={Math.max(0, totalMs - networkMs)} />
      </dl>
    </div>
  )
}
function Part({ name, ms, mark }: { name: string; ms: number; mark?: string }) {
  return (
    <div>
      <dt>
        {mark !== undefined && <i className={mark} aria-hidden="true" />}
        {name}
      </dt>
      <dd>{durationText(ms)}</dd>
    </div>
  )
}

function RateMeter({ limit, receivedAtMs }: { limit: RateLimit; receivedAtMs: number }) {
  const { quota, remaining, resetSeconds, policy } = limit
  const left = useCountdown(resetSeconds, receivedAtMs)
  const who = policy === 'key' ? t('rate.key') : policy === 'ip' ? t('rate.ip') : policy
  const full = left === 0 && resetSeconds > 0
  return (
    <div className={styles['rate']}>
      <span>
        {full
          ? t('rate.free', { who })
          : quota === undefined
            ? t('rate.left', { who, remaining })
            : t('rate.leftOf', { who, remaining, quota })}
      </span>
      <span>{full || resetSeconds === 0 ? '' : t('rate.resets', { seconds: left })}</span>
      {quota !== undefined && (
        <meter
          min={0}
          max={quota}
          low={quota * 0.2}
          optimum={quota}
          value={full ? quota : remaining}
          aria-label={t('rateLeft')}
        />
      )}
    </div>
  )
}
