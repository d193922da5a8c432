// What the Playground keeps: who sees and changes it, that no credential gets in, moving and ordering, two people who edit, and limits.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

type More = { as?: string; ifMatch?: number }
const call = (method: string, path: string, body?: unknown, { as = t.main.tokens.Admin, ifMatch }: More = {}) =>
  t.call(method, `/v2/playground${path}`, {
    as,
    ...(body !== undefined && { body }),
    ...(ifMatch !== undefined && { headers: { 'if-match': `"${ifMatch}"` } }),
  })
async function data(method: string, path: string, body?: unknown, more?: More) {
  const answer = await call(method, path, body, more)
  assert.ok(answer.status < 300, answer.text)
  return answer.json.data
}
const fieldsOf = (answer: { json: { error: { details?: { field: string }[] } } }) =>
  (answer.json.error.details ?? []).map(({ field }) => field)
const executive = () => ({ as: t.main.tokens['Sales Executive'] })
const me = { name: 'Who am I', method: 'GET', path: '/v2/users/me' }
const requestsOf = (collectionId: string, more?: More) =>
  data('GET', `/requests?collectionId=${collectionId}&limit=200`, undefined, more)

test('private ones are seen by their owner alone; shared ones by all, and changed by those who may share', async () => {
  const own = await data('POST', '/collections', { name: 'Mine', requests: [me] }, executive())
  assert.deepEqual([own.shared, own.mayChange, own.requestCount], [false, true, 1])
  assert.equal((await call('GET', `/collections/${own.collectionId}`)).status, 404)
  const [request] = await requestsOf(own.collectionId, executive())
  assert.equal((await call('GET', `/requests/${request.requestId}`)).status, 404)
  assert.deepEqual(await requestsOf(own.collectionId), [])
  const sharing = await call('PATCH', `/collections/${own.collectionId}`, { shared: true }, executive())
  assert.equal(sharing.json.error.code, 'insufficient_role')

  const ours = await data('POST', '/collections', { name: 'Ours', shared: true, requests: [me] })
  const seen = await data('GET', `/collections/${ours.collectionId}`, undefined, executive())
  assert.deepEqual([seen.mayChange, seen.owner.name.length > 0], [false, true])
  assert.equal((await requestsOf(ours.collectionId, executive())).length, 1)
  for (const [method, path, body] of [
    ['PATCH', `/collections/${ours.collectionId}`, { name: 'Theirs' }],
    ['DELETE', `/collections/${ours.collectionId}`, undefined],
    ['POST', '/requests', { ...me, collectionId: ours.collectionId }],
  ] as const) {
    const refused = await call(method, path, body, executive())
    assert.equal(refused.json.error.code, 'insufficient_role', path)
    assert.match(refused.text, /playground:share/)
  }
  const listed = await data('GET', '/collections', undefined, executive())
  assert.deepEqual(listed.map(({ name }: { name: string }) => name).sort(), ['Mine', 'Ours'])
})

test('events of a private collection do not say what it is called or holds', async () => {
  const { collectionId } = await data('POST', '/collections', { name: 'Quiet plan', requests: [me] }, executive())
  const answer = await t.call('GET', '/v2/events?limit=200', { as: t.main.tokens.Admin })
  assert.match(answer.text, new RegExp(collectionId))
  assert.doesNotMatch(answer.text, /Quiet plan/)
})

test('a credential is refused wherever it stands, with the field and the remedy; a variable is not', async () => {
  const { collectionId } = await data('POST', '/collections', { name: 'Clean' })
  const on = (name: string, value: string) => ({ name, value, enabled: true })
  const key = t.main.testKey
  const refused = await call('POST', '/requests', {
    ...{ collectionId, name: 'Leaky', method: 'POST' },
    path: `/v2/users/me/${key}`,
    query: [on('q', key), on('access_token', 'short')],
    headers: [on('Authorization', 'Bearer abcdefghijkl'), on('X-Api-Key', 'zzz'), on('Accept', 'application/json')],
    body: '{"user": {"newPassword": "hunter2"}}',
  })
  assert.equal(refused.status, 400)
  assert.deepEqual(fieldsOf(refused), [
    'path',
    'query[0].value',
    'query[1].value',
    'headers[0].value',
    'headers[1].value',
    'body',
  ])
  assert.match(refused.text, /\{\{token\}\}/)
  const kept = await call('POST', '/requests', {
    ...{ collectionId, name: 'Clean', method: 'POST', path: '/v2/users/me' },
    headers: [on('Authorization', 'Bearer {{token}}')],
    body: '{"password": "{{password}}", "text": "Basic English is fine"}'.replace('Basic English', 'Plain English'),
  })
  assert.equal(kept.status, 201, kept.text)
  const inFolder = await call('POST', '/collections', {
    name: 'Leaky',
    folders: [{ name: 'A', requests: [{ ...me, body: key }] }],
  })
  assert.deepEqual(fieldsOf(inFolder), ['folders[0].requests[0].body'])
})

test('secret variables have no value here, and what is named or shaped like a secret must be one', async () => {
  const variable = (name: string, value: string | null, secret = false) => ({ name, value, secret })
  const refused = await call('POST', '/environments', {
    name: 'Leaky',
    variables: [
      variable('partner', 'value', true),
      variable('apiKey', 'short'),
      variable('other', t.main.testKey),
      variable('base', null),
      variable('twice', 'a'),
      variable('twice', 'b'),
    ],
  })
  assert.deepEqual(fieldsOf(refused), [
    'variables[0].value',
    'variables[1].secret',
    'variables[2].value',
    'variables[3].value',
    'variables[5].name',
  ])
  const variables = [variable('sender', '+15005550006'), variable('apiKey', null, true)]
  const made = await data('POST', '/environments', { name: 'Staging', mode: 'test', variables, shared: true })
  assert.deepEqual(made.variables, variables)
  const seen = await data('GET', '/environments', undefined, executive())
  assert.deepEqual(
    seen.map(({ name, mode }: { name: string; mode: string }) => [name, mode]),
    [['Staging', 'test']],
  )
})

test('of two people who edit the later one is refused: it has an old version', async () => {
  const { collectionId } = await data('POST', '/collections', { name: 'Shared', shared: true, requests: [me] })
  const [request] = await requestsOf(collectionId)
  const path = `/requests/${request.requestId}`
  const first = await call('PATCH', path, { name: 'First' }, { ifMatch: request.version })
  assert.deepEqual([first.status, first.headers['etag']], [200, `"${request.version + 1}"`])
  const second = await call('PATCH', path, { name: 'Second' }, { ifMatch: request.version })
  assert.deepEqual([second.status, second.json.error.code], [412, 'version_mismatch'])
  assert.equal((await data('GET', path)).name, 'First')
})

test('folders: added with requests, named and ordered together, deleted with what is in them; requests move and keep their order', async () => {
  const made = await data('POST', '/collections', {
    name: 'Tree',
    requests: [me, { ...me, name: 'Second' }],
    folders: [{ name: 'A', requests: [{ ...me, name: 'In A' }] }, { name: 'B' }],
  })
  const at = `/collections/${made.collectionId}`
  const [a, b] = made.folders
  const swapped = await data('PATCH', at, { folders: [{ ...b, name: 'B first' }, a] })
  assert.deepEqual(
    swapped.folders.map(({ name }: { name: string }) => name),
    ['B first', 'A'],
  )
  assert.deepEqual(fieldsOf(await call('PATCH', at, { folders: [a] })), ['folders'])
  const named = async () => {
    const rows: { name: string; position: number; requestId: string; folderId: string | null }[] = await requestsOf(
      made.collectionId,
    )
    return rows.sort((x, y) => x.position - y.position)
  }
  const [first, second] = await named()
  await data('PATCH', `/requests/${second!.requestId}`, { position: first!.position - 1 })
  assert.deepEqual(
    (await named()).filter(({ folderId }) => folderId === null).map(({ name }) => name),
    ['Second', 'Who am I'],
  )
  await data('PATCH', `/requests/${first!.requestId}`, { folderId: a.folderId })
  const gone = await data('DELETE', `${at}/folders/${a.folderId}`)
  assert.deepEqual([gone.folders.length, gone.requestCount], [1, 1])
  const back = await data('POST', `${at}/folders`, { name: 'A', requests: [me] })
  assert.deepEqual([back.folders.at(-1).name, back.requestCount], ['A', 2])
  const elsewhere = await call('PATCH', `/requests/${second!.requestId}`, { folderId: a.folderId })
  assert.deepEqual(fieldsOf(elsewhere), ['folderId'])
  const other = await data('POST', '/collections', { name: 'Other' })
  const moved = await data('PATCH', `/requests/${second!.requestId}`, { collectionId: other.collectionId })
  assert.deepEqual([moved.collectionId, moved.folderId], [other.collectionId, null])
})

test('tests and captures are checked by field', async () => {
  const { collectionId } = await data('POST', '/collections', { name: 'Tests' })
  const check = (subject: string, operator: string, value = '', target = '') => ({ subject, operator, value, target })
  const refused = await call('POST', '/requests', {
    ...me,
    collectionId,
    tests: [
      check('status', 'one_of', '200, 2xx'),
      check('status', 'below', '300'),
      check('status', 'equals', 'fine'),
      check('time', 'below', 'soon'),
      check('header', 'exists'),
      check('json', 'equals', '1', 'data.id'),
      check('json', 'count', '{{expected}}', '/data'),
    ],
  })
  assert.deepEqual(fieldsOf(refused), [
    'tests[1].operator',
    'tests[2].value',
    'tests[3].value',
    'tests[4].target',
    'tests[5].target',
  ])
  const wrong = await call('POST', '/requests', { ...me, collectionId, captures: [{ name: 'id', pointer: 'data' }] })
  assert.deepEqual(fieldsOf(wrong), ['captures[0].pointer'])
})

test('credentials of test mode read them, and change nothing that both modes share', async () => {
  const refused = await call('POST', '/collections', { name: 'From test' }, { as: t.main.testKey })
  assert.equal(refused.json.error.code, 'live_mode_required')
  const read = await call('GET', '/collections', undefined, { as: t.main.testKey })
  assert.equal(read.status, 200)
})
