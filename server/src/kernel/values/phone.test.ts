// Guards: every usual spelling of a number gives one E.164 form; what is no number is refused rather than repaired;
// the fast check agrees with the full reading; the simulator's and the documentation's numbers pass.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { countryOf, isCountry, isE164, parsePhone } from './phone.ts'

const spellings: [input: string, country: string | undefined, number: string][] = [
  ['+442079460958', undefined, '+442079460958'],
  ['+44 20 7946 0958', undefined, '+442079460958'],
  ['+44-20-7946-0958', undefined, '+442079460958'],
  ['+44.20.7946.0958', undefined, '+442079460958'],
  ['+44/20/79460958', undefined, '+442079460958'],
  ['+44 (20) 7946 0958', undefined, '+442079460958'],
  ['+44 (0)20 7946 0958', undefined, '+442079460958'],
  ['+4402079460958', undefined, '+442079460958'],
  ['(+44) 20 7946 0958', undefined, '+442079460958'],
  ['0044 20 7946 0958', undefined, '+442079460958'],
  ['00 44 20 7946 0958', undefined, '+442079460958'],
  ['(00) 44 20 7946 0958', undefined, '+442079460958'],
  ['00442079460958', 'GB', '+442079460958'],
  ['00442079460958', 'US', '+442079460958'],
  ['011 44 20 7946 0958', 'US', '+442079460958'],
  ['0011 44 20 7946 0958', 'AU', '+442079460958'],
  ['010 44 20 7946 0958', 'JP', '+442079460958'],
  ['0044 20 7946 0958', 'JP', '+442079460958'],
  // Both readings are possible numbers; the default country's own prefix shows which is meant.
  ['0011 65 6123 4567', 'AU', '+6561234567'],
  ['0044 20 7946 0958', 'RU', '+442079460958'],
  ['0049 30 123456', 'AU', '+4930123456'],
  ['020 7946 0958', 'GB', '+442079460958'],
  ['(020) 7946 0958', 'GB', '+442079460958'],
  ['tel:+44-20-7946-0958', undefined, '+442079460958'],
  ['TEL:+442079460958', undefined, '+442079460958'],
  ['tel:20-7946-0958;phone-context=+44', undefined, '+442079460958'],
  ['tel:020-7946-0958;phone-context=example.com', 'GB', '+442079460958'],
  ['  +44 20 7946 0958\t\n', undefined, '+442079460958'],
  ['\u202a+44 20 7946 0958\u202c', undefined, '+442079460958'],
  ['+44\u00a020\u20117946\u20110958', undefined, '+442079460958'],
  ['＋４４　２０　７９４６　０９５８', undefined, '+442079460958'],
  ['０２０（７９４６）０９５８', 'GB', '+442079460958'],
  ['+٤٤٢٠٧٩٤٦٠٩٥٨', undefined, '+442079460958'],
  ['(201) 555-0123', 'US', '+12015550123'],
  ['1-201-555-0123', 'US', '+12015550123'],
  ['201.555.0123', 'CA', '+12015550123'],
  ['+39 06 1234 5678', undefined, '+390612345678'],
  ['06 12345678', 'IT', '+390612345678'],
  ['030 123456', 'DE', '+4930123456'],
  ['8 (912) 345-67-89', 'RU', '+79123456789'],
  ['011 15-2345-6789', 'AR', '+5491123456789'],
  ['+800 1234 5678', undefined, '+80012345678'],
  // The 1 that Mexico's mobile numbers had.
  ['+52 1 55 1234 5678', undefined, '+525512345678'],
  ['+52 1 55 1234 5678', 'MX', '+525512345678'],
  ['5215512345678', 'MX', '+525512345678'],
  ['+44 20 7946 0958', 'US', '+442079460958'],
]

test('every usual spelling gives the one E.164 form', () => {
  for (const [input, country, number] of spellings)
    assert.equal(parsePhone(input, country), number, `${input} (${country})`)
})

test('the numbers of the simulator and of documentation are numbers', () => {
  for (let i = 0; i < 10_000; i += 37) {
    const number = `+1500555${String(i).padStart(4, '0')}`
    assert.equal(isE164(number), true, number)
    assert.equal(parsePhone(number), number)
  }
  for (const number of [
    '+15550100001',
    '+15550100002',
    '+15551234567',
    '+442079460000',
    '+61491570156',
    '+33199000001',
  ])
    assert.equal(isE164(number), true, number)
  assert.equal(parsePhone('+1 555 010 0001'), '+15550100001')
  assert.equal(parsePhone('+1 500 555 0006'), '+15005550006')
})

test('what is no number is refused', () => {
  const none = [
    '',
    ' ',
    '+',
    '0',
    '00',
    '112',
    '+1',
    '+1234',
    '+123',
    'abc',
    '+1-800-FLOWERS',
    '++12015550123',
    '+0123456789',
  ]
  for (const input of [
    ...none,
    '+999123456789',
    '+2015550123456',
    '+1201555012',
    '+120155501234',
    '2015550123',
    '020 7946 0958',
  ])
    assert.equal(parsePhone(input), undefined, input)
  for (const input of [
    '+12015550123 ext 5',
    '+12015550123x5',
    '+12015550123;ext=5',
    'tel:+12015550123;ext=5',
    'call +12015550123',
  ])
    assert.equal(parsePhone(input), undefined, input)
  for (const input of [
    '+1 201 555 0123, +1 201 555 0124',
    '+1 201 555 0123 or 4',
    '+12015550123\u0000',
    '1'.repeat(5000),
  ])
    assert.equal(parsePhone(input), undefined, input.slice(0, 60))
  // 16 digits: a length that libphonenumber tolerates in some countries, and no E.164 number can have.
  assert.equal(parsePhone('+4912345678901234'), undefined)
  assert.equal(parsePhone('555 0123', 'US'), undefined)
  assert.equal(parsePhone('020 7946 0958', 'XX'), undefined)
})

test('isE164 refuses every other spelling', () => {
  for (const [input, , number] of spellings) assert.equal(isE164(input), input === number, input)
  for (const s of [
    '+442079460958\n',
    ' +442079460958',
    '442079460958',
    '+4402079460958',
    '+49030123456',
    '+1(201)5550123',
  ])
    assert.equal(isE164(s), false, s)
})

// International numbers over all calling codes, with the leading digits that trunk prefixes are made of.
const number = fc
  .tuple(
    fc.integer({ min: 1, max: 999 }),
    fc.constantFrom('', '0', '00', '8', '1', '06', '9', '15', '183'),
    fc.bigInt(0n, 10n ** 12n),
  )
  .map(([code, lead, rest]) => `+${code}${lead}${rest}`)

test('isE164 is true exactly of what a full reading leaves as it is', () => {
  let taken = 0
  fc.assert(
    fc.property(number, s => {
      const full = parsePhoneNumberFromString(s, { extract: false })
      const expected = full?.number === s && full.isPossible() && full.ext === undefined && s.length <= 16
      assert.equal(isE164(s), expected, s)
      if (expected) taken++
    }),
    { numRuns: 20_000 },
  )
  assert.ok(taken > 1000, 'the numbers drawn must be valid often enough for the test to count')
})

test('parsePhone gives E.164 or nothing, the same again from its own answer, and never throws', () => {
  const text = fc.oneof(
    number,
    fc.string({ unit: fc.constantFrom(...'0123456789+-. ()/;=etxl:abc０９＋\u202a') }),
    fc.string(),
  )
  fc.assert(
    fc.property(
      text,
      fc.constantFrom(undefined, 'US', 'DE', 'GB', 'BR', 'AR', 'JP', 'AU', 'IT', 'XX'),
      (input, country) => {
        const parsed = parsePhone(input, country)
        if (parsed === undefined) return
        assert.ok(isE164(parsed), `${input} gave ${parsed}`)
        assert.equal(parsePhone(parsed, country), parsed)
      },
    ),
    { numRuns: 5000 },
  )
})

test('punctuation between the digits changes nothing', () => {
  const separators = fc.array(fc.constantFrom('', '', ' ', '-', '.', '/'), { minLength: 12, maxLength: 12 })
  fc.assert(
    fc.property(separators, separators => {
      const spelled = [...'+442079460958'].map((c, i) => c + (i > 0 && i < 12 ? separators[i] : '')).join('')
      assert.equal(parsePhone(spelled), '+442079460958', spelled)
    }),
  )
})

test('the country of a number', () => {
  assert.equal(countryOf('+4930123456'), 'DE')
  assert.equal(countryOf('+12015550123'), 'US')
  assert.equal(countryOf('+16045550123'), 'CA')
  assert.equal(countryOf('+442079460958'), 'GB')
  assert.equal(countryOf('+15550100001'), undefined)
  assert.equal(countryOf('+80012345678'), undefined)
  assert.equal(countryOf('nonsense'), undefined)
  assert.equal(isCountry('DE'), true)
  for (const s of ['de', 'XX', '', '001', 'constructor']) assert.equal(isCountry(s), false, s)
})
