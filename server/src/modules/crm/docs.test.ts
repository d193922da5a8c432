// docs/crm.md speaks of endpoints that there are, and the bodies and filters that it shows are taken.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { catalog } from '../../catalog.ts'
import { fullPath } from '../../kernel/endpoint/endpoint.ts'

const text = readFileSync(join(import.meta.dirname, '../../../../docs/crm.md'), 'utf8')

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

test('every endpoint that the guide names is there', () => {
  const named = [...text.matchAll(/`(GET|POST|PATCH|DELETE) (\/v1[^`?]+)/g)].map(
    ([, method, path]) => `${method} ${path}`,
  )
  assert.ok(named.length >= 7)
  const known = new Set(catalog.map(endpoint => `${endpoint.method} ${fullPath(endpoint)}`))
  assert.deepEqual(
    named.filter(name => !known.has(name)),
    [],
  )
})

test('its commands do what it says', async () => {
  const as = t.main.tokens.Admin
  const lead = await t.call('POST', '/v1/api/leads', {
    as,
    body: { name: 'Ada', email: 'ada@engines.example', company: 'Analytical Engines' },
  })
  const commands = [...text.matchAll(/^curl -s "?\$B(\/[^\s"]+)"?[^\n]*?(?:\\\n\s*)?(?:[^\n]*?-d '([^']+)')?$/gm)]
  assert.equal(commands.length, 4)
  for (const [, path = '', body] of commands) {
    const url = path.replace('/17/', `/${lead.json.lead.id}/`)
    const answer = await t.call(body === undefined ? 'GET' : 'POST', url, {
      as,
      ...(body && { body: JSON.parse(body) }),
    })
    assert.ok(answer.status < 300, `${path}: ${answer.text}`)
    if (url.endsWith('/convert')) {
      const { company, contact } = answer.json
      assert.deepEqual([company.title, company.created, contact.created], ['Analytical Engines', false, false])
    }
  }
})
