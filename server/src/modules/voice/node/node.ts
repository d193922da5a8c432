// A node of the voice network: the process that holds calls. It takes what is to be dialled from the queue, keeps its calls
// alive by a heartbeat, writes their events, lets their instructions run, and ends what was ended elsewhere.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { Command } from '../call_records/index.ts'
import { type ControlTools, createCallQueues, createConferences } from '../control/index.ts'
import type { VoiceEngineMaker } from '../engine/index.ts'
import type { HeldLeg } from '../legs/index.ts'
import { dialChild } from './child_calls.ts'
import type { DialedCall } from './dialed_call.ts'
import { Engines } from './engines.ts'
import { HeldCalls } from './held_calls.ts'
import { createEngineHost } from './inbound_calls.ts'
import { KeptInstructions } from './kept_instructions.ts'
import type { Places } from './places.ts'

const heartbeatMs = 10_000
/** After which one that was not heard is repeated. */
const heartbeatAgainMs = 1_000
/** How long a node that is to stop waits for its calls, when not said. */
const defaultDrainMs = 20_000

export type NodeOptions = {
  engines: readonly VoiceEngineMaker[]
  /** What instructions work with; see control/run.ts. */
  tools: (services: Services, owner: string) => OuterTools
  drainMs?: number
}

/** What instructions need and a node does not have of itself. */
export type OuterTools = Omit<
  ControlTools,
  'owner' | 'dial' | 'instead' | 'keep' | 'held' | 'conferences' | 'queues' | 'log' | 'clock'
>

/** As long as the process, or what of it carries calls. */
export class VoiceNode {
  /** Names the node in all that it stores; the next process has another name. */
  readonly owner = newId('node')
  readonly engines: Engines
  readonly #services: Services
  readonly #drainMs: number
  readonly #calls: HeldCalls
  readonly #kept: KeptInstructions
  readonly #tools: ControlTools
  #started: Promise<void> | undefined
  #heartbeat: NodeJS.Timeout | undefined
  #heartbeatAgain: NodeJS.Timeout | undefined
  #isDraining = false

  constructor(services: Services, { engines, tools, drainMs = defaultDrainMs }: NodeOptions) {
    this.#services = services
    this.#drainMs = drainMs
    this.engines = new Engines(services, engines)
    this.#calls = new HeldCalls(services)
    this.#kept = new KeptInstructions(services)
    this.#tools = this.#toolsWith(tools(services, this.owner))
  }

  #toolsWith(outer: OuterTools): ControlTools {
    const { owner, engines } = this
    const calls = this.#calls
    const parts = { services: this.#services, owner, engines, calls }
    const tools: ControlTools = {
      ...outer,
      owner,
      log: this.#services.log,
      clock: this.#services.clock,
      dial: (parent, child, signal) => dialChild(parts, parent, child, signal),
      instead: (held, work) => calls.instead(held, tools, work),
      keep: (held, list) => this.#kept.keep(held, list),
      held: callId => calls.held(callId),
      conferences: createConferences(outer.conferenceRecords, owner),
      queues: createCallQueues(),
    }
    return tools
  }

  get isDraining(): boolean {
    return this.#isDraining
  }

  /** Places for calls that are about to be dialled; they go back with the end of the calls. */
  get places(): Pick<Places, 'take' | 'give'> {
    return this.#calls.places
  }

  /** Opens the engines, once. */
  ready(): Promise<void> {
    this.#started ??= this.#start()
    return this.#started
  }

  async #start(): Promise<void> {
    const parts = {
      services: this.#services,
      owner: this.owner,
      calls: this.#calls,
      tools: this.#tools,
      isDraining: () => this.#isDraining,
    }
    await this.engines.start(engine => createEngineHost(parts, engine))
    this.#heartbeat = setInterval(() => void this.#beat(), heartbeatMs)
    this.#heartbeat.unref()
  }

  /** Where the database is away, it hears of us as soon as it is back: until then nobody knows that we live. */
  async #beat(): Promise<void> {
    const isHeard = await this.#calls.beat(this.owner)
    if (isHeard || this.#heartbeat === undefined || this.#heartbeatAgain !== undefined) return
    this.#heartbeatAgain = setTimeout(() => {
      this.#heartbeatAgain = undefined
      void this.#beat()
    }, heartbeatAgainMs)
    this.#heartbeatAgain.unref()
  }

  held(callId: string): HeldLeg | undefined {
    return this.#calls.held(callId)
  }

  dial(dialed: DialedCall): void {
    const held = this.#calls.dial(dialed)
    if (held === undefined) return
    try {
      this.#calls.control(held, this.#tools)
      held.attend()
    } catch (error) {
      this.#services.log.error({ err: error, call: held.call.id }, 'a call that was dialled could not be followed')
      held.end('network', 'system')
    }
  }

  /** Ends a call whose row has ended. */
  drop(callId: string): void {
    this.#calls.drop(callId)
  }

  /** Carries out what was asked of a call, once; nothing, where it is not held here any more. */
  command(callId: string, id: string, command: Command): void {
    this.#calls.command(callId, id, command, this.#tools)
  }

  /** Resolves when all that happened so far is written. */
  async flush(): Promise<void> {
    await Promise.all([this.#calls.flush(), this.#tools.conferenceRecords.flush(), this.#kept.flush()])
  }

  /** Accepts no more calls and waits for those there are; then ends the rest. */
  async drain(): Promise<void> {
    this.#isDraining = true
    const untilMs = performance.now() + this.#drainMs
    while (this.#calls.size > 0 && performance.now() < untilMs) await sleep(100)
    this.#calls.endAll()
    // What follows from their end, such as that of conferences, is reported first.
    await sleep(0)
    await this.flush()
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat)
    clearTimeout(this.#heartbeatAgain)
    this.#heartbeat = undefined
    if (this.#started === undefined) return
    await this.#started.catch(() => {})
    await this.flush()
    await this.engines.stop()
  }
}
