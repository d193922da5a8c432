// How the contract test meets saved views.
import { newId } from '../../src/kernel/values/ids.ts'
import type { ContractRequest, EndpointContract, ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'

async function create(t: TestApp, as: string, more = {}): Promise<ContractRequest> {
  const { json } = await t.call('POST', '/v1/api/views', { as, body: { noun: 'companies', name: 'Trial', ...more } })
  return { params: { id: json.view.id } }
}
const nobody = async () => ({ params: { id: newId('viw') } })
const one: EndpointContract = {
  prepare: t => create(t, t.main.tokens.Admin),
  problems: { not_found: nobody },
  foreign: t => create(t, t.other.tokens.Admin, { shared: true }),
}
const changed: EndpointContract = {
  ...one,
  problems: {
    not_found: nobody,
    insufficient_role: async t => ({
      ...(await create(t, t.main.tokens.Admin, { shared: true })),
      as: t.main.tokens['Sales Executive'],
    }),
  },
}

export const contract: ModuleContract = {
  'views.list': {},
  'views.create': {},
  'views.get': one,
  'views.update': changed,
  'views.delete': changed,
  'views.set_default': {},
}
