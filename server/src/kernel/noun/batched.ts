// The filter by what changed records together, which every noun has: an import, a change of many, or what took one back. Served by the
// index of the histories.
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Filter } from './field.ts'
import { idsOf, rowId } from './record_ids.ts'
import type { AnySpec } from './spec.ts'

export const batchFilter = (spec: AnySpec): Filter => ({
  parameter: 'batch_id',
  schema: Type.String({
    pattern: '^bat_[0-7][0-9a-hjkmnp-tv-z]{25}$',
    errorMessage: 'must be the id of a batch',
    description:
      'Only records that this batch created or changed: the `batch_id` of an import, or of a change of many.',
  }),
  condition: (value: string) =>
    sql`r.id in (select ${rowId(idsOf(spec), sql`h.record_id`)} from changes h where h.tenant_id = r.tenant_id and h.batch_id = ${value})`,
})
