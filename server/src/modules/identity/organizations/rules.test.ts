// The states of an organization: the table is whole, and notices fall on their days.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkTable, move } from '../../../kernel/values/states.ts'
import { dueNotice, organizationStates, organizationTable } from './rules.ts'

test('every state is reached, and only a closed organization stays as it is', () => {
  const expected = { states: organizationStates, initial: ['active'], terminal: ['closed'] } as const
  assert.deepEqual(checkTable(organizationTable, expected), [])
  assert.equal(move(organizationTable, 'closed', 'reopen'), undefined)
})

test('notices are due seven days and one day before the end', () => {
  const day = 86_400_000
  assert.deepEqual(
    [30, 8, 7, 2, 1, 0].map(days => dueNotice(days * day)),
    [undefined, undefined, 7, 7, 1, 1],
  )
})
