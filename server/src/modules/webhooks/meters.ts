// What Prometheus counts of deliveries: how attempts end, at webhooks and at callback URLs.
import type { CounterHandle, Metrics } from '../../kernel/observe/metrics.ts'
import { isCallbackLane } from './delivery_id.ts'
import type { Lane } from './lane.ts'
import type { Result } from './sender_store.ts'

const targets = ['webhook', 'callback']
/** Delivered; failed, to be tried again; given up after the last attempt. */
const outcomes = ['delivered', 'retried', 'failed']

const known = new WeakMap<Metrics, CounterHandle>()

/** The counter of attempts. */
export function attemptMeter(metrics: Metrics): CounterHandle {
  let meter = known.get(metrics)
  if (meter === undefined) {
    meter = metrics.counter(
      'tandem_webhook_attempts_total',
      'Attempts to deliver events to webhooks and callback URLs: delivered, retried later, or failed for good.',
      ['target', 'outcome'],
      targets.flatMap(target => outcomes.map(outcome => ({ target, outcome }))),
    )
    known.set(metrics, meter)
  }
  return meter
}

/** Counts the result of an attempt, and gives it back. */
export function countAttempt<R extends Pick<Result, 'status'>>(
  metrics: Metrics,
  { lane }: Pick<Lane, 'lane'>,
  result: R,
): R {
  const outcome = result.status === 'pending' ? 'retried' : result.status
  attemptMeter(metrics).inc({ target: isCallbackLane(lane) ? 'callback' : 'webhook', outcome })
  return result
}
