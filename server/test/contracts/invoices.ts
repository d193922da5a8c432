// How the contract test meets invoices.
import type { ContractRequest, ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'

const address = '/v1/api/finance/invoices'
const customer = { name: 'Analytical Engines Ltd' }
const lines = [{ description: 'Consulting', quantity: 2, unit_price: 100, tax_rate: 19 }]

async function newInvoice(t: TestApp, as = t.main.tokens.Admin, body: object = { customer, currency: 'USD', lines }) {
  const { json } = await t.call('POST', address, { as, body })
  return { id: json.invoice.id as number }
}

/** An issued invoice over 238.00, of which `paid` is paid. */
export async function sentInvoice(t: TestApp, paid = 0): Promise<{ id: number }> {
  const as = t.main.tokens.Admin
  const params = await newInvoice(t)
  await t.call('POST', `${address}/${params.id}/send`, { as })
  if (paid > 0) await t.call('POST', `${address}/${params.id}/payments`, { as, body: { amount: paid } })
  return params
}

async function cancelledInvoice(t: TestApp): Promise<{ id: number }> {
  const params = await newInvoice(t)
  await t.call('POST', `${address}/${params.id}/cancel`, { as: t.main.tokens.Admin, body: { reason: 'Billed twice' } })
  return params
}

const nobody = async (): Promise<ContractRequest> => ({ params: { id: 999_999_999 } })
export const foreign = async (t: TestApp) => ({ params: await newInvoice(t, t.other.tokens.Admin) })
const noLead = 999_999_999

export const contract: ModuleContract = {
  'invoices.create': {
    problems: { lead_not_found: async () => ({ body: { customer, lines, lead_id: noLead } }) },
  },
  'invoices.list': {
    prepare: async t => {
      await newInvoice(t)
      return {}
    },
  },
  'invoices.export': {},
  'invoices.totals': {
    prepare: async t => {
      await sentInvoice(t)
      return {}
    },
  },
  'invoices.number_audit': {},
  'invoices.get': {
    prepare: async t => ({ params: await newInvoice(t) }),
    problems: { not_found: nobody },
    foreign,
  },
  'invoices.update': {
    prepare: async t => ({ params: await newInvoice(t) }),
    problems: {
      not_found: nobody,
      invoice_locked: async t => ({ params: await sentInvoice(t), body: { lines } }),
      lead_not_found: async t => ({ params: await newInvoice(t), body: { lead_id: noLead } }),
    },
    foreign,
  },
  'invoices.send': {
    prepare: async t => ({ params: await newInvoice(t) }),
    problems: {
      not_found: nobody,
      invalid_transition: async t => ({ params: await sentInvoice(t) }),
      empty_invoice: async t => ({ params: await newInvoice(t, t.main.tokens.Admin, { customer }) }),
    },
    foreign,
  },
  'invoices.cancel': {
    prepare: async t => ({ params: await sentInvoice(t) }),
    problems: {
      not_found: nobody,
      invalid_transition: async t => ({ params: await cancelledInvoice(t) }),
      invoice_has_payments: async t => ({ params: await sentInvoice(t, 100) }),
    },
    foreign,
  },
}
