// The calls that a node holds: each has a leg with an engine, what it does by its instructions, a place within the quota of its
// tenant, and a lease in the database that a heartbeat renews.
import { quotas } from '../../../kernel/data/quota.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { type Call, type CallEvent, type CallRef, type Command, renewCallLeases } from '../call_records/index.ts'
import { type CallControl, type ControlTools, commandDialed, startControl, type Work } from '../control/index.ts'
import { openInstructions } from '../instructions/index.ts'
import { createHeldLeg, type HeldLeg, type Holding } from '../legs/index.ts'
import { type DialedCall, engineCall } from './dialed_call.ts'
import { createPlaces } from './places.ts'
import { createReporter } from './reporter.ts'

/** Of a hangup because the node stops: "temporary failure" (ITU-T Q.850). */
const stoppingCause = 41

const failed: CallEvent = { type: 'ended', cause: 'network', by: 'system' }

/** As long as the node. */
export class HeldCalls {
  readonly places = createPlaces(quotas.calls)
  readonly #services: Services
  readonly #legs = new Map<string, Holding>()
  readonly #controls = new Map<string, CallControl>()
  /** Ids of commands that were carried out, by their call: a job that comes back brings them again. */
  readonly #commanded = new Map<string, Set<string>>()
  readonly #reporter: ReturnType<typeof createReporter>

  constructor(services: Services) {
    this.#services = services
    this.#reporter = createReporter({
      db: services.db,
      log: services.log,
      over: (_scope, callIds) => {
        for (const callId of callIds) this.drop(callId)
      },
    })
  }

  get size(): number {
    return this.#legs.size
  }

  held(callId: string): HeldLeg | undefined {
    return this.#legs.get(callId)
  }

  /** Holds a leg from here on; its events are reported once it is attended. */
  hold(parts: Pick<HeldLeg, 'ref' | 'mode' | 'call' | 'leg' | 'engine'>): HeldLeg {
    const { id } = parts.call
    const { log, clock } = this.#services
    const held = createHeldLeg(parts, {
      log,
      now: () => clock.now(),
      report: (event, atMs) => this.#reporter.report(parts.ref, { callId: id, atMs, event }),
      over: () => {
        this.#reporter.forget(id)
        this.#legs.delete(id)
        this.#controls.delete(id)
        this.#commanded.delete(id)
        this.places.give(id)
      },
    })
    this.#legs.set(id, held)
    return held
  }

  /** Has its engine dial a call; undefined where that failed, and the call has ended. */
  dial({ scope, mode, call, engine, sip }: DialedCall): HeldLeg | undefined {
    const ref = { tenantId: scope.tenantId, organizationId: scope.organizationId, callId: call.id }
    try {
      const opened = this.withInstructions(ref, call)
      const leg = engine.dial(ref, engineCall(call, sip))
      return this.hold({ ref, mode, call: opened, leg, engine })
    } catch (error) {
      this.#services.log.error({ engine: engine.name, err: error, call: call.id }, 'an engine failed to dial')
      this.fail(ref)
      return undefined
    }
  }

  /** Ends a call that is stored and has no leg: it could not be made. */
  fail(ref: CallRef): void {
    this.#reporter.report(ref, { callId: ref.callId, atMs: this.#services.clock.now(), event: failed })
    this.#reporter.forget(ref.callId)
    this.places.give(ref.callId)
  }

  /** Lets the instructions of a call run, or `work` in their place. */
  control(held: HeldLeg, tools: ControlTools, work?: Work): void {
    const started = startControl(held, tools, work)
    if (!held.isOver) this.#controls.set(held.call.id, started)
  }

  /** Has a call do something in place of all it does. A dialled leg becomes a call under instructions by it. */
  instead(held: HeldLeg, tools: ControlTools, work: Work): void {
    const running = this.#controls.get(held.call.id)
    if (running !== undefined) running.instead(work)
    else this.control(held, tools, work)
  }

  /** Its row has ended, no matter who ended it: the remote party must end too. */
  drop(callId: string): void {
    const held = this.#legs.get(callId)
    if (held === undefined || held.isOver) return
    held.happened({ type: 'ended', cause: 'normal', by: 'api' }, this.#services.clock.now(), true)
    held.leg.hangup()
  }

  /** Carries out what was asked of a call, once; nothing, where it is not held here any more. */
  command(callId: string, id: string, command: Command, tools: Pick<ControlTools, 'conferences'>): void {
    const held = this.#legs.get(callId)
    const commanded = this.#commanded.get(callId) ?? new Set()
    if (held === undefined || commanded.has(id)) return
    this.#commanded.set(callId, commanded.add(id))
    try {
      this.#carryOut(held, id, command, tools)
    } catch (error) {
      this.#services.log.error({ err: error, call: callId, command: id }, 'what was asked of a call failed')
    }
  }

  #carryOut(held: HeldLeg, id: string, command: Command, { conferences }: Pick<ControlTools, 'conferences'>): void {
    const callId = held.call.id
    if (command.kind === 'participant') conferences.change(callId, command)
    else if (command.kind === 'client') held.leg.handleSignal?.(command.signal)
    else {
      const instructions = openInstructions(this.#services.keyring, held.ref, id, command.instructions)
      const running = this.#controls.get(callId)
      if (running === undefined) commandDialed(held, instructions)
      else running.command(instructions)
    }
  }

  /** The call as its instructions are carried out: sealed ones are opened. */
  withInstructions(ref: CallRef, call: Call): Call {
    if (typeof call.instructions !== 'string') return call
    return { ...call, instructions: openInstructions(this.#services.keyring, ref, call.id, call.instructions) }
  }

  /** Keeps what is ours; what was taken from us meanwhile has ended. @returns whether the database heard it */
  async beat(owner: string): Promise<boolean> {
    const { db, log } = this.#services
    this.places.tidy(callId => this.#legs.has(callId))
    const refs = [...this.#legs.values()].map(held => held.ref)
    if (refs.length === 0) return true
    try {
      const kept = new Set((await renewCallLeases(db, owner, refs)).map(ref => ref.callId))
      for (const { callId } of refs) if (!kept.has(callId)) this.drop(callId)
      return true
    } catch (error) {
      log.warn({ err: error, calls: refs.length }, 'the heartbeat of calls failed')
      return false
    }
  }

  /** Ends all that are left: the node stops. */
  endAll(): void {
    for (const held of [...this.#legs.values()]) held.end('node_lost', 'system', stoppingCause)
  }

  async flush(): Promise<void> {
    await this.#reporter.flush()
  }
}
