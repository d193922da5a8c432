// What the catalog shows as the sample of an error is what the server sends, byte for byte, in both versions.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { errorSample, problemAddress } from '@tandem/catalog'
import { problems } from '../../nouns.ts'
import { Problem, type ProblemCode } from '../values/problem.ts'
import { renderProblem } from './render_problem.ts'

const requestId = 'req_01k9r7d3w2v8e6q4n5m1b0c9xz'
// These two get a message of their own where they are thrown.
const codes = (Object.keys(problems) as ProblemCode[]).filter(
  code => problems[code].status !== 0 && code !== 'validation_failed' && code !== 'rate_limited',
)

for (const version of ['v1', 'v2'] as const) {
  test(`the samples of errors of ${version} are what is answered`, () => {
    for (const code of codes) {
      const sent = renderProblem(new Problem(code), version, requestId, 12)
      assert.equal(sent, JSON.stringify(errorSample({ code, ...problems[code] }, version)), code)
    }
  })

  test(`a sample of invalid input in ${version} has the fields of the answer`, () => {
    const details = [{ field: 'color', code: 'unknown_field', message: 'is not a field of this request' }]
    const sent = renderProblem(
      new Problem('validation_failed', { details, message: 'color: is not a field of this request' }),
      version,
      requestId,
      12,
    )
    const sample = errorSample({ code: 'validation_failed', ...problems.validation_failed }, version)
    assert.deepEqual(JSON.parse(sent), sample)
  })
}

test('an error of v2 names its page in the error reference', () => {
  const { error } = JSON.parse(renderProblem(new Problem('not_found'), 'v2', requestId, 1))
  assert.equal(error.docUrl, problemAddress('not_found'))
})
