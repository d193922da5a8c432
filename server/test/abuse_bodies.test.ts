// Bad bodies and parameters against a really listening server: broken, huge, doubled or oddly encoded JSON is answered
// as documented and never with 5xx, and the server serves the next one.
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { afterEach, describe, test } from 'node:test'
import { assertProblem, faultsOf, startListening } from './abuse.ts'
import { send, type WireRequest } from './wire.ts'

const { t, port } = await startListening()

const asAdmin = () => t.main.tokens.Admin

const users = (body: string | Buffer, more: Partial<WireRequest> = {}) =>
  send(port, { path: '/v1/api/users', as: asAdmin(), body, ...more })

const keys = (body: string | Buffer, more: Partial<WireRequest> = {}) =>
  send(port, { path: '/v2/auth/api-keys', as: asAdmin(), body, ...more })

const get = (path: string) => send(port, { path, as: asAdmin() })

describe('bodies', () => {
  afterEach(async () => assert.equal((await get('/v1/api/auth/me')).status, 200, 'the server does not serve any more'))

  test('what is not JSON is malformed_json in both versions', async () => {
    for (const body of [
      '{"a":',
      '{a:1}',
      "{'a':1}",
      'undefined',
      '{"a":1}}',
      '[1,]',
      '\ufeff{}',
      '{"a":1}{"b":2}',
      'NaN',
      '{"a":"\n"}',
      '{"a":\u0000}',
      ' ',
      '<xml/>',
    ]) {
      assertProblem(await users(body), 400, 'malformed_json')
      assertProblem(await keys(body), 400, 'malformed_json')
    }
  })

  test('JSON that is no object, and no body at all, are invalid input', async () => {
    for (const body of ['[]', '"text"', '1', 'null', 'true', '[{"email":"a@example.com"}]', '']) {
      assertProblem(await users(body), 400, 'validation_failed')
      assertProblem(await keys(body), 400, 'validation_failed')
    }
    assertProblem(await send(port, { method: 'POST', path: '/v1/api/users', as: asAdmin() }), 400, 'validation_failed')
  })

  test('of a body of thousands of values the first fault is the answer, of others fifty at most', async () => {
    const collection = (requests: string) =>
      send(port, { path: '/v2/playground/collections', as: asAdmin(), body: `{"name":"x","requests":[${requests}]}` })
    const large = await collection(Array(500_000).fill(0).join())
    assertProblem(large, 400, 'validation_failed')
    assert.deepEqual(
      faultsOf(large).map(({ field, code }) => [field, code]),
      [['requests', 'too_many']],
    )
    assert.equal(faultsOf(await collection(Array(1_500).fill(0).join())).length, 50)
    const torn = await keys(`{"name":"k","mode":"test","scopes":[${Array(1_500).fill('"\\u0000"').join()}]}`)
    assert.ok(faultsOf(torn).length <= 100, String(faultsOf(torn).length))
  })

  test('another content type is refused, a charset is not', async () => {
    const body = '{"name":"k","mode":"test"}'
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/jsonp',
      'application/problem+json',
      'text/json',
      '*/*',
      'json',
      '',
    ]) {
      assertProblem(await keys(body, { headers: { 'content-type': type } }), 415, 'unsupported_media_type')
    }
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset=UTF-8']) {
      assert.equal((await keys(body, { headers: { 'content-type': type } })).status, 201, type)
    }
  })

  test('two megabytes are 413 and the connection closes, with or without a length', async () => {
    const body = `{"name":"${'x'.repeat(2_000_000)}"}`
    for (const chunked of [false, true]) {
      for (const answer of [await keys(body, { chunked }), await users(body, { chunked })]) {
        assertProblem(answer, 413, 'payload_too_large')
        assert.equal(answer.headers.connection, 'close')
      }
    }
    assertProblem(await keys(`{"name":"${'x'.repeat(65_536)}"}`), 413, 'payload_too_large')
  })

  test('a body where none is taken does no harm', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const path = '/v1/api/auth/me'
    for (const body of ['{"a":1}', 'garbage', 'x'.repeat(100_000)]) {
      const answer = await send(port, { method: 'GET', path, as: asAdmin(), body, agent })
      assert.ok(answer.status === 200 || answer.status === 400 || answer.status === 413, answer.text)
      assert.equal(
        (await send(port, { path, as: asAdmin(), agent })).status,
        200,
        'the next answer on the connection is its own',
      )
    }
    agent.destroy()
  })

  test('unknown fields and wrong types are reported all at once', async () => {
    const answer = await users(
      '{"email":7,"name":["x"],"role":"Owner","password":"short","admin":true,"constructor":1}',
    )
    assertProblem(answer, 400, 'validation_failed')
    const reported = faultsOf(answer)
      .map(fault => `${fault.field} ${fault.code}`)
      .sort()
    assert.deepEqual(reported, [
      'admin unknown_field',
      'constructor unknown_field',
      'email wrong_type',
      'name wrong_type',
      'password too_short',
      'role not_allowed',
    ])
    for (const value of ['1e400', '-1', '0.5', '"60"', 'null', '{}', '9007199254740993']) {
      const rotate = await send(port, {
        path: '/v2/auth/api-keys/key_01k9r7d3w2v8e6q4n5m1b0c9xz/rotate',
        as: asAdmin(),
        body: `{"overlapSeconds":${value}}`,
      })
      assertProblem(rotate, 400, 'validation_failed')
    }
  })

  test('deep JSON is refused before it is parsed', async () => {
    for (const depth of [17, 1_000, 30_000]) {
      assertProblem(await keys(`${'['.repeat(depth)}${']'.repeat(depth)}`), 400, 'malformed_json')
      assertProblem(await keys(`${'{"a":'.repeat(Math.min(depth, 9_000))}1`), 400, 'malformed_json')
    }
    assertProblem(await keys(`{"name":"${'[{'.repeat(100)}"}`), 400, 'validation_failed')
  })

  test('keys that reach into prototypes are refused in every spelling', async () => {
    for (const key of ['__proto__', '\\u005f_proto__', '\\u005F\\u005fproto\\u005F_', '__pr\\u006fto__']) {
      const answer = await keys(`{"name":"k","mode":"test","${key}":{"scopes":null,"polluted":1}}`)
      assert.equal(answer.status, 400, `${key}: ${answer.text}`)
    }
    assert.equal(({} as { polluted?: unknown }).polluted, undefined)
  })

  test('NUL is refused as a fault of its field, and is in no id', async () => {
    const answer = await keys('{"name":"a\\u0000b","mode":"test"}')
    assertProblem(answer, 400, 'validation_failed')
    assert.equal(faultsOf(answer)[0]?.field, 'name')
    for (const path of [
      '/v1/api/users?q=%00',
      '/v2/events?resourceId=a%00b',
      '/v2/requests?path=%00',
      '/v2/auth/api-keys/%00',
    ]) {
      const { status, text } = path.includes('?')
        ? await get(path)
        : await send(port, { method: 'DELETE', path, as: asAdmin() })
      assert.equal(status, path.includes('?') ? 400 : 404, `${path}: ${text}`)
    }
  })

  test('what is no UTF-8 is malformed, not replaced', async () => {
    for (const bytes of [[0xff], [0xc3], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
      const body = Buffer.concat([Buffer.from('{"mode":"test","name":"x'), Buffer.from(bytes), Buffer.from('"}')])
      assertProblem(await keys(body), 400, 'malformed_json')
    }
    const name = 'Ωμέγα 𝄞 日本'
    assert.equal((await keys(JSON.stringify({ name, mode: 'test' }))).json.data.name, name)
  })

  test('half of a surrogate pair is refused as a fault of its field, a whole pair is text', async () => {
    for (const torn of ['x\\ud800y', '\\uDC00', '\\ude00\\ud83d']) {
      const answer = await keys(`{"mode":"test","name":"${torn}"}`)
      assertProblem(answer, 400, 'validation_failed')
      assert.deepEqual(
        faultsOf(answer).map(({ field, code }) => [field, code]),
        [['name', 'wrong_format']],
      )
    }
    const whole = await keys('{"mode":"test","name":"\\ud83d\\ude00"}')
    assert.deepEqual([whole.status, whole.json.data.name], [201, '😀'])
  })

  test('a key that stands twice is named, in whatever spelling and however deep', async () => {
    for (const [body, name] of [
      ['{"mode":"test","name":"first","name":"second"}', 'name'],
      ['{"mode":"test","name":"first","n\\u0061me":"second"}', 'name'],
      ['{"mode":"test","name":"a:b","extra":[{"x":1},{"y":{"z":1, "z" :2}}]}', 'z'],
    ] as const) {
      const answer = await keys(body)
      assertProblem(answer, 400, 'malformed_json')
      assert.match(answer.json.error.message, new RegExp(`The key "${name}" stands twice`))
    }
    const same = '{"mode":"test","name":"{\\"a\\":1,\\"a\\":2}"}'
    assert.equal((await keys(same)).status, 201, 'text that looks like JSON is text')
  })

  test('packed bodies, other character sets and byte order marks are named', async () => {
    const body = '{"mode":"test","name":"k"}'
    const type = 'application/json'
    for (const [headers, named] of [
      [{ 'content-type': type, 'content-encoding': 'gzip' }, /Content-Encoding: gzip/],
      [{ 'content-type': `${type}; charset=utf-16` }, /in utf-16/],
      [{ 'content-type': `${type};charset="ISO-8859-1"` }, /in ISO-8859-1/],
    ] as const) {
      const answer = await keys(body, { headers })
      assertProblem(answer, 415, 'unsupported_media_type')
      assert.match(answer.json.error.message, named)
    }
    assert.equal((await keys(body, { headers: { 'content-type': type, 'content-encoding': 'identity' } })).status, 201)
    const marked = await keys(`\ufeff${body}`)
    assertProblem(marked, 400, 'malformed_json')
    assert.match(marked.json.error.message, /byte order mark/)
  })

  test('a parameter is sent once, and an integer is written as one', async () => {
    for (const [query, field, code] of [
      ['page=0x10', 'page', 'wrong_type'],
      ['page=1e2', 'page', 'wrong_type'],
      ['page=', 'page', 'wrong_type'],
      ['page=1&page=2', 'page', 'repeated'],
      ['q=ab&q=cd&limit=1.0', 'q', 'repeated'],
    ] as const) {
      const answer = await get(`/v1/api/users?${query}`)
      assertProblem(answer, 400, 'validation_failed')
      const [fault] = faultsOf(answer)
      assert.deepEqual([fault?.field, fault?.code], [field, code], query)
      assert.equal(faultsOf(answer).filter(one => one.field === field).length, 1, query)
      if (code === 'repeated') assert.match(answer.text, /is sent twice; send it once/)
    }
    assert.equal((await get('/v1/api/users?page=1&limit=10')).status, 200)
  })

  test('a place where an integer id stands is no address for other words', async () => {
    const post = (path: string) => send(port, { path, as: asAdmin(), body: '{}' })
    assertProblem(await post('/v1/api/leads/batch'), 404, 'route_not_found')
    assertProblem(await post('/v1/api/leads/17'), 405, 'method_not_allowed')
  })
})
