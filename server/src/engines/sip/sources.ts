// By which trunks a call may have come in: an index of the addresses that their settings tell, or that their host and proxy lead to.
// A call costs the same however many trunks there are; the names are looked up beforehand, again and again.
import { setTimeout as sleep } from 'node:timers/promises'
import type { SipAgent, TransportName } from '@tandem/sip'
import { createPeerIndex, type PeerMatch } from '../../modules/voice/trunks/index.ts'
import type { SipTrunk } from '../trunks/line.ts'
import { requestTarget } from './addresses.ts'

/** How long what a name led to is taken for the address of a carrier. */
const resolvedMs = 60_000
/** So many names are looked up at once, so that trunks that came together do not ask together for ever. */
const lookupsAtOnce = 50
/** A call waits so long at most for names that were never looked up. */
const firstLookupMs = 3_000

export type Sources = {
  /** Calls may come in by this trunk until the returned function is called. */
  add(trunk: SipTrunk): () => void
  /** The trunks that a call from an address may have come by, over that transport. */
  cameBy(address: string, transport: TransportName): Promise<PeerMatch[]>
  /** The same at once; undefined while some are not known yet. */
  known(address: string, transport: TransportName): PeerMatch[] | undefined
  close(): void
}

/** A name to look up: at first, and again when what it led to is old. */
type Named = { trunk: SipTrunk; dueMs: number; isUnderWay: boolean }

export function createSources(agent: Pick<SipAgent, 'addressesOf'>): Sources {
  const peers = createPeerIndex()
  /** Of each key the trunk as it is set up now. */
  const current = new Map<string, SipTrunk>()
  const named = new Map<string, Named>()
  /** Look-ups of names that were never looked up before: calls wait for these. */
  const firsts = new Map<string, PromiseWithResolvers<void>>()
  let underWay = 0
  const timer = setInterval(lookUp, 1_000).unref()

  function matches(address: string, transport: TransportName): PeerMatch[] {
    return peers.match(address).filter(({ trunkId }) => {
      const trunk = current.get(trunkId)
      return trunk !== undefined && isSafeEnough(transport, trunk.settings.transport)
    })
  }

  function index({ key, scope, settings }: SipTrunk, sources: readonly string[]): void {
    peers.set({ trunkId: key, tenantId: scope.tenantId, sources, inboundUsername: settings.inboundUsername })
  }

  function lookUp(): void {
    for (const name of named.values()) {
      if (underWay >= lookupsAtOnce) return
      if (!name.isUnderWay && performance.now() >= name.dueMs) void lookUpOne(name)
    }
  }

  async function lookUpOne(name: Named): Promise<void> {
    const { trunk } = name
    name.isUnderWay = true
    underWay++
    // Where it fails, what was known stays.
    const addresses = await agent.addressesOf(requestTarget(trunk.settings)).catch(() => undefined)
    if (addresses !== undefined && current.get(trunk.key) === trunk) index(trunk, addresses)
    name.dueMs = performance.now() + resolvedMs
    name.isUnderWay = false
    if (named.get(trunk.key) === name) known(trunk.key)
    underWay--
    lookUp()
  }

  /** Nobody need wait for it any more. */
  function known(key: string): void {
    firsts.get(key)?.resolve()
    firsts.delete(key)
  }

  function forget(key: string): void {
    named.delete(key)
    known(key)
  }

  return {
    add(trunk) {
      const { key, settings } = trunk
      forget(key)
      current.set(key, trunk)
      if (settings.sourceAddresses.length > 0) index(trunk, settings.sourceAddresses)
      else {
        named.set(key, { trunk, dueMs: 0, isUnderWay: false })
        firsts.set(key, Promise.withResolvers())
        lookUp()
      }
      return () => {
        // With other settings it is another one, which may be here already.
        if (current.get(key) !== trunk) return
        current.delete(key)
        forget(key)
        peers.remove(key)
      }
    },
    async cameBy(address, transport) {
      if (firsts.size > 0) {
        const all = Promise.all([...firsts.values()].map(({ promise }) => promise))
        await Promise.race([all, sleep(firstLookupMs, undefined, { ref: false })])
      }
      return matches(address, transport)
    },
    known: (address, transport) => (firsts.size > 0 ? undefined : matches(address, transport)),
    close: () => clearInterval(timer),
  }
}

/** The source of a datagram can be forged, that of a connection cannot: who is called over one has to call over one. */
function isSafeEnough(used: TransportName, settled: TransportName): boolean {
  return settled === 'udp' || used === 'tls' || used === settled
}
