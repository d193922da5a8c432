// Every endpoint that asks for a fresh proof of who somebody is: an old session is refused with the challenge of RFC 9470, whatever else
// is wrong with the request; a fresh one is let in, and so is a key where keys are. A proof of the password alone does not do where the
// factor is asked for, and neither does a new access token.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, startTestApp, type TestApp } from '../../../../test/harness.ts'
import { codeOf, logIn, ownPassword, type Strong, strongSomebody } from '../../../../test/people.ts'
import { catalog } from '../../../catalog.ts'
import { type Endpoint, fullPath, isPersonOnly } from '../../../kernel/endpoint/endpoint.ts'

const asking = catalog.filter(({ recent }) => recent !== undefined)

let t: TestApp
let strong: Strong
let newest: string
let logins: { accessToken: string; refreshToken: string }
/** Sessions of one Admin with a second factor: proved just now, by the password alone, and not for a long time. */
const sessions = { fresh: '', password: '', old: '', renewed: '' }
before(async () => {
  t = await startTestApp()
  strong = await strongSomebody(t, 'Admin')
  const challenge = await logIn(t, strong.email)
  const { json } = await t.call('POST', '/v1/api/auth/login/verify', {
    ip: challenge.ip,
    body: { challengeToken: challenge.challengeToken, recoveryCode: strong.recoveryCodes[0] },
  })
  logins = json
  t.clock.advance(901_000)
  const renewed = await t.call('POST', '/v1/api/auth/refresh', { body: { refreshToken: logins.refreshToken } })
  sessions.old = logins.accessToken
  sessions.renewed = renewed.json.accessToken
  newest = renewed.json.refreshToken
  const again = await logIn(t, strong.email)
  const other = await t.call('POST', '/v1/api/auth/login/verify', {
    ip: again.ip,
    body: { challengeToken: again.challengeToken, recoveryCode: strong.recoveryCodes[1] },
  })
  sessions.fresh = other.json.accessToken
  sessions.password = strong.as
  const stepUp = await t.call('POST', '/v2/auth/step-up', { as: strong.as, body: { password: ownPassword } })
  assert.equal(stepUp.json.data.grade, 'login', stepUp.text)
})
after(() => t?.close())

const sampleParams = (definition: Endpoint): Record<string, unknown> => definition.sample.params ?? {}

/** With nothing in it: what comes behind the question of proof refuses that, or answers. */
function ask(definition: Endpoint, as: string): Promise<Answer> {
  // Where the sample's id would be one's own organization, which one would leave, one asks for another.
  const params =
    definition.id === 'own_organizations.leave' ? { organizationId: 999_999_999 } : sampleParams(definition)
  const path = fullPath(definition).replaceAll(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(params[name])))
  const body = definition.method === 'GET' || definition.method === 'DELETE' ? {} : { body: { unknown: true } }
  return t.call(definition.method as 'POST', path, { as, ...body })
}

const codeIn = ({ json }: Answer): string | undefined => json?.code ?? json?.error?.code

test('what gives somebody a way in, or rights, is among them', () => {
  const ids = asking.filter(({ recent }) => recent === 'factor').map(({ id }) => id)
  for (const id of [
    'account.change_password',
    'factors.create_totp',
    'factors.create_passkey',
    'factors.delete',
    'factors.create_recovery_codes',
    'api_keys.create',
    'api_keys.rotate',
    'apps.create',
    'apps.update',
    'app_secrets.create',
    'users.create',
    'users.update',
    'invitations.create',
    'security.update',
  ])
    assert.ok(ids.includes(id), id)
  for (const id of ['audit_events.export', 'webhooks.signing_secret', 'audit_streams.create'])
    assert.ok(
      asking.some(one => one.id === id),
      id,
    )
})

for (const definition of asking) {
  describe(`${definition.id} (${definition.recent})`, () => {
    test('refuses sessions that were not proved of late, also with a new access token', async () => {
      for (const as of [sessions.old, sessions.renewed]) {
        const answer = await ask(definition, as)
        assert.equal(answer.status, 401, answer.text)
        assert.equal(codeIn(answer), 'step_up_required')
        const challenge = answer.headers['www-authenticate'] ?? ''
        assert.match(challenge, /^Bearer .*error="insufficient_user_authentication".*max_age="900"/)
        assert.equal(challenge.includes('acr_values="factor"'), definition.recent === 'factor', challenge)
      }
    })

    test('lets in what was proved as it asks', async () => {
      assert.notEqual(codeIn(await ask(definition, sessions.fresh)), 'step_up_required')
      const byPassword = codeIn(await ask(definition, sessions.password))
      assert.equal(byPassword === 'step_up_required', definition.recent === 'factor')
    })

    test(`${isPersonOnly(definition) ? 'refuses' : 'lets in'} keys, which nobody can ask`, async () => {
      const code = codeIn(await ask(definition, t.main.liveKey))
      assert.equal(code === 'person_required', isPersonOnly(definition))
      assert.notEqual(code, 'step_up_required')
    })
  })
}

test('what a session is exchanged for without a proof does none of it: the token of a key, and of an app that a person let in', async () => {
  const made = await t.call('POST', '/v2/auth/api-keys', { as: sessions.fresh, body: { name: 'Mine', mode: 'live' } })
  const path = `/v2/auth/api-keys/${made.json.data.keyId}/tokens`
  const { token } = (await t.call('POST', path, { as: sessions.old })).json.data
  for (const definition of asking) {
    assert.equal(codeIn(await ask(definition, token)), 'person_required', definition.id)
    assert.ok(
      !['person_required', 'step_up_required'].includes(codeIn(await ask(definition, made.json.data.secret)) ?? '') ||
        isPersonOnly(definition),
      definition.id,
    )
  }
})

test('a fresh proof opens the session that was refused, and gives it other tokens: those of before end', async () => {
  const definition = catalog.find(({ id }) => id === 'webhooks.signing_secret') as Endpoint
  t.clock.advance(60_000)
  assert.equal((await ask(definition, sessions.old)).status, 401)
  const body = { code: codeOf(t, strong.secret) }
  const proved = await t.call('POST', '/v2/auth/step-up', { as: sessions.old, body })
  assert.equal(proved.status, 200, proved.text)
  const { accessToken } = proved.json.data
  assert.notEqual(accessToken, sessions.old)
  const both = [sessions.old, sessions.renewed]
  for (const as of [...both, accessToken])
    assert.equal((await ask(definition, as)).status, 200, 'what is under way is answered')
  t.clock.advance(21_000)
  for (const node of [t, await t.secondApp()])
    for (const as of both) assert.equal(codeIn(await node.call('GET', '/v2/users/me', { as })), 'token_expired')
  assert.equal((await ask(definition, accessToken)).status, 200)
  // The refresh token that was the newest gives another, whose tokens are of this proof.
  const renewed = await t.call('POST', '/v1/api/auth/refresh', { body: { refreshToken: newest } })
  assert.notEqual(renewed.json.refreshToken, newest)
  t.clock.advance(21_000)
  assert.equal((await ask(definition, renewed.json.accessToken)).status, 200)
})
