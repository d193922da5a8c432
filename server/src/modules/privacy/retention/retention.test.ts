// What is older than its organization keeps it is deleted, in steps, by an index; what is in use or on hold stays.
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { purgeByAge } from './jobs.ts'
import { agedTables } from './rules.ts'
import { purgeSome } from './store.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())
const emptied =
  'conversation_addresses, conversations, messages, events, calls, request_log, request_details, mails, retention_policies, retention_positions, legal_holds'
beforeEach(() => t.ownerSql(`truncate ${emptied} cascade`))

const live = () => t.main.liveTenantId
const purge = () => purgeByAge(t.app.services).run()
const ids = async (table: string) =>
  (await t.ownerSql<{ id: string }>(`select id from ${table} order by id`)).map(row => row.id)

/** An id of a row so many days old; `n` distinguishes those of one day. */
async function oldId(prefix: string, days: number, n = 0): Promise<string> {
  const [row] = await t.ownerSql<{ id: string }>('select first_id_at($1, now() - make_interval(days => $2)) as id', [
    prefix,
    days,
  ])
  return `${row!.id.slice(0, -4)}${String(n).padStart(4, '0')}`
}

async function addMessage(
  days: number,
  { n = 0, status = 'delivered', to = '+14155550100', tenant = live(), endedDays = days } = {},
) {
  const id = await oldId('msg', days, n)
  await t.ownerSql(
    `insert into messages (tenant_id, id, direction, status, carrier, from_address, to_address, body, encoding, segments, created_at,
       final_at)
     values ($1, $2, 'outbound', $3, 'simulator', '+15005550006', $4, 'hello', 'GSM-7', 1, now() - make_interval(days => $5),
       case when $3 <> 'sending' then now() - make_interval(days => $6) end)`,
    [tenant, id, status, to, days, endedDays],
  )
  await addEvent(days, { n, resourceId: id, tenant })
  return id
}

async function addEvent(days: number, { n = 0, resourceId = 'x', tenant = live() } = {}) {
  const id = await oldId('evt', days, n)
  await t.ownerSql(
    "insert into events (tenant_id, id, type, resource_id, sequence, data) values ($1, $2, 'message.sent', $3, 1, '{}')",
    [tenant, id, resourceId],
  )
  return id
}

async function addCall(days: number, { n = 0, parent = null as string | null, isOver = true } = {}) {
  const id = await oldId('call', days, n)
  await t.ownerSql(
    `insert into calls (tenant_id, id, parent_call_id, direction, from_number, to_number, timeout_seconds, time_limit_seconds, state,
       created_at, ended_at, changed_at, hangup_cause, hangup_by)
     values ($1, $2, $3, 'outbound', '+15005550006', '+14155550100', 30, 3600, $4, now() - make_interval(days => $5),
       case when $6 then now() - make_interval(days => $5) end, now(), case when $6 then 'no_answer' end, case when $6 then 'callee' end)`,
    [live(), id, parent, isOver ? 'no_answer' : 'initiated', days, isOver],
  )
  return id
}

const choose = (classes: { class: string; days: number | null }[], as = t.main.tokens.Admin) =>
  t.call('PATCH', '/v2/organization/retention', { as, body: { classes } })

test('messages go after their days, with their events; those on their way and those of open conversations stay', async () => {
  const [old, young] = [await addMessage(1_100), await addMessage(1_000)]
  const onItsWay = await addMessage(1_100, { n: 1, status: 'sending' })
  const ofOpen = await addMessage(1_100, { n: 2, to: '+14155550101' })
  const conversation = await oldId('cnv', 1_200)
  await t.ownerSql(
    `insert into conversations (tenant_id, id, party_kind, name, state, last_at, last_item, last_kind, last_preview, find, created_at, updated_at)
     values ($1, $2, 'unknown', '+14155550101', 'open', now() - interval '1100 days', $3, 'text', 'hello', '', now(), now())`,
    [live(), conversation, ofOpen],
  )
  await t.ownerSql(
    "insert into conversation_addresses (tenant_id, address, channel, conversation_id) values ($1, '+14155550101', 'phone', $2)",
    [live(), conversation],
  )
  await t.ownerSql("update events set id = replace(id, 'evt_', 'evt_7')")
  await purge()
  assert.deepEqual(await ids('messages'), [onItsWay, ofOpen, young])
  assert.equal((await t.ownerSql('select from event_log where resource_id = $1', [old])).length, 0)
  assert.equal((await t.ownerSql('select from event_log where resource_id = $1', [young])).length, 1)
  // Closed and silent for as long, it goes with what it was about; what was looked at is looked at again a day later.
  await t.ownerSql("update conversations set state = 'closed'")
  await t.ownerSql("update retention_positions set restarted_at = now() - interval '25 hours'")
  await purge()
  assert.deepEqual(await ids('messages'), [onItsWay, young])
  assert.deepEqual(await ids('conversations'), [])
})

test('an organization chooses its days, which hold in both modes and for nobody else', async () => {
  const mine = [await addMessage(100), await addMessage(100, { tenant: t.main.testTenantId })]
  const theirs = await addMessage(100, { tenant: t.other.liveTenantId })
  const { json, status } = await choose([{ class: 'messages', days: 90 }])
  assert.equal(status, 200)
  const found = json.data.classes.find((one: { class: string }) => one.class === 'messages')
  assert.deepEqual([found.days, found.ownDays, found.defaultDays], [90, 90, 1_095])
  await purge()
  assert.equal(mine.length, 2)
  assert.deepEqual(await ids('messages'), [theirs])
  const back = await choose([{ class: 'messages', days: null }])
  assert.equal(back.json.data.classes.find((one: { class: string }) => one.class === 'messages').days, 1_095)
  const { json: audit } = await t.call('GET', '/v2/audit-events?action=retention.updated', { as: t.main.tokens.Admin })
  assert.equal(audit.data.length, 2)
})

test('the days of a message count from its end: one that was scheduled long before stays as long as others', async () => {
  await choose([{ class: 'messages', days: 30 }])
  const justSent = await addMessage(35, { endedDays: 0 })
  const ended = await addMessage(35, { n: 1 })
  await purge()
  assert.deepEqual(await ids('messages'), [justSent])
  // The purge has gone past it, and comes back for it a day later.
  assert.deepEqual(
    await t.ownerSql("select behind from retention_positions where target = 'messages' and tenant_id = $1", [live()]),
    [{ behind: ended }],
  )
  await t.ownerSql("update messages set final_at = now() - interval '31 days'")
  await purge()
  assert.deepEqual(await ids('messages'), [justSent])
  await t.ownerSql("update retention_positions set restarted_at = now() - interval '25 hours'")
  await purge()
  assert.deepEqual(await ids('messages'), [])
})

test('days outside of the bounds are refused with the field and what it takes', async () => {
  const { status, json } = await choose([
    { class: 'messages', days: 10 },
    { class: 'calls', days: 400 },
    { class: 'calls', days: 500 },
  ])
  assert.equal(status, 400)
  assert.match(JSON.stringify(json), /classes\[0\]\.days.*must be from 30 to 3650 days for messages, or null/)
  assert.match(JSON.stringify(json), /classes\[2\]\.class.*is named twice/)
  assert.equal((await choose([{ class: 'calls', days: 400 }], t.main.tokens['Sales Manager'])).status, 403)
})

test('calls go with those that they led to, and never while one is under way or has its recording', async () => {
  const parent = await addCall(1_100)
  await addCall(1_100, { n: 1, parent })
  const live1 = await addCall(1_100, { n: 2 })
  await addCall(1_100, { n: 3, parent: live1, isOver: false })
  const young = await addCall(10)
  await purge()
  assert.equal((await ids('calls')).length, 3)
  assert.ok((await ids('calls')).includes(young))
  assert.ok(!(await ids('calls')).includes(parent))
})

test('the request log goes with its details after seven days', async () => {
  for (const days of [6, 8]) {
    const id = await oldId('req', days)
    await t.ownerSql(
      `insert into request_log (tenant_id, id, at, method, path, status, duration_ms) values ($1, $2, now(), 'GET', '/purge', 200, 1)`,
      [live(), id],
    )
    await t.ownerSql('insert into request_details (tenant_id, request_id, at) values ($1, $2, now())', [live(), id])
  }
  await purge()
  const kept = await t.ownerSql<{ id: string }>("select id from request_log where path = '/purge'")
  assert.equal(kept.length, 1)
  assert.equal((await t.ownerSql('select from request_details where request_id = $1', [kept[0]!.id])).length, 1)
})

test('a purge goes in steps, each behind the last one', async () => {
  await t.ownerSql(
    `insert into events (tenant_id, id, type, resource_id, sequence, data)
     select $1, left(first_id_at('evt', now() - interval '500 days'), -5) || lpad(n::text, 5, '0'), 'message.sent', 'r' || n, 1, '{}'
     from generate_series(1, 2500) n`,
    [live()],
  )
  await t.ownerSql(
    `insert into events (tenant_id, id, type, resource_id, sequence, data)
     select $1, left(first_id_at('evt', now() - interval '5 days'), -5) || lpad(n::text, 5, '0'), 'message.sent', 's' || n, 1, '{}'
     from generate_series(1, 20000) n`,
    [live()],
  )
  await t.ownerSql('vacuum analyze events')
  const of = agedTables.find(({ table }) => table === 'events')!
  const due = { tenant_id: live(), days: 400 }
  const steps = []
  for (let n = 0; n < 4; n++) steps.push((await purgeSome(t.app.services.db, of, due, 1_000)).gone)
  assert.deepEqual(steps, [1_000, 1_000, 500, 0])
  assert.equal((await ids('events')).length, 20_000)
})

test('every table that is purged by age has the index that serves it', async () => {
  for (const { table } of agedTables) {
    const keys = await t.ownerSql<{ keys: string[] }>(
      `select array(select a.attname::text from unnest(i.indkey) with ordinality k (n, place)
         join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.n order by place) as keys
       from pg_index i where i.indrelid = $1::regclass and i.indisprimary`,
      [table],
    )
    assert.deepEqual(keys[0]?.keys, ['tenant_id', 'id'], table)
  }
})

test('a legal hold on the organization stops its purges, and one on a person keeps what is about them', async () => {
  const held = await addMessage(1_100)
  const free = await addMessage(1_100, { n: 1, to: '+14155550111' })
  const hold = (tenant: number | null, pattern: string | null) =>
    t.ownerSql(
      `insert into legal_holds (organization_id, id, tenant_id, subject, pattern, reason, placed_by, placed_at)
       values ($1, $2, $3, $4, $5, 'A lawsuit.', $6, now())`,
      [
        t.main.organizationId,
        `lgh_${tenant ?? 0}`,
        tenant,
        tenant === null ? null : '{}',
        pattern,
        t.main.users.Admin.id,
      ],
    )
  await hold(null, null)
  await purge()
  assert.deepEqual(await ids('messages'), [held, free])
  await t.ownerSql('delete from legal_holds')
  await hold(live(), '14155550100')
  await purge()
  assert.deepEqual(await ids('messages'), [held])
})
