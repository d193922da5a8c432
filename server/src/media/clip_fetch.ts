// Clips from URLs: fetched by a function that is handed in (which decides where one may go), within a size and a time, decoded
// as they come, kept, and asked for again only when they are no longer fresh. Many calls that want one clip wait for one fetch.
import type { MediaFault } from './audio.ts'
import { isMediaFault, mediaFault } from './audio.ts'
import type { Clip, ClipCache } from './clip.ts'
import { clipOfWav } from './clip.ts'
import { createSharedWork } from './shared_work.ts'
import { takenFormats } from './wav_read.ts'

export type ClipReply = {
  status: number
  headers: { get(name: string): string | null }
  body: AsyncIterable<Uint8Array> | null
}

/** As the global fetch; what it rejects with is reported in the fault. */
export type ClipFetch = (
  url: string,
  init: { headers: Record<string, string>; signal: AbortSignal },
) => Promise<ClipReply>

export type ClipLoaderOptions = {
  fetch: ClipFetch
  cache: ClipCache
  /** Any clock in ms. */
  now(): number
  /** Default 20 MB. */
  maxBytes?: number
  /** For the whole fetch; default 10,000. */
  timeoutMs?: number
  /** Of the audio; default an hour. */
  maxMs?: number
  /** A kept clip is not asked for again for this long, unless its server said something else; default 60,000. */
  freshMs?: number
}

export type ClipLoader = {
  /** Never rejects. An aborted signal ends only this wait, and the fetch when nobody else waits. */
  load(url: string, signal?: AbortSignal): Promise<Clip | MediaFault>
}

type Known = { etag: string | null; modified: string | null; untilMs: number }
const maxKnown = 10_000

export function createClipLoader(options: ClipLoaderOptions): ClipLoader {
  const { cache, maxBytes = 20_000_000, timeoutMs = 10_000, freshMs = 60_000 } = options
  const known = new Map<string, Known>()
  const shared = createSharedWork<Clip | MediaFault>()

  function load(url: string, signal?: AbortSignal): Promise<Clip | MediaFault> {
    const kept = cache.get(url)
    if (kept !== undefined && options.now() < (known.get(url)?.untilMs ?? 0)) return Promise.resolve(kept)
    const aborted = mediaFault('aborted', 'nobody waits for this audio any more')
    return shared.run(url, signal, aborted, ended => fetchClip(url, kept, ended))
  }

  async function fetchClip(url: string, kept: Clip | undefined, ended: AbortSignal): Promise<Clip | MediaFault> {
    if (!/^https?:\/\//i.test(url))
      return mediaFault('url', 'the address of the audio must begin with http:// or https://')
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = AbortSignal.any([timeout, ended])
    try {
      const reply = await withSignal(options.fetch(url, { headers: headersOf(url, kept), signal }), signal)
      return await clipOfReply(url, kept, reply, signal)
    } catch (error) {
      if (timeout.aborted) return mediaFault('timeout', `the audio was not there within ${timeoutMs / 1_000} s`)
      if (ended.aborted) return mediaFault('aborted', 'nobody waits for this audio any more')
      return mediaFault(
        'unreachable',
        `the audio could not be fetched: ${(error as Error)?.message ?? 'no reason given'}`,
      )
    }
  }

  function headersOf(url: string, kept: Clip | undefined): Record<string, string> {
    const headers: Record<string, string> = { accept: 'audio/wav, audio/x-wav;q=0.9, */*;q=0.1' }
    const { etag, modified } = known.get(url) ?? { etag: null, modified: null }
    if (kept === undefined) return headers
    if (etag !== null) headers['if-none-match'] = etag
    else if (modified !== null) headers['if-modified-since'] = modified
    return headers
  }

  async function clipOfReply(
    url: string,
    kept: Clip | undefined,
    reply: ClipReply,
    signal: AbortSignal,
  ): Promise<Clip | MediaFault> {
    if (reply.status === 304 && kept !== undefined) {
      remember(url, kept, reply)
      return kept
    }
    if (reply.status !== 200 || reply.body === null)
      return mediaFault('status', `the server of the audio answered ${reply.status}, not 200`)
    const tooLarge = mediaFault('too_large', `the audio has more than ${maxBytes / 1_000_000} MB, which is the limit`)
    if (Number(reply.headers.get('content-length')) > maxBytes) return tooLarge
    const size = { isOver: false }
    const clip = await clipOfWav(limited(reply.body, maxBytes, signal, size), { maxMs: options.maxMs, signal })
    if (size.isOver) return tooLarge
    signal.throwIfAborted()
    if (isMediaFault(clip)) return clip
    if (clip.durationMs === 0) return mediaFault('cut', `the audio has no samples; takes ${takenFormats}`)
    remember(url, clip, reply)
    return clip
  }

  function remember(url: string, clip: Clip, { headers }: ClipReply): void {
    const control = headers.get('cache-control') ?? ''
    const before = known.get(url)
    known.delete(url)
    if (/\bno-store\b/i.test(control)) {
      cache.remove(url)
      return
    }
    cache.put(url, clip)
    const age = /\bmax-age=(\d{1,9})\b/i.exec(control)?.[1]
    const lifeMs = /\bno-cache\b/i.test(control) ? 0 : age === undefined ? freshMs : Number(age) * 1_000
    known.set(url, {
      etag: headers.get('etag') ?? before?.etag ?? null,
      modified: headers.get('last-modified') ?? before?.modified ?? null,
      untilMs: options.now() + lifeMs,
    })
    if (known.size > maxKnown) known.delete(known.keys().next().value!)
  }

  return { load }
}

/** The pieces of a body, no longer than allowed and no later: not every body looks at the signal of its fetch. */
async function* limited(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  signal: AbortSignal,
  size: { isOver: boolean },
): AsyncGenerator<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  let bytes = 0
  try {
    while (true) {
      const next = await withSignal(chunks.next(), signal)
      if (next.done === true) return
      bytes += next.value.length
      size.isOver = bytes > maxBytes
      if (size.isOver) return
      yield next.value
    }
  } finally {
    // Closes the connection of a body that is not wanted to its end; a body that hangs is not waited for.
    chunks.return?.()?.catch(() => undefined)
  }
}

function withSignal<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const stop = () => reject(signal.reason)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  work.then(resolve, reject)
  return promise.finally(() => signal.removeEventListener('abort', stop))
}
