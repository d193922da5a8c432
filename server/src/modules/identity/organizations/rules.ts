// The states of an organization, and who may move it from one to another. Pure.
import type { Table } from '../../../kernel/values/states.ts'

export const organizationStates = ['active', 'suspended', 'closing', 'closed'] as const
export type AnyOrganizationState = (typeof organizationStates)[number]
export type StateEvent = 'suspend' | 'resume' | 'close' | 'reopen' | 'end'

export const organizationTable: Table<AnyOrganizationState, StateEvent> = {
  suspend: { from: ['active'], to: 'suspended' },
  resume: { from: ['suspended'], to: 'active' },
  close: { from: ['active', 'suspended'], to: 'closing' },
  reopen: { from: ['closing'], to: 'active' },
  end: { from: ['closing'], to: 'closed' },
}

/** What the audit log calls a move. */
export const movedActions = {
  suspend: 'organization.suspended',
  resume: 'organization.resumed',
  close: 'organization.closing_started',
  reopen: 'organization.reopened',
  end: 'organization.closed',
} as const

/** Days before the end on which owner and Admins are written to, beside the day on which the closing begins. */
export const noticeDays = [7, 1] as const

const dayMs = 86_400_000

/** The notice that is due so long before the end, by its days; undefined where none is. */
export function dueNotice(msLeft: number): (typeof noticeDays)[number] | undefined {
  return noticeDays.findLast(days => msLeft <= days * dayMs)
}

/** Who may make an organization: operators alone, anyone with a code of theirs, or anyone with an address. */
export const signUpModes = ['closed', 'invite', 'open'] as const
export type SignUpMode = (typeof signUpModes)[number]
