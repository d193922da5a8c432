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
  /** Begins anew with the next packet. */
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
  const { law, delayMs = 60, maxDelayMs = 200, frameMs = 20 } = options
  if (!(maxDelayMs >= delayMs && maxDelayMs <= 1000))
    throw new RangeError(`maxDelayMs: ${maxDelayMs}, must be delayMs (${delayMs}) to 1000`)
  const frameSamples = frameMs * samplesPerMs
  const delay = delayMs * samplesPerMs
  const maxDelay = maxDelayMs * samplesPerMs
  // A ring of samples by timestamp: its size is a power of two, so that it goes on over the wrap of timestamps. What was
  // played last has room in it beside all that may lie ahead.
  const size = 2 ** Math.ceil(Math.log2(maxDelay + maxPayload + frameSamples))
  const mask = size - 1
  const octets = Buffer.alloc(size)
  const isThere = new Uint8Array(size)
  const silence = silenceOf[law]
  const statistics: JitterStatistics = {
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
  const last = Buffer.alloc(frameSamples, silence)
  let lastAt = -1
  let madeUp = fadeSamples
  let hasMadeUp = false
  let ssrc: number | undefined
  /** The source before, whose stragglers are not to take the place back. */
  let leftSsrc: number | undefined
  /** Places of the next sample to play, and after the last one that came. */
  let playAt = 0
  let filledTo = 0
  /** From here to `filledTo` nothing is missing. */
  let wholeFrom = 0
  /** What makes a place in the ring of a packet's timestamp; a jump changes it. */
  let offset = 0
  /** In frames taken: when the last packet of this source came, and when the first of a run of late ones did. */
  let heardFrame = 0
  let lateSince: number | undefined
  /** The newest packet of this source, but for distant ones. */
  let newest: number | undefined
  /** After a jump: what is before this may have been played already. */
  let floor: number | undefined
  /** A packet from a distant time that a second one must confirm. */
  let distant: { timestamp: number; payload: Buffer } | undefined

  function begin(timestamp: number): void {
    offset = 0
    isThere.fill(0)
    playAt = timestampPlus(timestamp, -delay)
    filledTo = playAt
    wholeFrom = playAt
    keepLast()
    newest = undefined
    floor = undefined
    lateSince = undefined
    distant = undefined
  }

  /**
   * From now on a packet with this timestamp is played after the delay, as the first one was. What waits to be played until
   * then stays, what lies beyond it is dropped.
   */
  function jump(timestamp: number): void {
    statistics.jumps += 1
    const place = timestampPlus(playAt, delay)
    for (let at = place; timestampDistance(at, filledTo) > 0; at = timestampPlus(at, 1)) isThere[at & mask] = 0
    if (timestampDistance(place, filledTo) > 0) filledTo = place
    offset = timestampDistance(timestamp, place)
    newest = undefined
    floor = place
    lateSince = undefined
    distant = undefined
  }

  function push(packet: { ssrc: number; timestamp: number; payload: Uint8Array }): void {
    statistics.packets += 1
    const { payload } = packet
    if (payload.length === 0 || payload.length > maxPayload || !isOfSource(packet.ssrc, packet.timestamp)) {
      statistics.discarded += 1
      return
    }
    heardFrame = statistics.frames
    const timestamp = timestampPlus(packet.timestamp, offset)
    const ahead = timestampDistance(playAt, timestamp)
    if (ahead > maxDelay || ahead < -8 * maxDelay) {
      pushDistant(packet.timestamp, payload)
      return
    }
    const isNewest = newest === undefined || timestampDistance(newest, timestamp) > 0
    if (isNewest) newest = timestamp
    const isPast = ahead + payload.length <= 0 || (floor !== undefined && timestampDistance(floor, timestamp) < 0)
    if (isPast) pushLate(timestamp, payload, isNewest)
    else if (isThere[(timestamp + Math.max(0, -ahead)) & mask] === 1) statistics.duplicates += 1
    else store(timestamp, payload)
  }

  function isOfSource(from: number, timestamp: number): boolean {
    if (from === ssrc) return true
    if (from === leftSsrc && statistics.frames - heardFrame < returnFrames) return false
    leftSsrc = ssrc
    if (ssrc === undefined) begin(timestamp)
    else jump(timestamp)
    ssrc = from
    return true
  }

  function store(timestamp: number, payload: Uint8Array): void {
    lateSince = undefined
    distant = undefined
    // What lies before the sample to play is not written: its place in the ring belongs to the time ahead.
    const from = Math.max(0, timestampDistance(timestamp, playAt))
    const start = (timestamp + from) & mask
    const count = payload.length - from
    // In one piece where it does not lie across the end of the ring: this is done for every packet of every call.
    const atOnce = Math.min(count, size - start)
    octets.set(atOnce === payload.length ? payload : payload.subarray(from, from + atOnce), start)
    isThere.fill(1, start, start + atOnce)
    if (atOnce < count) {
      octets.set(payload.subarray(from + atOnce), 0)
      isThere.fill(1, 0, count - atOnce)
    }
    if (timestampDistance(filledTo, timestamp) > 0) wholeFrom = timestamp
    const end = timestampPlus(timestamp, payload.length)
    if (timestampDistance(filledTo, end) > 0) filledTo = end
  }

  function pushLate(timestamp: number, payload: Uint8Array, isNewest: boolean): void {
    if (isNewest) lateSince ??= statistics.frames
    // A burst after a stall is late too, but at once; a clock that went on elsewhere is late over several frames. What is not
    // the newest may have been played already.
    const hasMoved = isNewest && lateSince !== undefined && statistics.frames - lateSince >= lateFrames
    if (hasMoved) jumpTo(timestampPlus(timestamp, -offset), payload)
    else statistics.late += 1
  }

  function pushDistant(timestamp: number, payload: Uint8Array): void {
    const first = distant
    if (first === undefined || Math.abs(timestampDistance(first.timestamp, timestamp)) > maxDelay) {
      if (first !== undefined) statistics.discarded += 1
      distant = { timestamp, payload: Buffer.from(payload) }
    } else if (first.timestamp === timestamp) {
      statistics.duplicates += 1
    } else {
      const isInOrder = timestampDistance(first.timestamp, timestamp) > 0
      jumpTo(isInOrder ? first.timestamp : timestamp, isInOrder ? first.payload : payload)
      store(timestampPlus(isInOrder ? timestamp : first.timestamp, offset), isInOrder ? payload : first.payload)
    }
  }

  function jumpTo(timestamp: number, payload: Uint8Array): void {
    jump(timestamp)
    newest = floor
    store(timestampPlus(timestamp, offset), payload)
  }

  function pull(into: Buffer): FrameKind {
    if (into.length !== frameSamples) throw new RangeError(`into: ${into.length} octets, must be ${frameSamples}`)
    statistics.frames += 1
    if (ssrc === undefined) {
      into.fill(silence)
      return 'silence'
    }
    const missing = takeWhole(into) ? 0 : takePieces(into)
    playAt = timestampPlus(playAt, frameSamples)
    if (timestampDistance(filledTo, playAt) > 0) filledTo = playAt
    if (timestampDistance(wholeFrom, playAt) > 0) wholeFrom = playAt
    if (floor !== undefined && timestampDistance(floor, playAt) >= 0) floor = undefined
    return missing === 0 ? 'audio' : concealedOrSilent(missing)
  }

  /** The usual case: the frame is there and lies in one piece. */
  function takeWhole(into: Buffer): boolean {
    const start = playAt & mask
    const end = start + frameSamples
    if (end > size || timestampDistance(wholeFrom, playAt) < 0) return false
    if (timestampDistance(playAt, filledTo) < frameSamples) return false
    octets.copy(into, 0, start, end)
    isThere.fill(0, start, end)
    lastAt = start
    madeUp = 0
    return true
  }

  /** Sample by sample; returns how many were missing. */
  function takePieces(into: Buffer): number {
    let missing = 0
    hasMadeUp = false
    keepLast()
    for (let i = 0; i < frameSamples; i++) {
      const place = (playAt + i) & mask
      if (isThere[place] === 1) {
        into[i] = octets[place]!
        isThere[place] = 0
        madeUp = 0
      } else {
        into[i] = madeUpSample(i)
        missing += 1
      }
    }
    if (missing < frameSamples) last.set(into)
    return missing
  }

  /** To be called before its place in the ring is another's. */
  function keepLast(): void {
    if (lastAt !== -1) octets.copy(last, 0, lastAt, lastAt + frameSamples)
    lastAt = -1
  }

  function concealedOrSilent(missing: number): FrameKind {
    if (missing === frameSamples && !hasMadeUp) return 'silence'
    statistics.concealedFrames += 1
    return 'concealed'
  }

  /** The sample at this place of the last frame, the quieter the longer nothing came. */
  function madeUpSample(i: number): number {
    if (madeUp >= fadeSamples) return silence
    const gain = 1 - madeUp / fadeSamples
    madeUp += 1
    hasMadeUp = true
    return encodeSample(law, Math.round(decodeSample(law, last[i]!) * gain))
  }

  return {
    push,
    pull,
    reset() {
      ssrc = undefined
      leftSsrc = undefined
      madeUp = fadeSamples
      begin(0)
    },
    depthMs: () => (ssrc === undefined ? 0 : timestampDistance(playAt, filledTo) / samplesPerMs),
    frameSamples,
    statistics,
  }
}
