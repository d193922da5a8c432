// Telephone events (RFC 4733, which replaced RFC 2833): digits as packets beside the audio. The sender returns what to send in
// each frame instead of audio; the receiver makes one start and one end of whatever arrives lost, doubled or out of order.
import type { PacketFault } from './packet.ts'
import { packetFault, timestampDistance, timestampPlus } from './packet.ts'

/** The payload of an event packet (RFC 4733 §2.3). */
export type TelephoneEvent = {
  /** 0 to 255; see `digitOf`. */
  event: number
  isEnd: boolean
  /** Power below 0 dBm0 in dB, 0 to 63. */
  volume: number
  /** Since the packet's timestamp, in units of the media clock; 0 to 65,535. */
  duration: number
}

const digits = '0123456789*#ABCD'

/** The digit of an event (RFC 4733 §3.2), or null where it is none: 16 is a hook flash, 32 and above are tones. */
export function digitOf(event: number): string | null {
  return digits[event] ?? null
}

/** The event of a digit (0-9, *, #, A-D, a-d), or null. */
export function eventOf(digit: string): number | null {
  const event = digit.length === 1 ? digits.indexOf(digit.toUpperCase()) : -1
  return event < 0 ? null : event
}

/** Reads an event payload. Octets after the first four are later blocks or padding and are left alone. */
export function readEvent(payload: Buffer): TelephoneEvent | PacketFault {
  if (payload.length < 4) return packetFault('short', `an event of ${payload.length} octets, must be 4`)
  const flags = payload[1]!
  return { event: payload[0]!, isEnd: flags >= 0x80, volume: flags & 0x3f, duration: payload.readUInt16BE(2) }
}

export function writeEvent({ event, isEnd, volume, duration }: TelephoneEvent): Buffer {
  const payload = Buffer.allocUnsafe(4)
  payload[0] = event
  payload[1] = (isEnd ? 0x80 : 0) | volume
  payload.writeUInt16BE(duration, 2)
  return payload
}

export type DigitOptions = {
  /** How long a digit sounds; default 160, 40 to 8,000 (a longer one would need segments, RFC 4733 §2.5.1.3). */
  durationMs?: number
  /** Between the end of a digit and the next; default 80, at least 60, in which the end is sent again. */
  gapMs?: number
  /** Power below 0 dBm0 in dB; default 10. */
  volume?: number
}

export type EventSender = {
  /** Queues digits. Throws RangeError, naming the place, for a character that is none and for times out of range. */
  send(digits: string, options?: DigitOptions): void
  /** Queues a pause before the next digit. */
  pause(ms: number): void
  /** What goes out in the frame that begins at this timestamp; null where audio does. To be asked once for each frame. */
  next(timestamp: number): { payload: Buffer; timestamp: number; marker: boolean } | null
  /** Forgets what is queued; a digit under way is ended in the next frame. */
  clear(): void
  /** Whether something is queued or under way. */
  isBusy(): boolean
}

type Queued = { event: number | null; volume: number; samples: number; gap: number }
type Sending = Queued & { event: number; start: number; endsLeft: number; isStopped: boolean }

// RFC 4733 §2.5.1.4: the last packet is sent three times in all.
const ends = 3

/**
 * The sending side (RFC 4733 §2.5.1): every packet of an event carries its start as timestamp and a growing duration, the
 * first one the marker; the final one goes out three times. From the first packet to the last there is no audio, which some
 * receivers would take for the beginning of another event.
 */
export function createEventSender({ frameSamples = 160, clockRate = 8000 } = {}): EventSender {
  const queue: Queued[] = []
  let current: Sending | undefined
  let notBefore: number | undefined
  const samplesOf = (ms: number) => Math.round((ms * clockRate) / 1000)

  function begin(timestamp: number): Sending | undefined {
    if (notBefore !== undefined && timestampDistance(notBefore, timestamp) < 0) return undefined
    notBefore = undefined
    const next = queue.shift()
    if (next === undefined) return undefined
    if (next.event === null) {
      notBefore = timestampPlus(timestamp, next.samples)
      return undefined
    }
    return { ...next, event: next.event, start: timestamp, endsLeft: ends, isStopped: false }
  }

  function next(timestamp: number) {
    const isFirst = current === undefined
    current ??= begin(timestamp)
    if (current === undefined) return null
    const { event, volume, start } = current
    const elapsed = timestampDistance(start, timestamp) + frameSamples
    // The end may not be before what was reported already.
    if (current.isStopped && current.endsLeft === ends) current.samples = Math.min(current.samples, elapsed)
    const { samples } = current
    const isEnd = elapsed >= samples
    const payload = writeEvent({ event, volume, isEnd, duration: Math.min(elapsed, samples) })
    if (isEnd && --current.endsLeft === 0) {
      notBefore = timestampPlus(start, samples + current.gap)
      current = undefined
    }
    return { payload, timestamp: start, marker: isFirst }
  }

  function send(text: string, { durationMs = 160, gapMs = 80, volume = 10 }: DigitOptions = {}): void {
    if (!(durationMs >= 40 && durationMs <= 8000)) throw new RangeError(`durationMs: ${durationMs}, must be 40 to 8000`)
    if (!(gapMs >= 60)) throw new RangeError(`gapMs: ${gapMs}, must be at least 60`)
    if (!(volume >= 0 && volume <= 63)) throw new RangeError(`volume: ${volume}, must be 0 to 63`)
    const added = [...text].map((digit, i) => {
      const event = eventOf(digit)
      if (event === null) throw new RangeError(`digits: character ${i + 1} (${digit}) is not one of 0-9, *, #, A-D`)
      return { event, volume, samples: samplesOf(durationMs), gap: samplesOf(gapMs) }
    })
    queue.push(...added)
  }

  return {
    send,
    pause: ms => void queue.push({ event: null, volume: 0, samples: samplesOf(ms), gap: 0 }),
    next,
    clear() {
      queue.length = 0
      if (current !== undefined) current.isStopped = true
    },
    isBusy: () => current !== undefined || queue.length > 0,
  }
}

/** `digit` is null for events that are none. `ended` with `isCut`: no packet reported the end, so the duration is a least one. */
export type EventChange =
  | { type: 'started'; event: number; digit: string | null; timestamp: number }
  | { type: 'ended'; event: number; digit: string | null; timestamp: number; durationMs: number; isCut: boolean }

export type EventReceiver = {
  /** What a packet with the agreed payload type changes. Every event is reported to start once and to end once. */
  push(packet: { timestamp: number; marker: boolean; payload: Buffer }, nowMs: number): readonly EventChange[]
  /** Ends an event of which nothing came for `timeoutMs`. */
  expire(nowMs: number): readonly EventChange[]
  /** Ends what is under way and forgets all timestamps: another source speaks from now on. */
  reset(): readonly EventChange[]
  readonly statistics: { events: number; repeated: number; late: number; malformed: number }
}

type Heard = { event: number; start: number; timestamp: number; duration: number; heardMs: number; isOver: boolean }

const nothing: readonly EventChange[] = []
const lateMs = 5000

/**
 * The receiving side (RFC 4733 §2.5.2). An event is known by its timestamp: any packet of a new one starts it, whether or not
 * the first was lost; its end is the first packet that says so, the start of another event, or silence for `timeoutMs`
 * (default 150). What belongs to a time before that is late and counts for nothing.
 */
export function createEventReceiver({ clockRate = 8000, timeoutMs = 150 } = {}): EventReceiver {
  let heard: Heard | undefined
  const statistics = { events: 0, repeated: 0, late: 0, malformed: 0 }

  function end(isCut: boolean): EventChange {
    const { event, start, timestamp, duration } = heard!
    heard!.isOver = true
    const durationMs = ((timestampDistance(start, timestamp) + duration) * 1000) / clockRate
    return { type: 'ended', event, digit: digitOf(event), timestamp: start, durationMs, isCut }
  }

  function push(
    { timestamp, marker, payload }: { timestamp: number; marker: boolean; payload: Buffer },
    nowMs: number,
  ) {
    const report = readEvent(payload)
    if ('fault' in report) {
      statistics.malformed += 1
      return nothing
    }
    const distance = heard === undefined ? 0 : timestampDistance(heard.timestamp, timestamp)
    if (heard !== undefined && distance < 0 && distance > (-lateMs * clockRate) / 1000) {
      statistics.late += 1
      return nothing
    }
    if (heard !== undefined && (distance === 0 || continues(heard, report, distance, marker)))
      return goOn(heard, report, timestamp, nowMs)
    return start(report, timestamp, nowMs)
  }

  function goOn(event: Heard, report: TelephoneEvent, timestamp: number, nowMs: number): readonly EventChange[] {
    if (event.isOver) {
      statistics.repeated += 1
      return nothing
    }
    const isNewSegment = timestamp !== event.timestamp
    event.duration = isNewSegment ? report.duration : Math.max(event.duration, report.duration)
    event.timestamp = timestamp
    event.heardMs = nowMs
    return report.isEnd ? [end(false)] : nothing
  }

  function start({ event, duration, isEnd }: TelephoneEvent, timestamp: number, nowMs: number): readonly EventChange[] {
    const changes: EventChange[] = heard === undefined || heard.isOver ? [] : [end(true)]
    heard = { event, start: timestamp, timestamp, duration, heardMs: nowMs, isOver: false }
    statistics.events += 1
    changes.push({ type: 'started', event, digit: digitOf(event), timestamp })
    if (isEnd) changes.push(end(false))
    return changes
  }

  return {
    push,
    expire: nowMs => (heard === undefined || heard.isOver || nowMs - heard.heardMs < timeoutMs ? nothing : [end(true)]),
    reset() {
      const changes = heard === undefined || heard.isOver ? nothing : [end(true)]
      heard = undefined
      return changes
    },
    statistics,
  }
}

/**
 * Whether a packet with a later timestamp goes on with the same event: the next segment of a long one (RFC 4733 §2.5.1.3), or
 * a sender that moves the timestamp with every packet. A new event cannot begin before the time reported of the last has passed.
 */
function continues(heard: Heard, report: TelephoneEvent, distance: number, marker: boolean): boolean {
  if (heard.isOver || marker || report.event !== heard.event) return false
  return distance <= heard.duration || (heard.duration > 0xf000 && distance === 0xffff)
}
