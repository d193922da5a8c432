// A template takes the place of nothing that was typed, and of two quick choices the latest counts.
// Of words alone: who chooses, and where, is in the composers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLatest, withWords } from './template_words.ts'

const words = { subject: 'Your appointment', text: 'Dear Ada,\n\nsee you soon.' }

test('an empty mail begins with the words of the template', () => {
  assert.deepEqual(withWords({ subject: '', text: ' ' }, words), words)
})

test('what was typed stays, with the words at the caret', () => {
  const typed = { subject: 'Monday', text: 'Hello Ada. Best wishes' }
  assert.deepEqual(withWords(typed, { ...words, text: 'See you.' }, undefined, 11), {
    subject: 'Monday',
    text: 'Hello Ada.\n\nSee you.\n\nBest wishes',
  })
  assert.equal(withWords(typed, { ...words, text: 'See you.' }).text, 'Hello Ada. Best wishes\n\nSee you.')
})

test('another template takes the place of the one before, unless that was changed', () => {
  const other = { subject: 'Reminder', text: 'Tomorrow.' }
  assert.deepEqual(withWords(words, other, words), other)
  const changed = { ...words, text: `${words.text} Bring tea.` }
  assert.deepEqual(withWords(changed, other, words), { subject: 'Reminder', text: `${changed.text}\n\nTomorrow.` })
})

test('only the latest of several choices counts', () => {
  const choices = createLatest()
  const [first, second] = [choices.begin(), choices.begin()]
  assert.deepEqual([first, second].map(choices.isLatest), [false, true])
})
