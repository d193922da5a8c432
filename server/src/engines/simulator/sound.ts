// What simulated remote parties are heard saying, and the beat at which frames pass. A voice is a tone of 220 Hz in syllables: it
// is no speech, but it is loud where people talk and silent where they do not, so machines can be distinguished from people.
import { encodeG711, type FrameKind, silenceOf } from '@tandem/sip'

const frameMs = 20
const samplesPerFrame = 160

export type Beat = {
  /** Calls `frame` once for every 20 ms of simulated time, until the answered function is called. */
  add(frame: () => void): () => void
  stop(): void
}

/** A beat of one frame each `periodMs`; what the timer cannot keep up with follows at once. */
export function startBeat(periodMs: number): Beat {
  const frames = new Set<() => void>()
  let timer: NodeJS.Timeout | undefined
  let nextMs = 0

  function run(): void {
    const nowMs = performance.now()
    // After a standstill the missing frames are not made up for: nobody listens that long.
    if (nowMs - nextMs > 50 * periodMs) nextMs = nowMs
    for (; nextMs <= nowMs; nextMs += periodMs) for (const frame of [...frames]) frame()
  }

  return {
    add(frame) {
      if (frames.size === 0) {
        nextMs = performance.now() + periodMs
        timer = setInterval(run, Math.max(1, periodMs))
        timer.unref()
      }
      frames.add(frame)
      return () => {
        frames.delete(frame)
        if (frames.size === 0) clearInterval(timer)
      }
    },
    stop() {
      frames.clear()
      clearInterval(timer)
    },
  }
}

/** One sound after the answer: its start and end in ms, and its tone in Hz. */
type Utterance = readonly [fromMs: number, toMs: number, hertz: number]

const hello: readonly Utterance[] = [[200, 900, 220]]
/** A greeting of nearly four seconds, then the beep. */
const mailbox: readonly Utterance[] = [
  [200, 3_700, 220],
  [3_800, 4_300, 1_000],
]
const voices: Readonly<Record<string, readonly Utterance[]>> = { '+15005550205': mailbox, '+15005550211': [] }
/** Says nothing, whatever it hears. */
const mute = '+15005550211'

/** Who answers does so when it has been quiet for this long behind what was said: longer than a pause between sentences. */
const turnMs = 700
/** How long an answer is, such as the message left on a voicemail. */
const answerMs = 3_000

export type Voice = {
  /** What the remote party hears in this frame, of PCMU; null for nothing. */
  hear(frame: Buffer | null): void
  /** Fills what it says in this frame, in PCMU. */
  say(into: Buffer): FrameKind
}

/**
 * What somebody at a number says, from the answer on.
 * @param options.answers whether they speak again, for three seconds, each time something was said to them: a prompt, a beep
 */
export function voiceOf(number: string, { answers = false } = {}): Voice {
  let utterances = voices[number] ?? hello
  const samples = new Int16Array(samplesPerFrame)
  let atMs = 0
  let isAsked = false
  let quietMs = 0
  return {
    hear(frame) {
      if (!answers || number === mute) return
      quietMs = frame !== null && isLoud(frame) ? 0 : quietMs + frameMs
      isAsked ||= quietMs === 0
      if (!isAsked || quietMs < turnMs) return
      isAsked = false
      utterances = [[atMs, atMs + answerMs, 220]]
    },
    say(into) {
      const utterance = utterances.find(([fromMs, toMs]) => atMs >= fromMs && atMs < toMs)
      const startMs = atMs
      atMs += frameMs
      if (utterance === undefined) {
        into.fill(silenceOf.PCMU)
        return 'silence'
      }
      const [fromMs, , hertz] = utterance
      for (let i = 0; i < samplesPerFrame; i++) {
        const seconds = (startMs - fromMs) / 1000 + i / 8000
        // Syllables: four a second, except in a beep.
        const loudness = hertz >= 1_000 ? 1 : 0.6 + 0.4 * Math.sin(2 * Math.PI * 4 * seconds)
        samples[i] = Math.round(8_000 * loudness * Math.sin(2 * Math.PI * hertz * seconds))
      }
      encodeG711('PCMU', samples, into)
      return 'audio'
    },
  }
}

/** Whether there is more in a frame of PCMU than a faint noise: a tenth of it above 1/128 of the range (G.711 §3, by its exponent). */
function isLoud(frame: Buffer): boolean {
  let loud = 0
  for (const octet of frame) if (((~octet >> 4) & 7) >= 2) loud++
  return loud >= frame.length / 10
}
