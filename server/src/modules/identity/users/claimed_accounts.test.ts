// Accounts that somebody else made: an organization that makes one with the address of another's people, and knows its password, gets
// nowhere with it when that person becomes a member, owner or operator elsewhere.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { operatorToken } from '../../../../test/operators.ts'
import { logIn, ownPassword, somebody, tokenMailed } from '../../../../test/people.ts'
import { ownDomain } from '../../../../test/sso.ts'

let t: TestApp
let key: string
const theirs = 'seven brass lanterns drift'

before(async () => {
  t = await startTestApp()
  await ownDomain(t, t.main.organizationId)
  const body = { name: 'provider', mode: 'live', scopes: ['scim:manage'] }
  const { json } = await t.call('POST', '/v2/auth/api-keys', { as: t.main.tokens.Admin, body })
  key = json.data.secret ?? json.data.key ?? json.data.apiKey
  await t.call('PATCH', '/v2/organization/scim', { as: t.main.tokens.Admin, body: { enabled: true } })
})
after(() => t?.close())

/** Somebody that an organization beside it made, with a password that it knows. */
async function madeElsewhere(domain = 'example.com'): Promise<string> {
  const email = `${randomUUID()}@${domain}`
  const body = { email, name: 'Alice', role: 'Admin', password: ownPassword, temporaryPassword: false }
  const { status, text } = await t.call('POST', '/v1/api/users', { as: t.other.tokens.Admin, body })
  assert.equal(status, 201, text)
  return email
}

async function provision(userName: string): Promise<void> {
  const rawBody = JSON.stringify({ schemas: [], userName, active: true })
  const headers = { 'content-type': 'application/scim+json' }
  const { status, text } = await t.call('POST', '/scim/v2/Users', { as: key, rawBody, headers })
  assert.equal(status, 201, text)
}

async function setByMail(email: string, password: string): Promise<void> {
  await t.call('POST', '/v2/auth/password-resets', { body: { email } })
  const body = { token: await tokenMailed(t, email), newPassword: password }
  const { status, text } = await t.call('POST', '/v2/auth/password-resets/confirm', { body })
  assert.equal(status, 200, text)
}

const codeOf = ({ error, code }: { error?: { code: string }; code?: string }) => error?.code ?? code

test('what logs in to it ends when the owner of the domain makes its person a member', async () => {
  const email = await madeElsewhere()
  const { accessToken } = await logIn(t, email)
  const made = await t.call('POST', '/v2/users/me/factors/totp', { as: accessToken, body: {} })
  assert.equal(made.status, 201, made.text)
  await provision(email)
  assert.equal(codeOf(await logIn(t, email)), 'invalid_credentials')
  assert.equal((await t.call('GET', '/v1/api/auth/me', { as: accessToken })).status, 401)
  const left = await t.ownerSql(
    'select from account_factors f join accounts a on a.id = f.account_id where a.email = $1',
    [email],
  )
  assert.equal(left.length, 0)
  // The mail to set another goes out in the name of who owns the domain, not of who made the account.
  await setByMail(email, theirs)
  assert.ok((await logIn(t, email, { password: theirs, organizationId: t.main.organizationId })).accessToken)
})

test('a person who chose the password by a mail that nobody else reads keeps it', async () => {
  const { email } = await somebody(t)
  await setByMail(email, theirs)
  await ownDomain(t, t.other.organizationId)
  try {
    await t.ownerSql('select * from account_by_domain($1, $2, $3)', [t.other.organizationId, email, 'Grace'])
  } finally {
    await ownDomain(t, t.main.organizationId)
  }
  assert.ok((await logIn(t, email, { password: theirs })).accessToken)
})

test('a password that somebody else sets later proves nothing any more', async () => {
  const { email, userId } = await somebody(t)
  await setByMail(email, theirs)
  const own = () =>
    t.ownerSql<{ own: boolean }>('select own_since is not null as own from accounts where email = $1', [email])
  assert.equal((await own())[0]?.own, true)
  const body = { password: ownPassword, temporaryPassword: false }
  await t.call('PATCH', `/v1/api/users/${userId}`, { as: t.main.tokens.Admin, body })
  assert.equal((await own())[0]?.own, false)
})

test('a mail that an organization could read itself proves nothing', async () => {
  const email = await madeElsewhere('elsewhere.example')
  await setByMail(email, theirs)
  const [row] = await t.ownerSql<{ own: boolean }>(
    'select own_since is not null as own from accounts where email = $1',
    [email],
  )
  assert.equal(row?.own, false)
})

test('of a member of two organizations neither gets the mails that open the account', async () => {
  const email = await madeElsewhere('elsewhere.example')
  const invited = await t.call('POST', '/v2/invitations', {
    as: t.main.tokens.Admin,
    body: { email, role: 'Sales Manager' },
  })
  const token = invited.json.data.acceptUrl.split('#')[1]
  const { accessToken } = await logIn(t, email)
  const accepted = await t.call('POST', '/v2/auth/invitations/accept', { as: accessToken, body: { token } })
  assert.equal(accepted.status, 200, accepted.text)
  await t.call('POST', '/v2/auth/password-resets', { body: { email } })
  await tokenMailed(t, email)
  const [mail] = await t.ownerSql<{ organization_id: number }>(
    `select n.organization_id::int as organization_id from mails m join tenants n on n.id = m.tenant_id
     join mail_recipients r on r.tenant_id = m.tenant_id and r.mail_id = m.id where r.address = $1 order by m.id desc limit 1`,
    [email],
  )
  const [runs] = await t.ownerSql<{ id: number }>('select min(organization_id)::int as id from tenants')
  assert.equal(mail?.organization_id, runs?.id)
})

test('nor does it own an organization that operators make for its address', async () => {
  const email = await madeElsewhere('elsewhere.example')
  const body = { name: 'Fresh', owner: { email, name: 'Alice' } }
  const { status, json, text } = await t.call('POST', '/v2/operator/organizations', {
    as: await operatorToken(t),
    body,
  })
  assert.equal(status, 201, text)
  assert.match(json.data.passwordUrl, /\/reset#/)
  assert.equal(codeOf(await logIn(t, email)), 'invalid_credentials')
})

test('nor run the installation', async () => {
  const email = await madeElsewhere('elsewhere.example')
  const { status, text } = await t.call('PUT', '/v2/operator/operators', {
    as: await operatorToken(t),
    body: { email, level: 'full' },
  })
  assert.equal(status, 200, text)
  assert.equal(codeOf(await logIn(t, email)), 'invalid_credentials')
})

test('the link of an invitation, which is shown to who invites, verifies no address', async () => {
  const email = `${randomUUID()}@elsewhere.example`
  const invited = await t.call('POST', '/v2/invitations', {
    as: t.other.tokens.Admin,
    body: { email, role: 'Sales Manager' },
  })
  const body = { token: invited.json.data.acceptUrl.split('#')[1], name: 'Alice', password: ownPassword }
  const { status, text } = await t.call('POST', '/v2/auth/invitations/accept', { body })
  assert.equal(status, 200, text)
  const [row] = await t.ownerSql('select email_verified_at, own_since from accounts where email = $1', [email])
  assert.deepEqual(row, { email_verified_at: null, own_since: null })
})

test('who is invited after an organization removed them has no second factor that it may have made', async () => {
  const email = await madeElsewhere('elsewhere.example')
  const { accessToken } = await logIn(t, email)
  await t.call('POST', '/v2/users/me/factors/totp', { as: accessToken, body: {} })
  await t.ownerSql('update users set removed_at = now(), disabled_at = now() where email = $1', [email])
  const invited = await t.call('POST', '/v2/invitations', {
    as: t.main.tokens.Admin,
    body: { email, role: 'Sales Manager' },
  })
  const body = { token: invited.json.data.acceptUrl.split('#')[1], name: 'Alice', password: theirs }
  assert.equal((await t.call('POST', '/v2/auth/invitations/accept', { body })).status, 200)
  const left = await t.ownerSql(
    'select from account_factors f join accounts a on a.id = f.account_id where a.email = $1',
    [email],
  )
  assert.equal(left.length, 0)
})
