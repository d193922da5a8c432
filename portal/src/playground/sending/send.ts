// Sends a request for real: plain fetch with nothing of the portal's own in it (no cookies, no cache, no referrer, no
// redirects followed), read as a stream, timed by the browser. Each way to fail has its own name.

import { createFollowed, isEventStream, type StreamEnd } from '../kept/followed.ts'
import type { Effective } from '../request/request.ts'
import { headerOf } from './rate_limit.ts'
import { entryFor, type Sizes, splitTime, type TimeSplit } from './timing.ts'

export type Answer = {
  kind: 'answer'
  status: number
  statusText: string
  headers: [name: string, value: string][]
  body: Blob
  time: TimeSplit
  sizes: Sizes
  /** Of a stream that did not end by itself: the person stopped it, or the connection broke. */
  ended?: 'stopped' | 'broken'
  /** Of a stream: how many of its events came before those in the body. */
  leftOut?: number
  /** Of a stream: whether an event was too large, so that its beginning is missing. */
  isCut?: boolean
}

export type FailureReason = 'network' | 'offline' | 'canceled' | 'timeout' | 'blocked' | 'redirect' | 'cut_off'
export type Failure = {
  kind: 'failure'
  reason: FailureReason
  totalMs: number
  /** What had come before it broke. */
  partial?: { status: number; headers: [name: string, value: string][]; bytes: number }
}
export type Outcome = Answer | Failure

export type Progress = {
  status: number
  bytes: number
  /** Undefined when the server did not say. */
  totalBytes: number | undefined
  /** The end of what a stream has brought so far, made when it is asked for; undefined for answers that end by themselves. */
  newest?(): StreamEnd
}

export type SendOptions = {
  signal: AbortSignal
  timeoutMs?: number
  onProgress?(progress: Progress): void
  /** Somebody looks on and stops it: a stream of events may last, and what it brought until then is its answer. */
  follows?: boolean
}

const DEFAULT_TIMEOUT_MS = 120_000

/** Sends and reads to the end. Never rejects. */
export async function sendRequest(effective: Effective, options: SendOptions): Promise<Outcome> {
  const startMs = performance.now()
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), options.timeoutMs ?? DEFAULT_TIMEOUT_MS)
  const signal = AbortSignal.any([options.signal, limit.signal])
  const watch = watchPolicy()
  const fail = (reason: FailureReason, partial?: Failure['partial']): Failure => ({
    kind: 'failure',
    reason,
    totalMs: performance.now() - startMs,
    ...(partial === undefined ? {} : { partial }),
  })
  const stopped = (): FailureReason | undefined =>
    options.signal.aborted ? 'canceled' : limit.signal.aborted ? 'timeout' : watch.violated() ? 'blocked' : undefined
  try {
    let response: Response
    try {
      response = await fetch(effective.url, fetchOptions(effective, signal))
    } catch {
      return fail(stopped() ?? (navigator.onLine === false ? 'offline' : 'network'))
    }
    if (response.type === 'opaqueredirect') return fail('redirect')
    const headers = [...response.headers] as [string, string][]
    const isFollowed = options.follows === true && isEventStream(headers)
    if (isFollowed) clearTimeout(timer)
    const read = isFollowed ? readStream(response, options.onProgress) : readBody(response, headers, options.onProgress)
    const { chunks, bytes, isWhole, leftOut = 0, isCut = false } = await read
    if (!isWhole && !isFollowed) return fail(stopped() ?? 'cut_off', { status: response.status, headers, bytes })
    const endMs = performance.now()
    const entry = await timingOf(effective.url, startMs)
    return {
      kind: 'answer',
      status: response.status,
      statusText: response.statusText,
      headers,
      body: new Blob(chunks),
      time: splitTime(entry, startMs, endMs, headers),
      sizes: {
        wire: entry !== undefined && entry.encodedBodySize > 0 ? entry.encodedBodySize : undefined,
        decoded: bytes,
      },
      ...(isWhole ? {} : { ended: options.signal.aborted ? 'stopped' : 'broken' }),
      ...(leftOut === 0 ? {} : { leftOut }),
      ...(isCut ? { isCut } : {}),
    }
  } finally {
    clearTimeout(timer)
    watch.stop()
  }
}

type ReadBody = Pick<Answer, 'leftOut' | 'isCut'> & {
  chunks: (Uint8Array<ArrayBuffer> | string)[]
  bytes: number
  isWhole: boolean
}

/** Reads until the end, or until it breaks off. */
async function readBody(
  response: Response,
  headers: [string, string][],
  onProgress: SendOptions['onProgress'],
): Promise<ReadBody> {
  const { status } = response
  const totalBytes = lengthOf(headers)
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let bytes = 0
  try {
    for await (const chunk of chunksOf(response)) {
      chunks.push(chunk)
      bytes += chunk.length
      onProgress?.({ status, bytes, totalBytes })
    }
    return { chunks, bytes, isWhole: true }
  } catch {
    return { chunks, bytes, isWhole: false }
  }
}

/** The same for a stream, of which the newest events are kept. */
export async function readStream(response: Response, onProgress: SendOptions['onProgress']): Promise<ReadBody> {
  const { status } = response
  const followed = createFollowed()
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  let bytes = 0
  let isWhole = true
  const report = () => onProgress?.({ status, bytes, totalBytes: undefined, newest: followed.shown })
  // It is open before it brings anything.
  report()
  try {
    for await (const chunk of chunksOf(response)) {
      bytes += chunk.length
      followed.push(decoder.decode(chunk, { stream: true }))
      report()
    }
  } catch {
    isWhole = false
  }
  // Half a character, where it broke off in one.
  followed.push(decoder.decode())
  const { parts, earlier } = followed.kept()
  return {
    chunks: parts.map(({ text }) => text),
    bytes,
    isWhole,
    leftOut: earlier,
    isCut: parts.some(each => each.isCut),
  }
}

/** Exactly what fetch is given. The body goes as bytes, so that no content type is added behind our back. */
export function fetchOptions({ method, headers, body, file }: Effective, signal: AbortSignal): RequestInit {
  return {
    method,
    headers: headers.map(({ name, value }): [string, string] => [name, value]),
    ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
    ...(file === undefined ? {} : { body: file }),
    credentials: 'omit',
    cache: 'no-store',
    redirect: 'manual',
    referrerPolicy: 'no-referrer',
    signal,
  }
}

async function* chunksOf(response: Response): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

// Of a compressed answer Content-Length counts other bytes than are read here.
function lengthOf(headers: [string, string][]): number | undefined {
  const length = headerOf(headers, 'content-length')
  if (length === undefined || headerOf(headers, 'content-encoding') !== undefined) return undefined
  return Number(length)
}

/** The browser files its record a moment after the last byte. The buffer holds 250 and is cleared, or it would fill up. */
async function timingOf(url: string, startMs: number): Promise<PerformanceResourceTiming | undefined> {
  for (let attempt = 0; attempt < 6; attempt++) {
    const entries = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
    const entry = entryFor(entries, url, startMs) as PerformanceResourceTiming | undefined
    if (entry !== undefined) {
      performance.clearResourceTimings()
      return entry
    }
    await new Promise(resolve => setTimeout(resolve, 8))
  }
  return undefined
}

/** A request that the page's policy forbids fails like any other; only this event reports the difference. */
function watchPolicy(): { violated(): boolean; stop(): void } {
  let seen = false
  const listen = (event: SecurityPolicyViolationEvent) => {
    if (event.effectiveDirective === 'connect-src') seen = true
  }
  document.addEventListener('securitypolicyviolation', listen)
  return { violated: () => seen, stop: () => document.removeEventListener('securitypolicyviolation', listen) }
}
