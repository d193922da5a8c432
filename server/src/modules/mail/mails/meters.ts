// What Prometheus counts of mails: how attempts to hand them over end.
import type { CounterHandle, Metrics } from '../../../kernel/observe/metrics.ts'
import type { SendResult } from '../transports/index.ts'

const outcomes: readonly SendResult['outcome'][] = ['accepted', 'refused', 'deferred', 'unconfirmed', 'given_back']

/** The counter of attempts. */
export function mailMeter(metrics: Metrics): CounterHandle {
  return metrics.counter(
    'tandem_mail_attempts_total',
    'Attempts to hand mails over, by the answer of the server; unconfirmed where none came, given_back where nothing was sent.',
    ['outcome'],
    outcomes.map(outcome => ({ outcome })),
  )
}
