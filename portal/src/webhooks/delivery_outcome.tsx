// The outcome of an attempt and the time of the next one, as small words in lists and time lines.
import { Chip, HttpStatus, Time } from '../ui/index.ts'
import { type Attempt, type Delivery, explain } from './outcome.ts'
import styles from './webhooks.module.css'

/** The HTTP status of an answer, or in words why none came. */
export function Outcome({ status, error }: Pick<Attempt, 'status' | 'error'>) {
  if (error !== null) return <Chip tone="bad">{explain({ status, error }).name}</Chip>
  return status === null ? <span>–</span> : <HttpStatus status={status} />
}

/** When a delivery that waits is tried next. */
export function NextAttempt({ delivery }: { delivery: Pick<Delivery, 'status' | 'nextAttemptAt'> }) {
  const { status, nextAttemptAt } = delivery
  if (status !== 'pending' || nextAttemptAt === null) return null
  return (
    <span className={styles['faint']}>
      next <Time iso={nextAttemptAt} />
    </span>
  )
}
