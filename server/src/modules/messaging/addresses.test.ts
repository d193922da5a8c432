// Senders are read as documented, and what is no address is refused by one problem, whichever field it stands in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../../kernel/values/problem.ts'
import { readAddress, readReceiver, readSender, recipientOf, senderOf } from './addresses.ts'

test('senders: numbers, short codes, sender ids', () => {
  const cases: [text: string, country: string | null, sender: string | undefined][] = [
    ['+1 500 555 0006', null, '+15005550006'],
    ['(500) 555-0006', 'US', '+15005550006'],
    ['(500) 555-0006', null, undefined],
    [' 12345 ', null, '12345'],
    ['123', null, '123'],
    ['12', null, undefined],
    ['12345678', 'DE', '12345678'],
    // Countries without a trunk prefix write their numbers so, and their short codes are shorter.
    ['22123456', 'NO', '+4722123456'],
    ['81234567', 'SG', '+6581234567'],
    ['5812345', 'IS', '+3545812345'],
    ['22123456', null, '22123456'],
    ['12345678', 'NO', '12345678'],
    ['26250', 'NO', '26250'],
    ['5552368', 'US', '5552368'],
    ['7861234', 'GB', '7861234'],
    ['ACME', null, 'ACME'],
    ['Fish & Chips', null, undefined],
    ['Fish&Chips', null, 'Fish&Chips'],
    ['A', null, 'A'],
    ['Größe', null, undefined],
    ['tel:+15005550006', null, '+15005550006'],
    ['', null, undefined],
    ['+0', null, undefined],
  ]
  for (const [text, country, sender] of cases) assert.equal(readSender(text, country), sender, text)
})

test('a sender has a kind, a number the country of its plan; texts come in to numbers and short codes', () => {
  assert.deepEqual(readAddress('+49 30 12345678', null), { kind: 'long_code', address: '+493012345678', country: 'DE' })
  assert.deepEqual(readAddress('12345', 'DE'), { kind: 'short_code', address: '12345', country: null })
  assert.deepEqual(readAddress('ACME', 'DE'), { kind: 'alphanumeric', address: 'ACME', country: null })
  assert.deepEqual(
    ['+493012345678', '12345', 'ACME'].map(text => readReceiver(text, null)),
    ['+493012345678', '12345', undefined],
  )
})

test('a refusal names code, field and remedy', () => {
  const refusal = (read: () => unknown) => {
    try {
      read()
    } catch (error) {
      assert.ok(error instanceof Problem)
      return [error.code, error.details?.[0]?.field, error.details?.[0]?.message]
    }
    return undefined
  }
  assert.equal(recipientOf('(500) 555-0006', 'US'), '+15005550006')
  assert.deepEqual(
    refusal(() => recipientOf('(500) 555-0006', null)),
    ['invalid_to_number', 'to', 'is not a telephone number; write a telephone number with + and country code'],
  )
  assert.deepEqual(
    refusal(() => recipientOf('ACME', 'DE', 'recipient')),
    ['invalid_to_number', 'recipient', 'is not a telephone number (read for DE)'],
  )
  assert.deepEqual(
    refusal(() => senderOf('Fish & Chips', 'DE')),
    ['invalid_from_number', 'from', 'is not a telephone number, short code or sender id (read for DE)'],
  )
})
