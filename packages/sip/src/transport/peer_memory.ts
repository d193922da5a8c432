// What a transport remembers of its peers for a while: the address of ours that leads to each, and who could not be reached over
// TCP. Of more peers than a limit the oldest is forgotten.
import type { Timing } from '../rtp/clock.ts'
import type { Target } from './types.ts'
import { formatEndpoint } from './types.ts'
import { localAddressTo } from './udp.ts'

export type PeerMemory = {
  /** Asked of the system again after a minute: machines get other addresses. */
  ownAddressTo(address: string): Promise<string | undefined>
  /** Behind a firewall that swallows TCP every large request would wait for the connection in vain. */
  lacksTcp(target: Target): boolean
  noteWithoutTcp(target: Target): void
}

const maxPeers = 1_000
const ownAddressMs = 60_000
/** How long a peer that could not be reached over TCP gets its large requests over UDP at once. */
const withoutTcpMs = 600_000

export function createPeerMemory(timing: Timing): PeerMemory {
  const ownAddresses = new Map<string, { own: string; untilMs: number }>()
  const withoutTcp = new Map<string, number>()
  return {
    async ownAddressTo(address) {
      const known = ownAddresses.get(address)
      if (known !== undefined && known.untilMs > timing.now()) return known.own
      const own = await localAddressTo(address)
      if (own === undefined) return undefined
      remember(ownAddresses, address, { own, untilMs: timing.now() + ownAddressMs })
      return own
    },
    lacksTcp: target => (withoutTcp.get(formatEndpoint(target)) ?? Number.NEGATIVE_INFINITY) > timing.now(),
    noteWithoutTcp: target => remember(withoutTcp, formatEndpoint(target), timing.now() + withoutTcpMs),
  }
}

function remember<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key)
  map.set(key, value)
  if (map.size > maxPeers) map.delete(map.keys().next().value!)
}
