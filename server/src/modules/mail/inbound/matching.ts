// What a mail that came in is about. First what nobody makes up: the address that it came to. Then what it answers, then who sent it. Where
// several records could be meant, people decide.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { comparedAddress, type Mark } from '../mails/index.ts'
import { candidatesFor, standing } from '../records/index.ts'
import type { ReadMail } from './read_mime.ts'
import type { InboundState, Matching, SenderCheck } from './rules.ts'
import { findAnswered, isMember, isOwnMail, recordOfMail } from './store.ts'

export type Match = {
  state: InboundState
  direction: 'inbound' | 'outbound'
  matchedBy: Matching | null
  recordId: string | null
  /** The mail of ours that it answers. */
  mailId: string | null
  candidates: readonly string[]
  /** Who sent the blind copy. */
  userId: number | null
}

const nothing: Match = {
  state: 'unmatched',
  direction: 'inbound',
  matchedBy: null,
  recordId: null,
  mailId: null,
  candidates: [],
  userId: null,
}

/** @param mark of the address that it came to, where that is one of ours */
export async function matchMail(
  tx: Tx,
  scope: Scope,
  { mail, mark, check }: { mail: ReadMail; mark: Mark | undefined; check: SenderCheck },
): Promise<Match> {
  // Our own mail, which came back by a list or a rule of a mailbox: it stands on the timeline already.
  if (mark?.kind !== 'log' && mail.messageId !== null && (await isOwnMail(tx, scope, mail.messageId)))
    return { ...nothing, state: 'ignored' }
  if (mark?.kind === 'log') return matchCopy(tx, scope, mail, mark.userId)
  const token = await matchToken(tx, scope, mark)
  if (token?.recordId != null) return token
  const base = { ...nothing, mailId: token?.mailId ?? null }
  // Anyone could have written what follows.
  if (check === 'unverified') return base
  const answered = await findAnswered(tx, scope, mail.answeredIds)
  const recordId = await standing(tx, scope, answered?.recordId ?? null)
  const known = { ...base, mailId: base.mailId ?? answered?.mailId ?? null }
  if (recordId !== undefined) return { ...known, state: 'matched', matchedBy: 'thread', recordId }
  return byAddress(tx, scope, { ...known, matchedBy: 'sender' }, mail.from === null ? [] : [mail.from])
}

async function matchToken(tx: Tx, scope: Scope, mark: Mark | undefined): Promise<Match | undefined> {
  if (mark?.kind !== 'reply' && mark?.kind !== 'bounce') return undefined
  const sent = await recordOfMail(tx, scope, mark.mailId)
  if (sent === undefined) return undefined
  const recordId = await standing(tx, scope, sent.recordId)
  const found = { ...nothing, mailId: mark.mailId }
  return recordId === undefined ? found : { ...found, state: 'matched', matchedBy: 'token', recordId }
}

/** A blind copy of what a person wrote elsewhere stands on the record that it was written to; copies of others say nothing. */
async function matchCopy(tx: Tx, scope: Scope, { to }: ReadMail, userId: number): Promise<Match> {
  const isOurs = await isMember(tx, scope, userId)
  const base: Match = { ...nothing, direction: 'outbound', userId: isOurs ? userId : null }
  if (!isOurs) return base
  return byAddress(tx, scope, { ...base, matchedBy: 'recipient' }, to)
}

/** The one record with these addresses; several ask, and nobody guesses. One that a merge takes in meanwhile is looked for once more. */
async function byAddress(tx: Tx, scope: Scope, match: Match, people: readonly { address: string }[]): Promise<Match> {
  const addresses = people.map(({ address }) => comparedAddress(address))
  for (let last: string | undefined; ; ) {
    const found = await candidatesFor(tx, scope, addresses)
    const [recordId] = found
    if (found.length !== 1 || recordId === undefined || recordId === last)
      return { ...match, matchedBy: null, candidates: found.slice(0, 20) }
    if ((await standing(tx, scope, recordId)) !== undefined) return { ...match, state: 'matched', recordId }
    last = recordId
  }
}
