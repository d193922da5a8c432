// How the contract test meets what leads have beside other nouns: their conversion.
import { randomUUID } from 'node:crypto'
import type { ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'

const newBody = () => ({ name: 'Ada Lovelace', email: `${randomUUID()}@example.com` })

async function newLead(t: TestApp, as: string, body: object = newBody()): Promise<{ id: number }> {
  const { json } = await t.call('POST', '/v1/api/leads', { as, body })
  return { id: json.lead.id }
}

export const contract: ModuleContract = {
  'leads.convert': {
    // Into a contact that lacks nothing, so that the permission of the endpoint is enough.
    async prepare(t) {
      const as = t.main.tokens.Admin
      const { name, email } = newBody()
      const params = await newLead(t, as, { name, email })
      const contact = await t.call('POST', '/v1/api/contacts', { as, body: { name, emails: [{ value: email }] } })
      return { params, body: { qualify: true, company_id: null, contact_id: contact.json.contact.id } }
    },
    problems: {
      not_found: async () => ({ params: { id: 999_999_999 } }),
      invalid_transition: async t => ({ params: await newLead(t, t.main.tokens.Admin), body: {} }),
    },
    foreign: async t => ({ params: await newLead(t, t.other.tokens.Admin) }),
  },
}
