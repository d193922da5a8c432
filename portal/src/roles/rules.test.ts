// What the form of a role offers and sends, held against the rules of the server, and that every permission has its place in words.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rights } from '../users/rights.generated.ts'
import type { RoleRecord, Vocabulary } from './data.ts'
import { copyOf, differenceOf, heldIn, leftOut, type RoleDraft, whyNot } from './draft.ts'
import { groupsOf, verbOf, wordOf } from './groups.ts'
import { mayGive } from './may_give.ts'
import '../../test/words.ts'

const entry = (permission: string, more: Partial<Vocabulary[number]> = {}) =>
  ({ permission, allows: '', assignable: 'all', needsAllRows: false, always: false, ...more }) as Vocabulary[number]
const vocabulary = [
  entry('profile:read', { always: true }),
  entry('leads:read'),
  entry('webhooks:manage', { needsAllRows: true }),
  entry('security:manage', { assignable: 'admin' }),
  entry('organization:delete', { assignable: 'never' }),
]
const all = new Set<string>(vocabulary.map(({ permission }) => permission))
const draft = (more: Partial<RoleDraft> = {}): RoleDraft => ({
  ...{ name: 'Lead', description: '', base: 'Sales Manager', permissions: [...all], rows: { leads: 'all' } },
  ...more,
})

test('what a role cannot hold is left out, and comes back when it can', () => {
  assert.deepEqual(heldIn(draft(), vocabulary, all), ['profile:read', 'leads:read', 'webhooks:manage'])
  const partly = draft({ rows: { leads: 'team' } })
  assert.deepEqual(heldIn(partly, vocabulary, all), ['profile:read', 'leads:read'])
  assert.deepEqual(
    leftOut(partly, vocabulary, all).map(({ permission }) => permission),
    ['webhooks:manage', 'security:manage', 'organization:delete'],
  )
  assert.ok(heldIn(draft({ base: 'Admin' }), vocabulary, all).includes('security:manage'))
  assert.deepEqual(heldIn(draft({ permissions: [] }), vocabulary, all), ['profile:read'])
})

test('nobody is offered what they do not hold themselves', () => {
  const held = new Set(['profile:read'])
  const rows = { leads: 'all' } as const
  assert.match(String(whyNot(vocabulary[1]!, { base: 'Admin', rows, held })), /yourself/)
  assert.equal(whyNot(vocabulary[1]!, { base: 'Admin', rows, held: all }), undefined)
  assert.equal(mayGive({ permissions: ['profile:read'] }, held), true)
  assert.equal(mayGive({ permissions: ['leads:read'] }, held), false)
})

const role = (more: object) =>
  ({
    ...{ name: 'Deputy', description: '', base: 'Admin', permissions: ['leads:read'], rows: { leads: 'all' } },
    ...more,
  }) as unknown as RoleRecord

test('a copy has a name that is free', () => {
  assert.equal(copyOf(role({}), ['Deputy']).name, 'Copy of Deputy')
  assert.equal(copyOf(role({}), ['copy of deputy', 'Copy of Deputy 2']).name, 'Copy of Deputy 3')
})

test('two roles are compared by what they may do and whose records they see', () => {
  const other = role({ permissions: ['tags:read'], rows: { leads: 'own' } })
  assert.deepEqual(differenceOf(role({}), other), {
    onlyOne: ['leads:read'],
    onlyOther: ['tags:read'],
    rows: [{ kind: 'leads', one: 'all', other: 'own' }],
  })
  assert.deepEqual(differenceOf(other, other), { onlyOne: [], onlyOther: [], rows: [] })
})

test('every permission of the server is in a group that says in words what it is about', () => {
  const nameless = rights.map(({ permission }) => permission.split(':')[0]!).filter(one => wordOf(one) === undefined)
  assert.deepEqual(nameless, [], 'name them in groups.ts')
  const grouped = groupsOf(rights).flatMap(({ subjects }) => subjects.flatMap(({ entries }) => entries))
  assert.equal(grouped.length, rights.length)
  assert.equal(verbOf('leads:read'), 'See')
  assert.deepEqual(
    groupsOf([{ permission: 'new_things:read' }]).map(({ area, subjects }) => [area, subjects[0]?.name]),
    [['Everything else', 'New things']],
  )
})
