// What a change of a user does: every pair of role and standing, and which changes end what the user has open.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Role, roles } from '../../../kernel/values/permission.ts'
import { type UserState, validateChange } from './rules.ts'

const states: UserState[] = roles.flatMap(role =>
  [false, true].map(disabled => ({ email: 'ada@example.com', name: 'Ada', role, disabled })),
)

test('an active Admin is lost exactly when role or standing goes, from every state to every other', () => {
  for (const before of states) {
    for (const { role, disabled } of states) {
      const { after, losesAdmin, endsSessions, changed } = validateChange(before, { role, disabled })
      const active = (state: { role: Role; disabled: boolean }) => state.role === 'Admin' && !state.disabled
      assert.equal(losesAdmin, active(before) && !active({ role, disabled }))
      assert.deepEqual({ role: after.role, disabled: after.disabled }, { role, disabled })
      assert.equal(changed, role !== before.role || disabled !== before.disabled)
      assert.equal(endsSessions, role !== before.role || (disabled && !before.disabled))
    }
  }
})

test('a password ends sessions, an e-mail is forgotten by the nodes, a name is neither', () => {
  const before = states[0] as UserState
  const verdictOf = (change: object) => {
    const { changed, endsSessions, forgets } = validateChange(before, change)
    return { changed, endsSessions, forgets }
  }
  assert.deepEqual(verdictOf({ password: 'x' }), { changed: true, endsSessions: true, forgets: true })
  assert.deepEqual(verdictOf({ email: 'new@example.com' }), { changed: true, endsSessions: false, forgets: true })
  assert.deepEqual(verdictOf({ name: 'Countess' }), { changed: true, endsSessions: false, forgets: false })
  assert.deepEqual(verdictOf({ name: 'Ada', role: before.role }), {
    changed: false,
    endsSessions: false,
    forgets: false,
  })
})
