// Which settings are found by what a person types: beginnings of words, wherever in the description they stand, and
// words that say the same.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Findable, matching } from './matching.ts'

const setting = (name: string, rest: Partial<Findable>): Findable => ({
  name,
  ...{ hint: '', group: 'People', words: '' },
  ...rest,
})
const all = [
  setting('Account', { hint: 'Name, password, sessions', group: 'You' }),
  setting('Security', { hint: 'What logins need', words: 'password policy two-factor' }),
  setting('Teams', {}),
]
const namesFor = (typed: string) => matching(all, typed).map(({ name }) => name)

test('a setting is found by the beginnings of words of its name, description, group and synonyms', () => {
  assert.deepEqual(namesFor(''), ['Account', 'Security', 'Teams'])
  assert.deepEqual(namesFor('pass'), ['Account', 'Security'])
  assert.deepEqual(namesFor('FACTOR pass'), ['Security'])
  assert.deepEqual(namesFor('people'), ['Security', 'Teams'])
  assert.deepEqual(namesFor('word'), [], 'the middle of a word is no match')
})
