// What endpoints for those who run the installation share.
import { Type } from 'typebox'
import type { Operator } from '../../../kernel/access/operator.ts'
import type { Asked } from '../../../kernel/audit/record.ts'
import type { Acting } from './acts.ts'

/** No organization's permission: the kernel asks for the token of an operator instead. */
export const own = {
  version: 'v2',
  category: 'Organization',
  permission: 'public',
  transaction: 'none',
} as const

export const Reason = Type.String({
  minLength: 3,
  maxLength: 500,
  pattern: '\\S',
  description: 'Why: shown to the people of the organization, and kept in its audit log.',
})

export function actingOf({ operator, asked, now }: { operator: Operator; asked: Asked; now: number }): Acting {
  return { by: operator, asked, nowMs: now }
}
