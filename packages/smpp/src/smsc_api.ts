// What the message centre's side is opened with, which events it emits, and what its sessions can be asked to do.
import type { TlsOptions } from 'node:tls'
import type { CommandName } from './commands.ts'
import type { PduFault } from './decode.ts'
import type { Role } from './esme_api.ts'
import type { LinkCounters, TraceEvent } from './link.ts'
import type { Answer } from './outcome.ts'
import type { FieldsOf, PduOf } from './pdu.ts'
import type { Clock } from './timing.ts'

/** What a bind asks. `remoteAddress` is the peer's, as the socket knows it. */
export type BindRequest = PduOf<'bind_transceiver' | 'bind_transmitter' | 'bind_receiver'> & {
  role: Role
  remoteAddress: string
}

export type MaybePromise<T> = T | Promise<T>

export type SmscOptions = {
  /** Sent in bind responses. Default ''. */
  systemId?: string | undefined
  /** Certificate and key; without it the links are plain TCP. */
  tls?: TlsOptions | undefined
  /** A status: 0 lets the peer in; ESME_RINVPASWD and ESME_RINVSYSID are usual for others, which are then cut off. */
  authenticate(bind: BindRequest): MaybePromise<number>
  /** Answers a message; 0 when it is safe. When it throws, the answer is ESME_RSYSERR. */
  onSubmit(session: SmscSession, pdu: PduOf<'submit_sm'> | PduOf<'data_sm'>): MaybePromise<SubmitAnswer>
  onSubmitMulti?:
    | ((session: SmscSession, pdu: PduOf<'submit_multi'>) => MaybePromise<OtherAnswer<'submit_multi_resp'>>)
    | undefined
  /** Without these, query_sm, cancel_sm and replace_sm are answered with ESME_RQUERYFAIL and the like. */
  onQuery?: ((session: SmscSession, pdu: PduOf<'query_sm'>) => MaybePromise<OtherAnswer<'query_sm_resp'>>) | undefined
  onCancel?:
    | ((session: SmscSession, pdu: PduOf<'cancel_sm'>) => MaybePromise<OtherAnswer<'cancel_sm_resp'>>)
    | undefined
  onReplace?:
    | ((session: SmscSession, pdu: PduOf<'replace_sm'>) => MaybePromise<OtherAnswer<'replace_sm_resp'>>)
    | undefined
  onSession?: ((session: SmscSession) => void) | undefined
  onSessionEnd?: ((session: SmscSession, reason: string) => void) | undefined
  onLateResponse?: ((session: SmscSession, fields: FieldsOf<'deliver_sm'>, answer: Answer) => void) | undefined
  onFault?: ((fault: PduFault, remoteAddress: string) => void) | undefined
  onTrace?: ((event: TraceEvent & { remoteAddress: string }) => void) | undefined
  /** Deliveries to one peer that may be unanswered at once. Default 10. */
  window?: number | undefined
  /** See `SmscLimits`. */
  limits?: Partial<SmscLimits> | undefined
  responseTimeoutMs?: number | undefined
  enquireLinkMs?: number | undefined
  clock?: Clock | undefined
}

export type SmscLimits = {
  /** Connections at once, bound or not; more are closed at once. Default 200. */
  connections: number
  /** Binds at once with one system id; more are refused with ESME_RALYBND. Default 20. */
  bindsPerSystemId: number
  /** Messages of one peer that wait for their answer at once; beyond, nothing is read from it. Default 500. */
  handling: number
  /** Malformed PDUs on one connection; then it is closed. Default 10. */
  faults: number
  /** Time for a bind after the connection. Default 10,000. */
  bindMs: number
  pduLength: number
}

export type SubmitAnswer = { status: number; messageId?: string | undefined }
export type OtherAnswer<Name extends CommandName> = { status: number } & FieldsOf<Name>

export type SmscSession = {
  readonly id: number
  readonly systemId: string
  readonly role: Role
  readonly remoteAddress: string
  readonly counters: LinkCounters
  /** How many deliveries may be sent now. */
  freeWindow(): number
  /** Sends a deliver_sm; as `Esme.submit`. A transmitter cannot get any. */
  deliver(fields: FieldsOf<'deliver_sm'>): Promise<Answer>
  /** Waits for what is under way (at most `drainMs`, default 5,000), unbinds and closes. Never rejects. */
  close(options?: { drainMs?: number }): Promise<void>
}

export type Smsc = {
  /** Port 0 takes a free one. Rejects when it cannot listen. */
  listen(address: { port: number; host?: string }): Promise<{ port: number; host: string }>
  /** The bound ones. */
  readonly sessions: readonly SmscSession[]
  /** Stops listening and closes every session. Never rejects. */
  close(options?: { drainMs?: number }): Promise<void>
}
