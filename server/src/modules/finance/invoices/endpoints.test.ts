// What single invoices promise over the API: what may be changed when, what a state allows, who may do it, what is emitted,
// and that two at once cannot do what one may not.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { act, created, createInvoice, invoicesAddress, list, sentInvoice, today } from '../../../../test/invoices.ts'
import { addDays } from '../../../kernel/values/clock.ts'
import { rollInvoiceCalendars } from './jobs.ts'
import { states } from './rules.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const get = async (id: number) => (await t.call('GET', `${invoicesAddress}/${id}`, { as: t.main.liveKey })).json.invoice
const patch = (id: number, body: object, headers: Record<string, string> = {}) =>
  t.call('PATCH', `${invoicesAddress}/${id}`, { as: t.main.liveKey, body, headers })
const eventsOf = (id: number) =>
  t.ownerSql<{ type: string; sequence: number; data: Record<string, unknown> }>(
    "select type, sequence, data from event_log where resource_id = $1 and type like 'invoice.%' order by sequence",
    [String(id)],
  )

test('the states of the database are those of the table', async () => {
  const rows = await t.ownerSql<{ text: string }>(
    "select pg_get_constraintdef(oid) as text from pg_constraint where conrelid = 'invoices'::regclass and contype = 'c'",
  )
  const [definition] = rows.filter(({ text }) => /^CHECK \(\(state = ANY/.test(text))
  assert.deepEqual(
    [...(definition?.text.matchAll(/'(\w+)'/g) ?? [])].map(match => match[1]),
    [...states],
  )
})

test('an invoice goes from draft to paid, with every step emitted once and in order', async () => {
  const lines = [
    { description: 'Consulting', quantity: 12.5, unit_price: 120, tax_rate: 19 },
    { description: 'Travel', quantity: '2', unit_price: '33.335', tax_rate: '7' },
    { description: 'Discount', quantity: -1, unit_price: 50 },
  ]
  const { id } = await createInvoice(t, {
    customer: { name: '  Ada Ltd ', email: ' ada@example.com ', tax_id: 'DE123' },
    lines,
  })
  const draft = await get(id)
  assert.deepEqual(
    [draft.subtotal, draft.tax_total, draft.amount, draft.amount_minor, draft.status, draft.payment_state],
    [1516.67, 289.67, 1806.34, 180634, 'Draft', 'unpaid'],
  )
  assert.deepEqual([draft.basis, draft.tax_rounding], ['lines', 'per_rate'])
  assert.deepEqual(draft.customer, { name: 'Ada Ltd', email: 'ada@example.com', address: null, tax_id: 'DE123' })
  assert.deepEqual(draft.lines[1], {
    description: 'Travel',
    quantity: 2,
    unit_price: 33.335,
    tax_rate: 7,
    amount: 66.67,
  })
  assert.equal(draft.due_date, addDays(draft.issue_date, 14))

  assert.equal((await act(t, id, 'send')).json.invoice.status, 'Sent')
  const part = { amount: '806.34', method: 'card', reference: 'A1', paid_at: '2020-02-02T00:00:00Z' }
  const first = created(await act(t, id, 'payments', part))
  assert.deepEqual(
    [first.invoice.status, first.invoice.payment_state, first.invoice.amount_paid, first.invoice.amount_due],
    ['Sent', 'partial', 806.34, 1000],
  )
  assert.equal(first.invoice.lines, undefined)
  const last = created(await act(t, id, 'payments', { amount: 1000, paid_at: '2020-02-03T00:00:00Z' }))
  assert.deepEqual([last.invoice.status, last.invoice.payment_state, last.invoice.amount_due], ['Paid', 'paid', 0])
  assert.equal(last.invoice.paid_at, '2020-02-03T00:00:00.000Z')
  const paid = await get(id)
  assert.deepEqual(
    paid.payments.map((payment: { amount: number }) => payment.amount),
    [806.34, 1000],
  )

  const events = await eventsOf(id)
  assert.deepEqual(
    events.map(({ type, sequence, data }) => [type, sequence, data['status'], data['previousStatus'] ?? null]),
    [
      ['invoice.created', 1, 'Draft', null],
      ['invoice.sent', 2, 'Sent', 'Draft'],
      ['invoice.payment_recorded', 3, 'Sent', null],
      ['invoice.payment_recorded', 4, 'Paid', null],
      ['invoice.paid', 5, 'Paid', 'Sent'],
    ],
  )
  assert.deepEqual(events[2]?.data['payment'], first.payment)
})

test('the answer to a write, a read and a list show the same invoice', async () => {
  const made = await createInvoice(t, { notes: 'line\nfeed, "quotes" and \u2028 \u0007', amount: '0.10' })
  const whole = await get(made.id)
  assert.deepEqual(made as unknown, whole)
  const { lines: _lines, payments: _payments, basis: _basis, tax_rounding: _rounding, ...read } = whole
  const { invoices } = await list(t, { limit: 1 })
  assert.deepEqual(invoices, [read])
  assert.deepEqual((await list(t, { limit: 1, sort: '-number' })).invoices, [read])
})

test('a currency without decimals, with three, and the largest amount are shown exactly', async () => {
  for (const [currency, amount, minor] of [
    ['JPY', 1200, 1200],
    ['KWD', '1.234', 1234],
    ['USD', '999999999999.99', 99_999_999_999_999],
    ['CLF', '0.0001', 1],
  ] as const) {
    const invoice = await get((await createInvoice(t, { currency, amount })).id)
    assert.deepEqual(
      [invoice.amount, invoice.amount_minor, invoice.amount_due],
      [Number(amount), minor, Number(amount)],
    )
  }
})

test('a draft can be changed in everything; lines and amount replace each other', async () => {
  const { id } = await createInvoice(t, { lines: [{ description: 'a', quantity: 3, unit_price: 10, tax_rate: 20 }] })
  const merged = await patch(id, { customer: { email: 'ada@example.com' }, notes: 'Thanks' })
  assert.deepEqual(
    [merged.json.invoice.customer.name, merged.json.invoice.customer.email],
    ['Ada Ltd', 'ada@example.com'],
  )
  assert.equal(merged.json.invoice.lines.length, 1)
  const rounded = await patch(id, { lines: [{ description: 'a', quantity: 3, unit_price: '0.35', tax_rate: 10 }] })
  assert.deepEqual([rounded.json.invoice.amount, rounded.json.invoice.lines.length], [1.16, 1])
  const yen = await patch(id, { currency: 'JPY' })
  assert.deepEqual([yen.json.invoice.amount, yen.json.invoice.currency], [1, 'JPY'])
  const plain = await patch(id, { amount: 500, notes: null })
  assert.deepEqual([plain.json.invoice.amount, plain.json.invoice.lines, plain.json.invoice.notes], [500, [], null])
  const read = await get(id)
  assert.deepEqual(read, plain.json.invoice)
  assert.equal(read.version, 5)
  const same = await patch(id, { amount: 500.5 })
  assert.deepEqual([same.status, same.json.details[0].field], [400, 'amount'])
  const nothing = await patch(id, { currency: 'JPY' })
  assert.equal(nothing.json.invoice.version, 5, 'what changes nothing is no change')
})

test('what is issued keeps its figures; due date and notes may change, and an Overdue one may get time', async () => {
  const date = await today(t)
  const { id } = await sentInvoice(t, { due_date: addDays(date, -1) })
  assert.equal((await get(id)).status, 'Overdue', 'sent when it was due already')
  for (const body of [{ amount: 1 }, { customer: { name: 'B' } }, { lines: [] }, { currency: 'EUR', notes: 'x' }]) {
    const { status, json } = await patch(id, body)
    assert.deepEqual([status, json.code], [409, 'invoice_locked'])
  }
  const extended = await patch(id, { due_date: addDays(date, 3), notes: 'More time' })
  assert.deepEqual([extended.json.invoice.status, extended.json.invoice.notes], ['Sent', 'More time'])
  await patch(id, { due_date: addDays(date, -2) })
  assert.deepEqual(
    (await eventsOf(id)).map(({ type, data }) => [type, data['status'], data['previousStatus'] ?? null]),
    [
      ['invoice.created', 'Draft', null],
      ['invoice.sent', 'Overdue', 'Draft'],
      ['invoice.overdue', 'Overdue', 'Sent'],
      ['invoice.updated', 'Sent', 'Overdue'],
      ['invoice.updated', 'Overdue', 'Sent'],
      ['invoice.overdue', 'Overdue', 'Sent'],
    ],
  )
})

test('a total of zero is Paid when sent; an invoice without figures cannot be sent', async () => {
  const zero = await sentInvoice(t, { amount: 0 })
  assert.deepEqual([zero.status, (await get(zero.id)).payment_state], ['Paid', 'paid'])
  assert.deepEqual(
    (await eventsOf(zero.id)).map(({ type }) => type),
    ['invoice.created', 'invoice.sent', 'invoice.paid'],
  )
  const empty = await createInvoice(t, { lines: [] })
  const { status, json } = await act(t, empty.id, 'send')
  assert.deepEqual([status, json.code], [422, 'empty_invoice'])
})

test('cancelling is final, needs a reason, and is refused when money has come', async () => {
  const { id } = await createInvoice(t)
  assert.equal((await act(t, id, 'cancel', { reason: ' ' })).status, 400)
  const done = await act(t, id, 'cancel', { reason: 'Billed twice' })
  assert.deepEqual([done.json.invoice.status, done.json.invoice.cancel_reason], ['Cancelled', 'Billed twice'])
  const after: [Promise<{ status: number; json: { code: string } }>, string][] = [
    [act(t, id, 'cancel', { reason: 'again' }), 'invalid_transition'],
    [act(t, id, 'send'), 'invalid_transition'],
    [act(t, id, 'payments', { amount: 1 }), 'invalid_transition'],
    [patch(id, { notes: 'x' }), 'invoice_locked'],
  ]
  for (const [answer, code] of after) {
    const { status, json } = await answer
    assert.deepEqual([status, json.code], [409, code])
  }
  const partly = await sentInvoice(t)
  await act(t, partly.id, 'payments', { amount: 1 })
  assert.equal((await act(t, partly.id, 'cancel', { reason: 'x' })).json.code, 'invoice_has_payments')
})

test('of ten that send at once one sends; of a cancel and a payment at once one happens', async () => {
  const { id } = await createInvoice(t)
  const sends = await Promise.all(Array.from({ length: 10 }, () => act(t, id, 'send')))
  assert.deepEqual(sends.map(({ status }) => status).sort(), [200, ...Array(9).fill(409)])
  const both = await Promise.all([act(t, id, 'cancel', { reason: 'x' }), act(t, id, 'payments', { amount: 100 })])
  const refused = both.filter(({ status }) => status === 409)
  assert.equal(refused.length, 1)
  const { status, amount_paid } = await get(id)
  assert.ok((status === 'Paid' && amount_paid === 100) || (status === 'Cancelled' && amount_paid === 0))
})

test('If-Match guards every write of a known invoice, and every answer carries the ETag of what it shows', async () => {
  const { id } = await createInvoice(t)
  const read = await t.call('GET', `${invoicesAddress}/${id}`, { as: t.main.liveKey })
  assert.equal(read.headers['etag'], '"1"')
  const old = { 'if-match': '"1"' }
  const changed = await patch(id, { notes: 'a' }, old)
  assert.deepEqual([changed.status, changed.headers['etag']], [200, '"2"'])
  for (const [method, path, body] of [
    ['PATCH', '', { notes: 'b' }],
    ['POST', '/send', undefined],
    ['POST', '/cancel', { reason: 'x' }],
    ['POST', '/payments', { amount: 1 }],
  ] as const) {
    const answer = await t.call(method, `${invoicesAddress}/${id}${path}`, { as: t.main.liveKey, body, headers: old })
    assert.deepEqual([answer.status, answer.json.code], [412, 'version_mismatch'], path)
  }
  const sent = await t.call('POST', `${invoicesAddress}/${id}/send`, {
    as: t.main.liveKey,
    headers: { 'if-match': '"2"' },
  })
  assert.deepEqual([sent.status, sent.headers['etag']], [200, '"3"'])
})

test('money and its documents are for Admin and Finance Manager only', async () => {
  const { id } = await createInvoice(t)
  const calls: [string, string, object?][] = [
    ['GET', ''],
    ['GET', '/number-audit'],
    ['GET', `/${id}`],
    ['POST', '', { customer: { name: 'A' }, amount: 1 }],
    ['PATCH', `/${id}`, { notes: 'x' }],
    ['POST', `/${id}/send`],
    ['POST', `/${id}/payments`, { amount: 1 }],
    ['POST', `/${id}/cancel`, { reason: 'x' }],
  ]
  for (const [method, path, body] of calls) {
    for (const role of ['Sales Manager', 'Sales Executive'] as const) {
      const { status, json } = await t.call(method, invoicesAddress + path, { as: t.main.tokens[role], body })
      assert.deepEqual([status, json.code], [403, 'insufficient_role'], `${role} ${method} ${path}`)
    }
    const { status } = await t.call(method, invoicesAddress + path, { as: t.main.tokens['Finance Manager'], body })
    assert.ok([200, 201, 409].includes(status), `Finance Manager ${method} ${path}: ${status}`)
  }
})

test('bad input is refused field by field and takes no number', async () => {
  const before = (await list(t)).pagination.totalCount
  const cases: [object, string][] = [
    [{}, 'customer'],
    [{ customer: {} }, 'customer.name'],
    [{ customer: { name: ' ' } }, 'customer.name'],
    [{ customer: { name: 'A', email: 'no' } }, 'customer.email'],
    [{ customer: { name: 'A', vat: '1' } }, 'customer.vat'],
    [{ customer: { name: 'A' }, amount: 1, lines: [] }, 'amount'],
    [{ customer: { name: 'A' }, amount: '1e3' }, 'amount'],
    [{ customer: { name: 'A' }, amount: 1, currency: 'usd' }, 'currency'],
    [{ customer: { name: 'A' }, amount: 1, currency: 'ABC' }, 'currency'],
    [{ customer: { name: 'A' }, amount: 1, due_date: '2026-02-30' }, 'due_date'],
    [{ customer: { name: 'A' }, amount: 1, due_date: '0000-01-01' }, 'due_date'],
    [{ customer: { name: 'A' }, amount: 1, number: 'INV-2026-000001' }, 'number'],
    [{ customer: { name: 'A' }, lines: [{ description: 'a', quantity: 1 }] }, 'lines[0].unit_price'],
    [{ customer: { name: 'A' }, lines: [{ description: 'a', quantity: 'x', unit_price: 1 }] }, 'lines[0].quantity'],
    [{ customer: { name: 'A' }, lines: [{ description: 'a', quantity: 1.00001, unit_price: 1 }] }, 'lines[0].quantity'],
    [{ customer: { name: 'A' }, lines: [{ description: 'a', quantity: -1, unit_price: 1 }] }, 'lines'],
  ]
  for (const [body, field] of cases) {
    const { status, json } = await t.call('POST', invoicesAddress, { as: t.main.liveKey, body })
    assert.equal(status, 400, JSON.stringify(body))
    assert.equal(json.details[0].field, field, JSON.stringify(json.details))
  }
  assert.equal((await list(t)).pagination.totalCount, before)
})

test('an invoice can name the lead it came from, of its own tenant only', async () => {
  const lead = await t.call('POST', '/v1/api/leads', {
    as: t.main.liveKey,
    body: { name: 'Ada', email: 'ada@example.com' },
  })
  const { id } = await createInvoice(t, { lead_id: lead.json.lead.id })
  assert.equal((await get(id)).lead_id, lead.json.lead.id)
  const foreign = await t.call('POST', invoicesAddress, {
    as: t.main.testKey,
    body: { customer: { name: 'A' }, amount: 1, lead_id: lead.json.lead.id },
  })
  assert.deepEqual([foreign.status, foreign.json.code], [422, 'lead_not_found'])
  assert.equal(foreign.json.details[0].field, 'lead_id')
})

test('a lead in the trash, or merged into another, is named by no invoice from then on', async () => {
  const as = t.main.liveKey
  const lead = async (name: string): Promise<number> => {
    const { json } = await t.call('POST', '/v1/api/leads', { as, body: { name, email: `${name}@example.com` } })
    return json.lead.id
  }
  const [stays, merged, trashed] = [await lead('stays'), await lead('merged'), await lead('trashed')]
  const { id } = await createInvoice(t, { lead_id: trashed })
  await t.call('POST', '/v1/api/leads/merge', { as, body: { into: stays, others: [merged] } })
  await t.call('DELETE', `/v1/api/leads/${trashed}`, { as })
  for (const lead_id of [merged, trashed]) {
    const made = await t.call('POST', invoicesAddress, { as, body: { customer: { name: 'A' }, amount: 1, lead_id } })
    assert.deepEqual([made.status, made.json.code, made.json.details?.[0].field], [422, 'lead_not_found', 'lead_id'])
  }
  const change = (body: object) => t.call('PATCH', `${invoicesAddress}/${id}`, { as, body })
  assert.equal((await change({ lead_id: merged })).json.code, 'lead_not_found')
  const kept = await change({ lead_id: trashed, notes: 'As before.' })
  assert.deepEqual([kept.status, kept.json.invoice?.lead_id], [200, trashed], kept.text)
})

test('a lead whose id no column can hold is refused as a fault of the field', async () => {
  const { id } = await createInvoice(t, {})
  const asked = { as: t.main.liveKey, body: { customer: { name: 'A' }, amount: 1, lead_id: 1e308 } }
  const made = await t.call('POST', invoicesAddress, asked)
  const changed = await t.call('PATCH', `${invoicesAddress}/${id}`, { ...asked, body: { lead_id: 1e308 } })
  for (const { status, json } of [made, changed])
    assert.deepEqual([status, json.details?.[0]?.field], [400, 'lead_id'], JSON.stringify(json))
})

test('the job reports what went overdue in every tenant, without anybody looking', async () => {
  const date = await today(t)
  const { id } = await sentInvoice(t, { due_date: date })
  const elsewhere = await t.call('POST', invoicesAddress, {
    as: t.other.liveKey,
    body: { customer: { name: 'A' }, amount: 1, due_date: date },
  })
  await t.call('POST', `${invoicesAddress}/${elsewhere.json.invoice.id}/send`, { as: t.other.liveKey })
  t.clock.advance(25 * 3_600_000)
  const job = rollInvoiceCalendars(t.app.services)
  await job.run()
  await job.run()
  for (const resource of [id, elsewhere.json.invoice.id]) {
    const drafts = (await eventsOf(resource)).filter(({ type }) => type === 'invoice.overdue')
    assert.equal(drafts.length, 1)
  }
})
