// How the contract test meets apps, their secrets, and authorizations.
import type { ModuleContract } from '../contract_types.ts'
import type { TestApp, TestOrganization } from '../harness.ts'

async function newApp(t: TestApp, organization: TestOrganization = t.main, kind = 'machine'): Promise<string> {
  // An organization has only so many.
  await t.ownerSql(`update oauth_apps set deleted_at = now() where name = 'made' and deleted_at is null`)
  const body = { name: 'made', kind, scopes: ['leads:read'] }
  const { json } = await t.call('POST', '/v2/auth/apps', { as: organization.tokens.Admin, body })
  return json.data.appId
}

async function newSecret(t: TestApp, organization: TestOrganization = t.main) {
  const appId = await newApp(t, organization)
  const options = { as: organization.tokens.Admin, body: { mode: 'live' } }
  const { json } = await t.call('POST', `/v2/auth/apps/${appId}/secrets`, options)
  return { appId, secretId: json.data.secretId as string }
}

let made = 0

/** What the Admin of an organization has let a client do. */
async function newAuthorization(t: TestApp, { organizationId, liveTenantId, users }: TestOrganization = t.main) {
  const id = `gra_01k9r7d3w2v8e6q4n5m1b${String(++made).padStart(5, '0')}`
  await t.ownerSql(
    `insert into oauth_grants (organization_id, id, tenant_id, mode, client_id, client_name, user_id, scopes, resource, expires_at)
     values ($1, $2, $3, 'live', 'dyn_x', 'Assistant', $4, '{leads:read}', 'http://127.0.0.1', now() + interval '1 day')`,
    [organizationId, id, liveTenantId, users.Admin.id],
  )
  return { authorizationId: id }
}

async function newClient(t: TestApp, { organizationId }: TestOrganization = t.main) {
  const clientId = `https://assistant.example.com/${++made}.json`
  await t.ownerSql(
    `insert into oauth_client_policies (organization_id, client_id, client_name) values ($1, $2, 'Assistant')`,
    [organizationId, clientId],
  )
  return { clientId }
}

const nobody = async () => ({ params: { appId: 'app_01k9r7d3w2v8e6q4n5m1b0c9xz' } })
const badRedirect = async () => ({
  body: { kind: 'public', name: 'made', scopes: ['leads:read'], redirectUris: ['http://a.example/cb'] },
})
const ofApp = {
  prepare: async (t: TestApp) => ({ params: { appId: await newApp(t) } }),
  problems: { not_found: nobody },
  foreign: async (t: TestApp) => ({ params: { appId: await newApp(t, t.other) } }),
}

/** As many apps as there may be. */
async function fullOfApps(t: TestApp): Promise<object> {
  await t.ownerSql(
    `insert into oauth_apps (organization_id, id, name, kind, scopes, service_user_id, created_by)
     select $1, 'app_01k9r7d3w2v8e6q4n5m1b' || lpad(n::text, 5, '0'), 'made', 'machine', '{leads:read}', $2, $2
     from generate_series(1, 100) n on conflict (organization_id, id) do update set deleted_at = null`,
    [t.main.organizationId, t.main.users.Admin.id],
  )
  return {}
}

export const contract: ModuleContract = {
  'apps.create': {
    async prepare(t) {
      await t.ownerSql(`update oauth_apps set deleted_at = now() where deleted_at is null`)
      return {}
    },
    problems: { redirect_uri_not_allowed: badRedirect, too_many_apps: fullOfApps },
  },
  'apps.get': ofApp,
  'apps.update': {
    ...ofApp,
    problems: {
      not_found: nobody,
      redirect_uri_not_allowed: async t => ({
        params: { appId: await newApp(t, t.main, 'public') },
        body: { redirectUris: ['javascript:alert(1)'] },
      }),
    },
  },
  'apps.delete': ofApp,
  'apps.sign_out': ofApp,
  'apps.list_authorizations': ofApp,
  'apps.list_errors': ofApp,
  'app_secrets.create': {
    ...ofApp,
    problems: {
      not_found: nobody,
      app_has_no_secrets: async t => ({ params: { appId: await newApp(t, t.main, 'public') } }),
      async too_many_secrets(t) {
        const { appId } = await newSecret(t)
        const options = { as: t.main.tokens.Admin, body: { mode: 'live' } }
        await t.call('POST', `/v2/auth/apps/${appId}/secrets`, options)
        return { params: { appId } }
      },
    },
  },
  'app_secrets.delete': {
    prepare: async t => ({ params: await newSecret(t) }),
    problems: {
      not_found: async t => ({ params: { appId: await newApp(t), secretId: 'osc_01k9r7d3w2v8e6q4n5m1b0c9xz' } }),
    },
    foreign: async t => ({ params: await newSecret(t, t.other) }),
  },
  'authorizations.revoke': {
    prepare: async t => ({ params: await newAuthorization(t) }),
    problems: { not_found: async () => ({ params: { authorizationId: 'gra_01k9r7d3w2v8e6q4n5m1b0c9xz' } }) },
    foreign: async t => ({ params: await newAuthorization(t, t.other) }),
  },
  'oauth_clients.set_policy': {
    prepare: async t => ({ params: await newClient(t) }),
    problems: { not_found: async () => ({ params: { clientId: 'dyn_nobody' } }) },
    foreign: async t => ({ params: await newClient(t, t.other) }),
  },
}
