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

/**
 * The trunks that a call from an address may have come by, the closest range first. Of each tenant only those whose range
 * fits as closely as any of that tenant.
 */
export function matchInbound(address: string, peers: readonly Peer[]): PeerMatch[] {
  if (!ipaddr.isValid(address)) return []
  // A socket of both families tells IPv4 addresses as ::ffff:192.0.2.1.
  const source = ipaddr.process(address)
  const matches = peers.flatMap(({ trunkId, tenantId, inboundUsername, sources }): PeerMatch[] => {
    const lengths = sources.flatMap(text => {
      const range = parseCidr(text)
      return range?.[0].kind() === source.kind() && source.match(range[0], range[1]) ? [range[1]] : []
    })
    return lengths.length === 0 ? [] : [{ trunkId, tenantId, inboundUsername, closeness: Math.max(...lengths) }]
  })
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
 * @param matches what `matchInbound` says of its source
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
