// Who runs which test file when. Busy lanes, one a processor, run what needs a processor, the longest first, so that no
// long file is left for the end; waiting lanes run beside them what mostly waits, and then the shortest. A lane keeps its process from
// file to file, unless a file wants one of its own, or the process has grown large or was ended by a file.
import type { Marks } from './marks.ts'
import type { Outcome } from './outcome.ts'
import { type FileResult, TestWorker, type WorkerOptions } from './worker_process.ts'

export type TestFile = Marks & { file: string; expectedSeconds: number }

export type LaneOptions = {
  root: string
  busyLanes: number
  waitingLanes: number
  fileTimeoutMs: number
  signal: AbortSignal
  /** Called with each file when it is over. */
  onResult(file: string, result: FileResult): void
}

/** A process is replaced when it holds more than this after a file. */
const maxMemoryMb = 1_500

/** Runs all files. Resolves with the outcome of each that was run; after `signal` those that were not begun are missing. */
export async function runInLanes(files: readonly TestFile[], options: LaneOptions): Promise<Map<string, Outcome>> {
  const outcomes = new Map<string, Outcome>()
  const longestFirst = [...files].sort((a, b) => b.expectedSeconds - a.expectedSeconds)
  const busy = longestFirst.filter(file => !file.waits)
  const waiting = longestFirst.filter(file => file.waits)
  const lane = (next: () => TestFile | undefined) =>
    runLane(next, options, (file, result) => {
      outcomes.set(file, result.outcome)
      options.onResult(file, result)
    })
  await Promise.all([
    ...Array.from({ length: options.busyLanes }, () => lane(() => busy.shift() ?? waiting.shift())),
    ...Array.from({ length: options.waitingLanes }, () => lane(() => waiting.shift() ?? busy.pop())),
  ])
  return outcomes
}

/** More than these that fail are no matter of the company that they were in. */
const maxAgain = 3

/**
 * Runs those that failed and are marked with `programs` once more, one after the other, and puts what came of it into `outcomes`.
 * @returns what each of them that passed now had failed with beside others
 */
export async function runAgainAlone(
  files: readonly TestFile[],
  outcomes: Map<string, Outcome>,
  options: LaneOptions,
): Promise<string[]> {
  const failed = files.filter(({ file }) => (outcomes.get(file)?.failed ?? 0) > 0)
  if (failed.length > maxAgain || failed.some(({ programs }) => !programs)) return []
  const alone = await runInLanes(failed, { ...options, busyLanes: 1, waitingLanes: 0 })
  return [...alone].flatMap(([file, outcome]) => {
    const { faults } = outcomes.get(file) as Outcome
    outcomes.set(file, outcome)
    return outcome.failed === 0 ? faults : []
  })
}

async function runLane(
  next: () => TestFile | undefined,
  { root, fileTimeoutMs, signal }: LaneOptions,
  onResult: (file: string, result: FileResult) => void,
): Promise<void> {
  const start = (life: WorkerOptions['life']) => new TestWorker({ root, fileTimeoutMs, life })
  let worker: TestWorker | undefined
  for (let file = next(); file !== undefined && !signal.aborted; file = next()) {
    if (file.ownProcess) {
      onResult(file.file, await start('one file').run(file.file, signal))
      continue
    }
    worker ??= start('many files')
    onResult(file.file, await worker.run(file.file, signal))
    if (worker.isSpent || worker.memoryMb > maxMemoryMb) await worker.end()
    if (worker.isGone) worker = undefined
  }
  await worker?.end()
}
