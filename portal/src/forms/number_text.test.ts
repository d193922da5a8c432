// What people type for a number, read without ever moving its decimal point: separators that can be read in one way only are
// understood, and a number that can be read in two ways is refused with how to write it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import '../../test/words.ts'
import { creationOf, emptyValues, newLine, refuseUnclearFigures } from '../invoices/invoice_values.ts'
import { companies } from '../nouns/described/companies.generated.ts'
import { draftsOf, formFields, refuseUnclearDrafts } from '../nouns/drafts.ts'
import { changeOf, typedOf } from '../security/policy.ts'
import { FieldFaults, faultsOf } from './faults.ts'
import { clearText, decimalText, unclearNumber, wholeOrNull } from './number_text.ts'

test('a number with clear separators is understood', () => {
  const clear: readonly (readonly [typed: string, number: string])[] = [
    ['1500', '1500'],
    ['12,5', '12.5'],
    ['12.50', '12.50'],
    ['1,234.50', '1234.50'],
    ['1.234,50', '1234.50'],
    ['1,234,567', '1234567'],
    ['1.234.567', '1234567'],
    ['12,34,567.8', '1234567.8'],
    ["1'500.25", '1500.25'],
    ['1 500', '1500'],
    ['1\u202f500,250', '1500.250'],
    ['-1,234.5', '-1234.5'],
    ['0,125', '0.125'],
    ['1500,125', '1500.125'],
    ['.5', '0.5'],
  ]
  for (const [typed, number] of clear) {
    assert.equal(decimalText(typed, 2), number, typed)
    assert.equal(unclearNumber(typed, 2), undefined, typed)
  }
  for (const typed of ['', 'much', '1,2,3', '1.23.456', '12,34.5', '1e5', '5.'])
    assert.equal(decimalText(typed, 2), typed)
})

test('a single separator before three digits is refused with how to write it, unless only one reading is left', () => {
  assert.equal(unclearNumber('1,500', 2), 'This can be read in two ways. Write 1500 or 1.50.')
  assert.equal(unclearNumber('1.500', 2), 'This can be read in two ways. Write 1500 or 1.50.')
  assert.equal(unclearNumber('-12,345', 6), 'This can be read in two ways. Write -12345 or -12.3450.')
  assert.equal(unclearNumber('1.234', 6), undefined, 'an English decimal point, where three decimals are taken')
  assert.equal(decimalText('1.234', 6), '1.234')
  assert.equal(decimalText('1,500', 0), '1500', 'nothing but thousands where no decimals are taken')
  assert.equal(clearText('1.234', 2), '1.2340')
})

test('what is taken is never off by a factor of a thousand: plain figures keep their value', () => {
  const plain = fc.tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: 0, max: 99 }))
  fc.assert(
    fc.property(plain, ([whole, cents]) => {
      const text = `${whole}.${String(cents).padStart(2, '0')}`
      assert.equal(Number(decimalText(text, 2)), Number(text))
      for (const locale of ['en', 'de']) {
        const grouped = Number(text).toLocaleString(locale, { minimumFractionDigits: 2 })
        assert.equal(Number(decimalText(grouped, 2)), Number(text), grouped)
      }
    }),
  )
})

test('a whole number is a number, nothing is null, and what is no number is sent as it is', () => {
  assert.deepEqual(['365', ' 1,095 ', '1.095', '', ' '].map(wholeOrNull), [365, 1095, 1095, null, null])
  assert.equal(JSON.stringify(wholeOrNull('a year')), '"a year"')
  assert.equal(JSON.stringify(wholeOrNull('-')), '"-"')
})

test('the policy of logins takes no word for no limit', () => {
  const policy = {
    requireSecondFactor: false,
    trustDeviceDays: 30,
    sessionIdleMinutes: 20160,
    sessionMaxHours: 2160,
    allowedAddresses: [],
    magicLink: false,
    passwordMin: null,
    apiKeysMaxDays: 90,
  }
  const change = (typed: string) => JSON.stringify(changeOf(policy, { ...typedOf(policy), apiKeysMaxDays: typed }))
  assert.deepEqual(['a year', '', '365', '90'].map(change), [
    '{"apiKeysMaxDays":"a year"}',
    '{"apiKeysMaxDays":null}',
    '{"apiKeysMaxDays":365}',
    '{}',
  ])
})

test('an invoice and a company say beside the field which number is unclear', () => {
  const line = { ...newLine(0), quantity: '1,500', unit_price: '2.50' }
  assert.throws(
    () => refuseUnclearFigures({ ...emptyValues, lines: [newLine(1), line] }),
    error => error instanceof FieldFaults && Object.keys(error.fields).join() === 'lines[1].quantity',
  )
  assert.throws(() => refuseUnclearFigures({ ...emptyValues, basis: 'amount', amount: '1.500' }), FieldFaults)
  const amount = (currency: string) => ({ ...emptyValues, basis: 'amount' as const, amount: '1,500', currency })
  refuseUnclearFigures(amount('jpy'))
  assert.equal('amount' in creationOf(amount('jpy')) && creationOf(amount('jpy')).amount, '1500')
  const drafts = { ...draftsOf(companies), annual_revenue: { amount: '1,500', currency: '' } }
  assert.throws(
    () => refuseUnclearDrafts(formFields(companies), drafts),
    error => faultsOf(error, []).fields['annual_revenue'] !== undefined,
  )
})
