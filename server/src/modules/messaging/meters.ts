// What Prometheus counts of messages, by the kind of carrier: accepted from customers, handed over with what carriers answered, receipts,
// and what came in.
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import type { Metrics } from '../../kernel/observe/metrics.ts'
import { noCarrier, type PartResult, type Receipt, submitQueue } from './carrier.ts'

const kinds = ['smpp', 'simulator', 'handset', noCarrier]
const outcomes: readonly PartResult['outcome'][] = ['accepted', 'throttled', 'refused', 'unknown']
const receiptStatuses: readonly Receipt['status'][] = ['delivered', 'undelivered', 'expired']

/** The kind of a carrier by how messages name it: those that are part of the server by their kind, those of organizations by an id. */
function kindOf(carrier: string): string {
  return kinds.includes(carrier) ? carrier : 'smpp'
}

const known = new WeakMap<Metrics, ReturnType<typeof makeMeters>>()

function meters(metrics: Metrics) {
  let made = known.get(metrics)
  if (made === undefined) {
    made = makeMeters(metrics)
    known.set(metrics, made)
  }
  return made
}

function makeMeters(metrics: Metrics) {
  const ofKinds = <Label extends string>(label: Label, values: readonly string[]) =>
    kinds.flatMap(kind => values.map(value => ({ carrier_kind: kind, [label]: value })))
  return {
    accepted: metrics.counter(
      'tandem_messages_accepted_total',
      'Messages accepted for sending.',
      ['carrier_kind'],
      kinds.map(kind => ({ carrier_kind: kind })),
    ),
    submissions: metrics.counter(
      'tandem_message_submissions_total',
      'Segments handed to carriers, by their answer; unknown where none came.',
      ['carrier_kind', 'outcome'],
      ofKinds('outcome', outcomes),
    ),
    receipts: metrics.counter(
      'tandem_message_receipts_total',
      'Delivery receipts of carriers: what became of segments.',
      ['carrier_kind', 'status'],
      ofKinds('status', receiptStatuses),
    ),
    received: metrics.counter(
      'tandem_messages_received_total',
      'Messages and parts that came in by carriers.',
      ['carrier_kind'],
      kinds.map(kind => ({ carrier_kind: kind })),
    ),
  }
}

/** Shows the counters from the start. */
export function declareMessageMeters(metrics: Metrics): void {
  meters(metrics)
}

/** Counts messages that were accepted, once that is committed, and wakes the queue of their carrier. */
export function messagesAccepted({ metrics, wake }: Pick<Services, 'metrics' | 'wake'>, carrier: string, by = 1): void {
  meters(metrics).accepted.inc({ carrier_kind: kindOf(carrier) }, by)
  wake(submitQueue(carrier))
}

export function countSubmissions(metrics: Metrics, carrier: string, results: readonly PartResult[]): void {
  const { submissions } = meters(metrics)
  for (const [outcome, own] of Map.groupBy(results, result => result.outcome))
    submissions.inc({ carrier_kind: kindOf(carrier), outcome }, own.length)
}

export function countReceipts(metrics: Metrics, carrier: string, batch: readonly Receipt[]): void {
  const { receipts } = meters(metrics)
  for (const [status, own] of Map.groupBy(batch, receipt => receipt.status))
    receipts.inc({ carrier_kind: kindOf(carrier), status }, own.length)
}

export function countReceived(metrics: Metrics, carrier: string, by: number): void {
  meters(metrics).received.inc({ carrier_kind: kindOf(carrier) }, by)
}
