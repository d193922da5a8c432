// A node of the voice network: the process that holds calls. It takes what is to be dialled from the queue, keeps its calls
// alive by a heartbeat, writes what happens on them, lets their instructions run, and ends what was ended elsewhere.
import { setTimeout as sleep } from 'node:timers/promises'
import { isoMs } from '../../kernel/clock.ts'
import type { Scope, Tx } from '../../kernel/db.ts'
import type { Services } from '../../kernel/endpoint.ts'
import { emit } from '../../kernel/events.ts'
import { newId } from '../../kernel/ids.ts'
import { receiveCallEvents } from './calls/index.ts'
import { type Call, type HangupCause, type HangupParty, type Happening, initiatedEvent } from './calls/rules.ts'
import { initialCall, insertCall, insertLeases, markDialed, type NewCall, renewCallLeases } from './calls/store.ts'
import { createConferences } from './control/conferences.ts'
import { type CallControl, startControl } from './control/control.ts'
import { createLines } from './control/lines.ts'
import type { ChildCall, ControlTools } from './control/tools.ts'
import type { CallRef, EngineCall, InboundCall, Leg, LegHappening, VoiceEngine, VoiceEngineMaker } from './engine.ts'
import type { InstructionList } from './instructions/schema.ts'
import { createReporter } from './reporter.ts'

/** A leg with what the node alone may do to it. */
type Holding = HeldLeg & { happened(happening: LegHappening, atMs: number): void }

/** A call that is stored, marked as dialled and committed. */
type Starting = { scope: Scope; mode: 'live' | 'test'; call: Call; engine: VoiceEngine; sip?: EngineCall['sip'] }

const heartbeatMs = 10_000
/** How long a node that is to stop waits for its calls, when not said. */
const defaultDrainMs = 30_000
/** Of a hangup because the node stops: "temporary failure" (ITU-T Q.850). */
const stoppingCause = 41

/** A leg that this process holds. */
export type HeldLeg = {
  readonly ref: CallRef
  /** As it was when the leg began; states are in the database. */
  readonly call: Call
  readonly leg: Leg
  readonly engine: VoiceEngine
  readonly mode: 'live' | 'test'
  readonly isAnswered: boolean
  readonly isOver: boolean
  /** Aborts when the leg is over. */
  readonly ended: AbortSignal
  /** Resolves once it is answered or over, or when the signal aborts. */
  whenAnswered(signal: AbortSignal): Promise<void>
  /** From here on what happens is written, and told to listeners: to be called once, when they are set. */
  attend(): void
  /** Tells what happens from now on; what this node ends itself is told as `ended` too. */
  listen(listener: (happening: LegHappening, atMs: number) => void): void
  /** Says that something happened which the engine does not know of. */
  tell(happening: Happening): void
  /** Ends the leg for a reason of ours. */
  end(cause: HangupCause, by: HangupParty, q850?: number): void
  /** Refuses a call that came in and is not answered, with a SIP status. */
  refuse(sipCode: number): void
}

export type NodeOptions = {
  engines: readonly VoiceEngineMaker[]
  /** What instructions work with; see control/tools.ts. */
  tools: (services: Services, owner: string) => OuterTools
  drainMs?: number
}

/** What instructions need and a node does not have of itself. */
export type OuterTools = Omit<ControlTools, 'owner' | 'dial' | 'held' | 'conferences' | 'lines' | 'log' | 'clock'>

export type Node = ReturnType<typeof createNode>

export function createNode(services: Services, { engines: makers, tools, drainMs = defaultDrainMs }: NodeOptions) {
  const { db, log, clock } = services
  const owner = newId('node')
  const engines = makers.map(make => make(services))
  const legs = new Map<string, Holding>()
  const controls = new Map<string, CallControl>()
  const reporter = createReporter({
    db,
    log,
    over: (_scope, callIds) => {
      for (const callId of callIds) drop(callId)
    },
  })
  const controlTools: ControlTools = {
    ...tools(services, owner),
    owner,
    log,
    clock,
    dial: dialChild,
    held: callId => legs.get(callId),
    conferences: createConferences(),
    lines: createLines(),
  }
  let started: Promise<void> | undefined
  let heartbeat: NodeJS.Timeout | undefined
  let isDraining = false

  /** Its row has ended, by whomever: the far side is to end too. */
  function drop(callId: string): void {
    const held = legs.get(callId)
    if (held === undefined || held.isOver) return
    held.leg.hangup()
    held.happened({ type: 'ended', cause: 'normal', by: 'api' }, clock.now())
  }

  function hold({ ref, mode, call, leg, engine }: Pick<HeldLeg, 'ref' | 'mode' | 'call' | 'leg' | 'engine'>): Holding {
    const listeners: ((happening: LegHappening, atMs: number) => void)[] = []
    const over = new AbortController()
    const answering = Promise.withResolvers<void>()
    let isAnswered = false

    const report = (happening: Happening, atMs: number) => reporter.report(ref, { callId: call.id, atMs, happening })

    function happened(happening: LegHappening, atMs: number): void {
      if (over.signal.aborted) return
      const isEnd = happening.type === 'ended'
      if (happening.type === 'answered') {
        isAnswered = true
        void limitTime()
      }
      if (isEnd) {
        legs.delete(call.id)
        controls.delete(call.id)
        reporter.forget(call.id)
      }
      for (const listener of [...listeners]) listener(happening, atMs)
      if (isEnd) over.abort()
      if (isEnd || isAnswered) answering.resolve()
    }

    async function limitTime(): Promise<void> {
      await leg.sleep(call.time_limit_seconds * 1_000, over.signal)
      end('time_limit', 'system')
    }

    function end(cause: HangupCause, by: HangupParty, q850?: number): void {
      if (over.signal.aborted) return
      const ended: LegHappening = { type: 'ended', cause, by, ...(q850 === undefined ? {} : { q850 }) }
      report(ended, clock.now())
      happened(ended, clock.now())
      leg.hangup(q850)
    }

    const held: Holding = {
      ref,
      call,
      leg,
      engine,
      mode,
      ended: over.signal,
      get isAnswered() {
        return isAnswered
      },
      get isOver() {
        return over.signal.aborted
      },
      async whenAnswered(signal) {
        const aborted = Promise.withResolvers<void>()
        signal.addEventListener('abort', () => aborted.resolve(), { once: true })
        if (!signal.aborted) await Promise.race([answering.promise, aborted.promise])
      },
      attend() {
        leg.listen((happening, atMs) => {
          if (over.signal.aborted) return
          const written = writtenOf(happening)
          if (written !== undefined) report(written, atMs)
          happened(happening, atMs)
        })
      },
      listen: listener => void listeners.push(listener),
      tell: happening => report(happening, clock.now()),
      end,
      refuse(sipCode) {
        if (over.signal.aborted) return
        const ended: LegHappening = { type: 'ended', cause: 'declined', by: 'system', sipCode }
        report(ended, clock.now())
        happened(ended, clock.now())
        leg.reject(sipCode)
      },
      happened,
    }
    legs.set(call.id, held)
    return held
  }

  function start({ scope, mode, call, engine, sip }: Starting): HeldLeg | undefined {
    const ref = { tenantId: scope.tenantId, organizationId: scope.organizationId, callId: call.id }
    try {
      const leg = engine.dial(ref, { ...engineCall(call), ...(sip && { sip }) })
      return hold({ ref, mode, call, leg, engine })
    } catch (error) {
      log.error({ engine: engine.name, err: error, call: call.id }, 'an engine failed to dial')
      const happening: Happening = { type: 'ended', cause: 'network', by: 'system' }
      reporter.report(ref, { callId: call.id, atMs: clock.now(), happening })
      return undefined
    }
  }

  function control(held: HeldLeg): void {
    controls.set(held.call.id, startControl(held, controlTools))
    held.attend()
  }

  /** A leg that instructions of another one dial: stored as its child, and heard by who asked for it. */
  async function dialChild(
    parent: HeldLeg,
    { by, sip, ...child }: ChildCall,
  ): Promise<HeldLeg | { refused: HangupCause }> {
    const scope = parent.ref
    const at = isoMs(clock.now())
    const { callback_url, tags, metadata } = parent.call
    const call: NewCall = {
      id: newId('call', clock.now()),
      direction: 'outbound',
      parent_call_id: parent.call.id,
      callback_url,
      tags,
      metadata,
      created_at: at,
      ...child,
    }
    const row = initialCall(scope, call)
    const begun = await db.inTenant(scope, async tx => {
      const engine = await engineFor(tx, scope, parent.mode, by)
      await insertCall(tx, scope, call)
      await emit(tx, scope, initiatedEvent(row))
      const admission = (await engine.prepare(tx, scope, [{ ...engineCall(row), ...(sip && { sip }) }]))[0]
      if (admission?.type !== 'dial') {
        const cause = admission?.type === 'refuse' ? admission.cause : 'congestion'
        const happening: Happening = { type: 'ended', cause, by: 'system' }
        await receiveCallEvents(tx, scope, [{ callId: row.id, atMs: clock.now(), happening }])
        return { refused: cause }
      }
      await insertLeases(tx, scope, engine.name, owner, [row.id])
      const [dialed] = await markDialed(tx, scope, [{ id: row.id, trunkId: admission.trunkId }], engine.name, at)
      return { refused: undefined, engine, call: dialed as Call }
    })
    if (begun.refused !== undefined) return { refused: begun.refused }
    const { mode } = parent
    return start({ scope, mode, call: begun.call, engine: begun.engine, sip }) ?? { refused: 'network' }
  }

  async function offer(engine: VoiceEngine, scope: Scope, inbound: InboundCall): Promise<void> {
    if (isDraining) throw new Error('this node takes no more calls')
    const at = isoMs(clock.now())
    const row = await db.inTenant(scope, async tx => {
      const given = await controlTools.answering(tx, scope, inbound.to)
      const call: NewCall = {
        id: newId('call', clock.now()),
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
      await insertCall(tx, scope, call)
      await insertLeases(tx, scope, engine.name, owner, [row.id])
      await inbound.prepare(tx, row.id)
      await emit(tx, scope, initiatedEvent(row))
      return row
    })
    const ref = { tenantId: scope.tenantId, organizationId: scope.organizationId, callId: row.id }
    control(hold({ ref, mode: inbound.mode, call: row, leg: inbound.leg(row.id), engine }))
  }

  /** The engine that carries a tenant's calls: the first that has something to carry them with, else the virtual one. */
  async function engineFor(
    tx: Tx,
    scope: Scope,
    mode: 'live' | 'test',
    by: ChildCall['by'] = 'trunk',
  ): Promise<VoiceEngine> {
    for (const engine of engines) {
      if (!engine.virtual && mode === 'live' && engine.carries.includes(by) && (await engine.serves(tx, scope, by)))
        return engine
    }
    const virtual = engines.find(engine => engine.virtual)
    if (virtual === undefined) throw new Error(`no voice engine carries ${mode} calls`)
    return virtual
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
    const refs = [...legs.values()].map(held => held.ref)
    if (refs.length === 0) return
    try {
      const kept = new Set((await renewCallLeases(db, owner, refs)).map(ref => ref.callId))
      for (const { callId } of refs) if (!kept.has(callId)) drop(callId)
    } catch (error) {
      log.warn({ err: error, calls: refs.length }, 'the heartbeat of calls failed')
    }
  }

  return {
    owner,
    engines,
    ready: () => (started ??= startEngines()),
    isDraining: () => isDraining,
    engineNamed: (name: string) => engines.find(engine => engine.name === name),
    engineFor,
    held: (callId: string) => legs.get(callId),
    dial(starting: Starting): void {
      const held = start(starting)
      if (held !== undefined) control(held)
    },
    drop,
    /** False when the call is not held here. */
    command(callId: string, instructions: InstructionList): boolean {
      const running = controls.get(callId)
      running?.command(instructions)
      return running !== undefined
    },
    flush: reporter.flush,
    /** Takes no more calls and waits for those there are; then ends the rest. */
    async drain(): Promise<void> {
      isDraining = true
      const untilMs = performance.now() + drainMs
      while (legs.size > 0 && performance.now() < untilMs) await sleep(100)
      for (const held of [...legs.values()]) held.end('node_lost', 'system', stoppingCause)
      await reporter.flush()
    },
    async close(): Promise<void> {
      clearInterval(heartbeat)
      if (started === undefined) return
      await started.catch(() => {})
      await reporter.flush()
      await Promise.all(engines.map(engine => engine.stop()))
    },
  }
}

/** What of a happening is written to the call's row and history. */
function writtenOf(happening: LegHappening): Happening | undefined {
  switch (happening.type) {
    case 'held':
      return { type: 'noted', event: 'call.held', details: { by: 'far_side' } }
    case 'resumed':
      return { type: 'noted', event: 'call.resumed', details: { by: 'far_side' } }
    case 'transfer_asked':
      return undefined
    default:
      return happening
  }
}

export function engineCall(call: Call): EngineCall {
  return {
    callId: call.id,
    from: call.from_number,
    to: call.to_number,
    callerName: call.caller_name,
    timeoutSeconds: call.timeout_seconds,
  }
}
