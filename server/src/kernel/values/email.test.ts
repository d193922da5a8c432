// E-mail addresses: what is one, in any script, and how it is stored.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { accountEmail, cleanEmail, isEmail } from './email.ts'

const good = [
  'ada@example.com',
  "o'hara+crm@mail.example.co.uk",
  '  padded@example.com\t',
  'иван@почта.рф',
  'zoë@example.com',
  'zoe@münchen.example',
  'zoe@xn--mnchen-3ya.example',
  '用户@例子.广告',
  'संपर्क@डाटामेल.भारत',
]
const bad = [
  '',
  ' ',
  'ada',
  'ada@',
  '@example.com',
  'ada@example',
  'ada@@example.com',
  'ada lovelace@example.com',
  'ada\u00a0lovelace@example.com',
  'ada\u200blovelace@example.com',
  '.ada@example.com',
  'ada.@example.com',
  'a..b@example.com',
  '"ada"@example.com',
  'ada@[127.0.0.1]',
  'ada@-example.com',
  'ada@exa mple.com',
  'zoe@münchen..example',
  'zoe@mün/chen.example',
  'zoe@mün\u200bchen.example',
  'Zoë <zoe@example.com>',
]

test('addresses of any script are taken, what is none is not', () => {
  for (const text of good) assert.ok(isEmail(text), text)
  for (const text of bad) assert.ok(!isEmail(text), text)
})

test('an address has at most 254 octets, of which letters beyond ASCII take more than one', () => {
  const domain = '@example.com'
  assert.ok(isEmail(`${'a'.repeat(254 - domain.length)}${domain}`))
  assert.ok(!isEmail(`${'a'.repeat(255 - domain.length)}${domain}`))
  assert.ok(!isEmail(`${'я'.repeat(122)}${domain}`))
})

test('ASCII addresses are what they were: letters stay, in accounts too', () => {
  assert.equal(cleanEmail(' Grace.Hopper@Example.com '), 'Grace.Hopper@Example.com')
  assert.equal(accountEmail(' Grace.Hopper@Example.com '), 'Grace.Hopper@Example.com')
  assert.equal(accountEmail('ИВАН@почта.РФ'), 'иван@почта.рф')
})

test('property: cleaning twice is cleaning once, and changes no verdict', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.emailAddress()), text => {
      assert.equal(cleanEmail(cleanEmail(text)), cleanEmail(text))
      assert.equal(isEmail(cleanEmail(text)), isEmail(text))
      assert.equal(accountEmail(accountEmail(text)), accountEmail(text))
    }),
  )
})
