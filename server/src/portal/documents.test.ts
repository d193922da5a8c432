// The documents are what they say: right types, whole, made for the address one came by, kept by tag, and an unknown one is
// not found.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { readCatalog } from '@tandem/catalog'
import Fastify, { type FastifyInstance } from 'fastify'
import { registerDocuments } from './documents.ts'

const openApi = JSON.parse(readFileSync(new URL('../../../docs/openapi.json', import.meta.url), 'utf8'))
const catalog = readCatalog(openApi)
let app: FastifyInstance
let reads = 0
let charged = 0

before(async () => {
  app = Fastify()
  const document = () => {
    reads++
    return openApi
  }
  // The server writes its refusals past Fastify.
  app.setNotFoundHandler((_request, reply) => {
    reply.hijack()
    reply.raw.writeHead(404, { 'content-type': 'application/json' })
    reply.raw.end('{"status":404}')
  })
  registerDocuments(app, {
    document,
    origin: request => `http://${request.headers.host}`,
    charge: () => void charged++,
  })
  await app.ready()
})
after(() => app.close())

const get = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'GET', url, headers: { host: 'tandem.example', ...headers } })

test('every document answers with its type and a tag, and 304 to anyone who has it', async () => {
  const types: [string, RegExp][] = [
    ['/openapi.json', /^application\/json/],
    ['/exports/postman.json', /^application\/json/],
    ['/exports/bruno.json', /^application\/json/],
    ['/llms.txt', /^text\/plain; charset=utf-8$/],
    ['/llms-full.txt', /^text\/plain; charset=utf-8$/],
    ['/explorer.md', /^text\/markdown; charset=utf-8$/],
    ['/explorer/v2/messaging/post-messages-sms.md', /^text\/markdown; charset=utf-8$/],
    ['/schemas.md', /^text\/markdown; charset=utf-8$/],
    ['/errors.md', /^text\/markdown; charset=utf-8$/],
    ['/errors/duplicate_record.md', /^text\/markdown; charset=utf-8$/],
  ]
  for (const [url, type] of types) {
    const first = await get(url)
    assert.equal(first.statusCode, 200, url)
    assert.match(String(first.headers['content-type']), type, url)
    assert.equal(first.headers['cache-control'], 'no-cache')
    assert.ok(first.body.length > 200, url)
    const tag = String(first.headers['etag'])
    assert.match(tag, /^"[\w-]{22}"$/)
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const again = await get(url, { 'if-none-match': known })
      assert.equal(again.statusCode, 304, `${url} ${known}`)
      assert.equal(again.body, '')
    }
    assert.equal((await get(url, { 'if-none-match': '"other"' })).statusCode, 200)
  }
  assert.equal(reads, 1, 'the document is read once')
})

test('every endpoint and every code has its page', async () => {
  for (const endpoint of catalog.endpoints) {
    const { statusCode, body } = await get(`${endpoint.address}.md`)
    assert.equal(statusCode, 200, endpoint.address)
    assert.ok(body.startsWith(`# ${endpoint.name}\n`), endpoint.address)
    assert.ok(body.includes(`${endpoint.method} http://tandem.example${endpoint.path}`))
    for (const { code } of endpoint.problems) assert.ok(body.includes(`/errors/${code})`), `${endpoint.id} ${code}`)
  }
  for (const { code, cause, fix } of catalog.problems) {
    const { statusCode, body } = await get(`/errors/${code}.md`)
    assert.equal(statusCode, 200, code)
    assert.ok(body.includes(cause) || cause.includes('<'), code)
    assert.ok(body.includes(fix) || fix.includes('<'), code)
  }
})

test('links and server addresses are those of the address one came by', async () => {
  assert.deepEqual((await get('/openapi.json')).json().servers, [{ url: 'http://tandem.example' }])
  for (let number = 0; number < 20; number++) {
    const { body } = await get('/llms.txt', { host: `host${number}.example` })
    assert.ok(body.includes(`http://host${number}.example/explorer/v2/messaging/post-messages-sms.md`))
    assert.ok(!body.includes('tandem.example'))
  }
})

test('every link of llms.txt leads to a document', async () => {
  const { body } = await get('/llms.txt')
  const links = [...body.matchAll(/\]\(http:\/\/tandem\.example([^)]+)\)/g)].map(([, path = '']) => path)
  assert.ok(links.length > catalog.endpoints.length)
  for (const link of links) assert.equal((await get(link)).statusCode, 200, link)
})

test('the guides are named in llms.txt, and their links lead to documents', async () => {
  const { body } = await get('/llms.txt')
  const guides = [...body.matchAll(/\]\(http:\/\/tandem\.example(\/docs\/\w+\.md)\)/g)].map(
    ([, path]) => path as string,
  )
  for (const name of ['webhooks', 'messaging', 'voice']) assert.ok(guides.includes(`/docs/${name}.md`), name)
  for (const path of guides) {
    const guide = await get(path)
    assert.equal(guide.statusCode, 200, path)
    assert.match(guide.headers['content-type'] as string, /^text\/markdown/)
    assert.match(guide.body, /^# \S/)
    for (const [, target = ''] of guide.body.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (target.startsWith('#') || target.startsWith('https://')) continue
      assert.ok(target.startsWith('http://tandem.example/'), `${path}: ${target}`)
      assert.equal((await get(target.slice('http://tandem.example'.length))).statusCode, 200, `${path}: ${target}`)
    }
  }
  for (const path of ['/docs/ARCHITECTURE.md', '/docs/nothing.md', '/docs/..%2f..%2fREADME.md']) {
    assert.equal((await get(path)).statusCode, 404, path)
  }
})

test('an address that was not heard before is charged and costs no making', async () => {
  const paths = ['/openapi.json', '/exports/postman.json', '/exports/bruno.json', '/llms-full.txt', '/schemas.md']
  for (const path of paths) await get(path)
  charged = 0
  const { stringify } = JSON
  let made = 0
  JSON.stringify = ((...args: Parameters<typeof stringify>) => {
    made++
    return stringify(...args)
  }) as typeof stringify
  try {
    for (let n = 0; n < 20; n++) {
      for (const path of paths) {
        const { body } = await get(path, { host: `stranger-${n}.example` })
        assert.ok(body.includes(`http://stranger-${n}.example`) && !body.includes('.invalid'), path)
      }
    }
  } finally {
    JSON.stringify = stringify
  }
  assert.equal(charged, 20, 'once for each address')
  assert.equal(made, 0, 'documents are made again')
})

test('only so many addresses are kept: one that was not asked by for long is charged again', async () => {
  await get('/openapi.json', { host: 'first.example' })
  charged = 0
  await get('/openapi.json', { host: 'first.example' })
  assert.equal(charged, 0, 'it was just asked by')
  for (let n = 0; n < 8; n++) await get('/openapi.json', { host: `later-${n}.example` })
  await get('/openapi.json', { host: 'first.example' })
  assert.equal(charged, 9)
})

test('anyone who takes brotli or gzip gets it, with a tag of its own', async () => {
  assert.equal((await get('/openapi.json', { 'accept-encoding': 'gzip, br' })).headers['content-encoding'], 'br')
  const zipped = await get('/openapi.json', { 'accept-encoding': 'gzip' })
  assert.equal(zipped.headers['content-encoding'], 'gzip')
  assert.notEqual(zipped.headers['etag'], (await get('/openapi.json')).headers['etag'])
  const { gunzipSync } = await import('node:zlib')
  assert.equal(JSON.parse(gunzipSync(zipped.rawPayload).toString()).openapi, '3.1.0')
  assert.equal((await get('/openapi.json', { 'accept-encoding': 'gzip;q=0' })).headers['content-encoding'], undefined)
  assert.equal((await app.inject({ method: 'HEAD', url: '/openapi.json' })).statusCode, 200)
})

test('what there is no document for is not found', async () => {
  for (const url of [
    '/explorer/v2/messaging/no-such.md',
    '/explorer/v1/messaging/post-messages-sms.md',
    '/explorer/v2/messaging/post-messages-sms',
    '/errors/no_such_code.md',
    '/errors/constructor.md',
    '/errors/../errors.md.md',
    '/exports/other.json',
  ]) {
    const { statusCode, body } = await get(url)
    assert.equal(statusCode, 404, url)
    assert.equal(body, '{"status":404}', url)
  }
})
