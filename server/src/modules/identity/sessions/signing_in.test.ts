// Signing in safely: another e-mail address and the way back, logins by mail, browsers that are known, mails about one's own account, how many
// logins there are, and what an organization asks.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, startTestApp, type TestApp } from '../../../../test/harness.ts'
import {
  codeOf,
  logIn,
  ownPassword,
  type Somebody,
  signInLink,
  somebody,
  strongSomebody,
  tokenMailed,
} from '../../../../test/people.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const post = (path: string, body: object, as?: string) =>
  t.call('POST', path, as === undefined ? { body } : { as, body })
const codeIn = ({ json }: Answer): string | undefined => json?.code ?? json?.error?.code
/** Templates of the mails to an address, the oldest first. */
async function mailsTo(email: string): Promise<{ template: string; text: string }[]> {
  return t.ownerSql(
    `select m.template, m.text from mails m join mail_recipients r on r.tenant_id = m.tenant_id and r.mail_id = m.id
     where r.address = $1 order by m.id`,
    [email],
  )
}
const templatesTo = async (email: string) => (await mailsTo(email)).map(({ template }) => template)
const own = { 'x-tandem-portal': '1', 'user-agent': 'Mozilla/5.0 Firefox/140.0' }
/** A login at the portal, with the cookies that the browser has from then on. */
async function browse(email: string, cookie?: string) {
  const answer = await t.call('POST', '/portal/session', {
    headers: { ...own, ...(cookie === undefined ? {} : { cookie }) },
    body: { emailOrAdminId: email, password: ownPassword },
  })
  return { answer, cookie: cookieOf(answer) }
}
const cookieOf = (answer: Answer) =>
  [answer.headers['set-cookie'] ?? []]
    .flat()
    .map(line => line.split(';')[0])
    .join('; ')

describe('another e-mail address', () => {
  const ask = (person: Somebody, email: string) => post('/v2/users/me/email', { email }, person.as)
  const confirm = (token: string, as: string) => post('/v2/users/me/email/confirm', { token }, as)
  const undo = (token: string) => post('/v2/auth/email-changes/undo', { token })
  let count = 0
  const address = () => `new${++count}@example.net`

  test('is confirmed at the new one, by the person who asked and nobody else, once', async () => {
    const [person, other, email] = [await somebody(t), await somebody(t), address()]
    assert.deepEqual((await ask(person, email)).json.data, { sentTo: email })
    const token = await tokenMailed(t, email)
    assert.equal(codeIn(await confirm(token, other.as)), 'link_expired', 'of another account')
    assert.equal((await logIn(t, email)).code, 'invalid_credentials', 'nothing changed yet')
    assert.deepEqual((await confirm(token, person.as)).json.data, { email })
    assert.equal(codeIn(await confirm(token, person.as)), 'link_expired')
    assert.equal((await logIn(t, email)).user.id, person.userId)
    assert.equal((await logIn(t, person.email)).code, 'invalid_credentials')
    const me = await t.call('GET', '/v2/users/me/account', { as: person.as })
    assert.deepEqual([me.json.data.email, me.json.data.emailVerified], [email, true])
  })

  test('is asked for and confirmed in test mode too, which shares the account', async () => {
    const [person, email] = [await somebody(t), address()]
    const body = { emailOrAdminId: person.email, password: ownPassword, mode: 'test' }
    const { accessToken } = (await post('/v1/api/auth/login', body)).json
    assert.equal((await post('/v2/users/me/email', { email }, accessToken)).status, 200)
    assert.deepEqual((await confirm(await tokenMailed(t, email), accessToken)).json.data, { email })
  })

  test('is undone from the one before within seven days: all sessions end, and so does what came later', async () => {
    const [person, first, second] = [await somebody(t), address(), address()]
    await ask(person, first)
    await confirm(await tokenMailed(t, first), person.as)
    const back = await tokenMailed(t, person.email)
    await ask(person, second)
    await confirm(await tokenMailed(t, second), person.as)
    const [, between] = await mailsTo(first)
    const later = /#([\w-]{20,})/.exec(between?.text ?? '')?.[1] as string
    assert.deepEqual((await undo(back)).json.data, { email: person.email })
    assert.equal((await t.call('GET', '/v2/users/me', { as: person.as })).status, 401)
    assert.equal((await logIn(t, person.email)).user.id, person.userId)
    for (const token of [back, later]) assert.equal(codeIn(await undo(token)), 'link_expired')
  })

  test('the way back is closed after seven days, the link to confirm after one', async () => {
    const [person, email] = [await somebody(t), address()]
    await ask(person, email)
    const token = await tokenMailed(t, email)
    await t.ownerSql("update account_links set expires_at = expires_at - interval '1 day'")
    assert.equal(codeIn(await confirm(token, person.as)), 'link_expired')
    await t.ownerSql("update account_links set expires_at = expires_at + interval '1 day'")
    await confirm(token, person.as)
    const back = await tokenMailed(t, person.email)
    await t.ownerSql("update account_links set expires_at = expires_at - interval '7 days'")
    assert.equal(codeIn(await undo(back)), 'link_expired')
  })

  test('an address that has an account is answered alike, and gets no link', async () => {
    const [person, taken] = [await somebody(t), await somebody(t)]
    const answer = await ask(person, taken.email)
    assert.deepEqual([answer.status, answer.json.data], [200, { sentTo: taken.email }])
    const mails = await mailsTo(taken.email)
    assert.deepEqual([mails.at(-1)?.template, mails.at(-1)?.text.includes('#')], ['email_change_taken', false])
  })

  test('a password reset that was mailed to the address before comes too late', async () => {
    const [person, email] = [await somebody(t), address()]
    await post('/v2/auth/password-resets', { email: person.email })
    const reset = await tokenMailed(t, person.email)
    await ask(person, email)
    await confirm(await tokenMailed(t, email), person.as)
    const body = { token: reset, newPassword: 'seven brass lanterns drift' }
    assert.equal(codeIn(await post('/v2/auth/password-resets/confirm', body)), 'link_expired')
  })
})

describe('a login by mail', () => {
  const request = (email: string) => post('/v2/auth/sign-in-links', { email, browser: 'x'.repeat(22) })
  const confirm = (body: object) => post('/v2/auth/sign-in-links/confirm', body)

  test('is sent only where the organization allows it, and the answer is the same for every address', async () => {
    const { email } = await somebody(t)
    await t.ownerSql('update security_policies set magic_link = false')
    const answers = [await request(email), await request('nobody@example.com')]
    assert.deepEqual(answers[0]?.json.data, answers[1]?.json.data)
    assert.equal((await t.call('GET', '/v2/auth/sign-in-links')).json.data.offered, false)
    const { token } = await signInLink(t, email)
    assert.ok(token)
    assert.equal((await templatesTo(email)).filter(template => template === 'sign_in_link').length, 1)
    assert.equal((await t.call('GET', '/v2/auth/sign-in-links')).json.data.offered, true)
  })

  test('works once, in the browser that asked, for ten minutes', async () => {
    const { email, userId } = await somebody(t)
    const link = await signInLink(t, email)
    assert.equal(codeIn(await confirm({ ...link, browser: 'y'.repeat(22) })), 'link_expired')
    const both = await Promise.all([confirm(link), confirm(link)])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 410])
    assert.equal(both.find(({ status }) => status === 200)?.json.data.user.id, userId)
    const other = await somebody(t)
    const late = await signInLink(t, other.email)
    t.clock.advance(601_000)
    assert.equal(codeIn(await confirm(late)), 'link_expired')
  })

  test('never stands for the second factor, and ends with the policy', async () => {
    const { email, secret } = await strongSomebody(t)
    const asked = await confirm(await signInLink(t, email))
    assert.equal(codeIn(asked), 'second_factor_required')
    const { challengeToken } = asked.json.error
    t.clock.advance(60_000)
    const done = await post('/v1/api/auth/login/verify', { challengeToken, code: codeOf(t, secret) })
    assert.equal(done.status, 200, done.text)
    const other = await somebody(t)
    const link = await signInLink(t, other.email)
    await t.ownerSql('update security_policies set magic_link = false')
    assert.equal(codeIn(await confirm(link)), 'link_expired')
  })

  test('in the portal it is bound to the cookie of the device', async () => {
    const { email } = await somebody(t)
    await signInLink(t, email)
    await t.ownerSql('delete from mail_recipients where address = $1', [email])
    const asked = await t.call('POST', '/portal/session/link', { headers: own, body: { email } })
    const token = await tokenMailed(t, email)
    const take = (cookie: string) =>
      t.call('POST', '/portal/session/link/confirm', { headers: { ...own, cookie }, body: { token } })
    assert.equal(codeIn(await take('')), 'link_expired')
    const opened = await take(cookieOf(asked))
    assert.equal(opened.json.user.email, email, opened.text)
  })
})

describe('browsers and notices', () => {
  test('a browser that is new to the account writes to its person; the first one and programs do not', async () => {
    const { email, as } = await somebody(t)
    await logIn(t, email)
    assert.deepEqual(await templatesTo(email), [], 'an account that only programs log in with')
    const first = await browse(email)
    const known = (await templatesTo(email)).length
    await browse(email, first.cookie)
    assert.equal((await templatesTo(email)).length, known, 'the same browser')
    await browse(email)
    const mail = (await mailsTo(email)).at(-1)
    assert.equal(mail?.template, 'new_device')
    assert.match(mail?.text ?? '', /Firefox/)
    await logIn(t, email)
    assert.match((await mailsTo(email)).at(-1)?.text ?? '', /by a program/)
    const { devices } = (await t.call('GET', '/v2/users/me/devices', { as })).json.data
    assert.equal(devices.length, 2)
    await t.call('DELETE', `/v2/users/me/devices/${devices[0].deviceId}`, { as })
    const all = await t.call('DELETE', '/v2/users/me/devices', { as })
    assert.deepEqual(all.json.data, { forgottenDevices: 1 })
  })

  test('a trusted browser that was forgotten is asked for the second factor again', async () => {
    const { email, as, recoveryCodes } = await strongSomebody(t)
    const { answer, cookie } = await browse(email)
    const device = cookie === '' ? '' : cookie
    const sent = { challengeToken: answer.json.error.challengeToken, recoveryCode: recoveryCodes[0], trustDevice: true }
    const done = await t.call('POST', '/portal/session/verify', { headers: { ...own, cookie: device }, body: sent })
    const jar = cookieOf(done)
    assert.equal((await browse(email, jar)).answer.status, 200, 'trusted')
    const { devices } = (await t.call('GET', '/v2/users/me/devices', { as })).json.data
    assert.ok(devices[0].trustedUntil)
    await t.call('DELETE', `/v2/users/me/devices/${devices[0].deviceId}`, { as })
    assert.equal(codeIn((await browse(email, jar)).answer), 'second_factor_required')
  })

  test('factors, recovery codes, the password, live keys and apps are written of, from live mode', async () => {
    const { email, as, factorId } = await strongSomebody(t, 'Admin')
    await post('/v2/users/me/recovery-codes', {}, as)
    await t.call('DELETE', `/v2/users/me/factors/${factorId}`, { as })
    await post('/v2/auth/api-keys', { name: 'Website', mode: 'live' }, as)
    await post('/v2/auth/api-keys', { name: 'Tests', mode: 'test' }, as)
    const app = {
      kind: 'public',
      name: 'Sync',
      redirectUris: ['https://sync.example.com/cb'],
      scopes: ['profile:read'],
    }
    assert.equal((await post('/v2/auth/apps', app, as)).status, 201)
    const passwords = { currentPassword: ownPassword, newPassword: 'seven brass lanterns drift' }
    await post('/v2/users/me/password', passwords, as)
    assert.deepEqual(await templatesTo(email), [
      'factor_added',
      'recovery_codes_made',
      'factor_removed',
      'api_key_made',
      'app_made',
      'own_password_changed',
    ])
    const [{ test: inTest } = { test: 1 }] = await t.ownerSql<{ test: number }>(
      'select count(*)::integer as test from mails where tenant_id = $1',
      [t.main.testTenantId],
    )
    assert.equal(inTest, 0)
    for (const { text } of await mailsTo(email)) {
      const links = text.match(/https?:\/\/\S+/g) ?? []
      for (const link of links) assert.ok(link.startsWith(t.app.services.ownAddress() as string), link)
    }
  })

  test('what an Admin changes of somebody is written to the address before', async () => {
    const { email, userId } = await somebody(t)
    const body = { email: `${userId}@example.net`, password: 'seven brass lanterns drift' }
    await t.call('PATCH', `/v1/api/users/${userId}`, { as: t.main.tokens.Admin, body })
    assert.deepEqual(await templatesTo(email), ['own_password_changed', 'email_set_by_admin'])
  })

  test('beyond fifty logins the one used longest ago ends, and no other', async () => {
    const { email, as, userId } = await somebody(t)
    const second = (await logIn(t, email)).accessToken
    await t.ownerSql(
      `insert into sessions (organization_id, id, login_id, user_id, tenant_id)
       select organization_id, 'ses_x' || n || '_' || user_id, 'lgn_x' || n || '_' || user_id, user_id, tenant_id
       from (select * from sessions where user_id = $1 limit 1) s, generate_series(1, 48) n`,
      [userId],
    )
    await t.ownerSql(
      "update sessions set last_used_at = now() - interval '2 days' where id = (select min(id) from sessions where user_id = $1 and id not like 'ses_x%')",
      [userId],
    )
    await logIn(t, email)
    t.app.services.authenticator.forget()
    assert.equal((await t.call('GET', '/v2/users/me', { as })).status, 401)
    assert.equal((await t.call('GET', '/v2/users/me', { as: second })).status, 200)
  })
})

describe('what an organization asks', () => {
  const admin = () => t.main.tokens.Admin
  const policy = (body: object) => t.call('PATCH', '/v2/organization/security', { as: admin(), body })

  test('longer passwords hold for what people choose from then on', async () => {
    const { as } = await somebody(t)
    await policy({ passwordMin: 30 })
    try {
      const body = { currentPassword: ownPassword, newPassword: 'seven brass lanterns drift' }
      const short = await post('/v2/users/me/password', body, as)
      assert.match(short.json.error.message, /30 characters, as your organization asks/)
    } finally {
      await policy({ passwordMin: null })
    }
  })

  test('keys end in time: what names no end gets the latest, what names a later one is refused', async () => {
    await policy({ apiKeysMaxDays: 30 })
    try {
      const make = (more: object) => post('/v2/auth/api-keys', { name: 'Site', mode: 'live', ...more }, admin())
      const made = (await make({})).json.data
      const latest = t.clock.now() + 30 * 86_400_000
      assert.ok(Math.abs(Date.parse(made.expiresAt) - latest) < 60_000)
      const late = await make({ expiresAt: new Date(latest + 86_400_000).toISOString() })
      assert.equal(late.json.error.details[0].field, 'expiresAt')
      assert.equal((await make({ expiresAt: null })).status, 400)
    } finally {
      await policy({ apiKeysMaxDays: null })
    }
  })

  test('a preview counts whom it would concern, refuses what would lock one out, and changes nothing', async () => {
    const { as } = await strongSomebody(t, 'Admin')
    await somebody(t)
    const preview = (body: object) => post('/v2/organization/security/preview', body, as)
    const { data } = (await preview({ requireSecondFactor: true, apiKeysMaxDays: 1 })).json
    assert.ok(data.needSecondFactor > 0 && data.needSecondFactor < data.members, JSON.stringify(data))
    assert.ok(data.keysOutliving > 0)
    assert.equal(codeIn(await preview({ allowedAddresses: ['203.0.113.0/24'] })), 'would_lock_out')
    await t.ownerSql(
      "update sessions set created_at = created_at - interval '3 hours' where amr = '{pwd}' and ip is not null",
    )
    assert.ok((await preview({ sessionMaxHours: 2 })).json.data.sessionsEnding > 0)
    assert.equal((await preview({ sessionMaxHours: 2_160 })).json.data.sessionsEnding, 0)
    assert.equal((await t.call('GET', '/v2/organization/security', { as })).json.data.requireSecondFactor, false)
  })
})
