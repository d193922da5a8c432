// What the tests of invoices share: invoices made and changed through the API, and where their page shows what.
import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import type { Portal } from './browser.ts'

export const invoicesAddress = '/v1/api/finance/invoices'

type Whole = {
  status: string
  notes: string | null
  cancel_reason: string | null
  due_date: string
  tax_rounding: string
  lines: unknown[]
  payments: { amount: number; method: string; reference: string | null }[]
}

/** Invoices of the test data, unless another key is given. */
export function invoicesOf(portal: Portal) {
  const call = async (method: string, path: string, body?: object, as = portal.t.main.testKey) => {
    const answer = await portal.t.call(method, `${invoicesAddress}${path}`, { as, body })
    assert.ok(answer.status < 300, answer.text)
    return answer.json.invoice
  }
  return {
    /** Two of something at a price, with 19 % tax. */
    create(name: string, price: number, more: object = {}, as?: string): Promise<{ id: number; number: string }> {
      const lines = [{ description: 'Consulting', quantity: 2, unit_price: price, tax_rate: 19 }]
      return call('POST', '', { customer: { name }, lines, ...more }, as)
    },
    act: (id: number, action: string, body?: object): Promise<void> => call('POST', `/${id}/${action}`, body),
    change: (id: number, body: object): Promise<void> => call('PATCH', `/${id}`, body),
    read: (id: number): Promise<Whole> => call('GET', `/${id}`),
  }
}

/** A detail on the page of an invoice. */
export function factOf(page: Page, term: string): Locator {
  const terms = page.getByRole('region', { name: 'Details', exact: true }).locator('dt')
  return terms.filter({ hasText: new RegExp(`^${term}$`) }).locator('+ dd')
}

/** Resolves when a sum below the lines has come to an amount. */
export async function sumOf(page: Page, term: string, amount: string): Promise<void> {
  const terms = page.getByRole('main').getByRole('region', { name: 'What it comes to' }).locator('dt')
  await terms
    .filter({ hasText: new RegExp(`^${term}$`) })
    .locator('+ dd')
    .getByText(amount, { exact: true })
    .waitFor()
}
