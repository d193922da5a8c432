// Codes by time, against the vectors of the standards.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base32, fromBase32, hotp, stepAt, stepOf, totpUri } from './totp.ts'

const secret = Buffer.from('12345678901234567890')

test('RFC 4226, appendix D', () => {
  const wanted = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871', '520489']
  assert.deepEqual(
    wanted.map((_, counter) => hotp(secret, counter)),
    wanted,
  )
})

test('RFC 6238, appendix B, cut to six digits', () => {
  for (const [seconds, code] of [
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ] as const)
    assert.equal(hotp(secret, stepAt(seconds * 1_000)), code, String(seconds))
})

test('the step before and after are taken, and no others', () => {
  const nowMs = 1_234_567_890_000
  const now = stepAt(nowMs)
  for (const away of [-1, 0, 1]) assert.equal(stepOf(secret, hotp(secret, now + away), nowMs), now + away)
  for (const away of [-2, 2]) assert.equal(stepOf(secret, hotp(secret, now + away), nowMs), undefined)
  assert.equal(stepOf(secret, '', nowMs), undefined)
})

test('base 32 of RFC 4648, §10, there and back', () => {
  for (const [text, encoded] of [
    ['', ''],
    ['f', 'MY'],
    ['fo', 'MZXQ'],
    ['foo', 'MZXW6'],
    ['foob', 'MZXW6YQ'],
    ['fooba', 'MZXW6YTB'],
    ['foobar', 'MZXW6YTBOI'],
  ] as const) {
    assert.equal(base32(Buffer.from(text)), encoded)
    assert.equal(fromBase32(encoded.toLowerCase()).toString(), text)
  }
})

test('names in the address of the QR code cannot break out of it', () => {
  const uri = new URL(totpUri({ issuer: 'A & B: ?', account: 'a@example.com', secret: 'MZXW6' }))
  assert.equal(uri.searchParams.get('issuer'), 'A & B: ?')
  assert.equal(uri.searchParams.get('secret'), 'MZXW6')
  assert.equal(uri.pathname.split('/').length, 2)
})
