// Conversations follow what is committed: what commits late is not lost and nothing is doubled, no matter who looks; what there was before is
// taken in; and those who have the inbox open hear of it.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type KyselyPlugin, sql } from 'kysely'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { freshPhone, inboxOf, ours } from '../../../test/inbox.ts'
import { openStream } from '../../../test/stream_reader.ts'
import type { Db, Tx } from '../../kernel/data/db.ts'
import { newId } from '../../kernel/values/ids.ts'
import { exchangeTypes } from './exchanges.ts'
import { followOnce, followTenant } from './following.ts'
import { purgeSignals, type Tenant } from './position_store.ts'

let t: TestApp
let inbox: ReturnType<typeof inboxOf>
before(async () => {
  t = await startTestApp()
  inbox = inboxOf(t)
  await inbox.follow()
})
after(() => t?.close())

const received = (
  phone: string,
  id: string,
  tenantId = t.main.liveTenantId,
  atMs = t.clock.now(),
): [string, unknown[]] => [
  `insert into events (tenant_id, id, type, resource_id, sequence, data) values ($1, $2, 'message.received', $3, 1, $4)`,
  [
    tenantId,
    id,
    `msg_${id.slice(4)}`,
    JSON.stringify({
      messageId: `msg_${id.slice(4)}`,
      direction: 'inbound',
      from: phone,
      to: ours,
      body: 'Late',
      createdAt: new Date(atMs).toISOString(),
    }),
  ],
]

const createdFor = async (phone: string) =>
  Number(
    (
      await t.ownerSql<{ count: string }>(
        `select count(*) from event_log where type = 'conversation.created' and data -> 'party' ->> 'name' = $1`,
        [phone],
      )
    )[0]!.count,
  )

test('what commits late, behind what is newer, is taken in then, once', async () => {
  const late = freshPhone()
  await t.asEngine(async client => {
    await client.query(...received(late, newId('evt')))
    // Others commit meanwhile, and are followed.
    for (let n = 0; n < 3; n++) await inbox.receive(freshPhone(), 'In time')
    assert.equal(await createdFor(late), 0)
  })
  await inbox.follow()
  assert.equal(await createdFor(late), 1)
  await inbox.follow()
  assert.equal(await createdFor(late), 1)
})

/** Follows a tenant, and lists the types of what was read for that, as often as it was. */
function notingFollower(tenant: Tenant): () => Promise<string[]> {
  const read: string[] = []
  const noting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      for (const { type } of result.rows) if (typeof type === 'string' && type.includes('.')) read.push(type)
      return result
    },
  }
  const { db } = t.app.services
  const inTenant = ((scope, work) => db.inTenant(scope, tx => work(tx.withPlugin(noting)))) as Db['inTenant']
  return async () => {
    read.length = 0
    await followTenant({ ...t.app.services, db: { ...db, inTenant } }, tenant, () => false)
    return [...read]
  }
}

test('texts that go out are read only where somebody may have a conversation, or one begins beside them', async () => {
  const { organizationId, testTenantId: tenantId, testKey: as } = t.main
  const follow = notingFollower({ tenantId, organizationId, mode: 'test' })
  const send = async (to: string) => {
    const { status, text } = await t.call('POST', '/v2/messages/sms', { as, body: { from: ours, to, body: 'Hello' } })
    assert.equal(status, 200, text)
  }
  for (let n = 0; n < 3; n++) await follow()
  await send(freshPhone())
  assert.deepEqual(await follow(), [])
  const stranger = freshPhone()
  await t.ownerSql(...received(stranger, newId('evt'), tenantId, Date.now() - 60_000))
  await send(stranger)
  assert.deepEqual((await follow()).slice(-2), ['message.received', 'message.queued'])
  const rows = await t.ownerSql<{ waiting_since: string | null }>(
    'select waiting_since from conversations where tenant_id = $1',
    [tenantId],
  )
  assert.deepEqual(rows, [{ waiting_since: null }], 'it is answered')
  await send(freshPhone())
  assert.deepEqual(await follow(), ['message.queued'])
})

test('what addresses records get is read only where there are conversations with people whom nobody knows', async () => {
  const { organizationId, testTenantId: tenantId, testKey: as } = t.other
  const follow = notingFollower({ tenantId, organizationId, mode: 'test' })
  const lead = (phone: string) => t.call('POST', '/v1/api/leads', { as, body: { name: 'Ada Lovelace', phone } })
  await follow()
  const [known, stranger] = [freshPhone(), freshPhone()]
  await lead(known)
  assert.deepEqual(await follow(), [])
  for (const phone of [known, stranger]) await t.ownerSql(...received(phone, newId('evt'), tenantId))
  assert.deepEqual(await follow(), ['message.received', 'message.received'])
  await lead(stranger)
  assert.deepEqual(await follow(), ['lead.created'])
  const rows = await t.ownerSql<{ party_kind: string }>('select party_kind from conversations where tenant_id = $1', [
    tenantId,
  ])
  assert.deepEqual(
    rows.map(row => row.party_kind),
    ['lead', 'lead'],
    'the one that began found its person, the other was found by it',
  )
})

test('events that mean nothing here are not looked at', async () => {
  const { organizationId, testTenantId: tenantId } = t.main
  const { db } = t.app.services
  const looked: number[] = []
  const fetched = async (tx: Tx) => {
    const { rows } = await sql<{ n: number }>`select pg_stat_get_xact_tuples_fetched('events'::regclass) as n`.execute(
      tx,
    )
    return rows[0]!.n
  }
  const inTenant = ((scope, work) =>
    db.inTenant(scope, async tx => {
      const before = await fetched(tx)
      const result = await work(tx)
      looked.push((await fetched(tx)) - before)
      return result
    })) as Db['inTenant']
  const follow = () =>
    followOnce({ ...t.app.services, db: { ...db, inTenant } }, { tenantId, organizationId, mode: 'test' })
  for (let n = 0; n < 3; n++) await follow()
  await t.ownerSql(
    `insert into events (tenant_id, id, type, resource_id, sequence, data)
     select $1, u.id, 'lead.created', u.n::text, 1, '{}' from unnest($2::text[]) with ordinality as u (id, n)`,
    [tenantId, Array.from({ length: 3_000 }, () => newId('evt'))],
  )
  await t.ownerSql('analyze events')
  looked.length = 0
  await follow()
  assert.ok(looked[0]! < 100, `${looked} rows`)
})

test('the index of events that are followed has the types that are', async () => {
  const [row] = await t.ownerSql<{ text: string }>(
    "select pg_get_expr(indpred, indrelid) as text from pg_index where indexrelid = 'events_followed'::regclass",
  )
  const types = [...row!.text.matchAll(/'([^']+)'/g)].map(match => match[1])
  assert.deepEqual(types, [...exchangeTypes])
})

test('two nodes follow one tenant: each event is taken in once, over many pages', async () => {
  const phones = Array.from({ length: 1_200 }, freshPhone)
  await t.ownerSql(
    `insert into events (tenant_id, id, type, resource_id, sequence, data)
     select $1, u.id, 'message.received', 'msg_' || right(u.id, 26), 1, json_build_object('messageId', 'msg_' || right(u.id, 26), 'direction',
       'inbound', 'from', u.phone, 'to', '+15005550006', 'body', 'x', 'createdAt', now())
     from unnest($2::text[], $3::text[]) as u (id, phone)`,
    [t.main.liveTenantId, phones.map(() => newId('evt')), phones],
  )
  const follow = () => followTenant(t.app.services, inbox.tenant, () => false)
  await Promise.all([follow(), follow(), follow()])
  await follow()
  const [row] = await t.ownerSql<{ conversations: string; events: string }>(
    `select (select count(*) from conversation_addresses where address = any($1)) as conversations,
       (select count(*) from event_log where type = 'conversation.created' and data -> 'party' ->> 'name' = any($1)) as events`,
    [phones],
  )
  assert.deepEqual([Number(row!.conversations), Number(row!.events)], [phones.length, phones.length])
})

test('a batch that fails is taken in again as a whole', async () => {
  const phone = freshPhone()
  await t.ownerSql(...received(phone, newId('evt')))
  const broken = {
    ...t.app.services,
    db: {
      ...t.app.services.db,
      inTenant: (scope: never, work: (tx: never) => Promise<unknown>) =>
        t.app.services.db.inTenant(scope, async tx => {
          await work(tx as never)
          throw new Error('the process died before the commit')
        }),
    },
  }
  await assert.rejects(followOnce(broken as never, inbox.tenant))
  assert.equal(await createdFor(phone), 0)
  await inbox.follow()
  assert.equal(await createdFor(phone), 1)
})

test('what there was before is taken in: what ended weeks ago waits for nobody, and no event says so', async () => {
  const { liveTenantId: tenantId, organizationId } = t.other
  const texts = [
    { phone: freshPhone(), daysAgo: 40, direction: 'inbound' },
    { phone: freshPhone(), daysAgo: 1, direction: 'inbound' },
    { phone: freshPhone(), daysAgo: 2, direction: 'outbound' },
  ]
  for (const { phone, daysAgo, direction } of texts) {
    const atMs = t.clock.now() - daysAgo * 86_400_000
    const [from, to] = direction === 'inbound' ? [phone, ours] : [ours, phone]
    await t.ownerSql(
      `insert into messages (tenant_id, id, direction, status, carrier, carrier_reference, from_address, to_address, body, encoding, segments,
         created_at) values ($1, $2, $3, 'delivered', 'handset', $2, $4, $5, 'Before', 'GSM-7', 1, $6)`,
      [tenantId, newId('msg', atMs), direction, from, to, new Date(atMs).toISOString()],
    )
  }
  for (let n = 0; n < 2; n++)
    await followTenant(t.app.services, { tenantId, organizationId, mode: 'live' }, () => false)
  const { json } = await t.call('GET', '/v2/conversations?view=all', { as: t.other.tokens.Admin })
  const states = json.data.map((one: { party: { name: string }; state: string }) => [one.party.name, one.state])
  assert.deepEqual(states, [
    [texts[1]!.phone, 'open'],
    [texts[0]!.phone, 'closed'],
  ])
  assert.equal(await createdFor(texts[1]!.phone), 0)
})

test('a database that counts transactions from further back, as after a restore, closes no conversation that was there', async () => {
  const phone = freshPhone()
  await inbox.receive(phone, 'Hello')
  const { conversationId } = await inbox.conversationWith(phone)
  await t.ownerSql(
    `update conversations set last_at = now() - interval '20 days', waiting_since = now() - interval '20 days' where id = $1`,
    [conversationId],
  )
  // From before what is taken in again.
  await t.ownerSql('delete from messages where from_address = $1', [phone])
  await t.ownerSql("update conversation_positions set snapshot = '4000000000:4000000000:' where fill_behind is null")
  await inbox.follow()
  const [row] = await t.ownerSql(
    `select c.state, c.waiting_since is not null as waits, p.fill_behind is null as filled, p.snapshot::text like '4000000000:%' as ahead
     from conversations c join conversation_positions p on p.tenant_id = c.tenant_id where c.id = $1`,
    [conversationId],
  )
  assert.deepEqual(row, { state: 'open', waits: true, filled: true, ahead: false })
})

test('signals and who is gone are forgotten, what is new is kept', async () => {
  const [phone, tenantId] = [freshPhone(), t.main.liveTenantId]
  await inbox.receive(phone, 'Hi')
  const { conversationId } = await inbox.conversationWith(phone)
  await inbox.data('PUT', `/v2/conversations/${conversationId}/presence`, { state: 'viewing' })
  await t.ownerSql(
    `insert into conversation_signals (tenant_id, id, type, conversation_id, party_kind, holder, user_ids, at)
     values ($1, $2, 'conversation.updated', $3, 'unknown', 0, '{}', now())`,
    [tenantId, newId('cns', t.clock.now() - 2 * 3_600_000), conversationId],
  )
  await t.ownerSql(
    `insert into conversation_presences (tenant_id, conversation_id, user_id, state, since, expires_at)
     values ($1, $2, 999, 'viewing', now(), now() - interval '5 minutes')`,
    [tenantId, conversationId],
  )
  assert.equal(await purgeSignals(t.app.services.db, 100), 2)
  assert.equal(await purgeSignals(t.app.services.db, 100), 0)
})

test('who has the inbox open hears of what they see, of who is there, and of nothing else', async () => {
  const [free, theirs] = [freshPhone(), freshPhone()]
  await inbox.lead({ phone: theirs, owner_id: t.main.users.Admin.id })
  const second = await t.secondApp()
  const as = t.main.tokens['Sales Executive']
  const seller = await openStream(second.app, { as, query: '?topics=conversations', headers: {} })
  const stranger = await openStream(t.app, { as: t.other.tokens.Admin, query: '?topics=conversations', headers: {} })
  try {
    await seller.until(message => message.event === 'ready')
    await inbox.receive(theirs, 'Not for them')
    await inbox.receive(free, 'For all')
    const one = await inbox.conversationWith(free)
    const hidden = await inbox.conversationWith(theirs)
    const of = (type: string) => (message: { data: Record<string, unknown> }) =>
      message.data['type'] === type && message.data['conversationId'] === one.conversationId
    await seller.until(of('conversation.updated'))
    const path = `/v2/conversations/${one.conversationId}/presence`
    await inbox.data('PUT', path, { state: 'composing' })
    const heard = await seller.until(of('conversation.presence'))
    assert.deepEqual(
      (heard.data['presence'] as { userId: number; state: string }[]).map(({ userId, state }) => [userId, state]),
      [[t.main.users.Admin.id, 'composing']],
    )
    const shown = await inbox.data('PUT', path, { state: 'viewing' }, as)
    assert.deepEqual(
      shown.presence.map(({ state }: { state: string }) => state),
      ['composing'],
      'others, and not oneself',
    )
    await inbox.data('PUT', path, { state: 'away' })
    assert.deepEqual((await inbox.data('GET', `/v2/conversations/${one.conversationId}`, undefined, as)).presence, [])
    await t.ownerSql(`update conversation_presences set expires_at = now() - interval '1 second'`)
    assert.deepEqual(
      (await inbox.data('GET', `/v2/conversations/${one.conversationId}`)).presence,
      [],
      'who is silent is gone',
    )
    const ids = seller.messages.flatMap(({ data }) => (data as Record<string, unknown>)['conversationId'] ?? [])
    assert.ok(!ids.includes(hidden.conversationId))
    assert.deepEqual(
      stranger.messages.filter(({ event }) => event === 'conversation'),
      [],
    )
  } finally {
    seller.close()
    stranger.close()
  }
})
