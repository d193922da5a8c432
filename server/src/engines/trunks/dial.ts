// Dials one call by its trunks, one after the other until one takes it: the next only before any phone can have rung, and only
// where the carrier failed (comms: SIP trunk, failover). The trunks may be of different kinds.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Scope } from '../../kernel/db.ts'
import type { Services } from '../../kernel/endpoint.ts'
import type { CallRef, EngineCall, Leg } from '../../modules/voice/engine.ts'
import { endOfStatus, type LastWord, mayFailOver } from '../../modules/voice/trunks/index.ts'
import { createTrunkLeg } from './leg.ts'
import type { HeldTrunk, HeldTrunks, Line, Outcome, Plan } from './line.ts'
import { storedCallsOf } from './stored_calls.ts'

/** What is decided of a call before it is dialled: how it goes by its first trunk, and all of its trunks in their order. */
export type CallPlan = { first: Plan; trunkIds: readonly string[] }

export type Dialling = {
  services: Services
  trunks: HeldTrunks
  lineOf(trunk: HeldTrunk | null): Line
  lines: readonly Line[]
}

const noAnswer = 19
const storeAgainMs = 200

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
  const leg = createTrunkLeg(call.callId, {
    clock: services.clock,
    ring() {},
    async answer() {},
    reject: () => leg.hangup(),
    hangup(q850) {
      hungUp = { q850 }
      current?.end(q850)
    },
  })

  async function run(): Promise<void> {
    // The trunks as they were planned; null stands for a SIP address, which needs none.
    const candidates = isSipAddress(call.to)
      ? [null]
      : plan.trunkIds.flatMap(trunkId => trunks.find(scope.tenantId, trunkId) ?? [])
    // Ringing is limited over all tries together.
    const limit = setTimeout(ringsTooLong, call.timeoutSeconds * 1_000)
    limit.unref()
    let farewell: Promise<void> | undefined
    try {
      for (const [index, trunk] of candidates.entries()) {
        const isFirst = index === 0 && (trunk === null || trunk.id === plan.trunkIds[0])
        const outcome = await attempt(trunk, isFirst, limit)
        if (outcome.type === 'over') farewell = outcome.farewell
        if (outcome.type === 'over' || leg.isOver) return
        const next = candidates[index + 1]
        if (next === undefined || trunk === null || next === null || !mayFailOver(outcome.word)) return refuse(outcome)
        const sipCode = outcome.word.sipStatus ?? 408
        leg.tell({ type: 'rerouted', trunk: trunk.id, sipCode, nextTrunk: next.id })
      }
      leg.tell({ type: 'ended', cause: 'network', by: 'system' })
    } catch (error) {
      services.log.error({ err: error, call: call.callId }, 'a call could not be dialled')
      leg.tell({ type: 'ended', cause: 'network', by: 'system' })
    } finally {
      clearTimeout(limit)
      await farewell
      await forgetCall(parts, ref)
    }
  }

  async function attempt(trunk: HeldTrunk | null, isFirst: boolean, limit: NodeJS.Timeout): Promise<Outcome> {
    const tried = isFirst ? plan.first : parts.lineOf(trunk).plan(call, trunk)
    if (tried === undefined) return { type: 'refused', word: { sipStatus: 484, heard18x: false } }
    let newest: object | undefined
    /** Goes on while the call does: a database that comes back in the next moment must not leave one that nobody can end. */
    const store = async (stored: object) => {
      newest = stored
      for (;;) {
        try {
          return await storedCalls.update(ref, { trunkId: trunk?.id ?? null, stored })
        } catch (error) {
          if (leg.isOver || newest !== stored) throw error
          await sleep(storeAgainMs)
        }
      }
    }
    if (trunk !== null) {
      trunk.counters.calls++
      trunk.counters.active++
    }
    try {
      // The first was stored in the transaction that marked the call as dialled.
      if (!isFirst) await store(tried.stored)
      // Storing takes time: what rang too long meanwhile is not dialled any more.
      if (leg.isOver) return { type: 'over' }
      const outcome = await tried.dial({
        leg,
        ref,
        store,
        made(far) {
          current = far
          if (hungUp !== undefined) far.end(hungUp.q850)
        },
        answered() {
          isAnswered = true
          clearTimeout(limit)
        },
      })
      if (trunk !== null && outcome.type === 'refused' && mayFailOver(outcome.word)) trunk.counters.failed++
      return outcome
    } finally {
      if (trunk !== null) trunk.counters.active--
    }
  }

  function refuse({ word }: { word: LastWord }): void {
    const { cause, by, sipCode, q850 } = endOfStatus(word)
    // Where only a cause was told, the usual status of what it means stands for it.
    const isStatusTold = sipCode !== null || q850 === undefined
    leg.tell({
      type: 'ended',
      cause,
      by,
      ...(isStatusTold ? { sipCode } : {}),
      ...(q850 === undefined ? {} : { q850 }),
    })
  }

  function ringsTooLong(): void {
    if (leg.isOver || isAnswered) return
    // What is being dialled in this moment ends when it is made.
    hungUp = { q850: noAnswer }
    const made = current
    leg.tell({ type: 'ended', cause: 'no_answer', by: 'system' })
    made?.end(noAnswer)
  }

  void run()
  return leg
}

/** A call is over: nobody need end it after a crash any more. */
export async function forgetCall(
  { services, lines }: { services: Services; lines: readonly Pick<Line, 'forget'>[] },
  ref: CallRef,
): Promise<void> {
  for (const line of lines) line.forget(ref.callId)
  try {
    await storedCallsOf(services.db).remove(ref)
  } catch (error) {
    services.log.warn({ err: error, call: ref.callId }, 'what was stored of a call could not be removed')
  }
}
