// Figures of messages and calls: at any moment they are what counting every row would give, whatever was folded before and
// whatever changed after.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { firstIdAt, newId } from '../../../kernel/values/ids.ts'
import { foldTraffic } from './store.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const minute = 60_000
type Cells = Record<string, [number, number]>
type Totals = Partial<Record<'messages' | 'calls' | 'segments' | 'minutes', number>>
type Reported = { direction: string; status?: string; state?: string; total: Totals }

const itemsOf = (total: Totals) => total.messages ?? total.calls ?? 0
const amountOf = (total: Totals) => total.segments ?? total.minutes ?? 0

/** Totals by direction and status as the API returns them. */
async function cellsOf(kind: 'messaging' | 'voice', query: string, as = t.main.tokens.Admin): Promise<Cells> {
  const { status: answered, json, text } = await t.call('GET', `/v2/analytics/${kind}?${query}`, { as })
  assert.equal(answered, 200, text)
  const { series, total, buckets } = json.data
  const sum = (list: number[]) => Math.round(list.reduce((a, b) => a + b, 0) * 100) / 100
  for (const one of series) {
    const lists = [one.messages ?? one.calls, one.segments ?? one.minutes]
    for (const list of lists) assert.equal(list.length, buckets.length)
    assert.equal(sum(lists[0]), itemsOf(one.total))
  }
  assert.equal(sum(series.map(({ total: own }: Reported) => itemsOf(own))), itemsOf(total))
  return Object.fromEntries(
    series.map(({ direction, status, state, total: own }: Reported) => [
      `${direction} ${status ?? state}`,
      [itemsOf(own), amountOf(own)],
    ]),
  )
}

/** The same, counted from the rows. */
async function counted(kind: 'messaging' | 'voice', fromMs: number, toMs: number): Promise<Cells> {
  const text =
    kind === 'messaging'
      ? `select direction || ' ' || status as key, count(*)::int as items, sum(segments)::float as amount from messages
         where tenant_id = $1 and created_at >= $2 and created_at < $3 group by 1`
      : `select direction || ' ' || state as key, count(*)::int as items,
           round(coalesce(sum(extract(epoch from ended_at - answered_at)), 0)::numeric / 60, 2)::float as amount from calls
         where tenant_id = $1 and created_at >= $2 and created_at < $3 group by 1`
  const rows = await t.ownerSql<{ key: string; items: number; amount: number }>(text, [
    t.main.liveTenantId,
    new Date(fromMs).toISOString(),
    new Date(toMs).toISOString(),
  ])
  return Object.fromEntries(rows.map(({ key, items, amount }) => [key, [items, amount]]))
}

const statuses = ['queued', 'sent', 'delivered', 'failed', 'unconfirmed'] as const

async function insertMessage(atMs: number, n: number, tenantId = t.main.liveTenantId): Promise<string> {
  const id =
    atMs < Date.now() - 2 * minute
      ? newId('msg', atMs)
      : firstIdAt('msg', atMs).slice(0, 14) + String(n).padStart(16, '0')
  await t.ownerSql(
    `insert into messages (tenant_id, id, direction, status, carrier, from_address, to_address, body, encoding, segments,
       created_at) values ($1, $2, $3, $4, 'simulator', '+15005550006', '+15005550100', 'Hi', 'GSM-7', $5, $6)`,
    [tenantId, id, n % 4 === 0 ? 'inbound' : 'outbound', statuses[n % 5], 1 + (n % 3), new Date(atMs).toISOString()],
  )
  return id
}

const fold = () =>
  foldTraffic(t.app.services.db, error => {
    throw error
  })

async function folded(kind: string): Promise<number> {
  const rows = await t.ownerSql<{ ms: number }>(
    `select (extract(epoch from folded_to) * 1000)::float8 as ms from traffic_folds where tenant_id = $1 and kind = $2`,
    [t.main.liveTenantId, kind],
  )
  return rows[0]?.ms ?? 0
}

test('message figures are exact before, between and after folds, and when folded messages change', async () => {
  const now = Date.now()
  const [from, to] = [now - 3 * 86_400_000, now + minute]
  const query = `after=${new Date(from).toISOString()}&before=${new Date(to).toISOString()}&interval=hour`
  const whole = (ms: number) => Math.floor(ms / 3_600_000) * 3_600_000
  const check = async (when: string) =>
    assert.deepEqual(
      await cellsOf('messaging', query),
      await counted('messaging', whole(from), whole(to - 1) + 3_600_000),
      when,
    )
  const ids: string[] = []
  // Old ones, of both sides of the coming fold, and new ones.
  for (let n = 0; n < 300; n++) ids.push(await insertMessage(now - (n * 3 * 86_400_000) / 300 - 9 * minute, n))
  for (let n = 0; n < 40; n++) ids.push(await insertMessage(now - n * 12_000, 1_000 + n))
  await check('before any fold')
  assert.equal(await folded('message'), 0)
  await fold()
  assert.ok(Math.abs((await folded('message')) - (Date.now() - 6 * minute)) < 20_000)
  const [slots] = await t.ownerSql('select sum(items)::int as items from traffic_slots where tenant_id = $1', [
    t.main.liveTenantId,
  ])
  assert.ok(slots?.items >= 299 && slots?.items < 340, 'what is new is not folded')
  await check('after a fold')
  const move = (status: string, part: string[]) =>
    t.sql('update messages set status = $1 where tenant_id = $2 and id = any ($3)', [status, t.main.liveTenantId, part])
  await move(
    'delivered',
    ids.filter((_, n) => n % 3 === 0),
  )
  await move(
    'failed',
    ids.filter((_, n) => n % 6 === 0),
  )
  await check('after changes, not folded yet')
  await insertMessage(now - 2 * 86_400_000, 5)
  await check('with a message that arrived in the past')
  await fold()
  await check('after changes were folded')
  const pending = await t.ownerSql(
    'select from traffic_deltas d join traffic_folds f using (tenant_id, kind) where d.at < f.folded_to',
  )
  assert.equal(pending.length, 0, 'no delta is left behind')
  const before = await t.ownerSql('select * from traffic_slots order by 1, 2, 3, 4, 5')
  assert.equal(await fold(), 0, 'nothing is due')
  assert.deepEqual(await t.ownerSql('select * from traffic_slots order by 1, 2, 3, 4, 5'), before)
})

test('a change while a fold runs is counted once', async () => {
  const now = Date.now()
  const at = now - 30 * minute
  const ids: string[] = []
  for (let n = 0; n < 60; n++) ids.push(await insertMessage(at + n, 5 * n, t.main.testTenantId))
  const changes = ids.map(id => t.sql("update messages set status = 'delivered' where id = $1", [id]))
  const folds = Array.from({ length: 5 }, () => fold())
  await Promise.all([...changes, ...folds])
  const query = `after=${new Date(at - 90 * minute).toISOString()}`
  const expected = await t.ownerSql(
    "select direction || ' delivered' as key, count(*)::int as n, sum(segments)::int as s from messages where tenant_id = $1 group by 1",
    [t.main.testTenantId],
  )
  const cells = Object.fromEntries(expected.map(({ key, n, s }) => [key, [n, s]]))
  assert.deepEqual(await cellsOf('messaging', query, t.main.testKey), cells)
  await fold()
  assert.deepEqual(await cellsOf('messaging', query, t.main.testKey), cells)
})

test('call figures: states and minutes are exact through folds and late ends', async () => {
  const now = Date.now()
  const [from, to] = [now - 86_400_000, now + minute]
  const query = `after=${new Date(from).toISOString()}&before=${new Date(to).toISOString()}&interval=hour`
  const whole = (ms: number) => Math.floor(ms / 3_600_000) * 3_600_000
  const check = async (when: string) =>
    assert.deepEqual(
      await cellsOf('voice', query),
      await counted('voice', whole(from), whole(to - 1) + 3_600_000),
      when,
    )
  const insertCall = async (atMs: number, n: number) => {
    const iso = (ms: number) => new Date(ms).toISOString()
    const over = n % 3 === 0
    const id = newId('call')
    await t.ownerSql(
      `insert into calls (tenant_id, id, direction, from_number, to_number, timeout_seconds, time_limit_seconds, state,
         hangup_cause, hangup_by, created_at, answered_at, ended_at, changed_at)
       values ($1, $2, 'outbound', '+15005550006', '+15005550100', 60, 3600, $3, $4, $5, $6, $7, $8, $6)`,
      [
        t.main.liveTenantId,
        id,
        over ? 'completed' : 'answered',
        over ? 'normal' : null,
        over ? 'caller' : null,
        iso(atMs),
        iso(atMs + 5_000),
        over ? iso(atMs + 5_000 + n * 1_234) : null,
      ],
    )
    return id
  }
  const ids: string[] = []
  for (let n = 0; n < 60; n++) ids.push(await insertCall(now - (n * 86_400_000) / 60, n))
  await check('before any fold')
  await fold()
  await check('after a fold')
  await t.ownerSql(
    `update calls set state = 'completed', ended_at = answered_at + interval '90 seconds', hangup_cause = 'normal',
       hangup_by = 'callee' where tenant_id = $1 and id = any ($2) and state = 'answered'`,
    [t.main.liveTenantId, ids.slice(30)],
  )
  await check('after calls ended')
  await fold()
  await check('after that was folded')
})

test('a day is one of the zone; other tenants and modes are apart; too long a stretch is refused', async () => {
  const times = [
    '2026-09-09T21:59:59.999Z',
    '2026-09-09T22:00:00.000Z',
    '2026-09-10T21:59:59.999Z',
    '2026-09-10T22:00:00Z',
  ]
  for (const [n, time] of times.entries()) await insertMessage(Date.parse(time), 10 + n * 20)
  await fold()
  const days = (as: string) =>
    t.call('GET', '/v2/analytics/messaging?after=2026-09-09&before=2026-09-12&interval=day', { as })
  const { data } = (await days(t.main.tokens.Admin)).json
  assert.deepEqual(data.buckets, ['2026-09-08T22:00:00.000Z', '2026-09-09T22:00:00.000Z', '2026-09-10T22:00:00.000Z'])
  const perDay = data.buckets.map((_: string, at: number) =>
    data.series.reduce((sum: number, one: { messages: number[] }) => sum + one.messages[at]!, 0),
  )
  assert.deepEqual(perDay, [1, 2, 1])
  for (const as of [t.main.testKey, t.other.liveKey]) assert.deepEqual((await days(as)).json.data.series, [])
  for (const kind of ['messaging', 'voice']) {
    const long = await t.call('GET', `/v2/analytics/${kind}?after=2026-01-01&before=2026-05-01&interval=day`, {
      as: t.main.liveKey,
    })
    assert.equal(long.json.error.code, 'validation_failed')
    assert.equal(long.json.error.details[0].field, 'after')
  }
})
