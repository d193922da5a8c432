// What a change of a user does: every pair of role and standing, and which changes end what the user has open.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { roles } from '../../../kernel/values/permission.ts'
import { type UserState, validateChange } from './rules.ts'

const own = 'rol_01k9r7d3w2v8e6q4n5m1b0c9xz'
const states: UserState[] = roles.flatMap(role =>
  [null, own].flatMap(role_id =>
    [false, true].map(disabled => ({ email: 'ada@example.com', name: 'Ada', role, role_id, disabled })),
  ),
)

test('an active Admin is lost exactly when role or standing goes, from every state to every other; a role made of Admin is none', () => {
  for (const before of states) {
    for (const { role, role_id, disabled } of states) {
      const { after, losesAdmin, endsSessions, changed } = validateChange(before, { role, role_id, disabled })
      const active = (state: UserState) => state.role === 'Admin' && state.role_id === null && !state.disabled
      const other = role !== before.role || role_id !== before.role_id
      assert.equal(losesAdmin, active(before) && !active(after))
      assert.deepEqual({ ...after }, { ...before, role, role_id, disabled })
      assert.equal(changed, other || disabled !== before.disabled)
      assert.equal(endsSessions, other || (disabled && !before.disabled))
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
