// What went wrong, as a sentence for people: what the portal has words for in its own language, everything else as the server says it.
import { isTandemError } from '@tandem/sdk'
import { t } from './texts.ts'

/** @param error whatever a request failed with */
export function faultText(error: unknown): string {
  if (!isTandemError(error)) return error instanceof Error ? error.message : t('problem.unexpected')
  const { code, retryAfterSeconds } = error
  if (code === 'rate_limited' && retryAfterSeconds !== undefined)
    return t('rateLimited', { seconds: retryAfterSeconds })
  return problemText(code, error.message)
}

/** @param said what the server says of it, in English */
export function problemText(code: string, said: string): string {
  return t.of('problem', code) ?? said
}
