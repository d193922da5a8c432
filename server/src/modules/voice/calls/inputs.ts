// What requests say of a call to be made, with what is meant where they say nothing.
import { Type } from 'typebox'
import type { Principal } from '../../../kernel/access/principal.ts'
import { parsePhone } from '../../../kernel/values/phone.ts'
import { Problem, type ProblemCode } from '../../../kernel/values/problem.ts'

export const Tags = Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
  maxItems: 10,
  uniqueItems: true,
  description: 'Words of your own to find calls by in events and reports.',
})
export const Metadata = Type.Unsafe<Record<string, string>>({
  type: 'object',
  additionalProperties: { type: 'string', maxLength: 500 },
  propertyNames: { minLength: 1, maxLength: 64 },
  maxProperties: 20,
  description: 'Up to 20 named texts of your own, returned with the call and in its events.',
})
export const defaultTimeoutSeconds = 60
export const defaultTimeLimitSeconds = 4 * 3_600
export const TimeoutSeconds = Type.Integer({
  minimum: 5,
  maximum: 600,
  default: defaultTimeoutSeconds,
  description: 'How long to let it ring, in seconds.',
})
export const TimeLimitSeconds = Type.Integer({
  minimum: 1,
  maximum: 86_400,
  default: defaultTimeLimitSeconds,
  description: 'How long the call may last after the answer, in seconds.',
})

const names = { from: 'caller', to: 'callee' } as const

/** The number a caller or callee is meant to have. @throws Problem of this code, which names the field */
export function dialable(text: string, { settings }: Principal, field: 'from' | 'to', code: ProblemCode): string {
  const number = parsePhone(text, settings.defaultCountry ?? undefined)
  if (number !== undefined) return number
  const remedy =
    field === 'to' && /^(sips?|client):/i.test(text.trim())
      ? 'A call begins with a number or with the address of a phone of this server (phone.address of GET /v2/voice/sip-credentials); other addresses are targets of the instruction dial.'
      : 'Use international format with +, for example +15550100001.'
  const message = `${JSON.stringify(text)} is no number the ${names[field]} can have. ${remedy}`
  throw new Problem(code, { message, details: [{ field, code, message: 'is not a telephone number' }] })
}
