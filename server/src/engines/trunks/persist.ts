// What the database is asked for while a call goes on: one that comes back in the next moment must not leave a call that nobody can end, or
// that goes nowhere.
import { setTimeout as sleep } from 'node:timers/promises'

const againMs = 200

/** Tries until it succeeds. @throws what `run` throws, once that is for nothing */
export async function persist<Result>(run: () => Promise<Result>, isForNothing: () => boolean): Promise<Result> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (isForNothing()) throw error
      await sleep(againMs)
    }
  }
}
