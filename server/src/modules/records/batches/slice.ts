// How long a worker stays with one job before it gives it back, so that others come first: progress is kept, and the job goes on behind them.
import type { JobKind } from '../../../kernel/noun/record_jobs.ts'

/** A file is read from its beginning each time. */
const sliceMs: Readonly<Record<JobKind, number>> = { check: 20_000, import: 20_000, change: 5_000, revert: 5_000 }

/**
 * Whether a worker is to give its job back: because it is to stop, or because the time is over. That begins where it is first asked, which
 * is behind what reading on took; where that took long, it is four times as long.
 */
export function sliceOf(kind: JobKind, isStopping: () => boolean): () => boolean {
  const fromMs = performance.now()
  let endMs: number | undefined
  return () => {
    const nowMs = performance.now()
    endMs ??= nowMs + Math.max(sliceMs[kind], 4 * (nowMs - fromMs))
    return isStopping() || nowMs >= endMs
  }
}
