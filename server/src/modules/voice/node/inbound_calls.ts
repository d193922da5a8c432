// Calls that come in: an engine has one stored, gives it a leg, and lets it run.
import type { Scope } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { crashPoint } from '../../../kernel/values/crash_points.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { isNothingToLeave } from '../../destinations/index.ts'
import {
  type Call,
  type CallRef,
  initialCall,
  initiatedEvent,
  insertCall,
  insertLeases,
  insertRemoteParties,
  type NewCall,
} from '../call_records/index.ts'
import type { ControlTools } from '../control/index.ts'
import type { EngineHost, InboundCall, StoredInboundCall, VoiceEngine } from '../engine/index.ts'
import { closeInstructions } from '../instructions/index.ts'
import type { HeldCalls } from './held_calls.ts'

const timeoutSeconds = 60
const timeLimitSeconds = 4 * 3_600

type Parts = { services: Services; owner: string; calls: HeldCalls; tools: ControlTools; isDraining(): boolean }

/** What an engine has of its node. */
export function createEngineHost(parts: Parts, engine: VoiceEngine): EngineHost {
  const { owner, calls, tools } = parts
  const stored = new WeakMap<StoredInboundCall, { ref: CallRef; call: Call; mode: 'live' | 'test' }>()
  const storedAs = (call: StoredInboundCall) => {
    const found = stored.get(call)
    if (found === undefined) throw new Error(`${call.id} was not stored by this host, or runs already`)
    stored.delete(call)
    return found
  }
  return {
    owner,
    async store(scope, inbound) {
      const row = await storeInbound(parts, engine, scope, inbound)
      crashPoint('offer.committed')
      const ref = { tenantId: scope.tenantId, organizationId: scope.organizationId, callId: row.id }
      const call = { id: row.id }
      stored.set(call, { ref, call: calls.withInstructions(ref, row), mode: inbound.mode })
      return call
    },
    run(given, leg) {
      const { ref, call, mode } = storedAs(given)
      try {
        const held = calls.hold({ ref, mode, call, leg, engine })
        calls.control(held, tools)
        held.attend()
      } catch (error) {
        calls.fail(ref)
        throw error
      }
    },
    fail: given => calls.fail(storedAs(given).ref),
  }
}

/** Stores the call with what ends its remote party after a crash. Rejects when it cannot be stored. */
async function storeInbound(
  { services, owner, calls, tools, isDraining }: Parts,
  engine: VoiceEngine,
  scope: Scope,
  inbound: InboundCall,
): Promise<Call> {
  const { db, clock, keyring } = services
  if (isDraining()) throw new Error('this node takes no more calls')
  const at = isoMs(clock.now())
  const id = newId('call', clock.now())
  const { places } = calls
  if (!places.take(id, { tenantId: scope.tenantId, mode: inbound.mode }))
    throw new Error('its tenant has as many calls on this node as one may have')
  const storing = db.inTenant(scope, async tx => {
    if (await isNothingToLeave(tx, scope))
      throw new Error('its organization is suspended or closing, and takes no calls')
    const { instructions, ...given } = inbound.handling ?? (await tools.handlingOf(tx, scope, inbound.to))
    const call: NewCall = {
      id,
      instructions: instructions && closeInstructions(keyring, scope, id, instructions),
      direction: 'inbound',
      from_number: inbound.from,
      to_number: inbound.to,
      caller_name: inbound.callerName,
      timeout_seconds: timeoutSeconds,
      time_limit_seconds: timeLimitSeconds,
      tags: [],
      metadata: {},
      engine: engine.name,
      trunk_id: inbound.trunkId,
      created_at: at,
      ...given,
    }
    const row = initialCall(scope, call)
    await Promise.all([
      insertCall(tx, scope, call),
      insertLeases(tx, scope, engine.name, owner, [id]),
      inbound.stored &&
        insertRemoteParties(tx, scope, [{ callId: id, trunkId: inbound.trunkId, stored: inbound.stored }]),
      emit(tx, scope, initiatedEvent(row)),
    ])
    return row
  })
  storing.catch(() => places.give(id))
  return storing
}
