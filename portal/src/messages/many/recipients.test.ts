// Recipients out of typed lines and selected records, and the text that each of them gets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  linesOf,
  namelessOf,
  numberless,
  onceEach,
  recipientsIn,
  recipientsOf,
  textFor,
  unknownPlaceholders,
} from './recipients.ts'

test('lines, commas and columns of a spreadsheet are read', () => {
  const cases: [string, unknown][] = [
    ['', []],
    ['\n \n', []],
    ['+1 500 555 0100', [{ to: '+1 500 555 0100' }]],
    ['(500) 555-0100\r\n0049/30 1234.5', [{ to: '(500) 555-0100' }, { to: '0049/30 1234.5' }]],
    ['+15005550100, +15005550101;+15005550102', ['0', '1', '2'].map(n => ({ to: `+1500555010${n}` }))],
    ['+15005550100\tAda Lovelace', [{ to: '+15005550100', name: 'Ada Lovelace' }]],
    ['Ada Lovelace, +15005550100', [{ to: '+15005550100', name: 'Ada Lovelace' }]],
    ['Lovelace;Ada;+15005550100', [{ to: '+15005550100', name: 'Lovelace Ada' }]],
    [
      '+15005550100, Ada, +15005550101, Grace, Dr.',
      [
        { to: '+15005550100', name: 'Ada' },
        { to: '+15005550101', name: 'Grace Dr.' },
      ],
    ],
    // Nothing of what was typed is left out without a word.
    ['Ada', [{ to: 'Ada' }]],
    ['12', [{ to: '12' }]],
    ['Ada, Grace', [{ to: 'Ada, Grace' }]],
  ]
  for (const [text, expected] of cases) assert.deepEqual(recipientsIn(text), expected, text)
})

test('what cannot be a number is found', () => {
  const all = ['+1 500 555 0100', '12', 'Ada', `+${'1'.repeat(40)}`, '123'].map(to => ({ to }))
  assert.deepEqual(
    numberless(all).map(({ to }) => to),
    ['12', 'Ada', `+${'1'.repeat(40)}`],
  )
})

test('what is written as lines is read as it was', () => {
  const recipients = [{ to: '+15005550100', name: 'Ada Lovelace' }, { to: '+15005550101' }, { to: 'nobody' }]
  assert.deepEqual(recipientsIn(linesOf(recipients)), recipients)
})

test('each number is there once, however it is spelt', () => {
  const [first, second, other] = recipientsIn('+1 500 555 0100, Ada\n001-500-555-0100\n+1 500 555 0101')
  assert.deepEqual(onceEach([first!, second!, other!]), [first, other])
  assert.deepEqual(onceEach([{ to: 'x' }, { to: 'y' }, { to: 'x' }]), [{ to: 'x' }, { to: 'y' }])
})

test('names stand in their place, as they are; a placeholder that means nothing is found', () => {
  const body = 'Dear {{name}}, {{ name }}!'
  assert.equal(textFor(body, { to: '1', name: '$& Ada' }), 'Dear $& Ada, $& Ada!')
  assert.deepEqual(namelessOf(body, [{ to: '1', name: 'Ada' }, { to: '2' }]), [{ to: '2' }])
  assert.deepEqual(namelessOf('Hello', [{ to: '2' }]), [])
  assert.deepEqual(unknownPlaceholders('{{name}} {{company}} {{company}} {{}} {x}'), ['{{company}}', '{{}}'])
})

test('records give their main number; those without one are counted, those who have not agreed are known', () => {
  const record = (more: object) => ({ id: 1, ...more }) as never
  assert.deepEqual(
    recipientsOf([
      record({ name: 'Lead', phone: '+15005550100' }),
      record({ name: 'Nobody', phone: null }),
      record({
        name: 'Contact',
        phones: [{ value: '+15005550101' }, { value: '+15005550102', is_primary: true }],
        sms_consent: false,
      }),
      record({ name: 'Agreed', phones: [{ value: '+15005550103' }], sms_consent: true }),
      record({ name: 'None', phones: [] }),
    ]),
    {
      recipients: [
        { to: '+15005550100', name: 'Lead' },
        { to: '+15005550102', name: 'Contact' },
        { to: '+15005550103', name: 'Agreed' },
      ],
      unreachable: 2,
      unagreed: new Set(['+15005550102']),
    },
  )
})
