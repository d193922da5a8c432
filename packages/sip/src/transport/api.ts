// What a transport is to its user: what it is opened with, what it reports, what it does.
import type { MessageCore } from '../core.ts'
import type { SipMessage } from '../message.ts'
import type { Timing } from '../rtp/clock.ts'
import type { Endpoint } from '../rtp/latch.ts'
import type { Via } from '../values.ts'
import type { Advertised, Bound } from './bindings.ts'
import type { Done } from './connection.ts'
import type { SentBy } from './route.ts'
import type { TlsClientOptions, TlsServerOptions } from './tls.ts'
import type { SipFlow, Target, TransportError, TransportFault, TransportLimits, TransportName } from './types.ts'

/** `address` is an IPv4 or IPv6 address; `0.0.0.0` and `::` are all of one family. A `port` of 0: any free one. */
export type Binding = Endpoint & { readonly advertise?: Advertised | undefined }

export type SipTransportOptions = {
  /** Without it there is no UDP. */
  udp?: readonly Binding[]
  /** Without it there is no TCP; [] is for connections of our own only. */
  tcp?: readonly Binding[]
  /** The same for TLS. */
  tls?: readonly (Binding & TlsServerOptions)[]
  /** For connections of our own. */
  tlsClient?: TlsClientOptions
  /** Others, by the `profile` of a target. */
  tlsProfiles?: (profile: string) => TlsClientOptions | undefined
  limits?: TransportLimits
  /** Default 5 s, the handshake of TLS included; it is also what a client's handshake may take. */
  connectTimeoutMs?: number
  /** Connections of our own are kept open by pings (RFC 5626 §4.4.1) after so much silence; left out: they are not. */
  pingMs?: number
  /** Octets asked of the system for datagrams that wait to be read; default 4 MiB. */
  receiveBuffer?: number
  /** Responses to a Via that is not ours are dropped (RFC 3261 §18.1.2), and reported as a fault; default true. */
  checkSentBy?: boolean
  timing?: Timing
  /**
   * A whole message. The Via of a request has `received` and `rport` already (§18.2.1, RFC 3581), and its body is a view of
   * what was received: copy what is kept. What a handler throws is not caught.
   */
  onMessage(message: SipMessage, core: MessageCore, flow: SipFlow): void
  /** What came and is no message; `faultReply` makes the answer, where there can be one. */
  onFault(fault: TransportFault, flow: SipFlow): void
  /** A connection is gone: what waited on it for a response will not get it there. */
  onClosed(flow: SipFlow, error: TransportError): void
  /** Keep-alives of peers (RFC 5626), as signs of life of a registered phone. */
  onKeepAlive?(flow: SipFlow): void
  /**
   * Every message, for traces. What came over a stream is respelled from what was read; of garbage these are the octets
   * where they are known. `atMs` is of `timing`.
   */
  onTrace?(direction: 'in' | 'out', bytes: Buffer, flow: SipFlow, atMs: number): void
}

export type TransportCounters = {
  messagesIn: number
  messagesOut: number
  faults: number
  /** Faults of datagrams that were not reported; see `maxDatagramFaults`. */
  faultsDropped: number
  keepAlives: number
  connectionsRefused: number
  handshakesFailed: number
  sendsFailed: number
}

export type FlowOptions = {
  /** Octets of the request to be sent: when they are too many for UDP, TCP is tried first (RFC 3261 §18.1.1). */
  octets?: number
  /**
   * Whether a connection that the peer opened will do (as with RFC 5923); default false. 'source': the target is where somebody
   * came from who proved who it is (RFC 5626 §5.3), so over TLS it need not have shown a certificate.
   */
  reuseInbound?: boolean | 'source'
}

export type SipTransport = {
  readonly bound: readonly Bound[]
  /** What we can send over. */
  readonly transports: readonly TransportName[]
  /**
   * Sends a message; false when its peer should be given time to read. `done` is called once, later, with what went wrong or
   * with undefined when the system has the message. Throws a RangeError for a message that cannot be spelt.
   *
   * A response over a flow goes where its topmost Via says (§18.2.2); when the connection is gone, over a new one. A request over
   * a flow goes to the peer of the flow; over a connection that is gone it fails with `flow_closed`.
   */
  send(message: SipMessage, to: SipFlow | Target, done?: Done): boolean
  /** The way to a target, for the Via to be written before the request is sent. Rejects with a TransportError. */
  flowTo(target: Target, options?: FlowOptions): Promise<SipFlow>
  /** A connection that is open, by its id. */
  flow(id: string): SipFlow | undefined
  /** What we are called at a flow: for a Contact. */
  sentBy(flow: SipFlow): SentBy
  /** The topmost Via of a request over a flow, with `rport` for UDP and without a branch. */
  via(flow: SipFlow): Via
  /** A keep-alive; with `pongMs` a connection is closed (`no_pong`) when no answer comes in that time. */
  ping(flow: SipFlow, pongMs?: number): void
  /** The settings of a TLS profile have changed: nothing new is sent over its connections, which are answered, to be closed. */
  retire(profile: string): SipFlow[]
  /** Closes a connection when what waits is written. */
  closeFlow(flow: SipFlow): void
  /** New certificates for a TLS port, by its place in the options. Connections that are open stay so. */
  renewTls(index: number, tls: TlsServerOptions): void
  readonly connections: number
  readonly counters: Readonly<TransportCounters>
  /** Stops listening, closes all connections (`onClosed` with `closed`) and ports. Afterwards nothing is left. */
  close(): Promise<void>
}
