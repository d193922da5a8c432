// People who log in: one account in several organizations, what they have open, their second factor, a fresh proof for what is worth one.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { codeOf, logIn, ownPassword, somebody, strongSomebody } from '../../../../test/people.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const get = (path: string, as: string) => t.call('GET', path, { as })
const meOf = async (as: string) => (await get('/v2/users/me', as)).json.data
const verify = (ip: string, body: object) => t.call('POST', '/v1/api/auth/login/verify', { body, ip })

/** Makes somebody a member of the other organization as well. */
async function joinOther(email: string, role = 'Admin'): Promise<void> {
  await t.sql(
    `insert into users (organization_id, account_id, email, name, role)
     select $1, id, email, name, $3 from accounts where email = $2`,
    [t.other.organizationId, email, role],
  )
}

describe('one account in two organizations', () => {
  test('logs in where it was last, or where the login says, with the rights it has there', async () => {
    const { email, userId } = await somebody(t)
    await joinOther(email)
    const first = await logIn(t, email)
    assert.equal(first.user.id, userId)
    const named = await logIn(t, email, { organizationId: t.other.organizationId })
    assert.equal(named.user.role, 'Admin')
    assert.equal((await meOf(named.accessToken)).organizationId, t.other.organizationId)
    const last = await logIn(t, email)
    assert.equal(last.user.id, named.user.id, 'the one used last')
    assert.deepEqual(Object.keys(last).sort(), Object.keys(first).sort(), 'the answer of a login is what it was')
  })

  test('switches without another login; both sessions are one, and end together', async () => {
    const { as, email } = await somebody(t)
    await joinOther(email)
    const { data } = (await get('/v2/users/me/organizations', as)).json
    assert.deepEqual(
      data.organizations.map((one: { organizationId: number; isCurrent: boolean }) => [
        one.organizationId,
        one.isCurrent,
      ]),
      [
        [t.main.organizationId, true],
        [t.other.organizationId, false],
      ],
    )
    const body = { organizationId: t.other.organizationId, mode: 'test' }
    const switched = await t.call('POST', '/v2/auth/switch', { as, body })
    assert.equal(switched.status, 200, switched.text)
    const there = switched.json.data.accessToken
    const who = await meOf(there)
    assert.deepEqual([who.organizationId, who.mode, who.role], [t.other.organizationId, 'test', 'Admin'])
    const { sessions } = (await get('/v2/users/me/sessions', there)).json.data
    assert.equal(sessions.length, 1)
    assert.deepEqual(sessions[0].organizations, ['Example Company', 'Other Company'])
    await t.call('DELETE', `/v2/users/me/sessions/${sessions[0].sessionId}`, { as })
    for (const token of [as, there]) assert.equal((await get('/v2/users/me', token)).json.error.code, 'token_revoked')
  })

  test('somebody who was disabled in one goes on in the other, and cannot switch back', async () => {
    const { as, email, userId } = await somebody(t)
    await joinOther(email)
    const body = { organizationId: t.other.organizationId }
    const there = (await t.call('POST', '/v2/auth/switch', { as, body })).json.data.accessToken
    await t.call('PATCH', `/v1/api/users/${userId}`, { as: t.main.tokens.Admin, body: { disabled: true } })
    assert.equal((await get('/v2/users/me', as)).status, 401)
    assert.equal((await get('/v2/users/me', there)).status, 200)
    const back = { as: there, body: { organizationId: t.main.organizationId } }
    assert.equal((await t.call('POST', '/v2/auth/switch', back)).json.error.code, 'membership_required')
    assert.equal((await logIn(t, email)).user.role, 'Admin', 'a login goes where it may')
  })

  test('what they change of themselves is so in both; no Admin takes the account over', async () => {
    const { as, email, userId } = await somebody(t)
    await joinOther(email, 'Sales Executive')
    await t.call('PATCH', '/v2/users/me', { as, body: { name: 'Rear Admiral Hopper' } })
    const named = await t.sql<{ name: string }>('select name from users where email = $1', [email])
    assert.deepEqual(
      named.map(({ name }) => name),
      ['Rear Admiral Hopper', 'Rear Admiral Hopper'],
    )
    for (const change of [{ password: 'seven brass lanterns drift' }, { email: 'mine@example.com' }]) {
      const answer = await t.call('PATCH', `/v1/api/users/${userId}`, { as: t.main.tokens.Admin, body: change })
      assert.equal(answer.json.code, 'account_shared', answer.text)
    }
    assert.equal((await logIn(t, email)).success, true)
  })
})

describe('the own password', () => {
  test('changes with the present one, is long enough, and ends all other sessions', async () => {
    const { as, email } = await somebody(t)
    const other = (await logIn(t, email)).accessToken
    const change = (body: object) => t.call('POST', '/v2/users/me/password', { as, body })
    const short = await change({ currentPassword: ownPassword, newPassword: 'kvartal-obel-7' })
    assert.equal(short.json.error.details[0].field, 'newPassword')
    assert.match(short.json.error.message, /15 characters/)
    const answer = await change({ currentPassword: ownPassword, newPassword: 'seven brass lanterns drift' })
    assert.deepEqual(answer.json.data, { endedSessions: 1 })
    assert.equal((await get('/v2/users/me', other)).status, 401)
    assert.equal((await get('/v2/users/me', as)).status, 200)
    assert.equal((await logIn(t, email)).code, 'invalid_credentials')
    assert.equal((await logIn(t, email, { password: 'seven brass lanterns drift' })).success, true)
  })

  test('takes the place of one that somebody else set, before there is a session', async () => {
    const body = { email: 'temporary@example.com', name: 'T', role: 'Sales Manager' }
    const made = await t.call('POST', '/v1/api/users', { as: t.main.tokens.Admin, body })
    const password = made.json.generatedPassword
    const asked = await logIn(t, body.email, { password })
    assert.equal(asked.code, 'password_change_required')
    const again = await verify(asked.ip, { challengeToken: asked.challengeToken, newPassword: password })
    assert.ok(again.status === 422 || again.status === 400, 'the same one is no change')
    const newPassword = 'seven brass lanterns drift'
    const done = await verify(asked.ip, { challengeToken: asked.challengeToken, newPassword })
    assert.equal(done.json.user.email, body.email, done.text)
    assert.equal((await logIn(t, body.email, { password: newPassword })).success, true)
    const replayed = await verify(asked.ip, {
      challengeToken: asked.challengeToken,
      newPassword: 'another brass lantern',
    })
    assert.equal(replayed.json.code, 'challenge_expired')
  })
})

describe('a second factor', () => {
  test('is asked for by an error; a code is taken once, by whichever login comes first', async () => {
    const { email, secret } = await strongSomebody(t)
    const [one, two] = [await logIn(t, email), await logIn(t, email)]
    assert.equal(one.code, 'second_factor_required')
    assert.deepEqual(one.methods, ['totp', 'recovery_code'])
    assert.equal(one.accessToken, undefined)
    const code = codeOf(t, secret, 1)
    const answers = await Promise.all([one, two].map(({ ip, challengeToken }) => verify(ip, { challengeToken, code })))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])
    const third = await logIn(t, email)
    const replay = await verify(third.ip, { challengeToken: third.challengeToken, code })
    assert.equal(replay.json.code, 'invalid_second_factor')
    const earlier = await verify(third.ip, { challengeToken: third.challengeToken, code: codeOf(t, secret, 0) })
    assert.equal(earlier.json.code, 'invalid_second_factor', 'nor one before it')
  })

  test('a recovery code does once, however it is typed', async () => {
    const { as, email, recoveryCodes } = await strongSomebody(t)
    const [code = ''] = recoveryCodes
    const asked = await logIn(t, email)
    const recoveryCode = code.toLowerCase().replaceAll('-', ' ')
    assert.equal((await verify(asked.ip, { challengeToken: asked.challengeToken, recoveryCode })).status, 200)
    const [, other] = recoveryCodes
    const twice = await verify(asked.ip, { challengeToken: asked.challengeToken, recoveryCode: other })
    assert.equal(twice.json.code, 'challenge_expired', 'a challenge is for one login')
    const again = await logIn(t, email)
    const replay = await verify(again.ip, { challengeToken: again.challengeToken, recoveryCode: code })
    assert.equal(replay.json.code, 'invalid_second_factor')
    assert.equal((await get('/v2/users/me/factors', as)).json.data.recoveryCodesLeft, 8)
  })

  test('the challenge is for one place, five minutes, one login and one password', async () => {
    const { as, email, secret } = await strongSomebody(t)
    const asked = await logIn(t, email)
    const body = { challengeToken: asked.challengeToken, code: codeOf(t, secret, 1) }
    assert.equal((await verify('203.0.113.77', body)).json.code, 'challenge_expired', 'another place')
    const edited = { ...body, challengeToken: `${asked.challengeToken.slice(0, -2)}AA` }
    assert.equal((await verify(asked.ip, edited)).json.code, 'challenge_expired', 'an edited one')
    const passwords = { currentPassword: ownPassword, newPassword: 'seven brass lanterns drift' }
    await t.call('POST', '/v2/users/me/password', { as, body: passwords })
    assert.equal((await verify(asked.ip, body)).json.code, 'challenge_expired', 'another password')
    t.clock.advance(301_000)
    const late = await logIn(t, email, { password: passwords.newPassword })
    t.clock.advance(301_000)
    const expired = await verify(late.ip, { challengeToken: late.challengeToken, code: codeOf(t, secret) })
    assert.equal(expired.json.code, 'challenge_expired', 'too late')
  })

  test('guesses wait after five, and the answer does not say whether a code was right', async () => {
    const { email, secret } = await strongSomebody(t)
    const asked = await logIn(t, email)
    for (let guess = 0; guess < 6; guess++)
      assert.equal((await verify(asked.ip, { challengeToken: asked.challengeToken, code: '000000' })).status, 422)
    const right = await verify(asked.ip, { challengeToken: asked.challengeToken, code: codeOf(t, secret, 1) })
    assert.equal(right.json.code, 'login_throttled')
  })

  test('where the organization asks for one, the login sets it up', async () => {
    const { email } = await somebody(t)
    const admin = await strongSomebody(t, 'Admin')
    const policy = (requireSecondFactor: boolean) =>
      t.call('PATCH', '/v2/organization/security', { as: admin.as, body: { requireSecondFactor } })
    assert.equal((await policy(true)).status, 200)
    try {
      const asked = await logIn(t, email)
      assert.equal(asked.code, 'second_factor_setup_required')
      const { secret, uri } = asked.setup
      assert.ok(uri.includes(secret))
      const wrong = await verify(asked.ip, { challengeToken: asked.challengeToken, code: '000000' })
      assert.equal(wrong.json.code, 'invalid_second_factor')
      const elsewhere = await logIn(t, email)
      const done = await verify(asked.ip, { challengeToken: asked.challengeToken, code: codeOf(t, secret) })
      assert.equal(done.status, 200, done.text)
      const late = { challengeToken: elsewhere.challengeToken, code: codeOf(t, elsewhere.setup.secret) }
      assert.equal(
        (await verify(elsewhere.ip, late)).json.code,
        'challenge_expired',
        'one is set up, and its codes stay',
      )
      const { factors } = (await get('/v2/users/me/factors', done.json.accessToken)).json.data
      assert.equal(factors.length, 1)
      const { recoveryCodes } = done.json
      assert.equal(recoveryCodes.length, 10, 'as with a first factor that is set up later')
      const again = await logIn(t, email)
      assert.equal(again.code, 'second_factor_required')
      const byCode = { challengeToken: again.challengeToken, recoveryCode: recoveryCodes[0] }
      const back = await verify(again.ip, byCode)
      assert.equal(back.status, 200, back.text)
      assert.ok(!('recoveryCodes' in back.json))
    } finally {
      await policy(false)
    }
  })

  test('and keeps what was set up where the password was somebody else’s', async () => {
    const admin = await strongSomebody(t, 'Admin')
    const policy = (requireSecondFactor: boolean) =>
      t.call('PATCH', '/v2/organization/security', { as: admin.as, body: { requireSecondFactor } })
    const [email, password] = ['set.up.at.first@example.com', 'seven brass lanterns drift']
    const body = { email, name: 'Grace Hopper', role: 'Sales Executive', password, temporaryPassword: true }
    const made = await t.call('POST', '/v1/api/users', { as: admin.as, body })
    assert.equal(made.status, 201, made.text)
    assert.equal((await policy(true)).status, 200)
    try {
      const first = await logIn(t, email, { password })
      assert.equal(first.code, 'password_change_required')
      const newPassword = ownPassword
      const asked = await verify(first.ip, { challengeToken: first.challengeToken, newPassword })
      assert.equal(asked.json.code, 'second_factor_setup_required', asked.text)
      const sent = { challengeToken: asked.json.challengeToken, code: codeOf(t, asked.json.setup.secret) }
      const done = await verify(first.ip, sent)
      assert.equal(done.status, 200, done.text)
      const { factors } = (await get('/v2/users/me/factors', done.json.accessToken)).json.data
      assert.equal(factors.length, 1)
      assert.equal((await logIn(t, email)).code, 'second_factor_required')
    } finally {
      await policy(false)
    }
  })

  test('sessions end as soon as the organization wants, and go on from its addresses only', async () => {
    const { email } = await somebody(t)
    const refresh = (refreshToken: string, ip: string) =>
      t.call('POST', '/v1/api/auth/refresh', { body: { refreshToken }, ip })
    const policy = (change: string) =>
      t
        .ownerSql(
          `insert into security_policies (organization_id) values (${t.main.organizationId}) on conflict do nothing`,
        )
        .then(() =>
          t.ownerSql(`update security_policies set ${change} where organization_id = ${t.main.organizationId}`),
        )
    const { refreshToken } = await logIn(t, email)
    await policy("allowed_addresses = array['203.0.113.0/24']")
    assert.equal((await refresh(refreshToken, '198.51.100.1')).status, 401)
    const inside = await refresh(refreshToken, '203.0.113.9')
    assert.equal(inside.status, 200)
    await policy("allowed_addresses = '{}', session_max_hours = 1")
    await t.ownerSql("update sessions set created_at = created_at - interval '2 hours'")
    assert.equal((await refresh(inside.json.refreshToken, '203.0.113.9')).status, 401)
    await policy('session_max_hours = 2160')
  })

  test('secrets and codes lie nowhere in clear', async () => {
    const { secret, recoveryCodes } = await strongSomebody(t)
    const rows = await t.ownerSql<{ row: string }>(
      `select f::text as row from account_factors f union all select r::text from recovery_codes r
       union all select k::text from idempotency_keys k union all select e::text from audit_events e`,
    )
    assert.ok(rows.length > 10)
    for (const hidden of [secret, ...recoveryCodes]) assert.ok(!rows.some(({ row }) => row.includes(hidden)))
  })
})

describe('a fresh proof', () => {
  const create = (as: string) => t.call('POST', '/v2/users/me/factors/totp', { as, body: {} })
  const stepUp = (as: string, body: object) => t.call('POST', '/v2/auth/step-up', { as, body })

  test('is asked for after fifteen minutes, by RFC 9470, and good for the next fifteen', async () => {
    const { as } = await somebody(t)
    assert.equal((await create(as)).status, 201)
    t.clock.advance(901_000)
    const refused = await create(as)
    assert.equal(refused.json.error.code, 'step_up_required')
    assert.match(refused.headers['www-authenticate'] ?? '', /error="insufficient_user_authentication".*max_age="900"/)
    assert.equal((await stepUp(as, { password: 'not mine' })).json.error.code, 'wrong_password')
    assert.equal((await create(as)).status, 401)
    assert.equal((await stepUp(as, { password: ownPassword })).json.data.grade, 'factor')
    assert.equal((await create(as)).status, 201)
  })

  test('a new access token is no fresh proof', async () => {
    const { email } = await somebody(t)
    const { accessToken, refreshToken } = await logIn(t, email)
    assert.equal((await create(accessToken)).status, 201)
    t.clock.advance(901_000)
    const { json } = await t.call('POST', '/v1/api/auth/refresh', { body: { refreshToken } })
    assert.equal((await create(json.accessToken)).json.error.code, 'step_up_required')
  })

  test('with a second factor the password is not enough', async () => {
    const { as, secret } = await strongSomebody(t)
    t.clock.advance(901_000)
    assert.equal((await stepUp(as, { password: ownPassword })).json.data.grade, 'login')
    const refused = await create(as)
    assert.equal(refused.json.error.code, 'step_up_required')
    assert.match(refused.headers['www-authenticate'] ?? '', /acr_values="factor"/)
    assert.equal((await stepUp(as, { code: codeOf(t, secret) })).json.data.grade, 'factor')
    assert.equal((await create(as)).status, 201)
  })

  test('other sessions have not proved a factor that was just added', async () => {
    const { as, email } = await somebody(t)
    const other = (await logIn(t, email)).accessToken
    assert.equal((await create(other)).status, 201)
    const made = (await create(as)).json.data
    const body = { code: codeOf(t, made.secret) }
    await t.call('POST', `/v2/users/me/factors/totp/${made.factorId}/confirm`, { as, body })
    assert.equal((await create(other)).json.error.code, 'step_up_required')
    assert.equal((await create(as)).status, 201)
  })

  test('counts on every node, and a key is refused', async () => {
    const node = await t.secondApp()
    const { as } = await somebody(t)
    t.clock.advance(901_000)
    const onOther = () => node.call('POST', '/v2/users/me/factors/totp', { as, body: {} })
    assert.equal((await onOther()).status, 401)
    await stepUp(as, { password: ownPassword })
    await node.app.services.authenticator.poll()
    assert.equal((await onOther()).status, 201)
    assert.equal((await create(t.main.liveKey)).json.error.code, 'person_required')
  })
})
