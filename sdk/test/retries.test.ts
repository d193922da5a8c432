// What happens when the way to the server is bad, against a server that answers by script: what is sent again, with the
// same key, after which wait; what is never sent again; and which error the caller gets.
// test: waits
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createTandem, type Tandem, TandemError, type TandemOptions } from '@tandem/sdk'
import { closedPort } from '../../scripts/testing/free_port.ts'
import { json, reset, type ScriptedServer, silence, startScriptedServer } from './server.ts'

const sms = { from: '+15005550006', to: '+15005550100', body: 'Hello' }
const sent = json(200, { messageId: 'msg_1', status: 'queued', deliveredAt: null })
const unavailable = json(503, {
  status: 503,
  error: { code: 'unavailable', message: 'Try again.', retriable: true, docUrl: '/errors/unavailable' },
  meta: { requestId: 'req_1', responseTime: '1ms' },
})
const login = { emailOrAdminId: 'ada@example.com', password: 'secret' }

const clientOf = (server: ScriptedServer, options: TandemOptions = {}): Tandem =>
  createTandem({ baseUrl: server.baseUrl, token: 'tdm_test_x', ...options })

async function refused(call: Promise<unknown>): Promise<TandemError> {
  const error = await call.then(
    () => assert.fail('the call went through'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof TandemError, String(error))
  return error
}

const keysOf = ({ seen }: ScriptedServer) => seen.map(({ headers }) => headers['idempotency-key'])

describe('a write with a key is sent again', () => {
  test('after 503, with the same key and the same body', async () => {
    await using server = await startScriptedServer(unavailable, sent)
    const { data, retries, idempotencyKey } = await clientOf(server).messages.sms.send(sms).withResponse()
    assert.deepEqual([data.messageId, retries, server.seen.length], ['msg_1', 1, 2])
    const [first, second] = server.seen
    assert.match(idempotencyKey ?? '', /^[0-9a-f]{32}$/)
    assert.deepEqual(keysOf(server), [idempotencyKey, idempotencyKey])
    assert.equal(second?.body, first?.body)
  })

  test('after a connection that broke', async () => {
    await using server = await startScriptedServer(reset, sent)
    assert.equal((await clientOf(server).messages.sms.send(sms)).messageId, 'msg_1')
    assert.equal(new Set(keysOf(server)).size, 1)
  })

  test('after an answer that did not come in time', async () => {
    await using server = await startScriptedServer(silence, sent)
    assert.equal((await clientOf(server, { timeoutMs: 100 }).messages.sms.send(sms)).messageId, 'msg_1')
    assert.equal(new Set(keysOf(server)).size, 1)
  })

  test('after 429, not before the time it named', async () => {
    const limited = json(429, { error: { code: 'rate_limited', message: 'Wait.' } }, { 'retry-after': '1' })
    await using server = await startScriptedServer(limited, sent)
    const started = performance.now()
    await clientOf(server).messages.sms.send(sms)
    const waited = performance.now() - started
    assert.ok(waited >= 990 && waited < 3000, `waited ${waited} ms`)
  })

  test('after 503 of a proxy, not before the date it named', async () => {
    const page = json(503, 'away', { 'retry-after': new Date(Date.now() + 2_000).toUTCString() })
    await using server = await startScriptedServer(page, sent)
    const started = performance.now()
    await clientOf(server).messages.sms.send(sms)
    // A date has no milliseconds.
    assert.ok(performance.now() - started >= 900)
  })

  test('two calls have two keys; a key of the caller is kept; without retries none is made', async () => {
    await using server = await startScriptedServer(sent)
    const tandem = clientOf(server)
    await tandem.messages.sms.send(sms)
    await tandem.messages.sms.send(sms)
    await tandem.messages.sms.send(sms, { idempotencyKey: 'mine' })
    await tandem.messages.sms.send(sms, { maxRetries: 0 })
    const [first, second, third, fourth] = keysOf(server)
    assert.notEqual(first, second)
    assert.deepEqual([third, fourth], ['mine', undefined])
  })
})

describe('what is not sent again', () => {
  test('a login that the server may have read', async () => {
    for (const handler of [unavailable, reset]) {
      await using server = await startScriptedServer(handler)
      await refused(clientOf(server).auth.login(login))
      assert.equal(server.seen.length, 1)
      assert.equal(server.seen[0]?.headers['idempotency-key'], undefined)
      assert.equal(server.seen[0]?.headers.authorization, undefined, 'a public endpoint got the credential')
    }
  })

  test('a refusal', async () => {
    for (const status of [400, 401, 403, 404, 409, 412, 422]) {
      await using server = await startScriptedServer(json(status, { error: { code: 'some_code', message: 'No.' } }))
      const error = await refused(clientOf(server).leads.list())
      assert.deepEqual([error.status, error.code, error.retriable, server.seen.length], [status, 'some_code', false, 1])
    }
  })

  test('what is to wait longer than the caller has patience for: the error says how long', async () => {
    const limited = json(429, { error: { code: 'rate_limited', message: 'Later.' } }, { 'retry-after': '3' })
    await using server = await startScriptedServer(limited)
    const error = await refused(clientOf(server, { longestWaitSeconds: 2 }).leads.list())
    assert.deepEqual([error.status, error.retryAfterSeconds, server.seen.length], [429, 3, 1])
  })

  test('anything, once the attempts are used up: the last error is thrown', async () => {
    await using server = await startScriptedServer(reset, reset, unavailable)
    const error = await refused(clientOf(server).leads.get({ id: 1 }))
    assert.deepEqual(
      [error.code, error.status, error.retriable, error.requestId],
      ['unavailable', 503, true, undefined],
    )
    assert.equal(server.seen.length, 3)
  })

  test('what the server wants back only after more than a minute', async () => {
    const limited = json(429, { error: { code: 'rate_limited', message: 'Wait.' } }, { 'retry-after': '600' })
    await using server = await startScriptedServer(limited)
    assert.equal((await refused(clientOf(server).leads.list())).retryAfterSeconds, 600)
    assert.equal(server.seen.length, 1)
  })

  test('a POST made by hand without a key; with one it is', async () => {
    await using server = await startScriptedServer(unavailable)
    const tandem = clientOf(server)
    await refused(tandem.request({ method: 'POST', path: '/v2/anything', body: {} }))
    assert.equal(server.seen.length, 1)
    await refused(
      tandem.request({ method: 'POST', path: '/v2/anything', body: {}, idempotencyKey: 'k', maxRetries: 1 }),
    )
    assert.equal(server.seen.length, 3)
  })
})

test('a login is sent again when no connection was made at all', async () => {
  let attempts = 0
  const tandem = createTandem({
    baseUrl: `http://127.0.0.1:${closedPort}`,
    fetch: (url, init) => {
      attempts += 1
      return fetch(url, init)
    },
  })
  const error = await refused(tandem.auth.login(login))
  assert.deepEqual([error.code, error.status, attempts], ['network_error', 0, 3])
  assert.match(error.message, /could not be reached.*ECONNREFUSED/)
})

describe('faults on the way have codes of their own', () => {
  test('timeout, also in the middle of the body', async () => {
    await using server = await startScriptedServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"messageId"')
    })
    const error = await refused(clientOf(server, { maxRetries: 0, timeoutMs: 100 }).messages.sms.send(sms))
    assert.deepEqual([error.code, error.retriable], ['timeout', true])
    assert.match(error.message, /within 100 ms/)
  })

  test('a page of a proxy, as failure and as success', async () => {
    await using server = await startScriptedServer(
      (_, response) => response.writeHead(403).end('<h1>Forbidden by the proxy</h1>'),
      (_, response) => response.writeHead(200).end('<h1>Sign in to the Wi-Fi</h1>'),
      json(200, { something: 'else' }),
    )
    const tandem = clientOf(server)
    for (const [status, text] of [
      [403, /Forbidden by the proxy/],
      [200, /Sign in to the Wi-Fi/],
      [200, /something/],
    ] as const) {
      const error = await refused(tandem.leads.list())
      assert.deepEqual([error.code, error.status], ['unexpected_reply', status])
      assert.match(error.message, text)
    }
  })

  test('an aborted call rejects with the reason, whether it waits for an answer or for its next attempt', async () => {
    for (const handler of [silence, unavailable]) {
      await using server = await startScriptedServer(handler)
      const controller = new AbortController()
      const call = clientOf(server, { maxRetries: 20 }).leads.list({}, { signal: controller.signal })
      setTimeout(() => controller.abort(), 60)
      await assert.rejects(call, { name: 'AbortError' })
      const count = server.seen.length
      await new Promise(resolve => setTimeout(resolve, 100))
      assert.ok(server.seen.length <= count + 1, 'it went on after the abort')
    }
    const reason = new Error('mine')
    await using server = await startScriptedServer(sent)
    await assert.rejects(clientOf(server).leads.list({}, { signal: AbortSignal.abort(reason) }), reason)
    assert.equal(server.seen.length, 0)
  })

  test('a failed call that is read by withResponse is not reported as unhandled', async () => {
    await using server = await startScriptedServer(json(404, { error: { code: 'not_found', message: 'No.' } }))
    const unhandled: unknown[] = []
    const note = (error: unknown) => unhandled.push(error)
    process.on('unhandledRejection', note)
    await refused(clientOf(server).leads.get({ id: 1 }).withResponse())
    await new Promise(resolve => setTimeout(resolve, 20))
    process.off('unhandledRejection', note)
    assert.deepEqual(unhandled, [])
  })
})

describe('credentials', () => {
  const expired = json(401, { success: false, error: 'Unauthorized', message: 'Expired.', code: 'token_expired' })

  test('a function is asked for each request, and again with what was refused', async () => {
    await using server = await startScriptedServer(expired, sent)
    const asked: (string | undefined)[] = []
    const token = ({ refused: old }: { refused?: string }) => {
      asked.push(old)
      return old === undefined ? 'old' : 'new'
    }
    const { retries } = await clientOf(server, { token }).messages.sms.send(sms).withResponse()
    assert.deepEqual(asked, [undefined, 'old'])
    assert.deepEqual(
      server.seen.map(({ headers }) => headers.authorization),
      ['Bearer old', 'Bearer new'],
    )
    assert.equal(retries, 0)
    assert.equal(new Set(keysOf(server)).size, 1)
  })

  test('without another credential the refusal stands', async () => {
    await using server = await startScriptedServer(expired)
    assert.equal((await refused(clientOf(server, { token: () => 'same' }).leads.list())).code, 'token_expired')
    assert.equal(server.seen.length, 1)
  })

  test('a fault of the function is the fault of the call', async () => {
    await using server = await startScriptedServer(sent)
    const token = () => Promise.reject(new Error('logged out'))
    await assert.rejects(clientOf(server, { token }).leads.list(), /logged out/)
    assert.equal(server.seen.length, 0)
  })
})

describe('what is sent', () => {
  const page = json(200, {
    success: true,
    leads: [],
    pagination: { page: 1, limit: 20, totalCount: 0, nextCursor: null },
  })

  test('path, query and body each get their fields; what is not given is not sent', async () => {
    await using server = await startScriptedServer(page)
    const tandem = clientOf(server, { headers: { 'X-Tandem-Source': 'portal' } })
    await tandem.leads.list({ q: 'a&b=c +ü', page: undefined, 'created_at[gte]': '2026-01-01' })
    await tandem.leads.update({ id: 7, notes: 'x' }, { ifMatch: 3, headers: { 'X-Other': '1' } }).catch(() => {})
    const [list, update] = server.seen
    const query = new URL(list?.path ?? '', server.baseUrl).searchParams
    assert.deepEqual([...query], [['q', 'a&b=c +ü'], ['created_at[gte]', '2026-01-01']]) // biome-ignore format: one line
    assert.deepEqual([list?.body, list?.headers['content-type']], ['', undefined])
    assert.deepEqual([update?.method, update?.path, update?.body], ['PATCH', '/v1/api/leads/7', '{"notes":"x"}'])
    assert.equal(update?.headers['if-match'], '"3"')
    assert.deepEqual([update?.headers['x-tandem-source'], update?.headers['x-other']], ['portal', '1'])
  })

  test('fetch gets the options of the caller', async () => {
    const inits: RequestInit[] = []
    const tandem = createTandem({
      baseUrl: 'https://crm.example.com/v1/',
      fetchOptions: { credentials: 'omit', cache: 'no-store' },
      fetch: async (url, init) => {
        inits.push(init)
        return Response.json({ success: true, url })
      },
    })
    assert.deepEqual(await tandem.auth.me(), { url: 'https://crm.example.com/v1/api/auth/me' })
    assert.deepEqual([inits[0]?.credentials, inits[0]?.cache], ['omit', 'no-store'])
  })

  test('an id cannot lead to another path, nor a path to another host', async () => {
    await using server = await startScriptedServer(page)
    const tandem = clientOf(server)
    for (const callId of ['', '.', '..']) await assert.rejects(tandem.calls.get({ callId }), TypeError)
    await assert.rejects(tandem.request({ path: '@evil.example/' }), TypeError)
    assert.equal(server.seen.length, 0)
    await tandem.calls.get({ callId: 'a/b?c' }).catch(() => {})
    assert.equal(server.seen[0]?.path, '/v2/voice/calls/a%2Fb%3Fc')
  })

  test('request returns the whole body, JSON or not', async () => {
    await using server = await startScriptedServer(json(200, { status: 200, data: [1] }), (_, response) =>
      response.end('# Markdown'),
    )
    const tandem = clientOf(server)
    assert.deepEqual(await tandem.request({ path: '/v2/messages', query: { limit: 3, to: null } }), {
      status: 200,
      data: [1],
    })
    assert.equal(server.seen[0]?.path, '/v2/messages?limit=3')
    assert.equal(await tandem.request({ path: '/llms.txt' }), '# Markdown')
  })
})
