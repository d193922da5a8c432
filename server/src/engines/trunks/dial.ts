// Dials one call by its trunks, one after the other until one takes it: the next only before any phone can have rung, and only
// where the carrier failed (comms: SIP trunk, failover). The trunks may be of different kinds.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Scope } from '../../kernel/data/db.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import type { CallRef, EngineCall, Leg, LegEvent } from '../../modules/voice/engine/index.ts'
import { endOfStatus, type FinalResponse, mayFailOver } from '../../modules/voice/trunks/index.ts'
import { admitTo } from './admission.ts'
import type { HeldTrunk, HeldTrunks, Outcome, Plan, TrunkDriver } from './driver.ts'
import { createTrunkLeg } from './leg.ts'
import { occupy } from './load.ts'
import { persist } from './persist.ts'
import { storedCallsOf } from './stored_calls.ts'

/** What is decided of a call before it is dialled: how it goes by its first trunk, and all of its trunks in their order. */
export type CallPlan = {
  first: Plan
  /** The trunk of `first` as it was set up then. */
  firstTrunk: HeldTrunk | null
  trunkIds: readonly string[]
}

export type Dialling = {
  services: Services
  trunks: HeldTrunks
  driverOf(trunk: HeldTrunk | null): TrunkDriver
  drivers: readonly TrunkDriver[]
}

const noAnswer = 19

export function isSipAddress(to: string): boolean {
  return /^sips?:/i.test(to)
}

export function dialByTrunks(parts: Dialling, scope: Scope, call: EngineCall, plan: CallPlan): Leg {
  const { services, trunks } = parts
  const storedCalls = storedCallsOf(services.db)
  const ref = { tenantId: scope.tenantId, organizationId: scope.organizationId, callId: call.callId }
  let current: { end(q850: number | undefined): void } | undefined
  let hungUp: { q850: number | undefined } | undefined
  let isAnswered = false
  /** Nobody waits any more for the call to start. */
  const givenUp = new AbortController()
  const leg = createTrunkLeg(call.callId, {
    clock: services.clock,
    ring() {},
    async answer() {},
    reject: () => leg.hangup(),
    hangup(q850) {
      hungUp = { q850 }
      givenUp.abort()
      current?.end(q850)
    },
  })

  async function run(): Promise<void> {
    // In the order as it was planned, each as it is set up when its turn comes; a SIP address needs none.
    const [firstId, ...left] = plan.trunkIds
    // Ringing is limited over all tries together.
    const limit = setTimeout(ringsTooLong, call.timeoutSeconds * 1_000)
    limit.unref()
    let disconnected: Promise<void> | undefined
    try {
      const first = isSipAddress(call.to) ? null : trunks.find(scope.tenantId, firstId ?? '')
      let isFirst = first !== undefined
      let trunk = isFirst ? first : await nextOf(left)
      while (trunk !== undefined && !leg.isOver) {
        const outcome = await attempt(trunk, isFirst, limit)
        if (outcome.type === 'over') disconnected = outcome.disconnected
        if (outcome.type === 'over' || leg.isOver) return
        const next = trunk === null || !mayFailOver(outcome.response) ? undefined : await nextOf(left)
        if (trunk === null || next === undefined) return leg.emit(endBy(outcome.response))
        const sipCode = outcome.response.sipStatus ?? 408
        leg.emit({ type: 'rerouted', trunk: trunk.id, sipCode, nextTrunk: next.id })
        trunk = next
        isFirst = false
      }
      if (leg.isOver) return
      leg.emit({ type: 'ended', cause: 'network', by: 'system' })
    } catch (error) {
      services.log.error({ err: error, call: call.callId }, 'a call could not be dialled')
      leg.emit({ type: 'ended', cause: 'network', by: 'system' })
    } finally {
      clearTimeout(limit)
      await disconnected
      await forgetCall(parts, ref)
    }
  }

  /**
   * The next trunk that has room for the call, and whose destination policy has, once it may start there; it is counted by it and
   * priced as it goes there.
   */
  async function nextOf(left: string[]): Promise<HeldTrunk | undefined> {
    for (let id = left.shift(); id !== undefined && !leg.isOver; id = left.shift()) {
      const found = trunks.find(scope.tenantId, id)
      const startMs = found && (await admitTo(found, services, scope, call, () => leg.isOver))
      if (startMs === undefined) continue
      if (startMs > 0) await sleep(startMs, undefined, { signal: givenUp.signal }).catch(() => {})
      const next = trunks.find(scope.tenantId, id)
      if (next !== undefined) return next
    }
    return undefined
  }

  async function attempt(trunk: HeldTrunk | null, isFirst: boolean, limit: NodeJS.Timeout): Promise<Outcome> {
    // With other settings by now, its plan is as old as they are.
    const isAsPlanned = isFirst && trunk === plan.firstTrunk
    const tried = isAsPlanned ? plan.first : parts.driverOf(trunk).plan(call, trunk)
    if (tried === undefined) return { type: 'refused', response: { sipStatus: 484, heard18x: false } }
    let newest: object | undefined
    const store = (stored: object) => {
      newest = stored
      return persist(
        () => storedCalls.update(ref, { trunkId: trunk?.id ?? null, stored }),
        () => leg.isOver || newest !== stored,
      )
    }
    if (trunk !== null) trunk.counters.calls++
    const leave = trunk === null ? undefined : occupy(trunk)
    try {
      // The first was stored in the transaction that marked the call as dialled.
      if (!isAsPlanned) await store(tried.stored)
      // Storing takes time: what rang too long meanwhile is not dialled any more.
      if (leg.isOver) return { type: 'over' }
      const outcome = await tried.dial({
        leg,
        ref,
        store,
        made(remote) {
          current = remote
          if (hungUp !== undefined) remote.end(hungUp.q850)
        },
        answered() {
          isAnswered = true
          clearTimeout(limit)
        },
      })
      if (trunk !== null && outcome.type === 'refused' && mayFailOver(outcome.response)) trunk.counters.failed++
      return outcome
    } finally {
      leave?.()
    }
  }

  function ringsTooLong(): void {
    if (leg.isOver || isAnswered) return
    // What is being dialled in this moment ends when it is made.
    hungUp = { q850: noAnswer }
    givenUp.abort()
    const made = current
    leg.emit({ type: 'ended', cause: 'no_answer', by: 'system' })
    made?.end(noAnswer)
  }

  void run()
  return leg
}

/** A call is over: nobody need end it after a crash any more. */
export async function forgetCall(
  { services, drivers }: { services: Services; drivers: readonly Pick<TrunkDriver, 'forget'>[] },
  ref: CallRef,
): Promise<void> {
  for (const driver of drivers) driver.forget(ref.callId)
  try {
    await storedCallsOf(services.db).remove(ref)
  } catch (error) {
    services.log.warn({ err: error, call: ref.callId }, 'what was stored of a call could not be removed')
  }
}

/** How a call ends that was refused. */
function endBy(response: FinalResponse): LegEvent {
  const { cause, by, sipCode, q850 } = endOfStatus(response)
  // Where only a cause was reported, the usual status of what it means stands for it.
  const isStatusReported = sipCode !== null || q850 === undefined
  return {
    type: 'ended',
    cause,
    by,
    ...(isStatusReported ? { sipCode } : {}),
    ...(q850 === undefined ? {} : { q850 }),
  }
}
