// The quick start of README.md is run as it stands there.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '..')

test('the call with sound of the README', context => {
  const [, code = ''] =
    /## A call with sound[\s\S]*?```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
  assert.match(code, /openSipAgent/)
  const folder = mkdtempSync(join(root, 'readme_'))
  context.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'example.mjs')
  writeFileSync(file, code.replace("'@tandem/sip'", JSON.stringify(pathToFileURL(join(root, 'src/index.ts')).href)))
  const { status, stdout, stderr } = spawnSync(process.execPath, [file], { encoding: 'utf8', timeout: 30_000 })
  assert.equal(status, 0, stderr)
  assert.match(stdout, /progress 180\n/)
  const [, out, back] = /ended by local with 200; (\d+) packets out, (\d+) back/.exec(stdout) ?? []
  assert.ok(Number(out) > 10 && Number(back) > 10, stdout)
  assert.equal(stderr, '')
})
