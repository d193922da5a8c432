// What is kept of a stream of events that somebody follows (WHATWG HTML §9.2.6): its newest events, as they came, so that one that lasts
// for days weighs no more than one of some minutes. Of what dispatches no event, such as signs of life, the last between two. Pure.

/** The newest so many, and at most so many bytes of UTF-8. Of an event that is larger by itself, its end. */
export const keptBounds = { events: 500, bytes: 1_000_000 }
/** The same on the page while the stream lasts. */
const shownBounds = { events: 100, bytes: 50_000 }

/** `isCut` where its beginning is left out. */
export type StreamPart = { number: number; text: string; isCut: boolean }

/** The end of a stream. */
export type StreamEnd = {
  /** Events and what stands between them; the last may not have come to its end. */
  parts: readonly StreamPart[]
  /** How many events came before these. */
  earlier: number
}

export type Followed = {
  /** Takes the next piece of text, cut anywhere. */
  push(text: string): void
  /** What is shown while the stream lasts. */
  shown(): StreamEnd
  /** All that is kept. */
  kept(): StreamEnd
}

type Part = StreamPart & { bytes: number; isEvent: boolean }

const lineEnd = /\r\n?|\n/g
const fieldLength = 'data:'.length
const encoder = new TextEncoder()
const bytesOf = (text: string) => encoder.encode(text).length
const begun = (number: number): Part => ({ number, text: '', bytes: 0, isEvent: false, isCut: false })

export function isEventStream(headers: [name: string, value: string][]): boolean {
  const type = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
  return /^\s*text\/event-stream\b/i.test(type ?? '')
}

export function createFollowed(bounds = keptBounds): Followed {
  const parts: Part[] = []
  /** Of `parts`. */
  let bytes = 0
  let held = 0
  /** All that came to their end. */
  let events = 0
  /** What has no end yet. */
  let open = begun(1)

  function extend(text: string, isEvent: boolean): void {
    open.text += text
    open.bytes += bytesOf(text)
    open.isEvent = isEvent
    // Not with every piece: each byte is copied once, however long it goes on.
    if (open.bytes > 2 * bounds.bytes) open = shortened(open, bounds.bytes)
  }

  /** What is begun has come to its end. */
  function close(): void {
    if (open.isEvent) {
      events++
      held++
    } else if (parts.at(-1)?.isEvent === false) bytes -= parts.pop()!.bytes
    const next = shortened(open, bounds.bytes)
    parts.push(next)
    bytes += next.bytes
    open = begun(next.number + 1)
    // The newest event stays, whatever stands behind it.
    while (parts.length > 1 && (held > bounds.events || bytes > bounds.bytes) && !(held === 1 && parts[0]!.isEvent)) {
      const oldest = parts.shift()!
      bytes -= oldest.bytes
      if (oldest.isEvent) held--
    }
  }

  /** The last of what is kept, within bounds. */
  function lastOf(most: typeof keptBounds): StreamEnd {
    const all = open.text === '' ? parts : [...parts, open]
    const end: Part[] = []
    let left = most.bytes
    let count = 0
    let hasEvent = false
    for (const part of all.toReversed()) {
      if (hasEvent && (part.bytes > left || (part.isEvent && count === most.events))) break
      const fitting = shortened(part, left)
      end.push(fitting)
      left -= fitting.bytes
      hasEvent ||= part.isEvent
      if (part.isEvent && part !== open) count++
    }
    return { parts: end.reverse(), earlier: events - count }
  }

  const split = createSplitter((text, isEvent, isEnd) => {
    extend(text, isEvent)
    if (isEnd) close()
  })
  return { push: split, shown: () => lastOf(shownBounds), kept: () => lastOf(bounds) }
}

/**
 * Takes text that is cut anywhere and hands it on, cut where events end: lines end by CRLF, LF or CR, each on its own, and a blank one
 * ends an event. `isEvent` where it dispatches one, as far as it has come.
 */
function createSplitter(take: (text: string, isEvent: boolean, isEnd: boolean) => void): (text: string) => void {
  let isEvent = false
  /** The beginning of the line that has no end yet. */
  let line = ''
  let isFirst = true
  let isAfterReturn = false

  /** Takes the beginning of a line, or what goes on with it. */
  function read(text: string): void {
    line += text.slice(0, fieldLength - line.length)
    if (line === 'data:') isEvent = true
  }

  return text => {
    if (text === '') return
    let from = 0
    let at = isFirst && text.startsWith('\ufeff') ? 1 : 0
    for (const { 0: end, index } of text.matchAll(lineEnd)) {
      const next = index + end.length
      // The second half of a CRLF that was cut ends no line of its own.
      if (!(isAfterReturn && index === 0 && end === '\n')) {
        read(text.slice(at, index))
        if (line === 'data') isEvent = true
        if (line === '') {
          take(text.slice(from, next), isEvent, true)
          isEvent = false
          from = next
        }
        line = ''
      }
      at = next
    }
    read(text.slice(at))
    if (from < text.length) take(text.slice(from), isEvent, false)
    isFirst = false
    isAfterReturn = text.endsWith('\r')
  }
}

/** A part of at most so many bytes: its end. A copy in any case. */
function shortened(part: Part, most: number): Part {
  if (part.bytes <= most) return { ...part }
  // No character has less than a byte.
  const encoded = encoder.encode(part.text.slice(Math.max(0, part.text.length - most)))
  let from = Math.max(0, encoded.length - most)
  while (((encoded[from] ?? 0) & 0xc0) === 0x80) from++
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(encoded.subarray(from))
  return { ...part, text, bytes: encoded.length - from, isCut: true }
}
