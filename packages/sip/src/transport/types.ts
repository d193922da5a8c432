// What the parts of the transport have in common: where messages go (Target), how they came (SipFlow), how much one may cost
// (TransportLimits), and the errors by which a user decides whether to try elsewhere.
import type { SipFault } from '../message.ts'
import type { ParseLimits } from '../parse.ts'
import type { Endpoint } from '../rtp/latch.ts'
import type { Flow } from '../transaction/user.ts'

export type TransportName = 'udp' | 'tcp' | 'tls'

/**
 * One place a message can be sent to; made by `locate`. The address is IPv4 or IPv6, without brackets.
 * - `serverName`: the domain the certificate must be for, and the name asked for (SNI). Left out: the address itself.
 * - `profile`: which of the client's TLS settings to use; connections are only shared within one.
 */
export type Target = Endpoint & {
  readonly transport: TransportName
  readonly serverName?: string | undefined
  readonly profile?: string | undefined
}

/** What a peer showed of itself over TLS. `isVerified`: it belongs to an authority we trust, or is pinned. */
export type PeerCertificate = {
  readonly subject: string
  readonly issuer: string
  /** As `DNS:sip.example.com, URI:sip:example.com`. */
  readonly names: string
  readonly fingerprint256: string
  readonly validTo: string
  readonly isVerified: boolean
}

/**
 * The way a message came or leaves: a socket and a peer for UDP, one connection for TCP and TLS. Opaque to the layers above,
 * which hand it back to `send`. `id` is unique in its transport; of a connection it is never used again.
 */
export type SipFlow = Flow & {
  readonly remote: Endpoint
  readonly local: Endpoint
  readonly id: string
  readonly transport: TransportName
  /** Nothing is lost or doubled as long as the connection lives: timers A, E, G are off, and D, I, J, K are zero. */
  readonly reliable: boolean
  /** Encrypted: TLS. */
  readonly secure: boolean
  readonly isInbound: boolean
  readonly peerCertificate?: PeerCertificate | undefined
}

/** Of a stream: after a fatal fault the connection is closed, as soon as what is sent from within `onFault` is written. */
export type TransportFault = SipFault & { readonly fatal?: boolean }

export type TransportLimits = ParseLimits & {
  /** Connections that others opened, in all; default 2,000. */
  maxConnections?: number
  /** And of one source: an IPv4 address, or the /64 of an IPv6 address; default 64. */
  maxPerSource?: number
  /** Connections that we opened; default 1,000. */
  maxOutbound?: number
  /** Octets that wait to be written to one connection; default 256 KiB. At half of it we stop reading from the peer. */
  maxQueued?: number
  /** A connection without traffic is closed after this; default 10 minutes. Keep-alives of the peer count as traffic. */
  idleMs?: number
  /** A connection that others opened must bring its first message within this; default 30 s. */
  firstMessageMs?: number
  /** A message must be whole this long after its first octet; default 10 s. */
  messageMs?: number
  /** A peer must read something of what waits for it within this; default 20 s. */
  writeMs?: number
  /** A connection is closed after this many malformed messages in a row; default 20. */
  maxFaults?: number
  /** Malformed datagrams that are reported in one second; others are only counted. Default 100. */
  maxDatagramFaults?: number
}

export type FullLimits = Required<Omit<TransportLimits, keyof ParseLimits>> & ParseLimits

export const defaultTransportLimits = {
  maxConnections: 2_000,
  maxPerSource: 64,
  maxOutbound: 1_000,
  maxQueued: 262_144,
  idleMs: 600_000,
  firstMessageMs: 30_000,
  messageMs: 10_000,
  writeMs: 20_000,
  maxFaults: 20,
  maxDatagramFaults: 100,
} satisfies FullLimits

/**
 * - Opening: `address_in_use`, `bind_failed` (no such address here, or no right to the port).
 * - Finding: `dns_failed` (no answer: may be better later), `not_found` (the answer is that there is nothing),
 *   `unsupported` (a URI, a transport or an address that we cannot send to).
 * - Connecting: `connect_failed`, `connect_timeout`, `tls_failed`, `too_many_connections`.
 * - Sending: `flow_closed`, `queue_full`, `too_large`, `send_failed`, `no_socket` (none of that transport and address family).
 * - Why a connection was closed: `peer_closed`, `connection_lost`, `idle`, `slow_sender`, `slow_reader`, `not_sip`, `no_pong`,
 *   `closed` (by us).
 */
export type TransportErrorCode =
  | 'address_in_use'
  | 'bind_failed'
  | 'dns_failed'
  | 'not_found'
  | 'unsupported'
  | 'connect_failed'
  | 'connect_timeout'
  | 'tls_failed'
  | 'too_many_connections'
  | 'flow_closed'
  | 'queue_full'
  | 'too_large'
  | 'send_failed'
  | 'no_socket'
  | 'peer_closed'
  | 'connection_lost'
  | 'idle'
  | 'slow_sender'
  | 'slow_reader'
  | 'not_sip'
  | 'no_pong'
  | 'closed'

export type TransportError = Error & { code: TransportErrorCode }

const marked = new WeakSet<object>()

export function transportError(code: TransportErrorCode, message: string, cause?: unknown): TransportError {
  const error = Object.assign(cause === undefined ? new Error(message) : new Error(message, { cause }), { code })
  marked.add(error)
  return error
}

export function isTransportError(error: unknown): error is TransportError {
  return typeof error === 'object' && error !== null && marked.has(error)
}

/** `192.0.2.1:5060`, `[2001:db8::1]:5060` */
export function formatEndpoint({ address, port }: Endpoint): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`
}

/** RFC 3261 §19.1.2 */
export function defaultPort(transport: TransportName): number {
  return transport === 'tls' ? 5061 : 5060
}

/** What the system says, without the words Node puts before it: `ECONNREFUSED`. */
export function systemCode(error: unknown): string | undefined {
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  return typeof code === 'string' ? code : undefined
}
