// Numbers as trunks want them, and back; where the caller id stands.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { callerIdForm, dialledForm, domainOf, e164From, fromDomainOf } from './numbers.ts'
import { numberFormats } from './settings.ts'

const form = (numberFormat: (typeof numberFormats)[number], numberCountry: string | null = null) => ({
  numberFormat,
  numberCountry,
})

describe('a called number', () => {
  const rows: [e164: string, form: ReturnType<typeof form>, expected: string][] = [
    ['+4930123456', form('e164'), '+4930123456'],
    ['+4930123456', form('digits'), '4930123456'],
    ['+4930123456', form('national', 'DE'), '030123456'],
    ['+442079460000', form('national', 'DE'), '00442079460000'],
    ['+12015550123', form('national', 'US'), '2015550123'],
    // Countries that share a code dial each other like themselves.
    ['+14165550123', form('national', 'US'), '4165550123'],
    ['+4930123456', form('national', 'US'), '0114930123456'],
    ['+390612345678', form('national', 'IT'), '0612345678'],
    ['+4930123456', form('national', 'RU'), '8104930123456'],
    ['+4930123456', form('national', 'BR'), '004930123456'],
    // No country, no national form.
    ['+4930123456', form('national'), '4930123456'],
    ['+4930123456', form('national', 'XX'), '4930123456'],
  ]
  for (const [e164, how, expected] of rows)
    test(`${e164} as ${how.numberFormat} ${how.numberCountry ?? ''} is ${expected}`, () =>
      assert.equal(dialledForm(e164, how), expected))
})

describe('a number that came in', () => {
  const rows: [user: string, form: ReturnType<typeof form>, expected: string | undefined][] = [
    ['+4930123456', form('e164'), '+4930123456'],
    ['4930123456', form('e164'), '+4930123456'],
    ['4930123456', form('digits'), '+4930123456'],
    ['030123456', form('national', 'DE'), '+4930123456'],
    ['004930123456', form('national', 'DE'), '+4930123456'],
    ['030123456', form('digits', 'DE'), '+4930123456'],
    ['030123456', form('e164', 'DE'), '+4930123456'],
    ['2015550123', form('national', 'US'), '+12015550123'],
    ['+49-30-123456', form('e164'), '+4930123456'],
    ['%2B4930123456', form('e164'), '+4930123456'],
    ['4930123456;npdi;rn=49', form('digits'), '+4930123456'],
    ['30123456;phone-context=+49', form('digits'), '+4930123456'],
    ['030123456', form('e164'), undefined],
    ['anonymous', form('e164'), undefined],
    ['', form('e164'), undefined],
    ['+', form('e164'), undefined],
    ['12', form('digits', 'DE'), undefined],
    ['%ff%fe', form('e164'), undefined],
  ]
  for (const [user, how, expected] of rows)
    test(`${user} in the form ${how.numberFormat} ${how.numberCountry ?? ''} is ${expected ?? 'none'}`, () =>
      assert.equal(e164From(user, how), expected))
})

test('a number survives the way out and back in', () => {
  const numbers = ['+4930123456', '+4915112345678', '+442079460000', '+12015550123', '+5511961234567', '+81312345678']
  const forms = fc.record({
    numberFormat: fc.constantFrom(...numberFormats),
    numberCountry: fc.constantFrom('DE', 'GB', 'US', 'BR', 'JP', 'FR'),
  })
  fc.assert(
    fc.property(fc.constantFrom(...numbers), forms, (number, how) => {
      assert.equal(e164From(dialledForm(number, how), how), number)
    }),
  )
})

test('what comes in is never taken for something it is not', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 30 }), fc.constantFrom(...numberFormats), (text, numberFormat) => {
      const number = e164From(text, { numberFormat, numberCountry: 'DE' })
      if (number !== undefined) assert.match(number, /^\+[1-9]\d{5,14}$/)
    }),
  )
})

describe('the caller id', () => {
  const settings = {
    ...form('e164'),
    callerIdIn: 'from' as const,
    username: 'account',
    fromUser: null,
    fromDomain: null,
    domain: null,
    host: 'sip.example.com',
  }
  const caller = { number: '+4930123456', name: 'Ann "the" Caller' }

  test('stands in From', () => {
    assert.deepEqual(callerIdForm(caller, settings), {
      from: { user: '+4930123456', host: 'sip.example.com', displayName: 'Ann "the" Caller' },
      headers: [],
    })
    const national = { ...settings, ...form('national', 'DE'), domain: 'example.com', fromDomain: 'from.example.com' }
    assert.deepEqual(callerIdForm(caller, national).from, {
      user: '030123456',
      host: 'from.example.com',
      displayName: 'Ann "the" Caller',
    })
  })

  test('is in another header, with the account in From where the carrier wants that', () => {
    const asserted = {
      ...settings,
      callerIdIn: 'p_asserted_identity' as const,
      fromUser: 'account',
      domain: 'd.example',
    }
    assert.deepEqual(callerIdForm(caller, asserted), {
      from: { user: 'account', host: 'd.example', displayName: 'Ann "the" Caller' },
      headers: [{ name: 'P-Asserted-Identity', value: '"Ann \\"the\\" Caller" <sip:+4930123456@d.example>' }],
    })
    const remote = { ...settings, callerIdIn: 'remote_party_id' as const }
    assert.deepEqual(callerIdForm({ ...caller, name: null }, remote), {
      from: { user: '+4930123456', host: 'sip.example.com', displayName: null },
      headers: [
        { name: 'Remote-Party-ID', value: '<sip:+4930123456@sip.example.com>;party=calling;privacy=off;screen=yes' },
      ],
    })
  })

  test('that is not to be shown is anonymous, and the account private', () => {
    const hidden = { number: null, name: 'Ann' }
    const anonymous = { user: 'anonymous', host: 'anonymous.invalid', displayName: 'Anonymous' }
    assert.deepEqual(callerIdForm(hidden, settings), { from: anonymous, headers: [{ name: 'Privacy', value: 'id' }] })
    const asserted = callerIdForm(hidden, { ...settings, callerIdIn: 'p_asserted_identity' })
    assert.deepEqual(asserted, {
      from: anonymous,
      headers: [
        { name: 'P-Asserted-Identity', value: '<sip:account@sip.example.com>' },
        { name: 'Privacy', value: 'id' },
      ],
    })
    const remote = callerIdForm(hidden, { ...settings, callerIdIn: 'remote_party_id' })
    assert.match(remote.headers[0]?.value ?? '', /privacy=full/)
  })

  test('has a domain that fits into an address', () => {
    assert.equal(domainOf({ domain: null, host: '2001:db8::1' }), '[2001:db8::1]')
    assert.equal(fromDomainOf({ domain: 'a.example', fromDomain: null, host: 'b' }), 'a.example')
    assert.equal(fromDomainOf({ domain: null, fromDomain: '192.0.2.1', host: 'b' }), '192.0.2.1')
  })
})
