// The record that a request names: there, and at the version that the request speaks of (RFC 9110 §13.1.1).
import { Problem } from '../values/problem.ts'

/** @throws Problem `not_found` where there is none */
export function requireRecord<Row>(row: Row | undefined): Row {
  if (row === undefined) throw new Problem('not_found')
  return row
}

/**
 * The record to be changed, at the version of If-Match where one was sent.
 * @throws Problem `not_found`, `version_mismatch`
 */
export function requireVersion<Row extends { version: number }>(
  row: Row | undefined,
  ifMatch: number | undefined,
): Row {
  const found = requireRecord(row)
  if (ifMatch !== undefined && ifMatch !== found.version) throw new Problem('version_mismatch')
  return found
}
