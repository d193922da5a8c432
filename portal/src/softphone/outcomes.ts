// What came of a call, in words.
import type { Call } from '@tandem/sdk'

export type Outcome = NonNullable<Call['outcome']>

export const outcomeWords: Readonly<Record<Outcome, string>> = {
  answered: 'Talked',
  voicemail: 'Left a voicemail',
  no_answer: 'No answer',
  busy: 'Busy',
  wrong_number: 'Wrong number',
  call_back: 'Call back later',
  not_interested: 'Not interested',
}

export const outcomes = Object.keys(outcomeWords) as Outcome[]

/** What the network knows already of what came of it; nothing where only a person can say. @param cause why it ended */
export function guessedOutcome(cause: string | undefined, talked: boolean): Outcome | null {
  if (talked) return 'answered'
  if (cause === 'user_busy') return 'busy'
  if (cause === 'unallocated' || cause === 'number_changed' || cause === 'bad_format') return 'wrong_number'
  return cause === undefined || cause === 'no_answer' || cause === 'canceled' ? 'no_answer' : null
}
