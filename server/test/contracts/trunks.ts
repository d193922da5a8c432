// How the contract test meets trunks.

import { newId } from '../../src/kernel/values/ids.ts'
import type { ModuleContract } from '../contract_types.ts'
import type { TestApp, TestOrganization } from '../harness.ts'

/** No host has such a name (RFC 6761 §6.4), so no test of it reaches anybody. */
const body = {
  name: 'contract',
  settings: { host: 'sip.invalid', username: 'contract', password: 'secret12' },
  routes: [{ prefix: '+49' }],
  enabled: false,
}

/** The contract test makes many: those of earlier requests make room. */
async function newTrunk(t: TestApp, organization: TestOrganization = t.main): Promise<string> {
  await t.ownerSql('delete from trunks where tenant_id = $1', [organization.liveTenantId])
  const { json } = await t.call('POST', '/v2/voice/trunks', { as: organization.tokens.Admin, body })
  return json.data.trunkId
}

const one = async (t: TestApp) => ({ params: { trunkId: await newTrunk(t) } })
const foreign = async (t: TestApp) => ({ params: { trunkId: await newTrunk(t, t.other) } })
const nobody = async () => ({ params: { trunkId: newId('trk') } })

async function full(t: TestApp) {
  await t.ownerSql(
    `insert into trunks (tenant_id, id, name, settings, routes, enabled)
     select $1, 'trk_' || lpad(n::text, 26, '0'), 'one of many', '{"host":"sip.invalid"}', '[]', false
     from generate_series(1, 50) as n on conflict do nothing`,
    [t.main.liveTenantId],
  )
  return {}
}

async function roomForOne(t: TestApp) {
  await t.ownerSql('delete from trunks where tenant_id = $1', [t.main.liveTenantId])
  return {}
}

export const contract: ModuleContract = {
  'trunks.create': {
    prepare: roomForOne,
    problems: { trunks_live_only: async t => ({ as: t.main.testKey }), too_many_trunks: full },
  },
  'trunks.list': {
    async prepare(t) {
      await newTrunk(t)
      return {}
    },
  },
  'trunks.get': { prepare: one, problems: { not_found: nobody }, foreign },
  'trunks.update': { prepare: one, problems: { not_found: nobody }, foreign },
  'trunks.delete': { prepare: one, problems: { not_found: nobody }, foreign },
  'trunks.test': {
    prepare: one,
    problems: {
      not_found: nobody,
      invalid_to_number: async t => ({ ...(await one(t)), body: { to: '12345678901234567890' } }),
    },
    foreign,
  },
}
