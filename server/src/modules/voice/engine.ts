// The port between calls and whatever carries them: the simulator, a SIP stack, an Asterisk. The server decides and
// stores; an engine dials, listens, and tells what happened by `receiveCallEvents` of calls/index.ts.
import type { Scope, Tx } from '../../kernel/db.ts'
import type { Services } from '../../kernel/endpoint.ts'

export type { CallReport, HangupCause, HangupParty, Happening } from './calls/rules.ts'

/** What an engine is told of a call it is to dial. */
export type EngineCall = {
  callId: string
  /** E.164 with `+`. */
  from: string
  to: string
  /** Name to show to the callee, free of control characters. */
  callerName: string | null
  /** Ring at most this long, then end the call with the cause `no_answer`. */
  timeoutSeconds: number
  /** Talk at most this long, then end the call with the cause `time_limit`. */
  timeLimitSeconds: number
}

/** A call and whose it is. */
export type CallRef = Scope & { callId: string }

/**
 * What every engine does. The suite in engines/suite.ts holds each to it.
 *
 * A call is dialled in two moments, so that no crash dials it twice. `prepare` runs inside the transaction that marks
 * the call as dialled and removes its job. `originate` runs once that has committed, and never again for this call: a
 * process that dies in between leaves a call that was marked and not dialled, and that call fails as `node_lost`.
 *
 * An engine that holds calls in memory names itself in `owner`. It keeps them by `renewCallLeases` every 10 seconds and
 * hangs up whatever that does not answer. After 30 silent seconds the call fails as `node_lost`, billed up to the last
 * heartbeat, and `hangup` is called on some living process, which must end the far side (CANCEL, or BYE with the next
 * CSeq) from what `prepare` and later reports stored: Call-ID, tags, branch and route set before the INVITE leaves.
 *
 * Reports of one call are told in order. Reports of a call that is over are ignored; `receiveCallEvents` names such
 * calls, and the engine then drops what it still holds of them.
 */
export type VoiceEngine = {
  /** snake_case; stands in the call's row, so it never changes. */
  readonly name: string
  /** Reaches nobody outside: the only kind that may carry calls of a test tenant. */
  readonly virtual: boolean
  /** The process that holds its calls; null when any process can go on with them from what is stored. */
  readonly owner: string | null
  /** Stores what it needs for these calls of one tenant. Touches no network. */
  prepare(tx: Tx, scope: Scope, calls: readonly EngineCall[]): Promise<void>
  /** Starts them. A fault here fails the call; it is not tried again. */
  originate(scope: Scope, calls: readonly EngineCall[]): Promise<void>
  /**
   * Ends the call on the wire; its row has ended already. May be called again, for a call that is gone, and before
   * `originate`, which must then start nothing.
   */
  hangup(call: CallRef): Promise<void>
}

export type VoiceEngineMaker = (services: Services) => VoiceEngine
