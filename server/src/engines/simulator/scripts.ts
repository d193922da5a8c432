// What the simulated remote party does, by the number that is called: the numbers +1 500 555 02xx have fixed outcomes,
// every other number is a handset that rings two seconds, answers, hangs up after five. Pure.
import type { EngineCall, LegEvent, SimulatedCaller } from '../../modules/voice/engine/index.ts'

/** What happens so many seconds after the call was dialled. */
export type ScriptStep = { afterSeconds: number; event: LegEvent }

type Outcome = { title: string; steps: (timeoutSeconds: number) => ScriptStep[] }

const talkSeconds = 5
/** Silence after which media counts as lost. */
const mediaSilenceSeconds = 30

function after(afterSeconds: number, event: LegEvent): ScriptStep {
  return { afterSeconds, event }
}

const ringing = after(0, { type: 'ringing' })
const answered = (afterSeconds: number) => after(afterSeconds, { type: 'answered', answeredBy: 'human' })
const calleeHangsUp = (afterSeconds: number) => after(afterSeconds, { type: 'ended', cause: 'normal', by: 'callee' })

function handset(): ScriptStep[] {
  return [ringing, answered(2), calleeHangsUp(2 + talkSeconds)]
}

/** The numbers with fixed outcomes. */
export const outcomes: Readonly<Record<string, Outcome>> = {
  '+15005550200': { title: 'answered by a human, who hangs up after 5 s', steps: handset },
  '+15005550201': {
    title: 'busy',
    steps: () => [after(1, { type: 'ended', cause: 'user_busy', by: 'callee' })],
  },
  '+15005550202': {
    title: 'rings until the timeout',
    steps: timeoutSeconds => [ringing, after(timeoutSeconds, { type: 'ended', cause: 'no_answer', by: 'system' })],
  },
  '+15005550203': {
    title: 'rejected by the callee',
    steps: () => [ringing, after(2, { type: 'ended', cause: 'declined', by: 'callee' })],
  },
  '+15005550204': {
    title: 'number not in service',
    steps: () => [after(1, { type: 'ended', cause: 'unallocated', by: 'carrier' })],
  },
  '+15005550205': {
    title: 'answered by a voice mailbox, which greets, beeps, and hangs up after 5 s of silence',
    steps: () => [
      ringing,
      after(2, { type: 'answered' }),
      after(6, { type: 'machine_detected' }),
      calleeHangsUp(6 + talkSeconds),
    ],
  },
  '+15005550206': {
    title: 'the first trunk answers 503, the second one takes the call',
    steps: () => [
      after(0, { type: 'rerouted', trunk: 'simulator_1', sipCode: 503, nextTrunk: 'simulator_2' }),
      after(1, { type: 'ringing' }),
      answered(3),
      calleeHangsUp(3 + talkSeconds),
    ],
  },
  '+15005550207': {
    title: 'early media, then answered',
    steps: () => [
      after(0, { type: 'ringing' }),
      after(0, { type: 'early_media' }),
      answered(3),
      calleeHangsUp(3 + talkSeconds),
    ],
  },
  '+15005550208': {
    title: 'answers and types 1234#',
    steps: () => [
      ringing,
      answered(2),
      // Who types has heard what to type, and waits for what comes of it.
      ...[...'1234#'].map((digit, index) => after(4 + index / 2, { type: 'dtmf', digit })),
      calleeHangsUp(4 + talkSeconds),
    ],
  },
  '+15005550209': {
    title: 'answered, then the media stops',
    steps: () => [
      ringing,
      answered(2),
      after(2 + talkSeconds + mediaSilenceSeconds, { type: 'ended', cause: 'media_timeout', by: 'system' }),
    ],
  },
  '+15005550210': {
    title: 'the carrier refuses the caller id',
    steps: () => [after(1, { type: 'ended', cause: 'caller_id_not_allowed', by: 'carrier' })],
  },
  '+15005550211': { title: 'answers, or calls, and says nothing', steps: handset },
}

/** Everything that will happen to a call if nobody interferes, in order; the last step ends it. */
export function scriptFor({ to, timeoutSeconds }: Pick<EngineCall, 'to' | 'timeoutSeconds'>): ScriptStep[] {
  return cutAtTimeout((outcomes[to]?.steps ?? handset)(timeoutSeconds), timeoutSeconds)
}

/** What a simulated caller does while it rings: waits, and gives up in the end. */
export function waitScript({ timeoutSeconds }: Pick<EngineCall, 'timeoutSeconds'>): ScriptStep[] {
  return [after(timeoutSeconds, { type: 'ended', cause: 'canceled', by: 'caller' })]
}

/** What a simulated caller does from the answer on: types, and hangs up. What is not typed by then is not typed at all. */
export function callerScript({ digits, seconds }: SimulatedCaller): ScriptStep[] {
  const steps: ScriptStep[] = []
  let atSeconds = 1
  for (const digit of digits) {
    const pause = pauseSeconds[digit]
    if (pause === undefined && atSeconds < seconds) steps.push(after(atSeconds, { type: 'dtmf', digit }))
    atSeconds += pause ?? 0.5
  }
  return [...steps, after(seconds, { type: 'ended', cause: 'normal', by: 'caller' })]
}

const pauseSeconds: Readonly<Record<string, number>> = { w: 0.5, W: 1 }

/** Nobody rings longer than the caller asked for. */
function cutAtTimeout(steps: ScriptStep[], timeoutSeconds: number): ScriptStep[] {
  const isFinal = ({ event }: ScriptStep) => event.type === 'answered' || event.type === 'ended'
  const first = steps.find(isFinal)
  if (first === undefined || first.afterSeconds <= timeoutSeconds) return steps
  const before = steps.filter(step => step.afterSeconds < timeoutSeconds)
  return [...before, after(timeoutSeconds, { type: 'ended', cause: 'no_answer', by: 'system' })]
}
