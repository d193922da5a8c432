// Which trunk a call came in by. The same carrier serves many customers from the same addresses, so a source address may
// stand in trunks of several organizations, and none can know of the others'. The address names those it may be; which of
// them it is follows from a registration at that very address, or from who holds the dialled number. Pure.
import ipaddr from 'ipaddr.js'
import { parseCidr } from '../../../kernel/outbound/egress.ts'

/** A trunk as calls that come in see it. */
export type Peer = {
  trunkId: string
  tenantId: number
  /** Addresses and ranges calls come in from: those of the settings, or what host and outbound proxy lead to. */
  sources: readonly string[]
  /** The name its carrier must prove by digest; null when the address is enough. */
  inboundUsername: string | null
}

/** `closeness`: the prefix length of the range that fits. */
export type PeerMatch = Pick<Peer, 'trunkId' | 'tenantId' | 'inboundUsername'> & { closeness: number }

export type PeerIndex = {
  /** Adds a trunk, in the place of what was known of it. */
  set(peer: Peer): void
  remove(trunkId: string): void
  /**
   * The trunks that a call from an address may have come by, the closest range first. Of each tenant only those whose range
   * fits as closely as any of that tenant. Costs a look for each length of prefix in use, however many trunks there are.
   */
  match(address: string): PeerMatch[]
}

export function createPeerIndex(): PeerIndex {
  const ranges = new Map<string, Map<string, PeerMatch>>()
  const placesOf = new Map<string, string[]>()
  /** How many ranges there are of each family and length: `ipv4 24`. */
  const lengths = new Map<string, number>()

  function remove(trunkId: string): void {
    for (const place of placesOf.get(trunkId) ?? []) {
      const there = ranges.get(place)
      there?.delete(trunkId)
      if (there?.size === 0) {
        ranges.delete(place)
        const length = lengthOf(place)
        const left = (lengths.get(length) ?? 1) - 1
        if (left === 0) lengths.delete(length)
        else lengths.set(length, left)
      }
    }
    placesOf.delete(trunkId)
  }

  return {
    remove,
    set({ trunkId, tenantId, inboundUsername, sources }) {
      remove(trunkId)
      const places = new Set<string>()
      for (const text of sources) {
        const range = parseCidr(text)
        if (range === undefined) continue
        const place = placeOf(range[0], range[1])
        places.add(place)
        let there = ranges.get(place)
        if (there === undefined) {
          there = new Map()
          ranges.set(place, there)
          lengths.set(lengthOf(place), (lengths.get(lengthOf(place)) ?? 0) + 1)
        }
        there.set(trunkId, { trunkId, tenantId, inboundUsername, closeness: range[1] })
      }
      placesOf.set(trunkId, [...places])
    },
    match(address) {
      if (!ipaddr.isValid(address)) return []
      // A socket of both families shows IPv4 addresses as ::ffff:192.0.2.1.
      const source = ipaddr.process(address)
      const matches = new Map<string, PeerMatch>()
      for (const length of lengths.keys()) {
        const [kind, prefix] = length.split(' ')
        if (kind !== source.kind()) continue
        for (const match of ranges.get(placeOf(source, Number(prefix)))?.values() ?? []) {
          const closeness = Math.max(match.closeness, matches.get(match.trunkId)?.closeness ?? 0)
          matches.set(match.trunkId, { ...match, closeness })
        }
      }
      return closestOf([...matches.values()])
    },
  }
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** What all addresses of one range have in common: `ipv4 24 203.0.113`, and the bits behind whole octets. */
function placeOf(address: Address, prefix: number): string {
  const octets = address.toByteArray().slice(0, Math.ceil(prefix / 8))
  const spare = octets.length * 8 - prefix
  const last = octets.pop()
  if (last !== undefined) octets.push((last >> spare) << spare)
  return `${address.kind()} ${prefix} ${octets.join('.')}`
}

const lengthOf = (place: string) => place.slice(0, place.lastIndexOf(' '))

function closestOf(matches: readonly PeerMatch[]): PeerMatch[] {
  const closest = new Map<number, number>()
  for (const { tenantId, closeness } of matches) closest.set(tenantId, Math.max(closest.get(tenantId) ?? -1, closeness))
  return matches
    .filter(({ tenantId, closeness }) => closest.get(tenantId) === closeness)
    .sort((a, b) => b.closeness - a.closeness || (a.trunkId < b.trunkId ? -1 : 1))
}

export type InboundChoice =
  | { outcome: 'trunk'; match: PeerMatch }
  /** A name must be proved: answer 401, and choose again with what the next request proves. */
  | { outcome: 'challenge' }
  /** No trunk knows the address or the name: 403. */
  | { outcome: 'unknown_peer' }
  /** Nobody behind this peer has the number: 404. */
  | { outcome: 'unknown_number' }
  /** The carrier knows the same account by trunks of two organizations; neither may take the other's call: 404. */
  | { outcome: 'ambiguous' }

/** What is known of a call beside its source; each is a set of trunks. */
export type InboundClaims = {
  /**
   * Registered at the source of the call under the user that the request names: the carrier says itself whose account it calls
   * (RFC 3261 §10.2, §16.5).
   */
  registered: ReadonlySet<string>
  /** Their organization holds the number that is dialled. */
  holding: ReadonlySet<string>
  /** Of those, where it has proved the number. */
  verified: ReadonlySet<string>
  /** Name and password were proved by digest; undefined before it was asked for any. */
  proven: ReadonlySet<string> | undefined
}

/**
 * The trunk of a call. One that asks for digest is never passed by: no other trunk takes a call that is its own.
 * @param matches what the index says of its source
 */
export function inboundTrunk(
  matches: readonly PeerMatch[],
  { registered, verified, holding, proven }: InboundClaims,
): InboundChoice {
  const among = (set: ReadonlySet<string>) => matches.filter(({ trunkId }) => set.has(trunkId))
  // Each trunk reads what was dialled in its own form, so another organization may hold what it makes of the same digits. The
  // proof of a number that is one counts for more.
  const meant = [registered, verified, holding].map(among).find(trunks => trunks.length > 0) ?? []
  const asking = (meant.length > 0 ? meant : matches).filter(({ inboundUsername }) => inboundUsername !== null)
  const right = asking.filter(({ trunkId }) => proven?.has(trunkId) === true)
  // Whether a number is anybody's here is disclosed to those who prove a name, where a name is asked for.
  if (asking.length > 0 && proven === undefined) return { outcome: 'challenge' }
  if (meant.length === 0) {
    const isKnown = right.length > 0 || asking.length < matches.length
    return { outcome: isKnown ? 'unknown_number' : 'unknown_peer' }
  }
  const chosen = asking.length > 0 ? right : meant
  const [match] = chosen
  if (match === undefined) return { outcome: 'unknown_peer' }
  return chosen.some(({ tenantId }) => tenantId !== match.tenantId)
    ? { outcome: 'ambiguous' }
    : { outcome: 'trunk', match }
}
