// Signing up: nothing is made before the mail is opened, an address says nothing of its account, a code is good once, and limits hold for those
// who come at once.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { operatorToken } from '../../../../test/operators.ts'
import { logIn, somebody, tokenMailed } from '../../../../test/people.ts'
import { runCommand } from '../operator/commands.ts'
import type { SignUpMode } from '../organizations/index.ts'

let t: TestApp
let operator: string
before(async () => {
  t = await startTestApp({ env: { TANDEM_SIGN_UP: 'open' } })
  operator = await operatorToken(t)
})
after(() => t?.close())
beforeEach(() => lets('open'))

const password = 'seven brass lanterns drift'
let networks = 0
const ip = () => `198.51.${++networks % 250}.7`
const newAddress = () => `${randomUUID()}@example.org`

function lets(mode: SignUpMode): void {
  t.app.services.organizations.signUp = mode
}

const ask = (email: string, more: object = {}, from = ip()) =>
  t.call('POST', '/v2/auth/sign-up', {
    body: { email, name: 'Grace Hopper', organization: 'Example GmbH', ...more },
    ip: from,
  })
const confirm = (token: string) => t.call('POST', '/v2/auth/sign-up/confirm', { body: { token, password } })
const another = (as: string, more: object = {}) =>
  t.call('POST', '/v2/users/me/organizations', { as, body: { name: 'One more', ...more } })
const newCode = async (body: object = {}) =>
  (await t.call('POST', '/v2/operator/organization-codes', { as: operator, body })).json.data
const codeOf = ({ json }: { json: { error: { code: string } } }) => json.error.code
const countOf = async (table: string) =>
  (await t.ownerSql<{ n: number }>(`select count(*)::int as n from ${table}`))[0]!.n
const timeless = (text: string) => text.replace(/req_\w{26}/, '').replace(/"\d+ms"/, '')

/** Somebody who signed up and logged in. */
async function signedUp(more: object = {}) {
  const email = newAddress()
  assert.equal((await ask(email, more)).status, 200)
  const { json, text } = await confirm(await tokenMailed(t, email))
  assert.ok(json.data, text)
  return { email, ...json.data, as: (await logIn(t, email, { password })).accessToken as string }
}

test('where it is closed nobody makes an organization by themselves, not even by a link of before', async () => {
  const email = newAddress()
  await ask(email)
  const token = await tokenMailed(t, email)
  lets('closed')
  const { as } = await somebody(t)
  for (const answer of [await ask(newAddress()), await confirm(token), await another(as)])
    assert.equal(codeOf(answer), 'sign_up_closed')
  lets('open')
  assert.equal((await confirm(token)).status, 201)
})

test('nothing is made before the mail is opened; then the person owns an organization that works at once', async () => {
  const before = [await countOf('organizations'), await countOf('accounts')]
  const email = newAddress()
  await ask(email)
  const token = await tokenMailed(t, email)
  assert.deepEqual([await countOf('organizations'), await countOf('accounts')], before)
  const weak = await t.call('POST', '/v2/auth/sign-up/confirm', { body: { token, password: 'passwordpassword1' } })
  assert.equal(codeOf(weak), 'weak_password')
  const made = await confirm(token)
  assert.equal(made.status, 201, made.text)
  assert.equal(codeOf(await confirm(token)), 'link_expired')
  const { accessToken: as } = await logIn(t, email, { password })
  const { json } = await t.call('GET', '/v2/organization', { as })
  assert.deepEqual([json.data.name, json.data.ownerUserId], ['Example GmbH', made.json.data.userId])
  const lead = { name: 'Ada', email: 'ada@example.com' }
  assert.equal((await t.call('POST', '/v1/api/leads', { as, body: lead })).status, 201)
  const [row] = await t.ownerSql<{ mails_per_day: number; verified: boolean }>(
    `select o.mails_per_day, a.email_verified_at is not null as verified from organizations o, accounts a
     where o.id = $1 and a.email = $2`,
    [made.json.data.organizationId, email],
  )
  assert.deepEqual(row, { mails_per_day: 50, verified: true })
  const audit = await t.ownerSql<{ action: string }>('select action from audit_events where organization_id = $1', [
    made.json.data.organizationId,
  ])
  assert.ok(audit.some(({ action }) => action === 'organization.created'))
})

test('of two who open links of one address at once one wins', async () => {
  const email = newAddress()
  await ask(email)
  const first = await tokenMailed(t, email)
  await t.ownerSql('delete from mail_recipients where address = $1', [email])
  await ask(email)
  const second = await tokenMailed(t, email)
  const answers = await Promise.all([confirm(first), confirm(first), confirm(second)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 410, 410])
})

test('an address with an account is answered with the same bytes, by the same work, and its mail opens nothing', async () => {
  const { email: known } = await somebody(t)
  const unknown = newAddress()
  // Nothing that depends on the address is waited for: mails cannot be written meanwhile.
  const answers = await t.asOwner(async client => {
    await client.query('begin')
    await client.query('lock table mails in access exclusive mode')
    const both = [await ask(known.toUpperCase()), await ask(unknown)]
    await client.query('commit')
    return both
  })
  assert.equal(answers[0]!.status, 200, answers[0]!.text)
  assert.equal(timeless(answers[0]!.text), timeless(answers[1]!.text))
  assert.deepEqual(Object.keys(answers[0]!.headers).sort(), Object.keys(answers[1]!.headers).sort())
  await tokenMailed(t, unknown)
  const mail = await eventually('the mail to the known address', async () => {
    const [row] = await t.ownerSql<{ text: string; template: string }>(
      `select m.text, m.template from mails m join mail_recipients r on r.tenant_id = m.tenant_id and r.mail_id = m.id
       where r.compared = $1 and m.template like 'sign_up%'`,
      [known.toLowerCase()],
    )
    return row
  })
  assert.equal(mail.template, 'sign_up_known')
  assert.ok(!mail.text.includes('#'))
})

test('five an hour from a network, and five mails to an address from wherever', async () => {
  const from = '203.0.113.99'
  for (let n = 0; n < 5; n++) assert.equal((await ask(newAddress(), {}, from)).status, 200)
  const sixth = await ask(newAddress(), {}, from)
  assert.deepEqual([sixth.status, codeOf(sixth)], [429, 'sign_up_throttled'])
  assert.ok(Number(sixth.headers['retry-after']) > 0)
  const email = newAddress()
  for (let n = 0; n < 6; n++) assert.equal((await ask(email)).status, 200)
  // What was asked for after it has its mail: so the sixth one had its turn.
  const last = newAddress()
  await ask(last)
  await tokenMailed(t, last)
  const mails = await t.ownerSql('select from mail_recipients where address = $1', [email])
  assert.ok(mails.length <= 5, `${mails.length} mails`)
})

test('by invitation: a code makes one organization, however many come at once', async () => {
  lets('invite')
  assert.equal(codeOf(await ask(newAddress())), 'organization_code_refused')
  assert.equal(codeOf(await ask(newAddress(), { code: 'org_unknown' })), 'organization_code_refused')
  const { code, codeId } = await newCode({ note: 'Grace' })
  const [one, two] = [newAddress(), newAddress()]
  for (const email of [one, two]) assert.equal((await ask(email, { code })).status, 200)
  const tokens = [await tokenMailed(t, one), await tokenMailed(t, two)]
  const answers = await Promise.all(tokens.map(confirm))
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422])
  const lost = answers.findIndex(({ status }) => status === 422)
  assert.equal(codeOf(answers[lost]!), 'organization_code_refused')
  assert.deepEqual(
    await t.ownerSql('select from accounts where email = $1', [[one, two][lost]]),
    [],
    'nothing is half made',
  )
  const winner = answers[1 - lost]!.json.data.organizationId
  const { json } = await t.call('GET', '/v2/operator/organization-codes', { as: operator })
  const used = json.data.find((row: { codeId: string }) => row.codeId === codeId)
  assert.deepEqual([used.organizationId, used.note, used.code], [winner, 'Grace', undefined])
  const [{ mails_per_day: mails }] = (await t.ownerSql<{ mails_per_day: number | null }>(
    'select mails_per_day from organizations where id = $1',
    [winner],
  )) as [{ mails_per_day: number | null }]
  assert.equal(mails, null, 'an operator let it in')
})

test('a code ends with its days, and when it is taken back', async () => {
  lets('invite')
  const { code, codeId } = await newCode({ days: 1 })
  const gone = await t.call('DELETE', `/v2/operator/organization-codes/${codeId}`, { as: operator })
  assert.equal(gone.status, 200, gone.text)
  assert.equal(codeOf(await ask(newAddress(), { code })), 'organization_code_refused')
  const short = await newCode({ days: 1 })
  await t.ownerSql("update organization_codes set expires_at = now() - interval '1 second' where id = $1", [
    short.codeId,
  ])
  assert.equal(codeOf(await ask(newAddress(), { code: short.code })), 'organization_code_refused')
  const rows = await t.ownerSql<{ row: string }>('select c::text as row from organization_codes c')
  assert.ok(!rows.some(({ row }) => row.includes(short.code)), 'codes lie nowhere')
})

test('the command line makes codes', async () => {
  const printed: string[] = []
  const output = { print: (line: string) => printed.push(line), complain: (line: string) => printed.push(line) }
  const run = (...args: string[]) =>
    runCommand('organizations', args, { open: work => work(t.app.services), output, nowMs: t.clock.now() })
  assert.equal(await run('invite', '--days', '400'), 2)
  printed.length = 0
  assert.equal(await run('invite', '--note', 'Ada', '--days', '3', '--json'), 0)
  lets('invite')
  assert.equal((await ask(newAddress(), { code: JSON.parse(printed.join('')).code })).status, 200)
})

test('an account makes more of them, three at most, also at once, from a verified address', async () => {
  const unverified = await somebody(t)
  assert.equal(codeOf(await another(unverified.as)), 'email_not_verified')
  const { code } = await newCode()
  assert.equal((await another(unverified.as, { code })).status, 201, 'an operator answers for who has a code')
  const { as, organizationId } = await signedUp()
  const answers = await Promise.all([another(as), another(as), another(as)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 201, 409])
  assert.equal(codeOf(await another(as)), 'too_many_organizations')
  const { json } = await t.call('GET', '/v2/users/me/organizations', { as })
  assert.equal(json.data.organizations.length, 3)
  const to = json.data.organizations.find((one: { organizationId: number }) => one.organizationId !== organizationId)
  const switched = await t.call('POST', '/v2/auth/switch', { as, body: { organizationId: to.organizationId } })
  assert.equal(switched.status, 200, switched.text)
})
