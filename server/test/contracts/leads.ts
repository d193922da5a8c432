// How the contract test meets leads.
import { randomUUID } from 'node:crypto'
import type { ContractRequest, ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'

const newBody = () => ({ name: 'Ada Lovelace', email: `${randomUUID()}@example.com` })

async function create(t: TestApp, as: string): Promise<{ id: number }> {
  const { json } = await t.call('POST', '/v1/api/leads', { as, body: newBody() })
  return { id: json.lead.id }
}

const newLead = (t: TestApp) => create(t, t.main.tokens.Admin)
const withLead = async (t: TestApp): Promise<ContractRequest> => ({ params: await newLead(t) })
const foreign = async (t: TestApp) => ({ params: await create(t, t.other.tokens.Admin) })
const nobody = async () => ({ params: { id: 999_999_999 } })

async function binned(t: TestApp): Promise<ContractRequest> {
  const { id } = await newLead(t)
  await t.call('DELETE', `/v1/api/leads/${id}`, { as: t.main.tokens.Admin })
  return { params: { id } }
}

export const contract: ModuleContract = {
  'leads.create': {
    prepare: async () => ({ body: newBody() }),
    problems: {
      async duplicate_lead(t) {
        const body = newBody()
        await t.call('POST', '/v1/api/leads', { as: t.main.tokens.Admin, body })
        return { body, headers: { 'x-duplicate-mode': 'block' } }
      },
      owner_not_found: async t => ({ body: { ...newBody(), owner_id: t.other.users.Admin.id } }),
    },
  },
  'leads.list': {},
  'leads.get': { prepare: withLead, problems: { not_found: nobody }, foreign },
  'leads.update': {
    prepare: withLead,
    problems: {
      not_found: nobody,
      invalid_transition: async t => ({ params: await newLead(t), body: { status: 'Converted' } }),
      owner_not_found: async t => ({ params: await newLead(t), body: { owner_id: t.other.users.Admin.id } }),
      async duplicate_lead(t) {
        const { email } = newBody()
        await t.call('POST', '/v1/api/leads', { as: t.main.tokens.Admin, body: { ...newBody(), email } })
        return { params: await newLead(t), body: { email }, headers: { 'x-duplicate-mode': 'block' } }
      },
    },
    foreign,
  },
  'leads.convert': {
    // Into a contact that lacks nothing, so that the permission of the endpoint is enough.
    async prepare(t) {
      const as = t.main.tokens.Admin
      const { name, email } = newBody()
      const { json } = await t.call('POST', '/v1/api/leads', { as, body: { name, email } })
      const contact = await t.call('POST', '/v1/api/contacts', { as, body: { name, emails: [{ value: email }] } })
      const body = { qualify: true, company_id: null, contact_id: contact.json.contact.id }
      return { params: { id: json.lead.id }, body }
    },
    problems: {
      not_found: nobody,
      invalid_transition: async t => ({ params: await newLead(t), body: {} }),
    },
    foreign,
  },
  'leads.delete': { prepare: withLead, problems: { not_found: nobody }, foreign },
  'leads.restore': {
    prepare: binned,
    problems: {
      not_found: nobody,
      async duplicate_lead(t) {
        const body = newBody()
        const { json } = await t.call('POST', '/v1/api/leads', { as: t.main.tokens.Admin, body })
        const params = { id: json.lead.id }
        await t.call('DELETE', `/v1/api/leads/${params.id}`, { as: t.main.tokens.Admin })
        await t.call('POST', '/v1/api/leads', { as: t.main.tokens.Admin, body })
        return { params, headers: { 'x-duplicate-mode': 'block' } }
      },
    },
    foreign,
  },
}
