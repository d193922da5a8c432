// The simulated voice engine: carries calls of test tenants, and while no real engine is there those of live ones to the numbers
// it has: it answers for nobody else. Its remote parties act by script (scripts.ts), are heard (sound.ts) and hear; like those of real
// engines they live in the process that called.
import { setTimeout as sleep } from 'node:timers/promises'
import type { AudioSource, FrameKind } from '@tandem/sip'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import type { Clock } from '../../kernel/values/clock.ts'
import { isSimulatorNumber } from '../../kernel/values/phone.ts'
import { codeOf, waysOut } from '../../modules/destinations/index.ts'
import type { Admission, EngineCall, Leg, LegEvent, VoiceEngineMaker } from '../../modules/voice/engine/index.ts'
import { createLegEvents } from '../leg_events.ts'
import { callerScript, type ScriptStep, scriptFor, waitScript } from './scripts.ts'
import { type Beat, startBeat, voiceOf } from './sound.ts'

export type SimulatorOptions = {
  /** How much faster than real time its calls go; 1 when not said. */
  speed?: number
  /** Phones of the simulator that people have in their hands. */
  handsets?: HandsetsMaker
}

/** Phones that have taken numbers of the simulator, or call from them: they ring in the place of a script. */
export type Handsets = {
  /** The ids of those of these calls that such a phone has; called within the transaction that marks them as dialled. */
  take(tx: Tx, scope: Scope, calls: readonly EngineCall[]): Promise<ReadonlySet<string>>
  /** The leg of a call that was taken; undefined for others. */
  dial(scope: Scope, call: EngineCall): Leg | undefined
  stop(): void
}
export type HandsetsMaker = (services: Services) => Handsets

/** How much faster the time of calls goes that ask for it. */
const compression = 10

export function simulatorEngine({ speed = 1, handsets: make }: SimulatorOptions = {}): VoiceEngineMaker {
  return services => {
    const { clock } = services
    const ofLife = { beat: startBeat(20 / speed), speed }
    const fast = { beat: startBeat(20 / (speed * compression)), speed: speed * compression }
    const handsets = make?.(services)
    return {
      name: 'simulator',
      virtual: true,
      carries: ['trunk', 'sip'],
      async start() {},
      async stop() {
        ofLife.beat.stop()
        fast.beat.stop()
        handsets?.stop()
      },
      serves: async () => true,
      async prepare(tx, scope, calls, mode) {
        const taken = await handsets?.take(tx, scope, calls)
        const isOurs = (call: EngineCall) =>
          taken?.has(call.callId) === true || call.simulated !== undefined || isSimulatorNumber(call.to)
        if (mode === 'test') return admitTests(tx, scope, calls, clock.now())
        return calls.map(call =>
          isOurs(call) ? { type: 'dial', trunkId: null } : { type: 'refuse', cause: 'no_route' },
        )
      },
      dial: (scope, call) =>
        handsets?.dial(scope, call) ?? createLeg(call, { clock, ...(call.isFast ? fast : ofLife) }),
      // Nobody is there who could still be waiting.
      async endStranded() {},
    }
  }
}

/** In test mode a minute of a call to a number has a cost, so that prices and what limits them can be tried. */
const testPrice = { micros: 10_000, currency: 'USD' }

async function admitTests(tx: Tx, scope: Scope, calls: readonly EngineCall[], nowMs: number): Promise<Admission[]> {
  const isPaid = (call: EngineCall) => call.simulated === undefined && call.to.startsWith('+')
  const paid = calls.filter(isPaid)
  if (paid.length === 0) return calls.map(() => ({ type: 'dial', trunkId: null }))
  const keyIds = paid.map(({ keyId = null }) => keyId)
  const ways = await waysOut(tx, scope, { mode: 'test', keyIds, trunkIds: [], nowMs, isPriced: true })
  const admissions: Admission[] = []
  for (const call of calls) {
    const { callId, keyId = null } = call
    const refused = isPaid(call) ? await ways.take({ callId, keyId }, { trunkId: null, price: testPrice }) : undefined
    if (refused !== undefined) admissions.push({ type: 'refuse', cause: codeOf(refused) })
    else admissions.push({ type: 'dial', trunkId: null, ...(isPaid(call) ? { price: testPrice } : {}) })
  }
  return admissions
}

type Surroundings = { clock: Clock; beat: Beat; speed: number }

function createLeg(call: EngineCall, { clock, beat, speed }: Surroundings): Leg {
  const events = createLegEvents(clock)
  let isAnswered = false
  let source: AudioSource | null = null
  let sink: ((frame: Buffer, kind: FrameKind) => void) | null = null
  let leaveBeat: (() => void) | undefined
  // Of a call that comes in the remote party is the one who calls.
  const voice = call.simulated === undefined ? voiceOf(call.to) : voiceOf(call.from, { answers: true })
  const heard = Buffer.alloc(160)
  const said = Buffer.alloc(160)

  function emit(event: LegEvent): void {
    if (events.isOver()) return
    if (event.type === 'answered') isAnswered = true
    if (event.type === 'ended') end()
    events.emit(event)
  }

  let cancel = () => {}
  play(call.simulated === undefined ? scriptFor(call) : waitScript(call))
  // It may be answered at once.
  if (call.simulated !== undefined) emit({ type: 'ringing' })

  /** Lets a script happen in the place of the one that runs. */
  function play(script: readonly ScriptStep[]): void {
    cancel()
    cancel = schedule(script, speed, emit)
  }

  function end(): void {
    play([])
    source = null
    sink = null
    listenToBeat()
  }

  function frame(): void {
    const isHeard = source?.(said) === true
    voice.hear(isHeard ? said : null)
    if (sink === null) return
    const kind = isAnswered ? voice.say(heard) : 'silence'
    sink(heard, kind)
  }

  /** Frames are made only while somebody talks or listens. */
  function listenToBeat(): void {
    const isWanted = !events.isOver() && (source !== null || sink !== null)
    if (isWanted) leaveBeat ??= beat.add(frame)
    else {
      leaveBeat?.()
      leaveBeat = undefined
    }
  }

  return {
    callId: call.callId,
    sound: {
      law: 'PCMU',
      setSource(next) {
        source = next
        listenToBeat()
      },
      setSink(next) {
        sink = next
        listenToBeat()
      },
      async sendDigits(digits, { toneMs = 100, gapMs = 100, signal } = {}) {
        await pause(digits.length * (toneMs + gapMs), signal)
      },
    },
    listen: events.listen,
    sleep: pause,
    ring() {},
    async answer() {
      if (isAnswered || events.isOver()) return
      emit({ type: 'answered', answeredBy: 'human' })
      if (call.simulated !== undefined) play(callerScript(call.simulated))
    },
    reject: hangup,
    hangup,
    hold: async () => !events.isOver(),
    refer: async () => ({ ok: !events.isOver(), sipCode: events.isOver() ? 481 : 200 }),
  }

  function hangup(): void {
    emit({ type: 'ended', cause: isAnswered ? 'normal' : 'canceled', by: 'system' })
  }

  async function pause(ms: number, signal?: AbortSignal): Promise<void> {
    await sleep(ms / speed, undefined, { signal, ref: false }).catch(() => {})
  }
}

/** Lets the steps of a script happen, each after its time and in their order. Returns what cancels those to come. */
function schedule(script: readonly ScriptStep[], speed: number, emit: (event: LegEvent) => void): () => void {
  const left = [...script]
  // Timers of different lengths that are late together come in no order: each lets happen what is before it, too.
  const playUpTo = (step: ScriptStep) => {
    while (left.includes(step)) emit((left.shift() as ScriptStep).event)
  }
  const timers = script.map(step => setTimeout(playUpTo, (step.afterSeconds * 1000) / speed, step))
  return () => {
    left.length = 0
    for (const timer of timers) clearTimeout(timer)
  }
}
