// Groups as Okta and Entra push them, and what they give their members: a role, one of the organization's own, teams.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { ownDomain } from '../../../../test/sso.ts'

const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const patchSchema = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

let t: TestApp
let key: string
let [north, south, ownRole]: string[] = []

const admin = async (method: string, path: string, body: object) => {
  const answer = await t.call(method, path, { as: t.main.tokens.Admin, body })
  assert.ok(answer.status < 300, answer.text)
  return answer.json.data
}

before(async () => {
  t = await startTestApp()
  await ownDomain(t, t.main.organizationId)
  const provider = { name: 'provider', mode: 'live', scopes: ['scim:manage'] }
  key = (await admin('POST', '/v2/auth/api-keys', provider)).secret
  north = (await admin('POST', '/v2/teams', { name: 'North' })).teamId
  south = (await admin('POST', '/v2/teams', { name: 'South' })).teamId
  const role = { name: 'Field sales', base: 'Sales Executive', permissions: ['leads:read'] }
  ownRole = (await admin('POST', '/v2/roles', role)).roleId
  await admin('PATCH', '/v2/organization/scim', { enabled: true, groupMap: mapOf() })
})
after(() => t?.close())

const mapOf = () => [
  { group: 'Leads', role: 'Sales Manager', teamId: north },
  { group: 'Field', roleId: ownRole },
  { group: 'North', teamId: north },
  { group: 'South', teamId: south },
]

const scim = async (method: string, path: string, body?: object) => {
  const { status, text } = await t.call(method, `/scim/v2${path}`, {
    as: key,
    ...(body !== undefined && { rawBody: JSON.stringify(body), headers: { 'content-type': 'application/scim+json' } }),
  })
  assert.ok(status < 300, `${method} ${path}: ${text}`)
  return text === '' ? undefined : JSON.parse(text)
}

let made = 0
async function newUser(): Promise<string> {
  const userName = `pushed${++made}@example.com`
  return (await scim('POST', '/Users', { userName, name: { givenName: 'Grace', familyName: 'Hopper' }, active: true }))
    .id
}

const patch = (group: string, ...Operations: object[]) =>
  scim('PATCH', `/Groups/${group}`, { schemas: [patchSchema], Operations })
const membersOf = async (group: string) =>
  (await scim('GET', `/Groups/${group}`)).members.map(({ value }: { value: string }) => value)

/** What somebody is: role, the organization's own role, teams. */
async function standing(userId: string): Promise<[string, string | null, string[]]> {
  const { user } = (await t.call('GET', `/v1/api/users/${userId}`, { as: t.main.tokens.Admin })).json
  const { data } = (await t.call('GET', `/v2/teams?userId=${userId}`, { as: t.main.tokens.Admin })).json
  return [user.role, user.roleId ?? null, data.map(({ name }: { name: string }) => name).sort()]
}

describe('Okta', () => {
  test('pushes a group with its members, renames it without a path, adds, removes by a filter and replaces', async () => {
    const [one, two, three] = [await newUser(), await newUser(), await newUser()]
    const entry = (value: string) => ({ value, display: 'Grace Hopper' })
    const group = await scim('POST', '/Groups', {
      schemas: [groupSchema],
      displayName: 'North',
      members: [entry(one), entry(two)],
    })
    assert.deepEqual(await standing(one), ['Sales Executive', null, ['North']])
    await patch(
      group.id,
      { op: 'remove', path: `members[value eq "${one}"]` },
      { op: 'add', path: 'members', value: [entry(three)] },
    )
    assert.deepEqual([(await standing(one))[2], (await standing(three))[2]], [[], ['North']])
    await patch(group.id, { op: 'replace', value: { id: group.id, displayName: 'South' } })
    assert.deepEqual([(await standing(two))[2], (await standing(three))[2]], [['South'], ['South']])
    assert.deepEqual(await membersOf(group.id), [two, three])
    await patch(group.id, { op: 'replace', path: 'members', value: [entry(one)] })
    assert.deepEqual([(await standing(one))[2], (await standing(two))[2]], [['South'], []])
    await scim('PUT', `/Groups/${group.id}`, {
      schemas: [groupSchema],
      id: group.id,
      displayName: 'South',
      members: [],
    })
    assert.deepEqual((await standing(one))[2], [])
    await scim('PUT', `/Groups/${group.id}`, { schemas: [groupSchema], displayName: 'South', members: [entry(two)] })
    await scim('DELETE', `/Groups/${group.id}`)
    assert.deepEqual((await standing(two))[2], [], 'a group that is gone gives nothing')
  })
})

describe('Entra', () => {
  test('makes an empty group, finds it, adds and removes by value in capitals, with and without a path', async () => {
    const [one, two] = [await newUser(), await newUser()]
    const externalId = '8aa1a0c0-c4c3-4bc0-b4a5-2ef676900159'
    const { id } = await scim('POST', '/Groups', {
      schemas: [groupSchema],
      externalId,
      displayName: 'Field',
      members: [],
    })
    const filter = encodeURIComponent(`externalId eq "${externalId}"`)
    const found = await scim('GET', `/Groups?excludedAttributes=members&filter=${filter}`)
    assert.deepEqual([found.totalResults, found.Resources[0].id], [1, id])
    await patch(id, { op: 'Add', path: 'members', value: [{ $ref: null, value: one }] })
    assert.deepEqual(await standing(one), ['Sales Executive', ownRole, []])
    await patch(id, { op: 'Add', value: { members: [{ $ref: null, value: two }] } })
    assert.deepEqual(await membersOf(id), [one, two])
    const isIn = encodeURIComponent(`id eq "${id}" and members eq "${two}"`)
    assert.equal((await scim('GET', `/Groups?filter=${isIn}`)).totalResults, 1)
    await patch(id, { op: 'Remove', path: 'members', value: [{ $ref: null, value: one }] })
    assert.deepEqual(await membersOf(id), [two])
    assert.deepEqual(await standing(one), ['Sales Executive', null, []], 'what the group gave is gone')
    await patch(id, { op: 'Replace', path: 'displayName', value: 'Leads' })
    assert.deepEqual(await standing(two), ['Sales Manager', null, ['North']], 'role and team at once')
    await patch(id, { op: 'Replace', value: { displayName: 'Field', externalId: 'other' } })
    assert.deepEqual(await standing(two), ['Sales Executive', ownRole, []])
    await patch(id, { op: 'Remove', value: { members: [{ value: two }] } })
    assert.deepEqual(await membersOf(id), [])
    await scim('DELETE', `/Groups/${id}`)
  })
})

describe('what groups give', () => {
  test('the role is that of the first rule that gives one, the teams are those of all', async () => {
    const user = await newUser()
    const ids: string[] = []
    for (const displayName of ['South', 'Field', 'North', 'Leads'])
      ids.push((await scim('POST', '/Groups', { displayName, members: [{ value: user }] })).id)
    assert.deepEqual(await standing(user), ['Sales Manager', null, ['North', 'South']])
    await patch(ids[3] as string, { op: 'remove', path: 'members', value: [{ value: user }] })
    assert.deepEqual(await standing(user), ['Sales Executive', ownRole, ['North', 'South']], 'another group has North')
    await patch(ids[2] as string, { op: 'remove', path: 'members' })
    assert.deepEqual((await standing(user))[2], ['South'])
    await t.app.services.refusals.flush()
    const audited = await t.ownerSql<{ action: string }>(
      "select action from audit_events where actor_type = 'scim' and action like 'team.%' and $1 = any (target_ids) order by id",
      [user],
    )
    const actions = audited.map(({ action }) => action)
    assert.deepEqual(actions, ['team.member_added', 'team.member_added', 'team.member_removed'])
    for (const id of ids) await scim('DELETE', `/Groups/${id}`)
  })

  test('what a person set by hand stays: who leads, teams of no rule, a role beside the one it is made of', async () => {
    const user = await newUser()
    await admin('PUT', `/v2/teams/${north}/members/${user}`, { lead: true })
    const { teamId: other } = await admin('POST', '/v2/teams', { name: 'By hand' })
    await admin('PUT', `/v2/teams/${other}/members/${user}`, {})
    const body = { name: 'By hand', base: 'Sales Executive', permissions: ['leads:read'] }
    const { roleId } = await admin('POST', '/v2/roles', body)
    await t.call('PATCH', `/v1/api/users/${user}`, { as: t.main.tokens.Admin, body: { roleId } })
    const { id } = await scim('POST', '/Groups', { displayName: 'North', members: [{ value: user }] })
    assert.deepEqual(await standing(user), ['Sales Executive', roleId, ['By hand', 'North']])
    const team = (await t.call('GET', `/v2/teams/${north}`, { as: t.main.tokens.Admin })).json.data
    assert.equal(team.members.find(({ userId }: { userId: number }) => userId === Number(user)).lead, true)
    await scim('DELETE', `/Groups/${id}`)
    assert.deepEqual(await standing(user), ['Sales Executive', roleId, ['By hand']])
  })

  test('who is deleted, or removed by an Admin, and made again is in no group before the provider says so', async () => {
    const one = await newUser()
    const { userName } = await scim('GET', `/Users/${one}`)
    const { id } = await scim('POST', '/Groups', { displayName: 'Leads', members: [{ value: one }] })
    const leave = [
      () => scim('DELETE', `/Users/${one}`),
      async () => {
        const path = `/v2/users/${one}?transferTo=${t.main.users.Admin.id}`
        const { status, text } = await t.call('DELETE', path, { as: t.main.tokens.Admin })
        assert.equal(status, 200, text)
      },
    ]
    for (const left of leave) {
      assert.deepEqual(await standing(one), ['Sales Manager', null, ['North']])
      await left()
      const back = await scim('POST', '/Users', { userName, active: true })
      assert.equal(back.id, one, 'the same user again')
      assert.deepEqual(await membersOf(id), [])
      assert.deepEqual(await standing(one), ['Sales Executive', null, []])
      await patch(id, { op: 'Add', path: 'members', value: [{ value: one }] })
    }
    assert.deepEqual(await standing(one), ['Sales Manager', null, ['North']], 'and gets what it gives then')
    await scim('DELETE', `/Groups/${id}`)
  })

  test('with another map all that are concerned get what it says; what was deleted gives nothing', async () => {
    const user = await newUser()
    const { id } = await scim('POST', '/Groups', { displayName: 'Visitors', members: [{ value: user }] })
    const { teamId } = await admin('POST', '/v2/teams', { name: 'Short' })
    const map = (more: object[]) => admin('PATCH', '/v2/organization/scim', { groupMap: [...mapOf(), ...more] })
    await map([{ group: 'visitors', role: 'Finance Manager', teamId }])
    assert.deepEqual(await standing(user), ['Finance Manager', null, ['Short']])
    await map([{ group: 'visitors', roleId: ownRole }])
    assert.deepEqual(await standing(user), ['Sales Executive', ownRole, []])
    await map([{ group: 'visitors', teamId }])
    await t.ownerSql('delete from team_members where team_id = $1', [teamId])
    assert.equal((await t.call('DELETE', `/v2/teams/${teamId}`, { as: t.main.tokens.Admin })).status, 200)
    await patch(id, { op: 'remove', path: 'members' })
    await map([])
    assert.deepEqual(await standing(user), ['Sales Executive', null, []])
  })

  test('a map that names nothing, both roles, or what there is not is refused', async () => {
    for (const [rule, code] of [
      [{ group: 'x' }, 'required'],
      [{ group: 'x', role: 'Sales Manager', roleId: ownRole }, 'not_allowed'],
      [{ group: 'x', roleId: 'rol_01k9r7d3w2v8e6q4n5m1b0c9xz' }, 'not_found'],
      [{ group: 'x', teamId: 'team_01k9r7d3w2v8e6q4n5m1b0c9xz' }, 'not_found'],
    ] as const) {
      const as = t.main.tokens.Admin
      const { status, json } = await t.call('PATCH', '/v2/organization/scim', { as, body: { groupMap: [rule] } })
      assert.deepEqual([status, json.error.details[0].code], [400, code], JSON.stringify(rule))
    }
  })
})
