// Users: an Admin makes, reads and changes them. What takes rights away is in access.test.ts.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { type Answer, testPassword } from '../../../../test/harness.ts'
import { refused, startUsers } from '../../../../test/users.ts'

const { t, admin, login, meStatus, newUser } = await startUsers()

describe('creating', () => {
  test('answers 201 with the user, who can log in', async () => {
    const email = 'Grace.Hopper@example.com'
    const answer = await admin('POST', '', {
      email,
      name: '  Grace Hopper ',
      role: 'Finance Manager',
      password: testPassword,
      temporaryPassword: false,
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
      roleId: null,
      roleName: null,
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
    // What it asks for is not heard: a password that the server made is good for one login.
    const body = { email: 'generated@example.com', name: 'G', role: 'Sales Executive', temporaryPassword: false }
    const headers = { 'idempotency-key': 'generated 1' }
    const answer = await admin('POST', '', body, { headers })
    const { generatedPassword, user } = answer.json
    assert.match(generatedPassword, /^[\w-]{24}$/)
    // It is good for one login, which asks for another of the person's own.
    assert.equal((await login(body.email, generatedPassword)).json.code, 'password_change_required')
    const replay = await admin('POST', '', body, { headers })
    assert.equal(replay.headers['idempotent-replayed'], 'true')
    assert.equal(replay.text, answer.text)
    const stored = await t.ownerSql<{ row: string }>(
      'select k::text as row from idempotency_keys k union all select a::text from accounts a join users u on a.id = u.account_id where u.id = $1',
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
    await admin('PATCH', `/${id}`, { email: renamed, password: 'kvartal-obelisk-7', temporaryPassword: false })
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

test('v2 users/me returns who the credential is and what it may do', async () => {
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
