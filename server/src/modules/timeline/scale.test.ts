// The timeline of a lead among 100,000 messages and 20,000 calls: a page is read by its indexes, and fast.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestApp, type TestApp } from '../../../test/harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

test('among 100,000 messages and 20,000 calls a page is read by its indexes', async () => {
  const phone = '+12025551000'
  const as = t.main.tokens.Admin
  const lead = await t.call('POST', '/v1/api/leads', { as, body: { name: 'Ada', phone } })
  assert.equal(lead.status, 201, lead.text)
  const get = (query: string) => t.call('GET', `/v1/api/leads/${lead.json.lead.id}/timeline${query}`, { as })
  const tenantId = t.main.liveTenantId
  await t.ownerSql(
    `insert into messages (tenant_id, id, direction, status, carrier, carrier_reference, from_address, to_address, body,
       encoding, segments, created_at, final_at)
     select $1, 'msg_' || lpad(n::text, 26, '0'), d.direction, case d.direction when 'inbound' then 'received' else 'delivered' end,
       'handset', case d.direction when 'inbound' then 'r' || n end,
       case d.direction when 'inbound' then d.person else '+15005550006' end,
       case d.direction when 'inbound' then '+15005550006' else d.person end, 'x', 'GSM-7', 1,
       timestamptz '2026-01-01' + n * interval '1 second', timestamptz '2026-01-01' + n * interval '1 second'
     from generate_series(1, 100000) as n
     cross join lateral (select case when n % 3 = 0 then 'inbound' else 'outbound' end as direction,
       case when n % 20 = 0 then $2 else '+1303555' || (1000 + n % 9000) end as person) d`,
    [tenantId, phone],
  )
  await t.ownerSql(
    `insert into calls (tenant_id, id, direction, from_number, to_number, timeout_seconds, time_limit_seconds, created_at, changed_at)
     select $1, 'call_' || lpad(n::text, 26, '0'), 'outbound', '+15005550006',
       case when n % 20 = 0 then $2 else '+1303555' || (1000 + n % 9000) end, 60, 3600,
       timestamptz '2026-01-01' + n * interval '5 seconds', now()
     from generate_series(1, 20000) as n`,
    [tenantId, phone],
  )
  await t.ownerSql('analyze messages; analyze calls')
  // A connection reports its counts at its first statement a second or more after the one before.
  const rowsRead = async (): Promise<number> => {
    await sleep(1_100)
    await Promise.all(Array.from({ length: 8 }, () => get('?limit=1')))
    await sleep(100)
    const [row] = await t.ownerSql<{ rows: string }>(
      `select sum(idx_tup_fetch + seq_tup_read) as rows from pg_stat_user_tables where relname in ('messages', 'calls')`,
    )
    return Number(row!.rows)
  }
  const before = await rowsRead()
  const times: number[] = []
  let cursor: string | null = null
  for (let page = 0; page < 40; page++) {
    const from = performance.now()
    const { json } = await get(`?limit=20${cursor === null ? '' : `&cursor=${cursor}`}`)
    times.push(performance.now() - from)
    assert.equal(json.entries.length, 20)
    cursor = json.pagination.nextCursor
  }
  const perPage = ((await rowsRead()) - before) / 40
  const median = times.toSorted((a, b) => a - b)[20] as number
  console.log(`# a page of 20 among 100,000 messages: median ${median.toFixed(1)} ms, ${perPage.toFixed(0)} rows read`)
  assert.ok(perPage < 400, `${perPage} rows were read for each page`)
  assert.ok(median < 100, `${median} ms`)
})
