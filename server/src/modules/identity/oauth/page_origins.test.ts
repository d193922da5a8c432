// Which pages of other origins may call the API: those of public apps, with a token, and nobody else's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startOAuth } from '../../../../test/oauth.ts'

const { t, base, newApp } = await startOAuth()
const app = (kind: string, ...redirectUris: string[]) => newApp({ kind, redirectUris, scopes: ['leads:read'] })

async function ask(origin: string, headers: Record<string, string> = {}, path = '/v1/api/leads') {
  const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': 'authorization,x-note' }
  return fetch(`${base}${path}`, { method: 'OPTIONS', headers: { origin, ...asked, ...headers } })
}
const allowed = ({ headers }: Response) => headers.get('access-control-allow-origin')

test('the answer to the question of a browser is yes: for an app that is public and stands, at once', async () => {
  assert.equal((await ask('https://spa.example')).status, 405)
  t.clock.advance(1_001)
  const { appId } = await app('public', 'https://SPA.example/cb?x=1', 'com.example.app:/cb')
  const answer = await ask('https://spa.example')
  assert.equal(answer.status, 204)
  assert.equal(allowed(answer), 'https://spa.example')
  assert.equal(answer.headers.get('access-control-allow-credentials'), null)
  assert.equal(answer.headers.get('access-control-allow-headers'), 'authorization, x-note')
  assert.match(answer.headers.get('access-control-allow-methods') ?? '', /DELETE/)
  assert.equal((await ask('https://spa.example', {}, '/v2/messages')).status, 204)
  assert.equal((await ask('https://spa.example', {}, '/portal/session')).status === 204, false)
  const suspended = await t.call('PATCH', `/v2/auth/apps/${appId}`, {
    as: t.main.tokens.Admin,
    body: { status: 'suspended' },
  })
  assert.equal(suspended.status, 200, suspended.text)
  t.clock.advance(30_001)
  assert.equal((await ask('https://spa.example')).status, 405)
})

test('nobody else is: no confidential app, no beginning of a name, no other scheme or port, no origin that is none', async () => {
  await app('confidential', 'https://server.example/cb')
  await app('public', 'https://page.example/cb', 'http://127.0.0.1:9/cb')
  t.clock.advance(1_001)
  assert.equal((await ask('https://page.example')).status, 204)
  const others = [
    ...['https://server.example', 'https://page.example.evil.example', 'https://page.exampl', 'http://page.example'],
    ...['https://page.example:444', 'http://127.0.0.1:10', 'null', 'https://page.example/', 'com.example.app://'],
  ]
  for (const origin of others) {
    t.clock.advance(1_001)
    const answer = await ask(origin)
    assert.equal(answer.status, 405, origin)
    assert.equal(allowed(answer), null, origin)
  }
})

test('what is asked without a token stays unreadable, and what a token is refused can be read', async () => {
  const origin = 'https://page.example'
  const get = (headers: Record<string, string>) => fetch(`${base}/v1/api/leads`, { headers: { origin, ...headers } })
  assert.equal(allowed(await get({})), null)
  assert.equal((await ask(origin, { 'access-control-request-headers': 'content-type' })).status, 405)
  const refused = await get({ authorization: 'Bearer none' })
  assert.deepEqual([refused.status, allowed(refused)], [401, origin])
  const read = await get({ authorization: `Bearer ${t.main.tokens.Admin}` })
  assert.deepEqual([read.status, allowed(read), read.headers.get('vary')], [200, origin, 'origin'])
  assert.match(read.headers.get('access-control-expose-headers') ?? '', /X-Request-Id/)
})
