// Notes in conversations. Of a lead or contact they are notes of the record; of somebody unknown they stand here, until it is known who it is.
import type { Principal } from '../../kernel/access/principal.ts'
import type { Tx } from '../../kernel/data/db.ts'
import { emit } from '../../kernel/data/events.ts'
import { requireRecord } from '../../kernel/endpoint/record.ts'
import { holdRecord } from '../../kernel/noun/locks.ts'
import { tableNamed } from '../../kernel/noun/registry.ts'
import { writeRecords } from '../../kernel/noun/write.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { newId } from '../../kernel/values/ids.ts'
import { writtenNote } from './attach.ts'
import { requireAttached } from './attached_store.ts'
import { insertEntries, mention, setRead, signal } from './entries_store.ts'
import { findConversation } from './list_store.ts'
import { requireReaders } from './members_store.ts'
import { namesOfUsers } from './people_store.ts'
import { presentForEvent } from './present.ts'
import { previewOf } from './rules.ts'
import { blankItem, type ShownItem } from './schemas.ts'
import { sightOf } from './sight_store.ts'
import { type ConversationRow, lockConversations, updateStandings } from './store.ts'

/**
 * Locks the conversation, and before it the record that it is with, as attaching.ts says: a merge that is under way is waited for, and the
 * conversation is with the one that stays then.
 * @throws Problem `not_found`
 */
async function lockForNote(tx: Tx, principal: Principal, id: string): Promise<ConversationRow> {
  const sight = sightOf(principal)
  for (;;) {
    const { record_id: recordId } = requireRecord(await findConversation(tx, principal, sight, id))
    if (recordId !== null) await holdRecord(tx, principal, recordId)
    const row = requireRecord(await findConversation(tx, principal, sight, id, { locked: true }))
    if (row.record_id === recordId) return row
  }
}

export type NewNote = { body: string; mentions: readonly number[]; attachments: readonly string[] }

/** @throws Problem `not_found`, `validation_failed` for who is mentioned and reads no conversations, and for files that are not the person's */
export async function writeNote(
  tx: Tx,
  principal: Principal,
  conversationId: string,
  { body, mentions, attachments }: NewNote,
  nowMs: number,
): Promise<ShownItem> {
  const { userId } = principal
  const row = await lockForNote(tx, principal, conversationId)
  const mentioned = [...new Set(mentions)]
  await requireReaders(
    tx,
    principal,
    mentioned.map((id, index) => ({ field: `mentions[${index}]`, userId: id })),
  )
  const files = await requireAttached(tx, principal, row.record_id, attachments)
  const id = newId('note')
  const at = isoMs(nowMs)
  const text = body.trim()
  const entry = { conversationId: row.id, at, id, userId }
  if (row.record_id === null)
    await insertEntries(tx, principal, [{ ...entry, kind: 'note', data: { body: text, mentions: mentioned } }])
  else {
    const note = writtenNote(principal, { id, at, userId, body: text, recordId: row.record_id })
    await writeRecords(tx, principal, tableNamed('note'), [note], { source: 'request', batchId: null, nowMs })
    const extras = {
      mentions: mentioned,
      ...(files.length > 0 && { attachments: files.map(file => file.attachmentId) }),
    }
    if (mentioned.length + files.length > 0)
      await insertEntries(tx, principal, [{ ...entry, kind: 'of_note', data: extras }])
  }
  await mention(tx, principal, row.id, mentioned, at)
  await setRead(tx, principal, { conversationId: row.id, userId, isUnread: false, at })
  const last = {
    last_at: at,
    last_item: id,
    last_kind: 'note',
    last_direction: null,
    last_sender: null,
    last_preview: previewOf(text),
  } as const
  await updateStandings(tx, principal, [{ ...row, ...(at >= row.last_at ? last : {}) }])
  const [now] = await lockConversations(tx, principal, [row.id])
  const data = { ...presentForEvent(now!, userId), noteId: id, mentions: mentioned }
  await emit(tx, principal, { type: 'conversation.noted', resourceId: row.id, data })
  await signal(tx, principal, [{ type: 'conversation.updated', conversation: now!, userId, at }])
  const names = await namesOfUsers(tx, principal, [userId, ...mentioned])
  const person = (id: number) => ({ userId: id, name: names.get(id) ?? `User ${id}` })
  return {
    ...blankItem,
    itemId: id,
    kind: 'note',
    at,
    author: person(userId),
    body: text,
    mentions: mentioned.map(person),
    attachments: files,
  }
}
