// The port between calls and whatever carries them: the simulator, our SIP stack, an Asterisk, a browser. An engine gives
// legs: signalling with one remote party, and frames of sound both ways. What a call does is decided elsewhere, by instructions
// that work on legs (control/); what is stored of it is written by the node that holds it (node/).
import type { AudioSource, FrameKind, G711Law } from '@tandem/sip'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { Policy, Price } from '../../destinations/index.ts'
import type {
  AnsweredBy,
  CallRef,
  ClientSignal,
  HangupCause,
  HangupParty,
  SimulatedCaller,
} from '../call_records/index.ts'
import type { CallHandling } from '../instructions/index.ts'

export type {
  CallEvent,
  CallRef,
  CallReport,
  ClientSignal,
  HangupCause,
  HangupParty,
  SimulatedCaller,
} from '../call_records/index.ts'
export type { SipSettings, SpeechSettings, WebrtcSettings } from './settings.ts'

/** What an engine knows of a call it is to dial. */
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
export type LegEvent =
  | { type: 'ringing'; earlyMedia?: boolean }
  | { type: 'early_media' }
  | { type: 'answered'; answeredBy?: AnsweredBy }
  /** The engine itself has found out who answered. */
  | { type: 'machine_detected'; answeredBy?: AnsweredBy | 'unknown' }
  | { type: 'rerouted'; trunk: string; sipCode: number; nextTrunk: string }
  /** A key, once for each press. */
  | { type: 'dtmf'; digit: string }
  /** The remote party holds us, or takes us back. */
  | { type: 'held' | 'resumed' }
  /** The remote party asks to be connected with somebody else (REFER). `settle` says what became of it. */
  | { type: 'transfer_requested'; to: string; replaces: CallRef | null; settle(sipCode: number): void }
  /** It asked, and may not. */
  | { type: 'transfer_refused'; to: string; why: 'not_allowed' }
  /** The last one, exactly one. */
  | { type: 'ended'; cause: HangupCause; by: HangupParty; sipCode?: number | null; q850?: number | null }

/** Sound in frames of 20 ms, 160 octets of G.711. */
export type LegSound = {
  readonly law: G711Law
  /** Where the frames come from that the remote party hears, asked every 20 ms; null for silence. */
  setSource(source: AudioSource | null): void
  /** Is given each frame of the remote party, every 20 ms, whether something came or not; the buffer is used again. */
  setSink(sink: ((frame: Buffer, kind: FrameKind) => void) | null): void
  /** Types digits (0-9 * # A-D, w and W for half and a whole second of pause); resolves when the last has ended. */
  sendDigits(digits: string, options?: DigitsOptions): Promise<void>
}

export type DigitsOptions = {
  method?: 'rfc4733' | 'info' | 'inband'
  toneMs?: number
  gapMs?: number
  signal?: AbortSignal
}

/** One remote party. Nothing here throws on a leg that has ended; it does nothing then. */
export type Leg = {
  readonly callId: string
  readonly sound: LegSound
  /** Sets who receives the events; earlier ones are delivered at once. */
  listen(listener: (event: LegEvent, atMs: number) => void): void
  /** Takes what a browser at the remote party says; legs of other kinds have nothing of it. */
  handleSignal?(signal: ClientSignal): void
  /** Waits, in the time of this leg: simulated ones may run faster. Ends early, without a fault, when aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Inbound: says that it rings; with sound before the answer where the engine can. */
  ring(withSound?: boolean): void
  /** Inbound: takes the call; resolves once the remote party knows. */
  answer(): Promise<void>
  /** Inbound, unanswered: refuses it with a SIP status. */
  reject(sipCode: number): void
  /** Ends it, whatever its state: CANCEL, BYE or a refusal. `q850` says why, where the remote party can be informed. */
  hangup(q850?: number): void
  /** Holds the remote party or takes it back (re-INVITE); false when it refused. */
  hold(isOn: boolean): Promise<boolean>
  /** Asks the remote party to call somebody else (REFER), in place of `replaces` where given; resolves with its last word. */
  refer(to: string, replaces?: Leg): Promise<{ ok: boolean; sipCode: number }>
}

/** A call that came in, before anything of it is stored. */
export type InboundCall = {
  from: string
  to: string
  callerName: string | null
  trunkId: string | null
  mode: 'live' | 'test'
  /** What it starts with, where that is not what the number called says: a phone of the tenant dials. */
  handling?: CallHandling
  /** What ends the remote party after a crash, as `endStranded` reads it; left out where there is nothing to end. */
  stored?: object
}

/** An inbound call that is stored, and does nothing yet. */
export type StoredInboundCall = { readonly id: string }

/** What an engine needs of the node that runs it. */
export type EngineHost = {
  /** Stores a call that came in. Rejects when it cannot be stored: then the remote party must be refused. */
  store(scope: Scope, inbound: InboundCall): Promise<StoredInboundCall>
  /** Lets the instructions of a stored call run on its leg. */
  run(call: StoredInboundCall, leg: Leg): void
  /** Ends a stored call for which no leg could be made. */
  fail(call: StoredInboundCall): void
  /** Names this process in everything it stores; the next process has another name. */
  readonly owner: string
}

/**
 * What every engine does. The suite in engines/suite.ts holds each to it.
 *
 * A call is dialled in two moments, so that no crash dials it twice. `prepare` runs inside the transaction that marks
 * the call as dialled and removes its job: it says whether there is room, and stores what ends the remote party later (Call-ID,
 * tags, branch and route set, before the INVITE leaves). `dial` runs once that has committed, and never again for this call: a process that dies in
 * between leaves a call that was marked and not dialled, and that call fails as `node_lost`.
 *
 * The node keeps its calls by a heartbeat every 10 seconds. After 30 silent seconds a call fails as `node_lost`, billed up to
 * the last heartbeat, and `endStranded` is called on some living process, which ends the remote party from what was stored.
 */
export type VoiceEngine = {
  /** snake_case; is in the call's row, so it never changes. */
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
  /**
   * One admission for each call, in their order. In live mode a virtual engine refuses those it would only pretend to carry.
   * @param policies of destinations that may hold for the calls, where they were read in this transaction
   */
  prepare(
    tx: Tx,
    scope: Scope,
    calls: readonly EngineCall[],
    mode: 'live' | 'test',
    policies?: readonly Policy[],
  ): Promise<Admission[]>
  /** A fault fails the call; it is not tried again. */
  dial(scope: Scope, call: EngineCall): Leg
  /** Ends the remote party of a call that a process which is gone had; may be called again. */
  endStranded(call: CallRef): Promise<void>
}

export type VoiceEngineMaker = (services: Services) => VoiceEngine
