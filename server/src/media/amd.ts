// Answering machine detection: who answered, by how long the first words go on. People say "hello?" and wait; machines speak
// for longer, then beep. Pure: fed with the frames of the callee from the answer on; time is counted in frames.
import { frameMs } from './audio.ts'
import { strongestTone } from './goertzel.ts'
import { createActivityDetector } from './silence.ts'

export type AmdOptions = {
  /** Whether to wait for the end of a machine's greeting, to leave a message after it; default false. */
  waitsForGreetingEnd?: boolean
  /** First words of at least this length are a machine's; default 2,400. */
  speechMs?: number
  /** After so much silence what was said is complete; default 1,200. */
  speechEndMs?: number
  /** Without a word for so long the verdict is `unknown`; default 5,000. */
  silenceMs?: number
  /** For everything; default 30,000. */
  timeoutMs?: number
  /** After the silence that ends a greeting, the beep may take so long to come; default 0. */
  beepWaitMs?: number
}

/**
 * `machine_start`: a machine speaks (only without `waitsForGreetingEnd`); `machine_end_…`: now it would record, recognized by its
 * beep, by silence, or by neither within the time; `fax`: a fax machine's tone; `unknown`: silence, or no verdict in time.
 */
export type AmdVerdict =
  | 'human'
  | 'machine_start'
  | 'machine_end_beep'
  | 'machine_end_silence'
  | 'machine_end_other'
  | 'fax'
  | 'unknown'

export type AmdResult = {
  verdict: AmdVerdict
  /** Since the first frame. */
  atMs: number
  /** How long the first words went on, pauses included. */
  speechMs: number
  /** Of the beep, in Hz. */
  beepFrequency: number | null
}

export type AmdDetector = {
  /** The next 20 ms of the callee; null where nothing came. The verdict once there is one, and from then on the same. */
  push(samples: Int16Array | null): AmdResult | null
  readonly result: AmdResult | null
}

/** Beeps of machines: one steady frequency. Voices do not hold one so purely, or so long. */
const leastBeepMs = 120
const leastShare = 0.7
const beepDriftHz = 20
/** A fax machine answers with 2,100 Hz for about three seconds (ITU-T T.30 §4.1), longer than any beep. */
const fax = { hz: 2_100, toleranceHz: 25, ms: 2_000 }
/** In which noise is known to be noise, and a little more. */
const noiseMs = 440
/** A beep that does not end is none: a dial tone, a line test. */
const longestBeepMs = 4_000

export function createAmdDetector(options: AmdOptions = {}): AmdDetector {
  const { waitsForGreetingEnd = false, speechMs = 2_400, speechEndMs = 1_200, silenceMs = 5_000 } = options
  const { timeoutMs = 30_000, beepWaitMs = 0 } = options
  const activity = createActivityDetector({ hangoverMs: 0 })
  const tone = createToneTrack()
  let atMs = 0
  let speechFromMs: number | null = null
  let speechToMs = 0
  /** A click is not a word. */
  let activeMs = 0
  let isMachine = false
  let result: AmdResult | null = null

  function push(samples: Int16Array | null): AmdResult | null {
    if (result !== null) return result
    const startMs = atMs
    atMs += frameMs
    const { isActive, isSteadyNoise } = activity.push(samples)
    // The noise of the line took itself for words until it was known.
    if (isSteadyNoise && speechFromMs !== null && speechFromMs >= startMs - noiseMs) speechFromMs = null
    const heard = tone.push(isActive ? samples : null)
    if (heard.isTone) hearTone(heard.ms, heard.frequency)
    else if (heard.ended !== null) decide(waitsForGreetingEnd ? 'machine_end_beep' : 'machine_start', heard.ended)
    else hearVoice(isActive, startMs)
    if (result === null && atMs >= timeoutMs) decide(isMachine ? 'machine_end_other' : 'unknown')
    return result
  }

  function hearTone(ms: number, frequency: number): void {
    if (Math.abs(frequency - fax.hz) <= fax.toleranceHz && ms >= fax.ms) decide('fax')
    else if (ms >= longestBeepMs) decide(isMachine ? 'machine_end_other' : 'unknown')
  }

  function hearVoice(isActive: boolean, startMs: number): void {
    activeMs = isActive ? activeMs + frameMs : 0
    if (activeMs >= 3 * frameMs) {
      speechFromMs ??= startMs - 2 * frameMs
      speechToMs = atMs
    }
    if (speechFromMs === null) {
      if (atMs >= silenceMs) decide('unknown')
      return
    }
    if (speechToMs - speechFromMs >= speechMs && !isMachine) {
      isMachine = true
      if (!waitsForGreetingEnd) decide('machine_start')
    }
    const quietMs = atMs - speechToMs
    if (!isMachine && quietMs >= speechEndMs) decide('human')
    else if (isMachine && quietMs >= speechEndMs + beepWaitMs) decide('machine_end_silence')
  }

  function decide(verdict: AmdVerdict, beepFrequency: number | null = null): void {
    const spokenMs = speechFromMs === null ? 0 : speechToMs - speechFromMs
    result ??= { verdict, atMs, speechMs: spokenMs, beepFrequency }
  }

  return {
    push,
    get result() {
      return result
    },
  }
}

type ToneHeard = { isTone: boolean; ms: number; frequency: number; ended: number | null }

/** Follows one pure frequency: `ended` is that of a beep that has just stopped. */
function createToneTrack() {
  let frequency = 0
  let ms = 0

  function push(samples: Int16Array | null): ToneHeard {
    const found = samples === null ? null : strongestTone(samples)
    const isPure = found !== null && found.share >= leastShare
    if (isPure && (ms === 0 || Math.abs(found.frequency - frequency) <= beepDriftHz)) {
      frequency = ms === 0 ? found.frequency : frequency + (found.frequency - frequency) / 4
      ms += frameMs
      // The first frames may still be a vowel; from here on nothing of it counts as speech.
      return { isTone: ms >= leastBeepMs, ms, frequency, ended: null }
    }
    const ended = ms >= leastBeepMs ? Math.round(frequency) : null
    ms = isPure ? frameMs : 0
    if (isPure) frequency = found.frequency
    return { isTone: false, ms, frequency, ended }
  }

  return { push }
}
