// What an answer says of itself at a glance: status, time and where it went, size, what is left of the rate limit.
import { useEffect, useState } from 'react'
import { durationText, HttpStatus, sizeText } from '../../ui/index.ts'
import styles from '../parts/response.module.css'
import { type RateLimit, readRateLimit } from '../sending/rate_limit.ts'
import type { Answer } from '../sending/send.ts'

export type AnswerSummaryProps = { answer: Answer; receivedAtMs: number }
export function AnswerSummary({ answer, receivedAtMs }: AnswerSummaryProps) {
  const { status, statusText, time, sizes, headers } = answer
  const limit = readRateLimit(headers)
  return (
    <section className={styles['summary']} aria-label="Status and time">
      <div className={styles['headline']}>
        <span data-testid="status">
          <HttpStatus status={status} reason={statusText} />
        </span>
        <strong data-testid="time">{durationText(time.totalMs)}</strong>
        <span>{sizeText(sizes.decoded)}</span>
        {sizes.wire !== undefined && sizes.wire !== sizes.decoded && <span>{sizeText(sizes.wire)} on the wire</span>}
      </div>
      <TimeBar answer={answer} />
      {limit !== undefined && <RateMeter limit={limit} receivedAtMs={receivedAtMs} />}
    </section>
  )
}

function TimeBar({ answer: { time } }: { answer: Answer }) {
  const { totalMs, waitMs, downloadMs, serverMs } = time
  if (waitMs === undefined || downloadMs === undefined) return null
  const share = (ms: number) => `${Math.min(100, (100 * ms) / Math.max(totalMs, 0.1))}%`
  return (
    <div>
      <div className={styles['timeBar']} aria-hidden="true">
        <span className={styles['timeWait']} style={{ width: share(waitMs) }} />
        <span className={styles['timeDownload']} style={{ width: share(downloadMs) }} />
      </div>
      <dl className={styles['timeParts']}>
        <Part name="Wait" ms={waitMs} mark={styles['timeWait']} />
        <Part name="Download" ms={downloadMs} mark={styles['timeDownload']} />
        {serverMs !== undefined && <Part name="Server" ms={serverMs} />}
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

/** Seconds that are left of a span that began at `fromMs`; counts down while it is shown. */
export function useCountdown(seconds: number, fromMs: number): number {
  const left = () => Math.max(0, Math.ceil(seconds - (Date.now() - fromMs) / 1000))
  const [, tick] = useState(0)
  const now = left()
  useEffect(() => {
    if (now === 0) return undefined
    const timer = setTimeout(() => tick(count => count + 1), 1_000)
    return () => clearTimeout(timer)
  })
  return now
}

function RateMeter({ limit, receivedAtMs }: { limit: RateLimit; receivedAtMs: number }) {
  const { quota, remaining, resetSeconds, policy } = limit
  const left = useCountdown(resetSeconds, receivedAtMs)
  const of = quota === undefined ? '' : ` of ${quota.toLocaleString('en')}`
  const who = policy === 'key' ? 'API key' : policy === 'ip' ? 'IP address' : policy
  const full = left === 0 && resetSeconds > 0
  return (
    <div className={styles['rate']}>
      <span>
        {full ? `Limit of this ${who} is free again` : `${remaining.toLocaleString('en')}${of} left for this ${who}`}
      </span>
      <span>{full || resetSeconds === 0 ? '' : `resets in ${left} s`}</span>
      {quota !== undefined && (
        <meter
          min={0}
          max={quota}
          low={quota * 0.2}
          optimum={quota}
          value={full ? quota : remaining}
          aria-label="Rate limit left"
        />
      )}
    </div>
  )
}
