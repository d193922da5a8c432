// SQL of the rows of conversations: found, locked, begun, moved.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../kernel/data/db.ts'
import type { Sql } from '../../kernel/noun/field.ts'
import type { Changeable } from './change_rules.ts'
import type { Channel, PartyKind, Standing } from './rules.ts'

export type ConversationRow = Standing & {
  tenant_id: number
  id: string
  record_id: string | null
  party_kind: PartyKind
  name: string
  owner_id: number | null
  assignee_id: number | null
  team_id: string | null
  answered_at: string | null
  merged_into: string | null
  holder: number
  version: number
  created_at: string
  updated_at: string
}

export const columns: Sql =
  sql.raw(`c.tenant_id, c.id, c.record_id, c.party_kind, c.name, c.owner_id, c.state, c.snoozed_until,
  c.assignee_id, c.team_id, c.waiting_since, c.closed_waiting_since, c.last_inbound_at, c.last_answer_at, c.answered_at, c.last_at, c.last_item, c.last_kind,
  c.last_direction, c.last_sender, c.last_preview, c.merged_into, c.holder, c.version, c.created_at, c.updated_at`)

/** In the order of ids, so that transactions wait for each other in one order. */
export async function lockConversations(
  tx: Tx,
  { tenantId }: Scope,
  ids: readonly string[],
): Promise<ConversationRow[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<ConversationRow>`
    select ${columns} from conversations c where c.tenant_id = ${tenantId} and c.id = any(${ids}::text[])
    order by c.id for update of c`.execute(tx)
  return rows
}

/** Those with these records, by record. */
export async function conversationsOfRecords(
  tx: Tx,
  { tenantId }: Scope,
  recordIds: readonly string[],
): Promise<Map<string, string>> {
  if (recordIds.length === 0) return new Map()
  const { rows } = await sql<{ id: string; record_id: string }>`
    select c.id, c.record_id from conversations c
    where c.tenant_id = ${tenantId} and c.record_id = any(${recordIds}::text[]) and c.merged_into is null`.execute(tx)
  return new Map(rows.map(row => [row.record_id, row.id]))
}

/** Which conversations these addresses belong to, by address. */
export async function conversationsOfAddresses(
  tx: Tx,
  { tenantId }: Scope,
  addresses: readonly string[],
): Promise<Map<string, string>> {
  if (addresses.length === 0) return new Map()
  const { rows } = await sql<{ address: string; conversation_id: string }>`
    select a.address, a.conversation_id from conversation_addresses a
    where a.tenant_id = ${tenantId} and a.address = any(${addresses}::text[])`.execute(tx)
  return new Map(rows.map(row => [row.address, row.conversation_id]))
}

export type Address = { address: string; channel: Channel; conversation_id: string }

/** Those of these conversations, phones first. */
export async function listAddresses(tx: Tx, { tenantId }: Scope, ids: readonly string[]): Promise<Address[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Address>`
    select a.address, a.channel, a.conversation_id from conversation_addresses a
    where a.tenant_id = ${tenantId} and a.conversation_id = any(${ids}::text[])
    order by a.conversation_id, a.channel desc, a.address`.execute(tx)
  return rows
}

export type NewConversation = Standing &
  Pick<ConversationRow, 'id' | 'record_id' | 'party_kind' | 'name' | 'owner_id'> & { created_at: string }

export async function insertConversations(
  tx: Tx,
  { tenantId }: Scope,
  fresh: readonly NewConversation[],
): Promise<void> {
  if (fresh.length === 0) return
  await sql`
    insert into conversations (tenant_id, id, record_id, party_kind, name, owner_id, state, snoozed_until, waiting_since, last_inbound_at,
      last_answer_at, last_at, last_item, last_kind, last_direction, last_sender, last_preview, find, created_at, updated_at)
    select ${tenantId}, n.id, n.record_id, n.party_kind, n.name, n.owner_id, n.state, n.snoozed_until, n.waiting_since, n.last_inbound_at,
      n.last_answer_at, n.last_at, n.last_item, n.last_kind, n.last_direction, n.last_sender, n.last_preview, lower(fold_search(n.name)) || E'\n', n.created_at,
      n.created_at
    from json_populate_recordset(null::conversations, ${JSON.stringify(fresh)}::json) n`.execute(tx)
}

/** Addresses that belong to no conversation yet belong to these. */
export async function insertAddresses(tx: Tx, { tenantId }: Scope, addresses: readonly Address[]): Promise<void> {
  if (addresses.length === 0) return
  await sql`
    insert into conversation_addresses (tenant_id, address, channel, conversation_id)
    select distinct on (u.address) ${tenantId}, u.address, u.channel, u.conversation_id
    from unnest(${addresses.map(one => one.address)}::text[], ${addresses.map(one => one.channel)}::text[],
      ${addresses.map(one => one.conversation_id)}::text[]) as u (address, channel, conversation_id)
    order by u.address
    on conflict do nothing`.execute(tx)
  await refreshFind(tx, { tenantId }, [...new Set(addresses.map(one => one.conversation_id))])
}

/** What a search looks through: the name as searches compare it, then the addresses. */
export async function refreshFind(
  tx: Tx,
  { tenantId }: Pick<Scope, 'tenantId'>,
  ids: readonly string[],
): Promise<void> {
  await sql`
    update conversations c set find = lower(fold_search(c.name)) || E'\n' || coalesce((
      select string_agg(a.address, ' ' order by a.address) from conversation_addresses a
      where a.tenant_id = c.tenant_id and a.conversation_id = c.id), '')
    where c.tenant_id = ${tenantId} and c.id = any(${ids}::text[])`.execute(tx)
}

/** Writes where locked conversations stand now. */
export async function updateStandings(
  tx: Tx,
  { tenantId }: Scope,
  moved: readonly (Standing & { id: string })[],
): Promise<void> {
  if (moved.length === 0) return
  await sql`
    update conversations c set state = n.state, snoozed_until = n.snoozed_until, waiting_since = n.waiting_since,
      closed_waiting_since = n.closed_waiting_since,
      last_inbound_at = n.last_inbound_at, last_answer_at = n.last_answer_at, last_at = n.last_at, last_item = n.last_item,
      last_kind = n.last_kind, last_direction = n.last_direction, last_sender = n.last_sender, last_preview = n.last_preview, updated_at = clock_timestamp()
    from json_populate_recordset(null::conversations, ${JSON.stringify(moved)}::json) n
    where c.tenant_id = ${tenantId} and c.id = n.id`.execute(tx)
}

/** Writes what is shown of conversations that end with these items; the ids of those that it changed. */
export async function setPreviews(
  tx: Tx,
  { tenantId }: Scope,
  previews: ReadonlyMap<string, string>,
): Promise<string[]> {
  if (previews.size === 0) return []
  const { rows } = await sql<{ id: string }>`
    update conversations c set last_preview = n.preview, updated_at = clock_timestamp()
    from unnest(${[...previews.keys()]}::text[], ${[...previews.values()]}::text[]) as n (item, preview)
    where c.tenant_id = ${tenantId} and c.last_item = n.item and c.last_preview <> n.preview
    returning c.id`.execute(tx)
  return rows.map(({ id }) => id)
}

/** Whom these conversations are with is from now on this record, or nobody's. */
export async function setParty(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  { recordId, kind, name, ownerId }: { recordId: string | null; kind: PartyKind; name: string; ownerId: number | null },
): Promise<void> {
  await sql`
    update conversations c set record_id = ${recordId}, party_kind = ${kind}, name = ${name}, owner_id = ${ownerId}::bigint,
      version = c.version + 1, updated_at = clock_timestamp()
    where c.tenant_id = ${tenantId} and c.id = ${id}`.execute(tx)
  await refreshFind(tx, { tenantId }, [id])
}

/** An answer was stored: the conversation is whose answer it is, unless somebody has it. */
export async function setAnswered(tx: Tx, { tenantId }: Scope, id: string, userId: number): Promise<void> {
  await sql`
    update conversations set assignee_id = coalesce(assignee_id, ${userId}::bigint), answered_at = clock_timestamp(), version = version + 1
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

/** Writes what people changed of a locked conversation. */
export async function setChanged(tx: Tx, { tenantId }: Scope, id: string, next: Changeable): Promise<void> {
  await sql`
    update conversations set state = ${next.state}, snoozed_until = ${next.snoozed_until}::timestamptz,
      waiting_since = ${next.waiting_since}::timestamptz,
      closed_waiting_since = ${next.closed_waiting_since}::timestamptz, assignee_id = ${next.assignee_id}::bigint, team_id = ${next.team_id},
      version = version + 1, updated_at = clock_timestamp()
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

/** Opens those of these locked conversations that are snoozed and whose time has come; their ids. */
export async function openDue(tx: Tx, { tenantId }: Scope, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update conversations set state = 'open', snoozed_until = null, version = version + 1, updated_at = clock_timestamp()
    where tenant_id = ${tenantId} and id = any(${ids}::text[]) and state = 'snoozed' and snoozed_until <= clock_timestamp()
      and merged_into is null
    returning id`.execute(tx)
  return rows.map(({ id }) => id)
}

export type DueConversation = { tenant_id: number; organization_id: number; id: string }

export function dueConversations(db: Db, limit: number): Promise<DueConversation[]> {
  return db.work('due_conversations', 'select tenant_id, organization_id, id from due_conversations($1)', [limit])
}
