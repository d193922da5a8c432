// Takes a call that comes in by a trunk: whose it is by its source address (or the name and password it proves) and by the number it
// calls; then it is stored, and its instructions run.
import {
  createDigestGuard,
  credentialsOf,
  type DigestGuard,
  digestSecret,
  type IncomingCall,
  isFault,
  isSipUri,
  type NameAddress,
  readAll,
  type StoredCall,
  unescapeUri,
} from '@tandem/sip'
import type { Scope } from '../../kernel/db.ts'
import type { EngineHost, InboundCall } from '../../modules/voice/engine.ts'
import { e164From, inboundTrunk } from '../../modules/voice/trunks/index.ts'
import { forgetCall } from '../trunks/dial.ts'
import { createTrunkLeg } from '../trunks/leg.ts'
import type { SipTrunk } from '../trunks/line.ts'
import { type CallSound, openSound } from '../trunks/sound.ts'
import { insertStoredCalls, numberOwners, updateStoredCall } from '../trunks/store.ts'
import { q850Of, type SipParts } from './parts.ts'

const realm = 'tandem'
const guards = new WeakMap<Buffer, DigestGuard>()

/** Nonces are sealed with the installation's own secret, so all nodes know each other's. */
function guardOf(pepper: Buffer): DigestGuard {
  let guard = guards.get(pepper)
  if (guard === undefined) {
    guard = createDigestGuard({ realm, key: pepper })
    guards.set(pepper, guard)
  }
  return guard
}

/** Refuses it, or gives it to the node. Rejects when it cannot be stored. */
export async function takeIncoming(parts: SipParts, host: EngineHost, incoming: IncomingCall): Promise<void> {
  const { trunks, services, sources } = parts
  const matches = await sources.cameBy(incoming.flow.remote.address)
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
  const proven = provenTrunks(incoming, candidates, services.pepper, services.clock.now())
  const choice = inboundTrunk(matches, new Set(owners.keys()), proven)
  if (choice.outcome === 'challenge') {
    return incoming.reject(401, guardOf(services.pepper).challenge(401, services.clock.now(), proven?.size === 0))
  }
  if (choice.outcome === 'unknown_peer') return incoming.reject(403)
  if (choice.outcome !== 'trunk') return incoming.reject(404)
  const trunk = candidates.find(({ key }) => key === choice.match.trunkId)
  const to = trunk && dialled.get(trunk.key)
  if (trunk === undefined || to === undefined) return incoming.reject(404)
  if (trunk.counters.active >= trunk.settings.concurrentCalls) {
    return incoming.reject(503, [{ name: 'Retry-After', value: '10' }])
  }
  await accept(parts, host, incoming, trunk, to)
}

/** The number that is called, by the Request-URI: To may say what was dialled before a diversion. */
function dialledNumber({ core, request }: IncomingCall, { settings }: SipTrunk): string | undefined {
  const { uri } = core
  const user = uri !== undefined && isSipUri(uri) ? uri.user : /^tel:([^;]+)/i.exec(request.uri)?.[1]
  return user === undefined ? undefined : e164From(user, settings)
}

/** Trunks whose name and password the caller has proved; undefined before anything was shown. */
function provenTrunks(
  { request }: IncomingCall,
  candidates: readonly SipTrunk[],
  pepper: Buffer,
  nowMs: number,
): ReadonlySet<string> | undefined {
  const credentials = credentialsOf(request, 'Authorization', realm)
  if (credentials === undefined || isFault(credentials)) return undefined
  const { method, body } = request
  const { username, algorithm } = credentials
  const named = candidates.filter(({ settings }) => settings.inboundUsername === username)
  const guard = guardOf(pepper)
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

async function accept(
  parts: SipParts,
  host: EngineHost,
  incoming: IncomingCall,
  trunk: SipTrunk,
  to: string,
): Promise<void> {
  const { services, settings, clock } = parts
  const { from, name } = callerOf(incoming, trunk)
  const sound = await openSound({
    settings,
    clock,
    toward: incoming.flow.remote.address,
    codecs: trunk.settings.codecs,
    srtp: trunk.settings.srtp,
    nowMs: services.clock.now(),
    onDigit: digit => leg?.tell({ type: 'dtmf', digit }),
    onSilence() {
      leg?.tell({ type: 'ended', cause: 'media_timeout', by: 'system' })
      incoming.end({ q850: 41 })
    },
    sendInfo: (digit, durationMs) => incoming.sendInfo(digit, durationMs),
  })
  let leg: ReturnType<typeof createTrunkLeg> | undefined
  const scope: Scope = trunk.scope
  const inbound: InboundCall = {
    from,
    to,
    callerName: name,
    trunkId: trunk.id,
    mode: 'live',
    async prepare(tx, callId) {
      await insertStoredCalls(tx, scope, [{ callId, trunkId: trunk.id, stored: incoming.stored }])
    },
    leg(callId) {
      leg = begin(parts, incoming, trunk, sound, callId)
      return leg
    },
  }
  try {
    await host.offer(scope, inbound)
  } catch (error) {
    await sound.close()
    throw error
  }
}

function begin(parts: SipParts, incoming: IncomingCall, trunk: SipTrunk, sound: CallSound, callId: string) {
  const { services, traces } = parts
  const ref = { tenantId: trunk.scope.tenantId, organizationId: trunk.scope.organizationId, callId }
  traces.belong(incoming.callId, ref)
  trunk.counters.calls++
  trunk.counters.active++
  const leg = createTrunkLeg(callId, {
    clock: services.clock,
    ring: withSound => incoming.ring(withSound),
    async answer() {
      if (await incoming.answer()) leg.tell({ type: 'answered' })
    },
    reject: sipCode => incoming.reject(sipCode),
    hangup: q850 => incoming.end(q850 === undefined ? {} : { q850 }),
  })
  leg.use({ call: incoming, sound })
  incoming.accept({
    local: sound.local,
    timer: { interval: trunk.settings.sessionExpiresSeconds, minimum: 90 },
    async store(stored: StoredCall) {
      await services.db.inTenant(ref, tx => updateStoredCall(tx, ref, callId, { trunkId: trunk.id, stored }))
    },
    handlers: {
      onMedia: stream => leg.agree(stream),
      onInfo: digit => leg.tell({ type: 'dtmf', digit }),
      onRefer(referral, report) {
        const user = isSipUri(referral.target) ? referral.target.user : undefined
        const number = user === undefined ? undefined : e164From(user, trunk.settings)
        if (number === undefined) report(404)
        else leg.tell({ type: 'transfer_asked', to: number, replaces: null, settle: report })
      },
      onEnded(end) {
        trunk.counters.active--
        const cause = q850Of(end)
        const q850 = cause === undefined ? {} : { q850: cause }
        if (end.wasAnswered && end.isSilent)
          leg.tell({ type: 'ended', cause: 'network', by: 'carrier', sipCode: end.status })
        else if (end.wasAnswered)
          leg.tell({ type: 'ended', cause: 'normal', by: end.by === 'remote' ? 'caller' : 'system', ...q850 })
        else if (end.status === 488) leg.tell({ type: 'ended', cause: 'codec_mismatch', by: 'system' })
        else
          leg.tell({
            type: 'ended',
            cause: 'canceled',
            by: end.by === 'remote' ? 'caller' : 'system',
            sipCode: end.status,
            ...q850,
          })
        void sound.close()
        void forgetCall({ services, lines: [traces] }, ref)
      },
    },
  })
  return leg
}
