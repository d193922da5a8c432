// How telephone numbers are written, held against libphonenumber for an example of every country.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CountryCode, getCountries, getExampleNumber, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import examples from 'libphonenumber-js/mobile/examples'
import { phoneFormats } from './phone_formats.generated.ts'
import { phoneText as textOf } from './phone_text.ts'

const phoneText = (number: string, country: string | null) => textOf(number, country, phoneFormats)

test('numbers of every country are written as libphonenumber writes them, at home and abroad', () => {
  const wrong: string[] = []
  const known = getCountries().flatMap(country => getExampleNumber(country as CountryCode, examples) ?? [])
  const more = ['+16125550196', '+442079460018', '+4930123456', '+390612345678', '+80012345678', '+5491123456789']
  const numbers = [...known, ...more.flatMap(text => parsePhoneNumberFromString(text) ?? [])]
  for (const number of numbers) {
    const home = number.country ?? null
    if (home !== null && phoneText(number.number, home) !== number.formatNational())
      wrong.push(`${number.number} at home: ${phoneText(number.number, home)}, not ${number.formatNational()}`)
    if (phoneText(number.number, null) !== number.formatInternational())
      wrong.push(`${number.number} abroad: ${phoneText(number.number, null)}, not ${number.formatInternational()}`)
  }
  assert.ok(numbers.length > 240)
  assert.deepEqual(wrong, [])
})

test('the national form is for numbers of the own country, and of those that share its calling code', () => {
  assert.equal(phoneText('+16125550196', 'US'), '(612) 555-0196')
  assert.equal(phoneText('+14165550123', 'US'), '(416) 555-0123', 'Canada')
  assert.equal(phoneText('+16125550196', 'DE'), '+1 612 555 0196')
  assert.equal(phoneText('+4930123456', 'DE'), '030 123456')
  assert.equal(phoneText('+4930123456', null), '+49 30 123456')
})

test('until the groups are there a number stands as it is', () =>
  assert.equal(textOf('+16125550196', 'US'), '+16125550196'))

test('the simulator has no country, and what is no number stays as it is', () => {
  assert.equal(phoneText('+15005550100', 'US'), '+1 500 555 0100')
  for (const text of ['TANDEM', '12345', '+1', '', 'client:avery@example.com', '+99912345678'])
    assert.equal(phoneText(text, 'US'), text)
})
