// Which sender of a messaging service a text gets: when it is accepted, and again when its time comes and that sender is gone.
import type { Db } from '../../../kernel/data/db.ts'
import { callingCode, countryOf } from '../../../kernel/values/phone.ts'
import type { Directory, DirectoryNumber, DirectoryService } from '../directory.ts'
import type { Reach } from '../routing.ts'
import { listSenderStates } from './intake_store.ts'

/** Senders that texts of one batch were given, which nothing stored says yet. */
export type Chosen = {
  /** Seconds of sending, by sender. */
  seconds: Map<string, number>
  /** By service and recipient. */
  senders: Map<string, string>
}

export function nothingChosen(): Chosen {
  return { seconds: new Map(), senders: new Map() }
}

/** Whether a number sends for a service. */
export function isSenderOf(number: DirectoryNumber | undefined, { id }: DirectoryService): boolean {
  return number !== undefined && number.serviceId === id && number.sms && !number.contested
}

/** The numbers that send for a service. */
export function sendersOf({ numbers }: Pick<Directory, 'numbers'>, service: DirectoryService): DirectoryNumber[] {
  return [...numbers.values()].filter(number => isSenderOf(number, service))
}

type Asked = {
  tenantId: number
  /** Undefined for work behind requests, which holds nothing of the tenant's share. */
  mode: 'live' | 'test' | undefined
  to: string
  reach(only: string | null): Reach
  chosen: Chosen
  /** Of a text that is sent now: a sender of limited speed is busy with it. */
  segments?: (() => number) | undefined
}

/**
 * The best of these senders of a service for a recipient: the one the recipient knows, else one of the recipient's country, else one of
 * the same calling code, else any; of those one whose carrier has a link up, and that is free first. Recipients are spread over the ones
 * that are equal in all that. Undefined where there is none.
 */
export async function bestSender(
  db: Db,
  service: DirectoryService,
  candidates: readonly DirectoryNumber[],
  { tenantId, mode, to, reach, chosen, segments }: Asked,
): Promise<DirectoryNumber | undefined> {
  if (candidates.length <= 1) return candidates[0]
  const states = await listSenderStates(
    db,
    { tenantId, mode, serviceId: service.id, to },
    candidates.map(number => number.address),
  )
  const recipient = `${service.id} ${to}`
  const sticky = service.stickySender
    ? (states.find(state => state.known)?.sender ?? chosen.senders.get(recipient))
    : undefined
  const waits = new Map(states.map(state => [state.sender, state.waits_seconds]))
  const waiting = ({ address }: DirectoryNumber) => (waits.get(address) ?? 0) + (chosen.seconds.get(address) ?? 0)
  const best = candidates.find(({ address }) => address === sticky) ?? nearestOf(candidates, to, { reach, waiting })
  // At once: texts of a batch that were asked about together are next.
  const pace = best.segmentsPerSecond ?? 0
  if (pace > 0 && segments !== undefined)
    chosen.seconds.set(best.address, (chosen.seconds.get(best.address) ?? 0) + segments() / pace)
  chosen.senders.set(recipient, best.address)
  return best
}

type Standing = {
  reach(only: string | null): Reach
  /** Seconds until it is free. */
  waiting(number: DirectoryNumber): number
}

function nearestOf(candidates: readonly DirectoryNumber[], to: string, { reach, waiting }: Standing): DirectoryNumber {
  const home = countryOf(to)
  const distance = ({ country }: DirectoryNumber) => {
    if (country === null || !to.startsWith(callingCode(country) ?? '-')) return 2
    return country === home ? 0 : 1
  }
  const isLate = ({ carrierId }: DirectoryNumber) => Number(reach(carrierId) === 'later')
  const order = (a: DirectoryNumber, b: DirectoryNumber) =>
    distance(a) - distance(b) || isLate(a) - isLate(b) || waiting(a) - waiting(b)
  const sorted = candidates.toSorted((a, b) => order(a, b) || (a.id < b.id ? -1 : 1))
  const [first] = sorted
  const equals = sorted.filter(number => number.kind === first!.kind && order(number, first!) === 0)
  // The last digits of telephone numbers are as good as drawn by lot, and the same for each text to one recipient.
  return equals[Number(to.slice(-6)) % equals.length]!
}
