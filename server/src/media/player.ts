// What one leg hears of us: a queue of clips, each so many times, with seeking, pausing, stopping and barge-in. It is asked for
// a frame every 20 ms and reports when a clip has ended; clips follow each other without a gap.
import type { G711Law } from '@tandem/sip'
import { silenceOf } from '@tandem/sip'
import { frameSamples, samplesPerMs } from './audio.ts'
import type { Clip } from './clip.ts'

/** `played`: all of it was handed out; `stopped`: by `stop`; `barged`: the other side started to speak or press keys. */
export type PlayEnd = { how: 'played' | 'stopped' | 'barged'; playedMs: number }

export type PlayOptions = {
  /** How often; 0 is for ever. Default 1. */
  times?: number
  /** Where to start in the first round; default 0. */
  offsetMs?: number
  /** Whether `bargeIn` ends it; default true. */
  mayBeBarged?: boolean
  /** Called once, at the end of the frame in which it ended. May play something else. */
  onEnd?(end: PlayEnd): void
}

export type Player = {
  /** Behind what is queued already. Throws RangeError for options out of range. */
  play(clip: Clip, options?: PlayOptions): void
  /** The next frame, in the leg's law; false, and `into` untouched, where there is nothing to say. */
  next(into: Buffer): boolean
  /** To a place in the clip that plays, or by so many ms from here; never beyond its two ends. */
  seek(toMs: number): void
  skip(byMs: number): void
  /** Says nothing until `resume`; the queue stays. */
  pause(): void
  resume(): void
  /** Ends the clip that plays and all that wait. */
  stop(): void
  /** Ends those clips, from the first on, that may be barged. Whether there was one. */
  bargeIn(): boolean
  /** After a new offer and answer; goes on at the same place. */
  setLaw(law: G711Law): void
  readonly isPlaying: boolean
  readonly isPaused: boolean
  /** In the clip that plays; 0 without one. */
  readonly positionMs: number
  /** Clips that play or wait. */
  readonly queued: number
}

type Item = {
  clip: Clip
  left: number
  at: number
  played: number
  mayBeBarged: boolean
  onEnd: PlayOptions['onEnd']
}

export function createPlayer(options: { law: G711Law }): Player {
  let { law } = options
  let queue: Item[] = []
  let isPaused = false

  function play(clip: Clip, { times = 1, offsetMs = 0, mayBeBarged = true, onEnd }: PlayOptions = {}): void {
    if (!Number.isInteger(times) || times < 0) throw new RangeError(`times: ${times}, must be a whole number from 0`)
    if (!(offsetMs >= 0)) throw new RangeError(`offsetMs: ${offsetMs}, must be 0 or more`)
    const left = times === 0 ? Number.POSITIVE_INFINITY : times
    queue.push({ clip, left, at: placeIn(clip, offsetMs), played: 0, mayBeBarged, onEnd })
  }

  function next(into: Buffer): boolean {
    if (isPaused || queue.length === 0) return false
    const ended: Item[] = []
    let filled = 0
    while (filled < frameSamples && queue.length > 0) {
      const item = queue[0]!
      const octets = item.clip[law]
      const length = Math.min(frameSamples - filled, octets.length - item.at)
      octets.copy(into, filled, item.at, item.at + length)
      filled += length
      item.at += length
      item.played += length
      if (item.at < octets.length) continue
      item.left -= 1
      // A clip without samples would be repeated for ever in this one frame.
      if (item.left > 0 && octets.length > 0) item.at = 0
      else ended.push(queue.shift()!)
    }
    if (filled > 0 && filled < frameSamples) into.fill(silenceOf[law], filled, frameSamples)
    for (const item of ended) finish(item, 'played')
    return filled > 0
  }

  function finish({ onEnd, played }: Item, how: PlayEnd['how']): void {
    onEnd?.({ how, playedMs: played / samplesPerMs })
  }

  function seek(toMs: number): void {
    const item = queue[0]
    if (item !== undefined) item.at = placeIn(item.clip, toMs)
  }

  function end(items: Item[], how: PlayEnd['how']): void {
    for (const item of items) finish(item, how)
  }

  function stop(): void {
    const ended = queue
    queue = []
    isPaused = false
    end(ended, 'stopped')
  }

  function bargeIn(): boolean {
    const firstKept = queue.findIndex(item => !item.mayBeBarged)
    const ended = queue.splice(0, firstKept === -1 ? queue.length : firstKept)
    if (ended.length > 0) isPaused = false
    end(ended, 'barged')
    return ended.length > 0
  }

  return {
    play,
    next,
    seek,
    skip: byMs => seek((queue[0]?.at ?? 0) / samplesPerMs + byMs),
    pause: () => {
      isPaused = true
    },
    resume: () => {
      isPaused = false
    },
    stop,
    bargeIn,
    setLaw: to => {
      law = to
    },
    get isPlaying() {
      return queue.length > 0 && !isPaused
    },
    get isPaused() {
      return isPaused
    },
    get positionMs() {
      return (queue[0]?.at ?? 0) / samplesPerMs
    },
    get queued() {
      return queue.length
    },
  }
}

/** In octets; what lies outside is the nearer end. */
function placeIn({ PCMU }: Clip, ms: number): number {
  return Math.min(PCMU.length, Math.max(0, Math.round((Number.isFinite(ms) ? ms : 0) * samplesPerMs)))
}
