// Bad addresses and headers, and slow clients, against a really listening server: whatever arrives is answered as documented
// and in JSON, never with 5xx, and the server serves the next one.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertProblem, faultsOf, startListening } from './abuse.ts'
import { exchange, send } from './wire.ts'

const { t, port } = await startListening()

const asAdmin = () => t.main.tokens.Admin

const get = (path: string) => send(port, { path, as: asAdmin() })

describe('addresses', () => {
  test('broken and foreign ids are 404, broken addresses 400, whatever they look like', async () => {
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
      assertProblem(await get(`/v1/api/users/${encodeURI(decodeURI(id))}`), 404, 'not_found')
    }
    assertProblem(await get(`/v1/api/users/${t.other.users.Admin.id}`), 404, 'not_found')
    assertProblem(await get('/v1/api/users/%zz'), 400, 'bad_request')
    assertProblem(await get('/v1/api/users/%c3'), 400, 'bad_request')
    assertProblem(await get(`/v1/api/users/${'9'.repeat(500)}`), 414, 'uri_too_long')
    assertProblem(await get('/v1/api/users/../../../etc/passwd'), 404, 'route_not_found')
    assertProblem(await get('/v1/api/users/..%2f..%2fetc%2fpasswd'), 404, 'not_found')
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
      'A'.repeat(4_000),
    ]) {
      for (const path of ['/v1/api/users', '/v2/events', '/v2/requests', '/v2/auth/api-keys']) {
        const { status, text } = await get(`${path}?cursor=${cursor}`)
        assert.equal(status, 400, `${path} ${cursor}: ${text}`)
      }
    }
    assertProblem(await get(`/v2/events?cursor=${'A'.repeat(4_001)}`), 400, 'validation_failed')
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
      [200, 200, 404, 200, 404],
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
      exchange(port, `${start}Content-Length: 100\r\n\r\n{`, { patienceMs: 6_000 }),
    )
    const started = performance.now()
    for (let n = 0; n < 20; n++) assert.equal((await get('/v1/api/auth/me')).status, 200)
    // Anyone who waited for them would wait until they leave.
    assert.ok(performance.now() - started < 5_000)
    await Promise.all(slow)
  })
})
