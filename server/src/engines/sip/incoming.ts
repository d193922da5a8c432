// Takes a call that comes in: of a registered phone, by the user name and password it proves; of a trunk, by its source address (or
// the name and password it proves) and by the account or the number it calls.
import {
  credentialsOf,
  type DigestGuard,
  digestSecret,
  type IncomingCall,
  isFault,
  isSipUri,
  type NameAddress,
  readAll,
  type Screened,
  type SipReply,
  type SipRequest,
  unescapeUri,
} from '@tandem/sip'
import type { Db } from '../../kernel/data/db.ts'
import { numberClaims } from '../../modules/messaging/numbers/index.ts'
import type { EngineHost } from '../../modules/voice/engine/index.ts'
import { realm } from '../../modules/voice/sip_credentials/index.ts'
import { e164From, type InboundClaims, inboundTrunk, type PeerMatch } from '../../modules/voice/trunks/index.ts'
import { isFullAnywhere } from '../trunks/admission.ts'
import type { SipTrunk } from '../trunks/driver.ts'
import { tryOccupy } from '../trunks/load.ts'
import { acceptCall } from './inbound_call.ts'
import { dialledUser, type SipParts } from './parts.ts'
import { acceptPhoneCall, isOfPhone } from './phone_calls.ts'
import { registeredUser } from './watch.ts'

/** Whose a call is that was let in, and which number it calls. */
type Admitted = { trunk: SipTrunk; to: string }
type Arriving = Pick<IncomingCall, 'request' | 'core' | 'flow'>

/** Of calls that were just let in, by their INVITEs. */
const admitted = new WeakMap<SipRequest, Admitted>()

/**
 * What a call is answered before anything is kept of it. Who is nobody's carrier, and anyone who owes the proof of a password, hears so
 * at once; whose the call is has to be looked up, and until then its sender, whose address may be forged, hears nothing.
 */
export function screenCall(parts: SipParts, invite: Arriving): Screened | (() => Promise<Screened>) {
  if (isOfPhone(invite)) return parts.phones.screen(invite.request, invite.core, invite.flow)
  const matches = parts.sources.known(invite.flow.remote.address, invite.flow.transport)
  // Names of trunks are looked up still where there is none.
  return (matches && refusedAt(parts, invite, matches)) ?? (() => admit(parts, invite))
}

/** By the address that it comes from. */
function refusedAt(
  { refusals, guard, services }: SipParts,
  invite: Arriving,
  matches: readonly PeerMatch[],
): SipReply | undefined {
  const { address } = invite.flow.remote
  if (matches.length === 0) {
    refusals.report('unknown_peer', { address, to: dialledUser(invite) })
    return { status: 403 }
  }
  if (matches.some(({ inboundUsername }) => inboundUsername === null)) return undefined
  const nowMs = services.clock.now()
  const credentials = credentialsOf(invite.request, 'Authorization', realm)
  if (isFault(credentials)) return { status: 400 }
  if (credentials !== undefined && guard.isFresh(credentials.nonce, nowMs, address)) return undefined
  return { status: 401, headers: guard.challenge(401, nowMs, { isStale: credentials !== undefined, address }) }
}

async function admit(parts: SipParts, invite: Arriving): Promise<SipReply | undefined> {
  try {
    const found = await trunkOf(parts, invite)
    if ('refusal' in found) return found.refusal
    admitted.set(invite.request, found)
    return undefined
  } catch (error) {
    const { address } = invite.flow.remote
    parts.refusals.report('not_looked_up', { address, to: dialledUser(invite), why: String(error) })
    return { status: 503, headers: [{ name: 'Retry-After', value: '5' }] }
  }
}

/** The trunk that it is for, and the number; else what it is refused with. */
async function trunkOf(parts: SipParts, invite: Arriving): Promise<Admitted | { refusal: SipReply }> {
  const { trunks, services, sources, refusals, guard, owner } = parts
  const { address } = invite.flow.remote
  const refused = { address, to: dialledUser(invite) }
  const matches = await sources.cameBy(address, invite.flow.transport)
  const candidates = matches.flatMap(({ trunkId }) => {
    const trunk = trunks.withKey(trunkId)
    return trunk?.kind === 'sip' ? [trunk] : []
  })
  const registered = new Set(candidates.filter(trunk => isCalledAs(parts, invite, trunk)).map(({ key }) => key))
  const dialled = new Map(candidates.map(trunk => [trunk.key, dialledNumber(invite, trunk, registered.has(trunk.key))]))
  const nowMs = services.clock.now()
  const proven = provenTrunks(invite, candidates, guard, nowMs)
  const claims = { ...(await claimsOf(services.db, candidates, dialled, registered)), proven }
  const choice = inboundTrunk(matches, claims)
  if (choice.outcome === 'challenge') {
    return { refusal: { status: 401, headers: guard.challenge(401, nowMs, { isStale: proven?.size === 0, address }) } }
  }
  if (choice.outcome !== 'trunk') {
    refusals.report(choice.outcome, refused)
    return { refusal: { status: choice.outcome === 'unknown_peer' ? 403 : 404 } }
  }
  const trunk = candidates.find(({ key }) => key === choice.match.trunkId)
  const to = trunk && dialled.get(trunk.key)
  if (trunk === undefined || to === undefined) return { refusal: { status: 404 } }
  const isTooMany = await isFullAnywhere(trunk, services, owner)
  return isTooMany ? { refusal: refusedAsFull(parts, invite, trunk) } : { trunk, to }
}

function refusedAsFull({ refusals }: SipParts, invite: Arriving, trunk: SipTrunk) {
  refusals.report('trunk_full', { address: invite.flow.remote.address, to: dialledUser(invite), trunk: trunk.id })
  return { status: 503, headers: [{ name: 'Retry-After', value: '10' }] }
}

/** Gives a call that was let in to the node. Rejects when it cannot be stored. */
export async function acceptInbound(parts: SipParts, host: EngineHost, incoming: IncomingCall): Promise<void> {
  // `Supported: replaces` lets phones transfer after asking (REFER); nobody outside may take the place of a call here (RFC 3891 §3).
  if (incoming.replaces !== undefined) return incoming.reject(403)
  if (isOfPhone(incoming)) return acceptPhoneCall(parts, host, incoming)
  const found = admitted.get(incoming.request)
  if (found === undefined) throw new Error('a call was let in that was not screened')
  const { trunk, to } = found
  // Others may have come in since it was let in.
  const leave = tryOccupy(trunk)
  if (leave === undefined) {
    const { status, headers } = refusedAsFull(parts, incoming, trunk)
    return incoming.reject(status, headers)
  }
  const { from, name } = callerOf(incoming, trunk)
  const { codecs, srtp, sessionExpiresSeconds } = trunk.settings
  const accepted = acceptCall(parts, host, incoming, {
    scope: trunk.scope,
    mode: 'live',
    trunk,
    leave,
    from,
    to,
    callerName: name,
    codecs,
    srtp,
    sessionExpiresSeconds,
    side: { type: 'trunk', trunk },
  })
  accepted.catch(leave)
  await accepted
}

/** Whether the carrier calls the account that this server has registered with it, at the address the call comes from. */
function isCalledAs({ registrations }: SipParts, incoming: Arriving, { key, settings }: SipTrunk): boolean {
  const user = dialledUser(incoming)
  if (user === undefined || registrations.get(key)?.registeredAt !== incoming.flow.remote.address) return false
  return unescapeUri(user) === registeredUser(settings)
}

/**
 * The number that is dialled, in E.164. A carrier that calls an account names the number in P-Called-Party-ID
 * (RFC 7315 §4.2) or in To.
 */
function dialledNumber(incoming: Arriving, { settings }: SipTrunk, isAccount: boolean): string | undefined {
  const user = dialledUser(incoming)
  const number = user === undefined ? undefined : e164From(user, settings)
  if (!isAccount) return number
  const called = readAll(incoming.request, 'P-Called-Party-ID')
  for (const { uri } of [...(isFault(called) ? [] : called), incoming.core.to]) {
    const named = isSipUri(uri) && uri.user !== undefined ? e164From(uri.user, settings) : undefined
    if (named !== undefined) return named
  }
  return number
}

/** Which trunks the number that each of them was dialled with is for. */
async function claimsOf(
  db: Db,
  candidates: readonly SipTrunk[],
  dialled: ReadonlyMap<string, string | undefined>,
  registered: ReadonlySet<string>,
): Promise<Omit<InboundClaims, 'proven'>> {
  const having = { registered: new Set<string>(), holding: new Set<string>(), verified: new Set<string>() }
  for (const [number, trunks] of Map.groupBy(candidates, ({ key }) => dialled.get(key))) {
    if (number === undefined) continue
    const owners = await numberClaims(db, number)
    for (const { key, scope } of trunks) {
      const owner = owners.find(({ tenant_id, voice }) => tenant_id === scope.tenantId && voice)
      if (owner !== undefined && registered.has(key)) having.registered.add(key)
      if (owner !== undefined && owner.ownership !== 'contested') having.holding.add(key)
      if (owner?.ownership === 'verified') having.verified.add(key)
    }
  }
  return having
}

/** Trunks whose name and password the caller has proved; undefined before anything was shown. */
function provenTrunks(
  { request, flow }: Arriving,
  candidates: readonly SipTrunk[],
  guard: DigestGuard,
  nowMs: number,
): ReadonlySet<string> | undefined {
  const credentials = credentialsOf(request, 'Authorization', realm)
  if (credentials === undefined || isFault(credentials)) return undefined
  const { method, uri, body } = request
  const { address } = flow.remote
  const { username, algorithm } = credentials
  const named = candidates.filter(({ settings }) => settings.inboundUsername === username)
  // One check for all: it counts the use of the nonce.
  const proven = named.filter(({ settings }) => {
    const secret = digestSecret(algorithm, username, realm, settings.inboundPassword ?? '')
    return (
      settings.inboundPassword !== null &&
      guard.check(credentials, { secret, method, uri, body, address }, nowMs) === 'right'
    )
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
    .toWellFormed()
  return plain === undefined || plain === '' ? null : plain
}
