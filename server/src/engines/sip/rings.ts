// Rings the phones that are registered with one SIP address, all at once: the first that answers has the call, the others hear that
// it was taken elsewhere (RFC 3261 §16.7, here without a proxy between).
import type { AudioStream, CallEnd, LocalAudio, PlannedCall, SipCall, StoredCall } from '@tandem/sip'
import type { EngineCall } from '../../modules/voice/engine/index.ts'
import type { ContactRow } from '../../modules/voice/sip_credentials/index.ts'
import type { FinalResponse } from '../../modules/voice/trunks/index.ts'
import type { Attempt, Outcome, Plan } from '../trunks/driver.ts'
import type { TrunkLeg } from '../trunks/leg.ts'
import { openSound } from '../trunks/sound.ts'
import type { CallAddresses } from './addresses.ts'
import { sipAddresses, storedPlan } from './outgoing.ts'
import { emitEnd, q850Of, type SipParts, unusableAnswer } from './parts.ts'
import { dialPlan } from './phone_calls.ts'
import { type RemoteParty, referralsOf, remoteCall } from './referrals.ts'

/** One phone to be rung, and what its INVITE is known by. */
type PhoneRing = { source: string; addresses: CallAddresses & { hop?: string }; planned: PlannedCall }

type Ringing = SipParts & Attempt & { rings: readonly PhoneRing[] }

/** Who speaks encrypted with us is offered that for its sound too. */
const isSecure = ({ source }: PhoneRing) => source.endsWith('transport=tls')

const elsewhere = { name: 'Reason', value: 'SIP;cause=200;text="Call completed elsewhere"' }

/** A call to all of these phones; undefined where there is none that can be called. */
export function planRings(
  parts: SipParts,
  call: EngineCall,
  contacts: readonly ContactRow[],
  plan: () => PlannedCall,
): Plan | undefined {
  const rings = contacts.flatMap(({ contact, path, source }): PhoneRing[] => {
    const addresses = sipAddresses(call)
    if (addresses === undefined) return []
    // By the proxies it came by; else the way it came, also through NAT.
    const way = path.length > 0 ? { routes: path } : { hop: source }
    return [{ source, addresses: { ...addresses, target: contact, ...way }, planned: plan() }]
  })
  if (rings.length === 0) return undefined
  return {
    stored: { rings: rings.map(({ addresses, planned }) => storedPlan(addresses, planned)) },
    dial: attempt => ringPhones({ ...parts, ...attempt, rings }),
  }
}

async function ringPhones(ringing: Ringing): Promise<Outcome> {
  const { leg, ref, rings, agent, traces, settings } = ringing
  const side: RemoteParty = { type: 'phone', meant: dialPlan(ringing, ref) }
  const open = new Map<number, SipCall>()
  const made: SipCall[] = []
  const stored: StoredCall[] = rings.map(({ addresses, planned }) => storedPlan(addresses, planned))
  const responses: FinalResponse[] = []
  const streams = new Map<number, AudioStream>()
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  let taken: SipCall | undefined
  let hasRung = false
  const sound = await openSoundFor(ringing, leg, () => taken)

  function answered(at: number, one: SipCall): void {
    // Two may be picked up at the same moment.
    if (taken !== undefined || leg.isOver) {
      one.end({ headers: [elsewhere] })
      return
    }
    taken = one
    ringing.answered()
    for (const [other, losing] of [...open]) if (other !== at) losing.end({ q850: 26, headers: [elsewhere] })
    leg.use({ call: remoteCall(one, side, settings), sound })
    const stream = streams.get(at)
    if (stream !== undefined) leg.agree(stream)
    leg.emit({ type: 'answered' })
  }

  function ended(at: number, end: CallEnd): void {
    const one = open.get(at)
    open.delete(at)
    if (one !== undefined && one === taken) {
      emitEnd(leg, end)
      resolve({ type: 'over' })
      return
    }
    const unusable = unusableAnswer(end)
    if (unusable !== undefined) responses.push(unusable)
    if (!end.wasAnswered && end.by === 'remote') responses.push(responseOf(end))
    // Somebody who refuses for all of them (RFC 3261 §21.6).
    const isForAll = end.by === 'remote' && end.status >= 600 && taken === undefined
    if (isForAll) for (const other of [...open.values()]) other.end({})
    conclude()
  }

  function conclude(): void {
    if (open.size > 0 || taken !== undefined) return
    resolve(leg.isOver ? { type: 'over' } : { type: 'refused', response: bestResponse(responses) })
  }

  function ring(at: number, { addresses, planned }: PhoneRing, local: LocalAudio): void {
    traces.belong(planned.callId, ref)
    const one: SipCall = agent.call({
      ...addresses,
      local,
      planned,
      timer: { interval: 1_800, minimum: 90 },
      async store(call) {
        stored[at] = call
        await ringing.store(one === taken ? call : { rings: stored })
      },
      handlers: {
        onMedia(stream) {
          streams.set(at, stream)
          if (one === taken) leg.agree(stream)
        },
        onProgress(status) {
          if (hasRung || status < 180) return
          hasRung = true
          leg.emit({ type: 'ringing' })
        },
        onAnswered: () => answered(at, one),
        onInfo: digit => one === taken && leg.emit({ type: 'dtmf', digit }),
        ...referralsOf(ringing, { leg, ref, side, address: rings[at]?.source ?? '' }),
        onEnded: end => ended(at, end),
      },
    })
    open.set(at, one)
    made.push(one)
  }

  try {
    for (const [at, one] of rings.entries()) ring(at, one, offerFor(one, sound.local))
    ringing.made({
      end(q850) {
        for (const one of [...open.values()]) one.end(q850 === undefined ? {} : { q850 })
      },
    })
    const outcome = await promise
    const disconnected = Promise.all(made.map(one => one.terminated())).then(() => {})
    return outcome.type === 'over' ? { ...outcome, disconnected } : outcome
  } finally {
    await sound.close()
  }
}

/**
 * To a phone that speaks encrypted the offer says RTP/SAVP: many take keys from such an offer only, the one that
 * RFC 4568 §6.1 is about. One that cannot says 488, and is then offered RTP/AVP. Others the other way round.
 */
function offerFor(ring: PhoneRing, local: LocalAudio): LocalAudio {
  return { ...local, srtp: isSecure(ring) ? 'preferred' : 'allowed' }
}

function openSoundFor(
  { settings, clock, services, allow, rings }: Ringing,
  leg: TrunkLeg,
  taken: () => SipCall | undefined,
) {
  const sources = rings.map(({ source }) => source)
  return openSound({
    settings,
    clock,
    toward: /^sip:\[?([^\]]+?)\]?:\d+;/.exec(sources[0] ?? '')?.[1] ?? '192.0.2.1',
    codecs: ['PCMU', 'PCMA'],
    srtp: 'preferred',
    allow,
    signalling: () => taken()?.remoteAddress,
    nowMs: services.clock.now(),
    onDigit: digit => leg.emit({ type: 'dtmf', digit }),
    onSilence() {
      leg.emit({ type: 'ended', cause: 'media_timeout', by: 'system' })
      taken()?.end({ q850: 41 })
    },
    sendInfo: async (digit, durationMs) => taken()?.sendInfo(digit, durationMs) ?? false,
  })
}

/** A phone that says nothing is one that is not there. */
function responseOf(end: CallEnd): FinalResponse {
  if (end.isSilent) return { sipStatus: 480, q850: 20, heard18x: end.hasRung }
  return { sipStatus: end.status, q850: q850Of(end) ?? null, heard18x: end.hasRung }
}

/** §16.7 step 6: a refusal for all, then what says most: that a person was there. */
function bestResponse(responses: readonly FinalResponse[]): FinalResponse {
  const rank = ({ sipStatus }: FinalResponse) => {
    const status = sipStatus ?? 408
    return status >= 600 ? 0 : status === 486 ? 1 : status === 480 || status === 408 ? 3 : 2
  }
  return responses.toSorted((a, b) => rank(a) - rank(b))[0] ?? { sipStatus: 480, heard18x: false }
}
