// Many receivers, and many deliveries that wait: what a claim and a fetch cost follows from what is due, and what one tenant
// has waiting is no other's delay.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answering,
  emitEvents,
  newWebhook,
  type RunningSender,
  scopeOf,
  startSender,
  startWebhookTest,
  until,
} from '../../../test/webhooks.ts'
import type { Db } from '../../kernel/data/db.ts'
import { tenantConcurrency } from './rules.ts'
import { claimLanes, fetchJobs, purgeWebhooks } from './sender_store.ts'

const { t, receiver } = await startWebhookTest({ sender: false })
const { tenantId } = scopeOf(t.main)

let claims = 0
const claim = (maxLanes = 1_000, db: Db = t.app.services.db) =>
  claimLanes(db, {
    token: `lse_${++claims}`,
    maxLanes,
    tenantSlots: tenantConcurrency,
    leaseSeconds: 45,
    nowMs: t.clock.now(),
  })

/** Callbacks to `count` receivers, of which one event each is due in so many seconds. */
async function wait(tenant: number, count: number, { tries, inSeconds }: { tries: number; inSeconds: number }) {
  await t.ownerSql(
    `insert into webhook_jobs (tenant_id, lane, due_at, tries, event_ids)
     select $1, 'cb:https://' || lpad(n::text, 7, '0') || '.example', now() + make_interval(secs => $3), $4,
       array['evt_' || lpad(n::text, 26, '0')]
     from generate_series(1, $2) as n`,
    [tenant, count, inSeconds, tries],
  )
  if (tries === 0) return
  await t.ownerSql(
    `insert into webhook_lanes (tenant_id, id, failures, failing_since, next_at)
     select tenant_id, lane, tries, now(), due_at from webhook_jobs where tenant_id = $1 and tries > 0`,
    [tenant],
  )
}

/** Pages of jobs and lanes that were touched by `work`. */
async function pagesOf(work: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    await t.ownerSql('select pg_stat_force_next_flush()')
    const [row] = await t.ownerSql<{ pages: string }>(
      `select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read) as pages
       from pg_statio_user_tables where relname in ('webhook_jobs', 'webhook_lanes')`,
    )
    return Number(row?.pages)
  }
  const { db } = t.app.services
  const flush = () => Promise.all([1, 2].map(() => db.work('flush', 'select pg_stat_force_next_flush()', [])))
  await flush()
  const earlier = await count()
  await work()
  await flush()
  return (await count()) - earlier
}

test('an event that nobody waits for queues nothing, and nobody is asked to', async () => {
  const calls = (callbackUrl: string | null) =>
    t.asOwner(async client => {
      await client.query('begin')
      await client.query("set local track_functions = 'pl'")
      const queued = async () => {
        const { rows } = await client.query(
          "select coalesce(sum(calls), 0) as calls from pg_stat_xact_user_functions where funcname = 'queue_deliveries'",
        )
        return Number(rows[0].calls)
      }
      const before = await queued()
      await client.query(
        `insert into events (tenant_id, id, type, resource_id, sequence, data, callback_url)
         select $1, 'evt_0000000000000000000000000' || n, 'lead.created', n::text, 1, '{}', $2 from generate_series(1, 3) as n`,
        [tenantId, callbackUrl],
      )
      const after = await queued()
      await client.query('rollback')
      return after - before
    })
  assert.equal(await calls(null), 0)
  assert.equal(await calls('https://hooks.example/a'), 1)
})

test('a claim does not look at what is due later, however many receivers that has', async () => {
  await wait(tenantId, 20_000, { tries: 1, inSeconds: 3_600 })
  await t.ownerSql('vacuum analyze webhook_jobs, webhook_lanes')
  await claim()
  const idle = await pagesOf(async () => assert.deepEqual(await claim(), []))
  assert.ok(idle < 500, `${idle} pages were read`)
  await newWebhook(t, receiver.origin)
  await emitEvents(t)
  const pages = await pagesOf(async () => assert.equal((await claim()).length, 1))
  assert.ok(pages < 500, `${pages} pages were read`)
  t.clock.advance(3_700_000)
  const due = await pagesOf(async () => assert.equal((await claim()).length, 80))
  assert.ok(due < 3_000, `${due} pages were read for 80 lanes of 20,000 that are due`)
  t.clock.advance(-3_700_000)
})

test('of many receivers with fresh callbacks every claim finds others, until all had their turn', async () => {
  await wait(tenantId, 450, { tries: 0, inSeconds: 0 })
  const seen = new Set<string>()
  for (let n = 0; n < 40 && seen.size < 450; n++) {
    const lanes = await claim()
    assert.ok(lanes.length <= 80, `${lanes.length} at once`)
    for (const { lane } of lanes) seen.add(lane)
    await t.ownerSql(
      'delete from webhook_jobs j using webhook_lanes l where j.lane = l.id and j.tenant_id = l.tenant_id',
    )
    await t.ownerSql('delete from webhook_lanes')
  }
  assert.equal(seen.size, 450)
  assert.deepEqual(await claim(), [])
})

test('callbacks leave slots to the webhooks of their tenant, and do not delay another tenant', async () => {
  await wait(tenantId, 3_000, { tries: 1, inSeconds: -60 })
  await wait(tenantId + 1_000_000, 3_000, { tries: 0, inSeconds: -60 })
  const held = await claim()
  const slots = (tenant: number) =>
    held.filter(lane => lane.tenant_id === tenant).reduce((sum, lane) => sum + lane.slots, 0)
  assert.equal(slots(tenantId), 80)
  assert.equal(slots(tenantId + 1_000_000), 80)
  const { webhookId } = await newWebhook(t, receiver.origin)
  const others = await newWebhook(t, `${receiver.origin}/other`, { organization: t.other })
  await emitEvents(t)
  await emitEvents(t, 1, t.other)
  const next = await claim()
  assert.deepEqual(next.map(lane => lane.lane).sort(), [webhookId, others.webhookId].sort())
  assert.ok(next.every(lane => lane.slots === 10))
})

test('with more tenants waiting than a claim looks at, the next one looks at the others', async () => {
  await t.ownerSql(
    `insert into webhook_jobs (tenant_id, lane, due_at, tries, event_ids)
     select 2000000 + n, 'cb:https://later.example', now() + interval '1 hour', 1, array['evt_1']
     from generate_series(1, 2500) as n`,
  )
  await t.ownerSql(
    `insert into webhook_jobs (tenant_id, lane, due_at, event_ids) values (3000000, 'cb:https://due.example', now(), array['evt_1'])`,
  )
  assert.deepEqual(await claim(), [])
  assert.deepEqual(
    (await claim()).map(lane => lane.tenant_id),
    [3_000_000],
  )
  assert.deepEqual(await claim(), [])
})

test('a callback that failed is tried again in time, and one that failed for good leaves nothing to claim', async () => {
  receiver.answer = answering(500)
  const [eventId = ''] = await emitEvents(t, [{ callbackUrl: `${receiver.origin}/cb` }])
  const sender = startSender(t)
  try {
    for (let tries = 1; tries <= 3; tries++) {
      await until(() => receiver.received.length === tries, `attempt ${tries}`)
      await until(async () => (await t.sql('select from webhook_lanes where lease_token is not null')).length === 0)
      const [row] = await t.sql<{ same: boolean }>(
        `select l.next_at = j.due_at and l.wake_at = l.next_at as same from webhook_lanes l
         join webhook_jobs j on j.tenant_id = l.tenant_id and j.lane = l.id`,
      )
      assert.deepEqual(row, { same: true })
      t.clock.advance(3_600_000)
    }
    receiver.answer = answering(204)
    await until(async () => (await t.sql('select from webhook_lanes')).length === 0, 'the lane is gone')
    assert.deepEqual(await t.sql('select from webhook_jobs'), [])
    assert.deepEqual(new Set(receiver.ids()), new Set([eventId]))
  } finally {
    await sender.stop()
    t.clock.advance(-3 * 3_600_000)
  }
})

test('a worker that died with callbacks is followed by another when its lease ends, though nothing of them is fresh', async () => {
  await wait(tenantId, 1, { tries: 1, inSeconds: -1 })
  assert.equal((await claim()).length, 1)
  assert.deepEqual(await claim(), [])
  await t.ownerSql("update webhook_lanes set leased_until = now() - interval '1 second'")
  const [lane] = await claim()
  assert.equal(lane?.taken_over, true)
})

test('a fetch gives every lane its first job, and then no more events than were asked for', async () => {
  for (let n = 0; n < 5; n++) await newWebhook(t, `${receiver.origin}/${n}`)
  for (let n = 0; n < 4; n++) await emitEvents(t, 64)
  const lanes = (await claim()).map(row => ({ tenantId, lane: row.lane, maxJobs: 4, recheck: false }))
  assert.equal(lanes.length, 5)
  const fetch = (maxEvents: number) =>
    fetchJobs(t.app.services.db, lanes, { held: [], maxEvents, nowMs: t.clock.now() })
  const rows = await fetch(320)
  assert.equal(rows.length, 320)
  assert.deepEqual([...new Set(rows.map(row => row.item))].sort(), [1, 2, 3, 4, 5])
  assert.equal((await fetch(321)).length, 384)
  assert.equal((await fetch(100_000)).length, 5 * 256)
})

test('a sender with very many lanes fetches for fifty at a time, and every lane has its turn', async () => {
  const { db } = t.app.services
  let most = 0
  let fetches = 0
  const counting: Db = {
    ...db,
    work: (name, text, values) => {
      if (name === 'fetch_webhook_jobs') {
        fetches++
        // The tenants of the lanes, as an array in text.
        most = Math.max(most, (values[0] as string).split(',').length)
      }
      return db.work(name, text, values)
    },
  }
  // One tenant may have forty at once.
  for (let n = 0; n < 40; n++) {
    for (const organization of [t.main, t.other])
      await emitEvents(t, [{ callbackUrl: `http://127.0.0.1:${1 + n}/cb` }], organization)
  }
  const sender: RunningSender = startSender(t, { db: counting })
  try {
    await until(async () => (await t.sql('select from webhook_jobs where tries = 0')).length === 0, 'all were tried')
    assert.ok(most <= 50, `${most} lanes in one fetch`)
    assert.ok(fetches >= 2)
  } finally {
    await sender.stop()
  }
})

test('the purge ends what endpoints left behind, and steps over callbacks', async () => {
  await wait(tenantId, 20_000, { tries: 1, inSeconds: 3_600 })
  await t.ownerSql(
    `insert into webhook_jobs (tenant_id, lane, due_at, event_ids)
     select $1, 'whk_gone', now(), array['evt_1'] from generate_series(1, 30)`,
    [tenantId],
  )
  await t.ownerSql(
    "insert into webhook_lanes (tenant_id, id, failing_since) values ($1, 'whk_gone', now()), ($1, 'cb:https://idle', now())",
    [tenantId],
  )
  await t.ownerSql('vacuum analyze webhook_jobs, webhook_lanes')
  const { db } = t.app.services
  const onWork: Db = { ...db, call: () => assert.fail('a purge is in front of requests') }
  assert.equal(await purgeWebhooks(onWork, 30, 20), 20)
  const pages = await pagesOf(async () => assert.equal(await purgeWebhooks(onWork, 30, 100), 10 + 2))
  assert.ok(pages < 1_000, `${pages} pages were read`)
  assert.equal(await purgeWebhooks(onWork, 30, 100), 0)
  assert.equal((await t.sql('select from webhook_jobs')).length, 20_000)
})
