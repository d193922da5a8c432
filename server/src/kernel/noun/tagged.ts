// Filters by tags, which every noun has whose records hold others. Served by the index of the tag, or by that of the record: whichever
// reads less.
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Filter, Sql } from './field.ts'
import { type Host, isHost } from './hosts.ts'
import { idsOf, rowId } from './record_ids.ts'
import type { AnySpec } from './spec.ts'

const id = 'tag_[0-7][0-9a-hjkmnp-tv-z]{25}'

const TagList = Type.String({
  pattern: `^(?:none|${id})(?:,(?:none|${id})){0,19}$`,
  errorMessage: 'must be ids of tags, or none, with commas between',
  description: 'Only records with any of these tags, by id; `none` for those without a tag.',
})
const AllTags = Type.String({
  pattern: `^${id}(?:,${id}){0,19}$`,
  errorMessage: 'must be ids of tags, with commas between',
  description: 'Only records with all of these tags, by id.',
})

type TagQuery = { tags?: string; 'tags[all]'?: string }

/** What a query asks of tags, as conditions on the rows `r`. */
function tagConditions(
  host: Pick<Host, 'name' | 'isNumbered' | 'prefix'>,
  { tags, 'tags[all]': all }: TagQuery,
): Sql[] {
  const [tenantId, id] = [sql.ref('r.tenant_id'), sql.ref('r.id')]
  const recordId = rowId(host, sql`k.record_id`)
  const tagged = (which: Sql) => sql`
    select ${recordId} from record_tags k join tags t on t.tenant_id = k.tenant_id and t.id = k.tag_id
    where k.tenant_id = ${tenantId} and k.noun = ${host.name} and t.deleted_at is null and ${which}`
  const has = (which: Sql) => sql`${id} in (${tagged(which)})`
  const conditions = (all?.split(',') ?? []).map(tag => has(sql`k.tag_id = ${tag}`))
  if (tags === undefined) return conditions
  const asked = tags.split(',')
  const named = asked.filter(tag => tag !== 'none')
  const any = has(sql`k.tag_id = any(${named}::text[])`)
  const none = sql`not exists (${tagged(sql`${recordId} = ${id}`)})`
  return [...conditions, asked.includes('none') ? sql`(${none} or ${any})` : any]
}

export function tagFilters(spec: AnySpec): Filter[] {
  if (!isHost(spec)) return []
  const host = { name: spec.names[0], ...idsOf(spec) }
  const filter = (parameter: keyof TagQuery, schema: Filter['schema']): Filter => ({
    parameter,
    schema,
    condition: (value: string) => sql.join(tagConditions(host, { [parameter]: value }), sql` and `),
  })
  return [filter('tags', TagList), filter('tags[all]', AllTags)]
}
