// Users as records of nouns name them: owners and the like.
import { sql } from 'kysely'
import type { Target } from '../../../kernel/noun/registry.ts'

export const users: Target = {
  name: 'user',
  called: ({ organizationId }, texts) => sql`
    select t.text, u.id from users u
    join unnest(${texts}::text[]) as t (text) on t.text in (lower(u.email), lower(u.name))
    where u.organization_id = ${organizationId} and u.disabled_at is null`,
  titles: ({ organizationId }, ids) => sql`
    select 'user'::text as noun, u.id::text as id, u.name as title
    from users u where u.organization_id = ${organizationId} and u.id = any(${ids}::bigint[])`,
  async facts(tx, { organizationId }, ids) {
    const { rows } = await sql<{ id: number; role: string; reads: string[] | null }>`
      select id, role, (
        select r.permissions from roles r where r.organization_id = users.organization_id and r.id = users.role_id
      ) as reads from users
      where organization_id = ${organizationId} and id = any(${ids}::bigint[]) and disabled_at is null`.execute(tx)
    return new Map(rows.map(row => [String(row.id), row]))
  },
}
