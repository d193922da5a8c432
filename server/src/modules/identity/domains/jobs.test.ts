// What becomes of a verified domain whose row goes: mails to those who may manage domains, each week until it has lapsed, and then one more.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { type NameServer, startNameServer } from '../../../../test/name_server.ts'
import { somebody } from '../../../../test/people.ts'
import { recheckDue } from './jobs.ts'

let t: TestApp
let names: NameServer
let texts: string[] | undefined = []
let domainId = ''
let value = ''
const as = () => t.main.tokens.Admin
const weekMs = 7 * 86_400_000
const get = async () => (await t.call('GET', `/v2/organization/domains/${domainId}`, { as: as() })).json.data
const verify = () => t.call('POST', `/v2/organization/domains/${domainId}/verify`, { as: as() })

type Sent = { template: string; subject: string; text: string; to: string; tenant_id: number }
const sent = () =>
  t.ownerSql<Sent>(
    `select m.template, m.subject, m.text, r.address as to, m.tenant_id::float8 as tenant_id
     from mails m join mail_recipients r on r.tenant_id = m.tenant_id and r.mail_id = m.id
     where m.template like 'domain_%' order by m.id`,
  )
async function nextWeek() {
  await t.ownerSql("update organization_domains set check_at = now() - interval '1 minute' where check_at is not null")
  // Once more than due: nothing is looked up twice.
  await recheckDue(t.app.services)
  await recheckDue(t.app.services)
}

before(async () => {
  names = await startNameServer(() => texts && { texts })
  t = await startTestApp()
  t.app.services.mail.nameServers = [names.address]
  const made = await t.call('POST', '/v2/organization/domains', { as: as(), body: { domain: 'northwind.example' } })
  domainId = made.json.data.domainId
  value = made.json.data.record.value
  texts = [value]
  assert.equal((await verify()).json.data.status, 'verified')
})
after(async () => {
  await t?.close()
  await names?.close()
})

test('who looks a missing row up by hand, however often, brings the end no nearer', async () => {
  texts = []
  for (let times = 0; times < 4; times++) {
    const { status, misses, found } = (await verify()).json.data
    assert.deepEqual([status, misses, found], ['verified', 0, []])
  }
  texts = [value]
  await nextWeek()
  assert.deepEqual([(await get()).status, await sent()], ['verified', []])
})

test('a name server that is down is no reason to write to anybody', async () => {
  t.app.services.mail.nameServers = ['127.0.0.1:1']
  await nextWeek()
  assert.deepEqual([(await get()).misses, await sent()], [0, []])
  t.app.services.mail.nameServers = [names.address]
})

test('each week without the row says by when it has to be back, to those who may manage domains and nobody else', async () => {
  const { userId } = await somebody(t, 'Admin')
  const role = { name: 'Sales admin', base: 'Admin', permissions: ['leads:read', 'sso:manage'], rows: {} }
  const other = { name: 'Small admin', base: 'Admin', permissions: ['leads:read'], rows: {} }
  const people = [await somebody(t), await somebody(t)]
  for (const [index, body] of [role, other].entries()) {
    const made = await t.call('POST', '/v2/roles', { as: as(), body })
    assert.equal(made.status, 201, made.text)
    await t.ownerSql("update users set role = 'Admin', role_id = $2 where id = $1", [
      people[index]?.userId,
      made.json.data.roleId,
    ])
  }
  texts = ['v=spf1 -all']
  await nextWeek()
  const first = await sent()
  const [admin] = await t.ownerSql<{ email: string }>('select email from users where id = $1', [userId])
  const expected = [t.main.users.Admin.email, admin?.email, people[0]?.email]
  assert.deepEqual(first.map(({ to }) => to).sort(), expected.sort())
  const dayIn = (weeks: number) => new Date(t.clock.now() + weeks * weekMs).toISOString().slice(0, 10)
  for (const { template, text, tenant_id } of first) {
    assert.deepEqual([template, tenant_id], ['domain_row_missing', t.main.liveTenantId])
    for (const part of [dayIn(2), 'northwind.example', '_tandem.northwind.example', value])
      assert.ok(text.includes(part), text)
  }
  await nextWeek()
  const second = await sent()
  assert.equal(second.length, 2 * first.length)
  assert.ok(second.at(-1)?.text.includes(dayIn(1)))
  assert.equal((await get()).status, 'verified')
})

test('the third week ends it, which a mail says with what stopped and the row to put back', async () => {
  const before = (await sent()).length
  await nextWeek()
  assert.equal((await get()).status, 'lapsed')
  const lapsed = (await sent()).slice(before)
  assert.equal(lapsed.length, 3)
  for (const { template, subject, text } of lapsed) {
    assert.deepEqual([template, subject], ['domain_lapsed', 'northwind.example is not verified any more'])
    for (const part of ['log in with a password', '_tandem.northwind.example', value])
      assert.ok(text.includes(part), text)
  }
  await nextWeek()
  assert.equal((await sent()).length, before + 3, 'and nothing more')
  texts = [value]
  assert.equal((await verify()).json.data.status, 'verified')
})
