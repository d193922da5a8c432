// Every request of the portal that carries a file is given the time that a file takes.
// Read in the sources: a line that slow is not made in a test.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..')
const carriers = /\.(attachments\.create|attachments\.content|recordings\.media|imports\.create|imports\.refused)\(/g

test('uploads and downloads have ten minutes', () => {
  const calls = globSync('**/*.{ts,tsx}', { cwd: root }).flatMap(file => {
    const text = readFileSync(join(root, file), 'utf8')
    return [...text.matchAll(carriers)].map(found => ({ file, call: text.slice(found.index, found.index + 160) }))
  })
  assert.ok(calls.length >= 7, `${calls.length} calls`)
  for (const { file, call } of calls) assert.match(call, /timeoutMs: fileTimeoutMs/, `${file}: ${call}`)
})
