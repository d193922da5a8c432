// One request to S3-compatible storage: its address, its signature (AWS Signature Version 4, by aws4fetch), another try where
// that may help, and for what stays refused a sentence that names the setting to correct.
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'
import type { Clock } from '../values/clock.ts'

export type S3Settings = {
  bucket: string
  /** Of AWS when not said. With `{bucket}` in the host the bucket goes there, else it begins the path. */
  endpoint?: string | undefined
  region: string
  accessKeyId: string
  secretAccessKey: string
  clock: Clock
  /** Waits before the second try and each one after it. */
  retryMs?: readonly number[]
  /** Instead of the global one. */
  fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export type S3Request = {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  /** Empty for the bucket itself. */
  key: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: Uint8Array<ArrayBuffer>
}

/** An answer below 300. Its body is the caller's to read or to cancel. */
export type S3Requester = (request: S3Request) => Promise<Response>

export type S3Error = Error & { s3: { status: number; code: string } }

const answerMs = 120_000
const passing = new Set([408, 429, 500, 502, 503, 504])

const remedies: Record<string, string> = {
  AccessDenied:
    'Allow the key of TANDEM_S3_ACCESS_KEY_ID to list the bucket and to read, write and delete its objects.',
  InvalidAccessKeyId: 'Correct TANDEM_S3_ACCESS_KEY_ID.',
  SignatureDoesNotMatch: 'Correct TANDEM_S3_SECRET_ACCESS_KEY.',
  NoSuchBucket: 'Make the bucket, or correct its name in TANDEM_RECORDINGS.',
  PermanentRedirect: 'Set TANDEM_S3_REGION to the region of the bucket, and TANDEM_S3_ENDPOINT to its address.',
  AuthorizationHeaderMalformed: 'Set TANDEM_S3_REGION to the region of the bucket.',
  RequestTimeTooSkewed: 'Set the clock of this machine right.',
}

export function createS3Requester(settings: S3Settings): S3Requester {
  const {
    region,
    accessKeyId,
    secretAccessKey,
    clock,
    retryMs = [200, 600, 1_800],
    fetch = globalThis.fetch,
  } = settings
  const base = baseOf(settings)
  // Derived keys hold for a day; the signer keeps them here.
  const cache = new Map<string, ArrayBuffer>()

  async function attempt({ method, key, query = {}, headers = {}, body }: S3Request): Promise<Response> {
    const url = new URL(key === '' ? base : `${base}/${key}`)
    for (const name in query) url.searchParams.set(name, query[name] as string)
    // The body is signed too, so that it arrives as it left also where the connection is not encrypted.
    const hash = createHash('sha256')
      .update(body ?? '')
      .digest('hex')
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': hash },
      ...(body === undefined ? {} : { body }),
      accessKeyId,
      secretAccessKey,
      region,
      service: 's3',
      cache,
      datetime: new Date(clock.now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    }).sign()
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(new Error(`no answer within ${answerMs / 1000} seconds`)), answerMs)
    try {
      const { headers: all } = signed
      const content = body === undefined ? {} : { body }
      return await fetch(signed.url.href, { method, headers: all, ...content, redirect: 'manual', signal: late.signal })
    } catch (error) {
      throw unreachable(base, error)
    } finally {
      // What is read of the answer afterwards may take as long as its reader does.
      clearTimeout(timer)
    }
  }

  return async request => {
    for (let tries = 0; ; tries++) {
      const waitMs = retryMs[tries]
      try {
        const response = await attempt(request)
        if (response.ok) return response
        const error = await refusal(request, response)
        if (waitMs === undefined || !passing.has(response.status)) throw error
      } catch (error) {
        if (waitMs === undefined || isS3Error(error)) throw error
      }
      await sleep(waitMs)
    }
  }
}

/** Address of the bucket without a slash at the end. */
export function baseOf({ bucket, endpoint, region }: Pick<S3Settings, 'bucket' | 'endpoint' | 'region'>): string {
  if (endpoint !== undefined) {
    const host = endpoint.replace(/\/+$/, '')
    return host.includes('{bucket}') ? host.replace('{bucket}', bucket) : `${host}/${bucket}`
  }
  const aws = `s3.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`
  // A name with dots fits no certificate of `*.s3…`.
  return bucket.includes('.') ? `https://${aws}/${bucket}` : `https://${bucket}.${aws}`
}

async function refusal({ method, key }: S3Request, response: Response): Promise<S3Error> {
  const text = method === 'HEAD' ? '' : await response.text().catch(() => '')
  const { status } = response
  const code = elementOf(text, 'Code') ?? codeOfStatus(status)
  const said = elementOf(text, 'Message') ?? ''
  return s3Error(status, code, `${method} ${key === '' ? 'the bucket' : key} was refused with ${status} ${code}`, said)
}

export function s3Error(status: number, code: string, what: string, said = ''): S3Error {
  const remedy = remedies[code]
  const message = [`S3: ${what}${said === '' ? '' : ` (${said})`}.`, ...(remedy === undefined ? [] : [remedy])].join(
    ' ',
  )
  return Object.assign(new Error(message), { s3: { status, code } })
}

/** Whether the storage has answered, and refused. */
export function isS3Error(error: unknown): error is S3Error {
  return error instanceof Error && 's3' in error
}

/** An answer to HEAD has no body that could say it. */
function codeOfStatus(status: number): string {
  if (status === 403) return 'AccessDenied'
  if (status === 404) return 'NoSuchKey'
  return status === 301 || status === 307 ? 'PermanentRedirect' : 'Error'
}

function unreachable(base: string, error: unknown): Error {
  const { message, cause } = error as Error & { cause?: { code?: string; message?: string } }
  const why = cause?.code ?? cause?.message ?? message
  const { origin } = new URL(base)
  return new Error(`S3: ${origin} cannot be reached (${why}). Check TANDEM_S3_ENDPOINT and the network.`, {
    cause: error,
  })
}

/** The text of the first element of this name. The documents of S3 have no attributes on those we read. */
export function elementOf(xml: string, name: string): string | undefined {
  const match = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return match === undefined ? undefined : unescapeXml(match)
}

function unescapeXml(text: string): string {
  const named: Record<string, string> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }
  return text.replaceAll(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (whole, hex, decimal, name) => {
    if (name !== undefined) return named[name] ?? whole
    return String.fromCodePoint(Number.parseInt(hex ?? decimal, hex === undefined ? 10 : 16))
  })
}
