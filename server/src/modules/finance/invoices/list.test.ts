// What lists promise: totals and pages are exact for every status, at every depth, on every day, whatever happened before;
// they equal what counting and OFFSET would give.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { seedInvoices } from '../../../../../bench/seed_invoices.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  act,
  countsOf,
  createInvoice,
  invoicesAddress,
  list,
  misListed,
  naiveList,
  sentInvoice,
  setTimeZone,
  today,
} from '../../../../test/invoices.ts'
import { addDays } from '../../../kernel/values/clock.ts'
import { statuses } from './rules.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const hourMs = 3_600_000

/** Holds every status and some sets of them, on pages of some sizes, against the naive list. */
async function assertListsExact(limits: readonly number[]): Promise<void> {
  const date = await today(t)
  const naive = await naiveList(t, date)
  const sets = [null, ...statuses.map(status => [status]), ['Draft', 'Cancelled'], ['Sent', 'Overdue', 'Paid']] as const
  for (const set of sets) {
    const wanted = set === null ? naive : naive.filter(row => (set as readonly string[]).includes(row.status))
    const filter: Record<string, string> = set === null ? {} : { status: set.join() }
    for (const limit of limits) {
      const lastPage = Math.ceil(wanted.length / limit)
      for (const page of new Set([1, 2, Math.ceil(lastPage / 2), lastPage, lastPage + 1].filter(page => page > 0))) {
        for (const sort of ['-created_at', 'created_at']) {
          const { invoices, pagination } = await list(t, { ...filter, page, limit, sort })
          const order = sort === 'created_at' ? wanted.toReversed() : wanted
          const expected = order.slice((page - 1) * limit, page * limit)
          const shown = invoices.map(({ id, status }) => ({ id, status }))
          assert.deepEqual(
            shown,
            expected.map(({ id, status }) => ({ id, status })),
            `${set} ${page}/${limit} ${sort}`,
          )
          assert.equal(pagination.totalCount, wanted.length)
          assert.equal(pagination.nextCursor !== null, page * limit < wanted.length, `${set} ${page}/${limit} ${sort}`)
        }
      }
    }
  }
  const [calendar] = await t.ownerSql<{ as_of: string }>('select as_of from invoice_calendar where tenant_id = $1', [
    t.main.liveTenantId,
  ])
  assert.equal(calendar?.as_of, naive.length === 0 ? undefined : date)
  await assertCountsExact()
}

async function assertCountsExact(): Promise<void> {
  const { kept, counted } = await countsOf(t, t.main.liveTenantId)
  assert.deepEqual(kept, counted)
  assert.deepEqual(await misListed(t), [])
}

test('an empty tenant has an empty list', async () => {
  const { invoices, pagination } = await list(t, { status: 'Overdue' })
  assert.deepEqual(invoices, [])
  assert.deepEqual(pagination, { page: 1, limit: 20, totalCount: 0, nextCursor: null })
})

type Step =
  | { kind: 'create'; dueIn: number; amount: number }
  | { kind: 'send' | 'cancel'; pick: number }
  | { kind: 'pay'; pick: number; share: number }
  | { kind: 'due'; pick: number; dueIn: number }
  | { kind: 'hours'; hours: number }
  | { kind: 'zone'; zone: string }
  | { kind: 'look' }

const pick = fc.nat()
const dueIn = fc.integer({ min: -3, max: 4 })
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ kind: fc.constant('create' as const), dueIn, amount: fc.integer({ min: 0, max: 3 }) }),
  },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('send' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('pay' as const), pick, share: fc.constantFrom(0.3, 1) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('due' as const), pick, dueIn }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('hours' as const), hours: fc.integer({ min: 1, max: 60 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('zone' as const),
      zone: fc.constantFrom('Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin', 'UTC'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('look' as const) }) },
)

/** What was asked for may be refused, for it is asked at random; it must never fail otherwise. */
function assertAnswered({ status, text }: { status: number; text: string }): void {
  assert.ok([200, 201, 409, 422].includes(status), text)
}

async function take(action: Step): Promise<void> {
  if (action.kind === 'hours') return t.clock.advance(action.hours * hourMs)
  if (action.kind === 'zone') return setTimeZone(t, action.zone)
  if (action.kind === 'look') return void (await list(t))
  const date = await today(t)
  if (action.kind === 'create') {
    await createInvoice(t, { amount: action.amount, due_date: addDays(date, action.dueIn) })
    return
  }
  const rows = await t.ownerSql<{ id: number; due: number }>(
    `select id::int, ((total_minor - paid_minor) / 100.0)::float8 as due from invoices where tenant_id = $1 order by ordinal desc limit 40`,
    [t.main.liveTenantId],
  )
  const chosen = rows[action.pick % Math.max(rows.length, 1)]
  if (chosen === undefined) return
  if (action.kind === 'send') return assertAnswered(await act(t, chosen.id, 'send'))
  if (action.kind === 'cancel') return assertAnswered(await act(t, chosen.id, 'cancel', { reason: 'test' }))
  if (action.kind === 'pay') {
    const amount = Math.max(0.01, Math.floor(chosen.due * action.share * 100) / 100)
    return assertAnswered(await act(t, chosen.id, 'payments', { amount: amount.toFixed(2) }))
  }
  if (action.kind !== 'due') return
  const body = { due_date: addDays(date, action.dueIn) }
  assertAnswered(await t.call('PATCH', `${invoicesAddress}/${chosen.id}`, { as: t.main.liveKey, body }))
}

test('after any history, on any day, lists and counts equal what counting gives', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async steps => {
      for (const action of steps) await take(action)
      await assertListsExact([1 + (steps.length % 7), 20])
    }),
    { numRuns: 25, endOnFailure: true },
  )
})

test('every event of an invoice has its own number, and no due date is reported twice', async () => {
  const repeated = await t.ownerSql(
    `select resource_id, sequence, count(*) from event_log where type like 'invoice.%'
     group by 1, 2 having count(*) > 1`,
  )
  assert.deepEqual(repeated, [])
  const drafts = await t.ownerSql(
    `select resource_id, data ->> 'due_date', count(*) from event_log where type = 'invoice.overdue'
     group by 1, 2 having count(*) > 1`,
  )
  // Moving a due date away and back makes another promise, so the same date may be reported again only after a change of it.
  for (const { resource_id } of drafts as { resource_id: string }[]) {
    const [changes] = await t.ownerSql<{ n: number }>(
      "select count(*)::int as n from event_log where type = 'invoice.updated' and resource_id = $1",
      [resource_id],
    )
    assert.ok((changes?.n ?? 0) > 0, `invoice ${resource_id} was reported overdue twice without a change`)
  }
  const [counts] = await t.ownerSql<{ wrong: number }>(
    `select count(*)::int as wrong from invoices i where event_count <> (
       select count(*) from event_log e where e.tenant_id = i.tenant_id and e.resource_id = i.id::text and e.type like 'invoice.%')`,
  )
  assert.equal(counts?.wrong, 0)
})

test('an invoice is Overdue from midnight in the time zone of the organization, without any job', async () => {
  await setTimeZone(t, 'Pacific/Auckland')
  const date = await today(t)
  const { id } = await sentInvoice(t, { due_date: date })
  const before = (await list(t, { status: 'Overdue' })).pagination.totalCount
  const midnight = Temporal.PlainDate.from(addDays(date, 1)).toZonedDateTime('Pacific/Auckland').epochMilliseconds
  t.clock.advance(midnight - 2_000 - t.clock.now())
  assert.equal((await list(t, { status: 'Overdue' })).pagination.totalCount, before)
  const single = () => t.call('GET', `${invoicesAddress}/${id}`, { as: t.main.liveKey })
  assert.equal((await single()).json.invoice.status, 'Sent')

  t.clock.advance(midnight + 1 - t.clock.now())
  assert.equal((await single()).json.invoice.status, 'Overdue', 'a single read derives the status itself')
  const unreported = await t.ownerSql("select from event_log where type = 'invoice.overdue' and resource_id = $1", [
    String(id),
  ])
  assert.equal(unreported.length, 0)
  const overdue = await list(t, { status: 'Overdue', limit: 200 })
  assert.ok(overdue.invoices.some(invoice => invoice.id === id))
  const drafts = await t.ownerSql<{ data: { status: string; previousStatus: string } }>(
    "select data from event_log where type = 'invoice.overdue' and resource_id = $1",
    [String(id)],
  )
  assert.deepEqual(
    drafts.map(({ data }) => [data.status, data.previousStatus]),
    [['Overdue', 'Sent']],
  )

  // The date goes back with the zone, and forward again: nothing is emitted a second time.
  await setTimeZone(t, 'Pacific/Pago_Pago')
  assert.ok((await list(t, { status: 'Sent', limit: 200 })).invoices.some(invoice => invoice.id === id))
  await assertListsExact([20])
  await setTimeZone(t, 'Pacific/Auckland')
  await assertListsExact([20])
  const still = await t.ownerSql("select from event_log where type = 'invoice.overdue' and resource_id = $1", [
    String(id),
  ])
  assert.equal(still.length, 1)
})

test('at midnight, lists, payments, sends and new due dates at once leave everything exact', async () => {
  const date = await today(t)
  const made = await Promise.all(
    Array.from({ length: 60 }, (_, n) => (n % 3 === 0 ? createInvoice : sentInvoice)(t, { due_date: date })),
  )
  t.clock.advance(24 * hourMs)
  const next = await today(t)
  await Promise.all(
    made.flatMap(({ id }, n) => [
      list(t, { status: statuses[n % 5] as string }),
      n % 3 === 0
        ? act(t, id, 'send').then(assertAnswered)
        : n % 3 === 1
          ? act(t, id, 'payments', { amount: n % 2 === 0 ? 100 : 40 }).then(assertAnswered)
          : t
              .call('PATCH', `${invoicesAddress}/${id}`, {
                as: t.main.liveKey,
                body: { due_date: addDays(next, (n % 4) - 2) },
              })
              .then(assertAnswered),
    ]),
  )
  await assertListsExact([20])
})

test('after a long downtime the calendar catches up over many days and thousands of invoices', async () => {
  const tenantId = t.main.testTenantId
  const as = t.main.testKey
  const seed = await t.call('POST', invoicesAddress, { as, body: { customer: { name: 'Ada' }, amount: 1 } })
  assert.equal(seed.status, 201)
  const asOf = await today(t)
  // 2,600 on one day, more than one step; 900 spread over the month after.
  await t.ownerSql(
    `insert into invoices (tenant_id, ordinal, year, sequence, state, listed_status, currency, exponent, net_minor,
       tax_minor, total_minor, basis, customer, issue_date, due_date, sent_at)
     select $1::bigint, 1 + n, 2020, n, 'Sent', 'Sent', 'USD', 2, 100, 0, 100, 'amount', '{"name":"Ada","email":null,"address":null,"tax_id":null}', $2::date,
       $2::date + case when n <= 2600 then 3 else 4 + (n % 30)::int end, now()
     from generate_series(1, 3500) as n`,
    [tenantId, asOf],
  )
  t.clock.advance(45 * 24 * hourMs)
  const total = async (status: string) =>
    (await t.call('GET', `${invoicesAddress}?status=${status}`, { as })).json.pagination.totalCount
  assert.equal(await total('Overdue'), 3500)
  assert.equal(await total('Sent'), 0)
  const [drafts] = await t.ownerSql<{ n: number }>(
    "select count(distinct resource_id)::int as n from event_log where type = 'invoice.overdue' and tenant_id = $1",
    [tenantId],
  )
  assert.equal(drafts?.n, 3500)
})

test('deep pages and cursors over three levels of blocks equal a plain OFFSET', async () => {
  const tenantId = t.other.liveTenantId
  const owner = { query: (text: string, values?: unknown[]) => t.ownerSql(text, values).then(rows => ({ rows })) }
  await seedInvoices(owner as never, tenantId, 70_000)
  const as = t.other.liveKey
  const { kept, counted } = await countsOf(t, tenantId)
  assert.deepEqual(kept, counted)
  for (const status of [null, 'Paid', 'Overdue', 'Paid,Draft']) {
    const filter = status === null ? 'true' : `listed_status = any ('{${status}}')`
    const [{ total } = { total: 0 }] = await t.ownerSql<{ total: number }>(
      `select count(*)::int as total from invoices where tenant_id = $1 and ${filter}`,
      [tenantId],
    )
    const query = status === null ? '' : `status=${status}&`
    for (const page of [1, 2, 3, 37, 52, 53, 411, Math.ceil(total / 20) - 1, Math.ceil(total / 20), 3_501, 10_000]) {
      const expected = await t.ownerSql<{ id: number }>(
        `select id::int from invoices where tenant_id = $1 and ${filter} order by ordinal desc offset $2 limit 20`,
        [tenantId, (page - 1) * 20],
      )
      const { json } = await t.call('GET', `${invoicesAddress}?${query}page=${page}`, { as })
      const ids = json.invoices.map((invoice: { id: number }) => invoice.id)
      assert.deepEqual(
        ids,
        expected.map(row => row.id),
        `${status} page ${page}`,
      )
      assert.equal(json.pagination.totalCount, total)
      const cursor = json.pagination.nextCursor
      assert.equal(cursor === null, page * 20 >= total)
      if (cursor === null) continue
      const behind = await t.ownerSql<{ id: number }>(
        `select id::int from invoices where tenant_id = $1 and ${filter} order by ordinal desc offset $2 limit 50`,
        [tenantId, page * 20],
      )
      const next = await t.call('GET', `${invoicesAddress}?${query}limit=50&cursor=${cursor}`, { as })
      assert.deepEqual(
        next.json.invoices.map((invoice: { id: number }) => invoice.id),
        behind.map(row => row.id),
      )
      assert.equal(next.json.pagination.totalCount, total)
      assert.equal(next.json.pagination.nextCursor === null, page * 20 + 50 >= total)
    }
  }
})

test('a name that many customers bear is found like one that few do', async () => {
  const tenantId = t.other.liveTenantId
  for (const customer of ['CUSTOMER 1', 'tomer 4321', 'omer 43', 'nobody']) {
    const where = `tenant_id = $1 and customer ->> 'name' ilike $2`
    const expected = await t.ownerSql<{ id: number }>(
      `select id::int from invoices where ${where} order by total_minor, ordinal limit 20 offset 40`,
      [tenantId, `%${customer}%`],
    )
    const [{ total } = { total: -1 }] = await t.ownerSql<{ total: number }>(
      `select count(*)::int as total from invoices where ${where}`,
      [tenantId, `%${customer}%`],
    )
    const address = `${invoicesAddress}?customer=${encodeURIComponent(customer)}&sort=amount&page=3`
    const { json } = await t.call('GET', address, { as: t.other.liveKey })
    const ids = json.invoices.map((invoice: { id: number }) => invoice.id)
    assert.deepEqual([ids, json.pagination.totalCount], [expected.map(row => row.id), total], customer)
  }
})
