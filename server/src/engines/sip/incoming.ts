// Takes a call that comes in: of a registered phone, by the user name and password it proves; of a trunk, by its source address (or
// the name and password it proves) and by the number it calls.
import {
  credentialsOf,
  type DigestGuard,
  digestSecret,
  type IncomingCall,
  isFault,
  isSipUri,
  type NameAddress,
  readAll,
  unescapeUri,
} from '@tandem/sip'
import type { EngineHost } from '../../modules/voice/engine.ts'
import { realm } from '../../modules/voice/sip_credentials/index.ts'
import { e164From, inboundTrunk } from '../../modules/voice/trunks/index.ts'
import type { SipTrunk } from '../trunks/line.ts'
import { numberOwners } from '../trunks/store.ts'
import { dialledUser, type SipParts } from './parts.ts'
import { isOfPhone, takePhoneCall } from './phone_calls.ts'
import { takeCall } from './taking.ts'

/** Refuses it, or gives it to the node. Rejects when it cannot be stored. */
export async function takeIncoming(parts: SipParts, host: EngineHost, incoming: IncomingCall): Promise<void> {
  if (isOfPhone(incoming)) return takePhoneCall(parts, host, incoming)
  const { trunks, services, sources, refusals } = parts
  const { address } = incoming.flow.remote
  const refused = { address, to: dialledUser(incoming) }
  const matches = await sources.cameBy(address)
  const candidates = matches.flatMap(({ trunkId }) => {
    const trunk = trunks.withKey(trunkId)
    return trunk?.kind === 'sip' ? [trunk] : []
  })
  const dialled = new Map(candidates.map(trunk => [trunk.key, dialledNumber(incoming, trunk)]))
  const numbers = [...new Set([...dialled.values()].filter(number => number !== undefined))]
  const owners = new Map<number, number>()
  for (const number of numbers)
    for (const { tenant_id, organization_id } of await numberOwners(services.db, number))
      owners.set(tenant_id, organization_id)
  const proven = provenTrunks(incoming, candidates, parts.guard, services.clock.now())
  const choice = inboundTrunk(matches, new Set(owners.keys()), proven)
  if (choice.outcome === 'challenge') {
    return incoming.reject(401, parts.guard.challenge(401, services.clock.now(), proven?.size === 0))
  }
  if (choice.outcome !== 'trunk') {
    refusals.tell(choice.outcome, refused)
    return incoming.reject(choice.outcome === 'unknown_peer' ? 403 : 404)
  }
  const trunk = candidates.find(({ key }) => key === choice.match.trunkId)
  const to = trunk && dialled.get(trunk.key)
  if (trunk === undefined || to === undefined) return incoming.reject(404)
  if (trunk.counters.active >= trunk.settings.concurrentCalls) {
    refusals.tell('trunk_full', { ...refused, trunk: trunk.id })
    return incoming.reject(503, [{ name: 'Retry-After', value: '10' }])
  }
  const { from, name } = callerOf(incoming, trunk)
  const { codecs, srtp, sessionExpiresSeconds } = trunk.settings
  await takeCall(parts, host, incoming, {
    scope: trunk.scope,
    mode: 'live',
    trunk,
    from,
    to,
    callerName: name,
    codecs,
    srtp,
    sessionExpiresSeconds,
    side: { type: 'trunk', trunk },
  })
}

function dialledNumber(incoming: IncomingCall, { settings }: SipTrunk): string | undefined {
  const user = dialledUser(incoming)
  return user === undefined ? undefined : e164From(user, settings)
}

/** Trunks whose name and password the caller has proved; undefined before anything was shown. */
function provenTrunks(
  { request }: IncomingCall,
  candidates: readonly SipTrunk[],
  guard: DigestGuard,
  nowMs: number,
): ReadonlySet<string> | undefined {
  const credentials = credentialsOf(request, 'Authorization', realm)
  if (credentials === undefined || isFault(credentials)) return undefined
  const { method, body } = request
  const { username, algorithm } = credentials
  const named = candidates.filter(({ settings }) => settings.inboundUsername === username)
  // One check for all: it counts the use of the nonce.
  const proven = named.filter(({ settings }) => {
    const secret = digestSecret(algorithm, username, realm, settings.inboundPassword ?? '')
    return settings.inboundPassword !== null && guard.check(credentials, { secret, method, body }, nowMs) === 'right'
  })
  return new Set(proven.map(({ key }) => key))
}

/** Who calls: the number the carrier vouches for, else that of From. */
function callerOf({ request, core }: IncomingCall, { settings }: SipTrunk): { from: string; name: string | null } {
  const asserted = readAll(request, 'P-Asserted-Identity')
  const addresses: NameAddress[] = [...(isFault(asserted) ? [] : asserted), core.from]
  for (const { uri, displayName } of addresses) {
    const user = isSipUri(uri) ? uri.user : undefined
    const number = user === undefined ? undefined : e164From(user, settings)
    if (number !== undefined) return { from: number, name: nameOf(displayName) }
  }
  const user = isSipUri(core.from.uri) ? unescapeUri(core.from.uri.user ?? '') : ''
  return { from: user.slice(0, 255) || 'anonymous', name: nameOf(core.from.displayName) }
}

function nameOf(text: string | undefined): string | null {
  const plain = text
    ?.replace(/\p{Cc}/gu, '')
    .trim()
    .slice(0, 64)
  return plain === undefined || plain === '' ? null : plain
}
