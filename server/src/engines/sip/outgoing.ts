// Dials one call by its trunks, one after the other until one takes it: the next only before any phone can have rung, and only
// where the carrier failed (comms: SIP trunk, failover).
import {
  type CallEnd,
  formatUri,
  isFault,
  nextRequest,
  type PlannedCall,
  parseUri,
  planCall,
  type SipCall,
  type StoredCall,
} from '@tandem/sip'
import type { Scope } from '../../kernel/db.ts'
import type { CallRef, EngineCall, Leg } from '../../modules/voice/engine.ts'
import { endOfStatus, type LastWord, mayFailOver } from '../../modules/voice/trunks/index.ts'
import { accountOf, type CallAddresses, callAddresses } from './addresses.ts'
import { createSipLeg, q850Of, type SipLeg } from './leg.ts'
import { type CallPlan, forgetCall, isSipAddress, type SipParts } from './parts.ts'
import { openSound } from './sound.ts'
import { updateSipCall } from './store.ts'
import type { HeldTrunk } from './trunks.ts'

/** What one try came to: the call stands, or it ended with a word that says whether another may try. */
type Outcome = { type: 'over' } | { type: 'refused'; word: LastWord }

const noAnswer = 19

export function dialByTrunks(parts: SipParts, scope: Scope, call: EngineCall, plan: CallPlan): Leg {
  const { services, trunks } = parts
  const ref = { tenantId: scope.tenantId, organizationId: scope.organizationId, callId: call.callId }
  let current: SipCall | undefined
  let hungUp: { q850: number | undefined } | undefined
  const leg = createSipLeg(call.callId, {
    clock: services.clock,
    ring() {},
    async answer() {},
    reject: () => leg.hangup(),
    hangup(q850) {
      hungUp = { q850 }
      current?.end(q850 === undefined ? {} : { q850 })
    },
  })

  async function run(): Promise<void> {
    const candidates = candidatesOf(trunks.ofTenant(scope.tenantId), call, plan.trunkIds)
    // Ringing is limited over all tries together.
    const limit = setTimeout(ringsTooLong, call.timeoutSeconds * 1_000)
    limit.unref()
    try {
      for (const [index, trunk] of candidates.entries()) {
        const planned = index === 0 ? plan.sip : parts.agent.plan()
        const outcome = await attempt(
          { ...parts, leg, ref, call, trunk, planned, isFirst: index === 0 },
          made => {
            current = made
            if (hungUp !== undefined) made.end(hungUp.q850 === undefined ? {} : { q850: hungUp.q850 })
          },
          limit,
        )
        if (outcome.type === 'over' || leg.isOver) return
        const next = candidates[index + 1]
        if (next === undefined || trunk === null || next === null || !mayFailOver(outcome.word)) {
          const { cause, by, sipCode, q850 } = endOfStatus(outcome.word)
          return leg.tell({ type: 'ended', cause, by, sipCode, ...(q850 === undefined ? {} : { q850 }) })
        }
        const sipCode = outcome.word.sipStatus ?? 408
        leg.tell({ type: 'rerouted', trunk: trunk.id, sipCode, nextTrunk: next.id })
      }
      leg.tell({ type: 'ended', cause: 'network', by: 'system' })
    } catch (error) {
      services.log.error({ err: error, call: call.callId }, 'a call could not be dialled')
      leg.tell({ type: 'ended', cause: 'network', by: 'system' })
    } finally {
      clearTimeout(limit)
      await forgetCall(parts, ref)
    }
  }

  function ringsTooLong(): void {
    if (leg.isOver || current?.phase === 'answered') return
    const made = current
    leg.tell({ type: 'ended', cause: 'no_answer', by: 'system' })
    made?.end({ q850: noAnswer })
  }

  void run()
  return leg
}

/** Where a call goes and what it says of who calls; undefined for what cannot be dialled. */
export function addressesOf(call: EngineCall, trunk: HeldTrunk | null): CallAddresses | undefined {
  return trunk === null ? sipAddresses(call) : callAddresses(call, trunk.settings)
}

/** What can take an INVITE back that has not left yet: the call as it is about to be dialled. */
export function storedPlan(
  { from, to, target, routes }: CallAddresses,
  { callId, localTag, branch }: PlannedCall,
): StoredCall {
  const call = planCall({ callId, localTag, from, to, target, routes, contact: '<sip:unused@invalid>' })
  return { dialog: nextRequest(call, 'INVITE', { via: 'SIP/2.0/UDP invalid' }).dialog, branch }
}

/** The trunks of a call as they were planned; null stands for a SIP address, which needs none. */
function candidatesOf(
  own: readonly HeldTrunk[],
  { to }: EngineCall,
  trunkIds: readonly string[],
): (HeldTrunk | null)[] {
  if (isSipAddress(to)) return [null]
  return trunkIds.flatMap(trunkId => own.find(({ id }) => id === trunkId) ?? [])
}

type Attempt = SipParts & {
  leg: SipLeg
  ref: CallRef
  call: EngineCall
  trunk: HeldTrunk | null
  planned: PlannedCall
  isFirst: boolean
}

async function attempt(parts: Attempt, made: (call: SipCall) => void, limit: NodeJS.Timeout): Promise<Outcome> {
  const { leg, ref, call, trunk, planned, isFirst, agent, services, settings, clock, traces } = parts
  const addresses = addressesOf(call, trunk)
  if (addresses === undefined) return { type: 'refused', word: { sipStatus: 484, heard18x: false } }
  traces.belong(planned.callId, ref)
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  let sipCall: SipCall | undefined
  const sound = await openSound({
    settings,
    clock,
    toward: hostOf(addresses),
    codecs: trunk?.settings.codecs ?? ['PCMU', 'PCMA'],
    srtp: trunk?.settings.srtp ?? 'off',
    nowMs: services.clock.now(),
    onDigit: digit => leg.tell({ type: 'dtmf', digit }),
    onSilence() {
      leg.tell({ type: 'ended', cause: 'media_timeout', by: 'system' })
      sipCall?.end({ q850: 41 })
    },
    sendInfo: async (digit, durationMs) => sipCall?.sendInfo(digit, durationMs) ?? false,
  })
  const store = async (stored: StoredCall) => {
    await services.db.inTenant(ref, tx => updateSipCall(tx, ref, ref.callId, { trunkId: trunk?.id ?? null, stored }))
  }
  const account = trunk === null ? accountOfSip(call) : accountOf(trunk.settings)
  if (trunk !== null) {
    trunk.counters.calls++
    trunk.counters.active++
  }
  let isRinging = false
  try {
    // The first was stored in the transaction that marked the call as dialled.
    if (!isFirst) await store(storedPlan(addresses, planned))
    sipCall = agent.call({
      ...addresses,
      local: sound.local,
      planned,
      store,
      ...(account === undefined ? {} : { account }),
      ...(trunk === null
        ? {}
        : { profile: trunk.key, timer: { interval: trunk.settings.sessionExpiresSeconds, minimum: 90 } }),
      handlers: {
        onMedia: stream => leg.agree(stream),
        onProgress(status, early) {
          if (isRinging) {
            if (early !== undefined) leg.tell({ type: 'early_media' })
          } else if (status === 180 || early !== undefined) {
            isRinging = true
            leg.tell({ type: 'ringing', ...(early === undefined ? {} : { earlyMedia: true }) })
          }
        },
        onAnswered() {
          clearTimeout(limit)
          leg.tell({ type: 'answered' })
        },
        onInfo: digit => leg.tell({ type: 'dtmf', digit }),
        onRefer(referral, report) {
          leg.tell({ type: 'transfer_asked', to: formatUri(referral.target), replaces: null, settle: report })
        },
        onEnded: end => resolve(outcomeOf(leg, end)),
      },
    })
    leg.use({ call: sipCall, sound })
    made(sipCall)
    const outcome = await promise
    if (trunk !== null && outcome.type === 'refused' && mayFailOver(outcome.word)) trunk.counters.failed++
    return outcome
  } finally {
    if (trunk !== null) trunk.counters.active--
    await sound.close()
  }
}

function outcomeOf(leg: SipLeg, end: CallEnd): Outcome {
  if (leg.isOver) return { type: 'over' }
  const q850 = q850Of(end) ?? null
  if (end.wasAnswered) {
    if (end.isSilent) leg.tell({ type: 'ended', cause: 'network', by: 'carrier', sipCode: end.status })
    else
      leg.tell({
        type: 'ended',
        cause: 'normal',
        by: end.by === 'remote' ? 'callee' : 'system',
        sipCode: 200,
        q850: q850 ?? 16,
      })
    return { type: 'over' }
  }
  const heard18x = end.hasRung
  return { type: 'refused', word: { sipStatus: end.isSilent ? null : end.status, q850, heard18x } }
}

/** A call to a SIP address: as it is, from an address of ours. */
function sipAddresses({ to, from, callerName, sip }: EngineCall): CallAddresses | undefined {
  const uri = parseUri(to)
  if (isFault(uri)) return undefined
  const name = callerName === null ? '' : `${JSON.stringify(callerName)} `
  const headers = Object.entries(sip?.headers ?? {}).map(([header, value]) => ({ name: header, value }))
  return {
    from: `${name}<sip:${from.replace(/^\+/, '%2B')}@tandem.invalid>`,
    to: `<${to}>`,
    target: to,
    routes: [],
    headers,
  }
}

function accountOfSip({ sip }: EngineCall) {
  return sip?.user === undefined || sip.password === undefined
    ? undefined
    : { username: sip.user, password: sip.password }
}

/** Any address of the same network will do to choose ours by. */
function hostOf({ routes, target }: CallAddresses): string {
  const text = routes[0] ?? target
  return /@?(\d+\.\d+\.\d+\.\d+)/.exec(text)?.[1] ?? /\[([0-9a-f:]+)\]/i.exec(text)?.[1] ?? '192.0.2.1'
}
