// What came of an attempt, in plain words: what it means, and what to do about it.
import type { WebhooksDeliveriesItem, WebhooksDeliveryReply } from '@tandem/sdk'

/** A delivery as lists give it, and one with its attempts and payload. */
export type Delivery = WebhooksDeliveriesItem
export type DeliveryDetail = WebhooksDeliveryReply
export type Attempt = DeliveryDetail['attemptLog'][number]

type ErrorWord = NonNullable<Attempt['error']>
type Explanation = { name: string; text: string }

const words: Record<ErrorWord, Explanation> = {
  blocked_address: {
    name: 'address not allowed',
    text: 'The address leads into a private network, so nothing was sent. Use a public address, or ask the operator to allow the range with TANDEM_EGRESS_ALLOW.',
  },
  dns_failed: {
    name: 'name not found',
    text: 'The host name has no address, or its name server did not answer. Check the spelling in the URL and the DNS records.',
  },
  connect_timeout: {
    name: 'no connection',
    text: 'No connection was established within 5 seconds. Check that the server runs and that its firewall lets us in.',
  },
  connection_refused: {
    name: 'connection refused',
    text: 'Nothing listens at this address and port. Start the receiver, or correct the URL.',
  },
  unreachable: {
    name: 'unreachable',
    text: 'There is no way to this address from here. Check the address, and the network of the receiver.',
  },
  tls_failed: {
    name: 'encryption failed',
    text: 'The certificate has expired, is for another name or not from a known authority. Install a valid one with its whole chain.',
  },
  timeout: {
    name: 'no answer in time',
    text: 'No answer came within 15 seconds. Answer 2xx as soon as the event is stored, and do the work afterwards.',
  },
  reset: {
    name: 'connection broken',
    text: 'The connection ended before an answer came. Look for a crash or a limit of size at the receiver, or a proxy in front of it.',
  },
  not_http: {
    name: 'no HTTP',
    text: 'What came back is no HTTP answer. Check that the port in the URL is that of the web server.',
  },
  reply_too_large: {
    name: 'headers too large',
    text: 'The headers of the answer are larger than 16 KiB. Send fewer cookies and headers.',
  },
  failed: {
    name: 'failed',
    text: 'The attempt failed in a way that has no name. Deliver it again; tell the operator of this server if that does not help.',
  },
}

const statuses: Record<number, string> = {
  400: 'The receiver finds the request malformed. Compare what it expects with the payload.',
  401: 'The receiver asks for credentials. Let POST requests to this path in, and check the signature instead.',
  403: 'The receiver, or a firewall in front of it, refuses us. Let POST requests to this path in, and check the signature instead.',
  404: 'There is nothing at this path. Correct the URL, or put the receiver there.',
  405: 'The path does not take POST. Let it, or correct the URL.',
  408: 'The receiver waited too long for the request. Look at the proxy in front of it.',
  410: 'The receiver says that it is gone for good, which disables a webhook. Correct the URL, then enable it.',
  413: 'The receiver finds the body too large. Let it take at least 64 kB.',
  415: 'The receiver does not take application/json. Let it.',
  422: 'The receiver refuses the content. Compare what it expects with the payload.',
  429: 'The receiver wants fewer requests. Deliveries slow down by themselves; Retry-After is honoured.',
  502: 'The gateway in front of the receiver got no good answer from it. Look whether the receiver runs.',
  503: 'The receiver is not available just now. Look whether it is overloaded or under maintenance.',
  504: 'The gateway in front of the receiver waited too long. Answer 2xx first, and do the work afterwards.',
}

function textOfStatus(status: number): string {
  const outcome = statuses[status]
  if (outcome !== undefined) return outcome
  if (status >= 500) return 'The receiver failed. Look into its log at this time.'
  if (status >= 400) return 'The receiver refuses the request. Its reply may say why.'
  if (status >= 300) return 'Redirects are not followed. Put the final address into the URL.'
  return status >= 200 ? 'The receiver took the event.' : 'Only an answer from 200 to 299 counts as taken.'
}

/** One attempt: the name of what happened, whether it went well, what it means and what to do. */
export function explain({ status, error }: Pick<Attempt, 'status' | 'error'>): Explanation & { ok: boolean } {
  if (error !== null) return { ...words[error], ok: false }
  if (status === null) return { name: 'not tried yet', text: 'No attempt has been made.', ok: false }
  return { name: String(status), text: textOfStatus(status), ok: status >= 200 && status < 300 }
}

/** The same for `lastError` of a webhook, which is a word, or an HTTP status as text. */
export function explainLast(lastError: string): Explanation {
  if (/^\d+$/.test(lastError)) return { name: `HTTP ${lastError}`, text: textOfStatus(Number(lastError)) }
  return words[lastError as ErrorWord] ?? words.failed
}
