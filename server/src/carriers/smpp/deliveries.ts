// What a carrier brings: receipts and messages. They are stored in groups, and each is acknowledged only when it is
// durable; what cannot be stored is left for the carrier to repeat.
import { setTimeout as sleep } from 'node:timers/promises'
import { statuses } from '@tandem/smpp'
import { createGroup, type Group } from '../../kernel/data/group.ts'
import { holdStallMeter } from '../../kernel/observe/stall_meter.ts'
import type { InboundMessage, Receipt } from '../../modules/messaging/carrier.ts'
import type { Surroundings } from '../../modules/messaging/carriers/index.ts'
import { createReferences, readInbound } from './inbound.ts'
import type { Link } from './link.ts'
import type { PartIds } from './part_ids.ts'
import { type Delivery, isDeliveryReceipt, readReceipt } from './receipts.ts'
import type { SmppSettings } from './settings.ts'

/** Storing is tried again after these; a carrier waits longer for its acknowledgement. */
const retriesMs = [250, 1_000, 4_000]

export function createDeliveries(settings: SmppSettings, surroundings: Surroundings, partIds: PartIds) {
  const { context, tenantId } = surroundings
  const { clock, log } = context
  const references = createReferences({ ...surroundings, openedMs: clock.now() })
  const storeReceipt = grouped<Receipt[]>(batch => context.receiveReceipts(batch.flat()))
  const storeInbound = grouped<InboundMessage>(batch => context.receiveInbound(batch))
  const stalls = holdStallMeter()
  const underWay = new Set<Promise<unknown>>()
  let isClosed = false

  async function takeReceipt(link: Link, pdu: Delivery): Promise<number> {
    link.counters.receipts++
    const receipt = readReceipt(pdu, settings, tenantId)
    // Not final, or about nothing that could be found: there is nothing to keep.
    if (receipt === undefined) return statuses.ESME_ROK
    await patiently(() => storeReceipt(partIds.receiptsOf(receipt)))
    return statuses.ESME_ROK
  }

  async function takeInbound(link: Link, pdu: Delivery): Promise<number> {
    link.counters.inbound++
    const reference = references.take(pdu, link.index, clock.now(), stalls.stalledMs())
    try {
      await patiently(() => storeInbound({ ...readInbound(pdu, settings), tenantId, reference }))
      references.settled(reference, true, clock.now())
      return statuses.ESME_ROK
    } catch (error) {
      references.settled(reference, false, clock.now())
      throw error
    }
  }

  async function take(link: Link, pdu: Delivery): Promise<number> {
    // What is stored now could not be acknowledged any more: it comes again.
    if (isClosed) return statuses.ESME_RX_T_APPN
    const taking = isDeliveryReceipt(pdu, settings) ? takeReceipt(link, pdu) : takeInbound(link, pdu)
    underWay.add(taking)
    try {
      return await taking
    } catch (error) {
      log.error(
        { err: error, carrier: surroundings.carrierId },
        'a delivery could not be stored; the carrier repeats it',
      )
      return statuses.ESME_RX_T_APPN
    } finally {
      underWay.delete(taking)
    }
  }

  return {
    /** Stores a delivery; answers the status to acknowledge it with (SMPP 3.4 §5.1.3). */
    take,
    /** A link broke: what was not acknowledged on it will come again. */
    linkLost: (link: Link) =>
      references.linkLost(link.index, clock.now(), Math.max(stalls.stalledMs(), link.silentMs())),
    /** Stores nothing more. */
    close(): void {
      if (isClosed) return
      isClosed = true
      stalls.stop()
    },
    /** Resolves when nothing is being stored. */
    idle: async () => void (await Promise.allSettled(underWay)),
    /** Whether something was stored of which the carrier may not know. */
    isUncertain: () => references.isUncertain(clock.now()),
  }
}

/** Gathers what comes while the database works: thousands a second are a few statements. */
function grouped<Item>(run: (batch: Item[]) => Promise<void>): Group<Item, undefined> {
  return createGroup<Item, undefined>({
    async run(items) {
      await run(items)
      return items.map(() => undefined)
    },
    maxItems: 500,
    maxInFlight: 2,
    overlapAfterMs: 30,
    gatherMs: 10,
  })
}

async function patiently(work: () => Promise<unknown>): Promise<void> {
  for (const waitMs of retriesMs) {
    try {
      await work()
      return
    } catch {
      await sleep(waitMs)
    }
  }
  await work()
}
