// Phones in browsers: who is one, what it may be offered, and what is news to it. A browser is sent the state its calls are
// in, never steps: anyone who connects again is sent where things stand, and has missed nothing.
import type { PhoneClaim } from '../../../kernel/access/tokens.ts'
import type { CallState, HangupCause } from '../call_records/index.ts'

/** How a call to a browser is written in `to` of its row: `client:<identity>`. */
export const clientScheme = 'client:'

/** Identities are compared without regard to case, as e-mail addresses are by people. */
export function identityText(text: string): string {
  return text.trim().toLowerCase()
}

/** The identity in `client:…`; undefined for other addresses. */
export function identityIn(address: string): string | undefined {
  if (!address.toLowerCase().startsWith(clientScheme)) return undefined
  return identityText(address.slice(clientScheme.length))
}

/** Which phone somebody is: that of their token, or their own. */
export function identityOf({ phone, email }: { phone: PhoneClaim | null; email: string }): string {
  return identityText(phone?.identity ?? email)
}

/** A call with a browser as it stands. */
export type ClientLegRow = {
  call_id: string
  identity: string
  /** It rings the browser; the browser has called; or it is a handset that calls a number. */
  kind: 'rings' | 'calls' | 'dials_in'
  lead_id: number | null
  answer: string | null
  taken: boolean
  ended: boolean
  state: CallState
  from_number: string
  to_number: string
  caller_name: string | null
  bridged_to: string | null
  q850: number | null
  hangup_cause: HangupCause | null
  /** Of the last call that a call of a browser dialled, once it is over. */
  dialed_cause: HangupCause | null
}

/** taken: one browser has answered; answered: sound flows; talking: with the call `peerCallId`. */
export type PhoneState = 'ringing' | 'connecting' | 'taken' | 'answered' | 'talking'

export type PhoneMessage =
  | {
      event: 'ringing'
      data: {
        callId: string
        identity: string
        from: string
        to: string
        callerName: string | null
        leadId: number | null
      }
    }
  | { event: 'answer'; data: { callId: string; sdp: string } }
  | { event: 'state'; data: { callId: string; state: Exclude<PhoneState, 'ringing'>; peerCallId: string | null } }
  | { event: 'ended'; data: { callId: string; cause: string } }

/** What one browser was sent of a call. */
export type SentState = { state: PhoneState | 'ended'; peer: string | null; isAnswerSent: boolean }

/** "Non-selected user clearing" (ITU-T Q.850): another one has taken the call. */
const notSelected = 26

/** What is new to a browser that was sent this much; `sent` is what it will have been sent then. */
export function news(sent: Map<string, SentState>, rows: readonly ClientLegRow[]): PhoneMessage[] {
  const messages: PhoneMessage[] = []
  for (const row of rows) {
    const callId = row.call_id
    const before = sent.get(callId)
    const state = stateOf(row)
    const isAnswerSent = before?.isAnswerSent === true || (row.answer !== null && !row.ended)
    if (isAnswerSent && before?.isAnswerSent !== true)
      messages.push({ event: 'answer', data: { callId, sdp: row.answer as string } })
    if (before?.state !== state || before.peer !== row.bridged_to) messages.push(stateMessage(row, state))
    sent.set(callId, { state, peer: row.bridged_to, isAnswerSent })
  }
  const there = new Set(rows.map(row => row.call_id))
  for (const callId of sent.keys()) if (!there.has(callId)) sent.delete(callId)
  return messages
}

function stateMessage(row: ClientLegRow, state: SentState['state']): PhoneMessage {
  const callId = row.call_id
  if (state === 'ended') return { event: 'ended', data: { callId, cause: causeOf(row) } }
  if (state !== 'ringing') return { event: 'state', data: { callId, state, peerCallId: row.bridged_to } }
  const { identity, from_number: from, to_number: to, caller_name: callerName, lead_id: leadId } = row
  return { event: 'ringing', data: { callId, identity, from, to, callerName, leadId } }
}

function stateOf({ kind, taken, ended, state, bridged_to }: ClientLegRow): SentState['state'] {
  if (ended) return 'ended'
  if (state === 'answered') return bridged_to === null ? 'answered' : 'talking'
  if (kind !== 'rings') return 'connecting'
  return taken ? 'taken' : 'ringing'
}

/** What a person wants to know: of a call they made, why nobody spoke; of one they did not take, that another did. */
function causeOf({ kind, bridged_to, dialed_cause, hangup_cause, q850 }: ClientLegRow): string {
  if (kind === 'calls' && hangup_cause === 'normal' && bridged_to === null && dialed_cause !== null) return dialed_cause
  if (hangup_cause === 'canceled' && q850 === notSelected) return 'answered_elsewhere'
  return hangup_cause ?? 'normal'
}
