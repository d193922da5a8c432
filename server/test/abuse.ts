// For tests of bad input: a test application that really listens, and what every refusal must look like in both versions.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { startTestApp, type TestApp } from './harness.ts'
import { listen, type WireAnswer } from './wire.ts'

/** An application for one file, closed at its end. */
export async function startListening(env: Record<string, string> = {}): Promise<{ t: TestApp; port: number }> {
  const t = await startTestApp({ env })
  after(() => t.close())
  return { t, port: await listen(t) }
}

/** Fails unless the answer is this problem in the shape of its version. */
export function assertProblem(answer: WireAnswer, status: number, code: string): void {
  assert.equal(answer.status, status, answer.text)
  const { json } = answer
  assert.ok(json !== undefined, `not JSON: ${answer.text}`)
  if (json.success === undefined) assert.deepEqual([json.status, json.error.code], [status, code], answer.text)
  else
    assert.deepEqual(
      [json.success, json.code, typeof json.error, typeof json.message],
      [false, code, 'string', 'string'],
      answer.text,
    )
  assert.match(String(answer.headers['x-request-id']), /^req_[0-9a-z]{26}$/)
  assert.ok(!/node_modules|\.ts:\d|select |insert /i.test(answer.text), `shows its inside: ${answer.text}`)
}

export const faultsOf = (answer: WireAnswer): { field: string; code: string }[] =>
  answer.json.details ?? answer.json.error.details ?? []
