/** Holds what a server acknowledged against what its database holds, after each run of load. */
import type { LoadResult } from './load.ts'
import { formatCount } from './measure.ts'

/**
 * Counts the rows now and returns the check for `Subject.check`: every 2xx must be a committed row, and every new row
 * must have been acknowledged or have lost its connection. It returns the figures, and throws when they do not fit.
 * @param what names the rows in the text, for example their table.
 * @param count the committed rows, seen from outside of the server.
 */
export async function durabilityCheck(
  what: string,
  count: () => Promise<number>,
): Promise<(result: LoadResult) => Promise<string>> {
  let before = await count()
  return async ({ succeeded, unknown }) => {
    const after = await count()
    const rows = after - before
    before = after
    const reported = `${formatCount(rows)} new rows in ${what} for ${formatCount(succeeded)} answers 2xx`
    if (rows < succeeded) throw new Error(`Lost after an answer 2xx: ${reported}`)
    if (rows > succeeded + unknown)
      throw new Error(`Doubled, or done without an answer: ${reported}, ${unknown} unknown`)
    return reported
  }
}
