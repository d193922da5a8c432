// Usage figures: they are exactly what the log holds, under load and over two nodes; everybody sees what is theirs to see;
// hours and days are those of the tenant's clocks.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { durationBounds } from '../../../kernel/request_log/usage.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

type Total = { requests: number; errors: number; refused: number; limited: number; p50Ms: number; p95Ms: number }
type Series = {
  key: string
  label: string
  requests: number[]
  refused: number[]
  p95Ms: (number | null)[]
  total: Total
}
type Usage = { after: string; before: string; interval: string; buckets: string[]; series: Series[]; total: Total }

const portal = { 'sec-fetch-site': 'same-origin', 'x-tandem-source': 'portal' }

/** Asked as the portal asks, so that asking is not counted. */
async function usage(query = '', as = t.main.tokens.Admin): Promise<Usage> {
  const { status, json, text } = await t.call('GET', `/v2/analytics/usage?${query}`, { as, headers: portal })
  assert.equal(status, 200, text)
  return json.data
}

const totals = ({ series }: Usage) => Object.fromEntries(series.map(({ key, total }) => [key, total.requests]))

test('figures are exactly what the log holds, under load, on two nodes, however it is grouped', async () => {
  const second = await t.secondApp()
  const keys = [t.main.liveKey, t.main.tokens.Admin, t.main.tokens['Sales Manager'], t.main.testKey, t.other.liveKey]
  const asks: [string, string, unknown?][] = [
    ['GET', '/v2/users/me'],
    ['GET', '/v1/api/leads/999999'],
    ['GET', '/v2/nowhere'],
    ['POST', '/v1/api/leads', { name: 1 }],
    ['POST', '/v2/messages/sms', { from: '+15005550006', to: '+15005550100', body: 'Hi' }],
  ]
  const sources: Record<string, string>[] = [{}, { 'sec-fetch-site': 'same-origin' }, portal]
  const running = Array.from({ length: 1_500 }, (_, n) => {
    const [method, path, body] = asks[n % 5] as [string, string, unknown?]
    const { call } = n % 2 === 0 ? t : second
    const headers = sources[Math.floor(n / 5) % 3]!
    return call(method, path, { as: keys[Math.floor(n / 15) % 5]!, headers, ...(body === undefined ? {} : { body }) })
  })
  await Promise.all(running)
  await Promise.all([t.app.flush(), second.app.flush()])
  const groups = {
    none: "''",
    endpoint: "coalesce(endpoint_id, '')",
    key: "coalesce(key_id, '')",
    source: 'source',
    status: "case when status = 429 then '429' else status / 100 || 'xx' end",
  }
  for (const [tenant, as] of [
    [t.main.liveTenantId, t.main.tokens.Admin],
    [t.main.testTenantId, t.main.testKey],
    [t.other.liveTenantId, t.other.tokens.Admin],
  ] as const) {
    for (const [groupBy, column] of Object.entries(groups)) {
      const truth = await t.ownerSql<{ key: string; requests: number; refused: number }>(
        `select ${column} as key, count(*)::int as requests,
           count(*) filter (where status between 400 and 499 and status <> 429)::int as refused
         from request_log where tenant_id = ${tenant} and source <> 'portal' group by 1`,
      )
      const reported = await usage(`groupBy=${groupBy}`, as)
      assert.ok(truth.length > 0)
      assert.deepEqual(totals(reported), Object.fromEntries(truth.map(row => [row.key, row.requests])), groupBy)
      for (const { key, refused } of truth)
        assert.equal(reported.series.find(one => one.key === key)?.total.refused, refused, `${groupBy} ${key}`)
      assert.equal(
        reported.total.requests,
        truth.reduce((sum, row) => sum + row.requests, 0),
      )
      for (const one of reported.series)
        assert.equal(
          one.requests.reduce((a, b) => a + b, 0),
          one.total.requests,
        )
    }
  }
  const [counted] = await t.ownerSql(
    'select sum(requests)::int as requests, sum(d)::int as durations from request_usage, unnest(durations) d',
  )
  const [logged] = await t.ownerSql('select count(*)::int as requests from request_log')
  assert.equal(counted?.durations, logged?.requests)
})

test('the portal counts only when asked for; endpoints and keys can be picked; keys have their names', async () => {
  await t.app.flush()
  const everything = await usage('source=api,playground,portal&groupBy=source')
  assert.deepEqual(everything.series.map(({ key }) => key).sort(), ['api', 'playground', 'portal'])
  assert.deepEqual(Object.keys(totals(await usage('source=playground&groupBy=source'))), ['playground'])
  const byKey = await usage('groupBy=key')
  const key = byKey.series.find(one => one.key !== '')
  assert.equal(key?.label, 'all rights')
  assert.equal(byKey.series.find(one => one.key === '')?.label, 'Access tokens')
  const picked = await usage(`keyId=${key?.key}&endpointId=leads.create&groupBy=status`)
  assert.deepEqual(Object.keys(totals(picked)), ['4xx'])
  assert.equal((await usage('endpointId=nobody.knows')).total.requests, 0)
  for (const query of [
    'groupBy=user',
    'source=web',
    'interval=minute',
    'after=2020-01-01',
    'after=2026-02-30',
    'x=1',
  ]) {
    const { json } = await t.call('GET', `/v2/analytics/usage?${query}`, { as: t.main.tokens.Admin })
    assert.equal(json.error.code, 'validation_failed', query)
  }
})

test('a Sales Executive sees own use only; managers that of the tenant; nobody that of another', async () => {
  const mine = t.main.tokens['Sales Executive']
  const none = await usage('groupBy=endpoint', mine)
  await t.call('GET', '/v2/users/me', { as: mine })
  await t.call('GET', '/v2/nothing/here', { as: mine })
  await t.app.flush()
  const own = await usage('groupBy=endpoint', mine)
  assert.equal(none.total.requests, own.total.requests - 2)
  const rows = await t.ownerSql('select count(*)::int as n from request_log where user_id = $1 and source <> $2', [
    t.main.users['Sales Executive'].id,
    'portal',
  ])
  assert.equal(own.total.requests, rows[0]?.n)
  const whole = (await usage()).total.requests
  assert.ok(whole > own.total.requests)
  for (const role of ['Sales Manager', 'Finance Manager'] as const)
    assert.equal((await usage('', t.main.tokens[role])).total.requests, whole)
  const errors = async (as: string) =>
    (await t.call('GET', '/v2/analytics/errors', { as, headers: portal })).json.data.errors as { endpointId: string }[]
  assert.deepEqual(
    (await errors(mine)).map(({ endpointId }) => endpointId),
    [null],
  )
  assert.ok((await errors(t.main.tokens['Sales Manager'])).length > 1)
  const { status } = await t.call('GET', '/v2/analytics/usage', {})
  assert.equal(status, 401)
})

test('errors are grouped by endpoint and problem, the most frequent first, each with its newest request', async () => {
  const as = t.other.tokens.Admin
  const ask = async (path: string) => (await t.call('GET', path, { as })).headers['x-request-id'] as string
  let newest = ''
  for (let n = 0; n < 40; n++) newest = await ask('/v1/api/leads/999999')
  await t.app.flush()
  const { json } = await t.call('GET', '/v2/analytics/errors?endpointId=leads.get&limit=1', { as, headers: portal })
  const truth = await t.ownerSql<{ n: number }>(
    `select count(*)::int as n from request_log where tenant_id = $1 and endpoint_id = 'leads.get' and status = 404
       and source <> 'portal'`,
    [t.other.liveTenantId],
  )
  const [first] = json.data.errors
  const { lastAt, ...rest } = first
  assert.deepEqual(rest, {
    endpointId: 'leads.get',
    problem: 'not_found',
    status: 404,
    requests: truth[0]?.n,
    lastRequestId: newest,
  })
  assert.ok(Math.abs(Date.parse(lastAt) - Date.now()) < 60_000)
  const all = (await t.call('GET', '/v2/analytics/errors', { as, headers: portal })).json.data.errors
  const counts = all.map((row: { requests: number }) => row.requests)
  assert.deepEqual(
    counts,
    counts.toSorted((a: number, b: number) => b - a),
  )
})

async function count(at: string, requests: number, changes: Record<string, unknown> = {}): Promise<void> {
  const durations = new Array(durationBounds.length + 1).fill(0)
  durations[3] = requests
  const row = { endpoint_id: 'old', user_id: 1, key_id: '', source: 'api', status_class: '2xx', ...changes }
  await t.sql(
    `insert into request_usage (tenant_id, hour, endpoint_id, user_id, key_id, source, status_class, requests, durations)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [t.main.liveTenantId, at, ...Object.values(row), requests, durations],
  )
}

test('days are those of the zone, of 23 and 25 hours; percentiles are of the bucket', async () => {
  // Berlin's summer time of 2026 began on March 29 and ended on October 25.
  for (let hour = 0; hour < 72; hour++) await count(new Date(Date.UTC(2026, 2, 28, hour)).toISOString(), 1)
  for (let hour = 0; hour < 72; hour++) await count(new Date(Date.UTC(2026, 9, 24, hour)).toISOString(), 10)
  const spring = await usage('after=2026-03-29&before=2026-03-31&interval=day&endpointId=old')
  assert.deepEqual(spring.buckets, ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'])
  assert.deepEqual(spring.series[0]?.requests, [23, 24])
  const autumn = await usage('after=2026-10-25&before=2026-10-26&interval=day&endpointId=old')
  assert.deepEqual(autumn.series[0]?.requests, [250])
  // All of them took between 2 and 3 ms.
  assert.deepEqual(autumn.series[0]?.p95Ms, [3])
  assert.equal(autumn.total.p50Ms, 2.5)
  const hours = await usage('after=2026-10-25&before=2026-10-26&interval=hour&endpointId=old')
  assert.deepEqual(hours.series[0]?.requests, new Array(25).fill(10))
  const empty = await usage('after=2026-05-01&before=2026-05-03&interval=day&endpointId=old')
  assert.deepEqual([empty.series, empty.total.p50Ms], [[], null])
})

test('hours of a zone with half hours are counted and reported from half to half', async () => {
  await t.call('PATCH', '/v2/organization', { as: t.other.tokens.Admin, body: { timeZone: 'Asia/Kolkata' } })
  t.app.services.authenticator.forget()
  await t.call('GET', '/v2/users/me', { as: t.other.liveKey })
  await t.app.flush()
  const reported = await usage('endpointId=users.me', t.other.tokens.Admin)
  assert.ok(reported.buckets.every(bucket => bucket.endsWith(':30:00.000Z')))
  assert.ok((reported.series[0]?.requests.at(-1) ?? 0) >= 1)
})

test('beyond 24 series the least used are reported together', async () => {
  for (let n = 0; n < 30; n++)
    await count('2026-06-01T10:00:00Z', n + 1, { endpoint_id: `many.e${n}`, source: 'playground' })
  const reported = await usage('after=2026-06-01&before=2026-06-02&groupBy=endpoint&source=playground')
  assert.equal(reported.series.length, 24)
  assert.deepEqual([reported.series[0]?.key, reported.series.at(-1)?.key], ['many.e29', 'other'])
  assert.equal(reported.series.at(-1)?.total.requests, (7 * 8) / 2)
  assert.equal(
    reported.series.reduce((sum, one) => sum + one.total.requests, 0),
    reported.total.requests,
  )
})
