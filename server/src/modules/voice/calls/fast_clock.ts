// The header X-Simulate-Clock: calls of the test mode whose time is compressed, so that suites need not wait for phones to ring.
import { Type } from 'typebox'
import { OneOf } from '../../../kernel/endpoint/schema.ts'
import { invalid } from '../../../kernel/values/problem.ts'

const name = 'X-Simulate-Clock'

export const FastClockHeader = Type.Object({
  [name]: Type.Optional(
    OneOf(['fast'], {
      description:
        'fast: the simulated phones ring, talk and hang up, and instructions wait, ten times as fast, those of legs the call ' +
        'dials too. For the test mode.',
    }),
  ),
})

/** Whether the time of a call is compressed. @throws Problem `validation_failed` for another word, and in the live mode */
export function isFastClock(header: (name: string) => string | undefined, mode: 'live' | 'test'): boolean {
  const value = header(name.toLowerCase())
  if (value === undefined) return false
  if (value !== 'fast') throw invalid({ field: name, code: 'not_allowed', message: 'must be fast, or be left out' })
  const message = 'is for the test mode: use a test key, or leave the header out'
  if (mode !== 'test') throw invalid({ field: name, code: 'not_allowed', message })
  return true
}
