// How the contract test meets API keys.
import type { ModuleContract } from '../contract_types.ts'
import { type TestApp, type TestOrganization, testPassword } from '../harness.ts'

/** Ends what was made here before: a user has only so many keys at a time. */
async function makeRoom(t: TestApp): Promise<void> {
  await t.sql(
    `update api_keys set revoked_at = clock_timestamp()
     where name in ('made', 'narrow', 'Website') and revoked_at is null`,
  )
}

async function newKey(t: TestApp, organization: TestOrganization = t.main) {
  await makeRoom(t)
  const body = { name: 'made', mode: 'live' }
  const { json } = await t.call('POST', '/v2/auth/api-keys', { as: organization.tokens.Admin, body })
  return { keyId: json.data.keyId as string, secret: json.data.secret as string }
}

const params = async (t: TestApp) => ({ params: { keyId: (await newKey(t)).keyId } })
const foreign = async (t: TestApp) => ({ params: { keyId: (await newKey(t, t.other)).keyId } })
const nobody = async () => ({ params: { keyId: 'key_01k9r7d3w2v8e6q4n5m1b0c9xz' } })

/** A key that may manage keys, but nothing else. */
async function narrowKey(t: TestApp): Promise<string> {
  const body = { name: 'narrow', mode: 'live', scopes: ['keys:manage'] }
  const { json } = await t.call('POST', '/v2/auth/api-keys', { as: t.main.tokens.Admin, body })
  return json.data.secret
}

async function testToken(t: TestApp): Promise<string> {
  const body = { emailOrAdminId: t.main.users.Admin.email, password: testPassword, mode: 'test' }
  const { json } = await t.call('POST', '/v1/api/auth/login', { body })
  return json.accessToken
}

async function tokenOfKey(t: TestApp): Promise<string> {
  const { keyId } = await newKey(t)
  const { json } = await t.call('POST', `/v2/auth/api-keys/${keyId}/tokens`, { as: t.main.tokens.Admin })
  return json.data.token
}

/** Somebody who has as many keys as one may have. */
async function fullOfKeys(t: TestApp): Promise<string> {
  const as = t.main.tokens['Sales Executive']
  for (;;) {
    const answer = await t.call('POST', '/v2/auth/api-keys', { as, body: { name: 'full', mode: 'test' } })
    if (answer.json.error?.code === 'too_many_keys') return as
  }
}

export const contract: ModuleContract = {
  'api_keys.create': {
    async prepare(t) {
      await makeRoom(t)
      return {}
    },
    problems: {
      scope_not_held: async t => ({ as: await narrowKey(t) }),
      person_required: async t => ({ as: await tokenOfKey(t) }),
      too_many_keys: async t => ({ as: await fullOfKeys(t) }),
    },
  },
  'api_keys.revoke': {
    prepare: params,
    problems: {
      not_found: nobody,
      live_mode_required: async t => ({ ...(await params(t)), as: await testToken(t) }),
    },
    foreign,
  },
  'api_keys.rotate': {
    prepare: params,
    problems: {
      not_found: nobody,
      async key_not_active(t) {
        const { keyId } = await newKey(t)
        await t.call('DELETE', `/v2/auth/api-keys/${keyId}`, { as: t.main.tokens.Admin })
        return { params: { keyId } }
      },
      scope_not_held: async t => ({ ...(await params(t)), as: await narrowKey(t) }),
      person_required: async t => ({ ...(await params(t)), as: await tokenOfKey(t) }),
      async too_many_keys(t) {
        const as = await fullOfKeys(t)
        const { json } = await t.call('GET', '/v2/auth/api-keys?active=true&mode=test&limit=1', { as })
        return { as, params: { keyId: json.data[0].keyId } }
      },
    },
    foreign,
  },
  'api_keys.create_token': {
    prepare: params,
    problems: {
      not_found: nobody,
      async key_not_active(t) {
        const { keyId } = await newKey(t)
        await t.call('DELETE', `/v2/auth/api-keys/${keyId}`, { as: t.main.tokens.Admin })
        return { params: { keyId } }
      },
      person_required: async t => ({ ...(await params(t)), as: t.main.liveKey }),
    },
    foreign,
  },
}
