// Reads a text/event-stream (WHATWG HTML §9.2.6) from a body of bytes. No network and no timer here.

/** One event as it stood on the wire. */
export type RawEvent = { event: string; data: string; id: string | undefined }

export type EventParser = {
  /** Takes the next piece of text, cut anywhere, and returns the events it completes. */
  push(text: string): RawEvent[]
  /** Where to go on after a break; moves with every event that names an id, also with one that has no data. */
  readonly lastEventId: string | undefined
  /** How long the server wants a reader to wait before it connects again. */
  readonly retryMs: number | undefined
}

/** @param lastEventId the id from which this connection went on */
export function createEventParser(lastEventId?: string): EventParser {
  let rest = ''
  let id = lastEventId
  let retryMs: number | undefined
  let event = ''
  let data: string[] = []
  let isFirst = true

  function take(line: string): RawEvent | undefined {
    if (line === '') {
      lastEventId = id
      const done = data.length > 0 ? { event: event || 'message', data: data.join('\n'), id } : undefined
      event = ''
      data = []
      return done
    }
    const colon = line.indexOf(':')
    const name = colon === -1 ? line : line.slice(0, colon)
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '')
    if (name === 'event') event = value
    else if (name === 'data') data.push(value)
    else if (name === 'id' && !value.includes('\0')) id = value
    else if (name === 'retry' && /^\d+$/.test(value)) retryMs = Number(value)
    return undefined
  }

  return {
    push(text) {
      rest += isFirst ? text.replace(/^\uFEFF/, '') : text
      isFirst &&= text === ''
      const events: RawEvent[] = []
      // A carriage return at the very end may be half of a line end.
      for (let match = lineEnd.exec(rest); match !== null; match = lineEnd.exec(rest)) {
        if (match[0] === '\r' && match.index === rest.length - 1) break
        const done = take(rest.slice(0, match.index))
        rest = rest.slice(match.index + match[0].length)
        if (done !== undefined) events.push(done)
      }
      return events
    },
    get lastEventId() {
      return lastEventId
    },
    get retryMs() {
      return retryMs
    },
  }
}

const lineEnd = /\r\n|\n|\r/
