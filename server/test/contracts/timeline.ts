// How the contract test meets the timeline of a lead.
import type { ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'

async function newLead(t: TestApp, as: string): Promise<{ id: number }> {
  const { json } = await t.call('POST', '/v1/api/leads', { as, body: { name: 'Ada Lovelace', phone: '+15550100001' } })
  return { id: json.lead.id }
}

export const contract: ModuleContract = {
  'leads.timeline': {
    prepare: async t => ({ params: await newLead(t, t.main.tokens.Admin) }),
    problems: {
      not_found: async () => ({ params: { id: 999_999_999 } }),
      invalid_cursor: async t => ({ params: await newLead(t, t.main.tokens.Admin), query: { cursor: 'nonsense' } }),
    },
    foreign: async t => ({ params: await newLead(t, t.other.tokens.Admin) }),
  },
}
