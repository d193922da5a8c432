// ARI, the interface of an Asterisk to programs: requests over HTTP, events over a WebSocket. Both go the one guarded way out.
import type { ErrorWord, Outbound, OutboundSocket } from '../../kernel/outbound/outbound.ts'
import type { AsteriskSettings } from '../../modules/voice/trunks/index.ts'

export type AriChannel = {
  id: string
  state: string
  caller: { name: string; number: string }
  dialplan: { context: string; exten: string }
  channelvars?: Record<string, string>
}

/** An event as far as it is read here. */
export type AriEvent = {
  type: string
  application?: string
  channel?: AriChannel
  peer?: AriChannel
  args?: string[]
  dialstatus?: string
  digit?: string
  /** Q.850. */
  cause?: number
  /** The SIP status, where the Asterisk reports it. */
  tech_cause?: number
}

/** `status` is null when no answer came; `message` says what went wrong, as the Asterisk or the network has it. */
export type AriReply = { ok: boolean; status: number | null; message: string; body: unknown }

export type Ari = {
  request(method: 'GET' | 'POST' | 'DELETE', path: string, query?: Record<string, string>): Promise<AriReply>
  /** Starts to receive what happens in an application. */
  events(application: string, onEvent: (event: AriEvent) => void, onClosed: () => void): Promise<Listening>
}

export type Listening = OutboundSocket | { ok: false; error: ErrorWord }

const requestTimeoutMs = 5_000
/** Of the events that came last, so many are remembered: an event that comes twice is one. */
const remembered = 64

/** What the words of the network mean to anyone who set the trunk up. */
const words: Readonly<Record<ErrorWord, string>> = {
  blocked_address:
    'this server may not go to that address: a public one needs https, a private one must be allowed by the operator (TANDEM_EGRESS_ALLOW)',
  dns_failed: 'the name of the host has no address',
  connect_timeout: 'no connection was established; check address, port and firewall',
  connection_refused: 'nothing listens there; check the port, and whether http.conf enables the HTTP server',
  unreachable: 'there is no way to that network',
  tls_failed: 'TLS failed; the certificate must be good for the name of the host',
  timeout: 'no answer came in time',
  reset: 'the connection was cut',
  not_http: 'what answers there does not speak ARI',
  reply_too_large: 'the answer is too long',
  failed: 'the connection failed',
}

export const wordText = (word: ErrorWord): string => words[word]

export function createAri(
  outbound: Outbound,
  { url, username, password }: Pick<AsteriskSettings, 'url' | 'username' | 'password'>,
): Ari {
  const base = url.replace(/\/+$/, '')
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`

  return {
    async request(method, path, query = {}) {
      const asked = new URL(`${base}/ari${path}`)
      for (const [name, value] of Object.entries(query)) asked.searchParams.set(name, value)
      const reply = await outbound.send({
        method,
        url: asked,
        headers: ['authorization', authorization, 'accept', 'application/json'],
        timeoutMs: requestTimeoutMs,
        maxReplyBytes: 1_048_576,
        innerOnly: true,
      })
      if (!reply.ok) return { ok: false, status: null, message: words[reply.error], body: undefined }
      const { status } = reply
      const body = parsed(reply.body.toString('utf8'))
      return { ok: status >= 200 && status < 300, status, message: messageOf(body) ?? `HTTP ${status}`, body }
    },
    events(application, onEvent, onClosed) {
      const asked = new URL(`${base.replace(/^http/, 'ws')}/ari/events`)
      asked.searchParams.set('app', application)
      const last: string[] = []
      const onText = (text: string) => {
        if (last.includes(text)) return
        last.push(text)
        if (last.length > remembered) last.shift()
        const event = parsed(text) as Partial<AriEvent> | undefined
        if (typeof event?.type === 'string') onEvent(event as AriEvent)
      }
      return outbound.socket(
        asked,
        { onText, onClosed },
        {
          headers: { authorization },
          timeoutMs: requestTimeoutMs,
          innerOnly: true,
        },
      )
    },
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function messageOf(body: unknown): string | undefined {
  const { message, error } = (body ?? {}) as { message?: unknown; error?: unknown }
  const text = message ?? error
  return typeof text === 'string' ? text : undefined
}

/** A part of a path. */
export const part = (id: string): string => encodeURIComponent(id)
