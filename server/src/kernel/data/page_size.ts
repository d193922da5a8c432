// How many rows a statement that looks through a table takes at once. Rows differ in length by far: what takes longer than a statement may
// (statement_timeout) is asked for again with half as many, down to one.
import { isCanceled } from './db_errors.ts'

/** Of one table; what turned out to be too much is not tried there again. */
export type PageSize = { rows: number }

/** @throws what `run` throws, also a timeout that a single row ran into */
export async function withinTimeout<Result>(size: PageSize, run: (rows: number) => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await run(size.rows)
    } catch (error) {
      if (!isCanceled(error) || size.rows <= 1) throw error
      size.rows = Math.floor(size.rows / 2)
    }
  }
}
