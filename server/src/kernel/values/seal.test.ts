// Sealed text: it opens where it was sealed, nowhere else, and shows nothing meanwhile.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { keyringOf } from './keyring.ts'
import { createSeal } from './seal.ts'

const secret = randomBytes(32)
const keyring = keyringOf(secret)

test('what was sealed opens in its place, also on another node with the same keyring', () => {
  const text = '{"secret":"tdm_live_é€𝄞"}'
  const sealed = createSeal(keyring, 'answers').close('7 key', text)
  assert.equal(createSeal(keyringOf(Buffer.from(secret)), 'answers').open('7 key', sealed), text)
  assert.ok(!sealed.includes('tdm_live'))
  assert.notEqual(
    createSeal(keyring, 'answers').close('7 key', text),
    sealed,
    'the same text is sealed differently each time',
  )
})

test('another place, purpose or keyring, an edited or cut text do not open', () => {
  const seal = createSeal(keyring, 'answers')
  const sealed = seal.close('7 key', 'secret')
  assert.throws(() => seal.open('8 key', sealed))
  assert.throws(() => createSeal(keyring, 'webhooks').open('7 key', sealed))
  assert.throws(() => createSeal(keyringOf(randomBytes(32)), 'answers').open('7 key', sealed))
  for (let at = 'sealed.1.'.length; at < sealed.length - 1; at++) {
    const other = sealed[at] === 'A' ? 'B' : 'A'
    assert.throws(() => seal.open('7 key', sealed.slice(0, at) + other + sealed.slice(at + 1)), `edited at ${at}`)
  }
  assert.throws(() => seal.open('7 key', sealed.slice(0, -1)))
  assert.throws(() => seal.open('7 key', 'sealed.1.'))
  assert.throws(() => seal.open('7 key', '{"plain":1}'))
})
