// Guards: what PostgreSQL could not read again goes, in values and names, and nothing else changes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { storableJson } from './storable_json.ts'

test('halves of pairs and NULs go; whole pairs, and texts that only look like escapes, stay', () => {
  const value = { name: 'Ada\ud83d', 'k\udc00': ['a\0b', '😀', '\\ud83d', '\\\0', '\n'] }
  assert.deepEqual(JSON.parse(storableJson(value)), {
    name: 'Ada\ufffd',
    'k\ufffd': ['ab', '😀', '\\ud83d', '\\', '\n'],
  })
})

test('any text stays as it is, but for these', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (wild, tame) => {
      assert.deepEqual(JSON.parse(storableJson({ wild, tame })), {
        wild: wild.toWellFormed().replaceAll('\0', ''),
        tame: tame.toWellFormed().replaceAll('\0', ''),
      })
    }),
  )
})
