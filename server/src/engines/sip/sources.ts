// By which trunks a call may have come in: an index of the addresses that their settings name, or that their host and proxy lead to.
// And whose trunk leads to an address that somebody calls without one: all that host and proxy ever led to, and what calls come from.
// A call costs the same however many trunks there are; the names are looked up beforehand, again and again.
import { setTimeout as sleep } from 'node:timers/promises'
import type { SipAgent, TransportName } from '@tandem/sip'
import { parseCidr } from '../../kernel/outbound/egress.ts'
import { createPeerIndex, type PeerMatch } from '../../modules/voice/trunks/index.ts'
import type { SipTrunk } from '../trunks/driver.ts'
import { placesOf, requestTarget } from './addresses.ts'

/** How long what a name led to is taken for the address of a carrier. */
const resolvedMs = 60_000
/** So many names are looked up at once, so that trunks that came together do not ask together for ever. */
const lookupsAtOnce = 50
/** A call waits so long at most for names that were never looked up. */
const firstLookupMs = 3_000
/** Of what a trunk's names ever led to so many addresses are remembered: carriers give others from one answer to the next. */
const maxRemembered = 256
/**
 * A range that calls come from is taken for addresses of the carrier where it is no wider: by a range of half the network one
 * organization would keep the others from calling there.
 */
const widestOwned = { ipv4: 24, ipv6: 64 } as const

export type Sources = {
  /** Calls may come in by this trunk until the returned function is called. */
  add(trunk: SipTrunk): () => void
  /** The trunks that a call from an address may have come by, over that transport. */
  cameBy(address: string, transport: TransportName): Promise<PeerMatch[]>
  /** The same at once; undefined while some are not known yet. */
  known(address: string, transport: TransportName): PeerMatch[] | undefined
  /** Resolves when `leadingTo` knows all trunks, or has waited long enough for their names. */
  settled(): Promise<void>
  /** The trunks whose host, proxy or source addresses an address is one of, at any port. */
  leadingTo(address: string): SipTrunk[]
  close(): void
}

/** A name to look up: at first, and again when what it led to is old. */
type Named = { trunk: SipTrunk; dueMs: number; isUnderWay: boolean }

export function createSources(agent: Pick<SipAgent, 'addressesOf'>): Sources {
  const peers = createPeerIndex()
  /** Of each key the trunk as it is set up now. */
  const current = new Map<string, SipTrunk>()
  const named = new Map<string, Named>()
  /** Look-ups of names that were never looked up before: calls that come in wait for these. */
  const firsts = new Map<string, PromiseWithResolvers<void>>()
  /** The same of all trunks: calls to SIP addresses wait for these. */
  const places = new Map<string, PromiseWithResolvers<void>>()
  const reached = createPeerIndex()
  /** Of each key what its names led to, the newest last. */
  const remembered = new Map<string, Set<string>>()
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
    const look = (uri: string) => agent.addressesOf(uri).catch(() => undefined)
    const [addresses, ...others] = await Promise.all(
      [requestTarget(trunk.settings), ...placesOf(trunk.settings)].map(look),
    )
    if (current.get(trunk.key) === trunk) {
      if (addresses !== undefined && trunk.settings.sourceAddresses.length === 0) index(trunk, addresses)
      remember(
        trunk,
        [addresses, ...others].flatMap(found => found ?? []),
      )
    }
    name.dueMs = performance.now() + resolvedMs
    name.isUnderWay = false
    if (named.get(trunk.key) === name) known(trunk.key)
    underWay--
    lookUp()
  }

  /** What is found now goes before what was found earlier. */
  function remember(trunk: SipTrunk, found: readonly string[]): void {
    const { key, scope, settings } = trunk
    const all = remembered.get(key) ?? new Set()
    for (const address of found) {
      all.delete(address)
      all.add(address)
    }
    for (const address of all) if (all.size > maxRemembered) all.delete(address)
    remembered.set(key, all)
    const ranges = settings.sourceAddresses.filter(isOwned)
    reached.set({ trunkId: key, tenantId: scope.tenantId, sources: [...ranges, ...all], inboundUsername: null })
  }

  /** Nobody need wait for it any more. */
  function known(key: string): void {
    for (const waiting of [firsts, places]) {
      waiting.get(key)?.resolve()
      waiting.delete(key)
    }
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
      remembered.delete(key)
      remember(trunk, [])
      if (settings.sourceAddresses.length > 0) index(trunk, settings.sourceAddresses)
      else firsts.set(key, Promise.withResolvers())
      places.set(key, Promise.withResolvers())
      named.set(key, { trunk, dueMs: 0, isUnderWay: false })
      lookUp()
      return () => {
        // With other settings it is another one, which may be here already.
        if (current.get(key) !== trunk) return
        current.delete(key)
        forget(key)
        peers.remove(key)
        reached.remove(key)
        remembered.delete(key)
      }
    },
    async cameBy(address, transport) {
      await allOf(firsts)
      return matches(address, transport)
    },
    known: (address, transport) => (firsts.size > 0 ? undefined : matches(address, transport)),
    settled: () => allOf(places),
    leadingTo: address => reached.match(address).flatMap(({ trunkId }) => current.get(trunkId) ?? []),
    close: () => clearInterval(timer),
  }
}

async function allOf(waiting: ReadonlyMap<string, PromiseWithResolvers<void>>): Promise<void> {
  if (waiting.size === 0) return
  const all = Promise.all([...waiting.values()].map(({ promise }) => promise))
  await Promise.race([all, sleep(firstLookupMs, undefined, { ref: false })])
}

function isOwned(text: string): boolean {
  const range = parseCidr(text)
  return range !== undefined && range[1] >= widestOwned[range[0].kind()]
}

/** The source of a datagram can be forged, that of a connection cannot: who is called over one has to call over one. */
function isSafeEnough(used: TransportName, settled: TransportName): boolean {
  return settled === 'udp' || used === 'tls' || used === settled
}
