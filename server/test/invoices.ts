// What the tests of finance share: making invoices through the API, and the same lists worked out the slow and obvious way.
import assert from 'node:assert/strict'
import { dateIn } from '../src/kernel/values/clock.ts'
import type { Answer, TestApp } from './harness.ts'

export const invoicesAddress = '/v1/api/finance/invoices'

export type InvoiceJson = { id: number; number: string; status: string; due_date: string; version: number }

/** Creates an invoice with the live key (it outlives any day the test clock jumps to); the plain amount is 100. */
export async function createInvoice(t: TestApp, body: object = {}): Promise<InvoiceJson> {
  const whole = { customer: { name: 'Ada Ltd' }, ...('lines' in body ? {} : { amount: 100 }), ...body }
  return created(await t.call('POST', invoicesAddress, { as: t.main.liveKey, body: whole })).invoice
}

export function created(answer: Answer) {
  assert.equal(answer.status, 201, answer.text)
  return answer.json
}

export function act(t: TestApp, id: number, action: string, body?: object): Promise<Answer> {
  return t.call('POST', `${invoicesAddress}/${id}/${action}`, { as: t.main.liveKey, body })
}

export async function sentInvoice(t: TestApp, body: object = {}): Promise<InvoiceJson> {
  const { id } = await createInvoice(t, body)
  const answer = await act(t, id, 'send')
  assert.equal(answer.status, 200, answer.text)
  return answer.json.invoice
}

export async function list(t: TestApp, query: Record<string, string | number> = {}) {
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const answer = await t.call('GET', `${invoicesAddress}?${search}`, { as: t.main.liveKey })
  assert.equal(answer.status, 200, answer.text)
  return answer.json as {
    invoices: InvoiceJson[]
    pagination: { page: number; limit: number; totalCount: number; nextCursor: string | null }
  }
}

/** Moves the organization to another time zone, known to the server at once. */
export async function setTimeZone(t: TestApp, timeZone: string): Promise<void> {
  await t.ownerSql('update organizations set time_zone = $1 where id = $2', [timeZone, t.main.organizationId])
  t.app.services.authenticator.forget()
}

export async function today(t: TestApp): Promise<string> {
  const [row] = await t.ownerSql<{ time_zone: string }>('select time_zone from organizations where id = $1', [
    t.main.organizationId,
  ])
  return dateIn(row?.time_zone as string, t.clock.now())
}

export type NaiveRow = { id: number; ordinal: number; status: string }

/** All invoices of the live tenant, newest first, with the status of that day. */
export async function naiveList(t: TestApp, date: string): Promise<NaiveRow[]> {
  return t.ownerSql<NaiveRow>(
    `select id::int, ordinal::int,
            case when state = 'Sent' and due_date < $2 and paid_minor < total_minor then 'Overdue' else state end as status
     from invoices where tenant_id = $1 order by ordinal desc`,
    [t.main.liveTenantId, date],
  )
}

/** The counts of all blocks and the sums as they are kept, and as counting the invoices gives them; both as text, to be compared. */
export async function countsOf(t: TestApp, tenantId: number): Promise<{ kept: string[]; counted: string[] }> {
  const kept = await t.ownerSql<{ text: string }>(
    `select format('%s/%s %s %s', level, parent * 64 + e - 1, status, n) as text
     from invoice_blocks cross join lateral (
       values ('Draft', draft), ('Sent', sent), ('Overdue', overdue), ('Paid', paid), ('Cancelled', cancelled),
         ('every', every)) as s (status, counts)
     cross join lateral unnest(counts) with ordinality as c (n, e)
     where tenant_id = $1 and n <> 0
     union all
     select format('sum of %s in %s: %s, %s, %s', status, currency, invoices, total_minor, paid_minor) from invoice_sums
     where tenant_id = $1 and (invoices, total_minor, paid_minor) <> (0, 0, 0)
     order by 1`,
    [tenantId],
  )
  const counted = await t.ownerSql<{ text: string }>(
    `select format('%s/%s %s %s', level, (ordinal - 1) / (16 * 64 ^ level)::bigint, s, count(*)) as text
     from invoices cross join generate_series(0, 2) as level cross join lateral (values (listed_status), ('every')) as x (s)
     where tenant_id = $1 group by level, (ordinal - 1) / (16 * 64 ^ level)::bigint, s
     union all
     select format('sum of %s in %s: %s, %s, %s', listed_status, currency, count(*), sum(total_minor), sum(paid_minor)) from invoices
     where tenant_id = $1 group by listed_status, currency
     order by 1`,
    [tenantId],
  )
  return { kept: kept.map(row => row.text), counted: counted.map(row => row.text) }
}

/** Invoices whose listed status is not what the calendar makes of them. */
export async function misListed(t: TestApp): Promise<unknown[]> {
  return t.ownerSql(
    `select i.id, i.state, i.listed_status, i.due_date, c.as_of from invoices i
     left join invoice_calendar c on c.tenant_id = i.tenant_id
     where c.as_of is null or i.listed_status <> invoice_status(i.state, i.due_date, i.total_minor - i.paid_minor, c.as_of)`,
  )
}
