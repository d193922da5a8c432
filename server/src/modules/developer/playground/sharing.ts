// Who may change and share what the Playground keeps: asked in the transaction of the change.
import type { Principal } from '../../../kernel/access/principal.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { mayChange } from './rules.ts'

type Kept = { owner_id: number; shared: boolean }

/** @throws Problem `insufficient_role` where it is shared, or would be, and the caller may not share */
export function requireSharing({ permissions }: Principal, shared: boolean): void {
  if (!shared || permissions.has('playground:share')) return
  throw new Problem('insufficient_role', {
    message:
      'What is shared is changed by those who hold playground:share. Keep a private copy, or ask an Admin for a role with it.',
  })
}

/** @throws Problem `insufficient_role` */
export function requireChange(principal: Principal, row: Kept): void {
  if (!mayChange(principal, row)) requireSharing(principal, true)
}

/** What a change of `shared` asks. @throws Problem `insufficient_role` */
export function requireShared(principal: Principal, row: Kept, shared: boolean | undefined): void {
  if (shared === undefined || shared === row.shared) return
  if (shared) requireSharing(principal, true)
  else if (row.owner_id !== principal.userId)
    throw new Problem('insufficient_role', {
      message: 'Only its owner makes it private again: nobody else would see it then.',
    })
}
