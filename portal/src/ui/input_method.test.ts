// Wherever Enter does something in a field, it is asked whether an input method means it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { isComposing, unlessComposing } from './input_method.ts'

type Heard = Parameters<typeof isComposing>[0]
const key = (facts: object) => ({ isComposing: false, keyCode: 13, ...facts }) as unknown as Heard

test('a key belongs to an input method while it composes, and as it ends', () => {
  for (const event of [key({ isComposing: true }), key({ keyCode: 229 }), { nativeEvent: key({ keyCode: 229 }) }])
    assert.equal(isComposing(event as Heard), true)
  assert.equal(isComposing(key({})), false)
  let heard = 0
  unlessComposing(() => heard++)({ nativeEvent: key({ isComposing: true }) } as never)
  assert.equal(heard, 0)
})

/** On a button nobody composes; the editor of code asks for itself. */
const without = ['ui/menu.tsx']

test('nothing hears Enter without asking', () => {
  const root = join(import.meta.dirname, '..')
  const hear = globSync('**/*.{ts,tsx}', { cwd: root }).filter(path =>
    /\.key\b.*'Enter'|'Enter'.*\.key\b/.test(readFileSync(join(root, path), 'utf8')),
  )
  assert.ok(hear.length > 12, `${hear.length} files`)
  const deaf = hear.filter(path => !/\b(isComposing|unlessComposing)\(/.test(readFileSync(join(root, path), 'utf8')))
  assert.deepEqual(deaf, without)
})
