// Names of browsers and programs in the list of sessions.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../test/words.ts'
import { programOf } from './program.ts'
import { codeProof } from './proofs.ts'

test('browsers are named by what they are, though they claim to be all others', () => {
  const chrome = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Safari/537.36'
  assert.equal(programOf(chrome), 'Chrome on Linux')
  assert.equal(programOf(`${chrome} Edg/140.0`), 'Edge on Linux')
  assert.equal(programOf('Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0'), 'Firefox on Windows')
  assert.equal(programOf('curl/8.14.1'), 'curl/8.14.1')
  assert.equal(programOf(null), 'Unknown program')
})

test('six digits are a code, also with a blank between them; anything else is a recovery code', () => {
  assert.deepEqual(codeProof('123 456'), { code: '123456' })
  assert.deepEqual(codeProof(' ABCD-EFGH '), { recoveryCode: 'ABCD-EFGH' })
})
