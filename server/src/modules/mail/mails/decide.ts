// What becomes of a claimed mail, before and after it was handed over: pure decisions over what was read.
import type { Route, SendResult } from '../transports/index.ts'
import {
  comparedAddress,
  eventOf,
  type MailRow,
  nextMail,
  type Outcome,
  type RecipientRow,
  retryDelayMs,
} from './rules.ts'

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
  const open = row.recipients.filter(isOpen)
  const held = new Set(suppressions.filter(entry => holdsFor(row.stream, entry)).map(entry => entry.address))
  const suppressed = open.map(({ address }) => address).filter(one => held.has(comparedAddress(one)))
  if (suppressed.length === open.length)
    return { kind: 'end', event: 'all_suppressed', code: 'mail_suppressed', suppressed }
  return { kind: 'send', suppressed }
}

/** Not one who has it, or for whom it was refused. */
const isOpen = ({ outcome }: RecipientRow) => outcome === null || outcome === 'suppressed'

const arrived: readonly RecipientRow['outcome'][] = ['accepted', 'delivered', 'bounced', 'complained']

/** Whether a server took it on for some before. */
export const isPartlySent = ({ recipients }: MailRow) => recipients.some(({ outcome }) => arrived.includes(outcome))

/** Who it still goes to: not those who have it, nor those who may not get it. */
export function openRecipients({ recipients }: MailRow, suppressed: readonly string[]): string[] {
  return recipients.filter(one => isOpen(one) && !suppressed.includes(one.address)).map(({ address }) => address)
}

/** Whether a recipient was refused for now alone, such as by greylisting: 4yz. */
export const isForNow = ({ replyCode }: SendResult['rejected'][number]) =>
  replyCode !== null && replyCode >= 400 && replyCode < 500

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
  const isForLater = outcome === 'accepted' && result.rejected.some(isForNow)
  const isRest = outcome === 'refused' && isPartlySent(row)
  // Where it was given up meanwhile nobody tries again.
  const state =
    (isForLater ? nextMail(row.state, 'partly_accepted') : undefined) ??
    nextMail(row.state, isRest ? 'rest_refused' : eventOf[outcome])
  if (state === undefined) return undefined
  const hasLeft = outcome === 'kept' || outcome === 'accepted' || isRest
  const isAgain = outcome === 'deferred' || state === 'queued'
  const dueAtMs = outcome === 'given_back' ? nowMs : isAgain ? nowMs + retryDelayMs(row.attempts) : null
  const isEmptied = state === 'sent' && outcome !== 'kept' && row.stream === 'security'
  return { outcome, hasLeft, isEmptied, state, code: codeOf(row, { state, hasLeft, isRest, result }), dueAtMs }
}

type Left = { state: MailRow['state']; hasLeft: boolean; isRest: boolean; result: SendResult }

/** Why it is so; that it was put off says nothing any more when it left. */
function codeOf(row: MailRow, { state, hasLeft, isRest, result }: Left): string | null {
  if (hasLeft && state === 'queued') return 'mail_deferred'
  const known = row.code === 'mail_deferred' ? null : row.code
  if (isRest) return known
  return result.code ?? (hasLeft ? known : null)
}
