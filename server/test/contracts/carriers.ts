// How the contract test meets carriers.

import { newId } from '../../src/kernel/values/ids.ts'
import type { ModuleContract } from '../contract_types.ts'
import type { TestApp, TestOrganization } from '../harness.ts'

/** No host has such a name (RFC 6761 §6.4), so no test of it reaches anybody. */
const body = {
  kind: 'smpp',
  name: 'contract',
  settings: { host: 'smpp.invalid', systemId: 'contract', password: 'secret12' },
  routes: [{ prefix: '+49' }],
  currency: 'EUR',
  enabled: false,
}

/** The contract test makes many: those of earlier requests make room. */
async function newCarrier(t: TestApp, organization: TestOrganization = t.main): Promise<string> {
  await t.ownerSql('delete from carriers where tenant_id = $1', [organization.liveTenantId])
  const { json } = await t.call('POST', '/v2/carriers', { as: organization.tokens.Admin, body })
  return json.data.carrierId
}

const one = async (t: TestApp) => ({ params: { carrierId: await newCarrier(t) } })
const foreign = async (t: TestApp) => ({ params: { carrierId: await newCarrier(t, t.other) } })
const nobody = async () => ({ params: { carrierId: newId('car') } })

async function full(t: TestApp) {
  await t.ownerSql(
    `insert into carriers (tenant_id, id, kind, name, settings, routes, currency, enabled)
     select $1, 'car_' || lpad(n::text, 26, '0'), 'smpp', 'one of many', '{}', '[]', 'EUR', false
     from generate_series(1, 50) as n on conflict do nothing`,
    [t.main.liveTenantId],
  )
  return {}
}

async function roomForOne(t: TestApp) {
  await t.ownerSql('delete from carriers where tenant_id = $1', [t.main.liveTenantId])
  return {}
}

export const contract: ModuleContract = {
  'carriers.create': {
    prepare: roomForOne,
    problems: { carriers_live_only: async t => ({ as: t.main.testKey }), too_many_carriers: full },
  },
  'carriers.list': {
    async prepare(t) {
      await newCarrier(t)
      return {}
    },
  },
  'carriers.get': { prepare: one, problems: { not_found: nobody }, foreign },
  'carriers.update': { prepare: one, problems: { not_found: nobody }, foreign },
  'carriers.delete': { prepare: one, problems: { not_found: nobody }, foreign },
  'carriers.test': {
    prepare: one,
    problems: {
      not_found: nobody,
      invalid_to_number: async t => ({ ...(await one(t)), body: { to: '12345678901234567890' } }),
    },
    foreign,
  },
}
