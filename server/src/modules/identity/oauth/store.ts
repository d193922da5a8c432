// SQL of apps, of their clients and secrets. They belong to the organization; each client acts in one of its tenants.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Permission } from '../../../kernel/values/permission.ts'
import type { AppKind } from './rules.ts'

export type SecretRow = {
  id: string
  client_id: string
  last_four: string
  last_used_at: string | null
  created_at: string
}
export type ClientRow = { client_id: string; mode: 'live' | 'test'; secrets: SecretRow[] }
export type AppRow = {
  id: string
  name: string
  description: string | null
  homepage_url: string | null
  privacy_url: string | null
  kind: AppKind
  redirect_uris: string[]
  scopes: Permission[]
  require_par: boolean
  status: 'active' | 'suspended'
  service_user_id: number
  tokens_not_before: string | null
  created_by: number
  version: number
  created_at: string
  updated_at: string
  clients: ClientRow[]
}

type Bare = Omit<AppRow, 'clients'>

const columns = sql.raw(
  `a.id, a.name, a.description, a.homepage_url, a.privacy_url, a.kind, a.redirect_uris, a.scopes, a.require_par, a.status,
   a.service_user_id, a.tokens_not_before, a.created_by, a.version, a.created_at, a.updated_at`,
)
const secretColumns = sql.raw('s.id, s.client_id, s.last_four, s.last_used_at, s.created_at')

async function withClients(tx: Tx, { organizationId }: Scope, apps: readonly Bare[]): Promise<AppRow[]> {
  if (apps.length === 0) return []
  const ids = apps.map(app => app.id)
  const clients = await sql<{ app_id: string; client_id: string; mode: 'live' | 'test' }>`
    select app_id, client_id, mode from oauth_app_clients
    where organization_id = ${organizationId} and app_id = any(${ids}) order by mode`.execute(tx)
  const secrets = await sql<SecretRow>`
    select ${secretColumns} from oauth_app_secrets s
    where s.organization_id = ${organizationId} and s.client_id = any(${clients.rows.map(row => row.client_id)})
    order by s.id desc`.execute(tx)
  return apps.map(app => ({
    ...app,
    clients: clients.rows
      .filter(client => client.app_id === app.id)
      .map(({ client_id, mode }) => ({
        client_id,
        mode,
        secrets: secrets.rows.filter(secret => secret.client_id === client_id),
      })),
  }))
}

export async function findApp(tx: Tx, scope: Scope, id: string): Promise<AppRow | undefined> {
  return (await withClients(tx, scope, await select(tx, scope, id, sql``)))[0]
}

/** The app with its row locked until the transaction ends. */
export async function lockApp(tx: Tx, scope: Scope, id: string): Promise<AppRow | undefined> {
  return (await withClients(tx, scope, await select(tx, scope, id, sql`for no key update of a`)))[0]
}

async function select(tx: Tx, { organizationId }: Scope, id: string, lock: ReturnType<typeof sql>): Promise<Bare[]> {
  const { rows } = await sql<Bare>`
    select ${columns} from oauth_apps a
    where a.organization_id = ${organizationId} and a.id = ${id} and a.deleted_at is null ${lock}`.execute(tx)
  return rows
}

/** Newest first, one more than `limit` when there are more. */
export async function listApps(
  tx: Tx,
  scope: Scope,
  { status }: { status?: string | undefined },
  page: { limit: number; beforeId: string | undefined },
): Promise<AppRow[]> {
  const { rows } = await sql<Bare>`
    select ${columns} from oauth_apps a
    where a.organization_id = ${scope.organizationId} and a.deleted_at is null
      and ${status === undefined ? sql`true` : sql`a.status = ${status}`}
      and ${page.beforeId === undefined ? sql`true` : sql`a.id < ${page.beforeId}`}
    order by a.id desc limit ${page.limit + 1}`.execute(tx)
  return withClients(tx, scope, rows)
}

/** How many apps there are; until the transaction ends nobody else adds one. */
export async function countApps(tx: Tx, { organizationId }: Scope): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended('oauth_apps', ${organizationId}))`.execute(tx)
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from oauth_apps where organization_id = ${organizationId} and deleted_at is null`.execute(
    tx,
  )
  return rows[0]!.count
}

export type NewApp = Pick<
  AppRow,
  | 'id'
  | 'name'
  | 'description'
  | 'homepage_url'
  | 'privacy_url'
  | 'kind'
  | 'redirect_uris'
  | 'scopes'
  | 'require_par'
  | 'created_by'
> & { clients: readonly { client_id: string; mode: 'live' | 'test'; tenant_id: number }[] }

/** An app, the user that it acts as in its own name, and what it is called in each mode. */
export async function insertApp(tx: Tx, scope: Scope, { clients, ...app }: NewApp): Promise<AppRow> {
  const { organizationId } = scope
  const user = await sql<{ id: number }>`
    insert into users (organization_id, kind, email, name, role)
    values (${organizationId}, 'app', ${`${app.id}@apps.invalid`}, ${app.name}, 'Admin') returning id`.execute(tx)
  const { rows } = await sql<Bare>`
    insert into oauth_apps as a (organization_id, id, name, description, homepage_url, privacy_url, kind, redirect_uris, scopes,
      require_par, created_by, service_user_id)
    values (${organizationId}, ${app.id}, ${app.name}, ${app.description}, ${app.homepage_url}, ${app.privacy_url}, ${app.kind},
      ${app.redirect_uris}, ${app.scopes}, ${app.require_par}, ${app.created_by}, ${user.rows[0]!.id})
    returning ${columns}`.execute(tx)
  for (const { client_id, mode, tenant_id } of clients)
    await sql`
      insert into oauth_app_clients (organization_id, client_id, app_id, tenant_id, mode)
      values (${organizationId}, ${client_id}, ${app.id}, ${tenant_id}, ${mode})`.execute(tx)
  return (await withClients(tx, scope, rows))[0]!
}

export type AppChange = Partial<
  Pick<
    AppRow,
    | 'name'
    | 'description'
    | 'homepage_url'
    | 'privacy_url'
    | 'redirect_uris'
    | 'scopes'
    | 'require_par'
    | 'status'
    | 'tokens_not_before'
  >
>

/** Changes a locked app, counts its version up, and calls its user as it is called now. */
export async function changeApp(tx: Tx, scope: Scope, id: string, change: AppChange): Promise<AppRow> {
  const sets = Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => sql`, ${sql.ref(name)} = ${value}`)
  const { rows } = await sql<Bare>`
    update oauth_apps as a set version = a.version + 1, updated_at = now() ${sql.join(sets, sql` `)}
    where a.organization_id = ${scope.organizationId} and a.id = ${id} returning ${columns}`.execute(tx)
  if (change.name !== undefined)
    await sql`
      update users set name = ${change.name}
      where organization_id = ${scope.organizationId} and id = ${rows[0]!.service_user_id}`.execute(tx)
  return (await withClients(tx, scope, rows))[0]!
}

/** What it did stays named by its user, who can do nothing any more. */
export async function removeApp(tx: Tx, { organizationId }: Scope, { id, service_user_id }: AppRow): Promise<void> {
  await sql`
    delete from oauth_app_secrets s using oauth_app_clients c
    where s.organization_id = ${organizationId} and c.organization_id = s.organization_id and c.client_id = s.client_id
      and c.app_id = ${id}`.execute(tx)
  await sql`
    update oauth_apps set deleted_at = now() where organization_id = ${organizationId} and id = ${id}`.execute(tx)
  await sql`
    update users set disabled_at = now()
    where organization_id = ${organizationId} and id = ${service_user_id}`.execute(tx)
}

export async function insertSecret(
  tx: Tx,
  { organizationId }: Scope,
  secret: { id: string; client_id: string; hash: Buffer; pepper_version: number; last_four: string },
): Promise<SecretRow> {
  const { rows } = await sql<SecretRow>`
    insert into oauth_app_secrets as s (organization_id, id, client_id, hash, pepper_version, last_four)
    values (${organizationId}, ${secret.id}, ${secret.client_id}, ${secret.hash}, ${secret.pepper_version}, ${secret.last_four})
    returning ${secretColumns}`.execute(tx)
  return rows[0]!
}

export async function removeSecret(tx: Tx, { organizationId }: Scope, id: string): Promise<void> {
  await sql`delete from oauth_app_secrets where organization_id = ${organizationId} and id = ${id}`.execute(tx)
}
