// Who a conversation is with: it is put on a record, and joined with the one that the record has already.
import type { Scope, Tx } from '../../kernel/data/db.ts'
import { emit } from '../../kernel/data/events.ts'
import type { NounRecord } from '../../kernel/noun/field.ts'
import { newIds } from '../../kernel/noun/new_ids.ts'
import { emptyValues } from '../../kernel/noun/records.ts'
import { tableNamed } from '../../kernel/noun/registry.ts'
import { writeRecords } from '../../kernel/noun/write.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { insertEntries, signal } from './entries_store.ts'
import { moveParts, takeNotes } from './join_store.ts'
import type { PersonRecord } from './people_store.ts'
import { presentForEvent } from './present.ts'
import { joined } from './rules.ts'
import {
  type ConversationRow,
  conversationsOfRecords,
  lockConversations,
  refreshFind,
  setParty,
  updateStandings,
} from './store.ts'

/** Who did it, nobody where the server did; and when. */
export type Doing = { userId: number | null; keyId?: string | null; nowMs: number }

/** Puts a locked conversation on a record. @returns the id of the one that it is now */
export async function putOnRecord(
  tx: Tx,
  scope: Scope,
  row: ConversationRow,
  person: PersonRecord,
  doing: Doing,
): Promise<string> {
  const there = (await conversationsOfRecords(tx, scope, [person.id])).get(person.id)
  const { id: recordId, kind, name, owner_id: ownerId } = person
  if (there !== undefined && there !== row.id) {
    const [into] = await lockConversations(tx, scope, [there])
    await joinInto(tx, scope, row, into!, doing)
    await keepNotes(tx, scope, into!.id, recordId, doing)
    return into!.id
  }
  await setParty(tx, scope, row.id, { recordId, kind, name, ownerId })
  await keepNotes(tx, scope, row.id, recordId, doing)
  const at = isoMs(doing.nowMs)
  const facts = { type: 'attached', recordId } as const
  await insertEntries(tx, scope, [{ conversationId: row.id, at, kind: 'event', userId: doing.userId, data: facts }])
  await reportOf(tx, scope, row.id, 'attached', doing)
  return row.id
}

/** Makes one conversation part of another one; both are locked. */
export async function joinInto(
  tx: Tx,
  scope: Scope,
  other: ConversationRow,
  into: ConversationRow,
  doing: Doing,
): Promise<void> {
  await moveParts(tx, scope, other.id, into.id)
  await updateStandings(tx, scope, [{ ...joined(into, other), id: into.id }])
  await refreshFind(tx, scope, [into.id])
  const at = isoMs(doing.nowMs)
  await insertEntries(tx, scope, [
    { conversationId: into.id, at, kind: 'event', userId: doing.userId, data: { type: 'merged' } },
  ])
  await emit(tx, scope, {
    type: 'conversation.merged',
    resourceId: other.id,
    data: { ...presentForEvent(other, doing.userId), mergedInto: into.id },
  })
  await reportOf(tx, scope, into.id, null, doing)
  await signal(tx, scope, [{ type: 'conversation.updated', conversation: other, userId: doing.userId, at }])
}

/** Notes on an unknown person are from now on notes of the record. */
async function keepNotes(
  tx: Tx,
  scope: Scope,
  id: string,
  recordId: string,
  { nowMs, ...doing }: Doing,
): Promise<void> {
  const notes = await takeNotes(tx, scope, id)
  if (notes.length === 0) return
  const writes = notes.map(({ id, at, user_id, body }) =>
    writtenNote(scope, { id, at, userId: user_id, body, recordId }),
  )
  const author = {
    tenantId: scope.tenantId,
    organizationId: scope.organizationId,
    userId: doing.userId,
    keyId: doing.keyId ?? null,
  }
  // Where nobody asked for it, something came in by which it was known who they are.
  const source = doing.userId === null ? 'inbound' : 'request'
  await writeRecords(tx, author, tableNamed('note'), writes, { source, batchId: null, nowMs })
}

export type NoteFacts = { id?: string; at: string; userId: number; body: string; recordId: string }

/** A note of a record, ready to be written. */
export function writtenNote({ tenantId }: Scope, { id, at, userId, body, recordId }: NoteFacts) {
  const { spec } = tableNamed('note')
  const stamps = {
    tenant_id: tenantId,
    version: 1,
    created_at: at,
    updated_at: at,
    deleted_at: null,
    merged_into: null,
  }
  const values = { ...emptyValues(spec), record_id: recordId, body, author_id: userId }
  const after = { ...values, ...stamps, id: id ?? newIds(spec).next(Date.parse(at)) } as NounRecord
  return { before: undefined, after, events: ['created'] }
}

async function reportOf(
  tx: Tx,
  scope: Scope,
  id: string,
  type: 'attached' | null,
  { userId, nowMs }: Doing,
): Promise<void> {
  const [conversation] = await lockConversations(tx, scope, [id])
  if (conversation === undefined) return
  if (type !== null)
    await emit(tx, scope, {
      type: `conversation.${type}`,
      resourceId: id,
      data: presentForEvent(conversation, userId),
    })
  await signal(tx, scope, [{ type: 'conversation.updated', conversation, userId, at: isoMs(nowMs) }])
}
