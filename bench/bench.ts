// What a bench is: a name, what it is given, and what it reports.
import type { Pace, Run, Summary } from './rounds.ts'

/** What a bench is given: its pace, further settings for the server, and where to log its progress. */
export type BenchContext = { pace: Pace; settings: Record<string, string>; log: (line: string) => void }

/** What a bench gives: a report in Markdown, and the figures behind it for the results file. */
export type BenchReport = {
  markdown: string
  postgres: string | null
  summaries?: Summary[]
  runs?: Run[]
  figures?: Record<string, unknown>
}

export type Bench = {
  name: string
  description: string
  run: (context: BenchContext) => Promise<BenchReport>
}
