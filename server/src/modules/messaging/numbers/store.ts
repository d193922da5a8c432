// SQL of numbers and sender ids.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/db.ts'
import type { NumberKind, NumberRow, Ownership } from './rules.ts'

/** Of a number, as `NumberRow` has them. */
export const columnsText =
  'id, kind, address, country, label, service_id, carrier_id, sms, voice, segments_per_second::float8 as ' +
  'segments_per_second, callback_url, creates_leads, ownership, version, created_at, updated_at'
const columns = sql.raw(columnsText)

/** Adds a number; undefined when the organization has its address already. */
export async function insertNumber(tx: Tx, scope: Scope, row: NumberRow): Promise<NumberRow | undefined> {
  const { rows } = await sql<NumberRow>`
    insert into numbers (tenant_id, id, kind, address, country, label, service_id, carrier_id, sms, voice,
      segments_per_second, callback_url, creates_leads, version, created_at, updated_at)
    values (${scope.tenantId}, ${row.id}, ${row.kind}, ${row.address}, ${row.country}, ${row.label}, ${row.service_id},
      ${row.carrier_id}, ${row.sms}, ${row.voice}, ${row.segments_per_second}, ${row.callback_url},
      ${row.creates_leads}, 1, ${row.created_at}, ${row.created_at})
    on conflict on constraint numbers_address do nothing
    returning ${columns}`.execute(tx)
  return rows[0]
}

export async function findNumber(tx: Tx, scope: Scope, id: string): Promise<NumberRow | undefined> {
  const { rows } = await sql<NumberRow>`
    select ${columns} from numbers where tenant_id = ${scope.tenantId} and id = ${id}`.execute(tx)
  return rows[0]
}

/** The number with its row locked. */
export async function lockNumber(tx: Tx, scope: Scope, id: string): Promise<NumberRow | undefined> {
  const { rows } = await sql<NumberRow>`
    select ${columns} from numbers where tenant_id = ${scope.tenantId} and id = ${id} for no key update`.execute(tx)
  return rows[0]
}

export async function findNumberByAddress(tx: Tx, scope: Scope, address: string): Promise<NumberRow | undefined> {
  const { rows } = await sql<NumberRow>`
    select ${columns} from numbers where tenant_id = ${scope.tenantId} and address = ${address}`.execute(tx)
  return rows[0]
}

/** Those of these numbers that the tenant has. */
export async function findNumbersByAddress(tx: Tx, scope: Scope, addresses: readonly string[]): Promise<NumberRow[]> {
  const { rows } = await sql<NumberRow>`
    select ${columns} from numbers
    where tenant_id = ${scope.tenantId} and address = any(${[...addresses]}::text[])`.execute(tx)
  return rows
}

/** The oldest number of the tenant that makes calls. */
export async function firstVoiceNumber(tx: Tx, { tenantId }: Scope): Promise<string | undefined> {
  const { rows } = await sql<{ address: string }>`
    select address from numbers where tenant_id = ${tenantId} and voice and ownership is distinct from 'contested'
    order by id limit 1`.execute(tx)
  return rows[0]?.address
}

/** Writes a locked number as it is to be, and counts its version up. Whose it is stays: see `setOwnership`. */
export async function changeNumber(tx: Tx, scope: Scope, row: NumberRow, now: string): Promise<NumberRow> {
  const { rows } = await sql<NumberRow>`
    update numbers set label = ${row.label}, service_id = ${row.service_id}, carrier_id = ${row.carrier_id},
      sms = ${row.sms}, voice = ${row.voice}, segments_per_second = ${row.segments_per_second},
      callback_url = ${row.callback_url}, creates_leads = ${row.creates_leads}, version = version + 1,
      updated_at = greatest(${now}::timestamptz, created_at)
    where tenant_id = ${scope.tenantId} and id = ${row.id}
    returning ${columns}`.execute(tx)
  return rows[0]!
}

/**
 * Says whose a locked number is; undefined when another organization holds it.
 */
export async function setOwnership(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  ownership: Ownership,
  now: string,
): Promise<NumberRow | undefined> {
  try {
    const { rows } = await sql<NumberRow>`
      update numbers set ownership = ${ownership}, version = version + 1,
        updated_at = greatest(${now}::timestamptz, created_at)
      where tenant_id = ${tenantId} and id = ${id}
      returning ${columns}`.execute(tx)
    return rows[0]
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'numbers_holder') return undefined
    throw error
  }
}

export type NumberClaim = {
  tenant_id: number
  organization_id: number
  id: string
  voice: boolean
  ownership: Ownership
}

/** Every organization that has this telephone number in live mode; at most one of them holds it, the others contest it. */
export function numberClaims(db: Db, phone: string): Promise<NumberClaim[]> {
  return db.call('number_claims', 'select * from number_claims($1)', [phone])
}

export async function removeNumber(tx: Tx, scope: Scope, id: string): Promise<void> {
  await sql`delete from numbers where tenant_id = ${scope.tenantId} and id = ${id}`.execute(tx)
}

export type NumberFilter = {
  kind: NumberKind | null
  country: string | null
  serviceId: string | null
  carrierId: string | null
  number: string | null
}

/** Numbers, newest first, one more than `limit` when there are more. */
export async function listNumbers(
  tx: Tx,
  scope: Scope,
  filter: NumberFilter,
  page: { limit: number; beforeId: string },
): Promise<NumberRow[]> {
  const f = filter
  const { rows } = await sql<NumberRow>`
    select ${columns} from numbers
    where tenant_id = ${scope.tenantId} and id < ${page.beforeId}
      and (${f.kind}::text is null or kind = ${f.kind}::text)
      and (${f.country}::text is null or country = ${f.country}::text)
      and (${f.serviceId}::text is null or service_id = ${f.serviceId}::text)
      and (${f.carrierId}::text is null or carrier_id = ${f.carrierId}::text)
      and (${f.number}::text is null or address = ${f.number}::text)
    order by id desc limit ${page.limit + 1}`.execute(tx)
  return rows
}

/** Whether the tenant has this carrier; it stays until the transaction ends. */
export async function holdCarrier(tx: Tx, scope: Scope, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from carriers where tenant_id = ${scope.tenantId} and id = ${id} for key share`.execute(tx)
  return rows.length > 0
}
