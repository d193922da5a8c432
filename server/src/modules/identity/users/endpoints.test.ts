// Users: an Admin makes and changes them; what takes rights away bites everywhere at once; the last Admin stays.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Answer, type CallOptions, startTestApp, type TestApp, testPassword } from '../../../../test/harness.ts'
import { rolePermissions } from '../../../kernel/permission.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const admin = (method: string, path: string, body?: unknown, options: CallOptions = {}) =>
  t.call(method, `/v1/api/users${path}`, { as: t.main.tokens.Admin, body, ...options })
const login = (emailOrAdminId: string, password = testPassword) =>
  t.call('POST', '/v1/api/auth/login', { body: { emailOrAdminId, password }, ip: '192.0.2.9' })
const meStatus = async (as: string) => (await t.call('GET', '/v1/api/auth/me', { as })).status

async function newUser(fields: object = {}) {
  const body = {
    email: `${randomUUID()}@example.com`,
    name: 'Grace Hopper',
    role: 'Sales Manager',
    password: testPassword,
    ...fields,
  }
  const answer = await admin('POST', '', body)
  assert.equal(answer.status, 201, answer.text)
  return answer.json.user as { id: number; email: string; admin_id: string | null; version: number }
}

async function refused(answering: Promise<Answer>, status: number, code: string): Promise<Answer> {
  const answer = await answering
  assert.equal(answer.json.code, code, answer.text)
  assert.equal(answer.status, status)
  return answer
}

describe('creating', () => {
  test('answers 201 with the user, who can log in', async () => {
    const email = 'Grace.Hopper@example.com'
    const answer = await admin('POST', '', {
      email,
      name: '  Grace Hopper ',
      role: 'Finance Manager',
      password: testPassword,
    })
    assert.equal(answer.status, 201)
    const { id, created_at, updated_at, ...rest } = answer.json.user
    assert.ok(Number.isInteger(id))
    assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.equal(updated_at, created_at)
    assert.deepEqual(rest, {
      email,
      name: 'Grace Hopper',
      role: 'Finance Manager',
      admin_id: null,
      disabled: false,
      version: 1,
    })
    assert.equal(answer.json.generatedPassword, undefined)
    assert.equal(answer.headers['etag'], '"1"')
    assert.equal((await login(email.toLowerCase())).json.user.id, id)
    assert.ok(!answer.text.includes('password'))
  })

  test('without a password makes one, shows it once, and stores it nowhere in clear', async () => {
    const body = { email: 'generated@example.com', name: 'G', role: 'Sales Executive' }
    const headers = { 'idempotency-key': 'generated 1' }
    const answer = await admin('POST', '', body, { headers })
    const { generatedPassword, user } = answer.json
    assert.match(generatedPassword, /^[\w-]{16}$/)
    assert.equal((await login(body.email, generatedPassword)).status, 200)
    const replay = await admin('POST', '', body, { headers })
    assert.equal(replay.headers['idempotent-replayed'], 'true')
    assert.equal(replay.text, answer.text)
    const stored = await t.ownerSql<{ row: string }>(
      'select k::text as row from idempotency_keys k union all select u::text from users u where id = $1',
      [user.id],
    )
    assert.equal(stored.length, 2)
    for (const { row } of stored) assert.ok(!row.includes(generatedPassword))
    assert.equal((await admin('GET', `/${user.id}`)).json.generatedPassword, undefined)
  })

  test('an Admin gets an administrator identifier that logs in', async () => {
    const { id, admin_id } = await newUser({ role: 'Admin' })
    assert.equal(admin_id, `ADM-${String(id).padStart(6, '0')}`)
    assert.equal((await login(admin_id as string)).json.user.id, id)
    await admin('PATCH', `/${id}`, { disabled: true })
  })

  test('an e-mail of another script than Latin, with blanks around it, logs in whatever its capitals and normal form', async () => {
    const { id, email } = await newUser({ email: '  Zoë.Иван@Почта.рф ' })
    assert.equal(email, 'zoë.иван@почта.рф')
    assert.equal((await login('ZOË.ИВАН@ПОЧТА.РФ')).json.user?.id, id)
    assert.equal((await login(email.normalize('NFD'))).json.user?.id, id)
    const body = { email: 'ZOË.иван@почта.РФ', name: 'Second', role: 'Admin' }
    await refused(admin('POST', '', body), 409, 'email_taken')
    const { json } = await admin('PATCH', `/${id}`, { email: ' Grace.Zoe@example.com\n' })
    assert.equal(json.user.email, 'Grace.Zoe@example.com')
  })

  test('an e-mail is taken in any capitals and in any organization', async () => {
    await newUser({ email: 'Taken@example.com' })
    const body = { name: 'T', role: 'Sales Manager', password: testPassword }
    await refused(admin('POST', '', { ...body, email: 'tAKEN@example.com' }), 409, 'email_taken')
    await refused(admin('POST', '', { ...body, email: t.other.users.Admin.email.toUpperCase() }), 409, 'email_taken')
    const race = await Promise.all([1, 2, 3].map(() => admin('POST', '', { ...body, email: 'race@example.com' })))
    assert.deepEqual(race.map(answer => answer.status).sort(), [201, 409, 409])
  })

  test('a weak password is refused, a short or long one is invalid', async () => {
    const body = { email: 'weak.person@example.com', name: 'W', role: 'Sales Manager' }
    for (const password of ['Password123!', '1234567890', 'weak.person.2026-x']) {
      const { json } = await refused(admin('POST', '', { ...body, password }), 422, 'weak_password')
      assert.equal(json.details[0].field, 'password')
    }
    for (const password of ['short', 'x'.repeat(129)]) {
      const { json } = await refused(admin('POST', '', { ...body, password }), 400, 'validation_failed')
      assert.equal(json.details[0].field, 'password')
    }
  })

  test('rights cannot be smuggled in', async () => {
    const body = { email: 'm@example.com', name: 'M', role: 'Sales Manager', password: testPassword }
    for (const extra of [
      { id: 1 },
      { organization_id: t.other.organizationId },
      { admin_id: 'ADM-000001' },
      { disabled: false },
    ]) {
      await refused(admin('POST', '', { ...body, ...extra }), 400, 'validation_failed')
    }
    await refused(admin('POST', '', { ...body, role: 'Owner' }), 400, 'validation_failed')
    await refused(admin('POST', '', { ...body, name: ' ' }), 400, 'validation_failed')
  })
})

describe('reading', () => {
  test('every role reads and writes as the permissions say', async () => {
    const { id } = await newUser()
    for (const [role, read, write] of [
      ['Admin', 200, 200],
      ['Sales Manager', 200, 403],
      ['Finance Manager', 200, 403],
      ['Sales Executive', 403, 403],
    ] as const) {
      const as = t.main.tokens[role]
      assert.equal((await t.call('GET', '/v1/api/users', { as })).status, read, role)
      assert.equal((await t.call('GET', `/v1/api/users/${id}`, { as })).status, read, role)
      assert.equal((await t.call('PATCH', `/v1/api/users/${id}`, { as, body: { name: role } })).status, write, role)
    }
  })

  test('filters by role, standing and part of name or e-mail, with exact totals', async () => {
    const mark = randomUUID().slice(0, 8)
    for (let n = 0; n < 3; n++) await newUser({ name: `Filter ${mark} ${n}`, role: 'Finance Manager' })
    const { id } = await newUser({ name: 'Other', email: `${mark}_100%@example.com`, role: 'Sales Executive' })
    await admin('PATCH', `/${id}`, { disabled: true })
    const total = async (query: string) => (await admin('GET', `?limit=200&${query}`)).json.pagination.totalCount
    assert.equal(await total(`q=filter ${mark}`), 3)
    assert.equal(await total(`q=${mark}`), 4)
    assert.equal(await total(`q=${mark}&role=Finance Manager`), 3)
    assert.equal(await total(`q=${mark}&disabled=true`), 1)
    assert.equal(await total(`q=${mark}&disabled=false`), 3)
    assert.equal(await total(`q=${mark}_100%25@`), 1)
    assert.equal(await total(`q=${mark}x100`), 0)
    assert.equal(await total('q=%25%25'), 0, 'signs of patterns are letters here')
    assert.equal(await total(`q=${encodeURIComponent("'; drop table users; --")}`), 0)
  })

  test('pages by number and by cursor over the same users, of this organization only', async () => {
    const { json: all } = await admin('GET', '?limit=200')
    const ids = all.users.map((user: { id: number }) => user.id)
    assert.equal(all.pagination.totalCount, ids.length)
    assert.ok(!ids.includes(t.other.users.Admin.id))
    const byPage: number[] = []
    for (let page = 1; byPage.length < ids.length; page++) {
      const { json } = await admin('GET', `?page=${page}&limit=3`)
      assert.deepEqual([json.pagination.page, json.pagination.limit, json.pagination.totalCount], [page, 3, ids.length])
      byPage.push(...json.users.map((user: { id: number }) => user.id))
    }
    assert.deepEqual(byPage, ids)
    const byCursor: number[] = []
    let cursor = ''
    do {
      const { json } = await admin('GET', `?limit=4${cursor && `&cursor=${cursor}`}`)
      byCursor.push(...json.users.map((user: { id: number }) => user.id))
      cursor = json.pagination.nextCursor
    } while (cursor)
    assert.deepEqual(byCursor, ids)
    const { json: beyond } = await admin('GET', '?page=999')
    assert.deepEqual([beyond.users, beyond.pagination.totalCount, beyond.pagination.nextCursor], [[], ids.length, null])
  })

  test('a forged cursor is refused before it reaches the database', async () => {
    const { json } = await admin('GET', '?limit=1')
    const [mark] = JSON.parse(Buffer.from(json.pagination.nextCursor, 'base64url').toString())
    for (const key of [['x'], [1.5], [null], [1, 2], [], ['1 or 1=1'], [1e300]]) {
      const cursor = Buffer.from(JSON.stringify([mark, ...key])).toString('base64url')
      await refused(admin('GET', `?cursor=${cursor}`), 400, 'invalid_cursor')
    }
    await refused(admin('GET', `?role=Admin&cursor=${json.pagination.nextCursor}`), 400, 'invalid_cursor')
  })

  test("another organization's user is not there, in bytes", async () => {
    const timeless = (answer: Answer) => answer.text.replace(/req_\w+/, '')
    const theirs = t.other.users['Sales Manager'].id
    for (const [method, body] of [['GET'], ['PATCH', { name: 'mine now' }]] as const) {
      const answer = await refused(admin(method, `/${theirs}`, body), 404, 'not_found')
      assert.equal(timeless(answer), timeless(await admin(method, '/999999999', body)))
    }
    const [row] = await t.ownerSql<{ name: string }>('select name from users where id = $1', [theirs])
    assert.equal(row?.name, 'Sales Manager')
  })
})

describe('changing', () => {
  test('carries versions: the ETag is taken, an old one is refused, nothing changed counts nothing', async () => {
    const { id } = await newUser()
    const first = await admin('PATCH', `/${id}`, { name: 'Second' }, { headers: { 'if-match': '"1"' } })
    assert.equal(first.json.user.version, 2)
    assert.equal(first.headers['etag'], '"2"')
    assert.equal(first.json.user.name, 'Second')
    await refused(
      admin('PATCH', `/${id}`, { name: 'Third' }, { headers: { 'if-match': '"1"' } }),
      412,
      'version_mismatch',
    )
    const same = await admin('PATCH', `/${id}`, { name: 'Second' })
    assert.equal(same.json.user.version, 2)
    assert.equal(same.json.user.updated_at, first.json.user.updated_at)
    await refused(admin('PATCH', `/${id}`, {}), 400, 'validation_failed')
  })

  test('another role, a new password or disabling ends sessions; a name or e-mail does not', async () => {
    for (const [change, survives] of [
      [{ name: 'Renamed' }, true],
      [{ email: `${randomUUID()}@example.com` }, true],
      [{ role: 'Sales Manager' }, true],
      [{ role: 'Sales Executive' }, false],
      [{ password: 'kvartal-obelisk-7' }, false],
      [{ disabled: true }, false],
    ] as const) {
      const { id, email } = await newUser()
      const { json } = await login(email)
      assert.equal(await meStatus(json.accessToken), 200)
      assert.equal((await admin('PATCH', `/${id}`, change)).status, 200)
      assert.equal(await meStatus(json.accessToken), survives ? 200 : 401, JSON.stringify(change))
      const refresh = await t.call('POST', '/v1/api/auth/refresh', { body: { refreshToken: json.refreshToken } })
      assert.equal(refresh.status, survives ? 200 : 401, JSON.stringify(change))
    }
  })

  test('a change of e-mail or password is the one that logs in', async () => {
    const { id, email } = await newUser()
    const renamed = `${randomUUID()}@example.com`
    await admin('PATCH', `/${id}`, { email: renamed, password: 'kvartal-obelisk-7' })
    assert.equal((await login(email)).status, 401)
    assert.equal((await login(renamed)).status, 401)
    const { json } = await login(renamed, 'kvartal-obelisk-7')
    assert.equal((await t.call('GET', '/v1/api/auth/me', { as: json.accessToken })).json.user.email, renamed)
    await refused(admin('PATCH', `/${id}`, { email: t.main.users.Admin.email }), 409, 'email_taken')
    await refused(admin('PATCH', `/${id}`, { password: 'password123' }), 422, 'weak_password')
    await refused(admin('PATCH', '/999999999', { password: 'kvartal-obelisk-7' }), 404, 'not_found')
  })

  test('the administrator identifier comes with the role and goes with it, and is the same again', async () => {
    const { id } = await newUser()
    const promoted = await admin('PATCH', `/${id}`, { role: 'Admin' })
    const adminId = promoted.json.user.admin_id
    assert.equal(adminId, `ADM-${String(id).padStart(6, '0')}`)
    assert.equal((await login(adminId)).status, 200)
    assert.equal((await admin('PATCH', `/${id}`, { role: 'Sales Manager' })).json.user.admin_id, null)
    assert.equal((await login(adminId)).status, 401)
    assert.equal((await admin('PATCH', `/${id}`, { role: 'Admin' })).json.user.admin_id, adminId)
    assert.equal((await admin('PATCH', `/${id}`, { disabled: true })).json.user.admin_id, adminId)
  })
})

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

test('two nodes: role, standing and password bite on the other one within two seconds', async () => {
  const node = await t.secondApp()
  const onOther = (as: string) => node.call('GET', '/v1/api/auth/me', { as })
  for (const change of [{ role: 'Sales Executive' }, { disabled: true }, { password: 'kvartal-obelisk-7' }]) {
    const { id, email } = await newUser()
    const { json } = await login(email)
    const key = await t.call('POST', '/v2/auth/api-keys', { as: json.accessToken, body: { name: 'own', mode: 'live' } })
    const secret = key.json.data.secret
    assert.deepEqual([(await onOther(json.accessToken)).status, (await onOther(secret)).status], [200, 200])
    await admin('PATCH', `/${id}`, change)
    const changed = performance.now()
    while ((await onOther(json.accessToken)).status !== 401) {
      assert.ok(performance.now() - changed < 2_000, `${JSON.stringify(change)} took more than two seconds`)
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    const { status, json: body } = await onOther(secret)
    if ('disabled' in change || 'password' in change) assert.equal(body.code, 'key_revoked')
    else assert.equal(status, 200)
    if ('role' in change) assert.equal(body.user.role, 'Sales Executive')
  }
})

test('v2 users/me tells who the credential is and what it may do', async () => {
  const get = async (as: string) => (await t.call('GET', '/v2/users/me', { as })).json
  const { status, data, meta } = await get(t.main.tokens['Finance Manager'])
  assert.equal(status, 200)
  assert.match(meta.requestId, /^req_/)
  assert.equal(data.userId, t.main.users['Finance Manager'].id)
  assert.deepEqual([data.keyId, data.scopes, data.mode, data.adminId], [null, null, 'live', null])
  assert.ok(data.permissions.includes('invoices:read') && !data.permissions.includes('leads:read'))
  const key = (await get(t.main.testKey)).data
  assert.deepEqual(
    [key.mode, key.tenantId, key.role, key.adminId],
    ['test', t.main.testTenantId, 'Admin', t.main.users.Admin.adminId],
  )
  assert.match(key.keyId, /^key_/)
})
