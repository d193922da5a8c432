// Defects that are planted on purpose are changes of sources that move on: each must still find its place, and the tests that are to
// catch it must be there. That they are caught is proven by `npm run defects`.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { type Defect, plant } from './defect.ts'
import { defects } from './list.ts'
import { testsUnder } from './outcome.ts'
import { sourcesOf, testsOf } from './tree.ts'

const root = join(import.meta.dirname, '../../..')

test('every defect can be planted, and names tests that are there', () => {
  const sources = sourcesOf(root)
  const files = testsOf(root)
  const faults = defects.flatMap(defect => {
    const missing = defect.tests.filter(part => !files.some(file => file.includes(part)))
    const unknown = missing.map(part => `the defect "${defect.name}" is to be caught by ${part}, which is no test`)
    try {
      plant(sources, defect)
      return unknown
    } catch (error) {
      return [...unknown, (error as Error).message]
    }
  })
  assert.equal(faults.join('\n\n'), '')
})

test('names are not used twice', () => {
  const names = defects.map(({ name }) => name)
  assert.deepEqual(
    names.filter((name, index) => names.indexOf(name) !== index),
    [],
  )
})

const small = new Map([
  ['a.ts', 'const one = 1\nconst two = 2\n'],
  ['b/c.ts', 'const two = 2\n'],
])
const defectOf = (...edits: Defect['edits']) => ({ name: 'of a test', edits })

test('a text is found wherever it stands, and several edits of a file add up', () => {
  const defect = defectOf(
    { find: 'one = 1', replace: 'one = $&' },
    { find: /two = (\d)/, replace: 'two = -$1', within: 'a.ts' },
  )
  assert.deepEqual(plant(small, defect), new Map([['a.ts', 'const one = $&\nconst two = -2\n']]))
})

test('a text that is gone, stands twice or changes nothing is an error that names the defect', () => {
  assert.throws(() => plant(small, defectOf({ find: 'three', replace: '' })), /"of a test".*nowhere.*\nthree/)
  assert.throws(() => plant(small, defectOf({ find: /two/, replace: '' })), /2 times \(a\.ts, b\/c\.ts\)/)
  assert.throws(() => plant(small, defectOf({ find: 'one', replace: 'one' })), /"of a test" leaves a\.ts as it is/)
})

test('tests are read from the end of a run', () => {
  const output =
    'x\nFAILED:\n  a.test.ts: one\n    Error: no\n      at b.test.ts: 1\n  b/c.test.ts: two\n    Error\n  c.test.ts: /tmp/c.test.ts\n  c.test.ts: the file\n    Error\n\nSKIPPED, NOT TESTED:\n  d.test.ts: three\n\n1 passed\n'
  assert.deepEqual(testsUnder('FAILED:', output), ['a.test.ts: one', 'b/c.test.ts: two'])
  assert.deepEqual(testsUnder('SKIPPED, NOT TESTED:', output), ['d.test.ts: three'])
  assert.deepEqual(testsUnder('FAILED:', '1 passed\n'), [])
})
