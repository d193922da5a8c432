// The shared inbox: what makes conversations of what is exchanged, what ends their waiting, and what people do with them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { freshPhone, inboxOf, ours } from '../../../test/inbox.ts'
import { wake } from './snoozing.ts'

let t: TestApp
let inbox: ReturnType<typeof inboxOf>
before(async () => {
  t = await startTestApp()
  inbox = inboxOf(t)
  await inbox.follow()
})
after(() => t?.close())

const admin = () => t.main.tokens.Admin
const executive = () => t.main.tokens['Sales Executive']
const executiveId = () => t.main.users['Sales Executive'].id

async function sendText(to: string, body: string) {
  const answer = await inbox.call('POST', '/v2/messages/sms', { from: ours, to, body })
  assert.equal(answer.status, 200, answer.text)
}

describe('what is exchanged', () => {
  test('a text of nobody begins a conversation that waits, once, and an answer ends that', async () => {
    const phone = freshPhone()
    await inbox.receive(phone, 'Hello there')
    const begun = await inbox.conversationWith(phone)
    assert.deepEqual(
      [begun.party.kind, begun.party.name, begun.state, begun.unread, begun.lastActivity.preview],
      ['unknown', phone, 'open', true, 'Hello there'],
    )
    assert.ok(begun.waitingSince)
    await inbox.receive(phone, 'Anybody?')
    const again = await inbox.conversationWith(phone)
    assert.equal(again.conversationId, begun.conversationId)
    assert.equal(again.waitingSince, begun.waitingSince, 'the oldest counts')
    assert.equal(again.lastActivity.preview, 'Anybody?')
    await sendText(phone, 'Yes')
    const answered = await inbox.conversationWith(phone)
    assert.deepEqual(
      [answered.waitingSince, answered.lastActivity.direction, answered.unread],
      [null, 'outbound', false],
    )
    const bodies = (await inbox.items(begun.conversationId)).map(({ body }: { body: string }) => body)
    assert.deepEqual(bodies, ['Yes', 'Anybody?', 'Hello there'])
  })

  test('what comes in opens closed and snoozed ones; what goes out to a stranger begins none', async () => {
    const phone = freshPhone()
    await inbox.receive(phone, 'First')
    const { conversationId: id } = await inbox.conversationWith(phone)
    await inbox.data('PATCH', `/v2/conversations/${id}`, { state: 'closed' })
    assert.equal((await inbox.conversationWith(phone)).waitingSince, null)
    await inbox.receive(phone, 'Second')
    assert.equal((await inbox.conversationWith(phone)).state, 'open')
    const later = new Date(t.clock.now() + 3_600_000).toISOString()
    await inbox.data('PATCH', `/v2/conversations/${id}`, { snoozedUntil: later })
    assert.equal((await inbox.conversationWith(phone)).state, 'snoozed')
    await inbox.receive(phone, 'Third')
    const open = await inbox.conversationWith(phone)
    assert.deepEqual([open.state, open.snoozedUntil], ['open', null])
    const types = (await inbox.items(id)).flatMap(({ event }: { event: { type: string } | null }) => event?.type ?? [])
    assert.deepEqual(types.sort(), ['closed', 'reopened', 'reopened', 'snoozed'])
    const stranger = freshPhone()
    await sendText(stranger, 'Your code is 1234')
    assert.equal(await inbox.conversationWith(stranger), undefined)
  })

  test('it is with the lead of the number, also one that is created later, and follows its name', async () => {
    const phone = freshPhone()
    await inbox.receive(phone, 'Who am I?')
    const recordId = await inbox.lead({ name: 'Grace Hopper', phone })
    const known = await inbox.conversationWith(phone)
    assert.deepEqual([known.party.kind, known.party.recordId, known.party.name], ['lead', recordId, 'Grace Hopper'])
    await inbox.call('PATCH', `/v1/api/leads/${recordId.slice(5)}`, { name: 'Rear Admiral', owner_id: executiveId() })
    const renamed = await inbox.conversationWith(phone)
    assert.deepEqual([renamed.party.name, renamed.party.ownerId], ['Rear Admiral', executiveId()])
    const [found] = await inbox.data('GET', '/v2/conversations?q=admiral')
    assert.equal(found.conversationId, known.conversationId)
    const [byDigits] = await inbox.data('GET', `/v2/conversations?view=all&q=${encodeURIComponent(phone.slice(2))}`)
    assert.equal(byDigits.conversationId, known.conversationId)
    const other = freshPhone()
    await inbox.lead({ phone: other })
    await sendText(other, 'Dear customer')
    const written = await inbox.conversationWith(other)
    assert.deepEqual([written.party.kind, written.state, written.waitingSince], ['lead', 'closed', null])
  })

  test('many at the same moment: each has one conversation, and one event says so', async () => {
    const phones = Array.from({ length: 30 }, freshPhone)
    await Promise.all(phones.map((phone, n) => inbox.receive(phone, `Text ${n}`)))
    await inbox.follow()
    const rows = await t.ownerSql<{ address: string; count: string }>(
      `select a.address, count(*) from conversation_addresses a join conversations c on c.tenant_id = a.tenant_id and c.id = a.conversation_id
       where a.address = any($1) group by 1`,
      [phones],
    )
    assert.equal(rows.length, phones.length)
    const events = await t.ownerSql<{ count: string }>(
      `select count(*) from event_log where type = 'conversation.created' and data -> 'party' ->> 'name' = any($1)`,
      [phones],
    )
    assert.equal(Number(events[0]!.count), phones.length)
  })
})

describe('what people do', () => {
  test('assigning, by whom it may be, with the thread and the log saying so', async () => {
    const phone = freshPhone()
    await inbox.receive(phone, 'Hi')
    const { conversationId: id } = await inbox.conversationWith(phone)
    const assigned = await inbox.data('PATCH', `/v2/conversations/${id}`, { assigneeId: executiveId() })
    assert.equal(assigned.assignee.userId, executiveId())
    assert.equal(assigned.version, 2)
    const finance = t.main.users['Finance Manager'].id
    const refused = await inbox.call('PATCH', `/v2/conversations/${id}`, { assigneeId: finance })
    assert.equal(refused.json.error.details[0].field, 'assigneeId')
    const stale = await inbox.call('PATCH', `/v2/conversations/${id}`, { state: 'closed' }, admin(), {
      'if-match': '"1"',
    })
    assert.equal(stale.json.error?.code, 'version_mismatch', stale.text)
    const [item] = await inbox.items(id)
    assert.deepEqual([item.kind, item.event.type, item.event.assignee.userId], ['event', 'assigned', executiveId()])
    const views = async (view: string, as: string) =>
      (await inbox.data('GET', `/v2/conversations?view=${view}&limit=200`, undefined, as)).some(
        (one: { conversationId: string }) => one.conversationId === id,
      )
    assert.ok(await views('mine', executive()))
    assert.ok(!(await views('mine', admin())))
    assert.ok(!(await views('unassigned', admin())))
  })

  test('a Sales Executive sees own and unassigned ones, and what they are assigned to or mentioned in', async () => {
    const [free, taken, theirs, own] = [freshPhone(), freshPhone(), freshPhone(), freshPhone()]
    await inbox.lead({ phone: theirs, owner_id: t.main.users.Admin.id })
    await inbox.lead({ phone: own, owner_id: executiveId() })
    for (const phone of [free, taken, theirs, own]) await inbox.receive(phone, 'Hi')
    const ids = await Promise.all(
      [free, taken, theirs, own].map(async phone => (await inbox.conversationWith(phone)).conversationId as string),
    )
    await inbox.data('PATCH', `/v2/conversations/${ids[1]}`, { assigneeId: t.main.users.Admin.id })
    const seen = async () => {
      const all = await inbox.data('GET', '/v2/conversations?view=all&limit=200', undefined, executive())
      const listed = ids.map(id => all.some((one: { conversationId: string }) => one.conversationId === id))
      const got = await Promise.all(
        ids.map(
          async id => (await inbox.call('GET', `/v2/conversations/${id}`, undefined, executive())).status === 200,
        ),
      )
      assert.deepEqual(got, listed)
      return listed
    }
    assert.deepEqual(await seen(), [true, false, false, true])
    await inbox.data('POST', `/v2/conversations/${ids[2]}/notes`, { body: 'Look', mentions: [executiveId()] })
    await inbox.data('PATCH', `/v2/conversations/${ids[1]}`, { assigneeId: executiveId() })
    assert.deepEqual(await seen(), [true, true, true, true])
    const [mentioned] = await inbox.data('GET', '/v2/conversations?view=mentioned', undefined, executive())
    assert.deepEqual([mentioned.conversationId, mentioned.unread, mentioned.mentioned], [ids[2], true, true])
    await inbox.data('PUT', `/v2/conversations/${ids[2]}/read`, { unread: false }, executive())
    const [read] = await inbox.data('GET', '/v2/conversations?view=mentioned', undefined, executive())
    assert.equal(read.unread, false)
    const foreign = await inbox.call('GET', `/v2/conversations/${ids[0]}`, undefined, t.other.tokens.Admin)
    assert.equal(foreign.status, 404)
  })

  test('unread are those that one looks after, that nobody does, or that mention one, until they are read', async () => {
    const [free, taken, mine, mentioning] = [freshPhone(), freshPhone(), freshPhone(), freshPhone()]
    for (const phone of [free, taken, mine, mentioning]) await inbox.receive(phone, 'Hi')
    const idOf = async (phone: string) => (await inbox.conversationWith(phone)).conversationId as string
    const assign = async (phone: string, assigneeId: number) =>
      inbox.data('PATCH', `/v2/conversations/${await idOf(phone)}`, { assigneeId })
    await assign(taken, t.main.users['Sales Manager'].id)
    await assign(mine, executiveId())
    await assign(mentioning, t.main.users['Sales Manager'].id)
    const note = { body: 'Look', mentions: [executiveId()] }
    await inbox.data('POST', `/v2/conversations/${await idOf(mentioning)}/notes`, note)
    const unread = async () => {
      const listed = await inbox.data('GET', '/v2/conversations?view=unread&limit=200', undefined, executive())
      const ids = listed.map((one: { conversationId: string; unread: boolean }) => one.unread && one.conversationId)
      const counts = await inbox.data('GET', '/v2/conversations/counts', undefined, executive())
      assert.deepEqual(counts.unread, { count: ids.length, isExact: true })
      return Promise.all([free, taken, mine, mentioning].map(async phone => ids.includes(await idOf(phone))))
    }
    assert.deepEqual(await unread(), [true, false, true, true])
    for (const phone of [free, mentioning])
      await inbox.data('PUT', `/v2/conversations/${await idOf(phone)}/read`, { unread: false }, executive())
    assert.deepEqual(await unread(), [false, false, true, false])
    await inbox.data('PUT', `/v2/conversations/${await idOf(free)}/read`, { unread: true }, executive())
    await inbox.data('PATCH', `/v2/conversations/${await idOf(mine)}`, { state: 'closed' })
    assert.deepEqual(await unread(), [true, false, false, false])
  })

  test('a snoozed one comes back at its time, once', async () => {
    const phone = freshPhone()
    await inbox.receive(phone, 'Later please')
    const { conversationId: id } = await inbox.conversationWith(phone)
    const until = new Date(t.clock.now() + 60_000).toISOString()
    await inbox.data('PATCH', `/v2/conversations/${id}`, { snoozedUntil: until })
    const due = [{ tenant_id: t.main.liveTenantId, organization_id: t.main.organizationId, id }]
    await wake(t.app.services.db, due, t.clock.now())
    assert.equal((await inbox.conversationWith(phone)).state, 'snoozed', 'not before its time')
    await t.ownerSql(`update conversations set snoozed_until = now() - interval '1 second' where id = $1`, [id])
    await Promise.all([wake(t.app.services.db, due, t.clock.now()), wake(t.app.services.db, due, t.clock.now())])
    const back = await inbox.conversationWith(phone)
    assert.equal(back.state, 'open')
    assert.ok(back.waitingSince, 'it waits as before')
    const woken = (await inbox.items(id)).filter(
      ({ event }: { event: { type: string } | null }) => event?.type === 'woken',
    )
    assert.equal(woken.length, 1)
  })
})
