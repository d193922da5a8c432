// For tests of calls under instructions: a world with a clock of its own, in which remote parties do what the test says. It moves on
// by frames of 20 ms for all legs; between them everything that can happen at once has happened.
import { decodeG711, encodeG711 } from '@tandem/sip'
import type { Log } from '../../src/kernel/observe/log.ts'
import { type Clip, toneClip } from '../../src/media/clip.ts'
import { toneLevel } from '../../src/media/goertzel.ts'
import type { Call, CallEvent } from '../../src/modules/voice/call_records/rules.ts'
import { initialCall, type NewCall } from '../../src/modules/voice/call_records/store.ts'
import type { ConferenceEvent } from '../../src/modules/voice/conferences/index.ts'
import { createCallQueues } from '../../src/modules/voice/control/call_queues.ts'
import { createConferences } from '../../src/modules/voice/control/conferences.ts'
import { type CallControl, startControl } from '../../src/modules/voice/control/control.ts'
import { commandDialed } from '../../src/modules/voice/control/dialed.ts'
import type { Asked, AskReason, ChildCall, ControlTools, Work } from '../../src/modules/voice/control/run.ts'
import type { LegEvent, VoiceEngine } from '../../src/modules/voice/engine/index.ts'
import type { InstructionList } from '../../src/modules/voice/instructions/schema.ts'
import { createHeldLeg, type HeldLeg } from '../../src/modules/voice/legs/held_leg.ts'
import { sine } from '../media/sounds.ts'
import { createTestLeg, type TestLeg } from './engine.ts'

const scope = { tenantId: 1, organizationId: 1 }
/** How much of what a leg heard is kept. */
const keptFrames = 500

export type Remote = TestLeg & {
  readonly held: HeldLeg
  readonly child: ChildCall | undefined
  /** What was reported of it, in order. */
  readonly reported: CallEvent[]
  /** Says a tone from now on; null for silence. */
  speak(frequency: number | null, levelDbm0?: number): void
  /** Says these samples once. */
  say(samples: Int16Array): void
  /** Whether this tone was in what it heard in the last so many ms. */
  hears(frequency: number, ms?: number): boolean
  heard(ms: number): Int16Array
  answers(): void
  hangsUp(): void
  presses(digits: string): void
  /** Types of what was reported, without keys. */
  types(): string[]
  notes(event: string): Record<string, unknown>[]
}

export type World = ReturnType<typeof createWorld>

export type WorldOptions = {
  tools?: Partial<ControlTools>
  /** What a dialled leg does at once. */
  onDial?(remote: Remote): void
  /** How long everything takes that is asked of the world. */
  slowMs?: number
}

export function createWorld({ tools: given = {}, onDial, slowMs = 0 }: WorldOptions = {}) {
  let nowMs = 1_800_000_000_000
  let ids = 0
  const sleeps = new Set<{ atMs: number; done: () => void }>()
  const remotes = new Map<string, Remote>()
  const controls = new Map<string, CallControl>()
  const faults: unknown[] = []
  const asks: { url: string; reason: AskReason; data: Record<string, unknown>; callId: string }[] = []
  const answers = new Map<string, Asked | (() => Promise<Asked>)>()
  const messages: unknown[] = []
  const recordings: { chunks: Buffer[]; durationMs: number | undefined; channels: string; callId: string }[] = []
  const conferenceEvents: ConferenceEvent[] = []
  /** What a text sounds like; 20 ms of silence where not said. */
  const speech = new Map<string, Clip>()

  const log = {
    child: () => log,
    warn() {},
    info() {},
    debug() {},
    error: (details: { err?: unknown }) => void faults.push(details.err ?? details),
  } as unknown as Log

  function sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.resolve()
    return new Promise(resolve => {
      const entry = { atMs: nowMs + ms, done }
      function done() {
        sleeps.delete(entry)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      sleeps.add(entry)
      signal?.addEventListener('abort', done)
    })
  }

  const slowly = () => (slowMs === 0 ? undefined : sleep(slowMs))

  function makeRemote(call: Call, child?: ChildCall): Remote {
    const reported: CallEvent[] = []
    const leg = createTestLeg({ ...engineCallOf(call) }, () => nowMs, sleep)
    const held = createHeldLeg(
      { ref: { ...scope, callId: call.id }, mode: 'test', call, leg, engine: {} as VoiceEngine },
      {
        log,
        now: () => nowMs,
        report: event => void reported.push(event),
        over() {
          remotes.delete(call.id)
          controls.delete(call.id)
        },
      },
    )
    const heardFrames: Buffer[] = []
    let speaks: Int16Array | undefined
    let at = 0
    let isLooped = false
    const frame = Buffer.alloc(160)
    const remote: Remote = {
      ...leg,
      held,
      child,
      reported,
      frame() {
        let said: Buffer | undefined
        if (speaks !== undefined) {
          const samples = speaks.subarray(at, at + 160)
          at += 160
          if (at >= speaks.length) {
            at = 0
            if (!isLooped) speaks = undefined
          }
          if (samples.length === 160) said = encodeG711('PCMU', samples, frame)
        }
        const heard = leg.frame(said)
        heardFrames.push(heard)
        if (heardFrames.length > keptFrames) heardFrames.shift()
        return heard
      },
      speak(frequency, levelDbm0 = -15) {
        isLooped = true
        at = 0
        // Whole periods of every multiple of 10 Hz.
        speaks = frequency === null ? undefined : sine(frequency, 100, levelDbm0)
      },
      say(samples) {
        isLooped = false
        at = 0
        speaks = samples
      },
      heard(ms) {
        const frames = heardFrames.slice(-ms / 20)
        return decodeG711('PCMU', Buffer.concat(frames), new Int16Array(frames.length * 160))
      },
      hears: (frequency, ms = 200) => toneLevel(remote.heard(ms), frequency) > -35,
      answers: () => leg.happen({ type: 'answered' }),
      hangsUp: () => leg.happen({ type: 'ended', cause: 'normal', by: 'callee' }),
      presses(digits) {
        for (const digit of digits) leg.happen({ type: 'dtmf', digit })
      },
      types: () =>
        reported.flatMap(it => (it.type === 'dtmf' ? [] : [it.type === 'noted' ? it.event : it.type])) as string[],
      notes: event =>
        reported.flatMap(it =>
          it.type === 'noted' && it.event === event ? [it.details as Record<string, unknown>] : [],
        ),
    }
    remotes.set(call.id, remote)
    return remote
  }

  const dialed: Remote[] = []
  const tools: ControlTools = {
    owner: 'node_test',
    log,
    clock: { now: () => nowMs },
    async dial(parent, child) {
      await slowly()
      const { by: _by, sip: _sip, ...rest } = child
      const call = callOf({ ...rest, direction: 'outbound', parent_call_id: parent.call.id })
      const remote = makeRemote(call, child)
      dialed.push(remote)
      onDial?.(remote)
      return remote.held
    },
    instead(held, work) {
      const running = controls.get(held.call.id)
      if (running !== undefined) running.instead(work)
      else start(held, work)
    },
    keep() {},
    mayShow: async () => true,
    policyAgainst: async () => undefined,
    held: callId => remotes.get(callId)?.held,
    handlingOf: async () => ({ callback_url: null, fallback_url: null, instructions: null }),
    async ask(held, url, reason, data) {
      await slowly()
      asks.push({ url, reason, data, callId: held.call.id })
      const answer = answers.get(url) ?? { ok: true, list: [] }
      return typeof answer === 'function' ? answer() : answer
    },
    async say({ text }) {
      await slowly()
      return speech.get(text) ?? silence
    },
    fetchClip: async (_held, url) => {
      const clip = speech.get(url)
      if (clip === undefined) throw new Error('404')
      return clip
    },
    message: async (_held, message) => void messages.push(message),
    recordings: {
      async open(held, channels) {
        await slowly()
        const recording = { chunks: [] as Buffer[], durationMs: undefined, channels, callId: held.call.id }
        const entry: (typeof recordings)[number] = recording
        recordings.push(entry)
        return {
          recordingId: `rec_${recordings.length}`,
          sink: {
            write: (chunk: Buffer) => void entry.chunks.push(chunk),
            finish() {},
          } as never,
          async paused() {},
          async resumed() {},
          async ended(durationMs) {
            entry.durationMs = durationMs
          },
        }
      },
    },
    conferenceRecords: {
      async open() {
        await slowly()
        return true
      },
      report: (_scope, _id, event) => void conferenceEvents.push(event),
      async flush() {},
    },
    conferences: undefined as never,
    queues: createCallQueues(),
    ...given,
  }
  Object.assign(tools, { conferences: given.conferences ?? createConferences(tools.conferenceRecords, 'node_test') })

  function callOf(more: Partial<NewCall>): Call {
    return initialCall(scope, {
      id: `call_${++ids}`,
      direction: 'outbound',
      from_number: '+15550100001',
      to_number: '+15550100002',
      caller_name: null,
      callback_url: null,
      timeout_seconds: 30,
      time_limit_seconds: 14_400,
      tags: [],
      metadata: {},
      created_at: new Date(nowMs).toISOString(),
      ...more,
    })
  }

  function start(held: HeldLeg, work?: Work): CallControl {
    const control = startControl(held, tools, work)
    if (!held.isOver) controls.set(held.call.id, control)
    return control
  }

  async function settle(): Promise<void> {
    await new Promise(resolve => setImmediate(resolve))
  }

  return {
    tools,
    asks,
    answers,
    messages,
    recordings,
    conferenceEvents,
    speech,
    faults,
    dialed,
    controls,
    settle,
    /** A call under instructions: one that came in, or one that went out and is answered. */
    async call(instructions: InstructionList | null, more: Partial<NewCall> & { isUnanswered?: boolean } = {}) {
      const { isUnanswered = false, ...rest } = more
      const remote = makeRemote(callOf({ ...rest, instructions }))
      start(remote.held)
      remote.held.attend()
      if (!isUnanswered && remote.held.call.direction === 'outbound') remote.answers()
      await settle()
      return remote
    },
    command(remote: Remote, list: InstructionList) {
      const running = controls.get(remote.held.call.id)
      if (running === undefined) commandDialed(remote.held, list)
      else running.command(list)
    },
    /** Lets time pass. */
    async run(ms: number) {
      for (let passed = 0; passed < ms; passed += 20) {
        nowMs += 20
        for (const entry of [...sleeps].sort((a, b) => a.atMs - b.atMs)) if (entry.atMs <= nowMs) entry.done()
        for (const remote of [...remotes.values()]) remote.frame()
        await settle()
      }
    },
    /** Lets time pass until something is so; an error when it never comes. */
    async until(condition: () => boolean, maxMs = 60_000) {
      for (let passed = 0; !condition(); passed += 20) {
        if (passed > maxMs) throw new Error(`never came: ${condition}`)
        await this.run(20)
      }
    },
    /** The leg that was dialled as the n-th, from 0. */
    child(index: number): Remote {
      const remote = dialed[index]
      if (remote === undefined) throw new Error(`${dialed.length} legs were dialled`)
      return remote
    },
    /** What is left once all calls are over: nothing may be. */
    left: () => ({
      legs: remotes.size,
      sleeps: sleeps.size,
      conferences: tools.conferences.count,
      queues: tools.queues.count,
      recordings: recordings.filter(it => it.durationMs === undefined).length,
    }),
    /** What hangs on a call that goes on. */
    hanging(remote: Remote) {
      const parts = controls.get(remote.held.call.id)?.parts
      return {
        playing: parts?.player.size,
        attached: parts?.media.attached,
        recorders: parts?.scratch.recorders.size,
        sleeps: sleeps.size,
      }
    },
  }
}

const silence = toneClip({ parts: [{ frequencies: [], ms: 20 }], levelDbm0: 0 })

export const nothingLeft = { legs: 0, sleeps: 0, conferences: 0, queues: 0, recordings: 0 }

/** A clip that sounds by this frequency. */
export function clipOf(frequency: number, ms: number): Clip {
  return toneClip({ parts: [{ frequencies: [frequency], ms }], levelDbm0: -15 })
}

function engineCallOf({ id, from_number, to_number, caller_name, timeout_seconds }: Call) {
  return {
    callId: id,
    from: from_number,
    to: to_number,
    callerName: caller_name,
    timeoutSeconds: timeout_seconds,
  }
}

export type { LegEvent }
