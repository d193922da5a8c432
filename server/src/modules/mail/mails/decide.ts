// What becomes of a claimed mail, before and after it was handed over: pure decisions over what was read.
import type { Route, SendResult } from '../transports/index.ts'
import { comparedAddress, eventOf, type MailRow, nextMail, type Outcome, retryDelayMs } from './rules.ts'

export type Suppressed = { address: string; stream: string; reason: string }

/** Whether an entry of the suppression list holds for a mail: what opens something reaches all but dead addresses. */
function holdsFor(stream: MailRow['stream'], entry: Suppressed): boolean {
  if (entry.stream !== '' && entry.stream !== stream) return false
  return stream !== 'security' || entry.reason === 'hard_bounce' || entry.reason === 'manual'
}

export type Beginning =
  | { kind: 'send'; suppressed: readonly string[] }
  | { kind: 'end'; event: 'outlived' | 'all_suppressed' | 'answer_lost'; code: string; suppressed: readonly string[] }
  /** It does not wait any more. */
  | { kind: 'drop' }

/** @param suppressions entries about its recipients */
export function beginningOf(row: MailRow, suppressions: readonly Suppressed[], nowMs: number): Beginning {
  // Its worker died. What was to be kept in the outbox cannot have left.
  if (row.state === 'sending' && row.transport !== 'outbox')
    return { kind: 'end', event: 'answer_lost', code: 'mail_unconfirmed', suppressed: [] }
  if (row.state !== 'queued' && row.state !== 'sending') return { kind: 'drop' }
  if (Date.parse(row.expires_at) <= nowMs)
    return { kind: 'end', event: 'outlived', code: 'mail_expired', suppressed: [] }
  const held = new Set(suppressions.filter(entry => holdsFor(row.stream, entry)).map(entry => entry.address))
  const suppressed = row.recipients.map(({ address }) => address).filter(one => held.has(comparedAddress(one)))
  if (suppressed.length === row.recipients.length)
    return { kind: 'end', event: 'all_suppressed', code: 'mail_suppressed', suppressed }
  return { kind: 'send', suppressed }
}

/** Who it still goes to: not those who have it, nor those who may not get it. */
export function openRecipients({ recipients }: MailRow, suppressed: readonly string[]): string[] {
  return recipients
    .filter(({ address, outcome }) => outcome !== 'accepted' && !suppressed.includes(address))
    .map(({ address }) => address)
}

const kept: SendResult = {
  outcome: 'accepted',
  host: null,
  replyCode: null,
  enhancedStatus: null,
  reply: null,
  code: 'kept_in_outbox',
  rejected: [],
}

/** What keeping a mail in the outbox answers. */
export const keptResult: SendResult & { outcome: 'accepted' } = { ...kept, outcome: 'accepted' }

export type Conclusion = {
  state: MailRow['state']
  outcome: Outcome
  code: string | null
  hasLeft: boolean
  isEmptied: boolean
  dueAtMs: number | null
}

/** What an attempt means for its mail, as it stands now; undefined where that has moved on meanwhile. */
export function conclusionOf(row: MailRow, route: Route, result: SendResult, nowMs: number): Conclusion | undefined {
  const outcome: Outcome = route.kind === 'outbox' && result.outcome === 'accepted' ? 'kept' : result.outcome
  const state = nextMail(row.state, eventOf[outcome])
  if (state === undefined) return undefined
  const hasLeft = outcome === 'kept' || outcome === 'accepted'
  const dueAtMs = outcome === 'given_back' ? nowMs : outcome === 'deferred' ? nowMs + retryDelayMs(row.attempts) : null
  const ended = { outcome, hasLeft, isEmptied: outcome === 'accepted' && row.stream === 'security' }
  return { ...ended, state, code: result.code ?? (hasLeft ? row.code : null), dueAtMs }
}
