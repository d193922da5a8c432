// Among 100,000 conversations every view is read by its index, for who sees all and for who sees some; so are counts and searches.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { views } from './rules.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
  // Twenty owners; a tenth waits, a tenth is snoozed, more than half is closed.
  await t.ownerSql(
    `insert into conversations (tenant_id, id, record_id, party_kind, name, owner_id, state, snoozed_until, assignee_id, waiting_since,
       last_inbound_at, last_at, last_item, last_kind, last_direction, last_preview, find, created_at, updated_at)
     select $1, 'cnv_' || lpad(n::text, 26, '0'), case when n % 5 > 0 then 'lead:' || n end, case when n % 5 > 0 then 'lead' else 'unknown' end,
       'Person ' || n, case when n % 5 > 0 then case n % 20 when 1 then $2::bigint when 2 then null else 1000 + n % 20 end end, s.state,
       case s.state when 'snoozed' then at + interval '400 days' end, case when n % 7 = 0 then $2::bigint when n % 3 = 0 then 5000 + n % 30 end,
       case when n % 10 = 3 then at end, at, at, 'msg_' || lpad(n::text, 26, '0'), 'text', 'inbound', 'x',
       'person ' || n || E'\\n+1202' || lpad(n::text, 7, '0'), at, at
     from generate_series(1, 100000) as n
     cross join lateral (select case when n % 10 = 4 then 'snoozed' when n % 10 in (1, 2, 3) then 'open' else 'closed' end as state,
       timestamptz '2026-01-01' + n * interval '1 minute' as at) s`,
    [t.main.liveTenantId, t.main.users['Sales Executive'].id],
  )
  await t.ownerSql(
    `insert into conversation_users (tenant_id, conversation_id, user_id, mentioned_at)
     select tenant_id, id, $2, last_at from conversations where tenant_id = $1 and right(id, 3) = '123'`,
    [t.main.liveTenantId, t.main.users['Sales Executive'].id],
  )
  // The connection that made them reports now what it read, and not in the midst of what is counted.
  await t.ownerSql('select pg_stat_force_next_flush(); analyze conversations; analyze conversation_users')
})
after(() => t?.close())

/** A connection reports its counts at its first statement a second or more after the one before. */
async function rowsRead(get: (path: string) => Promise<unknown>): Promise<number> {
  await sleep(1_100)
  await Promise.all(Array.from({ length: 8 }, () => get('?view=mine&limit=1')))
  await sleep(100)
  const [row] = await t.ownerSql<{ rows: string }>(
    `select sum(idx_tup_fetch + seq_tup_read) as rows from pg_stat_user_tables where relname = 'conversations'`,
  )
  return Number(row!.rows)
}

for (const role of ['Admin', 'Sales Executive'] as const)
  test(`every view of a ${role} is read by its index, at any depth`, async () => {
    const get = async (query: string) => {
      const answer = await t.call('GET', `/v2/conversations${query}`, { as: t.main.tokens[role] })
      assert.equal(answer.status, 200, answer.text)
      return answer.json
    }
    const report: string[] = []
    const read = async (view: string): Promise<number> => {
      const before = await rowsRead(get)
      let cursor: string | null = null
      const seen = new Set<string>()
      let pages = 0
      for (; pages < 5; pages++) {
        const { data, meta } = await get(`?view=${view}&limit=20${cursor === null ? '' : `&cursor=${cursor}`}`)
        for (const { conversationId } of data) seen.add(conversationId)
        cursor = meta.pagination.nextCursor
        if (cursor === null) break
      }
      if (cursor !== null) assert.equal(seen.size, 100, `${view}: pages neither repeat nor leave out`)
      return ((await rowsRead(get)) - before) / (pages + 1)
    }
    for (const view of views) {
      let perPage = await read(view)
      // On a busy machine a connection may report only now what it read long before: it does so once.
      for (let again = 0; again < 2 && perPage >= 500; again++) perPage = await read(view)
      report.push(`${view} ${Math.round(perPage)}`)
      assert.ok(perPage < 500, `${view}: ${perPage} rows were read for each page`)
    }
    console.log(`# rows read a page of 20 among 100,000, ${role}: ${report.join(', ')}`)
  })

test('counts read no more than they say, and a search what it finds', async () => {
  const get = (path: string) => t.call('GET', `/v2/conversations${path}`, { as: t.main.tokens.Admin })
  const before = await rowsRead(get)
  const counts = await get('/counts')
  assert.deepEqual(counts.json.data.closed, { count: 1_000, isExact: false })
  const counted = (await rowsRead(get)) - before
  assert.ok(counted < 20_000, `${counted} rows were read to count`)
  const { json } = await get(`?view=all&q=${encodeURIComponent('+1202 0012345')}`)
  assert.deepEqual(
    json.data.map(({ party }: { party: { name: string } }) => party.name),
    ['Person 12345'],
  )
  const searched = (await rowsRead(get)) - before - counted
  assert.ok(searched < 3_000, `${searched} rows were read to search`)
})

test('a search that finds more than are looked up by their ids leaves out nothing of a view, and reads little', async () => {
  // Held by the 1,500 that were active long before all others.
  await t.ownerSql(
    `update conversations set find = 'rarely ' || find where tenant_id = $1 and id <= 'cnv_' || lpad('1500', 26, '0')`,
    [t.main.liveTenantId],
  )
  for (const role of ['Admin', 'Sales Executive'] as const) {
    const get = (query: string) => t.call('GET', `/v2/conversations${query}`, { as: t.main.tokens[role] })
    const ids = async (query: string) => {
      const { json, text } = await get(`?limit=20${query}`)
      assert.ok(json.data, text)
      return json.data.map(({ conversationId }: { conversationId: string }) => conversationId)
    }
    const before = await rowsRead(get)
    for (const view of views)
      assert.deepEqual(await ids(`&view=${view}&q=person`), await ids(`&view=${view}`), `${role}, ${view}`)
    const read = ((await rowsRead(get)) - before) / views.length
    assert.ok(read < 3_500, `${role}: ${read} rows were read for each search`)
    assert.deepEqual(await ids('&view=waiting&order=oldest&q=rarely'), await ids('&view=waiting&order=oldest'), role)
    const begun = performance.now()
    assert.equal((await ids('&view=closed&q=rarely')).length, 20, role)
    const ms = Math.round(performance.now() - begun)
    console.log(
      `# ${role}: ${Math.round(read)} rows read for each search; one that looks through nearly all took ${ms} ms`,
    )
  }
})
