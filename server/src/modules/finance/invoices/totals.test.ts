// What a list of invoices comes to: the sums that are kept are those that adding up gives, whatever happened, and with every filter.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { act, countsOf, createInvoice, invoicesAddress, sentInvoice, today } from '../../../../test/invoices.ts'
import { addDays } from '../../../kernel/values/clock.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

async function totals(query: Record<string, string> = {}, as = t.main.liveKey) {
  const answer = await t.call('GET', `${invoicesAddress}/totals?${new URLSearchParams(query)}`, { as })
  assert.equal(answer.status, 200, answer.text)
  return answer.json
}

type Sum = {
  status: string
  currency: string
  invoices: number
  amount: number
  amount_paid: number
  amount_due: number
}
const inWords = (sums: Sum[]) =>
  sums
    .map(sum => `${sum.status} ${sum.currency}: ${sum.invoices}, ${sum.amount}, ${sum.amount_paid}, ${sum.amount_due}`)
    .sort()

test('sums follow what is done with invoices, by status and currency', async () => {
  const date = await today(t)
  assert.deepEqual((await totals()).totals, [])
  await createInvoice(t, { amount: 10 })
  const paid = await sentInvoice(t, { amount: 100 })
  await sentInvoice(t, { amount: 1000, currency: 'JPY', due_date: addDays(date, 7) })
  const late = await sentInvoice(t, { amount: 70.5, due_date: addDays(date, -3) })
  const gone = await sentInvoice(t, { amount: 5 })
  await act(t, paid.id, 'payments', { amount: 100 })
  await act(t, late.id, 'payments', { amount: 0.5 })
  await act(t, gone.id, 'cancel', { reason: 'Wrong' })
  const all = await totals()
  assert.deepEqual(inWords(all.totals), [
    'Cancelled USD: 1, 5, 0, 0',
    'Draft USD: 1, 10, 0, 0',
    'Overdue USD: 1, 70.5, 0.5, 70',
    'Paid USD: 1, 100, 100, 0',
    'Sent JPY: 1, 1000, 0, 1000',
  ])
  assert.equal(all.due_soon_until, addDays(date, 7))
  assert.deepEqual(all.due_soon, [{ currency: 'JPY', invoices: 1, amount: 1000, amount_paid: 0, amount_due: 1000 }])
  assert.deepEqual(inWords((await totals({ status: 'Sent,Overdue' })).totals), [
    'Overdue USD: 1, 70.5, 0.5, 70',
    'Sent JPY: 1, 1000, 0, 1000',
  ])
  assert.deepEqual((await totals({ status: 'Draft' })).due_soon, [])
  const { kept, counted } = await countsOf(t, t.main.liveTenantId)
  assert.deepEqual(kept, counted)
})

test('other filters add up what they list', async () => {
  await sentInvoice(t, { customer: { name: 'Rare & Sons' }, amount: 12 })
  assert.deepEqual(inWords((await totals({ customer: 'rare' })).totals), ['Sent USD: 1, 12, 0, 12'])
  assert.deepEqual((await totals({ 'due_date[lte]': '2001-01-01' })).totals, [])
  const refused = await t.call('GET', `${invoicesAddress}/totals?due_date=2026-02-30`, { as: t.main.tokens.Admin })
  assert.equal(refused.status, 400)
  assert.equal(refused.json.details[0].field, 'due_date')
})

test('what falls due overnight is overdue, though nobody has looked since', async () => {
  const due = await today(t)
  await sentInvoice(t, { customer: { name: 'Overnight' }, amount: 3, due_date: due })
  assert.deepEqual(inWords((await totals({ customer: 'Overnight' })).totals), ['Sent USD: 1, 3, 0, 3'])
  t.clock.advance(86_400_000)
  assert.deepEqual(inWords((await totals({ customer: 'Overnight' })).totals), ['Overdue USD: 1, 3, 0, 3'])
  const { kept, counted } = await countsOf(t, t.main.liveTenantId)
  assert.deepEqual(kept, counted)
  t.clock.advance(-86_400_000)
})

test('roles without invoices may not ask', async () => {
  const { status } = await t.call('GET', `${invoicesAddress}/totals`, { as: t.main.tokens['Sales Executive'] })
  assert.equal(status, 403)
})
