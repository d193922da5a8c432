// The request log as the customer reads it: what was asked is there, what others asked is not, and a long log stays
// cheap.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { scanRows } from '../newest_store.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

type Item = {
  requestId: string
  path: string
  status: number
  userId: number
  at: string
  problem: string | null
  keyId: string | null
}

async function list(query = '', as = t.main.tokens.Admin) {
  await t.app.flush()
  const answer = await t.call('GET', `/v2/requests?${query}`, { as })
  assert.equal(answer.status, 200, answer.text)
  return answer.json as {
    data: Item[]
    meta: { pagination: { limit: number; nextCursor: string | null; hasMore: boolean } }
  }
}

const paths = async (query: string, as?: string) => (await list(query, as)).data.map(item => item.path)

test('shows who asked what and how it was answered, newest first', async () => {
  const ok = await t.call('GET', '/v1/api/users?limit=5', { as: t.main.liveKey, ip: '192.0.2.7' })
  const bad = await t.call('GET', '/v1/api/users/abc', { as: t.main.tokens['Sales Manager'] })
  const lost = await t.call('POST', '/v1/api/nothing', { as: t.main.tokens.Admin, body: { password: 'never logged' } })
  const answer = await list('limit=3')
  const [third, second, first] = answer.data as [Item, Item, Item]
  assert.deepEqual(
    [first.requestId, second.requestId, third.requestId],
    [ok, bad, lost].map(({ headers }) => headers['x-request-id']),
  )
  const { at, durationMs, keyId, requestId: _, ...rest } = first as Item & { durationMs: number }
  assert.ok(Math.abs(Date.parse(at) - Date.now()) < 60_000)
  assert.ok(durationMs >= 0 && durationMs < 60_000)
  assert.match(keyId ?? '', /^key_/)
  const admin = t.main.users.Admin.id
  const expected = {
    method: 'GET',
    path: '/v1/api/users',
    endpointId: 'users.list',
    status: 200,
    problem: null,
    userId: admin,
    ip: '192.0.2.7',
    source: 'api',
    resourceId: null,
  }
  assert.deepEqual(rest, expected)
  assert.deepEqual([second.status, second.problem, second.keyId], [404, 'not_found', null])
  assert.deepEqual([third.status, third.problem, third.path], [404, 'route_not_found', '/v1/api/nothing'])
  assert.equal((await list('limit=2')).meta.pagination.hasMore, true)
})

test('filters by each field, and by several', async () => {
  const as = t.main.liveKey
  for (const path of ['/v2/organization', '/v2/users/me', '/v2/users/nobody']) await t.call('GET', path, { as })
  await t.call('PATCH', '/v2/organization', { as, body: { currency: 'XYZ' } })
  const { data } = await t.call('GET', '/v2/users/me', { as }).then(answer => answer.json)
  const { keyId } = data
  assert.deepEqual(await paths('path=/v2/organization'), ['/v2/organization', '/v2/organization'])
  assert.deepEqual(await paths('path=/v2/organization&method=PATCH'), ['/v2/organization'])
  assert.deepEqual(await paths('path=/v2/users&status=404'), ['/v2/users/nobody'])
  assert.deepEqual(await paths(`keyId=${keyId}&status=4xx`), ['/v2/organization', '/v2/users/nobody'])
  assert.deepEqual(await paths(`keyId=${keyId}&problem=validation_failed`), ['/v2/organization'])
  assert.deepEqual(await paths(`endpointId=users.me&keyId=${keyId}`), ['/v2/users/me', '/v2/users/me'])
  assert.deepEqual(await paths('status=5xx'), [])
  assert.deepEqual(await paths('path=/v2/org_nization'), [], 'a prefix, not a pattern')
  assert.ok((await list(`userId=${t.main.users.Admin.id}`)).data.every(item => item.userId === t.main.users.Admin.id))
  const [one] = (await list('limit=1&path=/v2/users/nobody')).data as [Item]
  assert.deepEqual(await paths(`requestId=${one.requestId}`), ['/v2/users/nobody'])
  assert.deepEqual(await paths(`requestId=${one.requestId}&status=2xx`), [])
  assert.deepEqual(await paths(`requestId=${newId('req')}`), [])
  for (const query of [
    'status=600',
    'status=4x',
    'status=abc',
    'method=STEAL',
    'requestId=req_x',
    'createdAfter=yesterday',
    'user=1',
  ]) {
    assert.equal((await t.call('GET', `/v2/requests?${query}`, { as })).json.error.code, 'validation_failed', query)
  }
})

test('who is not Admin sees their own requests only; other tenants and modes are not there', async () => {
  const manager = t.main.tokens['Sales Manager']
  const mine = await t.call('GET', '/v1/api/leads/mine', { as: manager })
  const admins = await t.call('GET', '/v2/organization', { as: t.main.tokens.Admin })
  const tests = await t.call('GET', '/v2/organization', { as: t.main.testKey })
  const theirs = await t.call('GET', '/v2/organization', { as: t.other.liveKey })
  const seen = (await list('limit=200', manager)).data
  assert.ok(seen.every(item => item.userId === t.main.users['Sales Manager'].id))
  assert.deepEqual((await list(`userId=${t.main.users.Admin.id}`, manager)).data, [])
  const idsOf = async (as: string) => (await list('limit=200', as)).data.map(item => item.requestId)
  const [byAdmin, byTest] = [await idsOf(t.main.tokens.Admin), await idsOf(t.main.testKey)]
  const id = (answer: { headers: Record<string, string> }) => answer.headers['x-request-id'] as string
  assert.ok(byAdmin.includes(id(mine)) && byAdmin.includes(id(admins)))
  assert.ok(!byAdmin.includes(id(tests)) && !byAdmin.includes(id(theirs)))
  assert.ok(byTest.includes(id(tests)) && !byTest.includes(id(admins)))
  const get = (requestId: string, as: string) => t.call('GET', `/v2/requests/${requestId}`, { as })
  assert.equal((await get(id(mine), manager)).json.data.path, '/v1/api/leads/mine')
  assert.equal((await get(id(mine), t.main.liveKey)).status, 200)
  for (const foreign of [admins, tests, theirs]) assert.equal((await get(id(foreign), manager)).status, 404)
  assert.equal((await get(id(theirs), t.main.tokens.Admin)).status, 404)
})

test('times cut the log to the millisecond, from a moment on and before another', async () => {
  const day = Date.parse('2026-03-03T00:00:00Z')
  const moments = [day - 1, day, day + 3_600_000, day + 86_400_000 - 1, day + 86_400_000]
  await insertRows(moments.map(ms => ({ id: newId('req', ms), ms, path: `/old/${ms - day}`, status: 200 })))
  const cut = (query: string) => paths(`path=/old/&${query}`)
  assert.deepEqual(await cut('createdAfter=2026-03-03&createdBefore=2026-03-04'), [
    '/old/86399999',
    '/old/3600000',
    '/old/0',
  ])
  assert.deepEqual(await cut('createdAfter=2026-03-03T01:00:00Z&createdBefore=2026-03-03T01:00:00.001Z'), [
    '/old/3600000',
  ])
  assert.deepEqual(await cut('createdAfter=2026-03-03T02:00:00%2B01:00&createdBefore=2026-03-04'), [
    '/old/86399999',
    '/old/3600000',
  ])
  assert.deepEqual(await cut('createdBefore=2026-03-03'), ['/old/-1'])
  assert.deepEqual(await cut('createdAfter=2026-03-04&createdBefore=2026-03-03'), [])
})

test('pages by cursor meet every row once, whatever arrives meanwhile', async () => {
  const start = Date.parse('2026-04-04T00:00:00Z')
  await insertRows(
    Array.from({ length: 7 }, (_, n) => ({
      id: newId('req', start + n * 60_000),
      ms: start + n * 60_000,
      path: `/page/${n}`,
      status: 200,
    })),
  )
  const seen: string[] = []
  let cursor = ''
  do {
    const { data, meta } = await list(`path=/page/&limit=3${cursor && `&cursor=${cursor}`}`)
    seen.push(...data.map(item => item.path))
    cursor = meta.pagination.nextCursor ?? ''
  } while (cursor)
  assert.deepEqual(
    seen,
    [6, 5, 4, 3, 2, 1, 0].map(n => `/page/${n}`),
  )
  const { meta } = await list('limit=1&path=/page/')
  const swapped = await list(`cursor=${meta.pagination.nextCursor}&path=/page/&limit=1`)
  assert.equal(swapped.data[0]?.path, '/page/5', 'the order of parameters does not matter')
  const wrong = await t.call('GET', `/v2/requests?path=/other/&cursor=${meta.pagination.nextCursor}`, {
    as: t.main.tokens.Admin,
  })
  assert.equal(wrong.json.error.code, 'invalid_cursor')
})

test('a filter that matches little reads a bounded part of a long log and hands on the place it reached', async () => {
  const start = Date.parse('2026-02-01T00:00:00Z')
  const many = scanRows + 500
  await insertRows([{ id: newId('req', start), ms: start, path: '/needle', status: 418 }])
  for (let from = 0; from < many; from += 10_000) {
    const count = Math.min(10_000, many - from)
    await insertRows(
      Array.from({ length: count }, (_, n) => ({
        id: newId('req', start + 1000 + from + n),
        ms: start + 1000 + from + n,
        path: '/hay',
        status: 200,
      })),
    )
  }
  const first = await list('status=418&createdBefore=2026-02-02')
  assert.deepEqual(first.data, [])
  assert.equal(first.meta.pagination.hasMore, true)
  const second = await list(`status=418&createdBefore=2026-02-02&cursor=${first.meta.pagination.nextCursor}`)
  assert.deepEqual(
    second.data.map(item => item.path),
    ['/needle'],
  )
  assert.equal(second.meta.pagination.hasMore, false)
})

async function insertRows(rows: { id: string; ms: number; path: string; status: number }[]): Promise<void> {
  await t.sql(
    `insert into request_log (tenant_id, id, at, method, path, status, duration_ms, user_id)
     select $1, u.id, to_timestamp(u.ms / 1000.0), 'GET', u.path, u.status, 1, $2
     from unnest($3::text[], $4::float8[], $5::text[], $6::integer[]) as u (id, ms, path, status)`,
    [
      t.main.liveTenantId,
      t.main.users.Admin.id,
      rows.map(row => row.id),
      rows.map(row => row.ms),
      rows.map(row => row.path),
      rows.map(row => row.status),
    ],
  )
}
