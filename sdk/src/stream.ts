// A stream of server-sent events that mends itself: a connection that breaks, ends or falls silent is made again behind
// the last event seen.
import { isPassing, TandemError, unexpectedReply } from './errors.ts'
import type { EventStream, StreamEvent, StreamOptions } from './operation.ts'
import { createEventParser, type EventParser, type RawEvent } from './server_sent_events.ts'
import { networkError, type Outgoing, retryDelayMs, sleep, type Transport, timeout } from './transport.ts'

const heartbeatTimeoutMsByDefault = 45_000
const longestDelayMs = 30_000
/** A connection that held this long was a good one. Events alone prove nothing: a stream may greet before it ends. */
const steadyMs = 5_000

export function openStream(
  transport: Transport,
  request: () => Outgoing,
  options: StreamOptions = {},
): EventStream<StreamEvent> {
  const { heartbeatTimeoutMs = heartbeatTimeoutMsByDefault, maxRetries = Number.POSITIVE_INFINITY } = options
  const closing = new AbortController()
  let lastEventId = options.lastEventId
  let reconnectMs = 1000

  /** One connection, until it ends. */
  async function* connection(): AsyncGenerator<StreamEvent> {
    const ending = new AbortController()
    const signals = [closing.signal, ending.signal, ...(options.signal === undefined ? [] : [options.signal])]
    try {
      const response = await transport.open({ ...request(), lastEventId }, options, AbortSignal.any(signals))
      if (!response.headers.get('content-type')?.startsWith('text/event-stream') || response.body === null)
        throw unexpectedReply(response, '(no event stream)')
      options.onOpen?.()
      const parser = createEventParser(lastEventId)
      for await (const events of eventsOf(response.body, parser, heartbeatTimeoutMs)) {
        reconnectMs = parser.retryMs ?? reconnectMs
        for (const raw of events) {
          if (closing.signal.aborted) return
          lastEventId = raw.id
          yield presented(raw, response)
        }
        lastEventId = parser.lastEventId
      }
    } finally {
      ending.abort()
    }
  }

  async function* read(): AsyncGenerator<StreamEvent> {
    for (let retries = 0; !closing.signal.aborted; retries++) {
      const startedMs = performance.now()
      let fault: unknown
      try {
        yield* connection()
      } catch (error) {
        if (closing.signal.aborted) return
        options.signal?.throwIfAborted()
        fault = error
      }
      if (performance.now() - startedMs > steadyMs) retries = 0
      const delayMs = reconnectDelayMs(fault, retries, reconnectMs)
      if (delayMs === undefined || retries >= maxRetries) {
        if (fault === undefined) return
        throw fault
      }
      options.onRetry?.({ error: fault, delayMs, retries })
      await sleep(delayMs, either(closing.signal, options.signal)).catch(error => {
        if (!closing.signal.aborted) throw error
      })
    }
  }

  return {
    [Symbol.asyncIterator]: read,
    close: () => closing.abort(),
    get lastEventId() {
      return lastEventId
    },
  }
}

const either = (first: AbortSignal, second: AbortSignal | undefined) =>
  second === undefined ? first : AbortSignal.any([first, second])

/** Between half and all of a wait that doubles; undefined for a refusal that would only be repeated. */
function reconnectDelayMs(fault: unknown, retries: number, reconnectMs: number): number | undefined {
  if (fault !== undefined) {
    if (!(fault instanceof TandemError)) return undefined
    if (fault.status === 0 ? !fault.retriable : !isPassing(fault.status)) return undefined
    if (fault.retryAfterSeconds !== undefined) return retryDelayMs(fault, true, retries) ?? longestDelayMs
  }
  const waitMs = Math.min(longestDelayMs, reconnectMs * 2 ** retries)
  return waitMs / 2 + (Math.random() * waitMs) / 2
}

/** What each piece of a body completes, if only the id. @throws TandemError when it breaks, or is silent for `silenceMs` */
async function* eventsOf(
  body: ReadableStream<Uint8Array>,
  parser: EventParser,
  silenceMs: number,
): AsyncGenerator<RawEvent[]> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await within(reader.read(), silenceMs)
      if (done) return
      yield parser.push(decoder.decode(value, { stream: true }))
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}

/**
 * The clock runs only while we wait for bytes, not while the caller deals with an event. After a standstill, such as work that
 * keeps this process busy, what has come meanwhile is read before anything is called silent.
 */
async function within<Result>(promise: Promise<Result>, limitMs: number): Promise<Result> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const silence = new Promise<never>((_, reject) => {
    const isSilent = () => reject(timeout(`Nothing heard for ${limitMs} ms.`))
    timer = setTimeout(() => {
      timer = setTimeout(isSilent, 0)
    }, limitMs)
  })
  try {
    return await Promise.race([promise, silence])
  } catch (error) {
    throw error instanceof TandemError ? error : networkError(error)
  } finally {
    clearTimeout(timer)
  }
}

function presented({ event, data, id }: RawEvent, response: Response): StreamEvent {
  try {
    return { event, data: JSON.parse(data), id }
  } catch (cause) {
    throw unexpectedReply(response, data, cause)
  }
}
