// What a person is known by, in every spelling in which it stands somewhere; and that others are not mistaken for them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { holdPattern, personPattern } from './pattern.ts'

const ada = { names: ['Zoë Quillfeather'], emails: ['zoe.q@mail.example'], phones: ['+442079460018'] }
const finds = (text: string, pattern = personPattern(ada) as string) => new RegExp(pattern, 'i').test(text)

test('an address is found in every usual spelling, also within addresses of pages', () => {
  for (const text of [
    'zoe.q@mail.example',
    'Write to ZOE.Q@mail.example.',
    '?q=zoe.q%40mail.example',
    '?to%3Dzoe.q%40mail.example',
    '{"email":"zoe.q@mail.example"}',
    '+442079460018',
    '?phone=%2B442079460018',
    '?phone=%20442079460018',
    '00442079460018',
    '+44 20 7946 0018',
    '020 7946 0018',
    '(020) 7946-0018',
    'sip:+442079460018@carrier.example',
    '"Zoë Quillfeather"',
    'zoe quillfeather',
    'Quillfeather, Zoë',
    '?q=Zoe+Quillfeather',
    '?q=Zoe%20Quillfeather',
  ])
    assert.ok(finds(text), text)
})

test('others are not mistaken for them', () => {
  for (const text of [
    'anzoe.q@mail.example',
    'zoe.q@mail.example.org',
    'zoe.q@mailXexample',
    '+4420794600181',
    '9442079460018',
    'Zoë Quill',
    'Quillfeather',
    'Zoë Quillfeathers',
  ])
    assert.ok(!finds(text), text)
})

test('a single word names nobody, and nothing at all is no pattern', () => {
  assert.equal(personPattern({ names: ['Ada'], emails: [], phones: [] }), undefined)
  assert.equal(finds('a+b@x.example', personPattern({ names: [], emails: ['a+b@x.example'], phones: [] })), true)
})

test('a hold knows records by their ids, and no part of an id', () => {
  const pattern = holdPattern({ ...ada }, ['lead:17', 'con_01k9r7d3w2v8e6q4n5m1b0c9xz'])
  assert.ok(finds('about lead:17', pattern))
  assert.ok(!finds('about lead:170', pattern))
  assert.ok(finds('"con_01k9r7d3w2v8e6q4n5m1b0c9xz"', pattern))
})
