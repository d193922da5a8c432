// The list of invoices as CSV: the rows of the list in its order, safe for spreadsheets, whole over many pages, and what is owed as it is.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { seedInvoices } from '../../../../../bench/seed_invoices.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { act, createInvoice, invoicesAddress, sentInvoice } from '../../../../test/invoices.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

type Row = Record<string, string>

async function fileOf(query: string, as = t.main.liveKey): Promise<string> {
  const { status, text } = await t.call('GET', `${invoicesAddress}/export${query}`, { as })
  assert.equal(status, 200, text)
  return text
}
const rowsOf = async (query: string, as = t.main.liveKey): Promise<Row[]> =>
  parse(await fileOf(query, as), { columns: true, bom: true })

test('it has the invoices that the filters let through, with what they come to; only what is owed is due', async () => {
  const customer = { name: '=Müller, "GmbH"', address: 'Lindenstraße 12\n10969 Berlin', tax_id: 'DE123' }
  const lines = [{ description: 'Hours', quantity: 2, unit_price: 50, tax_rate: 19 }]
  const open = await sentInvoice(t, { customer, currency: 'EUR', lines })
  await act(t, open.id, 'payments', { amount: 19 })
  const gone = await createInvoice(t, { customer: { name: 'Gone Ltd' }, amount: 7 })
  await act(t, gone.id, 'cancel', { reason: 'Billed twice' })
  const [first, second] = await rowsOf('?sort=created_at')
  const { id, number, status, currency, subtotal, tax_total, amount, amount_paid, amount_due } = first!
  assert.deepEqual(
    { id, number, status, currency, subtotal, tax_total, amount, amount_paid, amount_due },
    {
      id: String(open.id),
      number: open.number,
      status: 'Sent',
      currency: 'EUR',
      subtotal: '100',
      tax_total: '19',
      amount: '119',
      amount_paid: '19',
      amount_due: '100',
    },
  )
  assert.deepEqual(
    [first!['customer.name'], first!['customer.address'], first!['customer.tax_id'], first!['paid_at']],
    [`'${customer.name}`, customer.address, 'DE123', ''],
  )
  assert.deepEqual(
    [second!['status'], second!['amount_due'], second!['cancel_reason']],
    ['Cancelled', '0', 'Billed twice'],
  )
  const named = await rowsOf(`?customer=gone&status=Cancelled`)
  assert.deepEqual(
    named.map(row => row['id']),
    [String(gone.id)],
  )
  assert.match(
    await fileOf('?header=labels&bom=true&status=Paid'),
    /^\ufeffID,Number,Status,Issued,Due date,Customer,.*\r\n$/,
  )
})

test('it is whole, each once, over many pages in any order; a bad filter and a role without the right are refused', async () => {
  const tenantId = t.other.liveTenantId
  const owner = { query: (text: string, values?: unknown[]) => t.ownerSql(text, values).then(rows => ({ rows })) }
  await seedInvoices(owner as never, tenantId, 2_500)
  const all = await t.ownerSql<{ id: string }>(
    'select id::text from invoices where tenant_id = $1 order by ordinal desc',
    [tenantId],
  )
  const ids = async (query: string) => (await rowsOf(query, t.other.liveKey)).map(row => row['id'])
  const newest = all.map(({ id }) => id)
  assert.deepEqual(await ids(''), newest)
  assert.deepEqual(await ids('?sort=created_at'), newest.toReversed())
  assert.deepEqual((await ids('?sort=-amount,due_date')).toSorted(), newest.toSorted())
  const dated = await t.call('GET', `${invoicesAddress}/export?due_date=2026-02-30`, { as: t.main.liveKey })
  assert.deepEqual([dated.status, dated.json.details[0].field], [400, 'due_date'])
  const sales = await t.call('GET', `${invoicesAddress}/export`, { as: t.main.tokens['Sales Executive'] })
  assert.equal(sales.json.code, 'insufficient_role')
  assert.deepEqual(await rowsOf('', t.main.testKey), [])
})
