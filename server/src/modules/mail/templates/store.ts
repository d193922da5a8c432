// SQL of mail templates in an organization's own words.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { resourceRows } from '../../../kernel/resource/rows.ts'
import { localesFor, type TemplateRow } from './rules.ts'

const columnsText = 'r.id, r.key, r.locale, r.subject, r.text, r.html, r.version, r.created_at, r.updated_at'

export const templates = resourceRows<TemplateRow, 'key' | 'locale'>({
  table: 'mail_templates',
  columns: columnsText,
  filters: { key: 'key', locale: 'locale' },
})

/** The words of a key that serve a locale best, and the name of the organization. */
export async function findWords(
  tx: Tx,
  { tenantId, organizationId }: Scope,
  key: string,
  locale: string | undefined,
): Promise<{ organization: string; own: TemplateRow | undefined }> {
  const { rows } = await sql<Partial<TemplateRow> & { organization: string }>`
    select o.name as organization, r.*
    from organizations o left join lateral (
      select ${sql.raw(columnsText)} from mail_templates r
      where r.tenant_id = ${tenantId} and r.key = ${key} and r.locale = any(${localesFor(locale)}::text[])
      order by length(r.locale) desc limit 1) r on true
    where o.id = ${organizationId}`.execute(tx)
  const [found] = rows
  return { organization: found?.organization ?? '', own: found?.id == null ? undefined : (found as TemplateRow) }
}

export async function organizationName(tx: Tx, { organizationId }: Scope): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from organizations where id = ${organizationId}`.execute(tx)
  return rows[0]?.name ?? ''
}
