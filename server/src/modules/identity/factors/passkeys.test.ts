// Passkeys: made once, good for a login by themselves, for the second factor and for a fresh proof; what is copied, forged, repeated or
// made without asking who uses it is refused.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  assertionOf,
  challengeFor,
  copyOf,
  keyHolder,
  make,
  newAuthenticator,
  use,
} from '../../../../test/authenticator.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { logIn, somebody } from '../../../../test/people.ts'
import { siteOf } from './passkey.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const logInWith = (assertion: object, more: object = {}) =>
  t.call('POST', '/v2/auth/passkeys', { body: { assertion, ...more } })
const add = (as: string, credential: object) =>
  t.call('POST', '/v2/users/me/factors/passkeys', { as, body: { credential } })

const codeIn = (json: { code?: string; error?: { code: string } }) => json.error?.code ?? json.code
const cloneMails = (email: string) =>
  t.ownerSql<{ text: string }>(
    `select m.text from mails m join mail_recipients r on r.tenant_id = m.tenant_id and r.mail_id = m.id
     where r.address = $1 and m.template = 'passkey_cloned'`,
    [email],
  )

test('where passkeys work', () => {
  for (const [address, origin] of [
    ['https://crm.example.com', 'https://crm.example.com'],
    ['https://crm.example.com:8443/', 'https://crm.example.com:8443'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://127.0.0.1:3000', 'http://localhost:3000'],
    ['http://[::1]:3000', 'http://localhost:3000'],
    ['http://crm.example.com', undefined],
    ['https://203.0.113.7', undefined],
    [undefined, undefined],
  ] as const)
    assert.equal(siteOf(address)?.origin, origin, String(address))
})

describe('a passkey', () => {
  test('logs in by itself, as with two factors, and says so', async () => {
    const { passkey, email, recoveryCodes } = await keyHolder(t)
    assert.equal(recoveryCodes.length, 10)
    const { status, json, text } = await logInWith(await assertionOf(t, passkey))
    assert.equal(status, 200, text)
    assert.equal(json.data.user.email, email)
    const codes = await t.call('POST', '/v2/users/me/recovery-codes', { as: json.data.accessToken })
    assert.equal(codes.status, 201, 'it is the second factor')
    const [session] = await t.ownerSql<{ amr: string[] }>(
      'select amr from sessions s join users u on u.id = s.user_id where u.email = $1 order by s.id desc limit 1',
      [email],
    )
    assert.deepEqual(session?.amr, ['hwk', 'user', 'mfa'])
  })

  test('is asked for beside the password, and is a fresh proof', async () => {
    const { passkey, email, as } = await keyHolder(t)
    const { code, error = {}, ip, ...rest } = await logIn(t, email)
    const asked = { ...rest, ...error }
    assert.equal(code ?? asked.code, 'second_factor_required')
    assert.deepEqual(asked.methods, ['passkey', 'recovery_code'])
    const body = { challengeToken: asked.challengeToken, assertion: await assertionOf(t, passkey) }
    const verified = await t.call('POST', '/v1/api/auth/login/verify', { body, ip })
    assert.equal(verified.status, 200, verified.text)
    const proof = { as, body: { assertion: await assertionOf(t, passkey) } }
    assert.equal((await t.call('POST', '/v2/auth/step-up', proof)).json.data.grade, 'factor')
    assert.equal((await t.call('POST', '/v2/auth/step-up', proof)).json.error.code, 'invalid_second_factor')
  })

  test('of somebody else is no factor of this account', async () => {
    const [{ as }, { passkey }] = [await keyHolder(t), await keyHolder(t)]
    const body = { assertion: await assertionOf(t, passkey) }
    assert.equal((await t.call('POST', '/v2/auth/step-up', { as, body })).json.error.code, 'invalid_second_factor')
  })

  test('that was copied is refused at every door; the audit log and one mail say why', async () => {
    const { passkey, email, userId, factorId, as } = await keyHolder(t)
    const copy = copyOf(passkey)
    for (let login = 0; login < 4; login++) assert.equal((await logInWith(await assertionOf(t, passkey))).status, 200)
    assert.equal((await logInWith(await assertionOf(t, copy))).json.error.code, 'passkey_refused')
    const stepUp = await t.call('POST', '/v2/auth/step-up', { as, body: { assertion: await assertionOf(t, copy) } })
    assert.equal(stepUp.json.error.code, 'invalid_second_factor')
    const { error, challengeToken = error?.challengeToken, ip } = await logIn(t, email)
    const body = { challengeToken, assertion: await assertionOf(t, copy) }
    const verified = await t.call('POST', '/v1/api/auth/login/verify', { body, ip })
    assert.equal(codeIn(verified.json), 'invalid_second_factor')
    await t.app.services.refusals.flush()
    const [entry] = await t.ownerSql<{ types: string[]; ids: string[]; times: number }>(
      `select target_types as types, target_ids as ids, (context->>'count')::integer as times from audit_events
       where action = 'user.sign_in_refused' and reason = 'passkey_cloned' and $1 = any (target_ids)`,
      [factorId],
    )
    assert.deepEqual(entry, { types: ['user', 'factor'], ids: [String(userId), factorId], times: 3 })
    assert.equal((await cloneMails(email)).length, 1)
    assert.match((await cloneMails(email))[0]?.text ?? '', /passkey Laptop was refused/)
    assert.equal((await logInWith(await assertionOf(t, passkey))).status, 200, 'the right one goes on')
  })

  test('whose copy was used first is refused itself, which its owner hears of', async () => {
    const { passkey, email } = await keyHolder(t)
    const copy = copyOf(passkey)
    for (let login = 0; login < 2; login++) assert.equal((await logInWith(await assertionOf(t, copy))).status, 200)
    assert.equal((await logInWith(await assertionOf(t, passkey))).json.error.code, 'passkey_refused')
    assert.equal((await cloneMails(email)).length, 1)
  })

  test('that does not count is taken as often as it is used', async () => {
    const { passkey, email } = await keyHolder(t)
    for (let login = 0; login < 2; login++) {
      const uncounting = { ...passkey, counter: -1 }
      assert.equal((await logInWith(await assertionOf(t, uncounting))).status, 200)
    }
    assert.equal((await cloneMails(email)).length, 0)
  })

  test('is used once a challenge, also at the same time', async () => {
    const { passkey } = await keyHolder(t)
    const assertion = await assertionOf(t, passkey)
    const answers = await Promise.all(Array.from({ length: 4 }, () => logInWith(assertion)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422, 422, 422])
  })

  test('is refused from another page, for another host, without a look at who uses it, or too late', async () => {
    const { passkey } = await keyHolder(t)
    for (const lie of [{ origin: 'https://evil.example' }, { rpId: 'evil.example' }, { isVerifying: false }]) {
      const liar = { ...passkey, ...lie, counter: passkey.counter + 10 }
      const { status, json } = await logInWith(await assertionOf(t, liar))
      assert.deepEqual([status, json.error.code], [422, 'passkey_refused'], JSON.stringify(lie))
    }
    const challenge = await challengeFor(t)
    const forged = `${challenge.slice(0, 10)}${challenge[10] === 'A' ? 'B' : 'A'}${challenge.slice(11)}`
    assert.equal((await logInWith(use(passkey, forged))).status, 422)
    const another = copyOf(newAuthenticator(t))
    const stolen = { ...use(another, await challengeFor(t)), id: passkey.id, rawId: passkey.id }
    assert.equal((await logInWith(stolen)).status, 422)
    const late = await challengeFor(t)
    t.clock.advance(5 * 60_000)
    assert.equal((await logInWith(use(passkey, late))).status, 422)
    assert.equal((await logInWith(await assertionOf(t, passkey))).status, 200)
  })

  test('of somebody who was disabled logs nobody in', async () => {
    const { passkey, userId } = await keyHolder(t)
    await t.call('PATCH', `/v1/api/users/${userId}`, { as: t.main.tokens.Admin, body: { disabled: true } })
    assert.equal((await logInWith(await assertionOf(t, passkey))).json.error.code, 'passkey_refused')
  })
})

describe('making a passkey', () => {
  test('takes what was made for this account, here, once', async () => {
    const [{ as }, other] = [await somebody(t), await somebody(t)]
    const refused = async (credential: object, by = as) => {
      const { status, json } = await add(by, credential)
      assert.deepEqual([status, json.error?.code], [422, 'passkey_refused'])
    }
    const passkey = newAuthenticator(t)
    await refused(make(passkey, await challengeFor(t, other.as)))
    await refused(make(passkey, await challengeFor(t)))
    await refused(make({ ...passkey, origin: 'https://evil.example' }, await challengeFor(t, as)))
    await refused(make({ ...passkey, isVerifying: false }, await challengeFor(t, as)))
    const made = make(passkey, await challengeFor(t, as))
    assert.equal((await add(as, made)).status, 201)
    await refused(made)
    await refused(make(passkey, await challengeFor(t, other.as)), other.as)
  })

  test('leaves out what the account has, and says where passkeys work', async () => {
    const { as, passkey, factorId } = await keyHolder(t)
    const options = await t.call('POST', '/v2/users/me/factors/passkeys/options', { as })
    assert.deepEqual(options.json.data.excludeCredentials, [{ id: passkey.id, type: 'public-key' }])
    const { data } = (await t.call('GET', '/v2/users/me/factors', { as })).json
    assert.equal(data.passkeysAt, passkey.origin)
    assert.deepEqual([data.factors[0].factorId, data.factors[0].kind], [factorId, 'passkey'])
    assert.equal((await t.call('DELETE', `/v2/users/me/factors/${factorId}`, { as })).status, 200)
    assert.equal((await logInWith(await assertionOf(t, passkey))).json.error.code, 'passkey_refused')
  })
})
