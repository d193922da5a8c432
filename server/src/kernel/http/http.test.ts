// What every endpoint inherits: answers are sent only for what was committed, mistakes of ours show nothing, and whatever
// arrives is answered in the shape of its version.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { emit } from '../data/events.ts'
import { type Endpoint, endpoint } from '../endpoint/endpoint.ts'
import { Problem } from '../values/problem.ts'
import { canonicalUrl } from './http.ts'
import { limitConnections } from './socket.ts'

const basis = {
  category: 'Developer',
  name: 'Try something',
  description: 'An endpoint of this test only.',
  permission: 'profile:read',
  sample: { reply: {} },
} as const

function trial(id: string, version: 'v1' | 'v2', handle: Endpoint['handle'], extra: Partial<Endpoint> = {}): Endpoint {
  return endpoint({
    ...basis,
    id: `trial.${id}`,
    version,
    method: 'POST',
    path: `/trial/${id}`,
    envelope: version === 'v1' ? 'success' : 'data',
    reply: Type.Object({ done: Type.Boolean() }),
    handle,
    ...extra,
  } as Endpoint)
}

/** Leaves an event as the mark of an effect. */
const mark = (context: Parameters<Endpoint['handle']>[0], name: string) =>
  emit(context.tx, context.principal, { type: 'trial.marked' as never, resourceId: name, sequence: 1, data: {} })

/** After how many seconds the crowded endpoint takes more. */
let triesLater: number | undefined

const endpoints = [
  trial('mistake', 'v1', async context => {
    await mark(context, 'mistake')
    throw new Error(`a mistake that knows tdm_live_${'a'.repeat(38)}`)
  }),
  trial('refusal', 'v2', async context => {
    await mark(context, 'refusal')
    throw new Problem('call_not_active')
  }),
  trial('swallowed', 'v1', async context => {
    await mark(context, 'swallowed')
    // A handler that hides a database error must not get its transaction acknowledged.
    await sql`select 1 / 0`.execute(context.tx).catch(() => undefined)
    return { done: true }
  }),
  trial('misfit', 'v1', async context => {
    await mark(context, 'misfit')
    return {}
  }),
  trial('leak', 'v2', async context => {
    await mark(context, 'leak')
    return { done: true, password: 'not in the schema' }
  }),
  trial(
    'transacted',
    'v2',
    ({ transact, principal, setVersion, header }) =>
      transact(async tx => {
        await emit(tx, principal, { type: 'trial.marked' as never, resourceId: 'transacted', sequence: 1, data: {} })
        setVersion(7)
        if (header('x-trial') === 'refuse') throw new Problem('call_not_active')
        return header('x-trial') === 'misfit' ? {} : { done: true, password: 'not in the schema' }
      }),
    { transaction: 'none', status: 201, versioned: true },
  ),
  trial('deadlock', 'v1', async context => {
    await mark(context, 'deadlock')
    await sql`do $$ begin raise exception 'two waited for each other' using errcode = '40P01'; end $$`.execute(
      context.tx,
    )
  }),
  trial(
    'crowded',
    'v2',
    async context => {
      await mark(context, 'crowded')
      return { done: true }
    },
    { overload: () => triesLater },
  ),
  trial('after', 'v1', async ({ afterCommit, tx }) => {
    let committed = false
    afterCommit(() => {
      committed = true
    })
    await sql`select 1`.execute(tx)
    assert.equal(committed, false)
    return { done: true }
  }),
]

const log = new PassThrough()
let t: TestApp
before(async () => {
  t = await startTestApp({ endpoints, logTo: log })
})
after(() => t?.close())

const marks = async (name: string) =>
  (await t.sql("select 1 from event_log where type = 'trial.marked' and resource_id = $1", [name])).length

test('a mistake of ours answers 500 without its inside, rolls back, and is logged with secrets masked', async () => {
  log.read()
  const answer = await t.call('POST', '/v1/trial/mistake', { as: t.main.tokens.Admin })
  assert.equal(answer.status, 500)
  assert.equal(answer.json.code, 'internal_error')
  assert.ok(!answer.text.includes('a mistake that knows'))
  assert.ok(answer.text.includes(answer.headers['x-request-id'] as string))
  assert.equal(await marks('mistake'), 0)
  const line = String(log.read())
  assert.match(line, /a mistake that knows \[redacted\]/)
  assert.match(line, new RegExp(answer.headers['x-request-id'] as string))
})

test('a refusal takes back what the handler had written', async () => {
  const answer = await t.call('POST', '/v2/trial/refusal', { as: t.main.liveKey })
  assert.equal(answer.status, 409)
  assert.deepEqual(Object.keys(answer.json), ['status', 'error', 'meta'])
  assert.equal(await marks('refusal'), 0)
})

test('only the tag COMMIT is an acknowledgement', async () => {
  const answer = await t.call('POST', '/v1/trial/swallowed', { as: t.main.tokens.Admin })
  assert.equal(answer.status, 500)
  assert.equal(await marks('swallowed'), 0)
  // The connection is usable again.
  assert.equal((await t.call('GET', '/v1/api/auth/me', { as: t.main.tokens.Admin })).status, 200)
})

test('a deadlock or timeout in the database answers 503, to be tried again', async () => {
  const answer = await t.call('POST', '/v1/trial/deadlock', { as: t.main.tokens.Admin })
  assert.equal(answer.status, 503)
  assert.equal(answer.headers['retry-after'], '1')
  assert.equal(await marks('deadlock'), 0)
})

test('what is more than the server bears is refused before anything is asked about it, and costs no limit', async () => {
  triesLater = 2
  log.read()
  const answer = await t.call('POST', '/v2/trial/crowded', { as: t.main.liveKey, body: { more: 'x'.repeat(10_000) } })
  triesLater = undefined
  assert.equal(answer.status, 503)
  assert.equal(answer.headers['retry-after'], '2')
  assert.equal(answer.headers['ratelimit'], undefined)
  assert.match(
    answer.json.error.message,
    /^This server is asked for more than it can carry\. Nothing of this request happened; try again in 2 seconds\.$/,
  )
  assert.equal(await marks('crowded'), 0)
  assert.equal(log.read(), null, 'a flood writes no log')
  assert.equal((await t.call('POST', '/v2/trial/crowded', { as: t.main.liveKey })).status, 200)
  assert.equal(await marks('crowded'), 1)
})

test('a reply that does not fit its schema leaves no effect', async () => {
  const answer = await t.call('POST', '/v1/trial/misfit', { as: t.main.tokens.Admin })
  assert.equal(answer.status, 500)
  assert.equal(await marks('misfit'), 0)
})

test('what the schema does not name cannot leak', async () => {
  const answer = await t.call('POST', '/v2/trial/leak', { as: t.main.liveKey })
  assert.equal(answer.status, 200)
  assert.deepEqual(answer.json.data, { done: true })
  assert.match(answer.json.meta.responseTime, /^\d+ms$/)
  assert.equal(answer.json.meta.requestId, answer.headers['x-request-id'])
})

test('an effect and its Idempotency-Key commit together: refusals store nothing, successes replay', async () => {
  const headers = { 'idempotency-key': 'one key' }
  const refused = await t.call('POST', '/v2/trial/refusal', { as: t.main.liveKey, headers })
  assert.equal(refused.status, 409)
  const first = await t.call('POST', '/v2/trial/leak', { as: t.main.liveKey, headers })
  assert.equal(first.status, 200, 'a refused request does not use up its key')
  const before = await marks('leak')
  const second = await t.call('POST', '/v2/trial/leak', { as: t.main.liveKey, headers })
  assert.equal(second.text, first.text)
  assert.equal(await marks('leak'), before)
})

test('a handler with a transaction of its own has the same protocol by transact()', async () => {
  const before = await marks('transacted')
  const send = (trial: string) =>
    t.call('POST', '/v2/trial/transacted', {
      as: t.main.liveKey,
      headers: { 'idempotency-key': 'transacted', 'x-trial': trial },
    })
  assert.equal((await send('refuse')).status, 409)
  assert.equal((await send('misfit')).status, 500)
  assert.equal(await marks('transacted'), before, 'neither a refusal nor a reply that fits no schema leaves an effect')
  const answers = await Promise.all(Array.from({ length: 10 }, () => send('')))
  assert.equal(new Set(answers.map(answer => answer.text)).size, 1)
  assert.deepEqual([...new Set(answers.map(answer => `${answer.status} ${answer.headers.etag}`))], ['201 "7"'])
  assert.equal(answers.filter(answer => answer.headers['idempotent-replayed'] === undefined).length, 1)
  assert.equal(await marks('transacted'), before + 1)
})

test('twenty parallel requests with one key have one effect and one answer', async () => {
  const before = await marks('leak')
  const send = () => t.call('POST', '/v2/trial/leak', { as: t.main.liveKey, headers: { 'idempotency-key': 'a race' } })
  const answers = await Promise.all(Array.from({ length: 20 }, send))
  assert.equal(new Set(answers.map(answer => answer.text)).size, 1)
  assert.equal(answers.filter(answer => answer.headers['idempotent-replayed'] === undefined).length, 1)
  assert.equal(await marks('leak'), before + 1)
})

test('an Idempotency-Key sent twice, empty or unprintable is refused', async () => {
  for (const key of ['', '   ', 'ü', 'a\u0001b']) {
    const answer = await t.call('POST', '/v1/trial/after', {
      as: t.main.tokens.Admin,
      headers: { 'idempotency-key': key },
    })
    assert.equal(answer.json.code, 'invalid_idempotency_key', JSON.stringify(key))
  }
  const quoted = await t.call('POST', '/v1/trial/after', {
    as: t.main.tokens.Admin,
    headers: { 'idempotency-key': '"k 1"' },
  })
  assert.equal(quoted.status, 200)
})

test('an error names its page by the public address, where there is one', async () => {
  const url = 'https://crm.acme.example/tandem'
  const { call } = await t.secondApp({ TANDEM_PUBLIC_URL: url })
  assert.equal((await call('GET', '/v2/nothing')).json.error.docUrl, `${url}/errors/route_not_found`)
  assert.equal((await t.call('GET', '/v2/nothing')).json.error.docUrl, '/errors/route_not_found')
})

test('addresses that are not there answer in the shape of their version', async () => {
  const v1 = await t.call('GET', '/v1/api/nothing')
  assert.equal(v1.status, 404)
  assert.equal(v1.json.success, false)
  assert.equal(v1.json.code, 'route_not_found')
  const v2 = await t.call('GET', '/v2/nothing')
  assert.equal(v2.json.error.code, 'route_not_found')
  assert.equal((await t.call('GET', '/')).json.catalog, '/v2/catalog')
  assert.equal(
    (await t.call('GET', '/v1/api/auth/me/', { as: t.main.tokens.Admin })).status,
    200,
    'a slash at the end does no harm',
  )
})

test('HEAD answers like GET without a body', async () => {
  const head = await t.call('HEAD', '/v1/api/auth/me', { as: t.main.tokens.Admin })
  assert.equal(head.status, 200)
  assert.equal(head.text, '')
  assert.ok(Number(head.headers['content-length']) > 0)
})

test('the spellings of the v1 base address', () => {
  assert.equal(canonicalUrl('/api/leads?q=1'), '/v1/api/leads?q=1')
  assert.equal(canonicalUrl('/api/v1/leads'), '/v1/api/leads')
  assert.equal(canonicalUrl('/v1/api/leads'), '/v1/api/leads')
  assert.equal(canonicalUrl('/v2/api/v1'), '/v2/api/v1')
})

test('health, readiness and metrics need no credential and cost no limit', async () => {
  assert.equal((await t.call('GET', '/healthz')).json.status, 'ok')
  assert.equal((await t.call('GET', '/readyz')).json.status, 'ready')
  const metrics = await t.call('GET', '/metrics')
  assert.match(
    metrics.text,
    /tandem_http_request_duration_seconds_count\{method="POST",endpoint="trial\.mistake",status="500"\} 1/,
  )
  assert.match(metrics.text, /tandem_internal_errors_total [1-9]/)
  assert.equal(metrics.headers['ratelimit'], undefined)
})

test('metrics are served to programs on this machine, or to anyone who has the token', async () => {
  const statusOf = async (call: typeof t.call, options: Parameters<typeof t.call>[2]) =>
    (await call('GET', '/metrics', options)).status
  assert.equal(await statusOf(t.call, { ip: '192.0.2.1' }), 401)
  assert.equal(await statusOf(t.call, { headers: { 'x-forwarded-for': '127.0.0.1' } }), 401, 'by a proxy')
  const behind = await t.secondApp({ TANDEM_PUBLIC_URL: 'https://crm.example' })
  assert.equal(await statusOf(behind.call, {}), 401, 'a proxy that says nothing')
  const token = 'a token of the operator'.replaceAll(' ', '-')
  const guarded = await t.secondApp({ TANDEM_METRICS_TOKEN: token, TANDEM_PUBLIC_URL: 'https://crm.example' })
  assert.equal(await statusOf(guarded.call, {}), 401)
  assert.equal(await statusOf(guarded.call, { as: `${token}s` }), 401)
  assert.equal(await statusOf(guarded.call, { as: token, ip: '192.0.2.1' }), 200)
})

test('a large answer is packed for who takes gzip', async () => {
  const plain = await t.call('GET', '/v2/openapi.json')
  assert.equal(plain.headers['content-encoding'], undefined)
  const response = await t.app.http.inject({ url: '/v2/openapi.json', headers: { 'accept-encoding': 'gzip' } })
  assert.equal(response.headers['content-encoding'], 'gzip')
  assert.equal(response.headers['vary'], 'accept-encoding')
  assert.equal(gunzipSync(response.rawPayload).toString(), plain.text)
  const small = await t.app.http.inject({ url: '/healthz', headers: { 'accept-encoding': 'gzip' } })
  assert.equal(small.headers['content-encoding'], undefined)
})

test('connections of a reverse proxy are not those of one client', async context => {
  const server = createServer()
  limitConnections({ server } as unknown as FastifyInstance, ['127.0.0.8/30'])
  server.on('connection', socket => socket.on('error', () => {}))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  context.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const cutOf = async (localAddress: string) => {
    let cut = 0
    const sockets = Array.from({ length: 230 }, () => connect({ port, host: '127.0.0.1', localAddress }))
    for (const socket of sockets) socket.on('error', () => {}).on('close', () => cut++)
    await Promise.all(sockets.map(socket => new Promise(resolve => socket.on('connect', resolve).on('close', resolve))))
    for (let looks = 0; looks < 100 && cut < 30; looks++) await sleep(5)
    const count = cut
    for (const socket of sockets) socket.destroy()
    return count
  }
  assert.equal(await cutOf('127.0.0.7'), 30)
  assert.equal(await cutOf('127.0.0.9'), 0, 'connections of the proxy are cut')
})

test('a database that is away answers 503 with Retry-After, not 500, and comes back', async () => {
  const node = await t.secondApp()
  await t.ownerSql(
    "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'tandem_app' and datname = current_database()",
  )
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => node.call('GET', '/v1/api/auth/me', { as: t.main.tokens.Admin })),
  )
  for (const answer of answers) assert.ok([200, 503].includes(answer.status), answer.text)
  const [database] = await t.ownerSql<{ name: string }>('select current_database() as name')
  const name = database?.name
  await t.ownerSql(`alter database ${name} connection limit 0`)
  try {
    await t.ownerSql(
      "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'tandem_app' and datname = current_database()",
    )
    const away = await node.call('GET', '/v1/api/auth/me', { as: t.main.tokens['Sales Manager'] })
    assert.equal(away.status, 503, away.text)
    assert.equal(away.json.code, 'unavailable')
    assert.ok(Number(away.headers['retry-after']) >= 1)
    assert.equal((await node.call('GET', '/readyz')).status, 503)
  } finally {
    await t.ownerSql(`alter database ${name} connection limit -1`)
  }
  const back = await node.call('GET', '/v1/api/auth/me', { as: t.main.tokens['Sales Manager'] })
  assert.equal(back.status, 200, back.text)
})
