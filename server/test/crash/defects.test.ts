// Defects that crash runs are given on purpose are changes of sources that move on: each must still find its place. That they are caught is
// proven by `npm run crash -- --defects` and `npm run crash -- --calls --defects`.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { callDefects } from './calls/defects.ts'
import { hastyEdits } from './calls/world.ts'
import { defects, editedFiles } from './defects.ts'

const root = join(import.meta.dirname, '../../..')

test('every defect that crash runs are to catch can be given', () => {
  for (const { name, edits = [], damage } of [...defects, ...callDefects]) {
    assert.ok(edits.length > 0 || damage !== undefined, `${name} changes nothing`)
    editedFiles(root, name, [...hastyEdits, ...edits])
  }
})
