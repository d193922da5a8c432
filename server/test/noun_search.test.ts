// Searches of a noun with many records, held against a model of them: whatever way is taken (records in the order of the list, the index of
// parts of words, or all that hold the text), pages, cursors and totals are the same. And which way that is, as the application may read.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { maxFound } from '../src/kernel/noun/search.ts'
import { startTestApp, type TestApp } from './harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
  await t.ownerSql(
    `insert into companies (tenant_id, id, version, created_at, updated_at, deleted_at, name, industry, owner_id, find)
     select $1::bigint, r.id, 1, r.at, r.at, case when r.deleted then r.at end, r.name, r.industry, r.owner, noun_search_text(r.name)
     from json_to_recordset($2) as r (id text, at timestamptz, deleted boolean, name text, industry text, owner bigint)`,
    [t.main.liveTenantId, JSON.stringify(records)],
  )
  await t.ownerSql('vacuum analyze companies, noun_words')
})
after(() => t?.close())

const path = '/v1/api/companies'
const many = 24_000
const industries = ['Retail', 'Manufacturing', 'Services', 'Public', 'Other']
const someone = 1_000_001

/** The oldest are more than are counted, and behind more than are read in the order of the list. */
const words: Record<string, (n: number) => boolean> = {
  common: () => true,
  half: n => n % 2 === 0,
  tenth: n => n % 10 === 3,
  seldom: n => n % 97 === 0,
  oldest: n => n < 1_500,
  newest: n => n >= many - 1_200,
}

const records = Array.from({ length: many }, (_, n) => ({
  id: `cmp_0${String(n).padStart(25, '0')}`,
  at: new Date(Date.UTC(2026, 0, 1) + n * 1_000).toISOString(),
  deleted: n % 50 === 1,
  name: [...Object.keys(words).filter(word => words[word]!(n)), `n${n}`].join(' '),
  industry: industries[n % 5]!,
  owner: n % 3 === 0 ? null : n % 3 === 1 ? someone : someone + 1,
}))
type Company = (typeof records)[number]

const collator = new Intl.Collator('en')
const orders: Record<string, (a: Company, b: Company) => number> = {
  created_at: (a, b) => (a.id < b.id ? -1 : 1),
  '-created_at': (a, b) => (a.id < b.id ? 1 : -1),
  name: (a, b) => collator.compare(a.name, b.name),
  '-name': (a, b) => collator.compare(b.name, a.name),
  '-updated_at': (a, b) => (a.id < b.id ? 1 : -1),
}

/** Three letters and more are found anywhere, fewer where a word begins. */
const holds = (company: Company, word: string) => ` ${company.name}`.includes(word.length < 3 ? ` ${word}` : word)

const get = async (query: Record<string, string | number>, as = t.main.tokens.Admin) => {
  const { status, json, text } = await t.call('GET', `${path}?${new URLSearchParams(query as never)}`, { as })
  assert.equal(status, 200, text)
  const { totalCount, totalIsExact, nextCursor } = json.pagination
  return { ids: json.companies.map(({ id }: Company) => id), total: [totalCount, totalIsExact], nextCursor }
}

const asked = fc.record({
  q: fc.uniqueArray(fc.constantFrom(...Object.keys(words), 'ha', 'n2', 'ldes', 'n23', 'n1999', 'COMMON'), {
    minLength: 1,
    maxLength: 3,
  }),
  sort: fc.constantFrom(...Object.keys(orders)),
  limit: fc.integer({ min: 1, max: 60 }),
  industry: fc.option(fc.constantFrom(...industries), { freq: 3 }),
  deleted: fc.constantFrom(false, false, false, true),
  owner: fc.option(fc.constantFrom(`${someone}`, 'none', `none,${someone}`), { freq: 2 }),
})

test('property: pages by number and by cursor are the same, and what the model says', async () => {
  await fc.assert(
    fc.asyncProperty(asked, async ({ q, sort, limit, industry, deleted, owner }) => {
      const wanted = records
        .filter(
          company =>
            q.every(word => holds(company, word.toLowerCase())) &&
            company.deleted === deleted &&
            (industry === null || company.industry === industry) &&
            (owner === null || owner.split(',').includes(company.owner === null ? 'none' : `${company.owner}`)),
        )
        .sort(orders[sort])
        .map(({ id }) => id)
      // What nothing holds is looked for in other spellings.
      if (wanted.length === 0) return
      const query = {
        q: q.join(' '),
        sort,
        limit,
        ...(industry && { industry }),
        ...(owner && { owner_id: owner }),
        ...(deleted && { deleted: 'true' }),
      }
      let cursor: string | null = null
      for (let page = 1; page <= 3 && (page - 1) * limit < wanted.length; page++) {
        const expected = wanted.slice((page - 1) * limit, page * limit)
        const byNumber = await get({ ...query, page })
        const byCursor: typeof byNumber = cursor === null ? byNumber : await get({ ...query, cursor })
        for (const { ids, total, nextCursor } of [byNumber, byCursor]) {
          assert.deepEqual(ids, expected, `${JSON.stringify(query)}, page ${page}`)
          const [count, isExact] = total as [number, boolean]
          if (isExact) assert.equal(count, wanted.length)
          else assert.ok(count <= maxFound && count <= wanted.length, `${count} of ${wanted.length}`)
          assert.equal(nextCursor === null, wanted.length <= page * limit)
        }
        cursor = byCursor.nextCursor
      }
    }),
    { numRuns: 80 },
  )
})

test('a total is exact up to a thousand, and beyond it says so', async () => {
  for (const [q, total] of [
    ['common', [maxFound, false]],
    ['tenth', [maxFound, false]],
    ['oldest', [maxFound, false]],
    ['seldom', [records.filter(({ name, deleted }) => name.includes('seldom') && !deleted).length, true]],
    ['common n12345', [1, true]],
  ] as const)
    assert.deepEqual((await get({ q })).total, total, q)
})

test('a Sales Executive finds own and unassigned records only, however common the word is', async () => {
  const { id } = t.main.users['Sales Executive']
  const as = t.main.tokens['Sales Executive']
  await t.ownerSql('update companies set owner_id = $1 where id = $2', [id, records[777]!.id])
  for (const q of ['common', 'tenth', 'oldest', 'n777']) {
    const { ids } = await get({ q, limit: 100, sort: 'created_at' }, as)
    const mine = records.filter(
      (company, n) => (n === 777 || company.owner === null) && !company.deleted && holds(company, q),
    )
    assert.deepEqual(
      ids,
      mine.slice(0, 100).map(company => company.id),
      q,
    )
  }
  await t.ownerSql('update companies set owner_id = $1 where id = $2', [records[777]!.owner, records[777]!.id])
})

type Statement = { text: string; values: unknown[] }

/** What a request asks of the table and of its function. */
async function statementsOf(query: Record<string, string>): Promise<Statement[]> {
  const sent: Statement[] = []
  const { query: original } = pg.Client.prototype
  pg.Client.prototype.query = function (this: pg.Client, ...given: [Statement | string]) {
    if (typeof given[0] === 'object') sent.push({ text: given[0].text, values: given[0].values })
    return (original as (...all: unknown[]) => unknown).apply(this, given)
  } as typeof original
  try {
    await get(query)
  } finally {
    pg.Client.prototype.query = original
  }
  return sent.filter(({ text }) => /"companies"|find_companies|similar_words/.test(text))
}

async function asApplication<T>(work: (client: pg.Client) => Promise<T>): Promise<T> {
  return t.asOwner(async client => {
    await client.query('begin')
    try {
      await client.query('set local role tandem_app')
      await client.query("select set_config('app.tenant_id', $1, true)", [String(t.main.liveTenantId)])
      return await work(client)
    } finally {
      await client.query('rollback')
    }
  })
}

test('common words are found in the order of the list by its index, without a sort of the table', async () => {
  for (const query of [
    { q: 'common' },
    { q: 'half tenth' },
    { q: 'common', sort: 'name' },
    { q: 'common', owner_id: 'none' },
  ]) {
    const statements = await statementsOf(query as never)
    const [walk] = statements
    assert.match(walk!.text, /arm_place/)
    const plan = await asApplication(async client => {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(`explain ${walk!.text}`, walk!.values)
      return rows.map(row => row['QUERY PLAN']).join('\n')
    })
    const read = plan.slice(plan.indexOf('WindowAgg'), plan.indexOf('Nested Loop'))
    assert.match(read, /Index Scan( Backward)? using companies_(created|by_name|owner) on companies r/, plan)
    assert.doesNotMatch(read, /Sort|Seq Scan/, plan)
  }
  assert.equal((await statementsOf({ q: 'common' })).length, 2, 'two walks, and no search of the index')
})

test('rare words are found by the index of parts of words, and nothing reads the whole table', async () => {
  const scans = async () => {
    await t.ownerSql('select pg_stat_clear_snapshot()')
    const [row] = await t.ownerSql<{ whole: number; found: number }>(
      `select pg_stat_get_xact_numscans('companies'::regclass)::integer as whole,
         pg_stat_get_xact_numscans('companies_find'::regclass)::integer as found`,
    )
    return row!
  }
  for (const [likes, expressions] of [
    [['%seldom%'], []],
    [['%seldom%', '%half%'], []],
    [[], ['seldom|n2345']],
    [['%n12345%', '%common%', '%half%', '%oldest%'], []],
  ]) {
    const { before, after, rows } = await asApplication(async client => {
      await client.query('reset role')
      const before = await scans()
      await client.query('set local role tandem_app')
      const { rowCount } = await client.query('select id from find_companies($1, $2, false, null, 1001)', [
        likes,
        expressions,
      ])
      await client.query('reset role')
      return { before, after: await scans(), rows: rowCount }
    })
    assert.ok(rows !== null)
    assert.equal(after.whole, before.whole, 'nothing reads the whole table')
    assert.ok(after.found > before.found, `${likes} ${expressions}`)
  }
})

test('a typo is looked for among the words that records hold, and found in the order of the list', async () => {
  const { ids, total } = await get({ q: 'seldmo half', limit: 5 })
  const wanted = records.filter(({ name, deleted }) => name.includes('seldom') && name.includes('half') && !deleted)
  assert.deepEqual(
    ids,
    wanted
      .toReversed()
      .slice(0, 5)
      .map(({ id }) => id),
  )
  assert.deepEqual(total, [wanted.length, true])
  const statements = await statementsOf({ q: 'seldmo half' })
  assert.equal(statements.filter(({ text }) => text.includes('similar_words')).length, 1)
})
