// What is left of a draft after it was sent: nothing of what arrived, and all that was typed meanwhile.
// A template, too, changes nothing but the tab that is written in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Draft, withoutSent, withTemplate, withTyped } from './draft.ts'

const empty = { text: '', sender: '', subject: '', mail: '', note: '', mentioned: [], files: [], attached: [] }
const sent: Draft = { ...empty, tab: 'text', text: 'Yes', mail: 'A letter', subject: 'Re: Tea', note: 'He agrees' }

test('what was sent is cleared, in its tab only', () => {
  assert.deepEqual(withoutSent(sent, 'text', sent), { ...sent, text: '' })
  assert.deepEqual(withoutSent(sent, 'mail', sent), { ...sent, mail: '', subject: '' })
  assert.deepEqual(withoutSent(sent, 'note', sent), { ...sent, note: '' })
})

test('files that went with a mail are gone, and those that came meanwhile stay', () => {
  const [offer, terms] = [new File(['x'], 'offer.txt'), new File(['x'], 'terms.txt')]
  const before = { ...sent, attached: [offer] }
  assert.deepEqual(withoutSent({ ...before, attached: [offer, terms] }, 'mail', before).attached, [terms])
  assert.deepEqual(withTyped(before, { ...before, attached: [terms] }).attached, [offer, terms])
})

test('what was typed while it was sent stays', () => {
  const typed = { ...sent, text: 'Yes, and tomorrow?' }
  assert.deepEqual(withoutSent(typed, 'text', sent), typed)
  assert.deepEqual(withoutSent({ ...sent, subject: 'Re: Coffee' }, 'mail', sent).subject, 'Re: Coffee')
})

test('a template goes into the tab that is written in', () => {
  const next = (now: { subject: string; text: string }) => ({
    subject: `${now.subject}!`,
    text: `${now.text} and so on`,
  })
  assert.deepEqual(withTemplate(sent, 'text', next), { ...sent, text: 'Yes and so on' })
  assert.deepEqual(withTemplate(sent, 'mail', next), { ...sent, subject: 'Re: Tea!', mail: 'A letter and so on' })
})

test('what was typed in a conversation that becomes part of another one stands behind what was typed there', () => {
  const file = new File(['x'], 'offer.txt')
  const typed: Draft = { ...empty, tab: 'note', text: 'And a cake?', note: 'Ask them', files: [file] }
  const after = withTyped({ ...sent, note: ' ' }, typed)
  assert.deepEqual(after, { ...sent, tab: 'note', text: 'Yes\n\nAnd a cake?', note: 'Ask them', files: [file] })
})
