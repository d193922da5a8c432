// Problems: every way a request, message or call can go wrong. Each has a code, declared by the kernel (kernel_problems.ts) or by a noun
// (its noun.ts); together they are the error reference. Responses, records, events and docs speak these codes, and no other.
import { kernelProblems } from './kernel_problems.ts'
import type { ProblemEntry } from './problem_entry.ts'
import { type ProblemCode, problemEntry, vocabulary } from './vocabulary.ts'

export type { ProblemEntry } from './problem_entry.ts'
export type { ProblemCode } from './vocabulary.ts'

/**
 * One fault of one field: `field` is its path in the input (`lines[0].quantity`), `code` a word such as `required`, `record_id` the record
 * that it is about: the one that has the same e-mail, or that another was merged into. `limit` and `format` say the rule for who words it
 * otherwise.
 */
export type FieldFault = {
  field: string
  code: string
  message: string
  record_id?: string
  limit?: number
  format?: string
}

export type ProblemExtra = {
  /** Overrides the title as the sentence for people; must name the remedy. */
  message?: string
  details?: FieldFault[]
  headers?: Record<string, string>
  /** What a client needs to go on, beside the error: `challengeToken`. */
  also?: Record<string, unknown>
}

/** The one way to refuse: `throw new Problem('not_found')`. Anything else thrown is a programmer's error and answers 500. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly details: FieldFault[] | undefined
  readonly headers: Record<string, string> | undefined
  readonly also: Record<string, unknown> | undefined

  constructor(code: ProblemCode, extra: ProblemExtra = {}) {
    super(extra.message ?? sentence(problemEntry(code)) ?? code)
    this.code = code
    this.details = extra.details
    this.headers = extra.headers
    this.also = extra.also
  }

  get entry(): ProblemEntry {
    return problemEntry(this.code) ?? vocabulary().problems[this.code]
  }
}

function sentence(entry: ProblemEntry | undefined): string | undefined {
  return entry && `${entry.cause} ${entry.fix}`
}

/** A 400 that lists field faults, for rules a schema cannot say. */
export function invalid(...faults: FieldFault[]): Problem {
  return new Problem('validation_failed', { message: faultMessage(faults), details: faults })
}

/** The sentence above a list of faults: names the first field and how many more there are. */
export function faultMessage(faults: readonly FieldFault[]): string {
  const first = faults[0]
  if (first === undefined) return kernelProblems.validation_failed.title
  const rest = faults.length - 1
  const more = rest === 0 ? '' : ` (and ${rest} more ${rest === 1 ? 'fault' : 'faults'} in details)`
  return `${first.field === '' ? 'The body' : first.field}: ${first.message}${more}`
}
