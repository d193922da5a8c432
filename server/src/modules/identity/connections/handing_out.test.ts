// Who may set up an identity provider: by it anyone logs in as anybody, so its manager holds all that an Admin holds.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { somebody } from '../../../../test/people.ts'

let t: TestApp
before(async () => {
  t = await startTestApp({ env: { TANDEM_EGRESS_ALLOW: '127.0.0.0/8' } })
})
after(() => t?.close())

const path = '/v2/organization/sso-connections'

/** Somebody of a role made of Admin that manages single sign-on and nothing else. */
async function manager(): Promise<string> {
  const body = { name: 'Sign-on', base: 'Admin', permissions: ['sso:manage'], rows: {} }
  const made = await t.call('POST', '/v2/roles', { as: t.main.tokens.Admin, body })
  assert.equal(made.status, 201, made.text)
  const { as, userId } = await somebody(t, 'Admin')
  await t.ownerSql("update users set role_id = $1, role = 'Admin' where id = $2", [made.json.data.roleId, userId])
  t.app.services.authenticator.forget()
  return as
}

test('sso:manage alone changes a name and switches off; nothing that decides who logs in', async () => {
  const as = await manager()
  const body = { name: 'Okta', issuer: 'http://127.0.0.1:9', clientId: 'x', clientSecret: 'y' }
  const refused = await t.call('POST', path, { as, body })
  assert.deepEqual([refused.status, refused.json.error?.code], [403, 'scope_not_held'], refused.text)
  const made = await t.call('POST', path, { as: t.main.tokens.Admin, body })
  assert.equal(made.status, 201, made.text)
  const one = `${path}/${made.json.data.connectionId}`
  const changes = {
    issuer: 'http://127.0.0.1:10',
    clientId: 'mine',
    clientSecret: 'mine',
    strongMethods: ['pwd'],
    scopes: ['openid', 'email'],
    createsMembers: true,
    breakGlassUserIds: [],
    status: 'active',
  }
  for (const [field, value] of Object.entries(changes)) {
    const { status, json, text } = await t.call('PATCH', one, { as, body: { [field]: value } })
    assert.deepEqual([status, json.error?.code, json.error?.details?.[0]?.field], [403, 'scope_not_held', field], text)
  }
  assert.equal((await t.call('PATCH', one, { as, body: { name: 'Okta, new' } })).status, 200)
  assert.equal((await t.call('PATCH', one, { as: t.main.tokens.Admin, body: { strongMethods: ['hwk'] } })).status, 200)
})
