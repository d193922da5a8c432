// SQL of the error log of apps.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'

export type ErrorRow = {
  id: string
  app_id: string
  client_id: string
  mode: 'live' | 'test'
  path: string
  status: number
  error: string
  description: string | null
  detail: string | null
  ip: string | null
  user_agent: string | null
  request_id: string
  created_at: string
}

const columns = sql.raw(
  'id, app_id, client_id, mode, path, status, error, description, detail, ip, user_agent, request_id, created_at',
)

export async function insertAppError(
  tx: Tx,
  { organizationId }: Scope,
  row: Omit<ErrorRow, 'created_at'>,
): Promise<void> {
  await sql`
    insert into oauth_app_errors (organization_id, id, app_id, client_id, mode, path, status, error, description, detail, ip,
      user_agent, request_id)
    values (${organizationId}, ${row.id}, ${row.app_id}, ${row.client_id}, ${row.mode}, ${row.path}, ${row.status},
      ${row.error}, ${row.description}, ${row.detail}, ${row.ip}, ${row.user_agent}, ${row.request_id})`.execute(tx)
}

/** Newest first, one more than `limit` when there are more. */
export async function listAppErrors(
  tx: Tx,
  { organizationId }: Scope,
  { appId, mode, error }: { appId: string; mode?: 'live' | 'test' | undefined; error?: string | undefined },
  page: { limit: number; beforeId: string | undefined },
): Promise<ErrorRow[]> {
  const conditions = [sql`organization_id = ${organizationId}`, sql`app_id = ${appId}`]
  if (mode !== undefined) conditions.push(sql`mode = ${mode}`)
  if (error !== undefined) conditions.push(sql`error = ${error}`)
  if (page.beforeId !== undefined) conditions.push(sql`id < ${page.beforeId}`)
  const { rows } = await sql<ErrorRow>`
    select ${columns} from oauth_app_errors where ${sql.join(conditions, sql` and `)}
    order by id desc limit ${page.limit + 1}`.execute(tx)
  return rows
}
