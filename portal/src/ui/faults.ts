// What went wrong, as a sentence for people: what the portal has words for in its own way, everything else as the server says it, put into
// the language of the portal where that is not English.
import { type FieldFault, isTandemError } from '@tandem/sdk'
import { fieldSentence, problemSentence } from '../problems/said.ts'
import { currentLanguage } from '../words/language.ts'
import { t } from './texts.ts'

/** @param error whatever a request failed with */
export function faultText(error: unknown): string {
  if (!isTandemError(error)) return error instanceof Error ? error.message : t('problem.unexpected')
  const { code, details, retryAfterSeconds } = error
  if (code === 'rate_limited' && retryAfterSeconds !== undefined)
    return t('rateLimited', { seconds: retryAfterSeconds })
  if (code === 'validation_failed' && details.length > 0 && currentLanguage() !== 'en')
    return details.map(namedFaultText).join(' ')
  return problemText(code, error.message)
}

/** @param said what the server says of it, in English */
export function problemText(code: string, said: string): string {
  return t.of('problem', code) ?? problemSentence(code, said) ?? said
}

const limits = ['too_short', 'too_long', 'too_few', 'too_many', 'too_small', 'too_large'] as const

/** What is wrong with a field, as a sentence: by the rule that it breaks where the server names that, else by its code or as the server says it. */
export function fieldFaultText(fault: FieldFault): string {
  const { code, message, limit, format } = fault
  const known = limits.find(one => one === code)
  if (known !== undefined && limit !== undefined) return t(`fault.${known}`, { limit })
  if (message === 'is required') return t('fault.required')
  return (format !== undefined && t.of('format', format)) || (fieldSentence(fault) ?? sentence(message))
}

/** The same where the field is not in sight. */
export function namedFaultText(fault: FieldFault): string {
  const { field, message } = fault
  if (currentLanguage() === 'en') return sentence(`${field} ${message}`)
  return field === '' ? fieldFaultText(fault) : `${field}: ${fieldFaultText(fault)}`
}

/** What the server says of a field, which begins small and ends without a stop. */
function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.?]$/.test(text) ? text : `${text}.`
}
