// Records a call: frames of both directions, put in their place by the times they came at, gaps filled with silence, mixed or
// left and right, as WAV. Knows pauses, a limit, an end by silence, trimmed ends, and the beep before it. Pure: the sink writes.
import type { G711Law } from '@tandem/sip'
import { decodeG711 } from '@tandem/sip'
import { frameMs, frameSamples, samplesPerMs, saturate } from './audio.ts'
import type { Clip } from './clip.ts'
import { toneClip } from './clip.ts'
import { createPlayer } from './player.ts'
import { createActivityDetector } from './silence.ts'
import { tones } from './tone.ts'
import type { RecordingSink } from './wav_write.ts'
import { wavData, wavHeader, wavHeaderBytes } from './wav_write.ts'

export type RecordingSide = 'caller' | 'callee'

/** Why it ended; `discarded` where nothing is worth keeping is for the caller to see by `durationMs` 0. */
export type RecordingEnd = {
  reason: 'stopped' | 'max_length' | 'silence'
  durationMs: number
  fileBytes: number
}

export type RecorderOptions = {
  sink: RecordingSink
  /** `mono`: both mixed; `dual`: the caller left, the callee right. */
  channels: 'mono' | 'dual'
  /** The start, on the clock of `push`. */
  startMs: number
  /** Default 14,400,000: four hours. */
  maxMs?: number
  /** Ends after so much silence of those in `listensTo`, at the start too; default never. */
  endSilenceMs?: number
  /** Whose silence counts; default both. */
  listensTo?: readonly RecordingSide[]
  /** Leaves out silence at both ends, but for a little of it; default false. */
  isTrimmed?: boolean
  /** Recording starts when `nextBeep` has been played to its end; default false. */
  hasBeep?: boolean
  /** Called once, after the sink was finished. */
  onEnd?(end: RecordingEnd): void
}

export type Recorder = {
  /** A frame of one side, of G.711, and when it came. Ignored after the end. */
  push(side: RecordingSide, octets: Buffer, law: G711Law, atMs: number): void
  /** Lets time pass where no side sends anything; to be called now and then, best every 20 ms. */
  tick(nowMs: number): void
  /** The frames of the beep, for anyone who is to hear it; false when it is over, or there is none. */
  nextBeep(into: Buffer, law: G711Law): boolean
  /** `skip`: what is said is left out; `silence`: it becomes silence, and times stay those of the call. */
  pause(how: 'skip' | 'silence', nowMs: number): void
  resume(nowMs: number): void
  stop(nowMs: number): void
  readonly state: 'beep' | 'recording' | 'paused' | 'ended'
  readonly durationMs: number
}

/** A side whose frames are later than this has a gap; jitter buffers keep far below it. */
const patienceMs = 200
/** Frames further than this from where the last one ended are put where their time says. */
const driftSamples = 60 * samplesPerMs
const ringSamples = 16_000
const batchFrames = 50
/** Of trimmed silence, so that words are not cut. */
const keptMs = 200

/** Samples of one side that are not written yet, by their place in the recording. */
function createTrack() {
  const ring = new Int16Array(ringSamples)
  let next = 0
  return {
    put(samples: Int16Array, place: number, writtenTo: number): void {
      // A steady stream goes on where it was, whatever its times tremble by.
      const at = Math.abs(place - next) <= driftSamples ? next : place
      // What is already written as a gap cannot be changed, and the ring ends somewhere.
      const from = Math.max(at, writtenTo)
      const to = Math.min(at + samples.length, writtenTo + ringSamples)
      for (let i = from; i < to; i++) ring[i % ringSamples] = samples[i - at]!
      next = Math.max(at + samples.length, writtenTo)
    },
    /** Takes a frame out, leaving silence. Places are those of whole frames, and the ring holds whole frames. */
    take(place: number, into: Int16Array): void {
      const at = place % ringSamples
      into.set(ring.subarray(at, at + frameSamples))
      ring.fill(0, at, at + frameSamples)
    },
    get next() {
      return next
    },
  }
}

export function createRecorder(options: RecorderOptions): Recorder {
  const { sink, maxMs = 14_400_000, endSilenceMs = Number.POSITIVE_INFINITY, isTrimmed = false } = options
  const isDual = options.channels === 'dual'
  const block = isDual ? 4 : 2
  const tracks = { caller: createTrack(), callee: createTrack() }
  const frames = { caller: new Int16Array(frameSamples), callee: new Int16Array(frameSamples) }
  const activity = { caller: createActivityDetector(), callee: createActivityDetector() }
  const listensTo = options.listensTo ?? (['caller', 'callee'] as const)
  const incoming = new Int16Array(frameSamples * 10)
  const maxSamples = Math.floor(maxMs / frameMs) * frameSamples
  const keptSamples = keptMs * samplesPerMs
  /** Whether it matters who speaks. */
  const isHeeded = isTrimmed || Number.isFinite(endSilenceMs)

  let state: Recorder['state'] = options.hasBeep ? 'beep' : 'recording'
  let pauseKind: 'skip' | 'silence' = 'silence'
  let pausedMs = 0
  let originMs = options.startMs
  /** Samples of the recording that are settled; with `isTrimmed` they may not be in the file. */
  let settled = 0
  let written = 0
  let silentSamples = 0
  /** In the file: after this there is only silence. */
  let soundEnd = 0
  let hasSound = false
  let batch: Buffer[] = []
  /** The quiet frames before the first sound, as many as are kept of them. */
  let lead: Buffer[] = []
  const beep = { clip: null as Clip | null, player: createPlayer({ law: 'PCMU' }) }

  sink.write(wavHeader(isDual ? 2 : 1))

  const placeAt = (ms: number) => Math.round((ms - originMs) * samplesPerMs)

  function push(side: RecordingSide, octets: Buffer, law: G711Law, atMs: number): void {
    if (state !== 'recording') {
      tick(atMs)
      return
    }
    const samples = incoming.subarray(0, Math.min(octets.length, incoming.length))
    decodeG711(law, octets.subarray(0, samples.length), samples)
    const place = placeAt(atMs)
    // Before the frame is put: a long gap must be written away first to make room in the ring.
    settle(Math.min(place - patienceMs * samplesPerMs, place))
    if (isEnded()) return
    tracks[side].put(samples, place, settled)
    settle(Math.min(tracks.caller.next, tracks.callee.next))
  }

  const isEnded = () => state === 'ended'

  function tick(nowMs: number): void {
    if (state === 'beep' || state === 'ended') return
    if (state === 'paused' && pauseKind === 'skip') return
    settle(placeAt(nowMs) - patienceMs * samplesPerMs)
  }

  /** Writes whole frames up to a place; what has not come until now is silence. */
  function settle(to: number): void {
    while (settled + frameSamples <= to && !isEnded()) {
      for (const side of ['caller', 'callee'] as const) tracks[side].take(settled, frames[side])
      settled += frameSamples
      writeFrame()
      if (settled >= maxSamples) end('max_length')
      else if (silentSamples >= endSilenceMs * samplesPerMs) end('silence')
    }
  }

  function writeFrame(): void {
    const speaks = {
      caller: isHeeded && activity.caller.push(frames.caller).isActive,
      callee: isHeeded && activity.callee.push(frames.callee).isActive,
    }
    const isPaused = state === 'paused'
    silentSamples = isPaused || listensTo.some(side => speaks[side]) ? 0 : silentSamples + frameSamples
    const isSound = speaks.caller || speaks.callee
    const data = isDual ? wavData(frames.caller, frames.callee) : wavData(mixed())
    if (isTrimmed && !hasSound && !isSound) {
      lead.push(data)
      if (lead.length > keptSamples / frameSamples) lead.shift()
      return
    }
    hasSound = hasSound || isSound
    for (const earlier of lead) keep(earlier)
    lead = []
    keep(data)
    if (isSound) soundEnd = written
  }

  function mixed(): Int16Array {
    const { caller, callee } = frames
    for (let i = 0; i < frameSamples; i++) caller[i] = saturate(caller[i]! + callee[i]!)
    return caller
  }

  function keep(data: Buffer): void {
    batch.push(data)
    written += frameSamples
    if (batch.length >= batchFrames) flush()
  }

  function flush(): void {
    if (batch.length > 0) sink.write(Buffer.concat(batch))
    batch = []
  }

  function end(reason: RecordingEnd['reason']): void {
    state = 'ended'
    flush()
    const kept = isTrimmed ? (hasSound ? Math.min(written, soundEnd + keptSamples) : 0) : written
    const fileBytes = wavHeaderBytes + kept * block
    sink.finish({ header: wavHeader(isDual ? 2 : 1, kept * block), fileBytes })
    options.onEnd?.({ reason, durationMs: kept / samplesPerMs, fileBytes })
  }

  function nextBeep(into: Buffer, law: G711Law): boolean {
    if (state !== 'beep') return false
    if (beep.clip === null) {
      beep.clip = toneClip(tones.beep)
      beep.player.play(beep.clip)
    }
    beep.player.setLaw(law)
    return beep.player.next(into)
  }

  /** What a late beep leaves of the time before counts as nothing. */
  function start(nowMs: number): void {
    state = 'recording'
    originMs = nowMs
  }

  function pause(how: 'skip' | 'silence', nowMs: number): void {
    if (state !== 'recording') return
    settle(Math.max(0, Math.min(placeAt(nowMs), Math.max(tracks.caller.next, tracks.callee.next))))
    if (isEnded()) return
    state = 'paused'
    pauseKind = how
    pausedMs = nowMs
  }

  function resume(nowMs: number): void {
    if (state !== 'paused') return
    // Time that is left out moves the start; what was settled stays where it is.
    if (pauseKind === 'skip') originMs += nowMs - pausedMs
    else settle(placeAt(nowMs) - patienceMs * samplesPerMs)
    if (!isEnded()) state = 'recording'
  }

  function stop(nowMs: number): void {
    if (state === 'ended') return
    if (state !== 'beep') {
      const lastMs = state === 'paused' && pauseKind === 'skip' ? pausedMs : nowMs
      const heard = Math.max(tracks.caller.next, tracks.callee.next)
      settle(Math.max(heard, placeAt(lastMs)))
    }
    if (!isEnded()) end('stopped')
  }

  return {
    push(side, octets, law, atMs) {
      if (state === 'beep' && beep.clip !== null && !beep.player.isPlaying) start(atMs)
      push(side, octets, law, atMs)
    },
    tick(nowMs) {
      if (state === 'beep' && beep.clip !== null && !beep.player.isPlaying) start(nowMs)
      tick(nowMs)
    },
    nextBeep,
    pause,
    resume,
    stop,
    get state() {
      return state
    },
    get durationMs() {
      return settled / samplesPerMs
    },
  }
}
