// The outcome of an attempt and the time of the next one, as small words in lists and timelines.
import { useEffect, useState } from 'react'
import { Chip, HttpStatus, relativeTime, toneOfState } from '../ui/index.ts'
import { momentText } from '../words/format.ts'
import { type Attempt, type Delivery, explain } from './outcome.ts'
import { t } from './texts.ts'
import styles from './webhooks.module.css'

/** The HTTP status of an answer, or in words why none came. Whatever is no success is a failure, a redirect too. */
export function Outcome({ status, error }: Pick<Attempt, 'status' | 'error'>) {
  if (status === null && error === null) return <span>–</span>
  const { ok, name } = explain({ status, error })
  return ok && status !== null ? <HttpStatus quiet status={status} /> : <Chip tone="bad">{name}</Chip>
}

/** How a delivery stands; one that waits after a failure is not as well as one that waits for its first attempt. */
export function DeliveryChip({ delivery }: { delivery: Pick<Delivery, 'status' | 'attempts'> }) {
  const { status, attempts } = delivery
  const isTriedAgain = status === 'pending' && attempts > 0
  return (
    <Chip tone={isTriedAgain ? 'warn' : toneOfState(status)} dot>
      {t(`status.${status}`)}
    </Chip>
  )
}

/** When a delivery that waits is tried next. */
export function NextAttempt({ delivery }: { delivery: Pick<Delivery, 'status' | 'nextAttemptAt'> }) {
  const { status, nextAttemptAt } = delivery
  if (status !== 'pending' || nextAttemptAt === null) return null
  return <Coming iso={nextAttemptAt} />
}

/** A moment to come: within a minute it is counted down by the second. */
function Coming({ iso }: { iso: string }) {
  const [nowMs, setNowMs] = useState(() => Date.now())
  const dueMs = Date.parse(iso)
  useEffect(() => {
    if (nowMs >= dueMs) return undefined
    const timer = setTimeout(() => setNowMs(Date.now()), dueMs - nowMs > 61_000 ? 10_000 : 1_000)
    return () => clearTimeout(timer)
  }, [nowMs, dueMs])
  const when = (
    <time dateTime={iso} title={momentText(new Date(iso))}>
      {relativeTime(iso, nowMs)}
    </time>
  )
  return (
    <span className={styles['faint']}>{nowMs < dueMs ? t.rich('againAt', { when: () => when }) : t('againSoon')}</span>
  )
}
