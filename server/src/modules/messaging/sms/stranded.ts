// What waits for a carrier that cannot take it: its links are down, it was switched off, it is gone, or there was none to begin
// with. Nothing of it was written to anybody, so another carrier with a route may have it; else it waits on, and ends when its
// validity does, or fails at once where there is no carrier to wait for.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { QueueOptions } from '../../../kernel/jobs/queue.ts'
import { noCarrier, strandedQueue, submitQueue } from '../carrier.ts'
import { type Directory, directoryOf } from '../directory.ts'
import { candidatesFor } from '../routing.ts'
import { movesOf } from './rules.ts'
import { claimStranded, type Settlement, type StrandedRow, settleStranded } from './store.ts'

const maxJobs = 32
const leaseMs = 30_000
/** What finds no other carrier is looked at again after this long. */
const againMs = 5_000

const moves = movesOf('outlived', 'outlived_in_part', 'answer_lost', 'asked_again', 'refused_by_us')

/** Queue `stranded_messages`: gives messages of carriers without a link, and those of no carrier, to others. */
export function strandedMessages({ db, wake }: Services): QueueOptions<StrandedRow> {
  return {
    name: strandedQueue,
    batch: 1,
    lanes: 1,
    pollMs: 1_000,
    claim: token => claimStranded(db, token, maxJobs, leaseMs),
    async work(rows, token) {
      const directories = new Map<number, Directory>()
      for (const { tenant_id: tenantId } of rows)
        if (!directories.has(tenantId)) directories.set(tenantId, await directoryOf(db, tenantId, { fresh: true }))
      const settlements = rows.map(row => settlementOf(row, directories.get(row.tenant_id) as Directory))
      await settleStranded(db, token, settlements, moves)
      for (const carrier of new Set(settlements.map(({ carrier }) => carrier)))
        if (carrier !== null) wake(submitQueue(carrier))
    },
  }
}

/** What becomes of a stranded message. */
export function settlementOf(row: StrandedRow, directory: Directory): Settlement {
  const ended = { tenantId: row.tenant_id, id: row.id, carrier: null, priceMicros: null, currency: null, retryMs: 0 }
  if (row.lost && row.status === 'sending' && !row.resend)
    return { ...ended, event: 'answer_lost', code: 'submit_unconfirmed' }
  if (row.outlived && !row.lost)
    return row.begun
      ? { ...ended, event: 'outlived_in_part', code: 'validity_expired' }
      : { ...ended, event: 'outlived', code: outlivedCode(row.code) }
  const event = row.lost && row.status === 'sending' ? ('asked_again' as const) : null
  const code = event === null ? null : 'submit_unconfirmed'
  const number = directory.numbers.get(row.from_address)
  const [best] = candidatesFor(directory, row.to_address, { only: number?.carrierId ?? null })
  if (best === undefined) {
    // Switched off, it may be switched on again; gone, or never there, it takes nothing any more.
    const exists = directory.carriers.some(carrier => carrier.id === row.carrier)
    if (!exists && event === null) return { ...ended, event: 'refused_by_us', code: 'no_route' }
    return { ...ended, event, code, carrier: row.carrier, retryMs: againMs }
  }
  // Accepted when any sender was good: a carrier takes only those of the organization.
  if (row.carrier === noCarrier && number?.sms !== true)
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
