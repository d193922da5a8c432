// Initials are those of the first and the last word, in any script; a name keeps its colour.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { initialsOf, personTones, toneOfName } from './initials_of.ts'

test('the first and the last word give their first letters', () => {
  for (const [name, initials] of [
    ['Grace Brewster Hopper', 'GH'],
    ['Northwind', 'N'],
    ['  José   Álvarez ', 'JÁ'],
    ['ليلى حداد', 'لح'],
    ['王小明', '王'],
    ['𝒜da Lovelace', '𝒜L'],
    ['(Ms) Ada "Countess" Lovelace', 'ML'],
    ['ada.l@example.com', 'a'],
    ['', '?'],
    ['—', '?'],
  ] as const)
    assert.equal(initialsOf(name), initials, name)
})

test('a name has one colour, however it is spaced and capitalized, and names share them out', () => {
  assert.equal(toneOfName('Grace Hopper'), toneOfName(' grace hopper '))
  const tones = Array.from({ length: 200 }, (_, at) => toneOfName(`Person ${at}`))
  assert.deepEqual(
    [...new Set(tones)].toSorted(),
    Array.from({ length: personTones }, (_, at) => at + 1),
  )
})
