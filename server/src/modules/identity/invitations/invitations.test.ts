// Invitations: bound to their address, answered once, and into the organization that invites.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { logIn, ownPassword, somebody, tokenMailed } from '../../../../test/people.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const invite = (email: string, role = 'Sales Executive', as = t.main.tokens.Admin) =>
  t.call('POST', '/v2/invitations', { as, body: { email, role } })
const accept = (body: object, as?: string) =>
  t.call('POST', '/v2/auth/invitations/accept', { body, ...(as === undefined ? {} : { as }) })
const chosen = { name: 'Grace Hopper', password: 'seven brass lanterns drift' }

async function foreigner() {
  const email = `${randomUUID()}@other.example`
  const body = { email, name: 'Ada Park', role: 'Sales Manager', password: ownPassword, temporaryPassword: false }
  await t.call('POST', '/v1/api/users', { as: t.other.tokens.Admin, body })
  return { email, as: (await logIn(t, email)).accessToken as string }
}

test('a new person gets a mail, chooses a password, and is a member with the role; the link does once', async () => {
  const email = 'new@example.com'
  const made = await invite(email)
  assert.equal(made.status, 201, made.text)
  const token = await tokenMailed(t, email)
  assert.ok(made.json.data.acceptUrl.endsWith(`/invite#${token}`))
  const shown = (await t.call('POST', '/v2/auth/invitations', { body: { token } })).json.data
  assert.deepEqual([shown.organization, shown.role, shown.hasAccount], ['Example Company', 'Sales Executive', false])
  assert.equal(shown.isMember, false)
  const answers = await Promise.all([accept({ token, ...chosen }), accept({ token, ...chosen })])
  assert.equal(answers.filter(({ status }) => status === 200).length, 1, 'of two at once one becomes a member')
  assert.equal((await accept({ token, ...chosen })).json.error.code, 'invitation_expired')
  const { user } = await logIn(t, email, { password: chosen.password })
  assert.deepEqual([user.role, user.name], ['Sales Executive', 'Grace Hopper'])
})

test('a role of the organization’s own is called by its name', async () => {
  const role = { name: 'Field sales', base: 'Sales Executive', permissions: ['leads:read'] }
  const as = t.main.tokens.Admin
  const { roleId } = (await t.call('POST', '/v2/roles', { as, body: role })).json.data
  const made = await t.call('POST', '/v2/invitations', { as, body: { email: 'field@example.com', roleId } })
  assert.equal(made.status, 201, made.text)
  const token = new URL(made.json.data.acceptUrl).hash.slice(1)
  const shown = (await t.call('POST', '/v2/auth/invitations', { body: { token } })).json.data
  assert.deepEqual([shown.role, shown.roleName], ['Sales Executive', 'Field sales'])
})

test('somebody with an account accepts with it, and keeps what they have elsewhere', async () => {
  const { email, as } = await foreigner()
  const { json } = await invite(email, 'Finance Manager')
  const token = json.data.acceptUrl.split('#')[1]
  assert.equal((await accept({ token, ...chosen })).json.error.code, 'invitation_needs_login')
  assert.equal((await accept({ token }, as)).status, 200)
  const { data } = (await t.call('GET', '/v2/users/me/organizations', { as })).json
  assert.equal(data.organizations.length, 2)
  const there = await logIn(t, email, { organizationId: t.main.organizationId })
  assert.equal(there.user.role, 'Finance Manager')
})

test('anyone who is logged in with another address becomes no member, whatever they send', async () => {
  const { as } = await foreigner()
  const { json } = await invite('somebody.else@example.com', 'Admin')
  const token = json.data.acceptUrl.split('#')[1]
  for (const body of [{ token }, { token, ...chosen }])
    assert.equal((await accept(body, as)).json.error.code, 'invitation_for_other_address')
  assert.deepEqual(await t.ownerSql("select from users where email = 'somebody.else@example.com'"), [])
  const { data } = (await t.call('GET', '/v2/users/me/organizations', { as })).json
  assert.equal(data.organizations.length, 1)
})

test('the link says so to somebody who became a member by another way', async () => {
  const email = 'quicker@example.com'
  const token = (await invite(email)).json.data.acceptUrl.split('#')[1]
  const body = { email, name: 'Quicker', role: 'Sales Manager', password: ownPassword, temporaryPassword: false }
  await t.call('POST', '/v1/api/users', { as: t.main.tokens.Admin, body })
  assert.equal((await t.call('POST', '/v2/auth/invitations', { body: { token } })).json.data.isMember, true)
})

test('it opens nothing while who invited is disabled or may not give that role any more; another one who sends it again may', async () => {
  const update = (id: number, body: object) => t.call('PATCH', `/v1/api/users/${id}`, { as: t.main.tokens.Admin, body })
  for (const [lost, back] of [
    [{ disabled: true }, { disabled: false }],
    [{ role: 'Sales Manager' }, { role: 'Admin' }],
  ]) {
    const inviter = await somebody(t, 'Admin')
    const { data } = (await invite(`${randomUUID()}@example.com`, 'Admin', inviter.as)).json
    const token = data.acceptUrl.split('#')[1]
    assert.equal((await update(inviter.userId, lost as object)).status, 200)
    assert.equal((await accept({ token, ...chosen })).json.error.code, 'invitation_expired')
    assert.equal(
      (await t.call('POST', '/v2/auth/invitations', { body: { token } })).json.error.code,
      'invitation_expired',
    )
    assert.deepEqual(await statesOf(data), ['expired', 'expired'])
    if ('role' in back!)
      await t.call('POST', `/v2/invitations/${data.invitationId}/resend`, { as: t.main.tokens.Admin })
    else assert.equal((await update(inviter.userId, back as object)).status, 200)
    assert.deepEqual(await statesOf(data), ['pending', 'invited'])
    assert.equal((await accept({ token, ...chosen })).status, 200)
  }
})

/** As it is shown among invitations, and among members; each list of one state has it just there. */
async function statesOf({ invitationId, email }: { invitationId: string; email: string }): Promise<string[]> {
  const as = t.main.tokens.Admin
  const shown: string[] = []
  for (const [path, states] of [
    ['/v2/invitations?limit=100', ['pending', 'expired']],
    [`/v2/members?q=${email}`, ['invited', 'expired']],
  ] as const) {
    const find = async (query: string) =>
      (await t.call('GET', `${path}${query}`, { as })).json.data.find(
        (row: { invitationId: string }) => row.invitationId === invitationId,
      )?.state
    const state = await find('')
    for (const each of states) assert.equal(await find(`&state=${each}`), each === state ? state : undefined)
    shown.push(state)
  }
  return shown
}

test('one whose sender may not give its role any more keeps nobody from inviting the address', async () => {
  const inviter = await somebody(t, 'Admin')
  const email = `${randomUUID()}@example.com`
  const { invitationId } = (await invite(email, 'Admin', inviter.as)).json.data
  assert.equal((await invite(email)).json.error.code, 'already_invited')
  const disabled = { as: t.main.tokens.Admin, body: { disabled: true } }
  assert.equal((await t.call('PATCH', `/v1/api/users/${inviter.userId}`, disabled)).status, 200)
  const link = await t.call('GET', `/v2/invitations/${invitationId}/link`, { as: t.main.tokens.Admin })
  assert.equal(link.json.error?.code, 'invitation_decided')
  assert.equal((await invite(email)).status, 201)
})

test('it is over after seven days, and when it was taken back', async () => {
  const late = (await invite('late@example.com')).json.data
  const revoked = (await invite('revoked@example.com')).json.data
  await t.call('POST', `/v2/invitations/${revoked.invitationId}/revoke`, { as: t.main.liveKey })
  const tokenOf = ({ acceptUrl }: { acceptUrl: string }) => acceptUrl.split('#')[1]
  assert.equal((await accept({ token: tokenOf(revoked), ...chosen })).json.error.code, 'invitation_expired')
  t.clock.advance(7 * 86_400_000 + 1_000)
  assert.equal((await accept({ token: tokenOf(late), ...chosen })).json.error.code, 'invitation_expired')
})
