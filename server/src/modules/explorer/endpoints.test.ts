// The Explorer finds what people type: a fixed set of queries with typos, synonyms and addresses, the filters, and the
// documents made from the catalog.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { planned } from '@tandem/catalog'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { catalog, withProtocol } from '../../catalog.ts'
import { categories, plannedCategories } from '../../kernel/endpoint/endpoint.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

/** What is typed, and the endpoint that is meant. */
const queries: [typed: string, meant: string][] = [
  ['send sms', 'messages.sms.send'],
  ['send text', 'messages.sms.send'],
  ['sned sms', 'messages.sms.send'],
  ['POST /v2/messages/sms', 'messages.sms.send'],
  ['/v2/messages/sms', 'messages.sms.send'],
  ['list messages', 'messages.list'],
  ['start call', 'calls.create'],
  ['phone call', 'calls.create'],
  ['hangup', 'calls.hangup'],
  ['hang up', 'calls.hangup'],
  ['list calls', 'calls.list'],
  ['login', 'auth.login'],
  ['log in', 'auth.login'],
  ['logn', 'auth.login'],
  ['sign-in', 'auth.login'],
  ['refresh token', 'auth.refresh'],
  ['who am i', 'auth.me'],
  ['create lead', 'leads.create'],
  ['new lead', 'leads.create'],
  ['craete leed', 'leads.create'],
  ['restore lead', 'leads.restore'],
  ['list invoices', 'invoices.list'],
  ['GET /v1/api/finance/invoices', 'invoices.list'],
  ['bill', 'invoices.create'],
  ['number audit', 'invoices.number_audit'],
  ['record payment', 'payments.create'],
  ['rotate key', 'api_keys.rotate'],
  ['api keys', 'api_keys.list'],
  ['openapi', 'openapi.get'],
  ['error reference', 'problems.list'],
]

test('of thirty queries the first hit is right in 85 %, and the right one is among the first three in all', async () => {
  let first = 0
  const missed: string[] = []
  for (const [typed, meant] of queries) {
    const { json } = await t.call('GET', `/v2/catalog?q=${encodeURIComponent(typed)}`)
    const ids = json.data.map((entry: { id: string }) => entry.id)
    if (ids[0] === meant) first++
    if (!ids.slice(0, 3).includes(meant)) missed.push(`${typed}: ${ids.slice(0, 3).join(', ')}`)
  }
  assert.deepEqual(missed, [])
  assert.ok(first / queries.length >= 0.85, `${first} of ${queries.length} first`)
})

test('filters combine with each other and with the search', async () => {
  const ids = async (query: string) =>
    (await t.call('GET', `/v2/catalog?${query}`)).json.data.map((entry: { id: string }) => entry.id)
  const all = await ids('')
  assert.ok(all.length > 25)
  const messaging = (await t.call('GET', '/v2/catalog?category=Messaging')).json.data
  assert.ok(
    messaging.some((entry: { id: string }) => entry.id === 'messages.sms.send') && messaging.length < all.length,
  )
  assert.ok(messaging.every((entry: { category: string }) => entry.category === 'Messaging'))
  const v1Posts = await ids('version=v1&method=POST')
  assert.ok(v1Posts.includes('leads.create') && !v1Posts.includes('leads.list') && !v1Posts.includes('calls.create'))
  assert.deepEqual(await ids('q=lead&method=DELETE&version=v2'), [])
  assert.equal((await t.call('GET', '/v2/catalog?category=Nonsense')).status, 400)
})

test('an endpoint is described with everything the Explorer shows', async () => {
  const { json } = await t.call('GET', '/v2/catalog/leads.create')
  const { data } = json
  assert.equal(data.url, '/v1/api/leads')
  assert.deepEqual(data.permission.roles, ['Admin', 'Sales Manager', 'Sales Executive'])
  assert.ok(
    data.parameters.required.some(
      (field: { name: string; in: string }) => field.name === 'name' && field.in === 'body',
    ),
  )
  assert.ok(data.parameters.optional.some((field: { name: string }) => field.name === 'Idempotency-Key'))
  assert.equal(data.sampleResponse.body.success, true)
  assert.ok(
    data.problems.some((problem: { code: string; fix: string }) => problem.code === 'duplicate_record' && problem.fix),
  )
  assert.equal(data.sampleRequest.headers.Authorization, 'Bearer <API_KEY>')
})

test('an endpoint that takes call instructions comes with the schemas of all verbs', async () => {
  const { data } = (await t.call('GET', '/v2/catalog/calls.create')).json
  assert.deepEqual(data.bodySchema.properties.instructions.items, { $ref: '#/components/schemas/Instruction' })
  assert.equal(data.schemas.SayInstruction.properties.verb.const, 'say')
  assert.deepEqual(data.schemas.DialInstruction.properties.onFail.items, { $ref: '#/components/schemas/Instruction' })
  const command = (await t.call('GET', '/v2/catalog/calls.command')).json.data
  assert.deepEqual(command.bodySchema, { $ref: '#/components/schemas/CallCommand' })
  assert.ok(
    command.parameters.required.some(
      (field: { name: string; in: string }) => field.in === 'body' && field.name === 'body',
    ),
  )
  for (const { data: described } of [{ data }, { data: command }])
    for (const [, name = ''] of JSON.stringify(described).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      assert.ok(name in described.schemas, name)
})

test('the error reference holds every code with cause and fix', async () => {
  const { json } = await t.call('GET', '/v2/problems')
  assert.ok(json.data.length > 50)
  for (const problem of json.data) {
    assert.match(problem.code, /^[a-z_]+$/)
    assert.ok(problem.title && problem.cause.endsWith('.') && problem.fix.endsWith('.'), problem.code)
  }
})

test('the OpenAPI document is whole: every reference resolves, every operation has an id and answers', async () => {
  const { json } = await t.call('GET', '/v2/openapi.json')
  assert.equal(json.openapi, '3.1.0')
  const text = JSON.stringify(json)
  for (const [, pointer = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    let node = json
    for (const part of pointer.split('/')) node = node?.[part]
    assert.ok(node, pointer)
  }
  const ids = new Set<string>()
  for (const operations of Object.values<
    Record<string, { operationId: string; responses: object; parameters: object[] }>
  >(json.paths)) {
    for (const operation of Object.values(operations)) {
      assert.ok(!ids.has(operation.operationId))
      ids.add(operation.operationId)
      assert.ok(Object.keys(operation.responses).length >= 2)
    }
  }
  for (const [path, operations] of Object.entries<Record<string, { parameters: { name: string; in: string }[] }>>(
    json.paths,
  )) {
    for (const [, name] of path.matchAll(/\{(\w+)\}/g)) {
      for (const operation of Object.values(operations)) {
        assert.ok(
          operation.parameters.some(parameter => parameter.in === 'path' && parameter.name === name),
          `${path} ${name}`,
        )
      }
    }
  }
})

test('the published keys verify an access token, and hold nothing private', async () => {
  const { json } = await t.call('GET', '/.well-known/jwks.json')
  const { createLocalJWKSet, jwtVerify } = await import('jose')
  const { payload } = await jwtVerify(t.main.tokens.Admin, createLocalJWKSet(json), { issuer: 'tandem', typ: 'at+jwt' })
  assert.equal(payload['tenant_id'], t.main.liveTenantId)
  assert.ok(json.keys.every((key: object) => !('d' in key)))
})

test('every category says what it holds; the planned ones what comes, and none of them has an endpoint', async () => {
  const { status, json } = await t.call('GET', '/v2/catalog/categories')
  assert.equal(status, 200)
  const listed = json.data as {
    name: string
    endpoints: number
    planned: boolean
    steps: string[]
    meanwhile: object[]
  }[]
  assert.deepEqual(
    listed.map(({ name }) => name),
    [...categories],
  )
  const documented = withProtocol(catalog)
  for (const { name, endpoints, planned, steps, meanwhile } of listed) {
    assert.equal(endpoints, documented.filter(({ category }) => category === name).length, name)
    assert.equal(planned, endpoints === 0, name)
    assert.equal(steps.length > 0 && meanwhile.length > 0, planned, name)
  }
  assert.deepEqual([...plannedCategories].sort(), planned.map(({ name }) => name).sort())
  const document = (await t.call('GET', '/v2/openapi.json')).json
  for (const { tags } of Object.values(document.paths).flatMap(path => Object.values(path as object)))
    assert.ok(!plannedCategories.includes(tags?.[0]), 'never in the OpenAPI document')
  assert.deepEqual((await t.call('GET', '/v2/catalog?category=Video')).json.data, [])
})
