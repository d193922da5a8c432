// Guards: what kind a number is of, in every spelling a caller may send it by, and what policies make of it.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { kindOf, readingsOf } from './ranges.ts'
import { defaultPolicy, openPolicy, type Policy, refusalOf } from './rules.ts'

const shut: [number: string, kind: string][] = [
  ['+19005551234', 'premium_rate'],
  ['+19000000000', 'premium_rate'],
  ['+979123456789', 'premium_rate'],
  ['+4990012345678', 'premium_rate'],
  ['+49900123456789012', 'premium_rate'], // digits that a network passes over
  ['+449011234567', 'premium_rate'],
  ['+447012345678', 'personal'],
  ['+808123456789', 'shared_cost'],
  ['+4918012345', 'shared_cost'],
  ['+870773111632', 'satellite'],
  ['+881612345678', 'satellite'],
  ['+8821612345678', 'satellite'],
  ['+88210012345', 'international_network'],
  ['+883510012345', 'international_network'],
]
const ordinary = [
  '+14155550123',
  '+15550100001',
  '+493012345678',
  '+4915112345678',
  '+447700900123',
  '+80012345678',
  '+15005550200',
]

describe('the kind of a number', () => {
  test('premium, satellite and the like are known, ordinary numbers are let through', () => {
    for (const [number, kind] of shut) assert.equal(kindOf(number), kind, number)
    for (const number of ordinary) assert.equal(kindOf(number), 'ordinary', number)
  })
  test('more digits never open a number that is shut', () => {
    const anyShut = fc.constantFrom(...shut.map(([number]) => number).filter(number => !number.startsWith('+4918')))
    fc.assert(
      fc.property(anyShut, fc.stringMatching(/^\d{0,2}$/), (number, more) => kindOf(number + more) !== 'ordinary'),
      { numRuns: 300 },
    )
  })
})

describe('a destination policy', () => {
  const say = (policy: Policy, to: string, country: string | null = 'US') =>
    refusalOf([policy], readingsOf(to, country))?.why
  const live = defaultPolicy('live')

  test('by default lets ordinary numbers pass and no other, however a SIP address spells them', () => {
    for (const number of ordinary) assert.equal(say(live, number), undefined, number)
    for (const [number] of shut) assert.equal(say(live, number), 'kind', number)
    for (const user of [
      '+19005551234',
      '%2B19005551234',
      '0019005551234',
      '01119005551234',
      '19005551234',
      '9005551234',
      '+1-900-555.1234',
      '+19005551234;phone-context=x',
      '+0019005551234',
      '00019005551234',
      '+119005551234',
      '+4409011234567',
      '004409011234567',
      '*31#0019005551234',
      '%2A31%23+19005551234',
      '*67+19005551234',
      '12345%230019005551234',
      '+19005551234,,5',
      '+1/900/5551234',
      '+1_900~555!1234',
      "$+1'900&555=1234",
    ])
      assert.equal(say(live, `sip:${user}@carrier.example`), 'kind', user)
    assert.equal(say(live, 'tel:+1-900-555-1234'), 'kind')
    for (const to of [
      'sip:2000@pbx.example',
      'sip:anna@example.com',
      'sip:anna.19005551234@example.com',
      'sip:*31#+14155550123@carrier.example',
      'sip:+390899123456@carrier.example',
      'sip:*97@pbx.example',
      'client:anna',
      'sip:+14155550123@carrier.example',
    ])
      assert.equal(say(live, to), undefined, to)
  })

  test('countries, prefixes and kinds: the longest prefix first, then the kind, then the country', () => {
    const policy = {
      ...live,
      countries: ['DE'],
      allowed_prefixes: ['+1415', '+1900555'],
      blocked_prefixes: ['+49180', '+14155'],
    }
    const cases: [string, string | undefined][] = [
      ['+493012345678', undefined],
      ['+4918012345', 'prefix'],
      ['+14152345678', undefined],
      ['+14155550123', 'prefix'],
      ['+19005551234', undefined],
      ['+19002345678', 'kind'],
      ['+447700900123', 'country'],
      ['+447781123456', 'country'],
    ]
    for (const [number, why] of cases) assert.equal(say(policy, number), why, number)
    assert.equal(say({ ...live, countries: ['GB'] }, '+447781123456'), 'country', 'Guernsey is not Great Britain')
    assert.equal(
      say({ ...live, countries: ['US'] }, '+15550100001'),
      undefined,
      'a number of no range is of the first country',
    )
    assert.equal(say({ ...live, countries: ['US'] }, '+18765551234'), 'country', 'Jamaica shares +1')
    assert.equal(say({ ...live, countries: ['US'], kinds: ['satellite'] }, '+881612345678'), undefined)
  })

  test('all that hold must let it pass; one of a key opens nothing', () => {
    const key = { ...openPolicy('key_1'), kinds: ['premium_rate' as const], allowed_prefixes: ['+1900'] }
    assert.equal(refusalOf([live, key], readingsOf('+19005551234', null))?.subject, 'organization')
    const narrow = { ...openPolicy('key_1'), countries: ['DE'] }
    assert.equal(refusalOf([live, narrow], readingsOf('+14155550123', null))?.subject, 'key_1')
  })
})
