// For tests of calls: an engine whose remote parties do what the test says.
import type { AudioSource, FrameKind } from '@tandem/sip'
import type {
  CallRef,
  EngineCall,
  EngineHost,
  Leg,
  LegEvent,
  VoiceEngine,
} from '../../src/modules/voice/engine/index.ts'
import type { OuterTools } from '../../src/modules/voice/node/node.ts'

/** A leg in the hands of a test. */
export type TestLeg = Leg & {
  readonly call: EngineCall
  /** What was asked of it, in order: `hangup`, `answer`, `reject 486`, `digits 12`. */
  readonly asked: string[]
  /** Lets something happen on it. */
  happen(event: LegEvent): void
  /** One frame of 20 ms: it says `heard` (silence when not said), and answers what it was given to hear. */
  frame(heard?: Buffer): Buffer
}

export function createTestLeg(call: EngineCall, now: () => number, sleep: Leg['sleep'] = sleepShort): TestLeg {
  const asked: string[] = []
  const waiting: [LegEvent, number][] = []
  let listener: ((event: LegEvent, atMs: number) => void) | undefined
  let source: AudioSource | null = null
  let sink: ((frame: Buffer, kind: FrameKind) => void) | null = null
  const silence = Buffer.alloc(160, 0xff)

  function happen(event: LegEvent): void {
    if (listener === undefined) waiting.push([event, now()])
    else listener(event, now())
  }

  return {
    call,
    callId: call.callId,
    asked,
    happen,
    frame(heard = silence) {
      sink?.(heard, heard === silence ? 'silence' : 'audio')
      const said = Buffer.from(silence)
      source?.(said)
      return said
    },
    sound: {
      law: 'PCMU',
      setSource(next) {
        source = next
      },
      setSink(next) {
        sink = next
      },
      async sendDigits(digits) {
        asked.push(`digits ${digits}`)
      },
    },
    listen(next) {
      listener = next
      for (const [event, atMs] of waiting.splice(0)) next(event, atMs)
    },
    sleep,
    ring: () => void asked.push('ring'),
    async answer() {
      asked.push('answer')
      happen({ type: 'answered' })
    },
    reject: sipCode => void asked.push(`reject ${sipCode}`),
    hangup: q850 => void asked.push(q850 === undefined ? 'hangup' : `hangup ${q850}`),
    async hold(isOn) {
      asked.push(isOn ? 'hold' : 'resume')
      return true
    },
    async refer(to) {
      asked.push(`refer ${to}`)
      return { ok: true, sipCode: 202 }
    },
  }
}

/** A tenth of the time that is asked for, so that tests need not wait. */
function sleepShort(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const timer = setTimeout(done, ms / 10)
    timer.unref()
    function done() {
      clearTimeout(timer)
      signal?.removeEventListener('abort', done)
      resolve()
    }
    if (signal?.aborted) done()
    else signal?.addEventListener('abort', done)
  })
}

/** An engine that notes what it is asked; parts of it may be replaced. */
export function createTestEngine(now: () => number, more: Partial<VoiceEngine> = {}) {
  const legs = new Map<string, TestLeg>()
  const stranded: string[] = []
  let host: EngineHost | undefined
  const engine: VoiceEngine = {
    name: 'test',
    virtual: true,
    carries: ['trunk', 'sip', 'client'],
    async start(given) {
      host = given
    },
    async stop() {},
    serves: async () => true,
    prepare: async (_tx, _scope, calls) => calls.map(() => ({ type: 'dial', trunkId: null })),
    dial(_scope, call) {
      const leg = createTestLeg(call, now)
      legs.set(call.callId, leg)
      return leg
    },
    endStranded: async (call: CallRef) => void stranded.push(call.callId),
    ...more,
  }
  return {
    engine,
    legs,
    stranded,
    leg(callId: string): TestLeg {
      const leg = legs.get(callId)
      if (leg === undefined) throw new Error(`${callId} was not dialled`)
      return leg
    },
    host(): EngineHost {
      if (host === undefined) throw new Error('the engine was not started')
      return host
    },
  }
}

/** Tools of calls that have nothing to ask anybody for. */
export const quietTools: OuterTools = {
  ask: async () => ({ ok: true, list: [] }),
  say: async () => ({ PCMU: Buffer.alloc(160), PCMA: Buffer.alloc(160), durationMs: 20 }),
  fetchClip: async () => ({ PCMU: Buffer.alloc(160), PCMA: Buffer.alloc(160), durationMs: 20 }),
  recordings: { open: async () => undefined },
  conferenceRecords: { open: async () => true, report() {}, async flush() {} },
  handlingOf: async () => ({ callback_url: null, fallback_url: null, instructions: null }),
  mayShow: async () => true,
  policyAgainst: async () => undefined,
  message: async () => {},
}
