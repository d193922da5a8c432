// Nobody makes a key stronger than themselves: every way to ask for more is refused and named.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../../nouns.ts'
import { effectivePermissions, outlives, type Role, roles } from '../../../kernel/values/permission.ts'
import '../../../nouns.ts'
import { endOf, faultsOfNewKey, type KeyMaker, mayRotate, reachOf, tokenExpiry } from './rules.ts'

function maker(
  role: Role,
  scopes: string[] | null = null,
  kind: 'user' | 'key' = 'user',
  mode: 'live' | 'test' = 'live',
): KeyMaker {
  return {
    kind,
    mode,
    role,
    custom: null,
    scopes,
    userId: 7,
    permissions: effectivePermissions({ role, custom: null }, scopes),
  }
}

test('a person gives keys any part of their role, and no more', () => {
  for (const role of roles) {
    const person = maker(role)
    assert.deepEqual(faultsOfNewKey(person, { mode: 'live', scopes: null }), [])
    assert.deepEqual(faultsOfNewKey(person, { mode: 'live', scopes: [...person.permissions] }), [])
  }
  const faults = faultsOfNewKey(maker('Finance Manager'), {
    mode: 'live',
    scopes: ['invoices:read', 'leads:read', 'users:manage'],
  })
  assert.deepEqual(
    faults.map(fault => fault.field),
    ['scopes[1]', 'scopes[2]'],
  )
})

test('a key with scopes names those it gives, and gives only its own', () => {
  const key = maker('Admin', ['keys:manage', 'leads:read'], 'key')
  assert.deepEqual(
    faultsOfNewKey(key, { mode: 'live', scopes: null }).map(fault => fault.field),
    ['scopes'],
  )
  assert.deepEqual(faultsOfNewKey(key, { mode: 'live', scopes: ['leads:read'] }), [])
  assert.deepEqual(faultsOfNewKey(key, { mode: 'live', scopes: ['leads:create'] }).length, 1)
  const demoted = maker('Sales Executive', ['keys:manage', 'users:manage'], 'key')
  assert.equal(
    faultsOfNewKey(demoted, { mode: 'live', scopes: ['users:manage'] }).length,
    1,
    'a scope the role lost is not held',
  )
})

test('a test key makes and sees test keys only; a person in test mode may log in live as well', () => {
  const key = maker('Admin', null, 'key', 'test')
  assert.deepEqual(
    faultsOfNewKey(key, { mode: 'live', scopes: null }).map(fault => fault.field),
    ['mode'],
  )
  assert.deepEqual(faultsOfNewKey(key, { mode: 'test', scopes: null }), [])
  assert.deepEqual(faultsOfNewKey(maker('Admin', null, 'user', 'test'), { mode: 'live', scopes: null }), [])
  assert.deepEqual(reachOf(key), { userId: null, mode: 'test' })
  assert.deepEqual(reachOf(maker('Admin', null, 'user', 'test')), { userId: null, mode: null })
  assert.deepEqual(reachOf(maker('Sales Manager')), { userId: 7, mode: null })
})

test('rotating hands out a secret, so a key rotates no stronger one, and none of another user without all rights', () => {
  const key = maker('Admin', ['keys:manage', 'leads:read'], 'key')
  const own = (scopes: string[] | null) => ({ scopes, user_id: 7 })
  assert.equal(mayRotate(key, own(null)), false)
  assert.equal(mayRotate(key, own(['leads:read', 'leads:create'])), false)
  assert.equal(mayRotate(key, own(['leads:read'])), true)
  assert.equal(mayRotate(key, own(['keys:manage', 'leads:read'])), true)
  assert.equal(mayRotate(key, { scopes: ['leads:read'], user_id: 8 }), false)
  assert.equal(mayRotate(maker('Sales Manager'), own(null)), true)
  assert.equal(mayRotate(maker('Admin', null, 'key'), { scopes: null, user_id: 8 }), true)
})

test('a child lives no longer than its maker; who never ends may make what never ends', () => {
  const ends = (expires_at: string | null, revoked_at: string | null) => endOf({ expires_at, revoked_at })
  assert.equal(ends(null, null), null)
  assert.equal(ends('2026-11-21T09:00:00.000Z', '2026-11-21T08:00:00.000Z'), Date.parse('2026-11-21T08:00:00.000Z'))
  for (const [child, parent, longer] of [
    [null, null, false],
    [5, null, false],
    [null, 5, true],
    [6, 5, true],
    [5, 5, false],
  ] as const) {
    assert.equal(outlives(child, parent), longer, `${child} of ${parent}`)
  }
})

test('a token ends with its quarter of an hour or with its key, at a whole second', () => {
  const now = Date.parse('2026-11-21T08:44:00.900Z')
  const at = (expires_at: string | null, revoked_at: string | null) =>
    new Date(tokenExpiry({ expires_at, revoked_at }, 900, now)).toISOString()
  assert.equal(at(null, null), '2026-11-21T08:59:00.000Z')
  assert.equal(at('2026-11-21T09:00:00.000Z', null), '2026-11-21T08:59:00.000Z')
  assert.equal(at('2026-11-21T08:50:00.500Z', null), '2026-11-21T08:50:00.000Z')
  assert.equal(at('2026-11-21T08:50:00.500Z', '2026-11-21T08:45:30.000Z'), '2026-11-21T08:45:30.000Z')
})
