// What runs mutated inputs at something that listens, whatever kind they are: each input is made from the seed and its number alone, so that
// a run can be continued, and one input had again; after every batch it is asked whether what was attacked still does its work.
import { createRandom, type Random } from '../crash/random.ts'

/**
 * What came of one input: it was read, and nothing else can be seen; an answer; an answer that refuses it; one that reports a machine that is too
 * busy (503); one that reports a mistake of ours (any other 5xx).
 */
export type FuzzOutcome = 'read' | 'answered' | 'refused' | 'overloaded' | 'server_error'
/** `reported` goes into the log for what should not be. */
export type FuzzResult = { outcome: FuzzOutcome; reported?: string }

export type FuzzTarget = {
  /**
   * Makes the input from `random` and sends it; anyone who sends faster than the target reads waits here or in `check`, so that nothing is lost on
   * the way. Rejects only where the target is gone.
   */
  send(random: Random): Promise<FuzzOutcome | FuzzResult> | FuzzOutcome
  /**
   * Waits until everything that was sent has been read; rejects where the target has died or does not do its work any more. Answers how
   * many connections that were there to be lost have ended, and were opened again.
   */
  check(): Promise<number>
  close(): Promise<void>
}

/** One kind of input: one file beside this one, and one line in `kinds.ts`. */
export type FuzzKind = {
  name: string
  description: string
  /** Inputs between two checks. */
  batch: number
  /** Inputs under way at once; 1 by default. */
  lanes?: number
  open(): Promise<FuzzTarget>
}

export type FuzzOrder = { seed: number; from: number; count: number; log(line: string): void }

/** `crashes`: after the inputs from `from` to below `to` the target did not do its work any more; it was opened again. */
export type FuzzReport = {
  kind: string
  inputs: number
  seconds: number
  outcomes: Record<FuzzOutcome, number>
  /** Connections that inputs ended which came by them, or in their name. */
  ended: number
  crashes: { from: number; to: number; why: string }[]
}

const maxCrashes = 10
const maxReports = 50
const progressEveryMs = 30_000

/** Runs inputs `from` to below `from + count` of a kind. Ends early after ten crashes: they want to be looked at. */
export async function runFuzz(kind: FuzzKind, { seed, from, count, log }: FuzzOrder): Promise<FuzzReport> {
  const outcomes = { read: 0, answered: 0, refused: 0, overloaded: 0, server_error: 0 }
  const report: FuzzReport = { kind: kind.name, inputs: 0, seconds: 0, outcomes, ended: 0, crashes: [] }
  const beganMs = performance.now()
  let reportedMs = beganMs
  let target = await kind.open()
  let reports = 0

  function note(input: number, result: FuzzOutcome | FuzzResult): void {
    const { outcome, reported } = typeof result === 'string' ? { outcome: result, reported: undefined } : result
    outcomes[outcome] += 1
    if (reported !== undefined && ++reports <= maxReports)
      log(`${kind.name}: input ${input} of seed ${seed}, ${outcome}: ${reported}`)
  }

  async function sendAll(to: FuzzTarget, first: number, end: number): Promise<void> {
    let next = first
    const lane = async () => {
      while (next < end) {
        const input = next++
        note(input, await to.send(randomOf(seed, input)))
      }
    }
    await Promise.all(Array.from({ length: kind.lanes ?? 1 }, lane))
  }

  try {
    for (let at = from; at < from + count && report.crashes.length < maxCrashes; ) {
      const to = Math.min(at + kind.batch, from + count)
      try {
        await sendAll(target, at, to)
        report.ended += await target.check()
      } catch (error) {
        report.crashes.push({ from: at, to, why: error instanceof Error ? error.message : String(error) })
        log(`${kind.name}: inputs ${at} to ${to - 1} of seed ${seed}: ${report.crashes.at(-1)?.why}`)
        await target.close().catch(() => {})
        target = await kind.open()
      }
      report.inputs += to - at
      at = to
      if (performance.now() - reportedMs < progressEveryMs) continue
      reportedMs = performance.now()
      log(`${kind.name}: ${report.inputs} of ${count}; to continue from here: --from ${at}`)
    }
  } finally {
    await target.close()
    report.seconds = (performance.now() - beganMs) / 1_000
  }
  return report
}

/** Neighbouring inputs have nothing to do with each other. */
function randomOf(seed: number, input: number): Random {
  return createRandom((Math.imul(seed, 0x9e3779b1) ^ Math.imul(input + 1, 0x85ebca6b)) >>> 0)
}

/** Whether nothing crashed and nothing was answered by a mistake of ours. */
export function isClean({ crashes, outcomes }: FuzzReport): boolean {
  return crashes.length === 0 && outcomes.server_error === 0
}
