// What one leg hears and says, put together from its parts: a base (the other side of a bridge, a conference, music), over it
// what is played at the moment, and taps for anyone who listens along: recorders, detectors, the other side. All of this runs
// 50 times a second for each leg: nothing is allocated there.
import { type AudioSource, convertG711, type FrameKind, type G711Law, silenceOf } from '@tandem/sip'
import type { LegSound } from '../engine/index.ts'

export const frameOctets = 160
export const frameMs = 20

/** Is called every 20 ms with what the leg said (`from`) and what it was given to hear (`to`), in G.711 of `law`. */
export type Tap = (from: Buffer, to: Buffer, law: G711Law, kind: FrameKind) => void

type Listener = (frame: Buffer, law: G711Law, kind: FrameKind) => void

export type Mouth = {
  readonly law: G711Law
  /** Is given each frame of this leg, silence while it is muted; answers what ends that. */
  listen(listener: Listener): () => void
}

export type LegMedia = Mouth & {
  /** What is heard when nothing is played, in place of what was before; answers what ends that, if it still is the base. */
  setBase(base: AudioSource): () => void
  /** What is played over the base while it answers true. */
  setOver(over: AudioSource | null): void
  tap(tap: Tap): () => void
  /** Whether others hear this leg. */
  setMuted(isMuted: boolean): void
  readonly isMuted: boolean
  /** Takes the leg out of what it is in: it hears this, and nobody hears it. */
  hold(music: AudioSource): void
  resume(): void
  readonly isHeld: boolean
  close(): void
  /** What hangs on it: taps, listeners and a base. For tests, which count what is left. */
  readonly attached: number
}

export function createLegMedia(sound: LegSound): LegMedia {
  // Replaced, never changed: anyone who leaves meanwhile changes nothing of this round.
  let taps: readonly Tap[] = []
  let listeners: readonly Listener[] = []
  const heard = Buffer.alloc(frameOctets, silenceOf[sound.law])
  let heardKind: FrameKind = 'silence'
  let base: AudioSource | null = null
  let over: AudioSource | null = null
  let music: AudioSource | null = null
  let isMuted = false

  sound.setSink((frame, kind) => {
    if (isMuted || music !== null || kind === 'silence') {
      heard.fill(silenceOf[sound.law])
      heardKind = 'silence'
    } else {
      frame.copy(heard)
      heardKind = kind
    }
    for (let i = 0, current = listeners; i < current.length; i++) (current[i] as Listener)(heard, sound.law, heardKind)
  })
  sound.setSource(into => {
    // What is behind goes on meanwhile, so that nothing old is heard later.
    const isBaseSaying = base?.(into) ?? false
    const isSaying = music?.(into) || over?.(into) || isBaseSaying
    if (!isSaying) into.fill(silenceOf[sound.law])
    for (let i = 0, current = taps; i < current.length; i++) (current[i] as Tap)(heard, into, sound.law, heardKind)
    return isSaying
  })

  return {
    get law() {
      return sound.law
    },
    get isMuted() {
      return isMuted
    },
    listen(listener) {
      listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter(other => other !== listener)
      }
    },
    setBase(next) {
      base = next
      return () => {
        if (base === next) base = null
      }
    },
    setOver(next) {
      over = next
    },
    tap(tap) {
      taps = [...taps, tap]
      return () => {
        taps = taps.filter(other => other !== tap)
      }
    },
    setMuted(next) {
      isMuted = next
    },
    get isHeld() {
      return music !== null
    },
    hold(next) {
      music = next
    },
    resume() {
      music = null
    },
    close() {
      sound.setSink(null)
      sound.setSource(null)
      taps = []
      listeners = []
      base = null
    },
    get attached() {
      return taps.length + listeners.length + (base === null ? 0 : 1)
    },
  }
}

/** Frames that wait between two clocks that run alike: more would only be delay. */
const pipeFrames = 3

/** A way for the frames of one leg to another, silent ones left out: `law` is the law that is wanted at its end. */
export function pipe(from: Mouth, law: () => G711Law): { source: AudioSource; close(): void } {
  const ring = Array.from({ length: pipeFrames }, () => Buffer.alloc(frameOctets))
  let first = 0
  let count = 0
  const close = from.listen((frame, given, kind) => {
    if (kind === 'silence') return
    if (count === pipeFrames) {
      first = (first + 1) % pipeFrames
      count--
    }
    const slot = ring[(first + count) % pipeFrames] as Buffer
    if (given === law()) frame.copy(slot)
    else convertG711(given, frame, slot)
    count++
  })
  return {
    close,
    source(into) {
      if (count === 0) return false
      ;(ring[first] as Buffer).copy(into)
      first = (first + 1) % pipeFrames
      count--
      return true
    },
  }
}

/** Joins two legs: each hears the other until the answered function is called. */
export function bridge(a: LegMedia, b: LegMedia): () => void {
  const toB = pipe(a, () => b.law)
  const toA = pipe(b, () => a.law)
  const leaveA = a.setBase(toA.source)
  const leaveB = b.setBase(toB.source)
  return () => {
    toA.close()
    toB.close()
    leaveA()
    leaveB()
  }
}
