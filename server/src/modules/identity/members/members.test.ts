// Members who are removed or leave: nothing of theirs works any more, all that they own goes to another one, no matter who dies meanwhile; and the
// organization keeps an Admin and its owner.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { owned } from '../../../../test/contracts/members.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { insertRecords } from '../../../../test/noun_records.ts'
import { codeOf, logIn, ownPassword, type Somebody, somebody, strongSomebody } from '../../../../test/people.ts'
import { encodeCursor } from '../../../kernel/endpoint/page.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { runHandOver } from './hand_over_run.ts'
import { claimHandOvers } from './hand_over_store.ts'
import { handOver } from './jobs.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const get = (path: string, as = t.main.tokens.Admin) => t.call('GET', path, { as })
const remove = (userId: number, transferTo: number, as = t.main.tokens.Admin) =>
  t.call('DELETE', `/v2/users/${userId}?transferTo=${transferTo}`, { as })

/** Lets the worker do what there is. */
async function work(): Promise<void> {
  const queue = handOver(t.app.services)
  for (;;) {
    const token = newId('lse')
    const rows = await queue.claim(token, 10)
    if (rows.length === 0) return
    await queue.work(rows, token, () => false)
  }
}

async function keyOf({ as }: Somebody): Promise<string> {
  const { json, text } = await t.call('POST', '/v2/auth/api-keys', { as, body: { name: 'Mine', mode: 'live' } })
  assert.ok(json.data?.secret ?? json.data?.key, text)
  return json.data.secret ?? json.data.key
}

/** Every kind of what may belong to somebody, two of each; in test mode a company. */
async function belongings(one: Somebody): Promise<void> {
  const owner_id = one.userId
  const names = ['First', 'Second']
  await insertRecords(
    t,
    'lead',
    names.map((name, n) => ({ name, email: `${one.userId}.${n}@lead.example`, owner_id })),
  )
  await insertRecords(
    t,
    'company',
    names.map(name => ({ name, owner_id })),
  )
  await insertRecords(
    t,
    'contact',
    names.map(name => ({ name, owner_id })),
  )
  for (const title of names)
    await t.call('POST', '/v1/api/tasks', { as: t.main.tokens.Admin, body: { title, assignee_id: owner_id } })
  for (const name of names)
    await t.call('POST', '/v1/api/views', {
      as: one.as,
      body: { noun: 'leads', name, columns: [{ field: 'name', width: null }] },
    })
  await t.call('POST', '/v1/api/companies', { as: t.main.testKey, body: { name: 'Tried', owner_id } })
  await t.ownerSql(
    `insert into conversations (tenant_id, id, party_kind, name, state, assignee_id, last_at, last_item, last_kind, last_preview, find, created_at, updated_at)
     select $1, u.id, 'unknown', u.id, 'open', $3, now(), 'x', 'text', 'hello', '', now(), now() from unnest($2::text[]) as u (id)`,
    [t.main.liveTenantId, names.map(() => newId('cnv')), owner_id],
  )
}

test('all that somebody owns is counted and goes to another one, in both modes, also what is in the trash', async () => {
  const [leaver, heir] = [await somebody(t), await somebody(t)]
  await belongings(leaver)
  const { json } = await get(`/v1/api/companies?owner_id=${leaver.userId}`)
  await t.call('DELETE', `/v1/api/companies/${json.companies[0].id}`, { as: t.main.tokens.Admin })
  const preview = (await get(`/v2/users/${leaver.userId}/owned`)).json.data
  const counted = Object.fromEntries(
    preview.records.map(({ kind, mode, count }: { kind: string; mode: string; count: number }) => [
      `${mode} ${kind}`,
      count,
    ]),
  )
  const all = {
    'live leads': 2,
    'live companies': 2,
    'live contacts': 2,
    'live tasks': 2,
    'live saved_views': 2,
    'live conversations': 2,
    'test companies': 1,
  }
  assert.deepEqual(counted, all)
  const { status, json: answer, text } = await remove(leaver.userId, heir.userId)
  assert.equal(status, 200, text)
  assert.equal(answer.data.handOver.state, 'running')
  await work()
  const done = (await get(`/v2/hand-overs/${answer.data.handOver.handOverId}`)).json.data
  assert.equal(done.state, 'completed')
  const given = done.kinds.map(({ kind, mode, total, given: n }: Record<string, unknown>) => [
    `${mode} ${kind}`,
    total,
    n,
  ])
  assert.deepEqual(Object.fromEntries(given.map(([kind, , n]: [string, number, number]) => [kind, n])), all)
  // Whatever table names a user as the one to whom a record belongs.
  for (const [table, column] of [
    ['leads', 'owner_id'],
    ['companies', 'owner_id'],
    ['contacts', 'owner_id'],
    ['tasks', 'assignee_id'],
    ['saved_views', 'owner_id'],
    ['conversations', 'assignee_id'],
  ]) {
    const left = await t.ownerSql(`select 1 from ${table} where ${column} = $1`, [leaver.userId])
    assert.equal(left.length, 0, `${table} of who left`)
    const theirs = await t.ownerSql(`select 1 from ${table} where ${column} = $1`, [heir.userId])
    assert.ok(theirs.length >= 2, `${table} of who took over`)
  }
  const events = await t.ownerSql<{ type: string }>(
    'select type from event_log where resource_id = $1 order by sequence',
    [done.handOverId],
  )
  assert.deepEqual(
    events.map(({ type }) => type),
    ['hand_over.started', 'hand_over.completed'],
  )
})

test('sessions, keys and invitations of who was removed end at once, and they cannot log in', async () => {
  const leaver = await somebody(t, 'Admin')
  const key = await keyOf(leaver)
  const body = { email: 'friend.of.theirs@example.com', role: 'Sales Executive' }
  const invited = (await t.call('POST', '/v2/invitations', { as: leaver.as, body })).json.data
  assert.equal((await get('/v2/users/me', key)).status, 200)
  const second = await t.secondApp()
  assert.equal((await second.call('GET', '/v2/users/me', { as: key })).status, 200)
  const { json } = await remove(leaver.userId, t.main.users.Admin.id)
  assert.equal(json.data.endedKeys, 1)
  for (const credential of [leaver.as, key]) assert.equal((await get('/v2/users/me', credential)).status, 401)
  await second.app.services.authenticator.poll()
  assert.equal((await second.call('GET', '/v2/users/me', { as: key })).status, 401)
  assert.equal((await logIn(t, leaver.email)).code, 'invalid_credentials')
  const token = invited.acceptUrl.split('#')[1]
  assert.equal(
    (await t.call('POST', '/v2/auth/invitations', { body: { token } })).json.error.code,
    'invitation_expired',
  )
  assert.equal((await get(`/v1/api/users/${leaver.userId}`)).status, 404)
})

test('a hand-over goes on where a worker died, and gives nothing twice', async () => {
  const [leaver, heir] = [await somebody(t), await somebody(t)]
  const rows = Array.from({ length: 1_100 }, (_, n) => ({ name: `Many ${n}`, owner_id: leaver.userId }))
  await insertRecords(t, 'company', rows)
  const { handOverId } = (await remove(leaver.userId, heir.userId)).json.data.handOver
  const [leased] = await claimHandOvers(t.app.services.db, 'first', 1, 60)
  let asked = 0
  // Up to the kind it is at, and one part of it.
  const isStopping = () => {
    asked++
    return asked > 5
  }
  await runHandOver({ services: t.app.services, leased: leased!, token: 'first', isStopping })
  await t.ownerSql("update hand_overs set leased_until = now() - interval '1 second' where id = $1", [handOverId])
  await work()
  const done = (await get(`/v2/hand-overs/${handOverId}`)).json.data
  assert.deepEqual([done.state, done.kinds[0].given, done.kinds[0].total], ['completed', 1_100, 1_100])
  const [row] = await t.ownerSql<{ n: number; most: number }>(
    'select count(*)::int as n, max(version) as most from companies where owner_id = $1',
    [heir.userId],
  )
  assert.deepEqual([row?.n, row?.most], [1_100, 2])
})

test('what was on its way to somebody who leaves meanwhile ends with who takes over from them', async () => {
  const [leaver, next, last] = [await somebody(t), await somebody(t), await somebody(t)]
  await insertRecords(t, 'company', [{ name: 'Passed on', owner_id: leaver.userId }])
  await remove(leaver.userId, next.userId)
  await remove(next.userId, last.userId)
  await work()
  const [row] = await t.ownerSql<{ owner_id: number }>("select owner_id from companies where name = 'Passed on'")
  assert.equal(row?.owner_id, last.userId)
})

test('what a request gave to who had just left is found a minute later', async () => {
  const [leaver, heir] = [await somebody(t), await somebody(t)]
  const { handOverId } = (await remove(leaver.userId, heir.userId)).json.data.handOver
  await work()
  await insertRecords(t, 'company', [{ name: 'Late', owner_id: leaver.userId }])
  await t.ownerSql('update hand_overs set look_again_at = now() where id = $1', [handOverId])
  await work()
  const [row] = await t.ownerSql<{ owner_id: number }>("select owner_id from companies where name = 'Late'")
  assert.equal(row?.owner_id, heir.userId)
})

test('who was removed and is invited again is the same user, chooses a password, and has nothing from before', async () => {
  const leaver = await strongSomebody(t)
  await t.ownerSql('update accounts set own_since = now() where email = $1', [leaver.email])
  const key = await keyOf(leaver)
  await remove(leaver.userId, t.main.users.Admin.id)
  const body = { email: leaver.email, role: 'Sales Executive' }
  const invite = async () => (await t.call('POST', '/v2/invitations', { as: t.main.tokens.Admin, body })).json.data
  const token = (await invite()).acceptUrl.split('#')[1]
  const chosen = { token, name: 'Grace Hopper', password: 'seven brass lanterns drift' }
  const accept = () => t.call('POST', '/v2/auth/invitations/accept', { body: chosen })
  assert.equal((await accept()).json.error.code, 'hand_over_running')
  await work()
  assert.equal((await t.call('POST', '/v2/auth/invitations', { body: { token } })).json.data.hasAccount, false)
  const joined = await accept()
  assert.equal(joined.json.data.userId, leaver.userId, joined.text)
  const asked = await logIn(t, leaver.email, { password: chosen.password })
  assert.equal(asked.code, 'second_factor_required', 'the mail stands for no second factor')
  assert.equal((await get('/v2/users/me', key)).status, 401)
  assert.equal((await logIn(t, leaver.email, { password: ownPassword })).code, 'invalid_credentials')
})

test('an account that is a member elsewhere gets no other password by an invitation', async () => {
  const { email, userId } = await somebody(t)
  await t.sql(
    `insert into users (organization_id, account_id, email, name, role)
     select $1, id, email, name, 'Admin' from accounts where email = $2`,
    [t.other.organizationId, email],
  )
  await remove(userId, t.main.users.Admin.id)
  await work()
  const invitation = { email, role: 'Sales Executive' }
  const { data } = (await t.call('POST', '/v2/invitations', { as: t.main.tokens.Admin, body: invitation })).json
  const body = { token: data.acceptUrl.split('#')[1], name: 'Mallory', password: 'seven brass lanterns drift' }
  const refused = await t.call('POST', '/v2/auth/invitations/accept', { body })
  assert.equal(refused.json.error.code, 'invitation_needs_login')
  assert.equal((await logIn(t, email)).success, true, 'the password is what it was')
})

test('of two Admins who remove each other at once one stays', async () => {
  const [one, other] = [await somebody(t, 'Admin'), await somebody(t, 'Admin')]
  await t.ownerSql(
    "update users set role = 'Sales Manager', admin_id = null where organization_id = $1 and role = 'Admin' and id <> all ($2)",
    [t.main.organizationId, [one.userId, other.userId]],
  )
  await t.ownerSql('update organizations set owner_user_id = null where id = $1', [t.main.organizationId])
  t.app.services.authenticator.forget()
  const heir = t.main.users['Sales Manager'].id
  const answers = await Promise.all([remove(one.userId, heir, other.as), remove(other.userId, heir, one.as)])
  await t.ownerSql("update users set role = 'Admin' where id = $1", [t.main.users.Admin.id])
  t.app.services.authenticator.forget()
  assert.equal(answers.filter(({ status }) => status === 200).length, 1, answers.map(({ text }) => text).join('\n'))
  assert.ok(answers.some(({ json }) => ['last_admin', 'token_revoked'].includes(json.error?.code)))
  await work()
})

test('who leaves without being asked hands over to the owner, who cannot leave', async () => {
  const { owner } = await owned(t)
  const leaver = await somebody(t, 'Sales Executive')
  await insertRecords(t, 'company', [{ name: 'Of who left', owner_id: leaver.userId }])
  const leave = (as: string) => t.call('DELETE', `/v2/users/me/organizations/${t.main.organizationId}`, { as })
  assert.equal((await leave(owner.as)).json.error.code, 'last_owner')
  const left = await leave(leaver.as)
  assert.equal(left.json.data.handOver.toUserId, owner.userId, left.text)
  assert.equal((await get('/v2/users/me', leaver.as)).status, 401)
  await work()
  const [row] = await t.ownerSql<{ owner_id: number }>("select owner_id from companies where name = 'Of who left'")
  assert.equal(row?.owner_id, owner.userId)
})

test('ownership goes over when the other one accepts, once, and comes back within 72 hours', async () => {
  const { owner, heir } = await owned(t)
  const step = (verb: string, as: string, body?: object) =>
    t.call('POST', `/v2/organization/transfer${verb}`, { as, ...(body && { body }) })
  const offers = await Promise.all([1, 2].map(() => step('', owner.as, { toUserId: heir.userId })))
  assert.deepEqual(offers.map(({ status }) => status).sort(), [201, 409], 'two transfers at once are one')
  const ownerNow = async () => (await get('/v2/organization/transfer')).json.data.ownerUserId
  assert.equal(await ownerNow(), owner.userId, 'nothing changes before')
  assert.equal((await step('/accept', owner.as)).json.error.code, 'transfer_not_open')
  const accepts = await Promise.all([step('/accept', heir.as), step('/accept', heir.as)])
  assert.deepEqual(accepts.map(({ status }) => status).sort(), [200, 409])
  assert.equal(await ownerNow(), heir.userId)
  for (const call of [
    remove(owner.userId, heir.userId, heir.as),
    t.call('PATCH', `/v1/api/users/${owner.userId}`, { as: heir.as, body: { disabled: true } }),
  ]) {
    const { json } = await call
    assert.equal(json.code ?? json.error.code, 'transfer_open', 'who may take it back stays')
  }
  assert.equal((await step('/undo', heir.as)).json.error.code, 'transfer_not_open')
  assert.equal((await step('/undo', owner.as)).json.data.state, 'undone')
  assert.equal(await ownerNow(), owner.userId)
  const mails = await t.ownerSql<{ template: string; n: number }>(
    `select m.template, count(*)::int as n from mails m join mail_recipients r on r.tenant_id = m.tenant_id and r.mail_id = m.id
     where r.address in ($1, $2) and m.template like 'ownership_%' group by 1 order by 1`,
    [owner.email, heir.email],
  )
  assert.deepEqual(
    mails.map(({ template, n }) => [template, n]),
    [
      ['ownership_accepted', 2],
      ['ownership_offered', 2],
      ['ownership_reverted', 2],
    ],
  )
})

test('who has a role made of Admin is listed by its name, and is offered no organization', async () => {
  const { owner, heir } = await owned(t)
  const role = { name: 'Deputy', base: 'Admin', permissions: ['users:read', 'organization:read'] }
  const made = await t.call('POST', '/v2/roles', { as: owner.as, body: role })
  assert.equal(made.status, 201, made.text)
  const { roleId } = made.json.data
  await t.call('PATCH', `/v1/api/users/${heir.userId}`, { as: owner.as, body: { roleId } })
  const [listed] = (await t.call('GET', `/v2/members?userId=${heir.userId}`, { as: owner.as })).json.data
  assert.deepEqual([listed.role, listed.roleId, listed.roleName], ['Admin', roleId, 'Deputy'])
  const offer = await t.call('POST', '/v2/organization/transfer', { as: owner.as, body: { toUserId: heir.userId } })
  assert.deepEqual([offer.status, offer.json.error.details[0].field], [400, 'toUserId'], offer.text)
})

test('an Admin ends sessions of this organization only, and resets factors of no shared account', async () => {
  const admin = t.main.tokens.Admin
  const person = await strongSomebody(t)
  const path = `/v2/users/${person.userId}`
  assert.equal((await get(`${path}/sessions`)).json.data.sessions.length, 1)
  const reason = 'reason=Lost+the+phone%3B+asked+in+person'
  const weaker = await somebody(t, 'Sales Manager')
  assert.equal(
    (await t.call('DELETE', `${path}/factors?${reason}`, { as: weaker.as })).json.error.code,
    'insufficient_role',
  )
  assert.equal((await t.call('DELETE', `${path}/factors?${reason}`, { as: admin })).status, 200)
  assert.equal((await get('/v2/users/me', person.as)).status, 401)
  assert.equal((await logIn(t, person.email)).success, true, 'the password alone')
  const [mail] = await t.ownerSql<{ text: string }>("select text from mails where template = 'second_factors_reset'")
  assert.match(mail?.text ?? '', /Lost the phone; asked in person/)
  const both = await strongSomebody(t)
  await t.sql(
    `insert into users (organization_id, account_id, email, name, role)
     select $1, id, email, name, 'Admin' from accounts where email = $2`,
    [t.other.organizationId, both.email],
  )
  const there = (
    await t.call('POST', '/v2/auth/switch', { as: both.as, body: { organizationId: t.other.organizationId } })
  ).json.data.accessToken
  const refused = await t.call('DELETE', `/v2/users/${both.userId}/factors?${reason}`, { as: admin })
  assert.equal(refused.json.error.code, 'account_shared')
  assert.equal((await t.call('DELETE', `/v2/users/${both.userId}/sessions`, { as: admin })).json.data.endedSessions, 1)
  assert.equal((await get('/v2/users/me', both.as)).status, 401)
  assert.equal((await get('/v2/users/me', there)).status, 200, 'what is open elsewhere goes on')
  const again = await logIn(t, both.email, { organizationId: t.main.organizationId })
  assert.equal(again.code, 'second_factor_required')
  assert.ok(codeOf(t, both.secret))
})

test('the list has people, apps and, for who may manage users, invitations, in one order', async () => {
  await t.call('POST', '/v2/invitations', {
    as: t.main.tokens.Admin,
    body: { email: 'zz@example.com', role: 'Sales Manager' },
  })
  const names: string[] = []
  let cursor: string | null = null
  do {
    const page = await get(`/v2/members?limit=7${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`)
    assert.equal(page.status, 200, page.text)
    names.push(...page.json.data.map(({ name }: { name: string }) => name))
    cursor = page.json.meta.pagination.nextCursor
  } while (cursor !== null)
  assert.ok(names.includes('zz@example.com'))
  const whole = (await get('/v2/members?limit=200')).json.data
  assert.deepEqual(
    names,
    whole.map(({ name }: { name: string }) => name),
  )
  const manager = (await get('/v2/members?limit=200', t.main.tokens['Sales Manager'])).json.data
  assert.ok(!manager.some(({ kind }: { kind: string }) => kind === 'invitation'))
  const [me] = (await get(`/v2/members?q=${t.main.users.Admin.email}`)).json.data
  assert.deepEqual([me.kind, me.hasSecondFactor, me.state], ['person', false, 'active'])
  assert.deepEqual((await get(`/v2/members?userId=${me.userId}`)).json.data, [me])
  const [invited] = (await get('/v2/members?q=zz@example.com')).json.data
  await t.call('POST', `/v2/invitations/${invited.invitationId}/resend`, { as: t.main.tokens.Admin })
  const [again] = (await get('/v2/members?q=zz@example.com')).json.data
  assert.deepEqual([invited.invitedBy, invited.resentCount, again.resentCount], [me.userId, 0, 1])
})

test('a name of two hundred characters ends no list, and a forged cursor is refused', async () => {
  await t.ownerSql("update users set name = repeat('漢', 198) || id % 100 where organization_id = $1", [
    t.main.organizationId,
  ])
  const first = await get('/v2/members?limit=3&kind=person')
  const { nextCursor } = first.json.meta.pagination
  assert.ok(nextCursor.length > 500)
  assert.equal((await get(`/v2/members?limit=3&kind=person&cursor=${nextCursor}`)).status, 200)
  const forged = encodeCursor(['a\0', 'b'], { kind: 'person' })
  const { status, json } = await get(`/v2/members?kind=person&cursor=${forged}`)
  assert.deepEqual([status, json.error.code], [400, 'invalid_cursor'])
})
