// API keys: the secret is shown once and kept nowhere, no key outgrows its maker, and an ended key is dead everywhere.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Answer, type CallOptions, startTestApp, type TestApp, testPassword } from '../../../../test/harness.ts'
import { newId, parseApiKey } from '../../../kernel/values/ids.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const path = '/v2/auth/api-keys'
const asAdmin = () => t.main.tokens.Admin
const create = (body: object = {}, as = asAdmin(), options: CallOptions = {}) =>
  t.call('POST', path, { as, body: { name: 'Website', mode: 'live', ...body }, ...options })
const list = (query = '', as = asAdmin()) => t.call('GET', `${path}?limit=200&${query}`, { as })
const revoke = (keyId: string, as = asAdmin()) => t.call('DELETE', `${path}/${keyId}`, { as })
const rotate = (keyId: string, body?: object, as = asAdmin()) => t.call('POST', `${path}/${keyId}/rotate`, { as, body })
const me = (as: string) => t.call('GET', '/v1/api/auth/me', { as })

async function newKey(body: object = {}, as = asAdmin()): Promise<{ keyId: string; secret: string }> {
  const { status, text, json } = await create(body, as)
  assert.equal(status, 201, text)
  return json.data
}

async function refused(answering: Promise<Answer>, status: number, code: string): Promise<Answer> {
  const answer = await answering
  assert.equal(answer.json.error?.code, code, answer.text)
  assert.equal(answer.status, status)
  return answer
}

const keyIds = (answer: Answer): string[] => answer.json.data.map((key: { keyId: string }) => key.keyId)

describe('creating', () => {
  test('answers the key with its secret, which works in its tenant and on both versions', async () => {
    for (const mode of ['live', 'test'] as const) {
      const { json } = await create({ name: ' Website ', mode })
      const { keyId, secret, createdAt, lastFour, ...rest } = json.data
      assert.equal(json.status, 201)
      assert.equal(parseApiKey(secret)?.mode, mode)
      assert.equal(lastFour, secret.slice(-4))
      assert.match(createdAt, /Z$/)
      const fresh = { expiresAt: null, lastUsedAt: null, revokedAt: null, replacedBy: null, parentId: null }
      assert.deepEqual(rest, { ...fresh, name: 'Website', mode, scopes: null, userId: t.main.users.Admin.id })
      const { tenant } = (await me(secret)).json
      assert.deepEqual(tenant, { id: mode === 'live' ? t.main.liveTenantId : t.main.testTenantId, mode })
      assert.equal((await t.call('GET', '/v2/users/me', { as: secret })).json.data.keyId, keyId)
    }
  })

  test('the secret is in no list and in no table, also when a repeat brings it again', async () => {
    const headers = { 'idempotency-key': 'create once' }
    const first = await create({ name: 'once' }, asAdmin(), { headers })
    const { keyId, secret } = first.json.data
    const repeat = await create({ name: 'once' }, asAdmin(), { headers })
    assert.equal(repeat.headers['idempotent-replayed'], 'true')
    assert.equal(repeat.text, first.text, 'a lost answer can be had again, byte for byte')
    assert.ok(!(await list()).text.includes(secret))
    const rows = await t.ownerSql<{ row: string }>(
      `select k::text as row from idempotency_keys k union all select a::text from api_keys a where id = $1
       union all select e::text from event_log e`,
      [keyId],
    )
    assert.ok(rows.length >= 2)
    const random = secret.slice('tdm_live_'.length, -6)
    for (const { row } of rows) {
      assert.ok(!row.includes(random), 'the secret lies open in the database')
      for (const match of row.matchAll(/\\x([0-9a-f]+)/g))
        assert.ok(!Buffer.from(match[1] as string, 'hex').includes(random))
    }
    assert.equal(rows.filter(({ row }) => row.includes('sealed.1.')).length, 1)
  })

  test('gives no more than the maker holds, and names each scope that is too much', async () => {
    const as = t.main.tokens['Sales Executive']
    const answer = await refused(
      create({ scopes: ['leads:read', 'leads:delete', 'users:manage'] }, as),
      403,
      'scope_not_held',
    )
    const fields = answer.json.error.details.map((fault: { field: string }) => fault.field)
    assert.deepEqual(fields, ['scopes[1]', 'scopes[2]'])
    assert.match(answer.json.error.message, /leads:delete/)

    const { secret: narrow } = await newKey({ scopes: ['keys:manage', 'leads:read'] })
    await refused(create({}, narrow), 403, 'scope_not_held')
    await refused(create({ scopes: null }, narrow), 403, 'scope_not_held')
    await refused(create({ scopes: ['leads:read', 'leads:create'] }, narrow), 403, 'scope_not_held')
    const { secret: narrower } = await newKey({ scopes: ['leads:read'] }, narrow)
    assert.equal((await me(narrower)).json.error, 'Forbidden')
    await refused(create({ mode: 'live' }, t.main.testKey), 403, 'scope_not_held')
    assert.equal((await create({ mode: 'test' }, t.main.testKey)).status, 201)
  })

  test('refuses what is no permission, no mode, no name, no time to come', async () => {
    const faults = async (body: object) => (await refused(create(body), 400, 'validation_failed')).json.error.details[0]
    assert.equal((await faults({ scopes: ['leads:steal'] })).field, 'scopes[0]')
    assert.equal((await faults({ scopes: [] })).field, 'scopes')
    assert.equal((await faults({ scopes: ['leads:read', 'leads:read'] })).field, 'scopes')
    assert.equal((await faults({ mode: 'prod' })).field, 'mode')
    assert.equal((await faults({ name: '  ' })).field, 'name')
    for (const expiresAt of [
      '2020-01-01T00:00:00Z',
      '2030-01-01',
      'tomorrow',
      '2026-13-01T00:00:00Z',
      '2030-06-30T23:59:60Z',
    ]) {
      assert.equal((await faults({ expiresAt })).field, 'expiresAt', expiresAt)
    }
  })

  test('an expiry ends the key by itself', async () => {
    const expiresAt = new Date(t.clock.now() + 3_600_000).toISOString()
    const { keyId, secret } = await newKey({ expiresAt })
    assert.equal((await me(secret)).status, 200)
    await t.ownerSql('update api_keys set expires_at = clock_timestamp() where id = $1', [keyId])
    t.app.services.authenticator.forget()
    assert.equal((await me(secret)).json.code, 'key_expired')
    assert.equal((await t.call('GET', '/v2/organization', { as: secret })).json.error.code, 'key_expired')
    await refused(rotate(keyId), 409, 'key_not_active')
  })
})

describe('listing', () => {
  test('an Admin sees all keys, others their own, a test key no live ones', async () => {
    const executive = t.main.tokens['Sales Executive']
    const [mine, admins] = [await newKey({}, executive), await newKey()]
    const testKey = await newKey({ mode: 'test' })
    assert.deepEqual(keyIds(await list('', executive)), [mine.keyId])
    const all = keyIds(await list())
    for (const { keyId } of [mine, admins, testKey]) assert.ok(all.includes(keyId))
    const seenByTestKey = (await list('', t.main.testKey)).json.data
    assert.ok(seenByTestKey.some((key: { keyId: string }) => key.keyId === testKey.keyId))
    assert.ok(seenByTestKey.every((key: { mode: string }) => key.mode === 'test'))
    const foreign = keyIds(await list('', t.other.tokens.Admin))
    assert.ok(foreign.every(keyId => !all.includes(keyId)))
  })

  test('newest first, by cursor, with filters; a last use is shown', async () => {
    const made: string[] = []
    for (let n = 0; n < 5; n++)
      made.unshift((await newKey({ name: `page ${n}` }, t.main.tokens['Finance Manager'])).keyId)
    const as = t.main.tokens['Finance Manager']
    const seen: string[] = []
    let cursor = ''
    do {
      const { json } = await t.call('GET', `${path}?limit=2${cursor && `&cursor=${cursor}`}`, { as })
      assert.equal(json.meta.pagination.hasMore, json.meta.pagination.nextCursor !== null)
      seen.push(...json.data.map((key: { keyId: string }) => key.keyId))
      cursor = json.meta.pagination.nextCursor
    } while (cursor)
    assert.deepEqual(seen, made)
    await revoke(made[0] as string, as)
    assert.deepEqual(keyIds(await list('active=false', as)), [made[0]])
    assert.deepEqual(keyIds(await list('active=true', as)), made.slice(1))
    assert.deepEqual(keyIds(await list('mode=test', as)), [])
    assert.deepEqual(keyIds(await list(`userId=${t.main.users['Finance Manager'].id}`)), made)
    const { keyId, secret } = await newKey({}, as)
    await me(secret)
    await t.sql('select touch_api_keys($1, $2)', [[keyId], ['2026-11-21T09:00:00Z']])
    assert.equal((await list('', as)).json.data[0].lastUsedAt, '2026-11-21T09:00:00.000Z')
  })

  test('a forged cursor is refused', async () => {
    await newKey()
    await newKey()
    const { json } = await t.call('GET', `${path}?limit=1`, { as: asAdmin() })
    const [mark] = JSON.parse(Buffer.from(json.meta.pagination.nextCursor, 'base64url').toString())
    for (const key of [[1], ['key_x'], ['key_\u0000'], [newId('msg')], []]) {
      const cursor = Buffer.from(JSON.stringify([mark, ...key])).toString('base64url')
      await refused(t.call('GET', `${path}?cursor=${cursor}`, { as: asAdmin() }), 400, 'invalid_cursor')
    }
  })
})

describe('ending', () => {
  test('a revoked key stops at once here, and on the other node once it looks', async () => {
    const node = await t.secondApp()
    const { keyId, secret } = await newKey()
    const onOther = () => node.call('GET', '/v1/api/auth/me', { as: secret })
    assert.equal((await onOther()).status, 200)
    assert.equal((await me(secret)).status, 200)
    const answer = await revoke(keyId)
    assert.equal(answer.status, 200)
    assert.match(answer.json.data.revokedAt, /Z$/)
    assert.equal((await me(secret)).json.code, 'key_revoked')
    await node.app.services.authenticator.poll()
    assert.equal((await onOther()).status, 401)
    const again = await revoke(keyId)
    assert.equal(again.json.data.revokedAt, answer.json.data.revokedAt, 'ending it again changes nothing')
  })

  test('a key may end itself', async () => {
    const { keyId, secret } = await newKey()
    assert.equal((await revoke(keyId, secret)).status, 200)
    assert.equal((await me(secret)).json.code, 'key_revoked')
  })

  test("others' keys are not there: of another user, organization, or of live mode for a test key", async () => {
    const { keyId } = await newKey()
    const timeless = (answer: Answer) => answer.text.replace(/req_\w+/, '').replace(/\d+ms/, '')
    for (const as of [t.main.tokens['Sales Manager'], t.other.tokens.Admin, t.main.testKey]) {
      const nobodys = `${keyId.slice(0, -4)}zzzz`
      assert.equal(timeless(await refused(revoke(keyId, as), 404, 'not_found')), timeless(await revoke(nobodys, as)))
      await refused(rotate(keyId, {}, as), 404, 'not_found')
    }
    await refused(revoke('key_nonsense'), 404, 'not_found')
    assert.ok(keyIds(await list('active=true')).includes(keyId))
  })
})

describe('rotating', () => {
  test('makes a key like the old one; both work during the overlap, then the new one', async () => {
    const expiresAt = new Date(t.clock.now() + 90 * 86_400_000).toISOString()
    const old = await newKey({ name: 'rotated', scopes: ['profile:read', 'leads:read'], expiresAt })
    const answer = await rotate(old.keyId, { overlapSeconds: 3600 })
    assert.equal(answer.status, 201)
    const { keyId, secret, name, mode, scopes, revokedAt } = answer.json.data
    assert.deepEqual(
      [name, mode, scopes, answer.json.data.expiresAt, revokedAt],
      ['rotated', 'live', ['profile:read', 'leads:read'], expiresAt, null],
    )
    assert.notEqual(secret, old.secret)
    assert.deepEqual([(await me(secret)).status, (await me(old.secret)).status], [200, 200])
    const listed = (await list()).json.data.find((key: { keyId: string }) => key.keyId === old.keyId)
    assert.equal(listed.replacedBy, keyId)
    const left = Date.parse(listed.revokedAt) - Date.now()
    assert.ok(Math.abs(left - 3_600_000) < 60_000)
    await t.ownerSql('update api_keys set revoked_at = clock_timestamp() where id = $1', [old.keyId])
    t.app.services.authenticator.forget()
    assert.deepEqual([(await me(secret)).status, (await me(old.secret)).json.code], [200, 'key_revoked'])
    await refused(rotate(old.keyId), 409, 'key_not_active')
  })

  test('without a body overlaps a day; with none at all ends the old one on every node', async () => {
    const first = await newKey()
    await rotate(first.keyId)
    const [row] = await t.ownerSql<{ seconds: number }>(
      'select extract(epoch from revoked_at - clock_timestamp())::float8 as seconds from api_keys where id = $1',
      [first.keyId],
    )
    assert.ok(Math.abs((row?.seconds ?? 0) - 86_400) < 60)
    const node = await t.secondApp()
    const second = await newKey()
    assert.equal((await node.call('GET', '/v1/api/auth/me', { as: second.secret })).status, 200)
    await rotate(second.keyId, { overlapSeconds: 0 })
    assert.equal((await me(second.secret)).json.code, 'key_revoked')
    await node.app.services.authenticator.poll()
    assert.equal((await node.call('GET', '/v1/api/auth/me', { as: second.secret })).status, 401)
    for (const overlapSeconds of [-1, 604_801, 1.5, '60']) {
      await refused(rotate(first.keyId, { overlapSeconds }), 400, 'validation_failed')
    }
  })

  test('an end that is near is not put off', async () => {
    const { keyId } = await newKey()
    await rotate(keyId, { overlapSeconds: 60 })
    await rotate(keyId, { overlapSeconds: 604_800 })
    const [row] = await t.ownerSql<{ seconds: number }>(
      'select extract(epoch from revoked_at - clock_timestamp())::float8 as seconds from api_keys where id = $1',
      [keyId],
    )
    assert.ok((row?.seconds ?? 999) <= 60)
  })

  test('a key gets no stronger one by rotating, and an Admin rotates for the owner', async () => {
    const strong = await newKey({ scopes: ['leads:read', 'users:manage'] })
    const { secret: weak } = await newKey({ scopes: ['keys:manage', 'leads:read'] })
    await refused(rotate(strong.keyId, {}, weak), 403, 'scope_not_held')
    const { secret: whole } = await newKey()
    assert.equal((await rotate(strong.keyId, {}, whole)).status, 201)
    const own = await newKey({}, t.main.tokens['Sales Executive'])
    const { json } = await rotate(own.keyId)
    assert.equal(json.data.userId, t.main.users['Sales Executive'].id)
    assert.equal((await me(json.data.secret)).json.user.role, 'Sales Executive')
  })

  test('a repeat with the same Idempotency-Key makes one key', async () => {
    const { keyId } = await newKey()
    const headers = { 'idempotency-key': 'rotate once' }
    const post = () => t.call('POST', `${path}/${keyId}/rotate`, { as: asAdmin(), headers })
    const answers = await Promise.all([post(), post()])
    assert.equal(answers[0]?.text, answers[1]?.text)
    assert.equal(answers[0]?.status, 201)
  })
})

describe('keys that keys made', () => {
  const inAnHour = () => new Date(t.clock.now() + 3_600_000).toISOString()

  test('end no later than the key that made them, and say so', async () => {
    const expiresAt = inAnHour()
    const { keyId, secret } = await newKey({ expiresAt })
    const child = (await create({ name: 'child' }, secret)).json.data
    assert.deepEqual([child.expiresAt, child.parentId], [expiresAt, keyId], 'what is left out is inherited')
    for (const later of [null, new Date(Date.parse(expiresAt) + 1).toISOString()]) {
      const answer = await refused(create({ expiresAt: later }, secret), 403, 'scope_not_held')
      assert.equal(answer.json.error.details[0].field, 'expiresAt')
      assert.match(answer.text, new RegExp(expiresAt))
    }
    const [forever, own] = [await newKey(), await newKey({ expiresAt: inAnHour() }, secret).catch(() => undefined)]
    assert.equal(own, undefined, 'an hour from now is later than the hour of the parent')
    await refused(rotate(forever.keyId, {}, secret), 403, 'scope_not_held')
    assert.equal((await rotate(keyId, { overlapSeconds: 60 }, secret)).status, 201, 'a key may renew itself')
    await refused(rotate(keyId, {}, secret), 403, 'scope_not_held')
  })

  test('are revoked with it, to the last grandchild, on every node; those of others stay', async () => {
    const [first, stranger] = [await newKey(), await newKey()]
    const second = await newKey({}, first.secret)
    const third = await newKey({}, second.secret)
    const node = await t.secondApp()
    assert.equal((await node.call('GET', '/v1/api/auth/me', { as: third.secret })).status, 200)
    await revoke(first.keyId)
    for (const { secret } of [first, second, third]) assert.equal((await me(secret)).json.code, 'key_revoked')
    assert.equal((await me(stranger.secret)).status, 200)
    await node.app.services.authenticator.poll()
    assert.equal((await node.call('GET', '/v1/api/auth/me', { as: third.secret })).status, 401)
  })

  test('go over to the key it is rotated into, also when they rotate one another', async () => {
    const first = await newKey()
    const child = await newKey({}, first.secret)
    const next = (await rotate(first.keyId, { overlapSeconds: 0 })).json.data
    assert.equal((await me(child.secret)).status, 200)
    const again = (await rotate(next.keyId, { overlapSeconds: 0 }, child.secret)).json.data
    assert.equal(again.parentId, child.keyId, 'the child knows the secret')
    await revoke(child.keyId)
    for (const secret of [child.secret, again.secret]) assert.equal((await me(secret)).json.code, 'key_revoked')
  })

  test('are 50 a user and mode at most, also when they are asked for at the same moment', async () => {
    const as = t.other.tokens['Finance Manager']
    const answers = await Promise.all(Array.from({ length: 60 }, () => create({ name: 'many' }, as)))
    const statuses = Map.groupBy(answers, ({ status }) => status)
    assert.deepEqual([statuses.get(201)?.length, statuses.get(409)?.length], [50, 10])
    assert.match(statuses.get(409)?.[0]?.text ?? '', /too_many_keys/)
    const keyId = statuses.get(201)?.[0]?.json.data.keyId
    await refused(rotate(keyId, {}, as), 409, 'too_many_keys')
    assert.equal((await create({ mode: 'test' }, as)).status, 201, 'test keys do not stand in the way of live ones')
    await revoke(keyId, as)
    assert.equal((await create({}, as)).status, 201)
  })
})

test('an organization has at most 500 test keys that work, however many users make them', async () => {
  const { organizationId, testTenantId, users, tokens } = t.other
  await t.ownerSql(
    `insert into api_keys (organization_id, tenant_id, user_id, id, name, mode, hash, last_four)
      select $1, $2, $3, 'key_' || lpad(n::text, 26, '0'), 'flood', 'test', decode(md5(n::text), 'hex'), '0000'
      from generate_series(1, 500 - (select count(*) from api_keys where tenant_id = $2 and revoked_at is null)) n`,
    [organizationId, testTenantId, users.Admin.id],
  )
  const as = tokens['Sales Executive']
  const answer = await refused(create({ mode: 'test' }, as), 409, 'too_many_keys')
  assert.match(answer.text, /The organization has 500 API keys that work in test mode.*Revoke one/)
  assert.equal((await create({}, as)).status, 201, 'live keys are counted apart')
})

test('the login of a test token lists the same keys as a live one', async () => {
  const body = { emailOrAdminId: t.main.users.Admin.email, password: testPassword, mode: 'test' }
  const { json } = await t.call('POST', '/v1/api/auth/login', { body })
  assert.deepEqual(keyIds(await list('', json.accessToken)), keyIds(await list()))
})
