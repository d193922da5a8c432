// SQL of numbers and sender ids.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { resourceRows } from '../../../kernel/resource/rows.ts'
import type { NumberRow, Ownership } from './rules.ts'

/** Of a number, as `NumberRow` has them. */
export const columnsText =
  'r.id, r.kind, r.address, r.country, r.label, r.service_id, r.carrier_id, r.sms, r.voice, ' +
  'r.segments_per_second::float8 as segments_per_second, r.callback_url, r.creates_leads, r.ownership, r.version, ' +
  'r.created_at, r.updated_at'
const columns = sql.raw(columnsText)

export const numbers = resourceRows<NumberRow, 'kind' | 'country' | 'serviceId' | 'carrierId' | 'number'>({
  table: 'numbers',
  columns: columnsText,
  filters: {
    kind: 'kind',
    country: 'country',
    serviceId: 'service_id',
    carrierId: 'carrier_id',
    number: 'address',
  },
})

export async function findNumberByAddress(tx: Tx, scope: Scope, address: string): Promise<NumberRow | undefined> {
  const { rows } = await sql<NumberRow>`
    select ${columns} from numbers r where tenant_id = ${scope.tenantId} and address = ${address}`.execute(tx)
  return rows[0]
}

/** What opt-outs of a sender are of, at this moment and until the transaction ends: its service, which stays, or its address. */
export async function holdScopeOf(tx: Tx, scope: Scope, address: string): Promise<string> {
  const { rows } = await sql<{ service_id: string | null }>`
    select service_id from numbers where tenant_id = ${scope.tenantId} and address = ${address} for share`.execute(tx)
  return rows[0]?.service_id ?? address
}

/** Those of these numbers that the tenant has. */
export async function findNumbersByAddress(tx: Tx, scope: Scope, addresses: readonly string[]): Promise<NumberRow[]> {
  const { rows } = await sql<NumberRow>`
    select ${columns} from numbers r
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
      update numbers r set ownership = ${ownership}, version = version + 1,
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

/** Whether the tenant has this carrier; it stays until the transaction ends. */
export async function holdCarrier(tx: Tx, scope: Scope, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from carriers where tenant_id = ${scope.tenantId} and id = ${id} for key share`.execute(tx)
  return rows.length > 0
}
