// What waits for a carrier that cannot take it: its links are down, it was switched off, it is gone, or there was none to begin
// with. What nobody has taken anything of another carrier with a route may have; else it waits on, and ends when its validity
// does, or fails at once where there is no carrier to wait for. So do texts of a service whose time has come and whose sender is gone:
// it chooses another one. A long text of which a carrier has some parts is no other's: each
// joins the parts in its own way, and the text would arrive torn, or twice.
import type { Db } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { QueueOptions } from '../../../kernel/jobs/queue.ts'
import { noCarrier, strandedQueue, submitQueue } from '../carrier.ts'
import { type Directory, directoryOf } from '../directory.ts'
import { candidatesFor, reachOf } from '../routing.ts'
import { type MessageStatus, movesOf } from './rules.ts'
import { bestSender, type Chosen, isSenderOf, nothingChosen, sendersOf } from './sender_choice.ts'
import { ceilingsOf, recountPrice } from './spending.ts'
import { claimStranded, type Settlement, type StrandedRow, settleStranded } from './store.ts'

const maxJobs = 32
const leaseMs = 30_000
/** What finds no other carrier is looked at again after this long. */
const againMs = 5_000

const moves = movesOf('outlived', 'outlived_in_part', 'answer_lost', 'asked_again', 'refused_by_us')

/** Queue `stranded_messages`: gives messages of carriers without a link, and those of no carrier, to others. */
export function strandedMessages({ db, wake, clock }: Services): QueueOptions<StrandedRow> {
  return {
    name: strandedQueue,
    batch: 1,
    lanes: 1,
    pollMs: 1_000,
    claim: token => claimStranded(db, token, maxJobs, leaseMs),
    async work(rows, token) {
      const tenants = new Map<number, Tenant>()
      for (const { tenant_id: id } of rows)
        if (!tenants.has(id))
          tenants.set(id, { directory: await directoryOf(db, id, { fresh: true }), chosen: nothingChosen() })
      // The others were taken back, or came to their end otherwise: they leave the queue.
      const waiting = rows.filter(({ status }) => onTheirWay.includes(status))
      // Senders first: nothing is counted when one cannot be chosen.
      const senders: (string | null)[] = []
      for (const row of waiting) senders.push(await newSenderOf(db, row, tenants.get(row.tenant_id)!))
      const settlements: Settlement[] = []
      for (const [index, row] of waiting.entries()) {
        const sender = senders[index] ?? null
        const sent = sender === null ? row : { ...row, from_address: sender }
        const settlement = await affordableOf(db, sent, tenants.get(row.tenant_id)!.directory, clock.now())
        // Where no carrier has it now, another sender may when one does.
        settlements.push({ ...settlement, sender: settlement.priceMicros === null ? null : sender })
      }
      await settleStranded(db, token, settlements, moves)
      for (const carrier of new Set(settlements.map(({ carrier }) => carrier)))
        if (carrier !== null) wake(submitQueue(carrier))
    },
  }
}

const onTheirWay: readonly MessageStatus[] = ['scheduled', 'queued', 'sending']

type Tenant = { directory: Directory; chosen: Chosen }

/**
 * Who sends a scheduled text in place of a sender that its service has no more, by the rules of the service: the same one where nobody else
 * gets there. Null where the sender is there, or the text asked for it.
 */
async function newSenderOf(db: Db, row: StrandedRow, { directory, chosen }: Tenant): Promise<string | null> {
  const { tenant_id: tenantId, from_address: from, to_address: to, service_id: serviceId } = row
  const service = serviceId === null ? undefined : directory.services.get(serviceId)
  if (row.status !== 'scheduled' || row.from_pool !== true || service === undefined) return null
  if (isSenderOf(directory.numbers.get(from), service)) return null
  const reach = reachOf(directory, to)
  const candidates = sendersOf(directory, service).filter(({ carrierId }) => reach(carrierId) !== 'never')
  const segments = () => row.segments
  const best = await bestSender(db, service, candidates, { tenantId, mode: undefined, to, reach, chosen, segments })
  return best?.address ?? from
}

/** As `settlementOf`: what costs more by another carrier is counted, and goes by none that a ceiling does not allow. */
async function affordableOf(db: Db, row: StrandedRow, directory: Directory, nowMs: number): Promise<Settlement> {
  const limits = ceilingsOf(directory, row.spend_key_id)
  const tooDear = new Set<string>()
  for (;;) {
    const settlement = settlementOf(row, directory, tooDear)
    const { carrier } = settlement
    if (limits.length === 0 || carrier === null || carrier === row.carrier) return settlement
    if (await recountPrice(db, row, settlement, limits, nowMs)) return settlement
    tooDear.add(carrier)
  }
}

/**
 * What becomes of a stranded message.
 * @param tooDear carriers that may not have it, for what they cost
 */
export function settlementOf(
  row: StrandedRow,
  directory: Directory,
  tooDear: ReadonlySet<string> = new Set(),
): Settlement {
  const ended: Omit<Settlement, 'event' | 'code'> = {
    tenantId: row.tenant_id,
    id: row.id,
    carrier: null,
    priceMicros: null,
    currency: null,
    retryMs: 0,
    sender: null,
  }
  if (row.lost && row.status === 'sending' && !row.resend)
    return { ...ended, event: 'answer_lost', code: 'submit_unconfirmed' }
  if (row.outlived && !row.lost)
    return row.begun
      ? { ...ended, event: 'outlived_in_part', code: 'validity_expired' }
      : { ...ended, event: 'outlived', code: outlivedCode(row.code) }
  const event = row.lost && row.status === 'sending' ? ('asked_again' as const) : null
  const code = event === null ? null : 'submit_unconfirmed'
  const number = directory.numbers.get(row.from_address)
  const candidates = row.in_part ? [] : candidatesFor(directory, row.to_address, { only: number?.carrierId ?? null })
  const best = candidates.find(({ carrierId }) => !tooDear.has(carrierId))
  if (best === undefined) {
    // Switched off, it may be switched on again; gone, or never there, it takes nothing any more.
    const exists = directory.carriers.some(carrier => carrier.id === row.carrier)
    if (!exists && event === null && tooDear.size === 0)
      return { ...ended, event: row.in_part ? 'outlived_in_part' : 'refused_by_us', code: 'no_route' }
    return { ...ended, event, code, carrier: row.carrier, retryMs: againMs }
  }
  // Accepted when any sender was good: a carrier takes only those of the organization.
  if (row.carrier === noCarrier && (number?.sms !== true || number.contested))
    return { ...ended, event: 'refused_by_us', code: 'sender_not_owned' }
  return {
    ...ended,
    event,
    code,
    carrier: best.carrierId,
    priceMicros: best.costMicros * row.segments,
    currency: best.currency,
    retryMs: best.up ? 0 : againMs,
  }
}

/** Why it waited until its validity passed. */
function outlivedCode(code: string | null): string {
  return code === 'carrier_throttled' || code === 'carrier_queue_full' ? 'carrier_queue_overflow' : 'carrier_link_down'
}
