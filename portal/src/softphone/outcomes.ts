// What came of a call, in words.
import type { Call } from '@tandem/sdk'
import { t } from './texts.ts'

export type Outcome = NonNullable<Call['outcome']>

export const outcomes: readonly Outcome[] = [
  'answered',
  'voicemail',
  'no_answer',
  'busy',
  'wrong_number',
  'call_back',
  'not_interested',
]

export const outcomeText = (outcome: Outcome): string => t.of('outcome', outcome) ?? outcome.replaceAll('_', ' ')

/** What the network knows already of what came of it; nothing where only a person can say. @param cause why it ended */
export function guessedOutcome(cause: string | undefined, talked: boolean): Outcome | null {
  if (talked) return 'answered'
  if (cause === 'user_busy') return 'busy'
  if (cause === 'unallocated' || cause === 'number_changed' || cause === 'bad_format') return 'wrong_number'
  return cause === undefined || cause === 'no_answer' || cause === 'canceled' ? 'no_answer' : null
}
