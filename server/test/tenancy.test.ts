// No table escapes tenant isolation: the migrated database itself is asked, so a new table is tested by existing.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type FreshDatabase, freshDatabase } from './cluster.ts'

let database: FreshDatabase
let owner: pg.Client
before(async () => {
  database = await freshDatabase()
  owner = new pg.Client(database.owner)
  await owner.connect()
})
after(async () => {
  await owner?.end()
  await database?.drop()
})

/** Tables that hold no tenant's rows, each with the reason. */
const withoutTenant: Record<string, string> = {
  migrations: 'what the schema is made of',
  instance_secrets: 'keys of the installation; only the owner reads them',
  revocations: 'ids of dead credentials, read by every node',
  account_tokens: 'hashes of what mails bring, from before an organization is known; functions of the engine only',
  backups: 'backups of the installation; functions of the engine only',
  sending_hold: 'whether the installation sends anything, for every organization',
  operators: 'accounts that run the installation; functions of the engine only',
  operator_events: 'what those did; functions of the engine only',
  nodes: 'processes of the installation; functions of the engine only',
  recording_folders: 'folders of machines, and when these were last there; functions of the engine only',
  organization_codes: 'hashes of codes that make an organization; functions of the engine only',
  sign_ups: 'hashes of what mails bring, from before there is an organization; functions of the engine only',
  account_links: 'as account_tokens',
  used_proofs: 'hashes of what may be used once, reached by one function of the engine only',
  oauth_foreign_clients: 'clients that belong to no organization, sealed, reached by functions of the engine only',
  oauth_records:
    'sealed records under keyed hashes, half of them from before an organization is known; functions of the engine only',
  oauth_revoked_tokens: 'keyed hashes of dead access tokens, reached by functions of the engine only',
  login_failures: 'keyed hashes of names that failed to log in, reached by functions of the engine only',
}

/** Tables whose rows belong to an organization as a whole, that is to both its tenants. */
const ofOrganization = [
  'organizations',
  'tenants',
  'users',
  'sessions',
  'api_keys',
  'security_policies',
  'organization_exports',
  'invitations',
  'roles',
  'teams',
  'team_members',
  'hand_overs',
  'ownership_transfers',
  'audit_events',
  'audit_labels',
  'audit_unsealed',
  'audit_chain',
  'audit_seals',
  'audit_expired',
  'audit_policies',
  'audit_streams',
  'oauth_apps',
  'oauth_app_clients',
  'oauth_app_secrets',
  'oauth_grants',
  'oauth_client_policies',
  'oauth_app_errors',
  'organization_domains',
  'sso_connections',
  'sso_identities',
  'scim_settings',
  'scim_users',
  'scim_groups',
  'scim_members',
  'scim_requests',
  'playground_environments',
  'playground_collections',
  'playground_requests',
  'retention_policies',
  'legal_holds',
]

/** Tables whose rows belong to a person, whatever organizations they are members of, and the column that says whose. */
const ofAccount: Record<string, string> = {
  accounts: 'id',
  login_places: 'account_id',
  account_factors: 'account_id',
  recovery_codes: 'account_id',
}

/** Unique keys that must hold over all tenants, each with the reason. */
const globalKeys: Record<string, string> = {
  organizations_pkey: 'the root of all keys',
  tenants_id_key: 'a tenant id alone names a tenant',
  accounts_pkey: "the root of all that is a person's",
  accounts_email_key: 'a person has one account, whatever organizations they are members of',
  users_admin_id_key: 'login names no organization',
  account_factors_credential: 'a passkey names its credential before any account is known',
  organization_domains_verified: 'one organization speaks for a domain',
  sso_connections_id_key: 'the address of a login names its connection before any organization is known',
  invitations_token: 'the link of an invitation names it before any organization is known',
  sessions_id_key: 'a token names its session before any tenant is known',
  numbers_holder: 'a telephone number belongs to one organization',
  oauth_app_clients_id_key: 'a client names itself before any tenant is known',
  oauth_grants_id_key: 'a token names its grant before any tenant is known',
  api_keys_hash_key: 'a key is found by its hash before any tenant is known',
}

async function tables(): Promise<{ name: string; rls: boolean; forced: boolean; owner: string }[]> {
  const { rows } = await owner.query(
    `select relname as name, relrowsecurity as rls, relforcerowsecurity as forced, pg_get_userbyid(relowner) as owner
     from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by relname`,
  )
  return rows
}

function settingOf(table: string): string {
  if (ofAccount[table] !== undefined) return 'app.account_id'
  return ofOrganization.includes(table) ? 'app.organization_id' : 'app.tenant_id'
}

test('every table forces row-level security, or is on the short list', async () => {
  for (const table of await tables()) {
    if (withoutTenant[table.name] !== undefined) continue
    assert.ok(table.rls && table.forced, `${table.name} does not force row-level security`)
  }
})

test('every policy of the application compares the tenant, for reading and for writing', async () => {
  const { rows } = await owner.query<{
    tablename: string
    policyname: string
    roles: string[]
    cmd: string
    qual: string
    with_check: string
  }>("select tablename, policyname, roles::text[], cmd, qual, with_check from pg_policies where schemaname = 'public'")
  for (const { name } of await tables()) {
    if (withoutTenant[name] !== undefined) continue
    const policies = rows.filter(row => row.tablename === name && row.roles.includes('tandem_app'))
    assert.equal(policies.length, 1, `${name} has ${policies.length} policies for the application`)
    const [policy] = policies
    assert.equal(policy?.cmd, 'ALL')
    const setting = settingOf(name)
    for (const rule of [policy?.qual, policy?.with_check]) {
      assert.match(rule ?? '', new RegExp(`= \\( SELECT \\(current_setting\\('${setting}'::text\\)\\)::bigint`), name)
    }
  }
  for (const row of rows) assert.ok(!row.roles.includes('public'), `${row.tablename} has a policy for everybody`)
})

test('every key begins with the tenant', async () => {
  const { rows } = await owner.query<{ table_name: string; index_name: string; first: string }>(
    `select c.relname as table_name, i.relname as index_name,
            coalesce((select attname from pg_attribute a where a.attrelid = c.oid and a.attnum = x.indkey[0]), 'an expression') as first
     from pg_index x join pg_class c on c.oid = x.indrelid join pg_class i on i.oid = x.indexrelid
     where c.relnamespace = 'public'::regnamespace and (x.indisunique or x.indisprimary)`,
  )
  for (const row of rows) {
    if (withoutTenant[row.table_name] !== undefined || globalKeys[row.index_name] !== undefined) continue
    const wanted =
      ofAccount[row.table_name] ?? (ofOrganization.includes(row.table_name) ? 'organization_id' : 'tenant_id')
    assert.equal(row.first, wanted, `${row.index_name} begins with ${row.first}`)
  }
})

test('every foreign key carries the tenant', async () => {
  const { rows } = await owner.query<{ table_name: string; name: string; columns: string[]; target: string }>(
    `select c.conrelid::regclass::text as table_name, c.conname as name, c.confrelid::regclass::text as target,
            array(select a.attname::text from unnest(c.conkey) k join pg_attribute a on a.attrelid = c.conrelid and a.attnum = k) as columns
     from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace`,
  )
  for (const { table_name, name, columns, target } of rows) {
    const key = target === 'organizations' || ofOrganization.includes(target) ? 'organization_id' : 'tenant_id'
    if (target === 'tenants' && columns.length === 1) continue
    if (table_name === 'organizations' && columns.includes('id')) continue
    if (target === 'accounts' && columns.includes('account_id')) continue
    assert.ok(
      columns.includes(key),
      `${table_name}.${name} (${columns}) could point at another tenant's row in ${target}`,
    )
  }
})

test('the application owns nothing and bypasses nothing', async () => {
  const { rows } = await owner.query(
    "select rolname, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb from pg_roles where rolname like 'tandem_%'",
  )
  assert.deepEqual(rows.map(row => row.rolname).sort(), ['tandem_app', 'tandem_backup', 'tandem_engine', 'tandem_jobs'])
  for (const row of rows)
    assert.ok(!row.rolsuper && !row.rolbypassrls && !row.rolcreaterole && !row.rolcreatedb, row.rolname)
  for (const table of await tables())
    assert.ok(!['tandem_app', 'tandem_engine', 'tandem_jobs'].includes(table.owner), table.name)
  const owned = await owner.query("select proname from pg_proc where proowner = 'tandem_app'::regrole")
  assert.deepEqual(owned.rows, [])
  const memberships = await owner.query(
    "select r.rolname from pg_auth_members m join pg_roles r on r.oid = m.roleid join pg_roles u on u.oid = m.member where u.rolname = 'tandem_app'",
  )
  assert.deepEqual(memberships.rows, [])
})

test('views look with the eyes of the caller', async () => {
  const { rows } = await owner.query(
    `select relname, coalesce(array_to_string(reloptions, ','), '') as options from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('v', 'm')`,
  )
  for (const row of rows) assert.match(row.options, /security_invoker=(true|on|1)/, row.relname)
})

test('functions that cross tenants belong to the engine, pin their path, and are closed to the public', async () => {
  const { rows } = await owner.query<{ name: string; owner: string; config: string[] | null; acl: string | null }>(
    `select p.oid::regprocedure::text as name, pg_get_userbyid(proowner) as owner, proconfig as config, proacl::text as acl
     from pg_proc p where pronamespace = 'public'::regnamespace and prosecdef`,
  )
  assert.ok(rows.length > 5)
  for (const row of rows) {
    assert.equal(row.owner, 'tandem_engine', row.name)
    assert.ok(
      row.config?.some(setting => setting.startsWith('search_path=')),
      `${row.name} does not pin search_path`,
    )
    assert.ok(row.acl !== null && !/[{,]=X/.test(row.acl), `${row.name} may be called by everybody: ${row.acl}`)
  }
})

test('without a tenant nothing is read; with one, only its rows; and no row of another can be written', async () => {
  const app = new pg.Client(database.app)
  await app.connect()
  try {
    await owner.query("insert into organizations (name) values ('one'), ('two')")
    await owner.query(
      "insert into tenants (organization_id, mode) select id, mode from organizations, unnest(array['live', 'test']) mode",
    )
    const { rows: tenants } = await owner.query<{ id: number; organization_id: number }>(
      "select id::int, organization_id::int from tenants where mode = 'live' order by id",
    )
    const [one, two] = tenants as [{ id: number; organization_id: number }, { id: number; organization_id: number }]
    for (const tenant of tenants) {
      await owner.query(
        "insert into events (tenant_id, id, type, resource_id, sequence, data) values ($1, 'evt_1', 'a.b', '1', 1, '{}')",
        [tenant.id],
      )
    }
    await assert.rejects(app.query('select * from events'), /app\.tenant_id/)
    await app.query('begin')
    await app.query("select set_config('app.tenant_id', $1, true), set_config('app.organization_id', $2, true)", [
      one.id,
      one.organization_id,
    ])
    const seen = await app.query('select tenant_id::int from events')
    assert.deepEqual(seen.rows, [{ tenant_id: one.id }])
    const named = await app.query('select * from events where tenant_id = $1', [two.id])
    assert.equal(named.rowCount, 0)
    const organizations = await app.query('select id::int from organizations')
    assert.deepEqual(organizations.rows, [{ id: one.organization_id }])
    await assert.rejects(
      app.query(
        "insert into events (tenant_id, id, type, resource_id, sequence, data) values ($1, 'evt_2', 'a.b', '1', 1, '{}')",
        [two.id],
      ),
      /row-level security/,
    )
    await app.query('rollback')
    // A connection that had a tenant does not keep it.
    await assert.rejects(app.query('select * from events'), /invalid input syntax|app\.tenant_id/)
    await assert.rejects(app.query('select * from instance_secrets'), /permission denied/)
    await assert.rejects(app.query('set role tandem_engine'), /permission denied/)
  } finally {
    await app.end()
  }
})
