// Members who have to come by the identity provider from now on get one mail, with what becomes of their password.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { somebody } from '../../../../test/people.ts'
import { ownDomain } from '../../../../test/sso.ts'
import { notifyMembers } from './jobs.ts'

let t: TestApp
let connectionId = ''
const as = () => t.main.tokens.Admin
const change = async (body: object) => {
  const { status, text } = await t.call('PATCH', `/v2/organization/sso-connections/${connectionId}`, { as: as(), body })
  assert.equal(status, 200, text)
}

type Sent = { to: string; text: string; tenant_id: number }
const sent = () =>
  t.ownerSql<Sent>(
    `select r.address as to, m.text, m.tenant_id::float8 as tenant_id
     from mails m join mail_recipients r on r.tenant_id = m.tenant_id and r.mail_id = m.id
     where m.template = 'sso_required' order by r.address`,
  )

/** All that is due, as the queue does it. */
async function work(): Promise<number> {
  const queue = notifyMembers(t.app.services)
  let rounds = 0
  for (;;) {
    const due = await queue.claim('', 100)
    if (due.length === 0) return rounds
    rounds++
    await queue.work(due, '', () => false)
  }
}

before(async () => {
  t = await startTestApp()
  await ownDomain(t, t.main.organizationId)
  const body = {
    name: 'Example Okta',
    issuer: 'https://idp.example',
    clientId: 'tandem',
    breakGlassUserIds: [t.main.users.Admin.id],
  }
  const made = await t.call('POST', '/v2/organization/sso-connections', { as: as(), body })
  assert.equal(made.status, 201, made.text)
  connectionId = made.json.data.connectionId
  await t.ownerSql("update sso_connections set status = 'active' where id = $1", [connectionId])
})
after(() => t?.close())

test('those who must get one mail each, once, and those who need not get none', async () => {
  const person = await somebody(t)
  const [elsewhere, disabled, emergency] = [await somebody(t), await somebody(t), await somebody(t)]
  const set = async (sql: string, id: number) => t.ownerSql(sql, [id])
  await set("update users set email = 'grace@elsewhere.example' where id = $1", elsewhere.userId)
  await t.ownerSql("update accounts set email = 'grace@elsewhere.example' where email = $1", [elsewhere.email])
  await set('update users set disabled_at = now() where id = $1', disabled.userId)
  await change({ status: 'enforced', breakGlassUserIds: [t.main.users.Admin.id, emergency.userId] })
  assert.deepEqual(await sent(), [], 'the request itself waits for no mail')
  await work()
  const { Admin: _, ...others } = t.main.users
  const expected = [person.email, ...Object.values(others).map(({ email }) => email)]
  const mails = await sent()
  assert.deepEqual(mails.map(({ to }) => to).sort(), expected.sort())
  for (const { to, text, tenant_id } of mails) {
    assert.equal(tenant_id, t.main.liveTenantId)
    for (const part of [
      to,
      'Example Okta',
      'Your password and your passkeys are not taken for Example Company any more',
    ])
      assert.ok(text.includes(part), text)
  }
  assert.equal(await work(), 0, 'all is done')

  // Nobody is written to twice, and who is named for emergencies no longer is now concerned.
  await change({ breakGlassUserIds: [t.main.users.Admin.id] })
  await work()
  assert.deepEqual((await sent()).map(({ to }) => to).sort(), [...expected, emergency.email].sort())
})

test('a domain that is verified later concerns its members then', async () => {
  const known = (await sent()).length
  await t.ownerSql(
    `insert into organization_domains (organization_id, id, domain, token, status, verified_at)
     values ($1, 'dom_01k9r7d3w2v8e6q4n5m1b0c9xz', 'elsewhere.example', 'x', 'verified', now())`,
    [t.main.organizationId],
  )
  await work()
  const mails = await sent()
  assert.equal(mails.length, known + 1)
  assert.ok(mails.some(({ to }) => to === 'grace@elsewhere.example'))
  assert.equal(await work(), 0, 'all is done')
})

test('an organization of many is written to some at a time; what is enforced no longer ends it', async () => {
  await t.ownerSql(
    `with made as (insert into accounts (email, name) select 'm' || n || '@example.com', 'M' from generate_series(1, 150) n returning id, email)
     insert into users (organization_id, account_id, email, name, role) select $1, id, email, 'M', 'Sales Executive' from made`,
    [t.main.organizationId],
  )
  const known = (await sent()).length
  await change({ status: 'active' })
  await change({ status: 'enforced' })
  const queue = notifyMembers(t.app.services)
  await queue.work(await queue.claim('', 100), '', () => false)
  assert.equal((await sent()).length, known + 100)
  await change({ status: 'active' })
  await work()
  assert.equal((await sent()).length, known + 100)
})
