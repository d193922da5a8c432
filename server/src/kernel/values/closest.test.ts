// Mistyped names and what was meant.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closest } from './closest.ts'

const names = ['start', 'migrate', 'reset-password', 'organization', 'doctor', 'backup']

test('a mistyped name leads to the one that was meant', () => {
  const cases: [string, string | undefined][] = [
    ['strat', 'start'],
    ['START', 'start'],
    ['docter', 'doctor'],
    ['migrte', 'migrate'],
    ['orgnaisation', 'organization'],
    ['organisation', 'organization'],
    ['reset-pasword', 'reset-password'],
    ['org', 'organization'],
    ['backpu', 'backup'],
    ['x', undefined],
    ['', undefined],
    ['frobnicate', undefined],
  ]
  for (const [word, meant] of cases) assert.equal(closest(word, names), meant, word)
  assert.equal(closest('re', ['reset', 'restore']), undefined, 'two begin with it')
})
