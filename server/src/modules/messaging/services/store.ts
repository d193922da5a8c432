// SQL of messaging services. Which numbers a service has is in the numbers.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { resourceRows } from '../../../kernel/resource/rows.ts'
import type { ServiceRow } from './rules.ts'

/** With the ids of its numbers; these change by anyone who has it locked, or by a number that moves. */
export const messagingServices = resourceRows<ServiceRow>({
  table: 'messaging_services',
  columns:
    'r.id, r.name, r.sticky_sender, r.smart_encoding, r.unknown_outcome, r.validity_seconds, r.callback_url, ' +
    'r.duplicate_window_seconds, r.keywords, r.version, r.created_at, r.updated_at, array(select n.id from numbers n ' +
    'where n.tenant_id = r.tenant_id and n.service_id = r.id order by n.id) as senders',
  json: ['keywords'],
})

/** Whether the tenant has this service; it stays, with the senders it has, until the transaction ends. */
export const holdService = messagingServices.hold

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
