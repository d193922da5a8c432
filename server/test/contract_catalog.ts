// What holds of the catalog as a whole, once every endpoint has been asked.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { catalog } from '../src/catalog.ts'
import { fullPath, problemsOf } from '../src/kernel/endpoint/endpoint.ts'
import { seen, urlOf } from './contract.ts'
import type { TestApp } from './harness.ts'

export function testCatalog(app: () => TestApp): void {
  describe('the catalog as a whole', () => {
    test('ids and addresses are unique', () => {
      assert.equal(new Set(catalog.map(definition => definition.id)).size, catalog.length)
      assert.equal(
        new Set(catalog.map(definition => `${definition.method} ${fullPath(definition)}`)).size,
        catalog.length,
      )
    })

    test('no endpoint answered a problem it does not declare', () => {
      for (const definition of catalog) {
        const declared = new Set<string>(problemsOf(definition))
        for (const code of seen.get(definition.id) ?? [])
          assert.ok(declared.has(code), `${definition.id} answered ${code}`)
      }
    })

    test('methods an address lacks answer 405 with Allow', async () => {
      for (const definition of catalog) {
        const taken = catalog.filter(other => fullPath(other) === fullPath(definition)).map(other => other.method)
        const lacking = (['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const).find(method => !taken.includes(method))
        if (lacking === undefined) continue
        const answer = await app().call(lacking, urlOf(definition, {}), { as: app().main.tokens.Admin })
        assert.equal(answer.status, 405, `${lacking} ${fullPath(definition)}`)
        for (const method of taken) assert.ok(answer.headers['allow']?.includes(method))
      }
    })

    test('the other spellings of the v1 base address reach the same endpoints', async () => {
      for (const path of ['/v1/api/auth/me', '/api/auth/me', '/api/v1/auth/me']) {
        const answer = await app().call('GET', path, { as: app().main.tokens.Admin })
        assert.equal(answer.status, 200, path)
      }
    })
  })
}
