// The tests of one answer, and what it gives to variables: the same for a request that is sent alone and for one of a run.
import type { Lookup } from '../request/variables.ts'
import type { Outcome } from '../sending/send.ts'
import { responseMs } from '../sending/timing.ts'
import { t } from '../texts.ts'
import { type AnswerTest, type Capture, type Captured, captured, jsonOf, runTests, type TestResult } from './check.ts'

export type Tested = { results: readonly TestResult[]; taken: readonly Captured[]; missed: readonly Capture[] }

/** Larger bodies are not read for tests. */
const MAX_BYTES = 20_000_000

/** Where no answer came, every test fails. */
export async function testAnswer(
  outcome: Outcome,
  { tests, captures }: { tests: readonly AnswerTest[]; captures: readonly Capture[] },
  lookup: Lookup,
): Promise<Tested> {
  if (outcome.kind !== 'answer') {
    const results = runTests(tests, { status: 0, totalMs: 0, headers: [], json: undefined }, lookup)
    return {
      results: results.map(({ name }) => ({ name, passed: false, found: t('found.noAnswer') })),
      taken: [],
      missed: [],
    }
  }
  const { status, headers, body, time } = outcome
  const isRead = captures.length > 0 || tests.some(({ subject }) => subject === 'json')
  const json = isRead && body.size <= MAX_BYTES ? jsonOf(await body.text()) : undefined
  const found = captured(captures, json)
  const withTaken: Lookup = name => found.taken.findLast(each => each.name === name)?.value ?? lookup(name)
  return { results: runTests(tests, { status, totalMs: responseMs(time), headers, json }, withTaken), ...found }
}

/** `2 of 3 tests passed`, and what captures did not find. */
export function summaryOf({ results, missed }: Tested): { text: string; passed: boolean } {
  const good = results.filter(({ passed }) => passed).length
  const text = results.length === 0 ? '' : t('testsPassed', { passed: good, count: results.length })
  return { text, passed: good === results.length && missed.length === 0 }
}
