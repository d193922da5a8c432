// Two defects that crash runs are given on purpose are caught, so that their silence means something. All of them: `npm run crash --
// --defects`.
// test: waits, programs
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { catchMessageDefects } from './defects.ts'

const root = join(import.meta.dirname, '../../..')

for (const name of [
  'what may have been written is handed over again',
  'a webhook is marked as delivered before it is sent',
]) {
  test(`the harness catches it when ${name}`, async t => {
    assert.deepEqual(await catchMessageDefects({ root, log: line => t.diagnostic(line), only: [name] }), [])
  })
}
