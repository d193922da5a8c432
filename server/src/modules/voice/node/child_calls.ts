// Legs that the instructions of a call dial: each is stored as a child of that call and marked as dialled in one transaction, and
// dialled by its engine behind the commit.
import type { Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import {
  admitCall,
  type CallRefusal,
  codeOf,
  findPoliciesOfCalls,
  isInstallationHeld,
  isNothingToLeave,
  type Policy,
  policiesFor,
  textOf,
} from '../../destinations/index.ts'
import {
  type Call,
  type HangupCause,
  initialCall,
  initiatedEvent,
  insertCall,
  insertLeases,
  markDialed,
  type NewCall,
  receiveCallEvents,
} from '../call_records/index.ts'
import type { ChildCall } from '../control/index.ts'
import type { VoiceEngine } from '../engine/index.ts'
import type { HeldLeg } from '../legs/index.ts'
import { defaultCountryOf } from '../sip_credentials/index.ts'
import { engineCall } from './dialed_call.ts'
import type { Engines } from './engines.ts'
import type { HeldCalls } from './held_calls.ts'
import { placeWaitMs } from './places.ts'

type Parts = { services: Services; owner: string; engines: Engines; calls: HeldCalls }

type Decision =
  | { type: 'dial'; engine: VoiceEngine; call: Call }
  | { type: 'refuse'; cause: HangupCause; policy?: CallRefusal }
  /** Nothing was written. */
  | { type: 'wait'; ms: number }

/** Thrown within the transaction, which leaves nothing behind then. */
type NoRoom = Error & { waitMs: number }

/** Dials a leg as a child of `parent` as soon as there is room; when its time to ring is over, without waiting for room. */
export async function dialChild(
  parts: Parts,
  parent: HeldLeg,
  child: ChildCall,
  signal: AbortSignal,
): Promise<HeldLeg | { refused: HangupCause }> {
  const { clock } = parts.services
  const untilMs = clock.now() + child.timeout_seconds * 1_000
  for (;;) {
    const decision = await decide(parts, parent, child, clock.now() < untilMs)
    if (decision.type === 'wait') {
      await parent.leg.sleep(decision.ms, signal)
      if (signal.aborted) return { refused: 'canceled' }
    } else if (decision.type === 'refuse') {
      if (decision.policy !== undefined) reportPolicy(parent, child.to_number, decision.policy)
      return { refused: decision.cause }
    } else {
      const { engine, call } = decision
      const dialed = { scope: parent.ref, mode: parent.mode, call, engine, ...(child.sip && { sip: child.sip }) }
      return parts.calls.dial(dialed) ?? { refused: 'network' }
    }
  }
}

function reportPolicy(parent: HeldLeg, to: string, policy: CallRefusal): void {
  const details = { to, code: codeOf(policy), message: textOf(policy) }
  parent.report({ type: 'noted', event: 'call.destination_refused', details })
}

/** Whether it is dialled now; a call that is, and one that is refused, is stored. It has its place only where it is dialled. */
async function decide(parts: Parts, parent: HeldLeg, child: ChildCall, mayWait: boolean): Promise<Decision> {
  const { services, calls } = parts
  const call = newChild(parent, child, services.clock.now())
  let decision: Decision = { type: 'refuse', cause: 'congestion' }
  try {
    decision = await services.db.inTenant(parent.ref, tx => storeChild(parts, tx, { parent, child, call, mayWait }))
  } catch (error) {
    if (!isNoRoom(error)) throw error
    decision = { type: 'wait', ms: error.waitMs }
  } finally {
    if (decision.type !== 'dial') calls.places.give(call.id)
  }
  return decision
}

function newChild(parent: HeldLeg, { by: _by, sip: _sip, ...child }: ChildCall, nowMs: number): NewCall {
  const { id, callback_url, tags, metadata, fast_clock, key_id } = parent.call
  return {
    id: newId('call', nowMs),
    direction: 'outbound',
    parent_call_id: id,
    callback_url,
    tags,
    metadata,
    fast_clock,
    created_at: isoMs(nowMs),
    key_id,
    ...child,
  }
}

type Storing = { parent: HeldLeg; child: ChildCall; call: NewCall; mayWait: boolean }

/** @throws NoRoom where it must wait and may */
async function storeChild(parts: Parts, tx: Tx, { parent, child, call, mayWait }: Storing): Promise<Decision> {
  const { services, owner, engines, calls } = parts
  const { ref: scope, mode } = parent
  const inside = engines.inside(call.to_number)
  const isOutside = inside === undefined && child.by !== 'client'
  // Read once: what is locked for them would else be locked in another order where one of them changes meanwhile.
  const policies = isOutside ? await findPoliciesOfCalls(tx, scope, [parent.call.id]) : undefined
  const policy =
    policies && (await policyAgainst(tx, parent, { to: call.to_number, policies, nowMs: services.clock.now() }))
  call.counted = isOutside && policy === undefined
  const row = initialCall(scope, call)
  const refuse = async (cause: HangupCause): Promise<Decision> => {
    await receiveCallEvents(tx, scope, [
      { callId: row.id, atMs: services.clock.now(), event: { type: 'ended', cause, by: 'system' } },
    ])
    return { type: 'refuse', cause, ...(policy && { policy }) }
  }
  // What the engine stores refers to it.
  await insertCall(tx, scope, call)
  if (policy !== undefined) {
    await emit(tx, scope, initiatedEvent(row))
    return refuse(codeOf(policy))
  }
  if ((await isNothingToLeave(tx, scope)) || (isOutside && (await isInstallationHeld(tx)))) {
    await emit(tx, scope, initiatedEvent(row))
    return refuse('congestion')
  }
  const engine = inside ?? (await engines.carrying(tx, scope, mode, child.by))
  if (!calls.places.take(row.id, { tenantId: scope.tenantId, mode })) {
    if (mayWait) throw noRoom(placeWaitMs)
    await emit(tx, scope, initiatedEvent(row))
    return refuse('congestion')
  }
  const [, [admission]] = await Promise.all([
    emit(tx, scope, initiatedEvent(row)),
    engine.prepare(tx, scope, [engineCall(row, child.sip)], mode, policies),
  ])
  if (admission?.type === 'wait' && mayWait) throw noRoom(admission.ms)
  if (admission?.type !== 'dial') return refuse(admission?.type === 'refuse' ? admission.cause : 'congestion')
  const [[dialed]] = await Promise.all([
    markDialed(tx, scope, [{ id: row.id, ...admission }], engine.name, call.created_at),
    insertLeases(tx, scope, engine.name, owner, [row.id]),
  ])
  return { type: 'dial', engine, call: dialed as Call }
}

/** Whether a destination policy is against a leg, which counts where none is. */
async function policyAgainst(
  tx: Tx,
  { ref, mode, call }: HeldLeg,
  { to, policies, nowMs }: { to: string; policies: readonly Policy[]; nowMs: number },
): Promise<CallRefusal | undefined> {
  const defaultCountry = to.startsWith('+') ? null : await defaultCountryOf(tx, ref)
  const asker = { mode, keyId: call.key_id, defaultCountry }
  return admitCall(tx, ref, { ...asker, to, policies: policiesFor(policies, asker), nowMs })
}

function noRoom(waitMs: number): NoRoom {
  return Object.assign(new Error('no room to dial'), { waitMs })
}

function isNoRoom(error: unknown): error is NoRoom {
  return error instanceof Error && 'waitMs' in error
}
