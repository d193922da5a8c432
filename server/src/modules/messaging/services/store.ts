// SQL of messaging services. Which numbers a service has stands in the numbers.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/db.ts'
import type { ServiceRow } from './rules.ts'

const columns = sql.raw(
  's.id, s.name, s.sticky_sender, s.smart_encoding, s.unknown_outcome, s.validity_seconds, s.callback_url, ' +
    's.duplicate_window_seconds, s.keywords, s.version, s.created_at, s.updated_at, array(select n.id from numbers n ' +
    'where n.tenant_id = s.tenant_id and n.service_id = s.id order by n.id) as senders',
)

export async function insertService(tx: Tx, scope: Scope, row: ServiceRow): Promise<void> {
  await sql`
    insert into messaging_services (tenant_id, id, name, sticky_sender, smart_encoding, unknown_outcome,
      validity_seconds, callback_url, duplicate_window_seconds, keywords, version, created_at, updated_at)
    values (${scope.tenantId}, ${row.id}, ${row.name}, ${row.sticky_sender}, ${row.smart_encoding},
      ${row.unknown_outcome}, ${row.validity_seconds}, ${row.callback_url}, ${row.duplicate_window_seconds},
      ${JSON.stringify(row.keywords)}::json, 1, ${row.created_at}, ${row.created_at})`.execute(tx)
}

export async function findService(tx: Tx, scope: Scope, id: string): Promise<ServiceRow | undefined> {
  const { rows } = await sql<ServiceRow>`
    select ${columns} from messaging_services s where s.tenant_id = ${scope.tenantId} and s.id = ${id}`.execute(tx)
  return rows[0]
}

/** The service with its row locked: its senders change by whoever holds it, or by a number that moves. */
export async function lockService(tx: Tx, scope: Scope, id: string): Promise<ServiceRow | undefined> {
  const { rows } = await sql<ServiceRow>`
    select ${columns} from messaging_services s
    where s.tenant_id = ${scope.tenantId} and s.id = ${id} for no key update of s`.execute(tx)
  return rows[0]
}

/** Whether the tenant has this service; it stays, with the senders it has, until the transaction ends. */
export async function holdService(tx: Tx, scope: Scope, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from messaging_services where tenant_id = ${scope.tenantId} and id = ${id} for share`.execute(tx)
  return rows.length > 0
}

/** Writes a locked service as it is to be, and counts its version up. */
export async function changeService(tx: Tx, scope: Scope, row: ServiceRow, now: string): Promise<void> {
  await sql`
    update messaging_services set name = ${row.name}, sticky_sender = ${row.sticky_sender},
      smart_encoding = ${row.smart_encoding}, unknown_outcome = ${row.unknown_outcome},
      validity_seconds = ${row.validity_seconds}, callback_url = ${row.callback_url},
      duplicate_window_seconds = ${row.duplicate_window_seconds}, keywords = ${JSON.stringify(row.keywords)}::json,
      version = version + 1, updated_at = greatest(${now}::timestamptz, created_at)
    where tenant_id = ${scope.tenantId} and id = ${row.id}`.execute(tx)
}

export async function removeService(tx: Tx, scope: Scope, id: string): Promise<void> {
  await sql`delete from messaging_services where tenant_id = ${scope.tenantId} and id = ${id}`.execute(tx)
}

/** Services, newest first, one more than `limit` when there are more. */
export async function listServices(
  tx: Tx,
  scope: Scope,
  page: { limit: number; beforeId: string },
): Promise<ServiceRow[]> {
  const { rows } = await sql<ServiceRow>`
    select ${columns} from messaging_services s
    where s.tenant_id = ${scope.tenantId} and s.id < ${page.beforeId}
    order by s.id desc limit ${page.limit + 1}`.execute(tx)
  return rows
}

export type Member = { id: string; address: string; service_id: string | null; service_name: string | null }

/** The numbers with these ids and all that are in the service, locked in one order, with the service each is in. */
export async function lockMembers(tx: Tx, scope: Scope, serviceId: string, ids: readonly string[]): Promise<Member[]> {
  const { rows } = await sql<Member>`
    select n.id, n.address, n.service_id,
      (select s.name from messaging_services s where s.tenant_id = n.tenant_id and s.id = n.service_id) as service_name
    from numbers n
    where n.tenant_id = ${scope.tenantId} and (n.id = any (${ids}::text[]) or n.service_id = ${serviceId})
    order by n.id for no key update of n`.execute(tx)
  return rows
}

/** Puts numbers into a service, or into none. */
export async function changeServiceOf(
  tx: Tx,
  scope: Scope,
  ids: readonly string[],
  serviceId: string | null,
  now: string,
): Promise<void> {
  await sql`
    update numbers set service_id = ${serviceId}, version = version + 1,
      updated_at = greatest(${now}::timestamptz, created_at)
    where tenant_id = ${scope.tenantId} and id = any (${ids}::text[])`.execute(tx)
}
