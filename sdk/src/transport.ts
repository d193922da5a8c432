// Carries one request to the server and back: credential, time limit, retries. A request is sent again only when that
// cannot do its work twice.
import { isPassing, refusalOf, TandemError } from './errors.ts'
import type { CallOptions, StreamOptions } from './operation.ts'

/**
 * Gives the credential before each request. `refused` is the one the server has just answered 401 to: return another
 * and the request is sent once more. With `stepUp` the server wants a fresh proof of who the person is (`auth.stepUp`): return the same
 * token once that was given. What it throws is thrown to the caller; a stream takes it for a fault of the network and asks again later,
 * unless it is a `TandemError` that is not retriable, such as for a session that has ended.
 */
export type TokenSource = string | ((context: { refused?: string; stepUp?: true }) => string | Promise<string>)

export type TandemOptions = {
  /** Address of the server, `https://crm.example.com`. In a page: where it came from; else `http://127.0.0.1:3000`. */
  baseUrl?: string
  /** API key or access token. Public endpoints are called without it. */
  token?: TokenSource
  /** Used instead of the global fetch. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Handed to fetch with every request: `{ credentials: 'omit', cache: 'no-store' }`. */
  fetchOptions?: Omit<RequestInit, 'method' | 'headers' | 'body' | 'signal'>
  /** Attempts after the first; 2 when left out. */
  maxRetries?: number
  /** The longest `Retry-After` that is waited for in silence; 61 when left out. What is to wait longer is thrown, and says how long. */
  longestWaitSeconds?: number
  /** Milliseconds one attempt may take; 30,000 when left out. */
  timeoutMs?: number
  /** Sent with every request. */
  headers?: Readonly<Record<string, string>>
}

export type Outgoing = {
  method: string
  /** From the host, query included. */
  path: string
  body?: unknown
  /** The type of a body that is a file, to be sent as it is. */
  fileType?: string
  idempotencyKey?: string | undefined
  lastEventId?: string | undefined
  /** Whether sending it twice does its work once. */
  isRepeatable: boolean
  isPublic: boolean
  /** Whether the answer is bytes, to be given as they are. */
  isFile?: boolean
}

/** A success. `body` is the text of the answer; a file comes as `file` instead. */
export type Incoming = { response: Response; body: string; file?: Blob; retries: number }

export type Transport = {
  baseUrl: string
  maxRetries: number
  /** @throws TandemError, or the reason of the signal */
  exchange(request: Outgoing, options: CallOptions): Promise<Incoming>
  /** A success whose body is still to come. @throws like `exchange`; it does not try again */
  open(request: Outgoing, options: StreamOptions, signal: AbortSignal): Promise<Response>
}

// The server's window is a minute, and it rounds up.
const longestWaitByDefault = 61

export function createTransport(settings: TandemOptions): Transport {
  const { token, fetch = globalThis.fetch.bind(globalThis), fetchOptions, timeoutMs = 30_000 } = settings
  const maxRetries = settings.maxRetries ?? 2
  const baseUrl = baseUrlOf(settings.baseUrl)
  const delayOf = delaysUpTo(settings.longestWaitSeconds)

  async function exchange(request: Outgoing, options: CallOptions): Promise<Incoming> {
    const most = options.maxRetries ?? maxRetries
    for (let retries = 0; ; retries++) {
      try {
        return { ...(await authorized(request, options, request.isFile === true ? readFile : readWhole)), retries }
      } catch (error) {
        const delayMs = retries < most ? delayOf(error, request.isRepeatable, retries) : undefined
        if (delayMs === undefined) throw error
        await sleep(delayMs, options.signal)
      }
    }
  }

  /** Asks for the credential, and once more when it is refused: a 401 has had no effect. */
  async function authorized<Result>(
    request: Outgoing,
    options: CallOptions,
    read: (response: Response) => Promise<Result>,
    ask = token,
  ): Promise<Result> {
    options.signal?.throwIfAborted()
    if (request.isPublic || typeof ask !== 'function')
      return attempt(request, options, request.isPublic ? undefined : (ask as string | undefined), read)
    const first = await ask({})
    try {
      return await attempt(request, options, first, read)
    } catch (error) {
      if (!(error instanceof TandemError) || error.status !== 401) throw error
      const second = await ask({ refused: first, ...askedBy(error) })
      if (second === first && error.code !== 'step_up_required') throw error
      return attempt(request, options, second, read)
    }
  }

  async function attempt<Result>(
    request: Outgoing,
    options: CallOptions,
    credential: string | undefined,
    read: (response: Response) => Promise<Result>,
  ): Promise<Result> {
    const limitMs = options.timeoutMs ?? timeoutMs
    const init = { ...fetchOptions, method: request.method, ...contentOf(request, options, credential) }
    const limit = new AbortController()
    const timer = setTimeout(() => limit.abort(), limitMs)
    const signal = options.signal === undefined ? limit.signal : AbortSignal.any([options.signal, limit.signal])
    try {
      const response = await fetch(baseUrl + request.path, { ...init, signal })
      if (!response.ok) throw refusalOf(response, await response.text(), baseUrl)
      return await read(response)
    } catch (error) {
      options.signal?.throwIfAborted()
      if (error instanceof TandemError) throw error
      if (limit.signal.aborted) throw timeout(`No answer within ${limitMs} ms.`)
      throw networkError(error)
    } finally {
      clearTimeout(timer)
    }
  }

  function contentOf(request: Outgoing, options: CallOptions, credential?: string) {
    const { idempotencyKey, lastEventId } = request
    const { ifMatch } = options
    // Building them here keeps a faulty header a TypeError of the caller, not a fault of the network.
    const headers = new Headers({ ...settings.headers, ...options.headers })
    const set = (name: string, value: string | undefined) => {
      if (value !== undefined) headers.set(name, value)
    }
    set('authorization', credential === undefined ? undefined : `Bearer ${credential}`)
    set('idempotency-key', idempotencyKey)
    set('last-event-id', lastEventId)
    set('if-match', typeof ifMatch === 'number' ? `"${ifMatch}"` : ifMatch)
    return { headers, ...bodyOf(request, headers) }
  }

  return {
    baseUrl,
    maxRetries,
    exchange,
    open: (request, { headers, timeoutMs: limitMs }, signal) =>
      authorized(request, { headers, timeoutMs: limitMs, signal }, async response => response, patient(token)),
  }
}

/** The source of a stream's credential: that it fails now, as while the network is away, says nothing of the next time. */
function patient(token: TokenSource | undefined): TokenSource | undefined {
  if (typeof token !== 'function') return token
  return async context => {
    try {
      return await token(context)
    } catch (error) {
      if (error instanceof TandemError || context.stepUp === true) throw error
      throw networkError(error)
    }
  }
}

/** What the server wants beside another credential. */
function askedBy({ code }: TandemError): { stepUp?: true } {
  return code === 'step_up_required' ? { stepUp: true } : {}
}

/** JSON, or a file as it is. */
function bodyOf({ body, fileType }: Outgoing, headers: Headers): { body?: Blob | string } {
  if (body === undefined) return {}
  headers.set('content-type', fileType ?? 'application/json')
  return { body: fileType === undefined ? JSON.stringify(body) : (body as Blob | string) }
}

async function readWhole(response: Response): Promise<{ response: Response; body: string }> {
  return { response, body: await response.text() }
}

async function readFile(response: Response): Promise<{ response: Response; body: string; file: Blob }> {
  return { response, body: '', file: await response.blob() }
}

/** Without the slash at the end and without the version, which the paths carry. */
function baseUrlOf(given: string | undefined): string {
  const origin = (globalThis as { location?: { origin?: string } }).location?.origin
  const url = new URL(given ?? (origin?.startsWith('http') ? origin : 'http://127.0.0.1:3000'))
  return (url.origin + url.pathname).replace(/(\/v[12])?\/*$/, '')
}

const delaysUpTo = (seconds: number | undefined) => (error: unknown, isRepeatable: boolean, retries: number) =>
  retryDelayMs(error, isRepeatable, retries, seconds)

/**
 * Milliseconds until the next attempt, undefined when there should be none. What the server asks for is kept; else up
 * to half a second, doubling, with full jitter. Without an idempotency key only a connection never made is tried again.
 */
export function retryDelayMs(
  error: unknown,
  isRepeatable: boolean,
  retries: number,
  longestWaitSeconds = longestWaitByDefault,
): number | undefined {
  if (!(error instanceof TandemError)) return undefined
  const { code, status, cause, retryAfterSeconds } = error
  const mayPass = code === 'network_error' || code === 'timeout' || isPassing(status)
  if (!mayPass || !(isRepeatable || neverConnected(cause))) return undefined
  if (retryAfterSeconds === undefined) return Math.random() * Math.min(8000, 500 * 2 ** retries)
  return retryAfterSeconds <= longestWaitSeconds ? retryAfterSeconds * 1000 + Math.random() * 250 : undefined
}

/** Browsers do not report it; Node, Deno and Bun do. */
function neverConnected(cause: unknown): boolean {
  const { code, cause: inner } = (cause ?? {}) as { code?: unknown; cause?: { code?: unknown } }
  return /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|UND_ERR_CONNECT_TIMEOUT|ConnectionRefused)$/.test(`${inner?.code ?? code}`)
}

/** Waits; rejects with the signal's reason when it is aborted. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}

export function timeout(message: string): TandemError {
  return new TandemError(`${message} Whether the request was carried out is not known.`, {
    code: 'timeout',
    retriable: true,
  })
}

export function networkError(cause: unknown): TandemError {
  const inner = (cause as { cause?: { message?: string; code?: string } } | null)?.cause
  const text = inner?.message || inner?.code || (cause as Error | null)?.message || String(cause)
  return new TandemError(`The server could not be reached, or the connection broke: ${text}`, {
    code: 'network_error',
    retriable: true,
    cause,
  })
}
