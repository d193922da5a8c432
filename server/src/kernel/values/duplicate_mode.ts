// What is done about a record that is the same as another.
import { invalid } from './problem.ts'

/** Refuse it, report it, or do not look. */
export const duplicateModes = ['block', 'warn', 'off'] as const
export type DuplicateMode = (typeof duplicateModes)[number]

/**
 * What to do about duplicates: the header `X-Duplicate-Mode` goes before the organization's setting.
 * @throws Problem `validation_failed`
 */
export function duplicateModeOf(header: string | undefined, setting: DuplicateMode): DuplicateMode {
  if (header === undefined) return setting
  const mode = duplicateModes.find(known => known === header.trim().toLowerCase())
  if (mode !== undefined) return mode
  const message = `must be one of: ${duplicateModes.join(', ')}`
  throw invalid({ field: 'X-Duplicate-Mode', code: 'not_allowed', message })
}
