// When a stream that ended for good is opened again while somebody still listens. The SDK mends what breaks; what is left is an answer
// that was none of the server's (a proxy that was in the way), and refusals, which would only be repeated.
import { isTandemError } from '@tandem/sdk'

/** How long after its end another is tried. */
export const returnMs = 30_000

/** @param fault what ended it; undefined where the server ended it without a word */
export function mayReturn(fault: unknown): boolean {
  if (!isTandemError(fault)) return true
  const { code, status, retriable } = fault
  return retriable || code === 'unexpected_reply' || status >= 500
}
