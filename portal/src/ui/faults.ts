// What went wrong, as a sentence for people: what the portal has words for in its own language, everything else as the server says it.
import { type FieldFault, isTandemError } from '@tandem/sdk'
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

const limits = ['too_short', 'too_long', 'too_few', 'too_many', 'too_small', 'too_large'] as const

/** What is wrong with a field, as a sentence: by the rule that it breaks where the server names that, else as the server says it. */
export function fieldFaultText({ code, message, limit, format }: FieldFault): string {
  const known = limits.find(one => one === code)
  if (known !== undefined && limit !== undefined) return t(`fault.${known}`, { limit })
  if (message === 'is required') return t('fault.required')
  return (format !== undefined && t.of('format', format)) || sentence(message)
}

/** What the server says of a field, which begins small and ends without a stop. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.?]$/.test(text) ? text : `${text}.`
}
