// What every answer says to browsers, in whatever way it is written: as endpoints, documents, pages, files, the authorization server, or bytes
// that are no request. What ASVS 5.0 asks in V3, V4, V13 and V14 of headers, cookies and methods.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { catalog } from '../../src/catalog.ts'
import { type Answer, startTestApp, type TestApp, testPassword } from '../harness.ts'
import { exchange, listen } from '../wire.ts'

const publicUrl = 'https://tandem.example.com'
const env = {
  TANDEM_PUBLIC_URL: publicUrl,
  TANDEM_SECURITY_CONTACT: 'security@example.com',
  TANDEM_METRICS_TOKEN: 'a token for metrics',
}
const lines: string[] = []
const logTo = { write: (line: string) => lines.push(line) } as unknown as NodeJS.WritableStream

let t: TestApp
let port: number
before(async () => {
  t = await startTestApp({ env: { ...env, TANDEM_LOG_LEVEL: 'warn' }, logTo })
  port = await listen(t)
  const file = (type: string) => ({ type, hash: 'x', body: Buffer.from('x'), encoded: {}, lasting: true })
  const files = new Map([
    ['/_built/index.js', file('text/javascript; charset=utf-8')],
    ['/_built/index.css', file('text/css; charset=utf-8')],
    ['/favicon.svg', file('image/svg+xml; charset=utf-8')],
  ])
  t.app.showPortal({ kind: 'portal', bundle: { page: ['<script nonce="', '"></script>'], files } })
})
after(() => t?.close())

const html = { accept: 'text/html' }
const portal = { 'x-tandem-portal': '1', origin: publicUrl }

/** One answer of each kind there is. */
async function answers(): Promise<[name: string, answer: Answer][]> {
  const as = t.main.tokens.Admin
  const company = await t.call('POST', '/v1/api/companies', { as, body: { name: 'Example' } })
  const kept = await t.call('POST', `/v1/api/attachments?record_id=${company.json.company.id}&name=a.txt`, {
    as,
    rawBody: 'words',
    headers: { 'content-type': 'application/octet-stream' },
  })
  const asked: [method: string, path: string, options?: Parameters<TestApp['call']>[2]][] = [
    ['GET', '/', { headers: html }],
    ['GET', '/'],
    ['HEAD', '/'],
    ['GET', '/login', { headers: html }],
    ['GET', '/_built/index.js'],
    ['GET', '/_built/index.js', { headers: { 'if-none-match': '"x"' } }],
    ['GET', '/_built/index.css'],
    ['GET', '/favicon.svg'],
    ['GET', '/robots.txt'],
    ['GET', '/healthz'],
    ['GET', '/metrics', { as: env.TANDEM_METRICS_TOKEN }],
    ['GET', '/.well-known/security.txt'],
    ['GET', '/.well-known/jwks.json'],
    ['GET', '/openapi.json'],
    ['GET', '/llms.txt'],
    ['GET', '/exports/postman.json'],
    ['GET', '/v2/catalog?limit=1'],
    ['GET', '/v1/api/leads', { as }],
    ['GET', '/v1/api/leads'],
    ['GET', `/v1/api/attachments/${kept.json.attachment.id}/content`, { as }],
    ['PUT', '/v1/api/leads', { as }],
    ['GET', '/nowhere'],
    ['GET', '/%zz'],
    ['POST', '/v1/api/auth/login', { body: {} }],
    ['GET', '/v2/stream?topics=events', { as, stream: true }],
    ['POST', '/portal/session/refresh', { headers: portal }],
    ['DELETE', '/portal/session', { headers: portal }],
    ['POST', '/portal/session', { body: {} }],
    ['GET', '/oauth/jwks'],
    ['GET', '/oauth/authorize?client_id=none', { headers: html }],
    [
      'POST',
      '/oauth/token',
      { rawBody: 'grant_type=none', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    ],
    ['GET', '/.well-known/oauth-authorization-server/oauth'],
    ['GET', '/.well-known/oauth-protected-resource'],
    ['GET', '/scim/v2/Users'],
    ['GET', '/sso/sso_none/start'],
    ['GET', '/u/none'],
    [
      'OPTIONS',
      '/v1/api/leads',
      { headers: { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' } },
    ],
  ]
  const got: [string, Answer][] = []
  for (const [method, path, options] of asked) got.push([`${method} ${path}`, await t.call(method, path, options)])
  return got
}

const directives = (answer: Answer) => String(answer.headers['content-security-policy'] ?? '').split('; ')

describe('every answer', () => {
  test('has a policy that runs, frames and redirects nothing of others, names no address, and is what its type says', async () => {
    for (const [name, answer] of await answers()) {
      const { headers } = answer
      for (const directive of ["default-src 'none'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"])
        assert.ok(directives(answer).includes(directive), `${name}: ${headers['content-security-policy']}`)
      assert.doesNotMatch(
        String(headers['content-security-policy']),
        /unsafe-eval|script-src[^;]*unsafe-inline|\*/,
        name,
      )
      assert.equal(headers['x-content-type-options'], 'nosniff', name)
      assert.equal(headers['referrer-policy'], 'no-referrer', name)
      assert.equal(headers['strict-transport-security'], 'max-age=31536000; includeSubDomains', name)
    }
  })

  test('with a body has a type, and texts their character set', async () => {
    for (const [name, { text, headers, status }] of await answers()) {
      if (text === '' || status === 304) continue
      const type = String(headers['content-type'] ?? 'none')
      assert.match(type, /^[a-z]+\/[a-z0-9.+-]+/, name)
      if (/^text\/|[+/](json|xml)/.test(type))
        assert.match(type, /charset=utf-8|^application\/(\w+\+)?json$|event-stream/i, name)
    }
  })

  test('of the API is kept by no cache', async () => {
    for (const [name, { headers }] of await answers())
      if (/ \/(v[12]|portal|scim|u)\/|oauth\/(token|authorize)| \/login/.test(name))
        assert.match(String(headers['cache-control']), /no-store/, name)
  })

  test('to bytes that are no request says the same', async () => {
    for (const bytes of ['nonsense\r\n\r\n', `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`]) {
      const { answers: got } = await exchange(port, bytes)
      for (const line of [
        "content-security-policy: default-src 'none'",
        'x-content-type-options: nosniff',
        'max-age=31536000',
      ])
        assert.ok(got[0]!.headers.includes(line), got[0]!.headers)
    }
  })

  test('asks browsers to come by TLS to the host alone where hosts below it have none, and nothing where there is no TLS', async () => {
    const host = await t.secondApp({ TANDEM_HSTS_SUBDOMAINS: '0' })
    assert.equal((await host.call('GET', '/healthz')).headers['strict-transport-security'], 'max-age=31536000')
    const plain = await t.secondApp({ TANDEM_PUBLIC_URL: 'http://127.0.0.1:3000' })
    assert.equal((await plain.call('GET', '/healthz')).headers['strict-transport-security'], undefined)
  })
})

describe('cookies', () => {
  const setBy = (answer: Answer) => [answer.headers['set-cookie'] ?? []].flat()

  test('are secure, prefixed, and read by no script, wherever they are set', async () => {
    const body = { emailOrAdminId: t.main.users.Admin.email, password: testPassword }
    const login = await t.call('POST', '/portal/session', { body, headers: portal })
    assert.equal(login.status, 200, login.text)
    const app = await t.call('POST', '/v2/auth/apps', {
      as: t.main.tokens.Admin,
      body: {
        name: 'Sync',
        kind: 'public',
        scopes: ['leads:read'],
        redirectUris: ['https://sync.example.com/callback'],
      },
    })
    const { clientId } = app.json.data.clients[0]
    const query = new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: 'https://sync.example.com/callback',
      scope: 'leads:read',
      state: 'x',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    })
    const asked = await t.call('GET', `/oauth/authorize?${query}`, { headers: html })
    assert.equal(asked.status, 303, asked.text)
    const cookies = [...setBy(login), ...setBy(asked)]
    assert.ok(cookies.length >= 5, cookies.join('\n'))
    for (const cookie of cookies) {
      assert.match(cookie, /^__Secure-/)
      for (const attribute of [/; *secure/i, /; *httponly/i, /; *samesite=(strict|lax)/i, /; *path=\/\w/i])
        assert.match(cookie, attribute)
      assert.doesNotMatch(cookie, /; *domain=/i)
    }
  })
})

describe('requests', () => {
  test('with the method TRACE, or one that nobody knows, are not echoed', async () => {
    for (const method of ['TRACE', 'TRACK', 'DEBUG', 'CONNECT']) {
      const { text } = await exchange(port, `${method} /v1/api/leads HTTP/1.1\r\nHost: x\r\nX-Own: echoed\r\n\r\n`)
      assert.doesNotMatch(text, /HTTP\/1\.1 2|echoed/, method)
    }
  })

  test('with a credential in the address are refused, as it would be in logs and histories', async () => {
    const key = t.main.liveKey
    for (const name of ['access_token', 'api_key', 'token', 'key'])
      assert.equal((await t.call('GET', `/v2/users/me?${name}=${key}`)).status, 401, name)
    const body = `access_token=${key}`
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await t.call('POST', '/v2/webhooks', { rawBody: body, headers: form })).status, 401)
  })

  test('that change something are sent by no link, image or form: safe methods change nothing, and the API takes no cookie', async () => {
    const changing = /\.(create|update|delete|restore|convert|send|cancel|revoke|rotate|end|add|remove)$/
    for (const { id, method } of catalog) if (changing.test(id)) assert.notEqual(method, 'GET', id)
    const login = await t.call('POST', '/portal/session', {
      body: { emailOrAdminId: t.main.users.Admin.email, password: testPassword },
      headers: portal,
    })
    const cookie = [login.headers['set-cookie'] ?? []]
      .flat()
      .map(line => line.split(';')[0])
      .join('; ')
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])
      assert.equal(
        (await t.call('POST', '/v1/api/leads', { rawBody: '{"name":"x"}', headers: { cookie, 'content-type': type } }))
          .status,
        401,
        type,
      )
  })
})

describe('the log', () => {
  test('has a line for a credential that was refused, without it, also of a name that belongs to nobody', async () => {
    lines.length = 0
    const body = { emailOrAdminId: 'nobody@nowhere.example', password: 'a guess that is wrong' }
    for (let n = 0; n < 3; n++) await t.call('POST', '/v1/api/auth/login', { body, ip: '203.0.113.77' })
    const otherKey = t.main.liveKey.replace(/.$/, last => (last === 'x' ? 'y' : 'x'))
    await t.call('GET', '/v1/api/leads', { as: otherKey, ip: '203.0.113.78' })
    await t.call('GET', '/v1/api/leads', { ip: '203.0.113.79' })
    const said = lines.map(line => JSON.parse(line)).filter(({ msg }) => msg === 'a credential was refused')
    assert.deepEqual(
      said.map(({ ip, code, endpoint }) => [ip, code, endpoint]),
      [
        ['203.0.113.77', 'invalid_credentials', 'auth.login'],
        ['203.0.113.78', 'invalid_api_key', 'leads.list'],
      ],
    )
    for (const { requestId, time, level } of said)
      assert.ok(/^req_/.test(requestId) && time.endsWith('Z') && level === 'warn', `${requestId} ${time} ${level}`)
    assert.doesNotMatch(lines.join(''), /nobody@nowhere|a guess|tdm_live_/)
  })

  test('keeps what is said in a request on one line, whatever it holds', async () => {
    lines.length = 0
    const agent = { 'user-agent': 'x\u001b[31m\tforged' }
    await t.call('GET', '/v1/api/leads%0d%0a{"level":"fatal"}', {
      headers: agent,
      as: 'tdm_live_x',
      ip: '203.0.113.80',
    })
    for (const line of lines) {
      assert.equal(line.trimEnd().split('\n').length, 1)
      assert.notEqual(JSON.parse(line).level, 'fatal')
      assert.ok(!line.includes('\u001b'), line)
    }
  })
})
