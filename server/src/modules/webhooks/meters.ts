// What Prometheus counts of deliveries: how attempts end, at webhooks and at callback URLs.
import type { CounterHandle, Metrics } from '../../kernel/observe/metrics.ts'

const targets = ['webhook', 'callback']
/** Delivered; failed, to be tried again; given up after the last attempt. */
const outcomes = ['delivered', 'retried', 'failed'] as const
export type AttemptOutcome = (typeof outcomes)[number]

/** The counter of attempts. */
export function attemptMeter(metrics: Metrics): CounterHandle {
  return metrics.counter(
    'tandem_webhook_attempts_total',
    'Attempts to deliver events to webhooks and callback URLs: delivered, retried later, or failed for good.',
    ['target', 'outcome'],
    targets.flatMap(target => outcomes.map(outcome => ({ target, outcome }))),
  )
}
