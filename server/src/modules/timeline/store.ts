// What was put on a record, and what was changed of it, newest first: each kind from its own index, a page at a time.
import { type RawBuilder, sql } from 'kysely'
import type { Scope, Tx } from '../../kernel/data/db.ts'

export type HungKind = 'note' | 'task' | 'attachment'

export type HungRow = {
  kind: HungKind
  id: string
  at: string
  title: string | null
  body: string | null
  status: string | null
  user_id: number
}

type Behind = readonly [at: string, id: string] | undefined

const columns: Readonly<Record<HungKind, RawBuilder<unknown>>> = {
  note: sql`null::text as title, r.body, null::text as status, r.author_id as user_id from notes r`,
  task: sql`r.title, r.body, r.status, r.created_by as user_id from tasks r`,
  attachment: sql`r.name as title, null::text as body, r.content_type::text as status, r.uploaded_by as user_id from attachments r`,
}

/** Notes, tasks and files of a record, by when they were put there. */
export async function listHung(
  tx: Tx,
  { tenantId }: Scope,
  recordId: string,
  kinds: readonly HungKind[],
  [at, id]: readonly [string, string] = ['infinity', ''],
  limit: number,
): Promise<HungRow[]> {
  if (kinds.length === 0) return []
  const parts = kinds.map(
    kind => sql`(
      select ${kind}::text as kind, r.id, r.created_at as at, ${columns[kind]}
      where r.tenant_id = ${tenantId} and r.record_id = ${recordId} and r.deleted_at is null
        and (r.created_at, r.id) < (${at}::timestamptz, ${id}::text)
      order by r.created_at desc, r.id desc limit ${limit})`,
  )
  const { rows } = await sql<HungRow>`${sql.join(parts, sql` union all `)}`.execute(tx)
  return rows
}

export type ChangeRow = {
  id: string
  at: string
  version: number
  user_id: number | null
  source: string
  difference: Record<string, [from: unknown, to: unknown]>
}

/** What was changed of a record. */
export async function listChanges(
  tx: Tx,
  { tenantId }: Scope,
  recordId: string,
  behind: Behind,
  limit: number,
): Promise<ChangeRow[]> {
  const [at, id] = behind ?? ['infinity', '']
  const { rows } = await sql<ChangeRow>`
    select c.* from (
      select record_id || '.' || lpad(version::text, 9, '0') as id, at, version, user_id, source, difference from changes
      where tenant_id = ${tenantId} and record_id = ${recordId}
    ) c
    where (c.at, c.id) < (${at}::timestamptz, ${id}::text)
    order by c.at desc, c.id desc limit ${limit}`.execute(tx)
  return rows
}
