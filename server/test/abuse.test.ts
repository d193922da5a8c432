// Bad input against a really listening server: whatever arrives, broken, huge, slow, forged or too often, is answered
// as documented and in JSON, never with 5xx, and the server serves the next one.
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after, afterEach, before, describe, test } from 'node:test'
import { newApiKey } from '../src/kernel/ids.ts'
import { startTestApp, type TestApp, testPassword } from './harness.ts'
import { exchange, listen, send, type WireAnswer, type WireRequest } from './wire.ts'

/** Limits raised, no proxy trusted. */
let t: TestApp
let port = 0
/** Limits as they are by default, the loopback address trusted as a proxy. */
let limited: TestApp
let limitedPort = 0

before(async () => {
  t = await startTestApp()
  port = await listen(t)
  const byDefault = { TANDEM_RATE_LIMIT_IP: '', TANDEM_RATE_LIMIT_KEY: '', TANDEM_TRUSTED_PROXIES: '127.0.0.0/8' }
  limited = await startTestApp({ env: byDefault })
  limitedPort = await listen(limited)
})
after(async () => {
  await t?.close()
  await limited?.close()
})

const asAdmin = () => t.main.tokens.Admin
const users = (body: string | Buffer, more: Partial<WireRequest> = {}) =>
  send(port, { path: '/v1/api/users', as: asAdmin(), body, ...more })
const keys = (body: string | Buffer, more: Partial<WireRequest> = {}) =>
  send(port, { path: '/v2/auth/api-keys', as: asAdmin(), body, ...more })
const get = (path: string) => send(port, { path, as: asAdmin() })

/** Fails unless the answer is this problem in the shape of its version. */
function assertProblem(answer: WireAnswer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text)
  const { json } = answer
  assert.ok(json !== undefined, `not JSON: ${answer.text}`)
  if (json.success === undefined) assert.deepEqual([json.status, json.error.code], [status, code], answer.text)
  else
    assert.deepEqual(
      [json.success, json.code, typeof json.error, typeof json.message],
      [false, code, 'string', 'string'],
      answer.text,
    )
  assert.match(String(answer.headers['x-request-id']), /^req_[0-9a-z]{26}$/)
  assert.ok(!/node_modules|\.ts:\d|select |insert /i.test(answer.text), `shows its inside: ${answer.text}`)
}

const faultsOf = (answer: WireAnswer): { field: string; code: string }[] =>
  answer.json.details ?? answer.json.error.details ?? []

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

  test('unknown fields and wrong types are told all at once', async () => {
    const answer = await users(
      '{"email":7,"name":["x"],"role":"Owner","password":"short","admin":true,"constructor":1}',
    )
    assertProblem(answer, 400, 'validation_failed')
    const told = faultsOf(answer)
      .map(fault => `${fault.field} ${fault.code}`)
      .sort()
    assert.deepEqual(told, [
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

  test('NUL is refused as a fault of its field, wherever it stands', async () => {
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
      assert.equal(status, 400, `${path}: ${text}`)
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

describe('addresses', () => {
  test('broken ids are 400, foreign ones 404, whatever they look like', async () => {
    for (const id of [
      'abc',
      '0',
      '-1',
      '1.5',
      '1e99',
      '9007199254740993',
      '0x10',
      'null',
      '%20',
      "1'--",
      '1;drop table users',
      '%F0%9F%92%A9',
    ]) {
      assertProblem(await get(`/v1/api/users/${encodeURI(decodeURI(id))}`), 400, 'validation_failed')
    }
    assertProblem(await get(`/v1/api/users/${t.other.users.Admin.id}`), 404, 'not_found')
    assertProblem(await get('/v1/api/users/%zz'), 400, 'bad_request')
    assertProblem(await get('/v1/api/users/%c3'), 400, 'bad_request')
    assertProblem(await get(`/v1/api/users/${'9'.repeat(500)}`), 414, 'uri_too_long')
    assertProblem(await get('/v1/api/users/../../../etc/passwd'), 404, 'route_not_found')
    assertProblem(await get('/v1/api/users/..%2f..%2fetc%2fpasswd'), 400, 'validation_failed')
    assertProblem(await get('//v1/api/users'), 404, 'route_not_found')
  })

  test('pages and limits out of bounds', async () => {
    for (const query of [
      'page=0',
      'page=-1',
      'page=abc',
      'page=1.5',
      'page=',
      'page=1e99',
      'limit=0',
      'limit=-5',
      'limit=ten',
      'limit=',
      'limit=NaN',
      'limit=1e9',
      'page=%00',
    ]) {
      const answer = await get(`/v1/api/users?${query}`)
      assertProblem(answer, 400, 'validation_failed')
      assert.equal(faultsOf(answer)[0]?.field, query.split('=')[0])
    }
    const clamped = await get('/v1/api/users?limit=201')
    assert.equal(clamped.status, 200)
    assert.equal(clamped.json.pagination.limit, 200)
    assert.equal((await get('/v1/api/users?limit=1000000000')).json.pagination.limit, 200)
    assertProblem(await get('/v1/api/users?page=1000000000'), 400, 'validation_failed')
    assertProblem(await get('/v2/events?limit=1e9'), 400, 'validation_failed')
    assertProblem(await get('/v2/events?limit=0'), 400, 'validation_failed')
  })

  test('repeated, unknown, nested and prototype-like query parameters', async () => {
    for (const query of [
      'page=1&page=2',
      'limit=1&limit=1',
      'q=a&q=b',
      'page[a]=1',
      'page[]=1',
      '__proto__=1',
      'constructor=1',
      'toString=1',
      'Page=1',
      'x',
      '=1',
      '__proto__[limit]=5',
    ]) {
      assertProblem(await get(`/v1/api/users?${query}`), 400, 'validation_failed')
    }
    for (const query of ['', '&', '&&', 'page=1&'])
      assert.equal((await get(`/v1/api/users?${query}`)).status, 200, query)
    const broken = await get('/v1/api/users?q=%E0%A4%A')
    assert.ok(broken.status === 200 || broken.status === 400, broken.text)
  })

  test('a cursor full of anything is refused', async () => {
    for (const cursor of [
      'x',
      '%00',
      'bnVsbA',
      'W10',
      'e30',
      Buffer.from('["","\u0000"]').toString('base64url'),
      'A'.repeat(500),
    ]) {
      for (const path of ['/v1/api/users', '/v2/events', '/v2/requests', '/v2/auth/api-keys']) {
        const { status, text } = await get(`${path}?cursor=${cursor}`)
        assert.equal(status, 400, `${path} ${cursor}: ${text}`)
      }
    }
    assertProblem(await get(`/v2/events?cursor=${'A'.repeat(501)}`), 400, 'validation_failed')
  })
})

describe('headers', () => {
  const head = (lines: string[]) => ['GET /v1/api/auth/me HTTP/1.1', 'Host: localhost', ...lines, '', ''].join('\r\n')

  async function refused(bytes: string | Buffer, status: number, code: string, patienceMs?: number): Promise<void> {
    const { answers } = await exchange(port, bytes, { patienceMs })
    assert.equal(answers.length, 1)
    const [answer] = answers as [(typeof answers)[0]]
    assert.equal(answer.status, status, answer.headers)
    const json = JSON.parse(answer.body)
    assert.equal(json.code ?? json.error.code, code)
    if (json.success !== undefined) assert.equal(json.success, false)
  }

  test('too many or too large headers are 431', async () => {
    await refused(head(Array.from({ length: 65 }, (_, n) => `x-${n}: 1`)), 431, 'headers_too_large', 300)
    await refused(head(Array.from({ length: 5_000 }, (_, n) => `x-${n}: ${n}`)), 431, 'headers_too_large')
    await refused(head([`x: ${'a'.repeat(9_000)}`]), 431, 'headers_too_large')
    await refused(head([`authorization: Bearer ${'a'.repeat(8_200)}`]), 431, 'headers_too_large')
    await refused(`GET /${'a'.repeat(9_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, 431, 'headers_too_large')
    const { answers } = await exchange(
      port,
      head([`authorization: Bearer ${asAdmin()}`, ...Array.from({ length: 61 }, (_, n) => `x-${n}: 1`)]),
      { patienceMs: 300 },
    )
    assert.equal(answers[0]?.status, 200)
  })

  test('what is no HTTP is 400 in JSON and the end of the connection', async () => {
    const post = 'POST /v1/api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    for (const bytes of [
      'GARBAGE\r\n\r\n',
      Buffer.from('16030100f4010000f00303', 'hex'),
      Buffer.alloc(600, 0),
      'GET / HTTP/9.9\r\n\r\n',
      'GET /v1/api/auth/me HTTP/1.1\r\nHost localhost\r\n\r\n',
      'GET /v1/api/auth/me HTTP/1.1\r\nHost: localhost\r\n x: folded\r\n\r\n',
      'GET /v1/api/ auth/me HTTP/1.1\r\nHost: localhost\r\n\r\n',
      `${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      `${post}Content-Length: 4\r\nContent-Length: 5\r\n\r\n{"a"`,
      `${post}Content-Length: -1\r\n\r\n`,
      `${post}Content-Length: 1e3\r\n\r\n`,
      `${post}Transfer-Encoding: chunked\r\n\r\nZZ\r\n`,
      `${post}Transfer-Encoding: gzip, identity\r\n\r\n`,
    ]) {
      const { answers, closed } = await exchange(port, bytes)
      assert.equal(answers.at(-1)?.status, 400, String(bytes).slice(0, 200))
      assert.equal(JSON.parse(answers.at(-1)?.body as string).code, 'bad_request')
      assert.equal(closed, true)
    }
    await refused('GET /v1/api/auth/me HTTP/1.1\r\n\r\n', 400, 'bad_request', 300)
  })

  test('garbage behind requests does not take their answers', async () => {
    const whole = head([`authorization: Bearer ${asAdmin()}`])
    const { answers, closed } = await exchange(port, `${whole}${whole}GARBAGE\r\n\r\n`)
    assert.deepEqual(
      answers.map(answer => answer.status),
      [200, 200, 400],
    )
    assert.equal(closed, true)
    const key = `pipelined ${Math.floor(t.clock.now())}`
    const body = JSON.stringify({ name: key, mode: 'test' })
    const create = [
      'POST /v2/auth/api-keys HTTP/1.1',
      'Host: localhost',
      `Authorization: Bearer ${asAdmin()}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n')
    const mixed = await exchange(port, `${create}\u0000\u0001\u0002`)
    assert.deepEqual(
      mixed.answers.map(answer => answer.status),
      [201, 400],
    )
    assert.equal(JSON.parse(mixed.answers[0]?.body as string).data.name, key)
  })

  test('pipelined requests are answered in their order', async () => {
    const paths = ['/v1/api/auth/me', '/v2/organization', '/v1/api/users/0', '/v2/users/me', '/nowhere']
    const bytes = paths
      .map(path => `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${t.main.liveKey}\r\n\r\n`)
      .join('')
    const { answers } = await exchange(port, bytes, { patienceMs: 500 })
    assert.deepEqual(
      answers.map(answer => answer.status),
      [200, 200, 400, 200, 404],
    )
  })

  test('a whole URL in the request line reaches the same endpoint', async () => {
    const { answers } = await exchange(port, `GET http://elsewhere/api/auth/me HTTP/1.1\r\nHost: localhost\r\n\r\n`, {
      patienceMs: 300,
    })
    assert.equal(answers[0]?.status, 401)
    assert.equal(JSON.parse(answers[0]?.body as string).success, false)
  })

  test('odd values of our own headers are refused or ignored, never a mistake of ours', async () => {
    const patch = (headers: Record<string, string | string[]>) =>
      send(port, {
        method: 'PATCH',
        path: `/v1/api/users/${t.main.users['Sales Manager'].id}`,
        as: asAdmin(),
        body: '{"name":"N"}',
        headers,
      })
    for (const value of ['latest', '"x"', '""', '"99999999999999999999"', '"1", "2"']) {
      assertProblem(await patch({ 'if-match': value }), 400, 'invalid_if_match')
    }
    for (const value of ['', 'x'.repeat(256), ['a', 'b'], 'tab\there']) {
      assertProblem(await patch({ 'idempotency-key': value }), 400, 'invalid_idempotency_key')
    }
    const harmless: Record<string, string>[] = [
      { 'x-request-id': 'mine' },
      { accept: 'text/html' },
      { 'accept-encoding': 'x' },
      { cookie: '__proto__=1' },
    ]
    for (const headers of harmless) {
      assert.equal((await patch(headers)).status, 200)
    }
  })
})

describe('slow clients', { concurrency: true }, () => {
  const start = 'POST /v1/api/auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'

  function assertCut(
    { answers, closed, ms }: Awaited<ReturnType<typeof exchange>>,
    fromMs: number,
    toMs: number,
  ): void {
    assert.equal(closed, true, 'the connection stayed open')
    assert.ok(ms > fromMs && ms < toMs, `cut after ${Math.round(ms)} ms`)
    assert.equal(answers.length, 1)
    assert.equal(answers[0]?.status, 408)
    const json = JSON.parse(answers[0]?.body as string)
    assert.deepEqual([json.success, json.code, json.status], [false, 'request_timeout', 408])
    assert.match(answers[0]?.headers ?? '', /connection: close/i)
  }

  test('headers that trickle in are cut after 5 seconds', async () => {
    const trickle = { bytes: 'x-slow: 1\r\n', everyMs: 200 }
    assertCut(await exchange(port, start, { trickle, patienceMs: 9_000 }), 4_500, 8_500)
  })

  test('a connection that says nothing is cut after 5 seconds', async () => {
    assertCut(await exchange(port, '', { patienceMs: 9_000 }), 4_500, 8_500)
  })

  test('a body that trickles in is cut after 10 seconds', async () => {
    const trickle = { bytes: ' ', everyMs: 200 }
    assertCut(
      await exchange(port, `${start}Content-Length: 4000\r\n\r\n{`, { trickle, patienceMs: 14_000 }),
      9_500,
      13_500,
    )
  })

  test('so is a chunked one, and one whose credential was known', async () => {
    const trickle = { bytes: '1\r\n \r\n', everyMs: 100 }
    const authorized = start
      .replace('auth/login', 'users')
      .replace('Host:', `Authorization: Bearer ${asAdmin()}\r\nHost:`)
    assertCut(
      await exchange(port, `${authorized}Transfer-Encoding: chunked\r\n\r\n`, { trickle, patienceMs: 14_000 }),
      9_500,
      13_500,
    )
  })

  test('two hundred of them keep nobody waiting', async () => {
    const slow = Array.from({ length: 200 }, () =>
      exchange(port, `${start}Content-Length: 100\r\n\r\n{`, { patienceMs: 3_000 }),
    )
    const started = performance.now()
    for (let n = 0; n < 20; n++) assert.equal((await get('/v1/api/auth/me')).status, 200)
    assert.ok(performance.now() - started < 2_000)
    await Promise.all(slow)
  })
})

describe('limits as they are by default', () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 16 })
  after(() => agent.destroy())
  const from = (ip: string, more: Partial<WireRequest> = {}) =>
    send(limitedPort, { path: '/v1/api/auth/me', agent, headers: { 'x-forwarded-for': ip }, ...more })
  const statuses = (answers: WireAnswer[]) =>
    Object.fromEntries(
      Map.groupBy(answers, answer => answer.status)
        .entries()
        .map(([status, all]) => [status, all.length]),
    )
  const many = (count: number, one: () => Promise<WireAnswer>) => Promise.all(Array.from({ length: count }, one))

  function assertLimited(answer: WireAnswer, name: string, limit: number): void {
    assert.equal(answer.status, 429)
    const seconds = Number(answer.headers['retry-after'])
    assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 61, String(answer.headers['retry-after']))
    const { success, error, message } = answer.json
    assert.deepEqual([success, error], [false, 'Too Many Requests'])
    assert.match(message, new RegExp(`\\b${seconds} seconds?\\b`))
    assert.match(String(answer.headers['ratelimit-policy']), new RegExp(`^"${name}";q=${limit};w=60$`))
    assert.match(String(answer.headers['ratelimit']), new RegExp(`^"${name}";r=0;t=\\d+$`))
  }

  test('an address has 100 a minute without a credential, and another address its own', async () => {
    assert.deepEqual(statuses(await many(120, () => from('198.51.100.1'))), { 401: 100, 429: 20 })
    const refused = await from('198.51.100.1')
    assertLimited(refused, 'ip', 100)
    assert.equal((await from('198.51.100.2')).status, 401)
    const v2 = await from('198.51.100.1', { path: '/v2/organization' })
    assert.equal(v2.status, 429)
    assert.deepEqual([v2.json.status, v2.json.error.code, v2.json.error.retriable], [429, 'rate_limited', true])
    assert.ok(Number(v2.headers['retry-after']) >= 1)
    limited.clock.advance(Number(refused.headers['retry-after']) * 1_000)
    assert.equal((await from('198.51.100.1')).status, 401, 'Retry-After was too short')
  })

  test('people behind one address keep out of each other, and out of the way of strangers there', async () => {
    const [first, second] = [limited.main.tokens['Sales Manager'], limited.main.tokens['Sales Executive']]
    assert.deepEqual(statuses(await many(120, () => from('198.51.100.11'))), { 401: 100, 429: 20 })
    assert.deepEqual(statuses(await many(300, () => from('198.51.100.11', { as: first }))), { 200: 300 })
    const theirs = await from('198.51.100.11', { as: second })
    assert.deepEqual([theirs.status, theirs.headers['ratelimit-policy']], [200, '"user";q=1000;w=60'])
    assert.equal(theirs.headers['ratelimit'], '"user";r=999;t=61')
  })

  test('a person has 1,000 a minute, from all addresses and sessions and in both modes together', async () => {
    const body = { emailOrAdminId: limited.main.users['Finance Manager'].email, password: testPassword, mode: 'test' }
    const login = await limited.call('POST', '/v1/api/auth/login', { body })
    const tokens = [limited.main.tokens['Finance Manager'], login.json.accessToken]
    let turn = 0
    const answers = await many(1_010, () => from(`203.0.113.${turn % 250}`, { as: tokens[turn++ % 2] as string }))
    assert.deepEqual(statuses(answers), { 200: 1_000, 429: 10 })
    assertLimited(await from('198.51.100.12', { as: tokens[0] as string }), 'user', 1_000)
  })

  test('a key has 1,000 a minute, whatever the address, and does not spend those of the address', async () => {
    const as = limited.main.liveKey
    let turn = 0
    const answers = await many(1_010, () => from(`203.0.113.${turn++ % 250}`, { as }))
    assert.deepEqual(statuses(answers), { 200: 1_000, 429: 10 })
    assertLimited(await from('198.51.100.3', { as }), 'key', 1_000)
    assert.equal((await from('198.51.100.3', { as: limited.main.testKey })).status, 200, 'another key has its own')
    assert.equal((await from('203.0.113.1')).headers['ratelimit'], '"ip";r=99;t=61')
  })

  test('making keys does not multiply the limit: all keys of a user in a mode have 5,000 a minute', async () => {
    const { id } = limited.other.users.Admin
    const spent = 5_000 - 3
    limited.app.services.limiter.take(`keys ${limited.other.liveTenantId} ${id}`, 5_000, limited.clock.now(), spent)
    const make = (mode: string) =>
      limited.call('POST', '/v2/auth/api-keys', { as: limited.other.tokens.Admin, body: { name: 'more', mode } })
    const keys = await Promise.all(['live', 'live', 'live', 'live', 'live', 'test'].map(make))
    const answers: WireAnswer[] = []
    for (const { json } of keys) answers.push(await from('198.51.100.13', { as: json.data.secret }))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200, 429, 429, 200],
    )
    assertLimited(answers[3] as WireAnswer, 'keys', 5_000)
    assert.match(answers[3]?.json.message, /all API keys of this user/)
    assert.equal(answers[0]?.headers['ratelimit'], '"keys";r=2;t=61', 'told is what is nearer to its end')
    assert.equal(answers[5]?.headers['ratelimit-policy'], '"key";q=1000;w=60', 'test keys take nothing from live ones')
    limited.clock.advance(62_000)
  })

  test('an invalid key is charged to the address, so guessing has no 1,000', async () => {
    const guesses = await many(110, () => from('198.51.100.4', { as: newApiKey('live') }))
    assert.deepEqual(statuses(guesses), { 401: 100, 429: 10 })
    assert.equal((await from('198.51.100.4', { as: limited.other.liveKey })).status, 200, 'a valid key goes on')
  })

  test('of forwarded addresses the one that the trusted proxy saw counts, not what the client claims', async () => {
    const first = await from('6.6.6.6, 198.51.100.5')
    const second = await from('7.7.7.7, 198.51.100.5')
    const left = (answer: WireAnswer) => Number(/r=(\d+)/.exec(String(answer.headers['ratelimit']))?.[1])
    assert.deepEqual([left(first), left(second)], [99, 98])
    for (const odd of ['', ',', 'unknown', '::1, not an address', '198.51.100.6, 127.0.0.1', 'x'.repeat(2_000)]) {
      const { status, text } = await from(odd)
      assert.ok(status === 401 || status === 429, `${odd}: ${text}`)
    }
  })

  test('without a trusted proxy nobody is believed', async () => {
    const left = async (ip: string) => {
      const { headers } = await send(port, {
        path: '/v1/api/auth/me',
        headers: { 'x-forwarded-for': ip, 'x-real-ip': ip, forwarded: `for=${ip}` },
      })
      return Number(/r=(\d+)/.exec(String(headers['ratelimit']))?.[1])
    }
    const before = await left('198.51.100.7')
    assert.equal(await left('198.51.100.8'), before - 1)
    await send(port, { path: '/v2/organization', as: t.main.liveKey, headers: { 'x-forwarded-for': '198.51.100.9' } })
    await t.app.flush()
    const rows = await t.ownerSql<{ ip: string }>(
      "select distinct ip from request_log where key_id is not null and path = '/v2/organization'",
    )
    assert.deepEqual(
      rows.map(row => row.ip),
      ['127.0.0.1'],
    )
  })
})
