// The states of a transfer of ownership.
import type { Table } from '../../../kernel/values/states.ts'

export const transferStates = ['pending', 'accepted', 'declined', 'canceled', 'undone'] as const
export type TransferState = (typeof transferStates)[number]
export type TransferEvent = 'accept' | 'decline' | 'cancel' | 'undo'

export const transferTable: Table<TransferState, TransferEvent> = {
  accept: { from: ['pending'], to: 'accepted' },
  decline: { from: ['pending'], to: 'declined' },
  cancel: { from: ['pending'], to: 'canceled' },
  undo: { from: ['accepted'], to: 'undone' },
}

const day = 86_400_000
/** So long the other one may accept. */
export const acceptWithinMs = 7 * day
/** So long the one before may take it back. */
export const undoWithinMs = 3 * day

type Clocked = { state: TransferState; expires_at: string; undo_until: string | null }

/** Whether anything may still become of it: it waits for its answer, or can be undone. */
export function isOpen({ state, expires_at, undo_until }: Clocked, nowMs: number): boolean {
  if (state === 'pending') return Date.parse(expires_at) > nowMs
  return state === 'accepted' && undo_until !== null && Date.parse(undo_until) > nowMs
}
