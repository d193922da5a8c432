// What the customer's side of a link is opened with, which events it emits, and what it can be asked to do.
import type { Socket } from 'node:net'
import type { ConnectionOptions } from 'node:tls'
import type { PduFault } from './decode.ts'
import type { LinkCounters, TraceEvent } from './link.ts'
import type { Answer } from './outcome.ts'
import type { FieldsOf, Pdu, PduOf, RequestName } from './pdu.ts'
import type { Clock } from './timing.ts'

export type Role = 'transceiver' | 'transmitter' | 'receiver'

/**
 * connecting → binding → bound; from each of them waiting (for the next try) or, after `close`, closed. `closing` drains
 * and unbinds.
 */
export type EsmeState = 'connecting' | 'binding' | 'bound' | 'waiting' | 'closing' | 'closed'

/**
 * `status` is the command_status of a refused bind; `retryMs` how long it waits before it tries again; `silentMs`, of a connection that was
 * given up because nothing came any more, how long that was: what was written since then may not have arrived.
 */
export type StateChange = { state: EsmeState; reason: string; status?: number; retryMs?: number; silentMs?: number }

/** A message or receipt from the message centre. */
export type Delivery = PduOf<'deliver_sm'> | PduOf<'data_sm'>

export type EsmeOptions = {
  host: string
  port: number
  /** True, or how: `ca`, `servername`, a client certificate. The peer's certificate is checked unless this says not to. */
  tls?: boolean | ConnectionOptions | undefined
  /** A connection that is open already, TLS included: the first try binds on it. */
  socket?: Socket | undefined
  role?: Role | undefined
  systemId: string
  password: string
  systemType?: string | undefined
  addrTon?: number | undefined
  addrNpi?: number | undefined
  addressRange?: string | undefined
  /** Default 0x34. */
  interfaceVersion?: number | undefined
  /** Requests that may be unanswered at once. Default 10. */
  window?: number | undefined
  /** Deliveries worked on at once; beyond, nothing is read until some are answered. Default 500. */
  maxDeliveries?: number | undefined
  /** Default 30,000, for every request. */
  responseTimeoutMs?: number | undefined
  /** Default 30,000; two enquiries without an answer end the connection. */
  enquireLinkMs?: number | undefined
  /** Default 10,000, for TCP and TLS together. */
  connectTimeoutMs?: number | undefined
  /** Waits before the next try. Default 1,000 doubling to 60,000, and 60,000 after a bind that was refused; false: one try. */
  reconnect?: { minMs?: number; maxMs?: number; refusedMs?: number } | false | undefined
  maxPduLength?: number | undefined
  clock?: Clock | undefined
  /** 0 to below 1, for the jitter of waits. */
  random?: (() => number) | undefined
  onState?: ((change: StateChange) => void) | undefined
  /**
   * Answered with the status it gives, when it gives it: 0 only when the delivery is safe. When it throws, the answer is
   * ESME_RX_T_APPN, and the message centre will try again.
   */
  onDeliver?: ((pdu: Delivery) => Promise<number> | number) | undefined
  /** What came after `submit` had been rejected as unanswered. `fields` are those given to `submit`. */
  onLateResponse?: ((fields: FieldsOf<'submit_sm'>, answer: Answer) => void) | undefined
  onAlert?: ((pdu: PduOf<'alert_notification'>) => void) | undefined
  /** `freeWindow()` may be above 0 again. */
  onRoom?: (() => void) | undefined
  onFault?: ((fault: PduFault) => void) | undefined
  onTrace?: ((event: TraceEvent) => void) | undefined
}

export type EsmeCounters = LinkCounters & { connects: number; binds: number }

export type Esme = {
  readonly state: EsmeState
  /** Since creation, over all connections. */
  readonly counters: EsmeCounters
  /** How many requests may be sent now. 0 when not bound, while the window is full or the socket takes no more. */
  freeWindow(): number
  /**
   * Sends a submit_sm. Resolves to what the message centre answered, also when it refuses; rejects with a `RequestFailure`
   * that says whether it may have got the message.
   */
  submit(fields: FieldsOf<'submit_sm'>): Promise<Answer>
  /** Any other request (query_sm, cancel_sm, data_sm, …); resolves to the response or a generic_nack. */
  request<Name extends Exclude<RequestName, `bind_${string}`>>(command: Name, fields: FieldsOf<Name>): Promise<Pdu>
  /** Resolves when bound; rejects when it is closed, or when a single try failed. */
  bound(): Promise<void>
  /**
   * Takes no more, waits for what is under way (at most `drainMs`, default 5,000), unbinds, closes. Requests without a
   * response by then are rejected as unanswered before the unbind is sent. Never rejects.
   */
  close(options?: { drainMs?: number }): Promise<void>
  /** Cuts the connection at once, without an unbind; also one that `close` is ending. */
  destroy(reason?: string): void
}
