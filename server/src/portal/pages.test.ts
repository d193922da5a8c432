// The portal's page and files as a browser gets them: which addresses are screens, a new nonce in every page and in its
// policy, files only by the names of the build, in the smallest coding and at most once.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { startTestApp, type TestApp } from '../../test/harness.ts'
import { readBundle } from './pages.ts'

const html = `<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><meta name="tandem-sign-up" content="__SIGN_UP__">
<script type="module" nonce="__CSP_NONCE__" src="/_built/index-abc.js"></script><div id="root"></div>`
const script = `console.log(${'"portal",'.repeat(200)} 1)`

let t: TestApp
let folder: string
before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tandem-pages-'))
  const put = (name: string, body: string | Buffer) => writeFileSync(join(folder, name), body)
  mkdirSync(join(folder, '_built'))
  mkdirSync(join(folder, '.vite'))
  put('index.html', html)
  put('favicon.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>')
  put('.build.json', '{"hash":"x"}')
  put('.vite/manifest.json', '{}')
  put('_built/index-abc.js', script)
  put('_built/index-abc.js.br', brotliCompressSync(script))
  put('_built/index-abc.js.gz', gzipSync(script))
  put('_built/small-def.css', 'a{}')
  put('_built/notes.md', 'not for browsers')
  t = await startTestApp()
  t.app.showPortal({ kind: 'portal', bundle: readBundle(folder) })
})
after(async () => {
  await t?.close()
  rmSync(folder, { recursive: true })
})

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'
const open = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  t.call(method, path, { headers: { accept: browser, ...headers } })
const file = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  t.call(method, path, { headers: { accept: '*/*', ...headers } })

describe('the page', () => {
  test('answers every address of a screen, for people only', async () => {
    for (const path of [
      '/',
      '/login',
      '/explorer/v2/messaging/post-messages-sms',
      '/messages/msg_01?inspect=x',
      '/a/',
    ]) {
      const answer = await open(path)
      assert.equal(answer.status, 200, path)
      assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8')
      assert.match(answer.text, /<div id="root">/)
      const head = await open(path, {}, 'HEAD')
      assert.deepEqual([head.status, head.text], [200, ''])
      assert.equal(head.headers['content-length'], answer.headers['content-length'])
    }
  })

  test('leaves the API and its neighbours as they are', async () => {
    for (const path of [
      '/v1/nothing',
      '/v2/nothing',
      '/api/nothing',
      '/portal',
      '/portal/x',
      '/_built/no.js',
      '/_built',
      '/exports/x',
    ]) {
      const answer = await open(path)
      assert.equal(answer.status, 404, path)
      assert.equal(answer.json.code ?? answer.json.error.code, 'route_not_found')
      assert.ok(answer.headers['ratelimit'], 'an unknown address is charged like any')
    }
    for (const path of ['/wp-login.php', '/.env', '/.git/config', '/explorer/x.html', '/index.html']) {
      assert.equal((await open(path)).status, 404, path)
    }
    assert.equal((await open('/healthz')).text, '{"status":"ok"}')
    assert.equal((await open('/v2/catalog')).json.status, 200)
    for (const method of ['POST', 'PUT', 'DELETE']) assert.equal((await open('/login', {}, method)).status, 404)
  })

  test('a program that asks for the bare address gets JSON, elsewhere a 404', async () => {
    for (const accept of ['*/*', 'application/json', 'text/html;q=0', 'text/html;q=0.0, */*']) {
      const answer = await t.call('GET', '/', { headers: { accept } })
      assert.equal(answer.json?.name, 'Tandem', accept)
      assert.match(answer.headers['vary'] ?? '', /Accept/)
      assert.equal((await t.call('GET', '/login', { headers: { accept } })).status, 404)
    }
    assert.equal((await t.call('GET', '/')).json.name, 'Tandem')
  })

  test('has one nonce of its own in policy, scripts and meta', async () => {
    const nonces = new Set<string>()
    for (let n = 0; n < 3; n++) {
      const { headers, text } = await open('/')
      const nonce = /'nonce-([^']+)'/.exec(headers['content-security-policy'] ?? '')?.[1] ?? assert.fail('no nonce')
      assert.ok(Buffer.from(nonce, 'base64').length >= 16)
      assert.equal(text, html.replaceAll('__CSP_NONCE__', nonce).replace('__SIGN_UP__', 'closed'))
      nonces.add(nonce)
    }
    assert.equal(nonces.size, 3)
  })

  test('says who may make an organization, so that no page asks', async () => {
    const { organizations } = t.app.services
    const before = organizations.signUp
    try {
      organizations.signUp = 'invite'
      assert.match((await open('/login')).text, /<meta name="tandem-sign-up" content="invite">/)
    } finally {
      organizations.signUp = before
    }
  })

  test('has a policy that lets nothing in from elsewhere, and is not kept', async () => {
    const { headers } = await open('/')
    const policy = (headers['content-security-policy'] ?? '').replace(/nonce-[^']+/g, 'nonce')
    for (const part of [
      "default-src 'none'",
      "script-src 'self' 'nonce'",
      "style-src 'self' 'nonce'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "object-src 'none'",
      "form-action 'self'",
      'media-src blob:',
      "require-trusted-types-for 'script'",
      'trusted-types default',
    ]) {
      assert.ok(policy.split('; ').includes(part), part)
    }
    assert.ok(!/unsafe|https?:|\*/.test(policy), policy)
    const { 'cache-control': cache, 'x-content-type-options': sniff, 'referrer-policy': referrer } = headers
    assert.deepEqual([cache, sniff, referrer], ['no-store', 'nosniff', 'no-referrer'])
    assert.equal(headers['cross-origin-opener-policy'], 'same-origin')
    assert.equal(headers['cross-origin-resource-policy'], 'same-origin')
    assert.match(headers['permissions-policy'] ?? '', /camera=\(\).*microphone=\(self\)$/)
    assert.match(headers['vary'] ?? '', /Accept/)
  })

  test('costs no limit and is not in the request log', async () => {
    const { headers } = await open('/', { authorization: `Bearer ${t.main.liveKey}` })
    assert.equal(headers['ratelimit'], undefined)
    await t.app.flush()
    assert.deepEqual(await t.sql("select path from request_log where path = '/'"), [])
  })
})

describe('files', () => {
  test('lasting ones for ever, others for an hour, each with its type', async () => {
    const answer = await file('/_built/index-abc.js')
    assert.equal(answer.text, script)
    assert.equal(answer.headers['content-type'], 'text/javascript; charset=utf-8')
    assert.equal(answer.headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(answer.headers['x-content-type-options'], 'nosniff')
    assert.equal(answer.headers['vary'], 'Accept-Encoding')
    const icon = await file('/favicon.svg')
    assert.equal(icon.headers['content-type'], 'image/svg+xml; charset=utf-8')
    assert.equal(icon.headers['cache-control'], 'public, max-age=3600')
    assert.match(
      icon.headers['content-security-policy'] ?? '',
      /^default-src 'none'; object-src 'none'; .*frame-ancestors 'none'$/,
    )
    assert.equal((await file('/favicon.ico')).text, icon.text)
    const head = await file('/_built/index-abc.js', {}, 'HEAD')
    assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', String(script.length)])
    assert.equal((await file('/robots.txt')).text, 'User-agent: *\nDisallow: /\n')
  })

  test('in the smallest coding the client takes', async () => {
    for (const [accepted, coding] of [
      ['gzip, deflate, br, zstd', 'br'],
      ['gzip', 'gzip'],
      ['BR;q=1.0', 'br'],
      ['br;q=0, gzip', 'gzip'],
      ['*', 'br'],
      ['*;q=0', undefined],
      ['identity', undefined],
      ['', undefined],
      ['br;q=0', undefined],
    ] as const) {
      const { headers } = await file('/_built/index-abc.js', { 'accept-encoding': accepted })
      assert.equal(headers['content-encoding'], coding, accepted)
    }
    const plain = await file('/_built/small-def.css', { 'accept-encoding': 'br, gzip' })
    assert.deepEqual([plain.text, plain.headers['content-encoding']], ['a{}', undefined])
  })

  test('not again to who has them', async () => {
    const tags = new Set<string>()
    for (const accepted of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': accepted }
      const etag = (await file('/_built/index-abc.js', headers)).headers['etag'] as string
      assert.match(etag, /^"[\w-]+"$/)
      tags.add(etag)
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await file('/_built/index-abc.js', { ...headers, 'if-none-match': known })
        assert.deepEqual([again.status, again.text, again.headers['etag']], [304, '', etag])
        assert.equal(again.headers['content-length'], undefined)
      }
      assert.equal((await file('/_built/index-abc.js', { ...headers, 'if-none-match': '"other"' })).status, 200)
    }
    assert.equal(tags.size, 3)
  })

  test('only by the names of the build', async () => {
    for (const path of [
      '/_built/../.build.json',
      '/_built/%2e%2e/.build.json',
      '/_built/..%2f..%2f..%2fetc%2fpasswd',
      '/_built/....//index.html',
      '/.build.json',
      '/.vite/manifest.json',
      '/_built/index-abc.js.br',
      '/_built/notes.md',
      '/_built/index-abc.js/',
      '/_built//index-abc.js',
      '/index.html',
      '/_built/constructor',
      '/__proto__.js',
    ]) {
      assert.equal((await file(path)).status, 404, path)
    }
    assert.equal((await file('/_built/index-abc.js?v=1')).status, 200)
  })
})

test('while it is built, and when it could not be, a page says so and the API works', async () => {
  const { bundle } = { bundle: readBundle(folder) }
  try {
    t.app.showPortal({ kind: 'building' })
    const building = await open('/login')
    assert.equal(building.status, 503)
    assert.equal(building.headers['retry-after'], '2')
    assert.match(building.text, /<meta http-equiv="refresh" content="2"/)
    assert.match(building.headers['content-security-policy'] ?? '', /default-src 'none'/)
    assert.ok(!building.text.includes('<script'))
    const nonce = /'nonce-([^']+)'/.exec(building.headers['content-security-policy'] ?? '')?.[1]
    assert.ok(building.text.includes(`<style nonce="${nonce}">`))
    assert.equal((await file('/_built/index-abc.js')).status, 404)
    assert.equal((await t.call('GET', '/v1/api/users', { as: t.main.liveKey })).status, 200)

    t.app.showPortal({ kind: 'failure', what: 'a <b>mistake</b>', remedy: 'Do this & that.' })
    const failed = await open('/')
    assert.equal(failed.status, 503)
    assert.ok(failed.text.includes('<p>a &lt;b&gt;mistake&lt;/b&gt;</p>\n<p>Do this &amp; that.</p>'), failed.text)
    assert.ok(!failed.text.includes('http-equiv="refresh"'))
    assert.equal((await t.call('GET', '/')).json.name, 'Tandem')

    t.app.showPortal({ kind: 'nothing' })
    assert.equal((await open('/')).json.name, 'Tandem')
    assert.equal((await open('/login')).status, 404)
  } finally {
    t.app.showPortal({ kind: 'portal', bundle })
  }
})

test('a folder without a page, or whose page has no place for the nonce, is no portal', () => {
  const bare = mkdtempSync(join(tmpdir(), 'tandem-pages-'))
  try {
    assert.throws(() => readBundle(bare), /index\.html/)
    writeFileSync(join(bare, 'index.html'), '<!doctype html>')
    assert.throws(() => readBundle(bare), /__CSP_NONCE__/)
  } finally {
    rmSync(bare, { recursive: true })
  }
})
