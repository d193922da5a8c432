// The port between calls and whatever carries them: the simulator, our SIP stack, an Asterisk, a browser. An engine gives
// legs: signalling with one far side, and frames of sound both ways. What a call does is decided elsewhere, by instructions
// that work on legs (control/); what is stored of it is written by the node that holds it (node.ts).
import type { AudioSource, FrameKind, G711Law } from '@tandem/sip'
import type { Scope, Tx } from '../../kernel/db.ts'
import type { Services } from '../../kernel/endpoint.ts'
import type { Price } from '../destinations/index.ts'
import type { AnsweredBy, HangupCause, HangupParty, SimulatedCaller } from './calls/rules.ts'
import type { Answering } from './control/tools.ts'

export type { CallReport, HangupCause, HangupParty, Happening, SimulatedCaller } from './calls/rules.ts'

/** A call and whose it is. */
export type CallRef = Scope & { callId: string }

/** What an engine is told of a call it is to dial. */
export type EngineCall = {
  callId: string
  /** E.164 with `+`; or a SIP URI, or `client:<user>`, as far as the engine takes them. */
  from: string
  to: string
  /** The API key it was asked for with, whose destination policy holds for it. */
  keyId?: string | null
  /** Name to show to the callee, free of control characters. */
  callerName: string | null
  /** Ring at most this long, then end the call with the cause `no_answer`. */
  timeoutSeconds: number
  /** Of a SIP address: what answers its challenge, and headers to add. */
  sip?: { user?: string; password?: string; headers?: Readonly<Record<string, string>> }
  /** The call comes in, from a caller who is simulated: for engines that reach nobody. */
  simulated?: SimulatedCaller
  /** Its time is compressed, ten to one: for engines that reach nobody. */
  isFast?: boolean
}

/** What an engine says of a call it is to dial: at once, after a while (limits of a trunk), or never. */
export type Admission =
  /** `price` is that of a minute; left out where nobody is paid. */
  | { type: 'dial'; trunkId: string | null; price?: Price }
  | { type: 'wait'; ms: number }
  | { type: 'refuse'; cause: HangupCause }

/** What happens on a leg. Times are ms since 1970. */
export type LegHappening =
  | { type: 'ringing'; earlyMedia?: boolean }
  | { type: 'early_media' }
  | { type: 'answered'; answeredBy?: AnsweredBy }
  /** The engine itself has found out who answered. */
  | { type: 'machine_detected'; answeredBy?: AnsweredBy | 'unknown' }
  | { type: 'rerouted'; trunk: string; sipCode: number; nextTrunk: string }
  /** A key, once for each press. */
  | { type: 'dtmf'; digit: string }
  /** The far side holds us, or takes us back. */
  | { type: 'held' | 'resumed' }
  /** The far side asks to be connected with somebody else (REFER). `settle` says what became of it. */
  | { type: 'transfer_asked'; to: string; replaces: CallRef | null; settle(sipCode: number): void }
  /** It asked, and may not. */
  | { type: 'transfer_refused'; to: string; why: 'not_allowed' }
  /** The last one, exactly one. */
  | { type: 'ended'; cause: HangupCause; by: HangupParty; sipCode?: number | null; q850?: number | null }

/** Sound in frames of 20 ms, 160 octets of G.711. */
export type LegSound = {
  readonly law: G711Law
  /** Where the frames come from that the far side hears, asked every 20 ms; null for silence. */
  setSource(source: AudioSource | null): void
  /** Is given each frame of the far side, every 20 ms, whether something came or not; the buffer is used again. */
  setSink(sink: ((frame: Buffer, kind: FrameKind) => void) | null): void
  /** Types digits (0-9 * # A-D, w and W for half and a whole second of pause); resolves when the last has ended. */
  sendDigits(digits: string, options?: DigitsOptions): Promise<void>
}

/** What a browser says of its call. It reaches us by the database, not by the network of the engine. */
export type ClientWord = { type: 'answer'; sdp: string } | { type: 'reject'; isBusy: boolean } | { type: 'hangup' }

export type DigitsOptions = {
  method?: 'rfc4733' | 'info' | 'inband'
  toneMs?: number
  gapMs?: number
  signal?: AbortSignal
}

/** One far side. Nothing here throws on a leg that has ended; it does nothing then. */
export type Leg = {
  readonly callId: string
  readonly sound: LegSound
  /** Sets who is told of what happens; what happened before is told at once. */
  listen(listener: (happening: LegHappening, atMs: number) => void): void
  /** Takes what a browser at the far side says; legs of other kinds have nothing of it. */
  takeWord?(word: ClientWord): void
  /** Waits, in the time of this leg: simulated ones may run faster. Ends early, without a fault, when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Inbound: says that it rings; with sound before the answer where the engine can. */
  ring(withSound?: boolean): void
  /** Inbound: takes the call; resolves once the far side knows. */
  answer(): Promise<void>
  /** Inbound, unanswered: refuses it with a SIP status. */
  reject(sipCode: number): void
  /** Ends it, whatever its state: CANCEL, BYE or a refusal. `q850` says why, where the far side can be told. */
  hangup(q850?: number): void
  /** Holds the far side or takes it back (re-INVITE); false when it refused. */
  hold(isOn: boolean): Promise<boolean>
  /** Asks the far side to call somebody else (REFER), in place of `replaces` where given; resolves with its last word. */
  refer(to: string, replaces?: Leg): Promise<{ ok: boolean; sipCode: number }>
}

/** A call that came in, before anything of it is stored. */
export type InboundCall = {
  from: string
  to: string
  callerName: string | null
  trunkId: string | null
  mode: 'live' | 'test'
  /** What it begins with, where that is not what the number called says: a phone of the tenant dials. */
  begins?: Answering
  /** Stores what ends the far side after a crash, in the transaction that stores the call. */
  prepare(tx: Tx, callId: string): Promise<void>
  /** The leg of it, once it is stored. */
  leg(callId: string): Leg
}

/** What an engine needs of the node that runs it. */
export type EngineHost = {
  /**
   * Takes a call that came in: stores it, then asks for its leg and lets its instructions run. Rejects when it cannot be
   * stored: then the far side is to be refused.
   */
  offer(scope: Scope, inbound: InboundCall): Promise<void>
  /** Names this process in everything it stores; the next process has another name. */
  readonly owner: string
}

/**
 * What every engine does. The suite in engines/suite.ts holds each to it.
 *
 * A call is dialled in two moments, so that no crash dials it twice. `prepare` runs inside the transaction that marks
 * the call as dialled and removes its job: it says whether there is room, and stores what ends the far side later (Call-ID,
 * tags, branch and route set, before the INVITE leaves). `dial` runs once that has committed, and never again for this call: a process that dies in
 * between leaves a call that was marked and not dialled, and that call fails as `node_lost`.
 *
 * The node keeps its calls by a heartbeat every 10 seconds. After 30 silent seconds a call fails as `node_lost`, billed up to
 * the last heartbeat, and `endStranded` is called on some living process, which ends the far side from what was stored.
 */
export type VoiceEngine = {
  /** snake_case; stands in the call's row, so it never changes. */
  readonly name: string
  /** Reaches nobody outside the tenant: the only kind that may carry calls of test mode to addresses that are not `inside`. */
  readonly virtual: boolean
  /** Whom it can call: numbers by trunks, SIP addresses, phones in browsers. */
  readonly carries: readonly ('trunk' | 'sip' | 'client')[]
  /** Opens sockets and takes calls that come in. */
  start(host: EngineHost): Promise<void>
  /** Closes them; the calls are over by then. */
  stop(): Promise<void>
  /**
   * Whether this address is one of the tenants' own phones that the engine reaches: then it carries the call, in test mode too, as
   * nobody outside is called. Left out: there are none.
   */
  inside?(to: string): boolean
  /** Whether it carries such calls of this tenant now: a real one needs something to carry them with. */
  serves(tx: Tx, scope: Scope, by: 'trunk' | 'sip' | 'client'): Promise<boolean>
  /** One admission for each call, in their order. In live mode a virtual engine refuses those it would only pretend to carry. */
  prepare(tx: Tx, scope: Scope, calls: readonly EngineCall[], mode: 'live' | 'test'): Promise<Admission[]>
  /** A fault fails the call; it is not tried again. */
  dial(scope: Scope, call: EngineCall): Leg
  /** Ends the far side of a call that a process which is gone had; may be called again. */
  endStranded(call: CallRef): Promise<void>
}

export type VoiceEngineMaker = (services: Services) => VoiceEngine
