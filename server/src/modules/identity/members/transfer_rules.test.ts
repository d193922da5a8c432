// The states of a transfer of ownership, and how long each is open.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkTable } from '../../../kernel/values/states.ts'
import { acceptWithinMs, isOpen, transferStates, transferTable, undoWithinMs } from './transfer_rules.ts'

test('a transfer begins pending and ends declined, canceled or undone', () => {
  const terminal = ['declined', 'canceled', 'undone'] as const
  assert.deepEqual(checkTable(transferTable, { states: transferStates, initial: ['pending'], terminal }), [])
})

test('it is open for seven days, and for three once it was accepted', () => {
  const [start, iso] = [Date.parse('2026-11-21T08:00:00Z'), (ms: number) => new Date(ms).toISOString()]
  const pending = { state: 'pending', expires_at: iso(start + acceptWithinMs), undo_until: null } as const
  assert.deepEqual([acceptWithinMs, undoWithinMs], [604_800_000, 259_200_000])
  assert.equal(isOpen(pending, start + acceptWithinMs - 1), true)
  assert.equal(isOpen(pending, start + acceptWithinMs), false)
  const accepted = { ...pending, state: 'accepted', undo_until: iso(start + undoWithinMs) } as const
  assert.equal(isOpen(accepted, start + undoWithinMs - 1), true)
  assert.equal(isOpen(accepted, start + undoWithinMs), false)
  assert.equal(isOpen({ ...pending, state: 'declined' }, start), false)
})
