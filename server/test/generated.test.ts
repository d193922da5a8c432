// Everything that is made from something else is committed, and is what would be made now.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

test('generated files are current', () => {
  const root = join(import.meta.dirname, '../..')
  const { status, stdout, stderr } = spawnSync(process.execPath, ['scripts/generate.ts', '--check'], {
    cwd: root,
    encoding: 'utf8',
  })
  assert.equal(status, 0, `${stdout}${stderr}`)
})
