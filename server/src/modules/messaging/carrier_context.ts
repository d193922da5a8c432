// Where carriers meet messaging: what each gets to work with, and the queues of those that are part of the server.

import type { Services } from '../../kernel/endpoint/endpoint.ts'
import type { QueueOptions } from '../../kernel/jobs/queue.ts'
import { crashPoint } from '../../kernel/values/crash_points.ts'
import type { CarrierContext, CarrierMaker } from './carrier.ts'
import { receiveInbound } from './inbound/index.ts'
import { countReceipts, countReceived } from './meters.ts'
import {
  type RouteMemory,
  receiveLateAnswers,
  receiveReceipts,
  settleRoutesQueue,
  strandedMessages,
  submitQueueOf,
} from './sms/index.ts'

/** What a carrier gets to work with; `routes` where all of its receipts come to this process. */
export function carrierContext(carrier: string, services: Services, routes?: RouteMemory): CarrierContext {
  const { db, log, clock, wake, testPace, metrics } = services
  return {
    db,
    log,
    clock,
    wake,
    testPace,
    async receiveReceipts(batch) {
      crashPoint('receipts.taken')
      await receiveReceipts(db, carrier, batch, routes)
      crashPoint('receipts.committed')
      countReceipts(metrics, carrier, batch)
      wake('webhooks')
    },
    async receiveInbound(batch) {
      crashPoint('inbound.taken')
      await receiveInbound(services, carrier, batch)
      crashPoint('inbound.committed')
      countReceived(metrics, carrier, batch.length)
      wake('webhooks')
    },
    receiveLateAnswers: batch => receiveLateAnswers(db, carrier, batch),
  }
}

/**
 * The queues of messages: for each built-in carrier one that hands over and its own; one that settles what carriers never
 * spoke of again; one that finds another way for what waits for a carrier without a link.
 */
// biome-ignore lint/suspicious/noExplicitAny: queues of every row type stand in one list
export function messageQueues(carriers: readonly CarrierMaker[]): ((services: Services) => QueueOptions<any>)[] {
  const ofCarriers = carriers.flatMap(maker => [
    (services: Services) =>
      submitQueueOf(maker.name, maker.open(carrierContext(maker.name, services)), services, { maxBatches: 2 }),
    ...(maker.queues ?? []).map(makeQueue => (services: Services) => makeQueue(carrierContext(maker.name, services))),
  ])
  return [...ofCarriers, settleRoutesQueue, strandedMessages]
}
