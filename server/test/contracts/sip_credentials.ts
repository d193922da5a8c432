// How the contract test meets SIP credentials.

import { newId } from '../../src/kernel/values/ids.ts'
import type { ModuleContract } from '../contract_types.ts'
import { keyWithPolicy } from '../destinations.ts'
import type { TestApp, TestOrganization } from '../harness.ts'

let made = 0

async function newCredential(t: TestApp, organization: TestOrganization = t.main): Promise<string> {
  const body = { username: `phone${++made}` }
  const { json } = await t.call('POST', '/v2/voice/sip-credentials', { as: organization.tokens.Admin, body })
  return json.data.credentialId
}

const fresh = async () => ({ body: { username: `desk${++made}`, displayName: 'Desk' } })
const one = async (t: TestApp) => ({ params: { credentialId: await newCredential(t) } })
const foreign = async (t: TestApp) => ({ params: { credentialId: await newCredential(t, t.other) } })
const nobody = async () => ({ params: { credentialId: newId('sipc') } })
const limited = async (t: TestApp) => (await keyWithPolicy(t, { dailyCalls: 5 }, { mode: 'live' })).secret
const callbackUrl = 'http://169.254.169.254/latest/meta-data'
const instructions = [{ verb: 'sing' }]

async function full(t: TestApp) {
  await t.ownerSql(
    `insert into sip_credentials (tenant_id, id, username, digests)
     select $1, 'sipc_' || lpad(n::text, 26, '0'), 'many' || n, 'none' from generate_series(1, 1000) as n
     on conflict do nothing`,
    [t.other.testTenantId],
  )
  return { as: t.other.testKey }
}

export const contract: ModuleContract = {
  'sip_credentials.create': {
    prepare: fresh,
    problems: {
      async sip_username_taken(t) {
        const request = await fresh()
        await t.call('POST', '/v2/voice/sip-credentials', { as: t.main.tokens.Admin, body: request.body })
        return request
      },
      too_many_sip_credentials: full,
      invalid_callback_url: async () => ({ body: { username: `desk${++made}`, callbackUrl } }),
      invalid_instructions: async () => ({ body: { username: `desk${++made}`, instructions } }),
      scope_not_held: async t => ({ ...(await fresh()), as: await limited(t) }),
    },
  },
  'sip_credentials.list': {
    async prepare(t) {
      await newCredential(t)
      return {}
    },
  },
  'sip_credentials.get': { prepare: one, problems: { not_found: nobody }, foreign },
  'sip_credentials.update': {
    prepare: one,
    problems: {
      not_found: nobody,
      invalid_callback_url: async t => ({ ...(await one(t)), body: { callbackUrl } }),
      invalid_instructions: async t => ({ ...(await one(t)), body: { instructions } }),
      scope_not_held: async t => ({ ...(await one(t)), as: await limited(t) }),
    },
    foreign,
  },
  'sip_credentials.delete': { prepare: one, problems: { not_found: nobody }, foreign },
}
