// Takes a call that came in, once it is known by what: a trunk, or a phone that is registered here. It is stored, and becomes a leg
// whose instructions run.
import type { G711Law, IncomingCall, StoredCall } from '@tandem/sip'
import type { Scope, Tx } from '../../kernel/db.ts'
import type { EngineHost, InboundCall } from '../../modules/voice/engine.ts'
import { forgetCall } from '../trunks/dial.ts'
import { createTrunkLeg } from '../trunks/leg.ts'
import type { SipTrunk } from '../trunks/line.ts'
import { type CallSound, openSound } from '../trunks/sound.ts'
import { insertStoredCalls } from '../trunks/store.ts'
import { storedCallsOf } from '../trunks/stored_calls.ts'
import { q850Of, type SipParts } from './parts.ts'
import { type FarSide, farCall, referralsOf } from './referrals.ts'

/** By what a call comes in, and what it says. */
export type Coming = {
  scope: Scope
  mode: 'live' | 'test'
  /** Null: a phone's own call. */
  trunk: SipTrunk | null
  from: string
  to: string
  callerName: string | null
  codecs: readonly G711Law[]
  srtp: 'off' | 'preferred' | 'required'
  sessionExpiresSeconds: number
  /** Who is at the other end. */
  side: FarSide
  /** Of a phone: where all that is said to it is sent. */
  hop?: string
  /** What the call begins with, where that is not a matter of the number it calls. */
  begins?: InboundCall['begins']
}

/** Rejects when it cannot be stored. */
export async function takeCall(parts: SipParts, host: EngineHost, incoming: IncomingCall, line: Coming): Promise<void> {
  const { services, settings, clock, allow } = parts
  const { scope, from, to, callerName, mode, trunk, codecs, srtp, begins } = line
  const sound = await openSound({
    settings,
    clock,
    toward: incoming.flow.remote.address,
    codecs,
    srtp,
    allow,
    signalling: () => incoming.remoteAddress,
    nowMs: services.clock.now(),
    onDigit: digit => leg?.tell({ type: 'dtmf', digit }),
    onSilence() {
      leg?.tell({ type: 'ended', cause: 'media_timeout', by: 'system' })
      incoming.end({ q850: 41 })
    },
    sendInfo: (digit, durationMs) => incoming.sendInfo(digit, durationMs),
  })
  let leg: ReturnType<typeof createTrunkLeg> | undefined
  const trunkId = trunk?.id ?? null
  const inbound: InboundCall = {
    from,
    to,
    callerName,
    trunkId,
    mode,
    ...(begins === undefined ? {} : { begins }),
    async prepare(tx: Tx, callId) {
      await insertStoredCalls(tx, scope, [{ callId, trunkId, stored: incoming.stored }])
    },
    leg(callId) {
      leg = begin(parts, incoming, line, sound, callId)
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

function begin(parts: SipParts, incoming: IncomingCall, line: Coming, sound: CallSound, callId: string) {
  const { services, settings, traces } = parts
  const { scope, trunk, side, sessionExpiresSeconds, hop } = line
  const ref = { tenantId: scope.tenantId, organizationId: scope.organizationId, callId }
  traces.belong(incoming.callId, ref)
  if (trunk !== null) {
    trunk.counters.calls++
    trunk.counters.active++
  }
  const leg = createTrunkLeg(callId, {
    clock: services.clock,
    ring: withSound => incoming.ring(withSound),
    async answer() {
      if (await incoming.answer()) leg.tell({ type: 'answered' })
    },
    reject: sipCode => incoming.reject(sipCode),
    hangup: q850 => incoming.end(q850 === undefined ? {} : { q850 }),
  })
  leg.use({ call: farCall(incoming, side, settings), sound })

  incoming.accept({
    local: sound.local,
    timer: { interval: sessionExpiresSeconds, minimum: 90 },
    ...(hop === undefined ? {} : { hop }),
    async store(stored: StoredCall) {
      await storedCallsOf(services.db).update(ref, { trunkId: trunk?.id ?? null, stored })
    },
    handlers: {
      onMedia: stream => leg.agree(stream),
      onInfo: digit => leg.tell({ type: 'dtmf', digit }),
      ...referralsOf(parts, { leg, ref, side, address: incoming.flow.remote.address }),
      onEnded(end) {
        if (trunk !== null) trunk.counters.active--
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
        void incoming.farewell().then(() => forgetCall({ services, lines: [traces] }, ref))
      },
    },
  })
  return leg
}
