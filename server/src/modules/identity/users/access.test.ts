// What a user may: what takes rights away bites everywhere at once, also on keys and on other nodes; the last Admin stays.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { testPassword } from '../../../../test/harness.ts'
import { refused, startUsers } from '../../../../test/users.ts'
import { rolePermissions } from '../../../nouns.ts'

const { t, admin, login, meStatus, newUser } = await startUsers()

describe('a key', () => {
  const key = async (scopes: string[] | null, more: object = {}) => {
    const body = { name: 'k', mode: 'live', scopes, ...more }
    return (await t.call('POST', '/v2/auth/api-keys', { as: t.main.tokens.Admin, body })).json.data.secret as string
  }
  const asKey = (as: string) => ({ as })

  test('of test mode changes nobody, and makes no Admin who could log in live', async () => {
    const body = { email: 'intruder@example.com', name: 'I', role: 'Admin' }
    const { json } = await refused(admin('POST', '', body, asKey(t.main.testKey)), 403, 'live_mode_required')
    assert.match(json.message, /live key/)
    const { id } = await newUser()
    for (const change of [{ name: 'X' }, { password: 'kvartal-obelisk-7' }, { disabled: true }]) {
      await refused(admin('PATCH', `/${id}`, change, asKey(t.main.testKey)), 403, 'live_mode_required')
    }
    const organization = await t.call('PATCH', '/v2/organization', { as: t.main.testKey, body: { name: 'Mine' } })
    assert.equal(organization.json.error.code, 'live_mode_required')
  })

  test('with users:manage alone hands out no role and no account, not even the one it is of; a name it may change', async () => {
    const narrow = asKey(await key(['users:manage']))
    const { id } = await newUser()
    for (const role of ['Admin', 'Sales Executive']) {
      const body = { email: `${randomUUID()}@example.com`, name: 'N', role }
      const { json } = await refused(admin('POST', '', body, narrow), 403, 'scope_not_held')
      assert.equal(json.details[0].field, 'role')
    }
    for (const target of [id, t.main.users.Admin.id, t.main.users['Sales Executive'].id]) {
      for (const [field, change] of [
        ['password', { password: 'kvartal-obelisk-7' }],
        ['email', { email: `${randomUUID()}@example.com` }],
        ['role', { role: 'Sales Executive' }],
        ['disabled', { disabled: true }],
        ['end_keys', { end_keys: true }],
      ] as const) {
        const { json } = await refused(admin('PATCH', `/${target}`, change, narrow), 403, 'scope_not_held')
        assert.equal(json.details[0].field, field)
      }
    }
    assert.equal((await admin('PATCH', `/${id}`, { name: 'Renamed' }, narrow)).status, 200)
  })

  test('hands out what it holds itself, while it does not expire', async () => {
    const sales = [...rolePermissions['Sales Executive'], 'users:manage']
    const body = () => ({ email: `${randomUUID()}@example.com`, name: 'S', role: 'Sales Executive' })
    const wide = asKey(await key(sales))
    const { json } = await admin('POST', '', body(), wide)
    assert.equal(json.user?.role, 'Sales Executive')
    await refused(admin('PATCH', `/${json.user.id}`, { role: 'Sales Manager' }, wide), 403, 'scope_not_held')
    assert.equal((await admin('PATCH', `/${json.user.id}`, { disabled: true }, wide)).status, 200)
    assert.equal((await admin('POST', '', body(), asKey(await key(null)))).status, 201)
    const expiresAt = new Date(t.clock.now() + 60_000).toISOString()
    await refused(admin('POST', '', body(), asKey(await key(null, { expiresAt }))), 403, 'scope_not_held')
  })
})

describe('the keys of a user', () => {
  async function withKeys() {
    const { id, email } = await newUser()
    const as = (await login(email)).json.accessToken
    const make = async (mode: string) =>
      (await t.call('POST', '/v2/auth/api-keys', { as, body: { name: 'own', mode } })).json.data.secret as string
    return { id, secrets: [await make('live'), await make('test')] }
  }

  test('end when somebody else sets the password, unless that is said otherwise', async () => {
    for (const [change, survives] of [
      [{ password: 'kvartal-obelisk-7' }, false],
      [{ password: 'kvartal-obelisk-7', end_keys: false }, true],
      [{ name: 'Renamed' }, true],
      [{ end_keys: true }, false],
    ] as const) {
      const { id, secrets } = await withKeys()
      const { json } = await admin('PATCH', `/${id}`, change)
      assert.equal(json.ended_keys, survives ? 0 : 2)
      for (const secret of secrets) assert.equal(await meStatus(secret), survives ? 200 : 401, JSON.stringify(change))
    }
  })

  test('come back with a disabled user, unless they were ended for good', async () => {
    for (const end_keys of [false, true]) {
      const { id, secrets } = await withKeys()
      await admin('PATCH', `/${id}`, { disabled: true, end_keys })
      for (const secret of secrets) assert.equal(await meStatus(secret), 401)
      await admin('PATCH', `/${id}`, { disabled: false })
      for (const secret of secrets) assert.equal(await meStatus(secret), end_keys ? 401 : 200)
    }
  })
})

describe('the last Admin', () => {
  const other = (id: number, body: object, as = t.other.tokens.Admin) =>
    t.call('PATCH', `/v1/api/users/${id}`, { as, body })

  test('can be neither demoted nor disabled, but renamed', async () => {
    const { id } = t.other.users.Admin
    await refused(other(id, { disabled: true }), 409, 'last_owner')
    await t.ownerSql('update organizations set owner_user_id = null where id = $1', [t.other.organizationId])
    await refused(other(id, { role: 'Finance Manager' }), 409, 'last_admin')
    await refused(other(id, { disabled: true }), 409, 'last_admin')
    await refused(other(id, { disabled: true, role: 'Admin' }), 409, 'last_admin')
    assert.equal((await other(id, { name: 'Still Admin', role: 'Admin', disabled: false })).status, 200)
  })

  test('of two Admins who are lost at the same moment, one stays, ten times out of ten', async () => {
    const key = t.other.liveKey
    const create = (n: number) =>
      t.call('POST', '/v1/api/users', {
        as: key,
        body: { email: `second${n}@other.example`, name: 'Second', role: 'Admin', password: testPassword },
      })
    for (let round = 0; round < 10; round++) {
      const second = (await create(round)).json.user.id
      const first = t.other.users.Admin.id
      const changes = round % 2 === 0 ? { role: 'Sales Manager' } : { disabled: true }
      const answers = await Promise.all([other(first, changes, key), other(second, changes, key)])
      const [{ admins } = { admins: 0 }] = await t.ownerSql<{ admins: number }>(
        "select count(*) as admins from users where organization_id = $1 and role = 'Admin' and disabled_at is null",
        [t.other.organizationId],
      )
      assert.equal(Number(admins), 1, answers.map(answer => answer.text).join('\n'))
      // When the first was lost, its key is no key any more: SQL puts things back.
      await t.ownerSql("update users set role = 'Admin', disabled_at = null where id = $1", [first])
      await t.ownerSql("update users set role = 'Sales Manager', admin_id = null where id = $1", [second])
      t.app.services.authenticator.forget()
    }
  })
})

test('two nodes: role, standing and password bite on the other one once it looks', async () => {
  const node = await t.secondApp()
  const onOther = (as: string) => node.call('GET', '/v1/api/auth/me', { as })
  for (const change of [{ role: 'Sales Executive' }, { disabled: true }, { password: 'kvartal-obelisk-7' }]) {
    const { id, email } = await newUser()
    const { json } = await login(email)
    const key = await t.call('POST', '/v2/auth/api-keys', { as: json.accessToken, body: { name: 'own', mode: 'live' } })
    const secret = key.json.data.secret
    assert.deepEqual([(await onOther(json.accessToken)).status, (await onOther(secret)).status], [200, 200])
    await admin('PATCH', `/${id}`, change)
    await node.app.services.authenticator.poll()
    assert.equal((await onOther(json.accessToken)).status, 401, JSON.stringify(change))
    const { status, json: body } = await onOther(secret)
    if ('disabled' in change || 'password' in change) assert.equal(body.code, 'key_revoked')
    else assert.equal(status, 200)
    if ('role' in change) assert.equal(body.user.role, 'Sales Executive')
  }
})
