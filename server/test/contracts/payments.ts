// How the contract test meets payments.
import type { ModuleContract } from '../contract_types.ts'
import { foreign, sentInvoice } from './invoices.ts'

export const contract: ModuleContract = {
  'payments.create': {
    // The sample pays 500 of an invoice; here it is 238.
    prepare: async t => ({ params: await sentInvoice(t), body: { amount: 100, method: 'bank_transfer' } }),
    problems: {
      not_found: async () => ({ params: { id: 999_999_999 } }),
      invalid_transition: async t => ({ params: await sentInvoice(t, 238), body: { amount: 1 } }),
      currency_mismatch: async t => ({ params: await sentInvoice(t), body: { amount: 1, currency: 'JPY' } }),
      overpayment: async t => ({ params: await sentInvoice(t, 200), body: { amount: 38.01 } }),
    },
    foreign,
  },
}
