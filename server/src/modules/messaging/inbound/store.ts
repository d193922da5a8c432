// SQL of what comes in: the parts of long messages, the senders they came to, and the messages they become.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { textColumn } from '../../../kernel/data/pg_array.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { defaultKeywords, type LanguageKeywords } from '../services/index.ts'
import type { MessageRow } from '../sms/index.ts'
import type { Part, PartKey } from './rules.ts'

export type Owner = Scope & { mode: 'live' | 'test' }

const owners = new WeakMap<Db, Map<number, Owner>>()

/** Whose these tenants are; a tenant never changes hands. */
export async function ownersOf(db: Db, tenantIds: readonly number[]): Promise<Map<number, Owner>> {
  const known = owners.get(db) ?? owners.set(db, new Map()).get(db)!
  const missing = tenantIds.filter(id => !known.has(id))
  if (missing.length > 0) {
    const rows = await db.call<{ tenant_id: number; organization_id: number; mode: 'live' | 'test' }>(
      'owners_of_tenants',
      'select * from owners_of_tenants($1)',
      [missing],
    )
    for (const { tenant_id, organization_id, mode } of rows)
      known.set(tenant_id, { tenantId: tenant_id, organizationId: organization_id, mode })
  }
  return known
}

/** What a sender of ours does with what comes in. */
export type Receiver = {
  address: string
  service_id: string | null
  callback_url: string | null
  creates_leads: boolean
  /** Whether it can answer. */
  sms: boolean
  keywords: readonly LanguageKeywords[]
}

/**
 * The settings of addresses, by address. One that is none of ours does what all do; it answers nobody where only our own
 * numbers may send.
 */
export async function findReceivers(
  tx: Tx,
  scope: Owner,
  addresses: readonly string[],
): Promise<(address: string) => Receiver> {
  const { rows } = await sql<Receiver & { keywords: LanguageKeywords[] | null }>`
    select n.address, n.service_id, coalesce(n.callback_url, s.callback_url) as callback_url, n.creates_leads, n.sms,
      s.keywords
    from numbers n left join messaging_services s on s.tenant_id = n.tenant_id and s.id = n.service_id
    where n.tenant_id = ${scope.tenantId} and n.address = any (${[...new Set(addresses)]}::text[])`.execute(tx)
  const known = new Map(rows.map(row => [row.address, { ...row, keywords: row.keywords ?? defaultKeywords }]))
  const isStranger = addresses.some(address => !known.has(address))
  const sms = !(isStranger && scope.mode === 'live' && (await hasCarriers(tx, scope)))
  const settings = { service_id: null, callback_url: null, creates_leads: false, sms, keywords: defaultKeywords }
  return address => known.get(address) ?? { address, ...settings }
}

async function hasCarriers(tx: Tx, { tenantId }: Scope): Promise<boolean> {
  const { rows } = await sql`select from carriers where tenant_id = ${tenantId} limit 1`.execute(tx)
  return rows.length > 0
}

/** Stores whole messages with their events; answers the ids of those whose reference was not known. */
export async function insertInbound(
  tx: Tx,
  carrier: string,
  batch: readonly { row: MessageRow; reference: string; eventData: string }[],
): Promise<Set<string>> {
  const rows = batch.map(item => item.row)
  const { rows: stored } = await sql<{ id: string }>`
    select id from receive_messages(${carrier}, ${rows.map(row => row.tenant_id)}::bigint[],
      ${textColumn(rows, row => row.id)}::text[], ${textColumn(batch, item => item.reference)}::text[],
      ${rows.map(row => row.created_at)}::timestamptz[], ${textColumn(rows, row => row.from_address)}::text[],
      ${textColumn(rows, row => row.to_address)}::text[], ${textColumn(rows, row => row.body)}::text[],
      ${textColumn(rows, row => row.encoding)}::text[], ${rows.map(row => row.segments)}::smallint[],
      ${textColumn(rows, () => newId('evt'))}::text[], ${textColumn(batch, item => item.eventData)}::text[],
      ${textColumn(rows, row => row.service_id)}::text[], ${textColumn(rows, row => row.callback_url)}::text[],
      ${rows.map(row => row.partial)}::boolean[])`.execute(tx)
  return new Set(stored.map(row => row.id))
}

/** Lets only one transaction at a time look at the parts of these keys: what one has stored, the next one finds. */
export async function lockParts(tx: Tx, scope: Scope, carrier: string, keys: readonly string[]): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(key)
    from (
      select distinct hashtextextended(${carrier}::text || ' parts ' || text, ${scope.tenantId}::bigint) as key
      from unnest(${keys}::text[]) as t (text)
      order by key
    ) k`.execute(tx)
}

// A part may end inside a character, which no text of PostgreSQL can hold: parts are kept as JSON strings.
const columns = sql.raw(
  'p.carrier_reference, p.group_id, p.from_address, p.to_address, p.reference, p.total, p.part, p.body as text',
)
const fromJson = (rows: Part[]) => rows.map(row => ({ ...row, text: JSON.parse(row.text!) as string }))

/** The parts that wait for the others of these keys, oldest group first. */
export async function listWaiting(tx: Tx, scope: Scope, carrier: string, keys: readonly PartKey[]): Promise<Part[]> {
  const { rows } = await sql<Part>`
    select ${columns} from inbound_parts p
    join (
      select distinct * from unnest(${keys.map(key => key.from_address)}::text[],
        ${keys.map(key => key.to_address)}::text[], ${keys.map(key => key.reference)}::integer[],
        ${keys.map(key => key.total)}::smallint[])
    ) as k (from_address, to_address, reference, total)
      on k.from_address = p.from_address and k.to_address = p.to_address and k.reference = p.reference
      and k.total = p.total
    where p.tenant_id = ${scope.tenantId} and p.carrier = ${carrier} and p.body is not null
    order by p.group_id, p.part`.execute(tx)
  return fromJson(rows)
}

/** Which of these ids of the carrier are those of parts we have had. */
export async function listKnown(
  tx: Tx,
  scope: Scope,
  carrier: string,
  references: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ carrier_reference: string }>`
    select carrier_reference from inbound_parts
    where tenant_id = ${scope.tenantId} and carrier = ${carrier}
      and carrier_reference = any (${references}::text[])`.execute(tx)
  return rows.map(row => row.carrier_reference)
}

/** Keeps parts: those with a text until the others of their group came, the rest so that a repetition is known. */
export async function insertParts(
  tx: Tx,
  scope: Scope,
  carrier: string,
  parts: readonly Part[],
  { waitMs, keepMs }: { waitMs: number; keepMs: number },
): Promise<void> {
  await sql`
    insert into inbound_parts (tenant_id, carrier, carrier_reference, group_id, from_address, to_address, reference,
      total, part, body, due_at)
    select ${scope.tenantId}, ${carrier}, u.carrier_reference, u.group_id, u.from_address, u.to_address, u.reference,
      u.total, u.part, u.body, case when u.body is null then clock_timestamp() + make_interval(secs => ${keepMs / 1_000})
        else coalesce((
          select min(p.due_at) from inbound_parts p
          where p.tenant_id = ${scope.tenantId} and p.carrier = ${carrier} and p.from_address = u.from_address
            and p.to_address = u.to_address and p.reference = u.reference and p.total = u.total
            and p.group_id = u.group_id and p.body is not null
        ), clock_timestamp() + make_interval(secs => ${waitMs / 1_000})) end
    from unnest(${textColumn(parts, part => part.carrier_reference)}::text[],
      ${textColumn(parts, part => part.group_id)}::text[], ${textColumn(parts, part => part.from_address)}::text[],
      ${textColumn(parts, part => part.to_address)}::text[], ${parts.map(part => part.reference)}::integer[],
      ${parts.map(part => part.total)}::smallint[], ${parts.map(part => part.part)}::smallint[],
      ${textColumn(parts, part => (part.text === null ? null : JSON.stringify(part.text)))}::text[])
      as u (carrier_reference, group_id, from_address, to_address, reference, total, part, body)`.execute(tx)
}

/** Takes the texts of parts away that were joined. */
export async function markJoined(
  tx: Tx,
  scope: Scope,
  carrier: string,
  references: readonly string[],
  keepMs: number,
): Promise<void> {
  await sql`
    update inbound_parts set body = null, due_at = clock_timestamp() + make_interval(secs => ${keepMs / 1_000})
    where tenant_id = ${scope.tenantId} and carrier = ${carrier}
      and carrier_reference = any (${references}::text[])`.execute(tx)
}

export type OverdueGroup = PartKey & { tenant_id: number; carrier: string; group_id: string }

/** Leases groups of which parts did not come in time, and forgets some parts that were joined long ago. */
export function claimOverdueParts(
  db: Db,
  { limit, leaseMs }: { limit: number; leaseMs: number },
): Promise<OverdueGroup[]> {
  return db.work<OverdueGroup>('claim_overdue_parts', 'select * from claim_overdue_parts($1, $2)', [
    limit,
    leaseMs / 1_000,
  ])
}

/** Whether this text went from one address to the other since then: an answer that is not to be given again. */
export async function wasAnswered(
  tx: Tx,
  scope: Scope,
  answer: { from: string; to: string; body: string; withinMs: number },
): Promise<boolean> {
  const { rows } = await sql<{ was_answered: boolean }>`
    select was_answered(${scope.tenantId}::bigint, ${answer.from}, ${answer.to}, ${answer.body},
      clock_timestamp() - make_interval(secs => ${answer.withinMs / 1_000}))`.execute(tx)
  return rows[0]!.was_answered
}
