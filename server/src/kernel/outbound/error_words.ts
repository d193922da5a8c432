// What goes wrong on the way out, in one of a few words that say nothing of our network.

export const errorWords = [
  'blocked_address',
  'dns_failed',
  'connect_timeout',
  'connection_refused',
  'unreachable',
  'tls_failed',
  'timeout',
  'reset',
  'not_http',
  'reply_too_large',
  'failed',
] as const
/**
 * Why no answer came. `blocked_address`: we may not go there; `dns_failed`: the name has no address; `connect_timeout`:
 * no connection within five seconds, or less where that is asked for; `connection_refused`, `unreachable`: nobody listens, no way there; `tls_failed`: no
 * encryption, or a certificate that does not fit; `timeout`: no answer within the time; `reset`: the connection ended before
 * the answer; `not_http`: the answer makes no sense; `reply_too_large`: its headers do not end; `failed`: none of these.
 */
export type ErrorWord = (typeof errorWords)[number]

export type Fault = Error & { word?: ErrorWord; code?: string }

export function fault(word: ErrorWord): Fault {
  return Object.assign(new Error(word), { word })
}

export function connectWord({ code = '' }: Fault, isTls: boolean): ErrorWord {
  if (code === 'ECONNREFUSED') return 'connection_refused'
  if (code === 'ETIMEDOUT') return 'connect_timeout'
  if (code === 'EHOSTUNREACH' || code === 'ENETUNREACH' || code === 'EADDRNOTAVAIL') return 'unreachable'
  if (isTls) return 'tls_failed'
  return code === 'ECONNRESET' ? 'reset' : 'failed'
}

export function wordOf(error: Fault): ErrorWord {
  if (error.word !== undefined) return error.word
  const code = error.code ?? ''
  if (error.name === 'HTTPParserError') return 'not_http'
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'reply_too_large'
  if (['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE', 'UND_ERR_ABORTED', 'UND_ERR_DESTROYED'].includes(code)) return 'reset'
  if (code === 'ETIMEDOUT') return 'timeout'
  return code.startsWith('UND_ERR_RES') || code === 'UND_ERR_INFO' ? 'not_http' : 'failed'
}
