// SQL of the records that mails stand on: who has an address, which of them are there, and who sees what stands on them.
import { sql } from 'kysely'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Sql } from '../../../kernel/noun/field.ts'
import { findHosts, hostOf, seenThrough } from '../../../kernel/noun/hosts.ts'
import { holdersOf } from '../../../kernel/noun/keys.ts'
import { idsOf, idText, rowId, rowIds } from '../../../kernel/noun/record_ids.ts'
import { ownersSeen, tableNamed } from '../../../kernel/noun/registry.ts'
import type { AnySpec } from '../../../kernel/noun/spec.ts'
import { Problem } from '../../../kernel/values/problem.ts'

/** What mails stand on, and the field with their addresses. */
const people = { lead: 'email', contact: 'emails' } as const

/** Whether mails stand on records of this noun. */
export function takesMails({ names: [name] }: Pick<AnySpec, 'names'>): boolean {
  return Object.hasOwn(people, name)
}

/** Whether an id is that of a lead or contact, by its form. */
function isPerson(id: string): boolean {
  return hostOf(id) !== undefined && Object.hasOwn(people, hostOf(id)!.name)
}

/**
 * The record, where the caller sees it; it stays out of the trash until the transaction ends.
 * @throws Problem `record_not_found`
 */
export async function requirePerson(tx: Tx, principal: Principal, id: string) {
  const record = isPerson(id) ? (await findHosts(tx, principal, [id], { locked: true })).get(id) : undefined
  if (record !== undefined) return record
  throw new Problem('record_not_found', {
    message: `${id} is no lead or contact that you see. Name one as lead:17 or con_….`,
    details: [{ field: 'recordId', code: 'not_found', message: 'must name a lead or contact that you see' }],
  })
}

/** Whether it is a lead or contact that the caller sees. */
export async function isPersonSeen(tx: Tx, principal: Principal, id: string | null): Promise<boolean> {
  return id !== null && isPerson(id) && (await findHosts(tx, principal, [id])).has(id)
}

/**
 * Leads and contacts with one of these addresses, as suppressions compare them. Of a lead that became one of these contacts, the contact
 * alone: they are the same person.
 */
export async function candidatesFor(tx: Tx, scope: Scope, addresses: readonly string[]): Promise<string[]> {
  if (addresses.length === 0) return []
  const parts = Object.entries(people).map(([name, field]) => {
    const { spec, table } = tableNamed(name)
    const ids = idsOf(spec)
    const keys = [...new Set(addresses)].map(value => ({ field, value }))
    const became = name === 'lead' ? sql`r.contact_id` : sql`null::text`
    return sql`
      select distinct ${idText(ids, 'r')} as id, ${became} as became from ${holdersOf({ spec }, scope, keys)} k
      join ${sql.table(table)} r on r.tenant_id = ${scope.tenantId} and r.id = ${rowId(ids, sql`k.record_id`)}
      where r.deleted_at is null`
  })
  const { rows } = await sql<{ id: string; became: string | null }>`${sql.join(parts, sql` union all `)}`.execute(tx)
  const found = new Set(rows.map(row => row.id))
  return rows.filter(({ became }) => became === null || !found.has(became)).map(({ id }) => id)
}

/** The record, where it is there and not in the trash: it is merged, or moved there, only after the transaction ends. */
export async function standing(tx: Tx, { tenantId }: Scope, id: string | null): Promise<string | undefined> {
  const host = id === null ? undefined : hostOf(id)
  if (id === null || host === undefined) return undefined
  const { rows } = await sql`
    select from ${sql.table(host.table)} h
    where h.tenant_id = ${tenantId} and h.deleted_at is null and h.id = any(${rowIds(host, [id])}) for share of h`.execute(
    tx,
  )
  return rows.length > 0 ? id : undefined
}

const onRecord = {
  names: ['mail', 'mails'],
  fields: { record_id: { kind: 'record' } },
  rows: undefined,
} as unknown as Pick<AnySpec, 'names' | 'fields' | 'rows'>
const rows = { owner: 'user_id', unassigned: 'hidden', own: ['Sales Executive'] } as const

/** The condition on rows `r` that the caller sees the record that each stands on; what stands on none they see as mails that were sent. */
export function seenRecord(principal: Principal): Sql {
  const through = seenThrough(onRecord, principal)!
  const owners = ownersSeen('mails', rows, principal)
  const free = owners === undefined ? sql`true` : sql`r.user_id is not null and r.user_id = any(${owners}::bigint[])`
  return sql`case when r.record_id is null then ${free} else ${through} end`
}
