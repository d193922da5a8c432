// A fixed jitter buffer for G.711: packets of any length go in as they arrive, frames of one length come out at a steady
// beat, each sample at most once and in order. It knows no clock: a frame taken is the time of a frame passed.
import type { G711Law } from './g711.ts'
import { decodeSample, encodeSample, samplesPerMs, silenceOf } from './g711.ts'
import { timestampDistance, timestampPlus } from './packet.ts'

export type JitterOptions = {
  /** The law of the octets that go in and come out. */
  law: G711Law
  /** How long the first packet is held back, in ms; default 60. */
  delayMs?: number
  /** A packet further than this ahead of what is played makes the buffer jump; default 200, at most 1,000. */
  maxDelayMs?: number
  /** Length of a frame that comes out, in ms; default 20. */
  frameMs?: number
}

/** `concealed`: some samples were missing and were made up from the last ones; `silence`: there was nothing to make up from. */
export type FrameKind = 'audio' | 'concealed' | 'silence'

export type JitterStatistics = {
  packets: number
  /** Came when their time had passed. */
  late: number
  duplicates: number
  /** Thrown away for another reason: empty, longer than 200 ms, of a source that was left, or alone at a distant time. */
  discarded: number
  /** Times at which playing went on elsewhere: a new source, a jump of timestamps, a clock that drifted. */
  jumps: number
  frames: number
  concealedFrames: number
}

export type JitterBuffer = {
  /** Takes a packet of the negotiated law; the payload is copied. */
  push(packet: { ssrc: number; timestamp: number; payload: Uint8Array }): void
  /** Fills `into` (of `frameMs`) with the next frame. To be called once for each `frameMs`. */
  pull(into: Buffer): FrameKind
  /** Begins again with the next packet. */
  reset(): void
  /** How much lies between what is played and the latest sample that came, in ms; 0 before the first packet. */
  depthMs(): number
  readonly frameSamples: number
  readonly statistics: JitterStatistics
}

const maxPayload = 200 * samplesPerMs
// Missing audio is the last frame over again, fading to silence in this time.
const fadeSamples = 60 * samplesPerMs
// A source whose packets all come late for this long has a clock that went on elsewhere.
const lateFrames = 5
const returnFrames = 5

export function createJitterBuffer(options: JitterOptions): JitterBuffer {
  return new SampleRing(options)
}

/** Lives as long as its session: a ring of samples, and where in it the next frame is played from. */
class SampleRing implements JitterBuffer {
  private readonly law: JitterOptions['law']
  readonly frameSamples
  private readonly delay
  private readonly maxDelay
  // A ring of samples by timestamp: its size is a power of two, so that it goes on over the wrap of timestamps. What was
  // played last has room in it beside all that may lie ahead.
  private readonly size
  private readonly mask
  private readonly octets
  private readonly isThere
  private readonly silence
  readonly statistics: JitterStatistics = {
    packets: 0,
    late: 0,
    duplicates: 0,
    discarded: 0,
    jumps: 0,
    frames: 0,
    concealedFrames: 0,
  }
  /**
   * The last frame with something real in it, and how many samples have been made up of it in a row. A frame that was played
   * whole is still in the ring, at `lastAt`, and is fetched only when it is needed.
   */
  private readonly last
  private lastAt = -1
  private madeUp = fadeSamples
  private hasMadeUp = false
  private ssrc: number | undefined
  /** The source before, whose stragglers are not to take the place back. */
  private leftSsrc: number | undefined
  /** Places of the next sample to play, and after the last one that came. */
  private playAt = 0
  private filledTo = 0
  /** From here to `filledTo` nothing is missing. */
  private wholeFrom = 0
  /** What makes a place in the ring of a packet's timestamp; a jump changes it. */
  private offset = 0
  /** In frames taken: when the last packet of this source came, and when the first of a run of late ones did. */
  private heardFrame = 0
  private lateSince: number | undefined
  /** The newest packet of this source, but for distant ones. */
  private newest: number | undefined
  /** After a jump: what is before this may have been played already. */
  private floor: number | undefined
  /** A packet from a distant time that a second one must confirm. */
  private distant: { timestamp: number; payload: Buffer } | undefined

  constructor(options: JitterOptions) {
    const { law, delayMs = 60, maxDelayMs = 200, frameMs = 20 } = options
    this.law = law
    if (!(maxDelayMs >= delayMs && maxDelayMs <= 1000))
      throw new RangeError(`maxDelayMs: ${maxDelayMs}, must be delayMs (${delayMs}) to 1000`)
    this.frameSamples = frameMs * samplesPerMs
    this.delay = delayMs * samplesPerMs
    this.maxDelay = maxDelayMs * samplesPerMs
    this.size = 2 ** Math.ceil(Math.log2(this.maxDelay + maxPayload + this.frameSamples))
    this.mask = this.size - 1
    this.octets = Buffer.alloc(this.size)
    this.isThere = new Uint8Array(this.size)
    this.silence = silenceOf[law]
    this.last = Buffer.alloc(this.frameSamples, this.silence)
  }

  private begin(timestamp: number): void {
    this.offset = 0
    this.isThere.fill(0)
    this.playAt = timestampPlus(timestamp, -this.delay)
    this.filledTo = this.playAt
    this.wholeFrom = this.playAt
    this.keepLast()
    this.newest = undefined
    this.floor = undefined
    this.lateSince = undefined
    this.distant = undefined
  }

  /**
   * From now on a packet with this timestamp is played after the delay, as the first one was. What waits to be played until
   * then stays, what lies beyond it is dropped.
   */
  private jump(timestamp: number): void {
    this.statistics.jumps += 1
    const place = timestampPlus(this.playAt, this.delay)
    for (let at = place; timestampDistance(at, this.filledTo) > 0; at = timestampPlus(at, 1))
      this.isThere[at & this.mask] = 0
    if (timestampDistance(place, this.filledTo) > 0) this.filledTo = place
    this.offset = timestampDistance(timestamp, place)
    this.newest = undefined
    this.floor = place
    this.lateSince = undefined
    this.distant = undefined
  }

  push(packet: { ssrc: number; timestamp: number; payload: Uint8Array }): void {
    this.statistics.packets += 1
    const { payload } = packet
    if (payload.length === 0 || payload.length > maxPayload || !this.isOfSource(packet.ssrc, packet.timestamp)) {
      this.statistics.discarded += 1
      return
    }
    this.heardFrame = this.statistics.frames
    const timestamp = timestampPlus(packet.timestamp, this.offset)
    const ahead = timestampDistance(this.playAt, timestamp)
    if (ahead > this.maxDelay || ahead < -8 * this.maxDelay) {
      this.pushDistant(packet.timestamp, payload)
      return
    }
    const isNewest = this.newest === undefined || timestampDistance(this.newest, timestamp) > 0
    if (isNewest) this.newest = timestamp
    const isPast =
      ahead + payload.length <= 0 || (this.floor !== undefined && timestampDistance(this.floor, timestamp) < 0)
    if (isPast) this.pushLate(timestamp, payload, isNewest)
    else if (this.isThere[(timestamp + Math.max(0, -ahead)) & this.mask] === 1) this.statistics.duplicates += 1
    else this.store(timestamp, payload)
  }

  private isOfSource(from: number, timestamp: number): boolean {
    if (from === this.ssrc) return true
    if (from === this.leftSsrc && this.statistics.frames - this.heardFrame < returnFrames) return false
    this.leftSsrc = this.ssrc
    if (this.ssrc === undefined) this.begin(timestamp)
    else this.jump(timestamp)
    this.ssrc = from
    return true
  }

  private store(timestamp: number, payload: Uint8Array): void {
    this.lateSince = undefined
    this.distant = undefined
    // What lies before the sample to play is not written: its place in the ring belongs to the time ahead.
    const from = Math.max(0, timestampDistance(timestamp, this.playAt))
    const start = (timestamp + from) & this.mask
    const count = payload.length - from
    // In one piece where it does not lie across the end of the ring: this is done for every packet of every call.
    const atOnce = Math.min(count, this.size - start)
    this.octets.set(atOnce === payload.length ? payload : payload.subarray(from, from + atOnce), start)
    this.isThere.fill(1, start, start + atOnce)
    if (atOnce < count) {
      this.octets.set(payload.subarray(from + atOnce), 0)
      this.isThere.fill(1, 0, count - atOnce)
    }
    if (timestampDistance(this.filledTo, timestamp) > 0) this.wholeFrom = timestamp
    const end = timestampPlus(timestamp, payload.length)
    if (timestampDistance(this.filledTo, end) > 0) this.filledTo = end
  }

  private pushLate(timestamp: number, payload: Uint8Array, isNewest: boolean): void {
    if (isNewest) this.lateSince ??= this.statistics.frames
    // A burst after a stall is late too, but at once; a clock that went on elsewhere is late over several frames. What is not
    // the newest may have been played already.
    const hasMoved = isNewest && this.lateSince !== undefined && this.statistics.frames - this.lateSince >= lateFrames
    if (hasMoved) this.jumpTo(timestampPlus(timestamp, -this.offset), payload)
    else this.statistics.late += 1
  }

  private pushDistant(timestamp: number, payload: Uint8Array): void {
    const first = this.distant
    if (first === undefined || Math.abs(timestampDistance(first.timestamp, timestamp)) > this.maxDelay) {
      if (first !== undefined) this.statistics.discarded += 1
      this.distant = { timestamp, payload: Buffer.from(payload) }
    } else if (first.timestamp === timestamp) {
      this.statistics.duplicates += 1
    } else {
      const isInOrder = timestampDistance(first.timestamp, timestamp) > 0
      this.jumpTo(isInOrder ? first.timestamp : timestamp, isInOrder ? first.payload : payload)
      this.store(
        timestampPlus(isInOrder ? timestamp : first.timestamp, this.offset),
        isInOrder ? payload : first.payload,
      )
    }
  }

  private jumpTo(timestamp: number, payload: Uint8Array): void {
    this.jump(timestamp)
    this.newest = this.floor
    this.store(timestampPlus(timestamp, this.offset), payload)
  }

  pull(into: Buffer): FrameKind {
    if (into.length !== this.frameSamples)
      throw new RangeError(`into: ${into.length} octets, must be ${this.frameSamples}`)
    this.statistics.frames += 1
    if (this.ssrc === undefined) {
      into.fill(this.silence)
      return 'silence'
    }
    const missing = this.takeWhole(into) ? 0 : this.takePieces(into)
    this.playAt = timestampPlus(this.playAt, this.frameSamples)
    if (timestampDistance(this.filledTo, this.playAt) > 0) this.filledTo = this.playAt
    if (timestampDistance(this.wholeFrom, this.playAt) > 0) this.wholeFrom = this.playAt
    if (this.floor !== undefined && timestampDistance(this.floor, this.playAt) >= 0) this.floor = undefined
    return missing === 0 ? 'audio' : this.concealedOrSilent(missing)
  }

  /** The usual case: the frame is there and lies in one piece. */
  private takeWhole(into: Buffer): boolean {
    const start = this.playAt & this.mask
    const end = start + this.frameSamples
    if (end > this.size || timestampDistance(this.wholeFrom, this.playAt) < 0) return false
    if (timestampDistance(this.playAt, this.filledTo) < this.frameSamples) return false
    this.octets.copy(into, 0, start, end)
    this.isThere.fill(0, start, end)
    this.lastAt = start
    this.madeUp = 0
    return true
  }

  /** Sample by sample; returns how many were missing. */
  private takePieces(into: Buffer): number {
    let missing = 0
    this.hasMadeUp = false
    this.keepLast()
    for (let i = 0; i < this.frameSamples; i++) {
      const place = (this.playAt + i) & this.mask
      if (this.isThere[place] === 1) {
        into[i] = this.octets[place]!
        this.isThere[place] = 0
        this.madeUp = 0
      } else {
        into[i] = this.madeUpSample(i)
        missing += 1
      }
    }
    if (missing < this.frameSamples) this.last.set(into)
    return missing
  }

  /** To be called before its place in the ring is another's. */
  private keepLast(): void {
    if (this.lastAt !== -1) this.octets.copy(this.last, 0, this.lastAt, this.lastAt + this.frameSamples)
    this.lastAt = -1
  }

  private concealedOrSilent(missing: number): FrameKind {
    if (missing === this.frameSamples && !this.hasMadeUp) return 'silence'
    this.statistics.concealedFrames += 1
    return 'concealed'
  }

  /** The sample at this place of the last frame, the quieter the longer nothing came. */
  private madeUpSample(i: number): number {
    if (this.madeUp >= fadeSamples) return this.silence
    const gain = 1 - this.madeUp / fadeSamples
    this.madeUp += 1
    this.hasMadeUp = true
    return encodeSample(this.law, Math.round(decodeSample(this.law, this.last[i]!) * gain))
  }

  reset(): void {
    this.ssrc = undefined
    this.leftSsrc = undefined
    this.madeUp = fadeSamples
    this.begin(0)
  }

  depthMs(): number {
    return this.ssrc === undefined ? 0 : timestampDistance(this.playAt, this.filledTo) / samplesPerMs
  }
}
