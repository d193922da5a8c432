// Payments of invoices over the API: dated where the organization is, never too much, also of two at once, and recorded once however
// often they are sent.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  act,
  countsOf,
  created,
  createInvoice,
  invoicesAddress,
  sentInvoice,
  setTimeZone,
  today,
} from '../../../../test/invoices.ts'
import { addDays } from '../../../kernel/values/clock.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const get = async (id: number) => (await t.call('GET', `${invoicesAddress}/${id}`, { as: t.main.liveKey })).json.invoice

test('a payment dated by a day came on that day where the organization is', async () => {
  const days = [
    ['Pacific/Pago_Pago', '2026-11-20T11:00:00.000Z'],
    ['Pacific/Auckland', '2026-11-19T11:00:00.000Z'],
    ['UTC', '2026-11-20T00:00:00.000Z'],
  ] as const
  for (const [zone, first] of days) {
    await setTimeZone(t, zone)
    const { id } = await sentInvoice(t, { amount: 100 })
    const byDay = created(await act(t, id, 'payments', { amount: 40, paid_at: '2026-11-20' }))
    const byTime = created(await act(t, id, 'payments', { amount: 60, paid_at: '2026-11-20T00:00:00Z' }))
    assert.equal(byDay.payment.paid_at, first, zone)
    assert.equal(byTime.payment.paid_at, '2026-11-20T00:00:00.000Z')
  }
})

test('payments: never on a draft, never too much, in the currency and its decimals only', async () => {
  const draft = await createInvoice(t)
  assert.equal((await act(t, draft.id, 'payments', { amount: 1 })).json.code, 'invalid_transition')
  const { id } = await sentInvoice(t, { currency: 'EUR', amount: 100 })
  const cases: [object, number, string][] = [
    [{ amount: 100.01 }, 422, 'overpayment'],
    [{ amount: 10, currency: 'USD' }, 422, 'currency_mismatch'],
    [{ amount: 0 }, 400, 'validation_failed'],
    [{ amount: -5 }, 400, 'validation_failed'],
    [{ amount: 0.001 }, 400, 'validation_failed'],
    [{ amount: '10,5' }, 400, 'validation_failed'],
    [{ amount: true }, 400, 'validation_failed'],
    [{ amount: 1, method: 'gold' }, 400, 'validation_failed'],
    [{ amount: 1, paid_at: addDays(await today(t), 3) }, 400, 'validation_failed'],
    [{ amount: 1, paid_at: '0000-01-01' }, 400, 'validation_failed'],
    [{ amount: 1, paid_at: '0001-01-01T00:00:00+14:00' }, 400, 'validation_failed'],
  ]
  for (const [body, status, code] of cases) {
    const answer = await act(t, id, 'payments', body)
    assert.deepEqual([answer.status, answer.json.code], [status, code], JSON.stringify(body))
  }
  const { json } = await act(t, id, 'payments', { amount: 101 })
  assert.match(json.message, /Only 100\.00 EUR is due/)
  assert.equal(json.details[0].field, 'amount')
  assert.equal((await get(id)).amount_paid, 0)
})

test('of two payments at once that are too much together, one is refused', async () => {
  for (let round = 0; round < 5; round++) {
    const { id } = await sentInvoice(t, { amount: 100 })
    const answers = await Promise.all([60, 60].map(amount => act(t, id, 'payments', { amount })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422])
    assert.deepEqual([(await get(id)).amount_paid, (await get(id)).payments.length], [60, 1])
  }
})

test('a repeated payment under one Idempotency-Key is recorded once and answered with the same bytes', async () => {
  const { id } = await sentInvoice(t)
  const pay = () =>
    t.call('POST', `${invoicesAddress}/${id}/payments`, {
      as: t.main.liveKey,
      body: { amount: 60 },
      headers: { 'idempotency-key': `pay ${id}` },
    })
  const [one, two] = await Promise.all([pay(), pay()])
  assert.deepEqual([one.status, one.text], [201, two.text])
  assert.equal((await get(id)).payments.length, 1)
  assert.equal((await pay()).headers['idempotent-replayed'], 'true')
  const refused = await t.call('POST', `${invoicesAddress}/${id}/payments`, {
    as: t.main.liveKey,
    body: { amount: 50 },
    headers: { 'idempotency-key': 'refused' },
  })
  assert.equal(refused.status, 422)
  const smaller = await t.call('POST', `${invoicesAddress}/${id}/payments`, {
    as: t.main.liveKey,
    body: { amount: 40 },
    headers: { 'idempotency-key': 'refused' },
  })
  assert.equal(smaller.status, 201, 'a refusal leaves the key free')
})

const reverse = (id: number, payment: { id: number }, body: object = { reason: 'Bounced' }) =>
  act(t, id, `payments/${payment.id}/reverse`, body)

test('an invoice was paid when the last of its payments arrived, in whatever order they are recorded', async () => {
  const { id } = await sentInvoice(t, { amount: 100 })
  const reversed = created(await act(t, id, 'payments', { amount: 1, paid_at: '2026-03-30T00:00:00Z' })).payment
  await reverse(id, reversed)
  await act(t, id, 'payments', { amount: 60, paid_at: '2026-03-10T08:30:00Z' })
  const { invoice } = created(await act(t, id, 'payments', { amount: 40, paid_at: '2026-02-01T00:00:00Z' }))
  assert.deepEqual([invoice.status, invoice.paid_at], ['Paid', '2026-03-10T08:30:00.000Z'])
})

test('a reversed payment stays with its reason and counts no more; a paid invoice is open again, and can be cancelled', async () => {
  const { id } = await sentInvoice(t, { amount: 100 })
  const first = created(await act(t, id, 'payments', { amount: 40 })).payment
  const paid = created(await act(t, id, 'payments', { amount: 60 }))
  assert.equal(paid.invoice.status, 'Paid')

  const { status, json } = await reverse(id, paid.payment, { reason: '  Bounced ' })
  assert.equal(status, 200)
  assert.equal(json.payment.reversal_reason, 'Bounced')
  assert.notEqual(json.payment.reversed_at, null)
  const { invoice } = json
  assert.deepEqual(
    [invoice.status, invoice.amount_paid, invoice.amount_due, invoice.payment_state, invoice.paid_at],
    ['Sent', 40, 60, 'partial', null],
  )
  const { text: again } = await reverse(id, paid.payment)
  assert.match(again, /payment_reversed/)
  assert.equal((await act(t, id, 'cancel', { reason: 'x' })).json.code, 'invoice_has_payments')

  assert.equal((await reverse(id, first)).json.invoice.payment_state, 'unpaid')
  assert.deepEqual(
    (await get(id)).payments.map((payment: { amount: number; reversed_at: string | null }) => [
      payment.amount,
      payment.reversed_at !== null,
    ]),
    [
      [40, true],
      [60, true],
    ],
  )
  const { kept, counted } = await countsOf(t, t.main.liveTenantId)
  assert.deepEqual(kept, counted)
  assert.equal(created(await act(t, id, 'payments', { amount: 100 })).invoice.status, 'Paid')
  const last = (await get(id)).payments.at(-1)
  assert.equal((await reverse(id, last)).status, 200)
  assert.equal((await act(t, id, 'cancel', { reason: 'Billed twice' })).json.invoice.status, 'Cancelled')
})

test('what says that a payment was reversed comes after what said that it was paid, with the payment', async () => {
  const { id } = await sentInvoice(t, { amount: 100 })
  const { payment } = created(await act(t, id, 'payments', { amount: 100 }))
  await reverse(id, payment)
  const { json } = await t.call('GET', `/v2/events?resourceId=${id}&type=invoice.*`, { as: t.main.liveKey })
  const [event, before] = json.data
  assert.deepEqual(
    [event.type, event.data.previousStatus, event.data.status, event.data.payment.reversal_reason],
    ['invoice.payment_reversed', 'Paid', 'Sent', 'Bounced'],
  )
  assert.equal(before.type, 'invoice.paid')
})

test('an invoice that was paid late is Overdue again, which is said once', async () => {
  const { id } = await sentInvoice(t, { amount: 100, due_date: addDays(await today(t), -3) })
  const { payment } = created(await act(t, id, 'payments', { amount: 100 }))
  assert.equal((await reverse(id, payment)).json.invoice.status, 'Overdue')
  const { json } = await t.call('GET', `/v2/events?resourceId=${id}&type=invoice.overdue`, { as: t.main.liveKey })
  assert.equal(json.data.length, 1)
})

test('of two reversals at once one is refused, and another invoice’s payment is not found', async () => {
  const { id } = await sentInvoice(t, { amount: 100 })
  const other = await sentInvoice(t, { amount: 100 })
  const { payment } = created(await act(t, id, 'payments', { amount: 100 }))
  assert.equal((await reverse(other.id, payment)).status, 404)
  assert.equal((await reverse(id, payment, { reason: ' ' })).json.details[0].field, 'reason')
  const answers = await Promise.all([reverse(id, payment), reverse(id, payment)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409])
  assert.equal((await get(id)).amount_paid, 0)
})
