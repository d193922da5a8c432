// What filters, sorts and cursors of the list promise: exactly what a plain filter and sort of all invoices gives, in a
// stable order, page by page; and a clear refusal of what is none.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { act, createInvoice, invoicesAddress, list, sentInvoice, today } from '../../../../test/invoices.ts'
import { addDays } from '../../../kernel/values/clock.ts'
import { statuses } from './rules.ts'

type Shown = {
  id: number
  number: string
  amount: number
  status: string
  due_date: string
  issue_date: string
  customer: { name: string }
}

type Page = Awaited<ReturnType<typeof list>>

let t: TestApp
/** Oldest first. */
let all: Shown[]

const customers = ['Ärzte & Söhne', 'Ada Ltd', 'ADA GmbH', 'Bébé SARL', '100% Rebate', 'Under_score', 'back\\slash']

before(async () => {
  t = await startTestApp()
  const date = await today(t)
  for (let n = 0; n < 140; n++) {
    const body = {
      customer: { name: customers[n % customers.length] },
      currency: ['USD', 'JPY', 'KWD'][n % 3],
      amount: [5, 12, 1200][n % 3],
      due_date: addDays(date, (n % 11) - 4),
    }
    const { id } = await (n % 4 === 0 ? createInvoice : sentInvoice)(t, body)
    if (n % 8 === 1) await act(t, id, 'payments', { amount: body.amount })
    if (n % 16 === 2) await act(t, id, 'cancel', { reason: 'test' })
    if (n % 20 === 19) t.clock.advance(86_400_000)
  }
  all = []
  for (let page = 1; ; page++) {
    const { invoices, pagination } = await list(t, { sort: 'created_at', limit: 50, page })
    all.push(...(invoices as unknown as Shown[]))
    if (pagination.nextCursor === null) break
  }
  assert.equal(all.length, 140)
})
after(() => t?.close())

const sorts: Record<string, (invoice: Shown) => number | string> = {
  created_at: ({ id }) => id,
  due_date: ({ due_date }) => due_date,
  issue_date: ({ issue_date }) => issue_date,
  amount: ({ amount }) => amount,
  number: ({ number }) => number,
}

/** Sorts as documented; what is equal in every key follows the direction of the last one, by creation. */
function naiveSort(invoices: Shown[], sort: string): Shown[] {
  const words = [...sort.split(','), sort.split(',').at(-1)?.startsWith('-') ? '-created_at' : 'created_at']
  return invoices.toSorted((a, b) => {
    for (const word of words) {
      const key = sorts[word.replace('-', '')] as (invoice: Shown) => number | string
      const [x, y] = word.startsWith('-') ? [key(b), key(a)] : [key(a), key(b)]
      if (x !== y) return x < y ? -1 : 1
    }
    return 0
  })
}

const compare: Record<string, (a: string, b: string) => boolean> = {
  '': (a, b) => a === b,
  '[gte]': (a, b) => a >= b,
  '[gt]': (a, b) => a > b,
  '[lte]': (a, b) => a <= b,
  '[lt]': (a, b) => a < b,
}

function naiveFilter(query: Record<string, string>): Shown[] {
  return all.filter(invoice =>
    Object.entries(query).every(([name, value]) => {
      if (name === 'status') return value.split(',').includes(invoice.status)
      if (name === 'customer') return invoice.customer.name.toLowerCase().includes(value.toLowerCase())
      if (name === 'customer[is]') return invoice.customer.name.toLowerCase() === value.toLowerCase()
      if (name === 'number') return invoice.number.startsWith(value.toUpperCase())
      const [, field = '', comparison = ''] = /^(\w+)(\[\w+\])?$/.exec(name) ?? []
      const date = field === 'due_date' ? invoice.due_date : invoice.issue_date
      return compare[comparison]?.(date, value)
    }),
  )
}

const dates = fc.integer({ min: -6, max: 14 }).chain(days => fc.constant(days))
const sortWord = fc.tuple(fc.boolean(), fc.constantFrom(...Object.keys(sorts)))
const sortText = fc
  .uniqueArray(sortWord, { minLength: 1, maxLength: 3, selector: ([, name]) => name })
  .map(words => words.map(([down, name]) => (down ? `-${name}` : name)).join())
const filterOf = (start: string) =>
  fc.record(
    {
      status: fc.subarray([...statuses], { minLength: 1 }).map(some => some.join()),
      customer: fc.constantFrom('ada', 'ä', '%', '_', '\\', 'é', 'söhne', 'nobody', 'd'),
      'customer[is]': fc.constantFrom(
        'ada',
        'ADA LTD',
        'ärzte & söhne',
        '100% rebate',
        'under_score',
        'back\\slash',
        'underxscore',
      ),
      number: fc.constantFrom(
        'INV-',
        `INV-${start.slice(0, 4)}-00001`,
        `inv-${start.slice(0, 4)}-000123`,
        'INV-1999',
        'X',
      ),
      'due_date[gte]': dates.map(days => addDays(start, days)),
      'due_date[lt]': dates.map(days => addDays(start, days)),
      due_date: dates.map(days => addDays(start, days)),
      'issue_date[gt]': dates.map(days => addDays(start, days)),
      'issue_date[lte]': dates.map(days => addDays(start, days)),
    },
    { requiredKeys: [] },
  )

test('any filters in any order, page by page and by cursor, equal a plain filter and sort', async () => {
  const start = all[0]?.issue_date as string
  const size = fc.integer({ min: 1, max: 60 })
  await fc.assert(
    fc.asyncProperty(filterOf(start), sortText, size, async (filter, sort, limit) => {
      const query = filter as Record<string, string>
      const expected = naiveSort(naiveFilter(query), sort).map(({ id }) => id)
      let cursor: string | null = null
      for (let page = 1; (page - 1) * limit <= expected.length; page++) {
        const wanted = expected.slice((page - 1) * limit, page * limit)
        const numbered = await list(t, { ...query, sort, limit, page })
        assert.deepEqual(
          numbered.invoices.map(({ id }) => id),
          wanted,
          `page ${page}`,
        )
        assert.deepEqual([numbered.pagination.page, numbered.pagination.limit], [page, limit])
        const behind: Page = cursor === null ? numbered : await list(t, { ...query, sort, limit, cursor })
        const { invoices, pagination } = behind
        assert.deepEqual(
          invoices.map(({ id }) => id),
          wanted,
          `cursor to page ${page}`,
        )
        assert.equal(pagination.totalCount, expected.length)
        cursor = pagination.nextCursor
        assert.equal(cursor === null, page * limit >= expected.length)
        if (cursor === null) break
      }
    }),
    { numRuns: 120 },
  )
})

test('limits are cut to 200, and a page far beyond the end is empty', async () => {
  const { pagination } = await list(t, { limit: 1_000_000 })
  assert.deepEqual([pagination.limit, pagination.totalCount], [200, 140])
  const far = await list(t, { page: 50_001 })
  assert.deepEqual([far.invoices, far.pagination.totalCount], [[], 140])
})

test('what is no filter is refused with its name; nothing is ignored', async () => {
  const cases: [query: string, field: string][] = [
    ['status=Late', 'status'],
    ['status=', 'status'],
    ['status=Paid,', 'status'],
    ['sort=size', 'sort'],
    ['sort=amount,-amount', 'sort'],
    ['due_date[gte]=2026-02-30', 'due_date[gte]'],
    ['due_date[before]=2026-01-01', 'due_date[before]'],
    ['issue_date=0000-01-01', 'issue_date'],
    ['page=0', 'page'],
    ['limit=-1', 'limit'],
    ['page=60000', 'page'],
    ['client=Ada', 'client'],
    ['customer=', 'customer'],
  ]
  for (const [query, field] of cases) {
    const { status, json } = await t.call('GET', `${invoicesAddress}?${query}`, { as: t.main.liveKey })
    assert.equal(status, 400, query)
    assert.deepEqual([json.code, json.details[0].field], ['validation_failed', field], query)
  }
})

test('a cursor of other filters, another sort, or anybody’s making is refused', async () => {
  const { pagination } = await list(t, { status: 'Draft', sort: 'due_date', limit: 5 })
  const cursor = pagination.nextCursor as string
  const forged = (key: unknown[]) => {
    const [mark] = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    return Buffer.from(JSON.stringify([mark, ...key])).toString('base64url')
  }
  const queries = [
    `status=Paid&sort=due_date&cursor=${cursor}`,
    `status=Draft&sort=-due_date&cursor=${cursor}`,
    `cursor=${cursor}`,
    'cursor=abc',
    `status=Draft&sort=due_date&cursor=${forged(['2026-01-01'])}`,
    `status=Draft&sort=due_date&cursor=${forged(["2026-01-01' or true", '1'])}`,
    `status=Draft&sort=due_date&cursor=${forged(['2026-01-01', '99999999999999999999'])}`,
    `status=Draft&sort=due_date&cursor=${forged([1, 2])}`,
  ]
  for (const query of queries) {
    const { status, json } = await t.call('GET', `${invoicesAddress}?${query}`, { as: t.main.liveKey })
    assert.deepEqual([status, json.code], [400, 'invalid_cursor'], query)
  }
  const both = await t.call('GET', `${invoicesAddress}?status=Draft&sort=due_date&page=2&cursor=${cursor}`, {
    as: t.main.liveKey,
  })
  assert.deepEqual([both.status, both.json.details[0].field], [400, 'page'])
})

test('another tenant, and test mode, see none of it', async () => {
  for (const as of [t.main.testKey, t.other.liveKey]) {
    for (const query of ['', '?customer=ada', '?sort=amount', '?status=Sent']) {
      const { json } = await t.call('GET', `${invoicesAddress}${query}`, { as })
      assert.equal(json.pagination.totalCount, 0)
    }
    const { status } = await t.call('GET', `${invoicesAddress}/${all[0]?.id}`, { as })
    assert.equal(status, 404)
  }
})
