// What one leg hears and says, put together from its parts: a base (the other side of a bridge, a conference, music), over it
// what is played at the moment, and taps for whoever listens along: recorders, detectors, the other side.
import { type AudioSource, convertG711, type FrameKind, type G711Law, silenceOf } from '@tandem/sip'
import type { LegSound } from '../engine.ts'

export const frameOctets = 160
export const frameMs = 20

/** Is told every 20 ms what the leg said (`from`) and what it was given to hear (`to`), in G.711 of `law`. */
export type Tap = (from: Buffer, to: Buffer, law: G711Law, kind: FrameKind) => void

export type Mouth = {
  readonly law: G711Law
  /** Is given each frame of this leg, silence while it is muted; answers what ends that. */
  listen(listener: (frame: Buffer, law: G711Law, kind: FrameKind) => void): () => void
}

export type LegMedia = Mouth & {
  /** What is heard when nothing is played; null for silence. */
  setBase(base: AudioSource | null): void
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
}

export function createLegMedia(sound: LegSound): LegMedia {
  const taps = new Set<Tap>()
  const listeners = new Set<(frame: Buffer, law: G711Law, kind: FrameKind) => void>()
  const heard = Buffer.alloc(frameOctets, silenceOf[sound.law])
  let heardKind: FrameKind = 'silence'
  let base: AudioSource | null = null
  let over: AudioSource | null = null
  let music: AudioSource | null = null
  let isMuted = false

  sound.setSink((frame, kind) => {
    if (isMuted || music !== null) {
      heard.fill(silenceOf[sound.law])
      heardKind = 'silence'
    } else {
      frame.copy(heard)
      heardKind = kind
    }
    for (const listener of listeners) listener(heard, sound.law, heardKind)
  })
  sound.setSource(into => {
    // What is behind goes on meanwhile, so that nothing old is heard later.
    const isBaseSaying = base?.(into) ?? false
    const isSaying = music?.(into) || over?.(into) || isBaseSaying
    if (!isSaying) into.fill(silenceOf[sound.law])
    for (const tap of taps) tap(heard, into, sound.law, heardKind)
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
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    setBase(next) {
      base = next
    },
    setOver(next) {
      over = next
    },
    tap(tap) {
      taps.add(tap)
      return () => void taps.delete(tap)
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
      taps.clear()
      listeners.clear()
    },
  }
}

/** Frames that wait between two clocks that run alike: more would only be delay. */
const pipeFrames = 3

/** A way for the frames of one leg to another: `law` is the law that is wanted at its end. */
export function pipe(from: Mouth, law: () => G711Law): { source: AudioSource; close(): void } {
  const ring = Array.from({ length: pipeFrames }, () => Buffer.alloc(frameOctets))
  let first = 0
  let count = 0
  const close = from.listen((frame, given) => {
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
  a.setBase(toA.source)
  b.setBase(toB.source)
  return () => {
    toA.close()
    toB.close()
    a.setBase(null)
    b.setBase(null)
  }
}
