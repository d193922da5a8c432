// Where people are sent back to: the address that was registered, character by character, and none that only looks like it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startOAuth } from '../../../../test/oauth.ts'
import { redirectFault } from './rules.ts'

const { base, newApp } = await startOAuth()
const redirect = 'https://sync.example.com/callback'

/** Ways to write an address that another program might take for the registered one. */
function spellings(): string[] {
  const hosts = [
    'sync.example.com.',
    'SYNC.example.com',
    'sync.example.com:443',
    'sync.example.com:444',
    'sync.example.com@evil.example',
    'evil.example@sync.example.com',
    'user:pass@sync.example.com',
    'sync.example.com%2eevil.example',
    'sync.example.com%00.evil.example',
    'evil.example#sync.example.com',
    'evil.example?sync.example.com',
    'evil.example\\sync.example.com',
    'sync.example.com\\@evil.example',
    'sync.example.com.evil.example',
    'xsync.example.com',
    'sync-example.com',
    'sync.exämple.com',
    'ѕync.example.com',
    '127.0.0.1',
    '[::1]',
    'sync.example.com:443@evil.example',
    '*.example.com',
    'example.com',
    'www.sync.example.com',
    'sync。example。com',
  ]
  const paths = [
    '/callback/',
    '/callback/..',
    '/callback/../evil',
    '/callback/./',
    '/./callback',
    '/x/../callback',
    '/callback%2f',
    '/callback%2F..%2Fevil',
    '/Callback',
    '/CALLBACK',
    '/callback;x=1',
    '/callback?',
    '/callback?x=1',
    '/callback?code=1',
    '/callback#',
    '/callback#x',
    '//callback',
    '/callback//',
    '/callback%00',
    '/callback%20',
    '/callback ',
    ' /callback',
    '/callback\t',
    '/callback\n',
    '/callback%0d%0aLocation:x',
    '/callback/%2e%2e/evil',
    '/%63allback',
    '/callbac%6b',
    '/callback&x=1',
    '/callback\\..\\evil',
    '/callback@evil.example',
    '/',
    '',
    '/callbackx',
    '/callback.',
    '/callback..',
    '/callback*',
    '/callback%',
    '/callback%zz',
    '/callback|x',
  ]
  const schemes = [
    'http',
    'HTTPS',
    'https:',
    'javascript',
    'data',
    'ftp',
    'file',
    'wss',
    'hTTps',
    'view-source:https',
    'blob:https',
    'about',
    'intent',
    'x',
  ]
  const found = [
    ...hosts.flatMap(host => ['/callback', '/callback?x', '/'].map(path => `https://${host}${path}`)),
    ...paths.flatMap(path => [`https://sync.example.com${path}`, `https://sync.example.com:443${path}`]),
    ...schemes.map(scheme => `${scheme}://sync.example.com/callback`),
    ...[
      '//sync.example.com/callback',
      '/callback',
      'sync.example.com/callback',
      '',
      ' ',
      'https:sync.example.com/callback',
      'https:/sync.example.com/callback',
      'https:///sync.example.com/callback',
      `${redirect}\u0000`,
      `\u0009${redirect}`,
      `${redirect},${redirect}`,
      `${redirect} ${redirect}`,
    ],
    ...Array.from({ length: 32 }, (_, code) => `${redirect}${String.fromCharCode(code)}`),
  ]
  return [...new Set(found)].filter(spelling => spelling !== redirect)
}

describe('redirect addresses', () => {
  test('of more than 200 spellings none but the registered one gets an answer', async () => {
    const app = await newApp({ redirectUris: [redirect], kind: 'public' })
    const all = spellings()
    assert.ok(all.length >= 200, `${all.length} spellings`)
    const form = {
      client_id: app.live.clientId,
      response_type: 'code',
      scope: 'leads:read',
      code_challenge: 'x'.repeat(43),
      code_challenge_method: 'S256',
    }
    const ask = async (redirect_uri: string) => {
      const url = `${base}/oauth/authorize?${new URLSearchParams({ ...form, redirect_uri })}`
      return fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } })
    }
    const right = await ask(redirect)
    assert.match(right.headers.get('location') ?? '', new RegExp(`^${base}/authorize/`))
    for (const spelling of all) {
      const answer = await ask(spelling)
      const text = await answer.text()
      assert.equal(answer.status, 400, `${JSON.stringify(spelling)}: ${answer.headers.get('location')}`)
      assert.equal(answer.headers.get('location'), null)
      assert.doesNotMatch(text, /<script|https?:\/\/(?!127)[^<]*\.(?:css|js|woff)|googleapis/)
    }
  })

  test('the port of a loopback address is free, and nothing else of it', async () => {
    const app = await newApp({ redirectUris: ['http://127.0.0.1/cb'], kind: 'public' })
    const ask = async (redirect_uri: string) => {
      const form = {
        client_id: app.live.clientId,
        response_type: 'code',
        scope: 'leads:read',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
        redirect_uri,
      }
      return (await fetch(`${base}/oauth/authorize?${new URLSearchParams(form)}`, { redirect: 'manual' })).status
    }
    for (const uri of ['http://127.0.0.1:1/cb', 'http://127.0.0.1:65535/cb', 'http://127.0.0.1/cb'])
      assert.equal(await ask(uri), 303, uri)
    for (const uri of [
      'http://127.0.0.2:1/cb',
      'http://127.0.0.1:1/cb2',
      'https://127.0.0.1:1/cb',
      'http://127.0.0.1:1@evil.example/cb',
      'http://localhost:1/cb',
    ])
      assert.equal(await ask(uri), 400, uri)
  })

  test('what may be registered', () => {
    for (const uri of [
      redirect,
      'http://127.0.0.1:3000/x',
      'http://localhost/x',
      'http://[::1]:9/x',
      'com.example.app:/cb',
      'cursor://anysphere/cb',
    ])
      assert.equal(redirectFault(uri), undefined, uri)
    for (const uri of [
      'http://a.example/x',
      'https://a.example/#x',
      'https://u@a.example/',
      'https://*.a.example/',
      'javascript:alert(1)',
      'data:text/html,x',
      ' https://a.example',
      'https://a.example\\x',
      'x',
      'vbscript:x',
      'file:///etc',
      'http://127.0.0.1.evil.example/x',
    ])
      assert.notEqual(redirectFault(uri), undefined, uri)
  })
})
