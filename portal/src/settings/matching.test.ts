// Which settings are found by what a person types: beginnings of words, wherever in the description they stand, and
// words that say the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ScreenEntry } from '../navigation/screen.ts'
import { matching } from './matching.ts'

const screen = (id: string, rest: Partial<ScreenEntry>): ScreenEntry => ({
  id,
  path: `/${id}`,
  name: id,
  setting: 'People',
  load: () => Promise.reject(new Error('not shown')),
  ...rest,
})
const all = [
  screen('Account', { hint: 'Name, password, sessions', setting: 'You' }),
  screen('Security', { hint: 'What logins need', words: 'password policy two-factor' }),
  screen('Teams', {}),
]
const namesFor = (typed: string) => matching(all, typed).map(({ id }) => id)

test('a setting is found by the beginnings of words of its name, description, group and synonyms', () => {
  assert.deepEqual(namesFor(''), ['Account', 'Security', 'Teams'])
  assert.deepEqual(namesFor('pass'), ['Account', 'Security'])
  assert.deepEqual(namesFor('FACTOR pass'), ['Security'])
  assert.deepEqual(namesFor('people'), ['Security', 'Teams'])
  assert.deepEqual(namesFor('word'), [], 'the middle of a word is no match')
})
