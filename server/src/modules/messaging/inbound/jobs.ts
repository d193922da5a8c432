// Takes in what phones send to us: whole messages, and parts that become one when the last of them came, or when it is clear
// that it will not. Everything a message sets off is committed with it, and with the acknowledgement to its carrier behind
// that; so whatever is repeated after a crash is known, and whatever is not is there.

import { isConnectionProblem, type Tx } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { QueueMaker } from '../../../kernel/jobs/background.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId, timeOfId } from '../../../kernel/values/ids.ts'
import type { InboundMessage } from '../carrier.ts'
import { messagesAccepted } from '../meters.ts'
import { segmentsOf } from '../segments.ts'
import { firstEventData, type MessageRow } from '../sms/index.ts'
import { applyEffects } from './effects.ts'
import {
  type Arrival,
  inOrder,
  joined,
  joinedPartsMs,
  keyOf,
  type Part,
  partOf,
  placeParts,
  storable,
} from './rules.ts'
import {
  claimOverdueParts,
  findReceivers,
  insertInbound,
  insertParts,
  listKnown,
  listWaiting,
  lockParts,
  markJoined,
  type OverdueGroup,
  type Owner,
  ownersOf,
  type Receiver,
} from './store.ts'

/** So long the parts of a message may be apart. */
const waitMs = 5 * 60_000
/** Messages taken in by one transaction. */
const maxAtOnce = 200

type InboundServices = Pick<Services, 'db' | 'log' | 'clock' | 'wake' | 'metrics'>

/**
 * Takes messages of a carrier in, whole ones and parts. When this resolves all are durable and may be acknowledged; when it
 * rejects, some may be. A repeated one (by `reference`) changes nothing.
 */
export async function receiveInbound(
  services: InboundServices,
  carrier: string,
  batch: readonly InboundMessage[],
): Promise<void> {
  const { db, clock, log } = services
  const ofTenants = Map.groupBy(batch, message => message.tenantId)
  const owners = await ownersOf(db, [...ofTenants.keys()])
  for (const [tenantId, messages] of ofTenants) {
    const owner = owners.get(tenantId)
    if (owner === undefined) {
      // Repeated for ever, it would hold up all that is behind it.
      log.error({ tenantId, carrier, messages: messages.length }, 'inbound messages of no tenant are dropped')
      continue
    }
    for (let from = 0; from < messages.length; from += maxAtOnce) {
      const some = messages.slice(from, from + maxAtOnce).map(cleaned)
      const { carriers } = await db.inTenant(owner, tx => takeIn(tx, owner, carrier, some, clock.now()))
      for (const carrier of carriers) messagesAccepted(services, carrier)
    }
  }
}

/** Names and addresses are ASCII; what is not has been read wrongly, and must not stop the rest. */
function cleaned(message: InboundMessage): InboundMessage {
  const [from, to] = [storable(message.from), storable(message.to)]
  return { ...message, reference: storable(message.reference), from, to }
}

/**
 * Takes messages in within a transaction of their tenant.
 * @returns those that were not known, and the carriers of answers, for `messagesAccepted` after the commit
 */
export async function takeIn(
  tx: Tx,
  owner: Owner,
  carrier: string,
  batch: readonly InboundMessage[],
  nowMs: number,
): Promise<{ rows: MessageRow[]; carriers: string[] }> {
  const whole = batch
    .filter(message => partOf(message) === undefined)
    .map((message): Arrival => ({ ...message, partial: false }))
  const parts = await joinParts(tx, owner, carrier, batch)
  return storeArrivals(tx, owner, carrier, [...whole, ...parts], nowMs)
}

/** Puts parts to those that wait; answers the messages that are whole now. */
async function joinParts(tx: Tx, owner: Owner, carrier: string, batch: readonly InboundMessage[]): Promise<Arrival[]> {
  const arriving = batch.map(partOf).filter(part => part !== undefined)
  if (arriving.length === 0) return []
  await lockParts(tx, owner, carrier, arriving.map(keyOf))
  const references = arriving.map(part => part.carrier_reference)
  const [known, waiting] = await Promise.all([
    listKnown(tx, owner, carrier, references),
    listWaiting(tx, owner, carrier, arriving),
  ])
  const { fresh, whole } = placeParts(waiting, arriving, new Set(known), () => newId('inb'))
  const done = new Set(whole.flat().map(part => part.carrier_reference))
  const kept = fresh.map(part => (done.has(part.carrier_reference) ? { ...part, text: null } : part))
  if (kept.length > 0) await insertParts(tx, owner, carrier, kept, { waitMs, keepMs: joinedPartsMs })
  if (done.size > 0) await markJoined(tx, owner, carrier, [...done], joinedPartsMs)
  return whole.map(joined)
}

async function storeArrivals(
  tx: Tx,
  owner: Owner,
  carrier: string,
  arrivals: readonly Arrival[],
  nowMs: number,
): Promise<{ rows: MessageRow[]; carriers: string[] }> {
  const first = new Map(arrivals.toReversed().map(arrival => [arrival.reference, arrival]))
  const distinct = arrivals.filter(arrival => first.get(arrival.reference) === arrival)
  if (distinct.length === 0) return { rows: [], carriers: [] }
  const receiverOf = await findReceivers(
    tx,
    owner,
    distinct.map(arrival => arrival.to),
  )
  const items = distinct.map(arrival => {
    const receiver = receiverOf(arrival.to)
    const row = inboundRow(owner, carrier, arrival, receiver)
    return { row, receiver, reference: arrival.reference, eventData: firstEventData(row) }
  })
  const stored = await insertInbound(tx, carrier, items)
  const fresh = items.filter(item => stored.has(item.row.id))
  return { rows: fresh.map(item => item.row), carriers: await applyEffects(tx, owner, fresh, nowMs) }
}

function inboundRow(owner: Owner, carrier: string, arrival: Arrival, receiver: Receiver): MessageRow {
  const id = newId('msg')
  const at = isoMs(timeOfId(id))
  const body = storable(arrival.body)
  const counted = segmentsOf(body)
  return {
    tenant_id: owner.tenantId,
    id,
    direction: 'inbound',
    status: 'received',
    code: null,
    carrier,
    from_address: arrival.from,
    to_address: arrival.to,
    body,
    encoding: arrival.encoding ?? counted.encoding,
    segments: arrival.segments ?? counted.segments,
    attempts: 0,
    validity_seconds: null,
    callback_url: receiver.callback_url,
    tags: null,
    metadata: null,
    created_at: at,
    sent_at: null,
    delivered_at: null,
    final_at: at,
    service_id: receiver.service_id,
    send_at: null,
    segments_delivered: 0,
    price_micros: null,
    currency: null,
    partial: arrival.partial,
    redacted_at: null,
  }
}

/** Makes messages of the parts that have waited long enough for the others. */
export const overdueParts: QueueMaker = services => ({
  name: 'inbound_parts',
  batch: 500,
  lanes: 1,
  pollMs: 1_000,
  claim: (_token, limit) => claimOverdueParts(services.db, { limit, leaseMs: 60_000 }),
  async work(groups: OverdueGroup[]) {
    const owners = await ownersOf(services.db, [...new Set(groups.map(group => group.tenant_id))])
    for (const group of groups) {
      const owner = owners.get(group.tenant_id)
      if (owner === undefined) continue
      try {
        await giveUpWaiting(services, owner, group)
      } catch (error) {
        // Without a database none can be stored; for any other reason this one alone waits for the next look.
        if (isConnectionProblem(error)) throw error
        const { tenant_id: tenantId, carrier } = group
        services.log.error({ err: error, tenantId, carrier }, 'parts of an inbound message could not be stored')
      }
    }
  },
})

async function giveUpWaiting(services: InboundServices, owner: Owner, group: OverdueGroup): Promise<void> {
  const { db, clock } = services
  const { carrier } = group
  const { carriers } = await db.inTenant(owner, async tx => {
    await lockParts(tx, owner, carrier, [keyOf(group)])
    const waiting = await listWaiting(tx, owner, carrier, [group])
    // Another part may have made it whole meanwhile.
    const parts = inOrder(waiting.filter((part: Part) => part.group_id === group.group_id))
    if (parts.length === 0) return { carriers: [] }
    const references = parts.map(part => part.carrier_reference)
    await markJoined(tx, owner, carrier, references, joinedPartsMs)
    return storeArrivals(tx, owner, carrier, [joined(parts)], clock.now())
  })
  for (const carrier of carriers) messagesAccepted(services, carrier)
}
