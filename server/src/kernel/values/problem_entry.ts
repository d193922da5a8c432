// What an entry of the table of problems says (problem.ts).

export type ProblemEntry = {
  /** HTTP status of the answer; 0 for codes that only ever stand in records and events. */
  status: number
  title: string
  cause: string
  fix: string
  /** Whether the same request may succeed later without a change. */
  retriable: boolean
}

export function problem(status: number, title: string, cause: string, fix: string, retriable = false): ProblemEntry {
  return { status, title, cause, fix, retriable }
}
