// What records are the same by, looked up: an e-mail in small letters, a number as E.164.
import { sql } from 'kysely'
import type { Scope } from '../data/db.ts'
import type { Sql } from './field.ts'
import type { AnySpec } from './spec.ts'

/** A value in the one spelling that is compared. */
export type Key = { field: string; value: string }

/** The records that have some of these keys, those of the tenant of the transaction, as rows `(field, value, record_id)`. */
export function holdersOf(
  { spec }: { spec: AnySpec },
  { tenantId }: Pick<Scope, 'tenantId'>,
  keys: readonly Key[],
): Sql {
  const asked = [sql`${keys.map(key => key.field)}::text[]`, sql`${keys.map(key => key.value)}::text[]`]
  if (spec.keyFinder !== undefined) return sql`${sql.raw(spec.keyFinder)}(${sql.join(asked)})`
  return sql`(
    select h.field, h.value, h.record_id from unnest(${sql.join(asked)}) as w (field, value)
    join record_keys h on h.tenant_id = ${tenantId} and h.noun = ${spec.names[0]} and h.field = w.field and h.value = w.value)`
}
