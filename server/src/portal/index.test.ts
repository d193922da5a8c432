// The portal's parts in the whole application: documents are made for the address one came by and never charged to a
// limit, and what none of them knows is refused as everywhere.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../test/harness.ts'
import { catalog, withProtocol } from '../catalog.ts'
import { fullPath } from '../kernel/endpoint/endpoint.ts'

let t: TestApp
before(async () => {
  t = await startTestApp({ env: { TANDEM_TRUSTED_PROXIES: '10.0.0.1' } })
})
after(() => t?.close())

test('documents describe this server at the address it was asked by', async () => {
  const { status, headers, json } = await t.call('GET', '/openapi.json', { headers: { host: 'crm.example:8080' } })
  assert.equal(status, 200)
  assert.equal(headers['ratelimit'], undefined)
  assert.equal(Object.keys(json.paths).length, new Set(withProtocol(catalog).map(fullPath)).size)
  const text = async (headers: Record<string, string>, ip?: string) =>
    (await t.call('GET', '/llms.txt', { headers, ...(ip && { ip }) })).text
  assert.ok((await text({ host: 'crm.example:8080' })).includes('http://crm.example:8080'))
  const proxied = { host: 'inner', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'crm.example' }
  assert.ok((await text(proxied, '10.0.0.1')).includes('https://crm.example'))
  assert.ok(!(await text(proxied, '192.0.2.1')).includes('https://crm.example'), 'a stranger is not believed')
})

test('a configured public address is the one shown, whatever the request says', async () => {
  const other = await startTestApp({ env: { TANDEM_PUBLIC_URL: 'https://api.example/tandem' } })
  try {
    const { text } = await other.call('GET', '/llms.txt', { headers: { host: 'evil.example' } })
    assert.ok(text.includes('https://api.example/tandem'))
    assert.ok(!text.includes('evil.example'))
  } finally {
    await other.close()
  }
})

test('an unknown document is not found, in JSON, also for a browser', async () => {
  for (const path of ['/errors/nonsense.md', '/explorer/v9/none/none.md', '/exports/none.json']) {
    const answer = await t.call('GET', path, { headers: { accept: 'text/html' } })
    assert.equal(answer.status, 404, path)
    assert.equal(answer.json.error.code, 'route_not_found')
  }
})
