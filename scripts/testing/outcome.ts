// What came of a test file, and of a run: counts, the tests that were skipped, and what each failure said, so that the end of a
// long log says what its middle would.

export type Outcome = {
  passed: number
  failed: number
  /** `file: test (why)` of each test that was skipped. */
  skipped: string[]
  /** `file: test` and, indented below it, what was thrown. */
  faults: string[]
  seconds: number
  /** Of the processors; PostgreSQL's apart. */
  processorSeconds: number
}

export function emptyOutcome(): Outcome {
  return { passed: 0, failed: 0, skipped: [], faults: [], seconds: 0, processorSeconds: 0 }
}

/** Counts a failure that no test of the file reported. */
export function addFault(outcome: Outcome, title: string, text: string): void {
  outcome.failed += 1
  outcome.faults.push(`${title}\n${text.replaceAll(/^/gm, '    ')}`)
}

export function sumOf(outcomes: Iterable<Outcome>): Outcome {
  const total = emptyOutcome()
  for (const { passed, failed, skipped, faults, seconds, processorSeconds } of outcomes) {
    total.passed += passed
    total.failed += failed
    total.skipped.push(...skipped)
    total.faults.push(...faults)
    total.seconds += seconds
    total.processorSeconds += processorSeconds
  }
  return total
}
