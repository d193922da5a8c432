// Accepts a call that came in, once it is known by what: a trunk, or a phone that is registered here. It is stored, and becomes a leg
// whose instructions run.
import type { G711Law, IncomingCall, StoredCall } from '@tandem/sip'
import type { Scope } from '../../kernel/data/db.ts'
import type { EngineHost, InboundCall } from '../../modules/voice/engine/index.ts'
import { forgetCall } from '../trunks/dial.ts'
import type { SipTrunk } from '../trunks/driver.ts'
import { createTrunkLeg } from '../trunks/leg.ts'
import { persist } from '../trunks/persist.ts'
import { type CallSound, openSound } from '../trunks/sound.ts'
import { storedCallsOf } from '../trunks/stored_calls.ts'
import { q850Of, type SipParts } from './parts.ts'
import { type RemoteParty, referralsOf, remoteCall } from './referrals.ts'

/** By what a call comes in, and what it says. */
export type InboundSipCall = {
  scope: Scope
  mode: 'live' | 'test'
  /** Null: a phone's own call. */
  trunk: SipTrunk | null
  /** Gives back the place that the call has at its trunk. */
  leave?(): void
  from: string
  to: string
  callerName: string | null
  codecs: readonly G711Law[]
  srtp: 'off' | 'preferred' | 'required'
  sessionExpiresSeconds: number
  /** Who is at the other end. */
  side: RemoteParty
  /** Of a phone: where all that is said to it is sent. */
  hop?: string
  /** What the call starts with, where that is not a matter of the number it calls. */
  handling?: InboundCall['handling']
}

/** Rejects when it cannot be stored. */
export async function acceptCall(
  parts: SipParts,
  host: EngineHost,
  incoming: IncomingCall,
  call: InboundSipCall,
): Promise<void> {
  const { services, settings, clock, allow } = parts
  const { scope, from, to, callerName, mode, trunk, codecs, srtp, handling } = call
  const sound = await openSound({
    settings,
    clock,
    toward: incoming.flow.remote.address,
    codecs,
    srtp,
    allow,
    signalling: () => incoming.remoteAddress,
    nowMs: services.clock.now(),
    onDigit: digit => leg?.emit({ type: 'dtmf', digit }),
    onSilence() {
      leg?.emit({ type: 'ended', cause: 'media_timeout', by: 'system' })
      incoming.end({ q850: 41 })
    },
    sendInfo: (digit, durationMs) => incoming.sendInfo(digit, durationMs),
  })
  let leg: ReturnType<typeof createTrunkLeg> | undefined
  const trunkId = trunk?.id ?? null
  const inbound = { from, to, callerName, trunkId, mode, stored: incoming.stored, ...(handling && { handling }) }
  try {
    const stored = await host.store(scope, inbound)
    try {
      leg = createInboundLeg(parts, incoming, call, sound, stored.id)
    } catch (error) {
      host.fail(stored)
      throw error
    }
    host.run(stored, leg)
  } catch (error) {
    await sound.close()
    throw error
  }
}

function createInboundLeg(
  parts: SipParts,
  incoming: IncomingCall,
  call: InboundSipCall,
  sound: CallSound,
  callId: string,
) {
  const { services, settings, traces } = parts
  const { scope, trunk, side, sessionExpiresSeconds, hop } = call
  const ref = { tenantId: scope.tenantId, organizationId: scope.organizationId, callId }
  const storedCalls = storedCallsOf(services.db)
  let newest: StoredCall | undefined
  traces.belong(incoming.callId, ref)
  if (trunk !== null) trunk.counters.calls++
  const leg = createTrunkLeg(callId, {
    clock: services.clock,
    ring: withSound => incoming.ring(withSound),
    async answer() {
      if (await incoming.answer()) leg.emit({ type: 'answered' })
    },
    reject: sipCode => incoming.reject(sipCode),
    hangup: q850 => incoming.end(q850 === undefined ? {} : { q850 }),
  })
  leg.use({ call: remoteCall(incoming, side, settings), sound })

  incoming.accept({
    local: sound.local,
    timer: { interval: sessionExpiresSeconds, minimum: 90 },
    ...(hop === undefined ? {} : { hop }),
    async store(stored: StoredCall) {
      newest = stored
      await persist(
        () => storedCalls.update(ref, { trunkId: trunk?.id ?? null, stored }),
        () => leg.isOver || newest !== stored,
      )
    },
    handlers: {
      onMedia: stream => leg.agree(stream),
      onInfo: digit => leg.emit({ type: 'dtmf', digit }),
      ...referralsOf(parts, { leg, ref, side, address: incoming.flow.remote.address }),
      onEnded(end) {
        call.leave?.()
        const cause = q850Of(end)
        const q850 = cause === undefined ? {} : { q850: cause }
        if (end.wasAnswered && end.isSilent)
          leg.emit({ type: 'ended', cause: 'network', by: 'carrier', sipCode: end.status })
        else if (end.wasAnswered)
          leg.emit({ type: 'ended', cause: 'normal', by: end.by === 'remote' ? 'caller' : 'system', ...q850 })
        else if (end.status === 488) leg.emit({ type: 'ended', cause: 'codec_mismatch', by: 'system' })
        else
          leg.emit({
            type: 'ended',
            cause: 'canceled',
            by: end.by === 'remote' ? 'caller' : 'system',
            sipCode: end.status,
            ...q850,
          })
        void sound.close()
        void incoming.terminated().then(() => forgetCall({ services, drivers: [traces] }, ref))
      },
    },
  })
  return leg
}
