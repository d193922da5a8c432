// Which trunk a call came in by. The same carrier serves many customers from the same addresses, so a source address may
// stand in trunks of several organizations, and none can know of the others'. The address names those it may be; the owner
// of the dialled number says which of them it is. Pure.
import ipaddr from 'ipaddr.js'
import { parseCidr } from '../../../kernel/egress.ts'

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
      // A socket of both families tells IPv4 addresses as ::ffff:192.0.2.1.
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
  /** Two organizations say that the number is theirs; neither may take the other's call: 404. */
  | { outcome: 'ambiguous' }

/**
 * The trunk of a call.
 * @param matches what the index says of its source
 * @param owners tenants that have the dialled number
 * @param proven trunks whose name and password the caller proved by digest; undefined before it was asked for any
 */
export function inboundTrunk(
  matches: readonly PeerMatch[],
  owners: ReadonlySet<number>,
  proven: ReadonlySet<string> | undefined,
): InboundChoice {
  const isAsking = proven === undefined && matches.some(({ inboundUsername }) => inboundUsername !== null)
  const known = matches.filter(
    ({ inboundUsername, trunkId }) => inboundUsername === null || proven?.has(trunkId) === true,
  )
  const own = known.filter(({ tenantId }) => owners.has(tenantId))
  // Who proved a name meant that trunk.
  const meant = own.filter(({ inboundUsername }) => inboundUsername !== null)
  const chosen = meant.length > 0 ? meant : own
  const [match] = chosen
  if (match === undefined) {
    if (isAsking) return { outcome: 'challenge' }
    return { outcome: known.length === 0 ? 'unknown_peer' : 'unknown_number' }
  }
  return chosen.some(({ tenantId }) => tenantId !== match.tenantId)
    ? { outcome: 'ambiguous' }
    : { outcome: 'trunk', match }
}
