// Addresses are read as people paste them.
import assert from 'node:assert/strict'
import test from 'node:test'
import { addressesOf } from './addresses.ts'

test('addresses are found between commas, spaces and lines, beside names, each once', () => {
  assert.deepEqual(addressesOf(' '), [])
  assert.deepEqual(addressesOf('a@x.example, b@x.example;c@x.example\nd@x.example'), [
    'a@x.example',
    'b@x.example',
    'c@x.example',
    'd@x.example',
  ])
  assert.deepEqual(addressesOf('Ada Park <ada@x.example>, "Bob, the second" <bob@x.example>\ncarol@x.example'), [
    'ada@x.example',
    'bob@x.example',
    'carol@x.example',
  ])
  assert.deepEqual(addressesOf('Ada@x.example ada@X.example'), ['ada@X.example'])
  assert.deepEqual(addressesOf('not an address'), ['not', 'an', 'address'])
})
