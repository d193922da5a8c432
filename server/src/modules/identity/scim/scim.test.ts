// SCIM as Okta and Entra speak it: their requests as they are sent, with all that is odd about them.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { eventually } from '../../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { somebody } from '../../../../test/people.ts'
import { ownDomain } from '../../../../test/sso.ts'
import { groupShape, userShape } from './documents.ts'
import { parseFilter } from './filter.ts'
import { applyPatch } from './patch.ts'
import type { JsonObject } from './values.ts'

let t: TestApp
let key: string

async function newKey(scopes: string[]): Promise<string> {
  const body = { name: 'provider', mode: 'live', scopes }
  const { json, text } = await t.call('POST', '/v2/auth/api-keys', { as: t.main.tokens.Admin, body })
  assert.ok(json.data, text)
  return json.data.secret ?? json.data.key ?? json.data.apiKey
}

before(async () => {
  t = await startTestApp()
  await ownDomain(t, t.main.organizationId)
  key = await newKey(['scim:manage'])
  const body = { enabled: true, groupMap: [{ group: 'Finance', role: 'Finance Manager' }] }
  const { status, text } = await t.call('PATCH', '/v2/organization/scim', { as: t.main.tokens.Admin, body })
  assert.equal(status, 200, text)
})
after(() => t?.close())

const scim = (method: string, path: string, body?: object, as = key) =>
  t.call(method, `/scim/v2${path}`, {
    as,
    ...(body !== undefined && { rawBody: JSON.stringify(body), headers: { 'content-type': 'application/scim+json' } }),
  })

let made = 0
async function newUser(more: object = {}) {
  const userName = `person${++made}@example.com`
  const body = { schemas: [], userName, name: { givenName: 'Grace', familyName: 'Hopper' }, active: true, ...more }
  const answer = await scim('POST', '/Users', body)
  assert.equal(answer.status, 201, answer.text)
  return JSON.parse(answer.text)
}

async function newGroup(displayName: string, members: string[] = []) {
  const answer = await scim('POST', '/Groups', { displayName, members: members.map(value => ({ value })) })
  assert.equal(answer.status, 201, answer.text)
  return JSON.parse(answer.text)
}
const membersOf = async (id: string) =>
  JSON.parse((await scim('GET', `/Groups/${id}`)).text).members.map(({ value }: { value: string }) => value)
const patch = (path: string, ...Operations: object[]) => scim('PATCH', path, { Operations })

describe('who is let in', () => {
  test('a key with this scope alone, while it is switched on', async () => {
    assert.equal((await t.call('GET', '/scim/v2/Users')).status, 401)
    for (const as of [
      t.main.liveKey,
      t.main.testKey,
      t.main.tokens.Admin,
      await newKey(['scim:manage', 'leads:read']),
    ]) {
      const refused = await scim('GET', '/Users', undefined, as)
      assert.equal(refused.status, 403)
      assert.match(refused.headers['content-type'] as string, /^application\/scim\+json/)
    }
  })

  test('it says what it can', async () => {
    for (const path of ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas', '/Users?startIndex=1&count=2'])
      assert.equal((await scim('GET', path)).status, 200, path)
    assert.equal((await scim('GET', '/Nothing')).status, 404)
  })
})

describe('Okta', () => {
  test('looks somebody up, creates them, changes them, disables them', async () => {
    const none = JSON.parse(
      (await scim('GET', '/Users?filter=userName%20eq%20%22okta%40example.com%22&startIndex=1&count=100')).text,
    )
    assert.deepEqual([none.totalResults, none.Resources], [0, []])
    const user = await newUser({
      userName: 'okta@example.com',
      externalId: '00u1',
      emails: [{ primary: true, value: 'okta@example.com', type: 'work' }],
    })
    assert.equal(user.name.givenName, 'Grace')
    const put = await scim('PUT', `/Users/${user.id}`, {
      ...user,
      name: { givenName: 'Ada', familyName: 'Park' },
      displayName: 'Ada Park',
    })
    assert.equal(JSON.parse(put.text).displayName, 'Ada Park', put.text)
    const off = JSON.parse((await patch(`/Users/${user.id}`, { op: 'replace', value: { active: false } })).text)
    assert.equal(off.active, false)
    const again = await scim('POST', '/Users', { userName: 'okta@example.com' })
    assert.deepEqual([again.status, JSON.parse(again.text).scimType], [409, 'uniqueness'])
  })
})

describe('Entra', () => {
  test('writes False as a text, and operations in capitals', async () => {
    const user = await newUser()
    const off = await patch(`/Users/${user.id}`, { op: 'Replace', path: 'active', value: 'False' })
    assert.equal(JSON.parse(off.text).active, false, off.text)
    const on = await patch(`/Users/${user.id}`, { op: 'Add', path: 'active', value: 'True' })
    assert.equal(JSON.parse(on.text).active, true)
  })

  test('names fields with dots and without a path, and those of extensions', async () => {
    const user = await newUser()
    const changed = await patch(
      `/Users/${user.id}`,
      { op: 'Replace', value: { 'name.givenName': 'Lise', 'name.familyName': 'Meitner' } },
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Physics' },
      { op: 'Replace', path: 'emails[type eq "work"].value', value: 'lise@example.com' },
    )
    const { displayName, emails } = JSON.parse(changed.text)
    assert.deepEqual([displayName, emails[0].value], ['Lise Meitner', 'lise@example.com'], changed.text)
  })

  test('removes members by value, which empties no group', async () => {
    const [one, two] = [await newUser(), await newUser()]
    const group = await newGroup('Everybody')
    await patch(`/Groups/${group.id}`, { op: 'Add', path: 'members', value: [{ value: one.id }, { value: two.id }] })
    await patch(`/Groups/${group.id}`, { op: 'Remove', path: 'members', value: [{ value: one.id }] })
    assert.deepEqual(await membersOf(group.id), [two.id])
    await patch(`/Groups/${group.id}`, { op: 'Add', path: 'members', value: [{ value: one.id }] })
    await patch(`/Groups/${group.id}`, { op: 'remove', path: `members[value eq "${two.id}"]` })
    assert.deepEqual(await membersOf(group.id), [one.id])
    const found = JSON.parse(
      (await scim('GET', '/Groups?excludedAttributes=members&filter=displayName eq "everybody"')).text,
    )
    assert.deepEqual([found.totalResults, 'members' in found.Resources[0]], [1, false])
  })
})

describe('what it does to members', () => {
  test('a group of the map gives its role, and leaving it takes it away', async () => {
    const user = await newUser()
    const roleOf = async () => JSON.parse((await scim('GET', `/Users/${user.id}`)).text).roles[0].value
    assert.equal(await roleOf(), 'Sales Executive')
    const group = await newGroup('finance', [user.id])
    assert.equal(await roleOf(), 'Finance Manager')
    await patch(`/Groups/${group.id}`, { op: 'remove', path: 'members', value: [{ value: user.id }] })
    assert.equal(await roleOf(), 'Sales Executive')
  })

  test('an address at a domain that is not verified makes nobody a member', async () => {
    const refused = await scim('POST', '/Users', { userName: 'x@gmail.example' })
    assert.deepEqual([refused.status, JSON.parse(refused.text).scimType], [400, 'invalidValue'])
  })

  test('who is deleted is disabled, not shown, and comes back as the same', async () => {
    const user = await newUser()
    assert.equal((await scim('DELETE', `/Users/${user.id}`)).status, 204)
    assert.equal((await scim('GET', `/Users/${user.id}`)).status, 404)
    const back = await scim('POST', '/Users', { userName: user.userName })
    assert.deepEqual([back.status, JSON.parse(back.text).id], [201, user.id], back.text)
  })

  test('sessions and keys of who is disabled end', async () => {
    const { id } = t.main.users['Sales Manager']
    const as = t.main.tokens['Sales Manager']
    const body = { name: 'own', mode: 'live', scopes: ['leads:read'] }
    await t.call('POST', '/v2/auth/api-keys', { as, body })
    assert.equal((await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })).status, 200)
    assert.equal((await t.call('GET', '/v2/users/me', { as })).status, 401)
    const alive = await t.sql('select from api_keys where user_id = $1 and revoked_at is null', [id])
    assert.equal(alive.length, 0)
  })

  test('the owner, the last Admin and who the key acts as are not touched', async () => {
    const { id } = t.main.users.Admin
    for (const answer of [
      await patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false }),
      await scim('DELETE', `/Users/${id}`),
    ])
      assert.deepEqual([answer.status, JSON.parse(answer.text).scimType], [409, 'mutability'])
  })

  test('nor is who can still take the ownership back', async () => {
    const { userId } = await somebody(t, 'Admin')
    await t.ownerSql(
      `insert into ownership_transfers (organization_id, id, from_user_id, to_user_id, state, expires_at, undo_until, created_at, decided_at)
       values ($1, 'own_01k9r7d3w2v8e6q4n5m1b0c9xz', $2, $3, 'accepted', now(), now() + interval '1 day', now(), now())`,
      [t.main.organizationId, userId, t.main.users.Admin.id],
    )
    for (const answer of [
      await patch(`/Users/${userId}`, { op: 'replace', path: 'active', value: false }),
      await scim('DELETE', `/Users/${userId}`),
    ])
      assert.deepEqual([answer.status, JSON.parse(answer.text).scimType], [409, 'mutability'], answer.text)
    await t.ownerSql("update ownership_transfers set state = 'canceled', undo_until = null where from_user_id = $1", [
      userId,
    ])
    assert.equal((await scim('DELETE', `/Users/${userId}`)).status, 204)
  })

  test('nor do they get another address by it, nor who has one at another domain', async () => {
    const rename = async (id: number | string, value: string) => {
      const { status, text } = await patch(`/Users/${id}`, {
        op: 'replace',
        path: 'emails[type eq "work"].value',
        value,
      })
      return [status, JSON.parse(text).scimType]
    }
    const refused = [409, 'mutability']
    assert.deepEqual(await rename(t.main.users.Admin.id, 'taken@example.com'), refused)
    const owner = await newUser()
    const own = (id: number | string) =>
      t.ownerSql('update organizations set owner_user_id = $1 where id = $2', [id, t.main.organizationId])
    await own(owner.id)
    assert.deepEqual(await rename(owner.id, 'taken@example.com'), refused)
    await own(t.main.users.Admin.id)
    const elsewhere = await somebody(t, 'Sales Manager', 'elsewhere.example')
    assert.deepEqual(await rename(elsewhere.userId, 'taken@example.com'), refused)
    const operator = await newUser()
    await t.ownerSql("insert into operators (account_id, level) select account_id, 'full' from users where id = $1", [
      operator.id,
    ])
    assert.deepEqual(await rename(operator.id, 'taken@example.com'), refused)
  })

  test('anybody else does, and reads of it at the address before', async () => {
    const user = await newUser()
    const { status, text } = await patch(`/Users/${user.id}`, {
      op: 'replace',
      path: 'userName',
      value: 'renamed@example.com',
    })
    assert.equal(status, 200, text)
    const op = { op: 'replace', path: 'emails[type eq "work"].value', value: 'renamed@example.com' }
    assert.equal((await patch(`/Users/${user.id}`, op)).status, 200)
    const mails = await t.ownerSql<{ template: string }>(
      'select m.template from mails m join mail_recipients r on r.tenant_id = m.tenant_id and r.mail_id = m.id where r.address = $1',
      [user.userName],
    )
    assert.deepEqual(
      mails.map(({ template }) => template),
      ['email_set_by_provider'],
    )
  })

  test('the last requests are kept, with what was wrong', async () => {
    await scim('GET', '/Users?filter=title%20co%20%22x%22')
    const found = await eventually('the request', async () => {
      const { json } = await t.call('GET', '/v2/organization/scim', { as: t.main.tokens.Admin })
      return json.data.requests.find(({ path }: { path: string }) => path.includes('title co'))
    })
    assert.deepEqual([found.status, /not understood/.test(found.fault)], [400, true])
  })
})

test('what is no text in an address or a path is answered, not stumbled over', async () => {
  assert.equal((await scim('GET', '/Schemas/%25')).status, 404)
  assert.equal((await scim('GET', '/Schemas/urn%3Aietf%3Aparams%3Ascim%3Aschemas%3Acore%3A2.0%3AUser')).status, 200)
  const group = await newGroup('Texts')
  for (const value of ['"\\q"', '"\\u0000"', '"\\ud800"']) {
    const { status, text } = await patch(`/Groups/${group.id}`, { op: 'remove', path: `members[value eq ${value}]` })
    assert.deepEqual([status, JSON.parse(text).scimType], [400, 'invalidPath'], value)
  }
})

test('no operation reaches a prototype, and none with a value empties a group', () => {
  const before = JSON.stringify(Object.getOwnPropertyNames(Object.prototype))
  const path = fc.oneof(
    fc.constantFrom(
      '__proto__.x',
      'constructor.prototype.x',
      '__proto__',
      'members',
      'name.__proto__',
      'emails[__proto__ eq "x"].value',
    ),
    fc.string(),
  )
  const op = fc.constantFrom('add', 'Replace', 'REMOVE')
  fc.assert(
    fc.property(op, path, fc.jsonValue(), fc.boolean(), (op, path, value, isGroup) => {
      const operation = JSON.parse(`{"op":"${op}","path":${JSON.stringify(path)},"value":${JSON.stringify(value)}}`)
      const inValue = {
        op,
        value: JSON.parse(`{"__proto__":${JSON.stringify(value)},"constructor":{"prototype":{"x":1}}}`),
      }
      for (const one of [operation, inValue])
        try {
          applyPatch({ displayName: 'G', members: [] }, { Operations: [one] }, isGroup ? groupShape : userShape)
        } catch (error) {
          assert.ok(error instanceof Error && 'scim' in error, String(error))
        }
      assert.equal(JSON.stringify(Object.getOwnPropertyNames(Object.prototype)), before)
      assert.equal(({} as Record<string, unknown>)['x'], undefined)
    }),
    { numRuns: 500 },
  )
  const group: JsonObject = { displayName: 'G', members: [{ value: '1' }, { value: '2' }] }
  fc.assert(
    fc.property(fc.array(fc.constantFrom('1', '3', '4')), gone => {
      const value = gone.map(one => ({ value: one }))
      const after = applyPatch(group, { Operations: [{ op: 'remove', path: 'members', value }] }, groupShape)
      assert.ok((after['members'] as JsonObject[]).some(one => one['value'] === '2'))
    }),
  )
})

test('filters are equalities, and nothing else', () => {
  const known = { username: 'userName', active: 'active' }
  assert.deepEqual(parseFilter('userName eq "a\\"b" AND active eq True', known), [
    { attribute: 'userName', value: 'a"b' },
    { attribute: 'active', value: true },
  ])
  for (const wrong of [
    '',
    'userName',
    'userName co "x"',
    'userName eq "x" and',
    'userName eq "x" or active eq true',
    'x eq 1',
  ])
    assert.throws(() => parseFilter(wrong, known), wrong)
})
