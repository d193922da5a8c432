// Lists of leads: filters select, orders order, cursors neither skip nor repeat, and totals are exact whatever was done before.
// How a search finds stands in search.test.ts.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import pg from 'pg'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { type Listed, listLeads, names, leadsPath as path, type Shown } from '../../../../test/leads.ts'
import { sortableNames } from '../../../kernel/noun/order.ts'
import type { Role } from '../../../kernel/values/permission.ts'
import { leads as noun } from './noun.ts'
import { type LeadPriority, type LeadStatus, leadPriorities, leadStatuses } from './rules.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
  await seed()
})
after(() => t?.close())

const as = (role: Role) => t.main.tokens[role]

const list = (query: Record<string, string | number | boolean> = {}, token = as('Admin')) => listLeads(t, query, token)

const firstNames = ['Ada', 'ada', 'Émile', 'Zoë', 'Ölaf', 'Bo', 'bo', 'Ångström']
const seeded = 60

/** Leads of every kind in the live tenant; ties in every column, so that the id has to decide. */
async function seed(): Promise<void> {
  const { users, liveTenantId } = t.main
  const owners = [null, users['Sales Executive'].id, users['Sales Manager'].id]
  for (let n = 0; n < seeded; n++) {
    const at = new Date(Date.UTC(2026, 5, 1 + (n % 9), n % 3)).toISOString()
    const status = leadStatuses[n % leadStatuses.length] as LeadStatus
    await t.ownerSql(
      `insert into leads (tenant_id, id, name, email, company, priority, status, owner_id, lost_reason, created_at, updated_at,
         deleted_at, source, first_responded_at, version, find)
       values ($1, nextval('leads_id_seq'), $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, 1,
         noun_search_text(concat_ws(' ', $2::text, $3::text, $4::text)))`,
      [
        liveTenantId,
        firstNames[n % firstNames.length],
        `seed${n}@example.com`,
        n % 4 === 0 ? null : firstNames[(n * 5) % 7],
        leadPriorities[n % 3],
        status,
        owners[n % 5 > 2 ? 0 : n % 5],
        status === 'Unqualified' ? 'no budget' : null,
        at,
        new Date(Date.parse(at) + (n % 6) * 3_600_000).toISOString(),
        n % 10 === 9 ? at : null,
        n % 3 === 0 ? null : firstNames[(n * 3) % 7],
        status === 'New' ? null : at,
      ],
    )
  }
}

const everything = async (token = as('Admin'), deleted = false) => (await list({ limit: 200, deleted }, token)).leads

test('a page has the newest first, reports page and limit used, and the exact total', async () => {
  const all = await everything()
  assert.equal(all.length, 54)
  const first = await list()
  const page = { page: 1, limit: 20, totalCount: 54, totalIsExact: true, nextCursor: '' }
  assert.deepEqual({ ...first.pagination, nextCursor: '' }, page)
  assert.deepEqual(first.leads, all.slice(0, 20))
  assert.deepEqual((await list({ page: 3 })).leads, all.slice(40))
  const past = await list({ page: 9 })
  assert.deepEqual([past.leads, past.pagination.totalCount, past.pagination.nextCursor], [[], 54, null])
  assert.equal((await list({ limit: 1_000_000_000 })).pagination.limit, 200)
  for (const bad of [
    'page=0',
    'limit=0',
    'limit=x',
    'page=1.5',
    'sort=size',
    'status=Lost',
    'q=a',
    'owner_id=0',
    'color=red',
  ]) {
    const { status, json } = await t.call('GET', `${path}?${bad}`, { as: as('Admin') })
    assert.deepEqual([status, json.code], [400, 'validation_failed'], bad)
  }
})

test('a list leaves long texts out and has those fields that one names, with what they are called', async () => {
  const [first] = (await list({ limit: 1 })).leads
  assert.equal('notes' in first!, false)
  const owner_id = t.main.users['Sales Manager'].id
  const query = `fields=name,notes,owner_id&include=owner_id&owner_id=${owner_id}&limit=1`
  const { status, json, text } = await t.call('GET', `${path}?${query}`, { as: as('Admin') })
  assert.equal(status, 200, text)
  const [lead] = json.leads
  const shown = ['created_at', 'id', 'name', 'notes', 'owner_id', 'tenant_id', 'updated_at', 'version']
  assert.deepEqual(Object.keys(lead).sort(), shown)
  assert.equal(lead.notes, null)
  const { name } = (await t.call('GET', `/v1/api/users/${owner_id}`, { as: as('Admin') })).json.user
  assert.deepEqual(json.included, { user: { [owner_id]: { title: name } } })
})

test('each filter selects what a plain look at all leads selects, alone and together', async () => {
  const all = await everything()
  const me = t.main.users['Sales Manager'].id
  const cases: [Record<string, string>, (lead: Shown) => boolean][] = [
    [{ status: 'New' }, lead => lead.status === 'New'],
    [{ status: 'junk,Qualified' }, lead => ['Junk', 'Qualified'].includes(lead.status)],
    [{ status: 'Contacted' }, lead => lead.status === 'Contacted'],
    [{ priority: 'Hot,cold' }, lead => lead.priority !== 'Warm'],
    [{ owner_id: 'me' }, lead => lead.owner_id === me],
    [{ owner_id: 'none' }, lead => lead.owner_id === null],
    [{ owner_id: 'none,me' }, lead => lead.owner_id === null || lead.owner_id === me],
    [{ name: 'Bo', priority: 'Hot' }, lead => lead.name === 'Bo' && lead.priority === 'Hot'],
    [{ 'name[begins]': 'Z' }, lead => lead.name === 'Zoë'],
    [{ email: 'SEED12@example.com' }, lead => lead.email === 'seed12@example.com'],
    [{ company: 'Bo' }, lead => lead.company === 'Bo'],
    [{ 'company[empty]': 'true' }, lead => lead.company === null],
    [{ 'lost_reason[empty]': 'false' }, lead => lead.status === 'Unqualified'],
    [
      { owner_id: String(t.main.users['Sales Executive'].id), status: 'New' },
      lead => lead.owner_id === t.main.users['Sales Executive'].id && lead.status === 'New',
    ],
    [
      { 'created_at[gte]': '2026-06-03T00:00:00Z', 'created_at[lt]': '2026-06-05T02:00:00Z' },
      lead => lead.created_at >= '2026-06-03T00:00:00.000Z' && lead.created_at < '2026-06-05T02:00:00.000Z',
    ],
    [
      { 'created_at[gt]': '2026-06-03T01:00:00Z', 'created_at[lte]': '2026-06-05T01:00:00Z', priority: 'Warm' },
      lead =>
        lead.created_at > '2026-06-03T01:00:00.000Z' &&
        lead.created_at <= '2026-06-05T01:00:00.000Z' &&
        lead.priority === 'Warm',
    ],
    [{ q: 'seed1', status: 'New,Junk' }, lead => /^seed1/.test(lead.email) && ['New', 'Junk'].includes(lead.status)],
  ]
  for (const [query, fits] of cases) {
    const listed = await list({ ...query, limit: 200 }, as('Sales Manager'))
    const wanted = all.filter(fits)
    assert.ok(wanted.length > 0, JSON.stringify(query))
    assert.deepEqual(listed.leads, wanted, JSON.stringify(query))
    const { totalCount, totalIsExact } = listed.pagination
    assert.deepEqual([totalCount, totalIsExact], [wanted.length, true], JSON.stringify(query))
  }
})

test('a Sales Executive lists own and unassigned leads, whatever the filter', async () => {
  const me = t.main.users['Sales Executive'].id
  const token = as('Sales Executive')
  const visible = (await everything()).filter(lead => lead.owner_id === null || lead.owner_id === me)
  const mine = await list({ limit: 200 }, token)
  assert.deepEqual([mine.leads, mine.pagination.totalCount], [visible, visible.length])
  assert.deepEqual((await list({ limit: 7, page: 2 }, token)).leads, visible.slice(7, 14))
  const others = await list({ owner_id: t.main.users['Sales Manager'].id }, token)
  assert.deepEqual([others.leads, others.pagination.totalCount], [[], 0])
  assert.equal(
    (await list({ owner_id: 'me' }, token)).pagination.totalCount,
    visible.filter(lead => lead.owner_id === me).length,
  )
  const found = await list({ q: 'seed', limit: 200 }, token)
  assert.deepEqual(found.leads, visible)
})

const people = new Intl.Collator('und')
/** How two values of a column that are there are in order. */
function compare(column: string, a: Shown, b: Shown): number {
  const [one, other] = [a[column as 'name'], b[column as 'name']]
  if (column === 'id') return a.id - b.id
  if (column === 'priority') return leadPriorities.indexOf(a.priority) - leadPriorities.indexOf(b.priority)
  if (column === 'status') return leadStatuses.indexOf(a.status) - leadStatuses.indexOf(b.status)
  return column.endsWith('_at') ? Date.parse(one) - Date.parse(other) : people.compare(one, other)
}

/** The order of `-company,name` said a second time, in JavaScript: what is empty comes last. */
function sorted(leads: Shown[], sort: string): Shown[] {
  const keys = sort.split(',').map(text => ({ column: text.replace('-', ''), sign: text.startsWith('-') ? -1 : 1 }))
  keys.push({ column: 'id', sign: keys.at(-1)?.sign ?? 1 })
  return leads.toSorted((a, b) => {
    for (const { column, sign } of keys) {
      const [one, other] = [a, b].map(lead => Number(lead[column as keyof Shown] === null))
      if (one !== other) return one! - other!
      const order = one === 1 ? 0 : sign * compare(column, a, b)
      if (order !== 0) return order
    }
    return 0
  })
}

async function byCursor(query: Record<string, string | number>, token = as('Admin')): Promise<Shown[]> {
  const leads: Shown[] = []
  let cursor: string | null = null
  do {
    const listed: Listed = await list({ ...query, ...(cursor !== null && { cursor }) }, token)
    leads.push(...listed.leads)
    cursor = listed.pagination.nextCursor
  } while (cursor !== null)
  return leads
}

test('property: every order is that of the words, by page and by cursor, and what is empty comes last', async () => {
  const all = await everything()
  const columns = sortableNames(noun.spec.fields)
  assert.deepEqual(
    ['name', 'company', 'priority', 'status'].filter(column => !columns.includes(column)),
    [],
  )
  const key = fc.tuple(fc.constantFrom(...columns), fc.boolean())
  const sorts = fc
    .uniqueArray(key, { minLength: 1, maxLength: 3, selector: ([column]) => column })
    .map(keys => keys.map(([column, descending]) => (descending ? `-${column}` : column)).join(','))
  await fc.assert(
    fc.asyncProperty(sorts, fc.integer({ min: 3, max: 30 }), async (sort, limit) => {
      const wanted = sorted(all, sort)
      assert.deepEqual((await list({ sort, limit: 200 })).leads, wanted, sort)
      assert.deepEqual(await byCursor({ sort, limit }), wanted, `${sort} by cursor`)
    }),
    { numRuns: 40 },
  )
})

test('cursors work with filters, with search and for a Sales Executive', async () => {
  const token = as('Sales Executive')
  const queries: Record<string, string>[] = [
    { status: 'New,Junk,Contacted' },
    { q: 'seed' },
    { priority: 'Hot', sort: '-company,name' },
  ]
  for (const query of queries) {
    for (const who of [token, as('Admin')]) {
      const whole = (await list({ ...query, limit: 200 }, who)).leads
      assert.ok(whole.length > 4)
      assert.deepEqual(await byCursor({ ...query, limit: 4 }, who), whole)
    }
  }
})

test('a cursor goes on where it stopped while leads are added before and behind', async () => {
  const create = (name: string) =>
    t.call('POST', path, { as: t.main.testKey, body: { name, email: `${name}@example.com` } })
  for (const name of ['b', 'd', 'f', 'h']) await create(name)
  const token = t.main.testKey
  const one = await list({ sort: 'name', limit: 2 }, token)
  await Promise.all(['a', 'c', 'e', 'z'].map(create))
  const two = await list({ sort: 'name', limit: 2, cursor: one.pagination.nextCursor ?? '' }, token)
  const rest = await list({ sort: 'name', limit: 9, cursor: two.pagination.nextCursor ?? '' }, token)
  assert.deepEqual([...names(one), ...names(two), ...names(rest)], ['b', 'd', 'e', 'f', 'h', 'z'])
  assert.equal(rest.pagination.totalCount, 8)
})

test('a cursor belongs to its filters and sort, and none of our making is refused', async () => {
  const { nextCursor } = (await list({ sort: 'name', limit: 5 })).pagination
  const refusals: [Record<string, string>, string][] = [
    [{ sort: '-name', cursor: nextCursor ?? '' }, 'invalid_cursor'],
    [{ sort: 'name', status: 'New', cursor: nextCursor ?? '' }, 'invalid_cursor'],
    [{ sort: 'name', page: '2', cursor: nextCursor ?? '' }, 'validation_failed'],
    [{ cursor: 'x' }, 'invalid_cursor'],
  ]
  for (const forged of [[0, 7, 'x'], [0, 'x'], [0], ['x', 'y', 1.5], [0, 'a\0', 1], [0, null, 1]]) {
    const parts = JSON.parse(Buffer.from(nextCursor ?? '', 'base64url').toString())
    const cursor = Buffer.from(JSON.stringify([parts[0], ...forged])).toString('base64url')
    refusals.push([{ sort: 'name', cursor }, 'invalid_cursor'])
  }
  for (const [query, code] of refusals) {
    const { status, json, text } = await t.call('GET', `${path}?${new URLSearchParams(query)}`, { as: as('Admin') })
    assert.deepEqual([status, json.code], [400, code], text)
  }
  // It names a place, no leads: behind it everybody finds those that they see.
  const seller = as('Sales Executive')
  const behind = (await list({ sort: 'name', limit: 200 })).leads.slice(5).map(({ id }) => id)
  const seen = (await list({ sort: 'name', limit: 200 }, seller)).leads.filter(({ id }) => behind.includes(id))
  assert.deepEqual((await list({ sort: 'name', limit: 200, cursor: nextCursor ?? '' }, seller)).leads, seen)
})

test('the longest names make cursors that are taken back', async () => {
  const name = '\u0001😀'.repeat(100)
  for (let n = 0; n < 2; n++) {
    const body = { name, company: name, email: `long${n}@example.com` }
    assert.equal((await t.call('POST', path, { as: t.other.tokens.Admin, body })).status, 201)
  }
  const leads = await byCursor({ sort: 'name,company', limit: 1 }, t.other.tokens.Admin)
  assert.equal(leads.length, 2)
})

test('the trash is a list of its own', async () => {
  const binned = await list({ deleted: true, limit: 200 }, as('Sales Manager'))
  assert.equal(binned.pagination.totalCount, 6)
  assert.ok(binned.leads.every(lead => 'deleted_at' in lead))
  assert.deepEqual(binned.leads, sorted(binned.leads, '-created_at'))
})

test('a list reads leads at most three times, and one without a search is at most three statements', async t2 => {
  const seen: string[] = []
  const { query } = pg.Client.prototype
  t2.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: [{ text?: string } | string]) {
    const [first] = args
    seen.push(typeof first === 'string' ? first : (first.text ?? ''))
    return Reflect.apply(query, this, args)
  })
  const plumbing = /^(begin|commit|select set_config|select \* from (auth|recent)_|select (write_request|touch_api))/
  const queries: Record<string, string>[] = [
    {},
    { status: 'New' },
    { q: 'seed' },
    { q: 'nobody at all' },
    { 'created_at[gte]': '2026-01-01' },
  ]
  for (const asked of queries) {
    for (const token of [as('Admin'), as('Sales Executive')]) {
      seen.length = 0
      await list({ ...asked, limit: 200 }, token)
      const statements = seen.filter(text => !plumbing.test(text))
      const reads = statements.filter(text => /from "leads"/.test(text))
      // Words of a search are spelled by the database, and misspelt ones looked up once.
      const most = 'q' in asked ? 6 : 3
      assert.ok(reads.length > 0 && reads.length <= 3 && statements.length <= most, statements.join('\n'))
    }
  }
})

test('property: totals are exact after any course of creations, moves, assignments, deletions and restorations', async () => {
  type Model = { status: LeadStatus; priority: LeadPriority; owner_id: number | null; deleted: boolean }
  const token = t.other.tokens.Admin
  const { users } = t.other
  const owners = [null, users['Sales Executive'].id, users['Sales Manager'].id]
  const model = new Map<number, Model>()
  for (const { id, status, priority, owner_id } of await everything(token))
    model.set(id, { status, priority, owner_id, deleted: false })

  let n = 0
  async function step(kind: number, pick: number): Promise<void> {
    const ids = [...model.keys()]
    const id = ids[pick % Math.max(ids.length, 1)]
    if (kind === 0 || id === undefined) {
      const priority = leadPriorities[pick % 3] as LeadPriority
      const owner_id = owners[pick % 2] as number | null
      const body = { name: 'Total', email: `total${n++}@example.com`, priority, owner_id }
      const { json } = await t.call('POST', path, { as: token, body })
      model.set(json.lead.id, { status: 'New', priority, owner_id, deleted: false })
      return
    }
    const [method, suffix, body] = (
      [
        ['PATCH', '', { status: leadStatuses[pick % leadStatuses.length] }],
        ['PATCH', '', { owner_id: owners[pick % 3], priority: leadPriorities[pick % 3] }],
        ['DELETE', '', undefined],
        ['POST', '/restore', undefined],
      ] as const
    )[kind - 1] as [string, string, object | undefined]
    const change = body && 'status' in body && body.status === 'Unqualified' ? { ...body, lost_reason: 'x' } : body
    const answer = await t.call(method, `${path}/${id}${suffix}`, { as: token, body: change })
    if (answer.status !== 200) return
    if (method === 'DELETE') model.set(id, { ...(model.get(id) as Model), deleted: true })
    else {
      const { status, priority, owner_id } = answer.json.lead
      model.set(id, { status, priority, owner_id, deleted: false })
    }
  }

  const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.nat(1_000)), { minLength: 5, maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(steps, async course => {
      // Steps of one lead must keep their order; creations may run together.
      await Promise.all(course.filter(([kind]) => kind === 0).map(([kind, pick]) => step(kind, pick)))
      for (const [kind, pick] of course) if (kind !== 0) await step(kind, pick)
      const rows = [...model.values()]
      const seller = users['Sales Executive'].id
      const questions: [Record<string, string | boolean>, (lead: Model) => boolean, string?][] = [
        [{}, lead => !lead.deleted],
        [{ deleted: true }, lead => lead.deleted],
        [
          { priority: 'Hot', status: 'New,Junk' },
          lead => !lead.deleted && lead.priority === 'Hot' && ['New', 'Junk'].includes(lead.status),
        ],
        [{ owner_id: 'none' }, lead => !lead.deleted && lead.owner_id === null],
        [
          {},
          lead => !lead.deleted && (lead.owner_id === null || lead.owner_id === seller),
          t.other.tokens['Sales Executive'],
        ],
        [{ owner_id: 'me' }, lead => !lead.deleted && lead.owner_id === seller, t.other.tokens['Sales Executive']],
        ...leadStatuses.map((status): [Record<string, string>, (lead: Model) => boolean] => [
          { status },
          lead => !lead.deleted && lead.status === status,
        ]),
      ]
      for (const [query, fits, who = token] of questions) {
        const { pagination, leads } = await list({ ...query, limit: 200 }, who)
        assert.equal(pagination.totalCount, rows.filter(fits).length, JSON.stringify(query))
        assert.equal(leads.length, Math.min(200, pagination.totalCount))
      }
    }),
    { numRuns: 12 },
  )
  // Purging is a plain delete; the counters follow that too.
  await t.ownerSql('delete from leads where tenant_id = $1', [t.other.liveTenantId])
  assert.equal((await list({}, token)).pagination.totalCount, 0)
  assert.equal((await list({ deleted: true }, token)).pagination.totalCount, 0)
})
