// How the contract test meets API keys.
import type { ModuleContract } from '../../../../test/contract_types.ts'
import type { TestApp, TestOrganization } from '../../../../test/harness.ts'

async function newKey(t: TestApp, organization: TestOrganization = t.main) {
  const body = { name: 'contract', mode: 'live' }
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

export const contract: ModuleContract = {
  'api_keys.create': {
    problems: { scope_not_held: async t => ({ as: await narrowKey(t) }) },
  },
  'api_keys.revoke': { prepare: params, problems: { not_found: nobody }, foreign },
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
    },
    foreign,
  },
  'api_keys.mint_token': {
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
