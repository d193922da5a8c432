// What is kept of a stream of events that somebody follows (WHATWG HTML §9.2.6): its newest events, whole and as they came, so that one that
// lasts for days weighs no more than one of some minutes. Of what dispatches no event, such as signs of life, the last between two. Pure.

/** The newest so many, and at most so much of them; the newest one always. */
export const keptBounds = { events: 500, chars: 1_000_000 }
/** The same on the page while the stream lasts. */
const shownBounds = { events: 100, chars: 50_000 }

export type StreamPart = { number: number; text: string }

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

const blankLine = /\r\n\r\n|\n\n|\r\r/g
const isEvent = (text: string) => /^data(?::|$)/m.test(text)

export function createFollowed(bounds = keptBounds): Followed {
  let parts: StreamPart[] = []
  /** What is kept begins here; what stands before is cut off now and then, not with every event. */
  let from = 0
  let chars = 0
  let events = 0
  let dropped = 0
  let number = 0
  let rest = ''

  function add(text: string): void {
    const last = parts.at(-1)
    if (isEvent(text)) events++
    else if (last !== undefined && parts.length > from && !isEvent(last.text)) chars -= parts.pop()!.text.length
    parts.push({ number: ++number, text })
    chars += text.length
    while (parts.length - from > 1 && (events - dropped > bounds.events || chars > bounds.chars)) {
      const { text: oldest } = parts[from++]!
      chars -= oldest.length
      if (isEvent(oldest)) dropped++
    }
    if (from < 1_000) return
    parts = parts.slice(from)
    from = 0
  }

  /** The last of what is kept, within bounds. */
  function lastOf(most: typeof keptBounds): StreamEnd {
    const all = rest === '' ? parts : [...parts, { number: number + 1, text: rest }]
    let at = all.length
    let left = most.chars
    let count = 0
    while (at > from) {
      const { text } = all[at - 1]!
      const isOne = isEvent(text)
      left -= text.length
      if (at < all.length && (left < 0 || (isOne && count === most.events))) break
      if (isOne && at <= parts.length) count++
      at--
    }
    const end = all.slice(at).map(part => ({ ...part, text: part.text.slice(-most.chars) }))
    return { parts: end, earlier: events - count }
  }

  return {
    push(text) {
      const whole = rest + text
      blankLine.lastIndex = Math.max(0, rest.length - 3)
      let begin = 0
      for (let match = blankLine.exec(whole); match !== null; match = blankLine.exec(whole)) {
        const next = match.index + match[0].length
        add(whole.slice(begin, next))
        begin = next
      }
      rest = whole.slice(Math.max(begin, whole.length - bounds.chars))
    },
    shown: () => lastOf(shownBounds),
    kept: () => lastOf({ events: Number.POSITIVE_INFINITY, chars: Number.POSITIVE_INFINITY }),
  }
}
