// Posts a delivery to the server on this machine: the headers and the bytes that came, and nothing of our own but what HTTP asks for.
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

export type Delivery = {
  deliveryId: string
  eventId: string
  eventType: string
  attempt: number
  headers: Record<string, string>
  body: string
}

export type Outcome = { status: number | null; error: ErrorWord | null; durationMs: number; reply: string | null }

type ErrorWord =
  | 'connection_refused'
  | 'dns_failed'
  | 'unreachable'
  | 'tls_failed'
  | 'timeout'
  | 'reset'
  | 'not_http'
  | 'failed'

/** As webhooks have it: a server that is slower here would be too slow there. */
const timeoutMs = 15_000
const replyBytes = 4_096

/** Never rejects. @param verifies whether a certificate must be valid */
export function forward(url: URL, { headers, body }: Delivery, verifies: boolean): Promise<Outcome> {
  const bytes = Buffer.from(body)
  const startedMs = performance.now()
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  return new Promise(resolve => {
    const done = (outcome: Omit<Outcome, 'durationMs'>) => {
      clearTimeout(timer)
      resolve({ ...outcome, durationMs: Math.round(performance.now() - startedMs) })
    }
    const fail = (error: ErrorWord) => done({ status: null, error, reply: null })
    const sent = send(url, {
      method: 'POST',
      headers: { ...headers, 'content-length': bytes.length },
      ...(verifies ? {} : { rejectUnauthorized: false }),
    })
    const timer = setTimeout(() => {
      fail('timeout')
      sent.destroy()
    }, timeoutMs)
    sent.on('error', error => fail(wordOf(error)))
    sent.on('response', response => {
      const pieces: Buffer[] = []
      let kept = 0
      response.on('data', (piece: Buffer) => {
        if (kept < replyBytes) pieces.push(piece)
        kept += piece.length
      })
      response.on('end', () => {
        const { statusCode: status = 0 } = response
        // Node takes any three digits; what is no status of HTTP (RFC 9110 §15) is no answer of it either.
        if (status < 100 || status > 599) fail('not_http')
        else done({ status, error: null, reply: textOf(pieces) })
      })
      response.on('error', () => fail('reset'))
      response.on('aborted', () => fail('reset'))
    })
    sent.end(bytes)
  })
}

/** The beginning of a reply, when it is text. */
function textOf(pieces: readonly Buffer[]): string | null {
  const text = Buffer.concat(pieces)
    .toString('utf8', 0, replyBytes)
    .replace(/\ufffd$/, '')
  return text === '' || /[\0\ufffd]/.test(text) ? null : text
}

function wordOf(error: Error & { code?: string; errors?: (Error & { code?: string })[] }): ErrorWord {
  // A name with several addresses: each of them failed.
  const code = error.code ?? error.errors?.[0]?.code ?? ''
  if (code === 'ECONNREFUSED') return 'connection_refused'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'dns_failed'
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH') return 'unreachable'
  if (code === 'ECONNRESET' || code === 'EPIPE') return 'reset'
  if (code.startsWith('HPE_')) return 'not_http'
  return /CERT|TLS|SSL|EPROTO/.test(code) ? 'tls_failed' : 'failed'
}
