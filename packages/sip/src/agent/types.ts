// What a user agent is opened with, which events it emits, and what a call is to anyone who uses it (RFC 3261 §8, §12 to §15).
// Here the parts of this package meet sockets and clocks.
import type { MessageCore } from '../core.ts'
import type { DigestAccount } from '../dialog/digest_client.ts'
import type { CallReason } from '../dialog/q850.ts'
import type { Referral } from '../dialog/refer.ts'
import type { TimerWish } from '../dialog/session_timer.ts'
import type { DialogState } from '../dialog/state.ts'
import type { SipFault, SipHeader, SipMessage, SipRequest, SipResponse } from '../message.ts'
import type { AudioStream, LocalAudio } from '../offer_answer.ts'
import type { Timing } from '../rtp/clock.ts'
import type { TransactionTimers } from '../transaction/timers.ts'
import type { SipTransportOptions } from '../transport/api.ts'
import type { Bound } from '../transport/bindings.ts'
import type { SipResolver } from '../transport/locate.ts'
import type { SipFlow } from '../transport/types.ts'

/** Whether anything may be sent to an IP address: true, or false or why not. */
export type ReachCheck = (address: string) => boolean | string

export type SipAgentOptions = Pick<
  SipTransportOptions,
  'udp' | 'tcp' | 'tls' | 'tlsClient' | 'tlsProfiles' | 'limits' | 'connectTimeoutMs' | 'pingMs'
> & {
  /** Of User-Agent and Server, as `Tandem/1.0`. */
  product: string
  resolver: SipResolver
  /** Strong randomness, as `randomBytes` of node:crypto. */
  random(bytes: number): Buffer
  timers?: Partial<TransactionTimers>
  /** The clock of calls and transactions, not that of sockets. Left out: the system's. */
  timing?: Timing
  /**
   * A call comes in: `answer`, `ring` or `reject` it, at once or later. 100 has been sent. Without it calls are refused with 480.
   */
  onCall?(call: IncomingCall): void
  /** A request outside of calls that this agent does not answer itself (it does OPTIONS). Undefined: 405. */
  onRequest?(request: SipRequest, core: MessageCore, flow: SipFlow): SipReply | Promise<SipReply> | undefined
  /**
   * Asked before anything is kept of a request outside of calls, at each copy of it: what becomes of it. It must not wait, and should
   * cost little; what has to be looked up is left to a function, which is called where not too many are at work already. Until it
   * resolves nothing is said, and copies are passed over.
   */
  screen?(request: SipRequest, core: MessageCore, flow: SipFlow): Screened | (() => Promise<Screened>)
  /**
   * How many such answers a source gets, and requests of it that are let in at once; more is passed over in silence. Left out: any
   * number.
   */
  strangers?: { perSecond: number; burst: number; isExempt?(address: string): boolean }
  /** Any request of a peer: a sign of life. */
  onSeen?(flow: SipFlow): void
  /** A response that cannot be read, and why in `detail`: who waits for it waits in vain. It is traced as it came. */
  onUnreadable?(fault: SipFault, flow: SipFlow): void
  /** Every message of a call, for traces. `atMs` is since 1970. */
  onTrace?(entry: TraceEntry): void
  /** Whether anything may be sent to an address, as far as it is we who choose it: true, or false or why not. Not asked for a `hop`. */
  mayReach?: ReachCheck
  /** Why a call of ours could not even be sent: names that cannot be found, connections that cannot be made. */
  onUnreachable?(error: unknown): void
  /** A mistake in a handler, or of this package: the agent goes on. */
  onError(error: unknown): void
}

/** What to answer without a transaction; 'usual': what this agent answers by itself; undefined: the request is let in. */
export type Screened = SipReply | 'usual' | undefined

export type SipReply = {
  status: number
  reason?: string
  headers?: readonly SipHeader[]
  body?: Buffer
  contentType?: string
}

export type TraceEntry = {
  readonly callId: string
  readonly direction: 'in' | 'out'
  readonly message: SipMessage
  readonly flow: SipFlow
  readonly atMs: number
}

/** Why a call is over, reported once. */
export type CallEnd = {
  readonly by: 'local' | 'remote'
  /** The SIP status that ended it: of the refusal, 408 and 503 also for silence and for a transport that failed; 200 by BYE. */
  readonly status: number
  /** What the remote party said besides, by the header Reason. */
  readonly reasons: readonly CallReason[]
  /** Whether the remote party had answered with more than 100 before. */
  readonly hasRung: boolean
  /** Whether the call had been answered. */
  readonly wasAnswered: boolean
  /** Nobody answered at all, or nothing could be sent. */
  readonly isSilent: boolean
  /** The response that refused the call, when there was one. */
  readonly response?: SipResponse
}

export type CallHandlers = {
  /** A provisional response above 100; `early` when sound comes with it. */
  onProgress?(status: number, early: AudioStream | undefined): void
  /** The media that are agreed have changed: the first time, by hold, by a new address. */
  onMedia(stream: AudioStream): void
  onAnswered?(): void
  /** A digit by SIP INFO. */
  onInfo?(digit: string, durationMs: number): void
  /** Asked before a REFER is taken: the status to refuse it with, such as 403. Left out: none. */
  screenRefer?(referral: Referral): number | undefined
  /**
   * The remote party asks to call somebody else (REFER); `report` sends it how that goes: 100, 180, 200, 486. `replaced` is the call
   * with that party which the new one takes the place of, where it is one of this agent.
   */
  onRefer?(referral: Referral, report: (status: number) => void, replaced: SipCall | undefined): void
  onEnded(end: CallEnd): void
}

/** What is stored of a call before a request leaves, and read back after a crash. Plain data. */
export type StoredCall = {
  readonly dialog: DialogState
  /** Of our INVITE while it has no final answer: with it the call can be cancelled. */
  readonly branch: string | null
}

/** A call in the hands of its user. Nothing throws on a call that is over. */
export type SipCall = {
  readonly callId: string
  readonly stored: StoredCall
  readonly phase: 'calling' | 'ringing' | 'answered' | 'ended'
  /** The IP address that its messages go to or came from, the next hop's; undefined before the first has left. */
  readonly remoteAddress: string | undefined
  /**
   * Ends it in any state: CANCEL, a refusal (`status`, 480 when not said), or BYE with a Reason. `onEnded` has been called when
   * it returns.
   */
  end(options?: { q850?: number; status?: number; headers?: readonly SipHeader[] }): void
  /**
   * Resolves when the remote party is owed nothing more: the BYE that ended the call was answered, or the INVITE that CANCEL
   * took back had its final response, or nobody said anything within 64*T1. Until then what is stored of the call is worth
   * keeping: a process that dies may have said it in vain.
   */
  terminated(): Promise<void>
  /** Holds the remote party or takes it back by a re-INVITE; whether it agreed. */
  hold(isHolding: boolean): Promise<boolean>
  /** A digit by INFO (application/dtmf-relay). */
  sendInfo(digit: string, durationMs: number): Promise<boolean>
  /** Asks the remote party to call somebody else, in place of another call of ours where given; resolves with the final status. */
  refer(target: string, replaced?: SipCall): Promise<{ ok: boolean; status: number }>
}

export type IncomingCall = SipCall & {
  readonly request: SipRequest
  readonly core: MessageCore
  readonly flow: SipFlow
  /** The call of ours that this one wants to take the place of (Replaces, RFC 3891). */
  readonly replaces: SipCall | undefined
  /** Takes it into use: without this it is refused after 20 s. What happened before is reported then. */
  accept(options: AcceptOptions): void
  /** 180, or 183 with a description of our media, so that the caller hears us before the answer. */
  ring(withMedia?: boolean): void
  /** 200; resolves when it is on its way, false when it was too late or no media fit. */
  answer(): Promise<boolean>
  reject(status: number, headers?: readonly SipHeader[]): void
}

export type AcceptOptions = {
  handlers: CallHandlers
  local: LocalAudio
  /** Awaited before the answer leaves. */
  store?(call: StoredCall): Promise<void>
  timer?: TimerWish
  /** Where all of the call is sent, whatever Contact and routes say: see `sourceOf`. */
  hop?: string
}

export type CallOptions = {
  handlers: CallHandlers
  /** From, with brackets, without a tag: `"Example" <sip:+15550100001@tandem.example>`. */
  from: string
  to: string
  /** The Request-URI. */
  target: string
  /** As `<sip:proxy.example;lr>`. */
  routes?: readonly string[]
  /** Where all of the call is sent, whatever Contact and routes say: see `sourceOf`. */
  hop?: string
  headers?: readonly SipHeader[]
  account?: DigestAccount
  /** Answers media with keys of their own: where they are known. */
  local: LocalAudio
  /** Asked of each address that `target` or the routes lead to, where the agent's own allows it. Not asked for a `hop`. */
  mayReach?: ReachCheck
  /** Of TLS; see `Target.profile`. */
  profile?: string
  /** Requests above 1,300 octets go over TCP where the target has it. */
  mayUseTcp?: boolean
  timer?: TimerWish
  /** What was stored of it already: its Call-ID, tag and branch are used. */
  planned?: PlannedCall
  /** Awaited before each INVITE after the first, and before the ACK of the answer. */
  store?(call: StoredCall): Promise<void>
}

/** What can be known of a call before anything is resolved or opened: enough to end it after a crash. */
export type PlannedCall = { readonly callId: string; readonly localTag: string; readonly branch: string }

export type SipAgent = {
  call(options: CallOptions): SipCall
  /** Ids for a call that is to be stored before it is made. */
  plan(): PlannedCall
  /**
   * Ends a call that another process had: CANCEL while it was not answered, BYE afterwards. Resolves when the remote party has
   * answered, or when it is clear that it will not. `contact` and routes are those that were stored. `account`: for a BYE that is
   * challenged.
   */
  endStored(stored: StoredCall, profile?: string, account?: DigestAccount): Promise<void>
  /** Sends a request outside of calls, as REGISTER or OPTIONS, to where its topmost Route or its URI leads. */
  request(
    request: (via: string, contactHost: string) => SipRequest,
    to: string,
    options?: RequestOptions,
  ): Promise<SipOutcome>
  /**
   * The settings of a TLS profile have changed: what is sent from now on goes over connections that are opened by them. Those there
   * are close when what waits for an answer on them has had its time.
   */
  retire(profile: string): void
  readonly calls: number
  /** What we are called by who is at a URI, `host:port` for a Contact; opens a connection where the URI wants one. */
  contactTo(uri: string, options?: RequestOptions): Promise<string>
  /** The addresses that a URI leads to. */
  addressesOf(uri: string): Promise<string[]>
  /** Where it listens; of port 0 the port that the system gave. */
  readonly bound: readonly Bound[]
  /** What it keeps in memory; all 0 a while after the last call. */
  readonly counts: AgentCounts
  /** Ends the calls that stand, gives the remote parties a second to hear it, and leaves no socket and no timer. */
  close(): Promise<void>
}

export type AgentCounts = {
  /** Calls that are not over. */
  readonly live: number
  /** Those and others for which messages may still come. */
  readonly known: number
  readonly transactions: number
  /** Who waits for what becomes of a transaction. */
  readonly waiting: number
  /** Requests that wait for `screen`. */
  readonly held: number
  readonly timers: number
}

export type RequestOptions = { profile?: string }

export type SipOutcome =
  | { readonly response: SipResponse; readonly core: MessageCore; readonly request: SipRequest; readonly flow: SipFlow }
  | { readonly failed: 'timeout' | 'transport' | 'not_found'; readonly detail: string }
