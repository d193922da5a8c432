// How the contract test meets payments.
import type { ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'
import { foreign, sentInvoice } from './invoices.ts'

const address = '/v1/api/finance/invoices'

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
  'payments.reverse': {
    prepare: async t => ({ params: await paidInvoice(t) }),
    problems: {
      not_found: async t => ({ params: { ...(await paidInvoice(t)), paymentId: 999_999_999 } }),
      async payment_reversed(t) {
        const params = await paidInvoice(t)
        await reverse(t, params)
        return { params }
      },
    },
    foreign: async t => ({ params: { ...(await foreign(t)).params, paymentId: 1 } }),
  },
}

type Paid = { id: number; paymentId: number }

/** An issued invoice of which a payment is recorded. */
async function paidInvoice(t: TestApp): Promise<Paid> {
  const { id } = await sentInvoice(t)
  const { json } = await t.call('POST', `${address}/${id}/payments`, {
    as: t.main.tokens.Admin,
    body: { amount: 100, method: 'bank_transfer' },
  })
  return { id, paymentId: json.payment.id }
}

async function reverse(t: TestApp, { id, paymentId }: Paid): Promise<void> {
  const body = { reason: 'Recorded twice' }
  await t.call('POST', `${address}/${id}/payments/${paymentId}/reverse`, { as: t.main.tokens.Admin, body })
}
