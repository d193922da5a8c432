// What nouns declare becomes one vocabulary, in which each name stands once; names that nobody declares do not compile.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nouns } from '../../nouns.ts'
import { kernelProblems } from './kernel_problems.ts'
import { declareNoun, type EventType, type Permission, problem } from './noun.ts'
import { Problem, type ProblemCode } from './problem.ts'
import { gather, gatherNouns } from './vocabulary.ts'

const gone = problem(409, 'Gone', 'It is gone.', 'Make another.')
const kite = declareNoun({
  permissions: {
    'kites:read': { allows: 'Read kites.', roles: ['Sales Executive'] },
    'kites:manage': { allows: 'Change kites.', roles: [] },
  },
  events: { readWith: 'kites:read', types: { 'kite.created': 'A kite was made.' } },
  problems: { kite_gone: gone },
})

test('what a noun declares is part of the vocabulary; an Admin holds all of it', () => {
  const { permissions, rolePermissions, eventTypes, eventReaders, problems } = gather({ kite })
  assert.deepEqual(permissions, { 'kites:read': 'Read kites.', 'kites:manage': 'Change kites.' })
  assert.deepEqual([...rolePermissions['Admin']], ['kites:read', 'kites:manage'])
  assert.deepEqual([...rolePermissions['Sales Executive']], ['kites:read'])
  assert.deepEqual([...rolePermissions['Finance Manager']], [])
  assert.deepEqual(eventTypes, { 'kite.created': 'A kite was made.' })
  assert.deepEqual([...eventReaders], [['kite', 'kites:read']])
  assert.deepEqual(problems, { ...kernelProblems, kite_gone: gone })
})

test('nothing is declared twice, also not what the kernel has', () => {
  const again = (facts: Parameters<typeof declareNoun>[0]) => () => gather({ kite, other: facts })
  assert.throws(again({ problems: { kite_gone: gone } }), /problem kite_gone is declared by kite and by other/)
  assert.throws(again({ problems: { not_found: gone } }), /problem not_found is declared by the kernel and by other/)
  assert.throws(
    again({ permissions: { 'kites:read': { allows: '', roles: [] } } }),
    /permission kites:read is declared by kite/,
  )
  assert.throws(again({ events: { readWith: 'kites:read', types: { 'kite.created': '' } } }), /event type kite.created/)
  assert.throws(again({ events: { readWith: 'kits:read', types: {} } }), /kits:read, which no noun declares/)
})

test('names that nobody declares do not compile', () => {
  // @ts-expect-error: a misspelt permission
  const permission: Permission = 'lead:read'
  // @ts-expect-error: a misspelt event type
  const type: EventType = 'lead.create'
  // @ts-expect-error: a misspelt problem
  const code: ProblemCode = 'leads_not_found'
  const { invoice: _, ...rest } = nouns
  // @ts-expect-error: a noun that is left out
  assert.ok(!('invoice_locked' in gatherNouns(rest).problems))
  assert.deepEqual([permission, type, code], ['lead:read', 'lead.create', 'leads_not_found'])
})

test('a problem of a noun says its cause and its fix', () => {
  const { message, entry } = new Problem('invoice_has_payments')
  assert.deepEqual([entry.status, message], [409, `${entry.cause} ${entry.fix}`])
})
