// What is asked of the database before a text is taken in: whether it went to its recipient already, within the duplicate window of its
// service, and which sender of a service is to send it.
import { CompiledQuery } from 'kysely'
import type { Db, Scope } from '../../../kernel/db.ts'
import { textArray, textColumn } from '../../../kernel/pg_array.ts'
import type { Holder } from '../../../kernel/quota.ts'
import { callText } from './store.ts'

const duplicateText = callText('find_duplicate_message', 5)

/** A text that may have gone to its recipient already. */
export type Suspect = { serviceId: string; to: string; body: string; since: string }

/** The id of a message with the same text to the same recipient, taken in since then and not failed; undefined when there is none. */
export async function findDuplicate(
  db: Db,
  holder: Holder,
  { serviceId, to, body, since }: Suspect,
): Promise<string | undefined> {
  const values = [holder.tenantId, serviceId, to, body, since]
  const rows = await db.call<{ id: string }>('find_duplicate_message', duplicateText, values, holder)
  return rows[0]?.id
}

const duplicatesText = `select u.n::integer as n, f.id
  from unnest($2::text[], $3::text[], $4::text[], $5::timestamptz[]) with ordinality as u (service_id, recipient, body, since, n),
    lateral find_duplicate_message($1, u.service_id, u.recipient, u.body, u.since) f`

/** The same of many, in their order, by one query. */
export async function findDuplicates(
  db: Db,
  scope: Scope,
  suspects: readonly Suspect[],
): Promise<(string | undefined)[]> {
  const found: (string | undefined)[] = new Array(suspects.length).fill(undefined)
  if (suspects.length === 0) return found
  const rows = await db.inTenant(scope, async tx => {
    const query = CompiledQuery.raw(duplicatesText, [
      scope.tenantId,
      textColumn(suspects, item => item.serviceId),
      textColumn(suspects, item => item.to),
      textColumn(suspects, item => item.body),
      suspects.map(item => item.since),
    ])
    return (await tx.executeQuery(query)).rows as { n: number; id: string }[]
  })
  for (const { n, id } of rows) found[n - 1] = id
  return found
}

export type ServiceSender = { sender: string; known: boolean; waits_seconds: number }

/** What decides between the senders of a service: whom the recipient knows, and how long each one has to send already. */
export function readServiceSenders(
  db: Db,
  { tenantId, mode, serviceId, to }: Holder & { serviceId: string; to: string },
  candidates: readonly string[],
): Promise<ServiceSender[]> {
  const values = [tenantId, serviceId, to, textArray(candidates)]
  return db.call('service_senders', callText('service_senders', 4), values, { tenantId, ...(mode && { mode }) })
}
