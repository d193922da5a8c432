// What is called by what was typed, and what is taken for a number.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calledBy, looksDialled } from './words.ts'

test('an e-mail address calls a colleague; numbers and addresses are called as they are', () => {
  assert.equal(calledBy(' ada@example.com '), 'client:ada@example.com')
  for (const to of ['+49 30 123456', 'sip:desk@pbx.example.com', 'client:ada@example.com'])
    assert.equal(calledBy(to), to)
})

test('a number to call is distinguished from words and ids', () => {
  for (const text of ['+1 500 555 0208', '030/123-456', '(555) 010-0001']) assert.ok(looksDialled(text), text)
  for (const text of ['', '404', 'call 12345678', 'msg_0123456789', '+1 500']) assert.ok(!looksDialled(text), text)
})
