// The compiler has nothing to say about the whole tree: replies and samples of endpoints fit their schemas, and the mistakes
// of `reply_mistakes.ts` are refused.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const compiler = join(root, 'node_modules/.bin/tsc')
/** The compiler is a Go program, and spends a third of its time on collecting garbage that it need not. */
const env = { ...process.env, GOGC: '400' }
/** Several threads each check what they share again: beside other tests that takes longer than one. */
const alone = ['--pretty', 'false', '--singleThreaded']

for (const project of ['.', 'portal', 'portal/test']) {
  test(`types of ${project} are right`, async () => {
    const errors = await new Promise<string>(done =>
      execFile(compiler, ['-p', project, ...alone], { cwd: root, env }, (_, out) => done(out)),
    )
    assert.equal(errors, '')
  })
}
