// SQL of who addresses belong to: leads and contacts by number and e-mail address, and what lists show of them.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import { hostOf } from '../../kernel/noun/hosts.ts'
import { holdersOf } from '../../kernel/noun/keys.ts'
import { idsOf, idText, rowId, rowIds } from '../../kernel/noun/record_ids.ts'
import { tableNamed } from '../../kernel/noun/registry.ts'
import { addressesOf } from './exchanges.ts'
import type { Channel, PartyKind } from './rules.ts'

export type PersonRecord = { id: string; kind: Exclude<PartyKind, 'unknown'>; name: string; owner_id: number | null }

const fields = { lead: { phone: 'phone', mail: 'email' }, contact: { phone: 'phones', mail: 'emails' } } as const

type Found = PersonRecord & { value: string; became: string | null; updated_at: string }

/**
 * Whose these addresses are, by address. Of several a contact goes before leads, and of several of one kind who was changed last: what
 * comes from there is theirs, until somebody says otherwise.
 */
export async function personsOf(
  tx: Tx,
  scope: Scope,
  addresses: readonly { channel: Channel; address: string }[],
): Promise<Map<string, PersonRecord>> {
  if (addresses.length === 0) return new Map()
  const parts = (['contact', 'lead'] as const).map(kind => {
    const { spec, table } = tableNamed(kind)
    const ids = idsOf(spec)
    const keys = addresses.map(({ channel, address }) => ({ field: fields[kind][channel], value: address }))
    const became = kind === 'lead' ? sql`r.contact_id` : sql`null::text`
    return sql`
      select k.value, ${idText(ids, 'r')} as id, ${kind}::text as kind, r.name, r.owner_id, ${became} as became, r.updated_at
      from ${holdersOf({ spec }, scope, keys)} k
      join ${sql.table(table)} r on r.tenant_id = ${scope.tenantId} and r.id = ${rowId(ids, sql`k.record_id`)}
      where r.deleted_at is null`
  })
  const { rows } = await sql<Found>`${sql.join(parts, sql` union all `)}`.execute(tx)
  const persons = new Map<string, PersonRecord>()
  const order = (one: Found, other: Found) =>
    one.kind === other.kind ? (one.updated_at < other.updated_at ? 1 : -1) : one.kind === 'contact' ? -1 : 1
  for (const [value, found] of Map.groupBy(rows, row => row.value)) {
    const [first] = found.toSorted(order)
    if (first !== undefined) persons.set(value, first)
  }
  return persons
}

/** More leads than this do not become one contact in earnest. */
const maxLeads = 20

/** The records on which stands what was exchanged with a person: their own, and of a contact the leads that it was. */
export async function recordsOf(tx: Tx, { tenantId }: Scope, recordId: string | null): Promise<string[]> {
  if (recordId === null || hostOf(recordId)?.name !== 'contact') return recordId === null ? [] : [recordId]
  const { rows } = await sql<{ id: string }>`
    select ${idText(idsOf(tableNamed('lead').spec), 'r')} as id from leads r
    where r.tenant_id = ${tenantId} and r.contact_id = ${recordId} order by r.id desc limit ${maxLeads}`.execute(tx)
  return [recordId, ...rows.map(({ id }) => id)]
}

/** Leads and contacts by id: those that are there and not in the trash. */
export async function findPersons(
  tx: Tx,
  { tenantId }: Scope,
  ids: readonly string[],
): Promise<Map<string, PersonRecord>> {
  const persons = new Map<string, PersonRecord>()
  for (const [host, some] of Map.groupBy(ids, hostOf)) {
    if (host === undefined || !(host.name === 'lead' || host.name === 'contact')) continue
    const { rows } = await sql<PersonRecord>`
      select ${idText(host, 'r')} as id, ${host.name}::text as kind, r.name, r.owner_id from ${sql.table(host.table)} r
      where r.tenant_id = ${tenantId} and r.deleted_at is null and r.id = any(${rowIds(host, some)})`.execute(tx)
    for (const row of rows) persons.set(row.id, row)
  }
  return persons
}

/** Names of members, by id. */
export async function namesOfUsers(
  tx: Tx,
  { organizationId }: Scope,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: number; name: string }>`
    select u.id::float8 as id, u.name from users u
    where u.organization_id = ${organizationId} and u.id = any(${[...new Set(ids)]}::bigint[])`.execute(tx)
  return new Map(rows.map(row => [row.id, row.name]))
}

export async function namesOfTeams(
  tx: Tx,
  { organizationId }: Scope,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<{ id: string; name: string }>`
    select t.id, t.name from teams t
    where t.organization_id = ${organizationId} and t.id = any(${[...new Set(ids)]}::text[])`.execute(tx)
  return new Map(rows.map(row => [row.id, row.name]))
}

/** The numbers and e-mail addresses of a lead or contact, as they are now. */
export async function addressesOfRecord(
  tx: Tx,
  { tenantId }: Scope,
  kind: 'lead' | 'contact',
  recordId: string,
): Promise<string[]> {
  const { spec, table } = tableNamed(kind)
  const { rows } = await sql<Parameters<typeof addressesOf>[0]>`
    select r.* from ${sql.table(table)} r
    where r.tenant_id = ${tenantId} and r.id = any(${rowIds(idsOf(spec), [recordId])})`.execute(tx)
  return rows.flatMap(addressesOf)
}
