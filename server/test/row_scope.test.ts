// Whose records somebody sees, over every endpoint that declares a kind of records with an owner: by each scope of a role, own
// records, those of somebody of one's team, those of a stranger and those that nobody owns. What is outside is answered with the bytes
// of what is not there. An endpoint of such a kind that does not declare it fails.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { catalog } from '../src/catalog.ts'
import { type Endpoint, fullPath } from '../src/kernel/endpoint/endpoint.ts'
import { allTables, rowKinds } from '../src/kernel/noun/registry.ts'
import { type RowScope, rowScopes } from '../src/kernel/values/custom_role.ts'
import { newId } from '../src/kernel/values/ids.ts'
import { alwaysHeld, needsAllRows } from '../src/modules/identity/roles/rules.ts'
import { rolePermissions } from '../src/nouns.ts'
import { timeless } from './contract.ts'
import { startTestApp, type TestApp } from './harness.ts'
import { sampleBody } from './noun_records.ts'
import { logIn, type Somebody, somebody } from './people.ts'

const nouns = allTables().filter(({ spec }) => spec.rows !== undefined)
/** Without an id of a record: they begin one, or are tested by hand below. */
const whole = /\.(create|bulk|merge|list|export)$/

let t: TestApp
let people: Record<'own' | 'mate' | 'stranger', Somebody>
const admin = () => t.main.tokens.Admin

async function call(method: string, path: string, body?: unknown, token = admin()) {
  const answer = await t.call(method, path, { as: token, ...(body !== undefined && { body }) })
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
  return answer.json
}

before(async () => {
  t = await startTestApp()
  const made = () => somebody(t, 'Sales Manager')
  people = { own: await made(), mate: await made(), stranger: await made() }
  const { teamId } = (await call('POST', '/v2/teams', { name: 'North' })).data
  for (const { userId } of [people.own, people.mate]) await call('PUT', `/v2/teams/${teamId}/members/${userId}`, {})
  const permissions = [...rolePermissions['Sales Manager']].filter(held => !needsAllRows(held))
  for (const scope of rowScopes) {
    const rows = Object.fromEntries(rowKinds().map(({ many }) => [many, scope]))
    const role = {
      name: `sees ${scope}`,
      base: 'Sales Manager',
      permissions: [...new Set([...permissions, 'contacts:delete', 'companies:delete'])],
      rows,
    }
    const { roleId } = (await call('POST', '/v2/roles', role)).data
    // Each in turn, as the same person: their role is what differs.
    await call('PATCH', `/v1/api/users/${people.own.userId}`, { roleId })
    tokensOf.set(scope, roleId)
  }
})
after(() => t?.close())

const tokensOf = new Map<RowScope, string>()

/** A token of the person with the role of this scope. */
async function tokenOf(scope: RowScope): Promise<string> {
  await call('PATCH', `/v1/api/users/${people.own.userId}`, { roleId: tokensOf.get(scope) })
  return (await logIn(t, people.own.email)).accessToken
}

const owners = ['own', 'mate', 'stranger', 'nobody'] as const
type Owner = (typeof owners)[number]

function isInside(scope: RowScope, owner: Owner, unassigned: 'seen' | 'hidden'): boolean {
  if (scope === 'all' || owner === 'own') return true
  if (owner === 'nobody') return unassigned === 'seen'
  return owner === 'mate' && scope === 'team'
}

async function record(noun: (typeof nouns)[number], owner: Owner): Promise<string | number> {
  const { names, rows } = noun.spec
  const body = await sampleBody(t, admin(), noun.spec)
  const owned = { ...body, [rows!.owner]: owner === 'nobody' ? null : people[owner].userId }
  const answer = await t.call('POST', `/v1/api/${names[1]}`, {
    as: admin(),
    body: owned,
    headers: { 'x-duplicate-mode': 'off' },
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.json[names[0]].id
}

const asks = (definition: Endpoint, id: string | number, token: string, body = definition.sample.body) =>
  t.call(definition.method, fullPath(definition).replace('{id}', String(id)), {
    as: token,
    ...(body !== undefined && { body }),
  })

test('every endpoint of a kind with an owner declares it', () => {
  const kinds = rowKinds().map(({ many }) => many)
  const asked = (permission: string) => kinds.find(kind => kind === permission.split(':')[0])
  const forgotten = catalog.filter(
    ({ permission, rowKind }) => asked(permission) !== undefined && rowKind === undefined,
  )
  assert.deepEqual(
    forgotten.map(({ id }) => id),
    [],
  )
  assert.deepEqual([...new Set(catalog.flatMap(({ rowKind }) => rowKind ?? []))].sort(), [...kinds].sort())
})

for (const scope of rowScopes) {
  for (const noun of nouns) {
    const [, many] = noun.spec.names
    const endpoints = catalog.filter(({ rowKind }) => rowKind === many)
    describe(`${many} of ${scope}`, () => {
      let token: string
      before(async () => {
        token = await tokenOf(scope)
      })
      for (const definition of endpoints.filter(({ id }) => !whole.test(id))) {
        test(`${definition.id}`, async () => {
          const missing = noun.spec.prefix === undefined ? 999_999_999 : newId(noun.spec.prefix)
          const nothing = timeless(await asks(definition, missing, token))
          for (const owner of owners) {
            const id = await record(noun, owner)
            if (definition.id.endsWith('.restore')) await call('DELETE', `/v1/api/${many}/${id}`)
            const answer = await asks(definition, id, token)
            const isSeen = answer.status !== 404
            assert.equal(isSeen, isInside(scope, owner, noun.spec.rows!.unassigned), `${owner}: ${answer.text}`)
            if (!isSeen) assert.equal(timeless(answer), nothing)
          }
        })
      }

      test('lists, searches, exports, and changes of many', async () => {
        const made = new Map<Owner, string | number>()
        for (const owner of owners) made.set(owner, await record(noun, owner))
        const inside = owners.filter(owner => isInside(scope, owner, noun.spec.rows!.unassigned))
        const outside = owners.filter(owner => !inside.includes(owner))
        const word = String(noun.spec.sample[noun.spec.title as never]).split(' ')[0]
        const total = async (query: string) => await call('GET', `/v1/api/${many}?limit=200${query}`, undefined, token)
        for (const query of ['', `&q=${word}`, `&sort=${noun.spec.order.first}`]) {
          const listed = (await total(query))[many].map((row: { id: string | number }) => row.id)
          for (const owner of inside) assert.ok(listed.includes(made.get(owner)), `${owner} is in the list ${query}`)
          for (const owner of outside)
            assert.ok(!listed.includes(made.get(owner)), `${owner} is not in the list ${query}`)
        }
        const { [many]: rows, pagination } = await total('')
        assert.equal(pagination.totalCount, rows.length)
        if (catalog.some(({ id }) => id === `${many}.export`)) {
          const file = await t.call('GET', `/v1/api/${many}/export`, { as: token })
          assert.equal(file.status, 200, file.text)
          const csv = file.text.split(/\r?\n/).map(line => line.split(',')[0])
          for (const owner of inside) assert.ok(csv.includes(String(made.get(owner))), `${owner} is exported`)
          for (const owner of outside) assert.ok(!csv.includes(String(made.get(owner))), `${owner} is not exported`)
        }
        const ids = [...made.values()]
        const changed = await call(
          'POST',
          `/v1/api/${many}/bulk`,
          { ids, set: { [noun.spec.title]: 'Changed by many' } },
          token,
        )
        assert.deepEqual(
          changed.failed.map((one: { id: string }) => one.id),
          outside.map(owner => made.get(owner)),
        )
        if (catalog.some(({ id }) => id === `${many}.merge`) && outside[0] !== undefined) {
          const body = { into: made.get('own'), others: [made.get(outside[0])] }
          assert.equal((await t.call('POST', `/v1/api/${many}/merge`, { as: token, body })).status, 404)
        }
      })
    })
  }

  test(`mails of ${scope}`, async () => {
    const token = await tokenOf(scope)
    for (const owner of ['own', 'mate', 'stranger'] as const) {
      const sender = owner === 'own' ? token : (await logIn(t, people[owner].email)).accessToken
      const body = { to: [{ address: 'ada@example.com' }], subject: 'Hello', text: 'Hello.' }
      const sent = await t.call('POST', '/v2/mails', { as: sender, body })
      assert.ok(sent.status < 300, sent.text)
      const { mailId } = sent.json.data
      const isSeen = isInside(scope, owner, 'hidden')
      const answer = await t.call('GET', `/v2/mails/${mailId}`, { as: token })
      assert.equal(answer.status, isSeen ? 200 : 404, `${owner}: ${answer.text}`)
      const { json } = await t.call('GET', '/v2/mails?limit=200', { as: token })
      assert.equal(
        json.data.some((mail: { mailId: string }) => mail.mailId === mailId),
        isSeen,
      )
      if (!isSeen)
        for (const act of ['cancel', 'retry'])
          assert.equal((await t.call('POST', `/v2/mails/${mailId}/${act}`, { as: token })).status, 404)
    }
  })
}

test('who comes into a team is seen by it at once, and who leaves it no more', async () => {
  const token = await tokenOf('team')
  const id = await record(nouns.find(({ spec }) => spec.names[0] === 'lead')!, 'stranger')
  const { teamId } = (await call('GET', '/v2/teams')).data[0]
  const status = async () => (await t.call('GET', `/v1/api/leads/${id}`, { as: token })).status
  const path = `/v2/teams/${teamId}/members/${people.stranger.userId}`
  assert.equal(await status(), 404)
  await call('PUT', path, { lead: true })
  assert.equal(await status(), 200)
  await call('DELETE', path)
  assert.equal(await status(), 404)
})

test('what every role holds is oneself, and the stream of what it may read', () => {
  assert.deepEqual([...alwaysHeld], ['profile:read', 'profile:update', 'stream:open'])
})
