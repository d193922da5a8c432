// A node of the voice network: the process that holds calls. It takes what is to be dialled from the queue, keeps its calls
// alive by a heartbeat, writes what happens on them, lets their instructions run, and ends what was ended elsewhere.
import { setTimeout as sleep } from 'node:timers/promises'
import { isoMs } from '../../kernel/clock.ts'
import { crashPoint } from '../../kernel/crash_points.ts'
import type { Scope, Tx } from '../../kernel/db.ts'
import type { Services } from '../../kernel/endpoint.ts'
import { emit } from '../../kernel/events.ts'
import { newId } from '../../kernel/ids.ts'
import { quotas } from '../../kernel/quota.ts'
import { admitCall, type CallRefusal, codeOf, textOf } from '../destinations/index.ts'
import { receiveCallEvents } from './calls/index.ts'
import { type Call, type HangupCause, type Happening, initiatedEvent } from './calls/rules.ts'
import {
  type Command,
  initialCall,
  insertCall,
  insertLeases,
  keepInstructions,
  markDialed,
  type NewCall,
  renewCallLeases,
} from './calls/store.ts'
import { createConferences } from './control/conferences.ts'
import { type CallControl, startControl } from './control/control.ts'
import { commandDialed } from './control/dialed.ts'
import { createLines } from './control/lines.ts'
import type { Work } from './control/run.ts'
import type { ChildCall, ControlTools } from './control/tools.ts'
import type { CallRef, EngineCall, InboundCall, VoiceEngine, VoiceEngineMaker } from './engine.ts'
import { createHeldLeg, type HeldLeg, type Holding } from './held_leg.ts'
import type { InstructionList } from './instructions/schema.ts'
import { createPlaces, placeWaitMs } from './places.ts'
import { createReporter } from './reporter.ts'
import { defaultCountryOf } from './sip_credentials/index.ts'
import { closeInstructions, openInstructions } from './stored_instructions.ts'

/** A call that is stored, marked as dialled and committed. */
type Starting = { scope: Scope; mode: 'live' | 'test'; call: Call; engine: VoiceEngine; sip?: EngineCall['sip'] }

const heartbeatMs = 10_000
/** How long a node that is to stop waits for its calls, when not said. */
const defaultDrainMs = 20_000
/** Of a hangup because the node stops: "temporary failure" (ITU-T Q.850). */
const stoppingCause = 41

export type { HeldLeg, TransferAsked } from './held_leg.ts'

export type NodeOptions = {
  engines: readonly VoiceEngineMaker[]
  /** What instructions work with; see control/tools.ts. */
  tools: (services: Services, owner: string) => OuterTools
  drainMs?: number
}

/** What instructions need and a node does not have of itself. */
export type OuterTools = Omit<
  ControlTools,
  'owner' | 'dial' | 'instead' | 'keep' | 'held' | 'conferences' | 'lines' | 'log' | 'clock'
>

export type Node = ReturnType<typeof createNode>

export function createNode(services: Services, { engines: makers, tools, drainMs = defaultDrainMs }: NodeOptions) {
  const { db, log, clock, pepper } = services
  const owner = newId('node')
  const engines = makers.map(make => make(services))
  const legs = new Map<string, Holding>()
  const controls = new Map<string, CallControl>()
  const keeping = new Map<string, Promise<void>>()
  const reporter = createReporter({
    db,
    log,
    over: (_scope, callIds) => {
      for (const callId of callIds) drop(callId)
    },
  })
  const outer = tools(services, owner)
  const controlTools: ControlTools = {
    ...outer,
    owner,
    log,
    clock,
    dial: dialChild,
    instead(held, work) {
      const running = controls.get(held.call.id)
      if (running !== undefined) running.instead(work)
      else control(held, work)
    },
    keep,
    held: callId => legs.get(callId),
    conferences: createConferences(outer.conferenceRecords, owner),
    lines: createLines(),
  }
  const places = createPlaces(quotas.calls)
  let started: Promise<void> | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let isDraining = false

  /** Its row has ended, by whomever: the far side is to end too. */
  function drop(callId: string): void {
    const held = legs.get(callId)
    if (held === undefined || held.isOver) return
    held.happened({ type: 'ended', cause: 'normal', by: 'api' }, clock.now(), true)
    held.leg.hangup()
  }

  function hold(parts: Pick<HeldLeg, 'ref' | 'mode' | 'call' | 'leg' | 'engine'>): Holding {
    const { id } = parts.call
    const held = createHeldLeg(parts, {
      log,
      now: () => clock.now(),
      report: (happening, atMs) => reporter.report(parts.ref, { callId: id, atMs, happening }),
      over() {
        reporter.forget(id)
        legs.delete(id)
        controls.delete(id)
        places.give(id)
      },
    })
    legs.set(id, held)
    return held
  }

  function start({ scope, mode, call, engine, sip }: Starting): HeldLeg | undefined {
    const ref = { tenantId: scope.tenantId, organizationId: scope.organizationId, callId: call.id }
    try {
      const opened = withInstructions(ref, call)
      const leg = engine.dial(ref, { ...engineCall(call), ...(sip && { sip }) })
      return hold({ ref, mode, call: opened, leg, engine })
    } catch (error) {
      log.error({ engine: engine.name, err: error, call: call.id }, 'an engine failed to dial')
      const happening: Happening = { type: 'ended', cause: 'network', by: 'system' }
      reporter.report(ref, { callId: call.id, atMs: clock.now(), happening })
      reporter.forget(call.id)
      places.give(call.id)
      return undefined
    }
  }

  /** The call as its instructions are carried out: sealed ones are opened. */
  function withInstructions(ref: CallRef, call: Call): Call {
    if (typeof call.instructions !== 'string') return call
    return { ...call, instructions: openInstructions(pepper, ref, call.id, call.instructions) }
  }

  /** One after the other, so that the newest list of a call stays. */
  function keep({ ref, call }: HeldLeg, list: InstructionList): void {
    const stored = closeInstructions(pepper, ref, call.id, list)
    const before = keeping.get(call.id) ?? Promise.resolve()
    const mine = before
      .then(() => db.inTenant(ref, tx => keepInstructions(tx, ref, call.id, stored)))
      .catch(error => log.warn({ err: error, call: call.id }, 'what a call does could not be kept'))
      .finally(() => {
        if (keeping.get(call.id) === mine) keeping.delete(call.id)
      })
    keeping.set(call.id, mine)
  }

  function control(held: HeldLeg, work?: Work): void {
    const started = startControl(held, controlTools, work)
    if (!held.isOver) controls.set(held.call.id, started)
  }

  /** A leg that instructions of another one dial: stored as its child, and heard by who asked for it. */
  async function dialChild(
    parent: HeldLeg,
    child: ChildCall,
    signal: AbortSignal,
  ): Promise<HeldLeg | { refused: HangupCause }> {
    const untilMs = clock.now() + child.timeout_seconds * 1_000
    for (;;) {
      try {
        return await dialNow(parent, child, clock.now() < untilMs)
      } catch (error) {
        if (!isNoRoom(error)) throw error
        await parent.leg.sleep(error.waitMs, signal)
        if (signal.aborted) return { refused: 'canceled' }
      }
    }
  }

  /** Rejects, and leaves nothing behind, where it must wait and may. */
  async function dialNow(
    parent: HeldLeg,
    { by, sip, ...child }: ChildCall,
    mayWait: boolean,
  ): Promise<HeldLeg | { refused: HangupCause }> {
    const scope = parent.ref
    const at = isoMs(clock.now())
    const { callback_url, tags, metadata, fast_clock } = parent.call
    const call: NewCall = {
      id: newId('call', clock.now()),
      direction: 'outbound',
      parent_call_id: parent.call.id,
      callback_url,
      tags,
      metadata,
      fast_clock,
      created_at: at,
      key_id: parent.call.key_id,
      ...child,
    }
    let against: CallRefusal | undefined
    const dialing = db.inTenant(scope, async tx => {
      const inside = insideEngine(call.to_number)
      const isOutside = inside === undefined && by !== 'client'
      against = isOutside ? await askPolicies(tx, parent, call.to_number) : undefined
      call.counted = isOutside && against === undefined
      const row = initialCall(scope, call)
      // What the engine stores refers to it.
      await insertCall(tx, scope, call)
      if (against !== undefined) {
        await emit(tx, scope, initiatedEvent(row))
        return refuseChild(tx, scope, row.id, codeOf(against))
      }
      const engine = inside ?? (await engineFor(tx, scope, parent.mode, by))
      if (!places.take(row.id, { tenantId: scope.tenantId, mode: parent.mode })) {
        if (mayWait) throw noRoom(placeWaitMs)
        await emit(tx, scope, initiatedEvent(row))
        return refuseChild(tx, scope, row.id, 'congestion')
      }
      const [, [admission]] = await Promise.all([
        emit(tx, scope, initiatedEvent(row)),
        engine.prepare(tx, scope, [{ ...engineCall(row), ...(sip && { sip }) }], parent.mode),
      ])
      if (admission?.type === 'wait' && mayWait) throw noRoom(admission.ms)
      if (admission?.type !== 'dial') {
        return refuseChild(tx, scope, row.id, admission?.type === 'refuse' ? admission.cause : 'congestion')
      }
      const [[dialed]] = await Promise.all([
        markDialed(tx, scope, [{ id: row.id, ...admission }], engine.name, at),
        insertLeases(tx, scope, engine.name, owner, [row.id]),
      ])
      return { refused: undefined, engine, call: dialed as Call }
    })
    dialing.catch(() => places.give(call.id))
    const begun = await dialing
    if (against !== undefined) {
      const details = { to: call.to_number, code: codeOf(against), message: textOf(against) }
      parent.tell({ type: 'noted', event: 'call.destination_refused', details })
    }
    if (begun.refused !== undefined) {
      places.give(call.id)
      return { refused: begun.refused }
    }
    const { mode } = parent
    return start({ scope, mode, call: begun.call, engine: begun.engine, sip }) ?? { refused: 'network' }
  }

  /** Whether the destination policies let a leg be dialled, which then counts. */
  async function askPolicies(tx: Tx, { ref, mode, call }: HeldLeg, to: string): Promise<CallRefusal | undefined> {
    const defaultCountry = to.startsWith('+') ? null : await defaultCountryOf(tx, ref)
    return admitCall(tx, ref, { mode, keyId: call.key_id, defaultCountry, to, nowMs: clock.now() })
  }

  async function refuseChild(
    tx: Tx,
    scope: Scope,
    callId: string,
    cause: HangupCause,
  ): Promise<{ refused: HangupCause }> {
    const happening: Happening = { type: 'ended', cause, by: 'system' }
    await receiveCallEvents(tx, scope, [{ callId, atMs: clock.now(), happening }])
    return { refused: cause }
  }

  async function offer(engine: VoiceEngine, scope: Scope, inbound: InboundCall): Promise<void> {
    if (isDraining) throw new Error('this node takes no more calls')
    const at = isoMs(clock.now())
    const id = newId('call', clock.now())
    if (!places.take(id, { tenantId: scope.tenantId, mode: inbound.mode }))
      throw new Error('its tenant has as many calls on this node as one may have')
    const storing = db.inTenant(scope, async tx => {
      const { instructions, ...given } = inbound.begins ?? (await controlTools.answering(tx, scope, inbound.to))
      const call: NewCall = {
        id,
        instructions: instructions && closeInstructions(pepper, scope, id, instructions),
        direction: 'inbound',
        from_number: inbound.from,
        to_number: inbound.to,
        caller_name: inbound.callerName,
        timeout_seconds: 60,
        time_limit_seconds: 4 * 3_600,
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
        insertLeases(tx, scope, engine.name, owner, [row.id]),
        inbound.prepare(tx, row.id),
        emit(tx, scope, initiatedEvent(row)),
      ])
      return row
    })
    storing.catch(() => places.give(id))
    const row = await storing
    crashPoint('offer.committed')
    const ref = { tenantId: scope.tenantId, organizationId: scope.organizationId, callId: row.id }
    const call = withInstructions(ref, row)
    try {
      const held = hold({ ref, mode: inbound.mode, call, leg: inbound.leg(row.id), engine })
      control(held)
      held.attend()
    } catch (error) {
      const happening: Happening = { type: 'ended', cause: 'network', by: 'system' }
      reporter.report(ref, { callId: row.id, atMs: clock.now(), happening })
      reporter.forget(row.id)
      places.give(row.id)
      throw error
    }
  }

  /** The engine that carries such calls of a tenant: a real one that has something to carry them with, else a virtual one. */
  async function engineFor(
    tx: Tx,
    scope: Scope,
    mode: 'live' | 'test',
    by: ChildCall['by'] = 'trunk',
  ): Promise<VoiceEngine> {
    const fitting = engines.filter(engine => (mode === 'live' || engine.virtual) && engine.carries.includes(by))
    // A real way to call comes before a virtual one.
    for (const engine of fitting.toSorted((a, b) => Number(a.virtual) - Number(b.virtual))) {
      if (await engine.serves(tx, scope, by)) return engine
    }
    throw new Error(`no voice engine carries ${mode} calls by ${by}`)
  }

  /** The engine whose own phone is called, in both modes. */
  function insideEngine(to: string): VoiceEngine | undefined {
    return engines.find(engine => engine.inside?.(to) === true)
  }

  async function startEngines(): Promise<void> {
    await Promise.all(
      engines.map(engine => engine.start({ owner, offer: (scope, inbound) => offer(engine, scope, inbound) })),
    )
    heartbeat = setInterval(() => void beat(), heartbeatMs)
    heartbeat.unref()
  }

  /** Keeps what is ours; what was taken from us meanwhile has ended. */
  async function beat(): Promise<void> {
    places.tidy(callId => legs.has(callId))
    const refs = [...legs.values()].map(held => held.ref)
    if (refs.length === 0) return
    try {
      const kept = new Set((await renewCallLeases(db, owner, refs)).map(ref => ref.callId))
      for (const { callId } of refs) if (!kept.has(callId)) drop(callId)
    } catch (error) {
      log.warn({ err: error, calls: refs.length }, 'the heartbeat of calls failed')
    }
  }

  async function flush(): Promise<void> {
    await Promise.all([reporter.flush(), outer.conferenceRecords.flush(), ...keeping.values()])
  }

  return {
    owner,
    engines,
    ready: () => (started ??= startEngines()),
    isDraining: () => isDraining,
    engineNamed: (name: string) => engines.find(engine => engine.name === name),
    engineFor,
    insideEngine,
    held: (callId: string) => legs.get(callId),
    /** A place for a call that is about to be dialled, if its tenant may hold one more; it goes back with the end of the call. */
    place: places.take,
    /** Gives back the place of a call that is not dialled after all. */
    unplace: places.give,
    dial(starting: Starting): void {
      const held = start(starting)
      if (held === undefined) return
      control(held)
      held.attend()
    },
    drop,
    /** Carries out what was asked of a call; nothing, where it is not held here any more. */
    command(callId: string, id: string, command: Command): void {
      const held = legs.get(callId)
      if (held === undefined) return
      if (command.kind === 'participant') controlTools.conferences.change(callId, command)
      else if (command.kind === 'client') held.leg.takeWord?.(command.word)
      else {
        const instructions = openInstructions(pepper, held.ref, id, command.instructions)
        const running = controls.get(callId)
        if (running === undefined) commandDialed(held, instructions)
        else running.command(instructions)
      }
    },
    flush,
    /** Takes no more calls and waits for those there are; then ends the rest. */
    async drain(): Promise<void> {
      isDraining = true
      const untilMs = performance.now() + drainMs
      while (legs.size > 0 && performance.now() < untilMs) await sleep(100)
      for (const held of [...legs.values()]) held.end('node_lost', 'system', stoppingCause)
      // What follows from their end, such as that of conferences, is told first.
      await sleep(0)
      await flush()
    },
    async close(): Promise<void> {
      clearInterval(heartbeat)
      if (started === undefined) return
      await started.catch(() => {})
      await flush()
      await Promise.all(engines.map(engine => engine.stop()))
    },
  }
}

function noRoom(waitMs: number): Error {
  return Object.assign(new Error('no room to dial'), { waitMs })
}

function isNoRoom(error: unknown): error is Error & { waitMs: number } {
  return error instanceof Error && 'waitMs' in error
}

export function engineCall(call: Call): EngineCall {
  return {
    callId: call.id,
    from: call.from_number,
    to: call.to_number,
    keyId: call.key_id,
    callerName: call.caller_name,
    timeoutSeconds: call.timeout_seconds,
    ...(call.simulated === null ? {} : { simulated: call.simulated }),
    ...(call.fast_clock ? { isFast: true } : {}),
  }
}
