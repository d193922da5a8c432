// Hands one batch to many readers without keeping the process from everything else: with hundreds of readers, a batch of a busy tenant takes
// longer than a request may wait.
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of work after which others have their turn. */
const atOnceMs = 3

/**
 * Gives to each in turn, those that left meanwhile excepted; others of this process have their turn in between.
 * @param present milliseconds of a clock that does not jump
 */
export async function handOut<Taker>(
  takers: ReadonlySet<Taker>,
  give: (taker: Taker) => void,
  present: () => number,
): Promise<void> {
  let sinceMs = present()
  // Those that come meanwhile begin behind this batch.
  for (const taker of [...takers]) {
    if (!takers.has(taker)) continue
    give(taker)
    if (present() - sinceMs < atOnceMs) continue
    await nextTurn()
    sinceMs = present()
  }
}
