// What a load process is sent by its parent, and what it answers.
import type { LoadResult, LoadSettings } from './load.ts'
import type { RequestTemplate } from './request_template.ts'

/** What the worker process is sent, once. */
export type WorkerOrder = LoadSettings & { template: RequestTemplate }

/** What it answers: the edges of the window as they happen, then the result. */
export type WorkerReport =
  | { kind: 'measure_start' }
  | { kind: 'measure_end'; seconds: number }
  | { kind: 'result'; result: LoadResult }
