// SQL of what stands in the thread of a conversation and nowhere else, of what it is to each member, and of what is
// signalled to those who have the inbox open.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import { newId } from '../../kernel/values/ids.ts'
import type { EventKind } from './rules.ts'
import type { ConversationRow } from './store.ts'

/** Of a note on a record there stands here what it has beside its words: `of_note`. */
export type EntryKind = 'event' | 'note' | 'answer' | 'of_note' | 'mail'
export type NoteExtras = { mentions: readonly number[]; attachments?: readonly string[] }
export type EventFacts = {
  type: EventKind
  assigneeId?: number | null
  teamId?: string | null
  snoozedUntil?: string | null
  recordId?: string | null
}

export type NewEntry = {
  conversationId: string
  at: string
  /** That of the text, mail or note that it is about; of an event one of its own. */
  id?: string
  kind: EntryKind
  userId: number | null
  data: EventFacts | { body: string; mentions: readonly number[] } | NoteExtras | Record<string, never>
}

export async function insertEntries(tx: Tx, { tenantId }: Scope, entries: readonly NewEntry[]): Promise<void> {
  if (entries.length === 0) return
  await sql`
    insert into conversation_entries (tenant_id, conversation_id, at, id, kind, user_id, data)
    select ${tenantId}, u.conversation_id, u.at, u.id, u.kind, u.user_id, u.data::json
    from unnest(${entries.map(one => one.conversationId)}::text[], ${entries.map(one => one.at)}::timestamptz[],
      ${entries.map(one => one.id ?? newId('cve'))}::text[], ${entries.map(one => one.kind)}::text[],
      ${entries.map(one => one.userId)}::bigint[], ${entries.map(one => JSON.stringify(one.data))}::text[])
      as u (conversation_id, at, id, kind, user_id, data)
    on conflict do nothing`.execute(tx)
}

export type EntryRow = {
  id: string
  conversation_id: string
  at: string
  kind: EntryKind
  user_id: number | null
  data: unknown
}

/** Events, notes and mails that stand here, newest first. */
export async function listEntries(
  tx: Tx,
  { tenantId }: Scope,
  conversationId: string,
  [at, id]: readonly [string, string] = ['infinity', ''],
  limit: number,
): Promise<EntryRow[]> {
  const { rows } = await sql<EntryRow>`
    select e.id, e.conversation_id, e.at, e.kind, e.user_id, e.data from conversation_entries e
    where e.tenant_id = ${tenantId} and e.conversation_id = ${conversationId} and e.kind in ('event', 'note', 'mail')
      and (e.at, e.id) < (${at}::timestamptz, ${id}::text)
    order by e.at desc, e.id desc limit ${limit}`.execute(tx)
  return rows
}

/** What is known here of these texts, mails and notes, by id. */
export async function entriesAbout(
  tx: Tx,
  { tenantId }: Scope,
  ids: readonly string[],
): Promise<Map<string, EntryRow>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<EntryRow>`
    select e.id, e.conversation_id, e.at, e.kind, e.user_id, e.data from conversation_entries e
    where e.tenant_id = ${tenantId} and e.id = any(${ids}::text[])`.execute(tx)
  return new Map(rows.map(row => [row.id, row]))
}

/** Whom notes in these conversations mention, the first one first. */
export async function listMentioned(
  tx: Tx,
  { tenantId }: Scope,
  ids: readonly string[],
): Promise<{ conversation_id: string; user_id: number }[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ conversation_id: string; user_id: number }>`
    select u.conversation_id, u.user_id from conversation_users u
    where u.tenant_id = ${tenantId} and u.conversation_id = any(${ids}::text[]) and u.mentioned_at is not null
    order by u.conversation_id, u.mentioned_at, u.user_id`.execute(tx)
  return rows
}

export async function mention(
  tx: Tx,
  { tenantId }: Scope,
  conversationId: string,
  userIds: readonly number[],
  at: string,
): Promise<void> {
  await sql`
    insert into conversation_users (tenant_id, conversation_id, user_id, mentioned_at)
    select ${tenantId}, ${conversationId}, u.id, ${at}::timestamptz from unnest(${userIds}::bigint[]) as u (id) order by u.id
    on conflict (tenant_id, conversation_id, user_id) do update set mentioned_at = excluded.mentioned_at`.execute(tx)
}

/** How far somebody read. */
export async function setRead(
  tx: Tx,
  { tenantId }: Scope,
  { conversationId, userId, isUnread, at }: { conversationId: string; userId: number; isUnread: boolean; at: string },
): Promise<void> {
  await sql`
    insert into conversation_users (tenant_id, conversation_id, user_id, read_at, is_unread)
    values (${tenantId}, ${conversationId}, ${userId}, ${isUnread ? null : at}::timestamptz, ${isUnread})
    on conflict (tenant_id, conversation_id, user_id)
      do update set is_unread = excluded.is_unread, read_at = coalesce(excluded.read_at, conversation_users.read_at)`.execute(
    tx,
  )
}

export type NewSignal = {
  type: 'conversation.updated' | 'conversation.presence'
  conversation: Pick<ConversationRow, 'id' | 'party_kind' | 'holder' | 'assignee_id'>
  userId: number | null
  at: string
  presence?: readonly object[]
  /** Only this member hears of it. */
  onlyFor?: number
}

/** For those who have the inbox open and see these conversations. */
export async function signal(tx: Tx, { tenantId }: Scope, signals: readonly NewSignal[]): Promise<void> {
  if (signals.length === 0) return
  await sql`
    insert into conversation_signals (tenant_id, id, type, conversation_id, user_id, presence, party_kind, holder, user_ids, is_private, at)
    select ${tenantId}, u.id, u.type, u.conversation_id, u.user_id, u.presence::json, u.party_kind, u.holder,
      case when u.only_for is not null then array[u.only_for] else array_remove(array[u.assignee_id], null) || coalesce((
        select array_agg(m.user_id) from conversation_users m
        where m.tenant_id = ${tenantId} and m.conversation_id = u.conversation_id and m.mentioned_at is not null), '{}') end,
      u.only_for is not null, u.at
    from unnest(${signals.map(() => newId('cns'))}::text[], ${signals.map(one => one.type)}::text[],
      ${signals.map(one => one.conversation.id)}::text[], ${signals.map(one => one.userId)}::bigint[],
      ${signals.map(one => (one.presence === undefined ? null : JSON.stringify(one.presence)))}::text[],
      ${signals.map(one => one.conversation.party_kind)}::text[], ${signals.map(one => one.conversation.holder)}::bigint[],
      ${signals.map(one => one.conversation.assignee_id)}::bigint[], ${signals.map(one => one.onlyFor ?? null)}::bigint[],
      ${signals.map(one => one.at)}::timestamptz[])
      as u (id, type, conversation_id, user_id, presence, party_kind, holder, assignee_id, only_for, at)`.execute(tx)
}
