// Guards: ids are unique, ordered in time and well-formed; keys carry a true checksum and no biased character;
// a changed key is refused before any look-up.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  apiKeyPattern,
  hashApiKey,
  isId,
  lastFour,
  newApiKey,
  newId,
  parseApiKey,
  randomToken,
  timeOfId,
} from './ids.ts'
import { keyringOf } from './keyring.ts'

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const timeOf = (id: string) => [...id.slice(-26, -16)].reduce((ms, c) => ms * 32 + alphabet.indexOf(c), 0)
// Well after the present, so that these tests and the others of this file do not look like history to each other.
let later = Date.now() + 10 * 365 * 86_400_000
const laterMs = () => {
  later += 1_000_000
  return later
}

test('an id is its prefix and a lower-case ULID of its millisecond', () => {
  const ms = laterMs()
  const id = newId('msg', ms + 0.75)
  assert.match(id, /^msg_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
  assert.equal(timeOf(id), ms)
  assert.equal(timeOfId(id), ms)
  assert.equal(timeOfId(newId('call', 0)), 0)
  assert.equal(timeOf(newId('call', 0)), 0)
  assert.throws(() => newId('msg', -1), RangeError)
  assert.throws(() => newId('msg', 2 ** 48), RangeError)
  assert.throws(() => newId('msg', Number.NaN), RangeError)
})

test('ids increase strictly as text, within a millisecond, over many, and when the clock steps back a little', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -60_000, max: 10_000 }), { minLength: 2, maxLength: 50 }), steps => {
      let latest = laterMs()
      let before = newId('x', latest)
      for (const step of steps) {
        const id = newId('x', latest + step)
        latest = Math.max(latest, latest + step)
        assert.ok(id > before, `${id} after ${before}`)
        before = id
      }
    }),
    { numRuns: 50 },
  )
  const ms = laterMs()
  let before = newId('x', ms)
  // More than 2^20, so that the counter of the last four digits overflows into the others at least once.
  for (let i = 0; i < 1_100_000; i++) {
    const id = newId('x', ms)
    if (!(id > before)) assert.fail(`${id} after ${before}`)
    before = id
  }
  assert.equal(timeOf(before), ms)
  assert.ok(isId('x', before))
})

test('an instant more than a minute ago gives an id of that instant, and disturbs no order', () => {
  const ms = laterMs()
  const first = newId('x', ms)
  const old = new Set(Array.from({ length: 1000 }, () => newId('x', ms - 3_600_000)))
  assert.equal(old.size, 1000)
  for (const id of old) assert.equal(timeOf(id), ms - 3_600_000)
  assert.ok(newId('x', ms) > first)
})

test('isId takes ids of its prefix only', () => {
  const id = newId('msg')
  assert.ok(isId('msg', id))
  for (const s of [id.toUpperCase(), id.slice(0, -1), `${id}0`, id.replace('msg_', 'call_'), id.replace('_', '-'), ''])
    assert.equal(isId('msg', s), false, s)
  for (const c of ['i', 'l', 'o', 'u', 'A', '-', ' ', 'é']) assert.equal(isId('msg', id.slice(0, -1) + c), false, c)
  assert.equal(isId('msg', `msg_8${id.slice(5)}`), false, 'more than 48 bits of time')
  fc.assert(fc.property(fc.string(), s => !isId('msg', s)))
})

test('a key is well-formed, its checksum is the CRC-32 that scanners expect, and its mode is read back', () => {
  // Worked out with another CRC-32 (885441650 and 1407736507 in base62), as a scanner would.
  assert.deepEqual(parseApiKey(`tdm_live_${'0'.repeat(32)}0xvDow`), { mode: 'live' })
  assert.deepEqual(parseApiKey(`tdm_test_${'Az09'.repeat(8)}1XGiZX`), { mode: 'test' })
  for (const mode of ['live', 'test'] as const) {
    const key = newApiKey(mode)
    assert.match(key, apiKeyPattern)
    assert.equal(key.length, 47)
    assert.deepEqual(parseApiKey(key), { mode })
    assert.equal(lastFour(key), key.slice(43))
  }
  assert.match(`Authorization: Bearer ${newApiKey('live')}"`, apiKeyPattern)
})

test('a key with any one character changed, cut or added is refused', () => {
  const letters = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_- é')
  fc.assert(
    fc.property(fc.constantFrom('live', 'test'), fc.nat(46), letters, (mode, at, letter) => {
      const key = newApiKey(mode as 'live')
      const changed = key.slice(0, at) + letter + key.slice(at + 1)
      assert.equal(parseApiKey(changed) === undefined, changed !== key)
      assert.equal(parseApiKey(key.slice(0, at)), undefined)
      assert.equal(parseApiKey(key + letter), undefined)
    }),
    { numRuns: 1000 },
  )
  assert.equal(parseApiKey(''), undefined)
  assert.equal(parseApiKey(`tdm_live_${'0'.repeat(38)}`), undefined)
})

test('every base62 character is equally likely', () => {
  const seen = new Map<string, number>()
  const keys = 10_000
  for (let i = 0; i < keys; i++) for (const c of newApiKey('test').slice(9, 41)) seen.set(c, (seen.get(c) ?? 0) + 1)
  assert.equal(seen.size, 62)
  const expected = (keys * 32) / 62
  // A remainder of a byte would make 8 characters 22 % likelier; five standard deviations here are 7 %.
  for (const [c, n] of seen) assert.ok(Math.abs(n - expected) < expected * 0.08, `${c}: ${n} of about ${expected}`)
})

test('hashApiKey is HMAC-SHA-256, and another keyring gives another hash', () => {
  const key = newApiKey('live')
  const pepper = Buffer.alloc(32, 7)
  const keyring = keyringOf(pepper)
  assert.deepEqual(hashApiKey(keyring, key), createHmac('sha256', pepper).update(key, 'utf8').digest())
  assert.notDeepEqual(hashApiKey(keyring, key), hashApiKey(keyringOf(Buffer.alloc(32, 8)), key))
})

test('random tokens are base64url of the asked size and never repeat', () => {
  const tokens = new Set(Array.from({ length: 1000 }, () => randomToken(32)))
  assert.equal(tokens.size, 1000)
  for (const token of tokens) assert.match(token, /^[\w-]{43}$/)
})
