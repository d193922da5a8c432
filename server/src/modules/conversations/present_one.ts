// One conversation, with how it can be answered.
import type { Static } from 'typebox'
import type { Principal } from '../../kernel/access/principal.ts'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import { listMailsNamed, listMailsOf, type MailOfRecord } from '../mail/timeline/index.ts'
import { listMessagesWith } from '../messaging/sms/index.ts'
import { listEntries } from './entries_store.ts'
import { mailKey } from './exchanges.ts'
import { recordsOf } from './people_store.ts'
import { presentConversations } from './present.ts'
import type { OneConversation } from './schemas.ts'
import type { ConversationRow } from './store.ts'
import { leftOutOf, reachOf } from './thread.ts'

export type Reply = Static<typeof OneConversation>['reply']

export async function presentOne(
  tx: Tx,
  principal: Principal,
  row: ConversationRow,
): Promise<Static<typeof OneConversation>> {
  const [[conversation], reply] = await Promise.all([
    presentConversations(tx, principal, [row]),
    replyOf(tx, principal, row),
  ])
  const may = (permission: 'messages:send' | 'mail:send') =>
    principal.permissions.has('conversations:write') && principal.permissions.has(permission)
  const shown = { text: may('messages:send') ? reply.text : null, mail: may('mail:send') ? reply.mail : null }
  return { ...conversation!, reply: shown, leftOut: leftOutOf(principal) }
}

/** How they can be answered: from the number that the last text was exchanged with, and to the last mail. */
export async function replyOf(tx: Tx, scope: Scope, row: ConversationRow): Promise<Reply> {
  const { phones, mails } = await reachOf(tx, scope, row)
  const [text, mail] = await Promise.all([lastText(tx, scope, phones), lastMail(tx, scope, row)])
  const phone = text?.to ?? phones[0]
  const address = mail?.address ?? mails[0]
  return {
    text: phone === undefined ? null : { from: text?.from ?? null, to: phone },
    mail:
      address === undefined
        ? null
        : {
            to: address,
            subject: mail === undefined ? null : answerSubject(mail.subject),
            answersInboundId: mail?.inboundId ?? null,
          },
  }
}

async function lastText(tx: Tx, scope: Scope, phones: readonly string[]) {
  const found = await Promise.all(phones.map(phone => listMessagesWith(tx, scope, phone, undefined, 1)))
  const [last] = found.flat().sort((a, b) => (a.created_at < b.created_at ? 1 : -1))
  if (last === undefined) return undefined
  const { direction, from_address: from, to_address: to } = last
  return direction === 'inbound' ? { from: to, to: from } : { from, to }
}

/** The last mail that came in, before all others one that nobody else may have written; else the last that was sent. */
async function lastMail(tx: Tx, scope: Scope, row: ConversationRow) {
  const entries = await listEntries(tx, scope, row.id, undefined, 20)
  const named = entries.filter(({ kind }) => kind === 'mail').map(({ id }) => id)
  const records = await recordsOf(tx, scope, row.record_id)
  const ofRecords = await Promise.all(records.map(id => listMailsOf(tx, scope, id, undefined, 20)))
  const mails = [...ofRecords.flat(), ...(await listMailsNamed(tx, scope, named))].sort((a, b) =>
    a.at < b.at ? 1 : -1,
  )
  const received = mails.filter(({ direction, from }) => direction === 'inbound' && from !== null)
  const inbound = received.find(({ status }) => status !== 'unverified') ?? received[0]
  if (inbound?.from != null) return { address: mailKey(inbound.from), subject: inbound.subject, inboundId: inbound.id }
  const sent = mails.find((mail): mail is MailOfRecord & { to: string } => mail.to !== null)
  return sent === undefined
    ? undefined
    : { address: mailKey(sent.to.split(', ')[0]!), subject: sent.subject, inboundId: null }
}

/** The subject of an answer: with one Re: in front. */
function answerSubject(subject: string): string | null {
  const bare = subject.replace(/^(?:(?:re|aw|sv|antw)\s*:\s*)+/i, '').trim()
  return bare === '' ? null : `Re: ${bare}`
}
