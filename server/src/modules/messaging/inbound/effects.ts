// What a text that came in does besides being stored, all in its transaction: a keyword opts its sender out or in again and
// is answered, and a number that nobody knows becomes a lead where the receiving number says so.
import type { Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { isE164, looksLikeE164 } from '../../../kernel/values/phone.ts'
import { addLeadsOfPhones } from '../../crm/leads/index.ts'
import { holdScopeOf } from '../numbers/index.ts'
import { insertOptOut, optOutEvent, removeOptOut } from '../opt_outs/index.ts'
import { type KeywordMatch, matchKeyword } from '../services/index.ts'
import { type Answer, acceptAnswersIn, type MessageRow } from '../sms/index.ts'
import { type Owner, type Receiver, wasAnswered } from './store.ts'

/** Help is given once in this time: two machines that answer each other would never end. */
const helpEveryMs = 10 * 60_000

/**
 * Does what the messages ask for.
 * @param messages whole or partial, each once, with the settings of where it came to
 * @returns the carriers of messages that were accepted, one each, for `messagesAccepted` after the commit
 */
export async function applyEffects(
  tx: Tx,
  owner: Owner,
  messages: readonly { row: MessageRow; receiver: Receiver }[],
  nowMs: number,
): Promise<string[]> {
  const answers = new Map<string, Answer>()
  const strangers = new Set<string>()
  // By sender, so that two transactions wait for each other in one order and do not dead-lock.
  for (const { row, receiver } of messages.toSorted((a, b) => compare(a.row.from_address, b.row.from_address))) {
    if (!looksLikeE164(row.from_address)) continue
    const match = row.partial ? undefined : matchKeyword(receiver.keywords, row.body)
    const isChanged = match !== undefined && (await applyKeyword(tx, owner, row, match))
    // Only a number that exists can be texted back, and be a lead's; what any other asks for holds, should it exist after all.
    if (!isE164(row.from_address)) continue
    if (match !== undefined && isChanged) {
      const reply = await answerTo(tx, owner, row, receiver, match)
      if (reply !== undefined) answers.set(`${reply.from} ${reply.to} ${reply.body}`, reply)
    }
    // Anyone who wants no texts, or asks what this is, is no lead for that.
    if (receiver.creates_leads && (match === undefined || match.action === 'start')) strangers.add(row.from_address)
  }
  await addLeadsOfPhones(tx, owner, { phones: [...strangers], source: 'sms' }, nowMs)
  const accepted = await acceptAnswersIn(tx, owner, [...answers.values()])
  return accepted.flatMap(item => (item === undefined ? [] : [item.carrier]))
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b)
}

/**
 * Opts the sender out, or in again; whether that is to be answered. What changes nothing is not: a second STOP, or a YES
 * that means something else.
 */
async function applyKeyword(tx: Tx, owner: Owner, row: MessageRow, { action, word }: KeywordMatch): Promise<boolean> {
  if (action === 'help') return true
  const [scope, recipient] = [await holdScopeOf(tx, owner, row.to_address), row.from_address]
  if (action === 'start') {
    const removed = await removeOptOut(tx, owner, { scope, recipient })
    if (removed !== undefined) await emit(tx, owner, optOutEvent('opt_out.deleted', removed, row.callback_url))
    return removed !== undefined
  }
  const optOut = {
    id: newId('opt'),
    scope,
    recipient,
    source: 'keyword',
    keyword: word,
    created_at: row.created_at,
  } as const
  const created = await insertOptOut(tx, owner, optOut)
  if (created !== undefined) await emit(tx, owner, optOutEvent('opt_out.created', created, row.callback_url))
  return created !== undefined
}

/** What is answered to a keyword, if anything is and can be. */
async function answerTo(
  tx: Tx,
  owner: Owner,
  { from_address: to, to_address: from }: MessageRow,
  receiver: Receiver,
  { action, reply: body }: KeywordMatch,
): Promise<Answer | undefined> {
  if (body === null || !receiver.sms) return undefined
  if (action === 'help' && (await wasAnswered(tx, owner, { from, to, body, withinMs: helpEveryMs }))) return undefined
  return { from, to, body, ignoreOptOut: true }
}
