// What `npm test -- --since` takes for touched, on a small checkout and on this one.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { test } from 'node:test'
import { reaching, readers, readersOf } from './touched.ts'

const small: Record<string, string> = {
  'server/src/a.ts': "import type { B } from './b.ts'\n",
  'server/src/b.ts': "import { frame } from '@tandem/sip'\nexport type B = 1\n",
  'server/src/lazy.ts': '',
  'packages/sip/src/index.ts': "export * from './frame.ts'\n",
  'packages/sip/src/frame.ts': '',
  'server/src/a.test.ts': "import './a.ts'\n",
  'server/src/lazy.test.ts': "await import('./lazy.ts')\n",
  'server/src/pages.test.ts': "read(join(import.meta.dirname, '../../docs/pages.md'))\nrun('server/src/lazy.ts')\n",
  'docs/pages.md': '',
  'docs/other.md': '',
}

test('a test is touched by what it imports, types and packages too, and by what it names', () => {
  const readBy = readersOf(Object.keys(small), file => small[file] ?? '')
  const tests = Object.keys(small).filter(file => file.endsWith('.test.ts'))
  const touched = (file: string) =>
    reaching([file], tests, readBy).map(name => name.replace(/^.*\/(\w+)\.test\.ts$/, '$1'))
  assert.deepEqual(touched('server/src/b.ts'), ['a'])
  assert.deepEqual(touched('packages/sip/src/frame.ts'), ['a'])
  assert.deepEqual(touched('server/src/lazy.ts'), ['lazy', 'pages'])
  assert.deepEqual(touched('docs/pages.md'), ['pages'])
  assert.deepEqual(touched('docs/other.md'), [])
  assert.deepEqual(touched('server/src/a.test.ts'), ['a'])
  assert.deepEqual(touched('package-lock.json'), ['a', 'lazy', 'pages'])
})

test('this checkout: what is read without an import is seen too', () => {
  const root = join(import.meta.dirname, '../..')
  const { stdout } = spawnSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  const files = stdout.split('\n').filter(line => line !== '')
  if (files.length === 0) return
  const readBy = readersOf(files, file => {
    try {
      return readFileSync(join(root, file), 'utf8')
    } catch {
      return ''
    }
  })
  for (const [pattern, reader] of readers) {
    assert.ok(files.includes(reader), `${reader} is in the checkout`)
    assert.ok(
      files.some(file => matchesGlob(file, pattern)),
      `a file matches ${pattern}`,
    )
  }
  const tests = files.filter(file => file.endsWith('.test.ts'))
  const migration = files.find(file => file.startsWith('server/migrations/')) as string
  const style = files.find(file => /^portal\/src\/.*\.css$/.test(file)) as string
  for (const [changed, touched] of [
    [migration, 'server/test/tenancy.test.ts'],
    [style, 'portal/test/screens.test.ts'],
    ['docs/openapi.json', 'packages/catalog/src/search.test.ts'],
    ['server/src/main.ts', 'server/test/setup.test.ts'],
    ['packages/sip/test/sipp/uac_hold.xml', 'packages/sip/test/agent_sipp.test.ts'],
    ['server/test/harness.ts', 'server/test/contract.test.ts'],
  ] as const) {
    const found = reaching([changed], tests, readBy)
    assert.ok(found.includes(touched), `${changed} touches ${found.length} tests, and not ${touched}`)
  }
  assert.deepEqual(reaching(['LICENSE'], tests, readBy), [])
})
