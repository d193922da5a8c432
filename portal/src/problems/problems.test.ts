// Problems and faults of fields by their codes: what there are words for, and what is left to the server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../test/words.ts'
import { faultWords } from './index.ts'

test('a problem is known by its code, unless it is newer than the page', () => {
  assert.equal(faultWords.problem('team_name_taken'), 'Name of a team in use')
  assert.equal(faultWords.problem('made_up'), undefined)
})

test('a fault of a field is a sentence of its own, or goes on with what the server says', () => {
  assert.equal(faultWords.field('not_found', 'Is no lead.'), 'It doesn’t exist, or you can’t see it.')
  assert.equal(faultWords.field('not_allowed', 'Must be another one.'), 'Not allowed. (Must be another one.)')
  assert.equal(faultWords.field('made_up', 'Is odd.'), undefined)
})
