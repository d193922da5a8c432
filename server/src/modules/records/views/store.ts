// All SQL of saved views and of the views that lists open with.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { ViewRow } from './rules.ts'

type Viewer = Scope & { userId: number }

const columns = sql`v.tenant_id, v.id, v.noun, v.owner_id, v.name, v.shared, v.layout, v.columns, v.filters, v.sort, v.group_by,
  v.version, v.created_at, v.updated_at, d.view_id is not null as is_default`

const views = ({ userId }: Viewer) => sql`
  saved_views v left join default_views d
  on d.tenant_id = v.tenant_id and d.user_id = ${userId} and d.noun = v.noun and d.view_id = v.id`

/** Own views and shared ones, of one noun or of these, by name. */
export async function listViews(tx: Tx, viewer: Viewer, nouns: readonly string[], limit: number): Promise<ViewRow[]> {
  const { rows } = await sql<ViewRow>`
    select ${columns} from ${views(viewer)}
    where v.tenant_id = ${viewer.tenantId} and v.noun = any(${nouns}::text[])
      and (v.owner_id = ${viewer.userId} or v.shared)
    order by v.noun, v.name collate "und-x-icu", v.id limit ${limit}`.execute(tx)
  return rows
}

export async function findView(
  tx: Tx,
  viewer: Viewer,
  id: string,
  { locked = false } = {},
): Promise<ViewRow | undefined> {
  const { rows } = await sql<ViewRow>`
    select ${columns} from ${views(viewer)}
    where v.tenant_id = ${viewer.tenantId} and v.id = ${id} ${locked ? sql`for update of v` : sql``}`.execute(tx)
  return rows[0]
}

/** How many views somebody has of a noun; counted one request at a time. */
export async function countOwnViews(tx: Tx, { tenantId, userId }: Viewer, noun: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`views ${userId} ${noun}`}, ${tenantId}::bigint))`.execute(
    tx,
  )
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from saved_views
    where tenant_id = ${tenantId} and noun = ${noun} and owner_id = ${userId}`.execute(tx)
  return rows[0]?.count ?? 0
}

export async function insertView(tx: Tx, view: Omit<ViewRow, 'is_default'>): Promise<void> {
  const { tenant_id, id, noun, owner_id, name, shared, layout, sort, group_by, version, created_at, updated_at } = view
  await sql`
    insert into saved_views (tenant_id, id, noun, owner_id, name, shared, layout, columns, filters, sort, group_by, version,
      created_at, updated_at)
    values (${tenant_id}, ${id}, ${noun}, ${owner_id}, ${name}, ${shared}, ${layout}, ${JSON.stringify(view.columns)}::json,
      ${JSON.stringify(view.filters)}::json, ${sort}, ${group_by}, ${version}, ${created_at}, ${updated_at})`.execute(
    tx,
  )
}

/** Writes a locked view as it is now. */
export async function changeView(tx: Tx, view: ViewRow): Promise<void> {
  const { tenant_id, id, name, shared, layout, sort, group_by, version, updated_at } = view
  await sql`
    update saved_views set name = ${name}, shared = ${shared}, layout = ${layout}, columns = ${JSON.stringify(view.columns)}::json,
      filters = ${JSON.stringify(view.filters)}::json, sort = ${sort}, group_by = ${group_by}, version = ${version},
      updated_at = ${updated_at}
    where tenant_id = ${tenant_id} and id = ${id}`.execute(tx)
}

export async function removeView(tx: Tx, { tenantId }: Scope, id: string): Promise<void> {
  await sql`delete from saved_views where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

/** The view that a list opens with for somebody; null for that of the list itself. */
export async function setDefaultView(
  tx: Tx,
  { tenantId, userId }: Viewer,
  noun: string,
  viewId: string | null,
): Promise<void> {
  if (viewId === null)
    await sql`
      delete from default_views where tenant_id = ${tenantId} and user_id = ${userId} and noun = ${noun}`.execute(tx)
  else
    await sql`
      insert into default_views (tenant_id, user_id, noun, view_id) values (${tenantId}, ${userId}, ${noun}, ${viewId})
      on conflict (tenant_id, user_id, noun) do update set view_id = excluded.view_id`.execute(tx)
}

export async function countViewsOf(tx: Tx, { tenantId }: Scope, userId: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from saved_views where tenant_id = ${tenantId} and owner_id = ${userId}`.execute(tx)
  return Number(rows[0]?.count ?? 0)
}

/** Gives views to another owner; what lists open with for the one before is forgotten. */
export async function giveViews(
  tx: Tx,
  { tenantId }: Scope,
  { from, to, nowIso }: { from: number; to: number; nowIso: string },
  limit: number,
): Promise<Omit<ViewRow, 'is_default'>[]> {
  await sql`delete from default_views where tenant_id = ${tenantId} and user_id = ${from}`.execute(tx)
  const { rows } = await sql<Omit<ViewRow, 'is_default'>>`
    update saved_views v set owner_id = ${to}, version = v.version + 1, updated_at = ${nowIso}
    where v.tenant_id = ${tenantId} and v.id = any (array(
      select o.id from saved_views o where o.tenant_id = ${tenantId} and o.owner_id = ${from} order by o.id limit ${limit} for update))
    returning v.tenant_id, v.id, v.noun, v.owner_id, v.name, v.shared, v.layout, v.columns, v.filters, v.sort, v.group_by,
      v.version, v.created_at, v.updated_at`.execute(tx)
  return rows
}
