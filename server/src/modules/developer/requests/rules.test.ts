// What a status filter means and whose requests one sees.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roles } from '../../../kernel/values/permission.ts'
import { visibleUser } from '../rules.ts'
import { statusRange } from './rules.ts'

test('a status is itself, a class is its hundred', () => {
  assert.deepEqual(statusRange('404'), { from: 404, to: 404 })
  assert.deepEqual(statusRange('4xx'), { from: 400, to: 499 })
  assert.deepEqual(statusRange('2xx'), { from: 200, to: 299 })
})

test('only an Admin sees the requests of others', () => {
  for (const role of roles) assert.equal(visibleUser({ role, custom: null, userId: 7 }), role === 'Admin' ? null : 7)
})
