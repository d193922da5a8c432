// Which names of a server phones on other machines cannot reach.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isThisMachineOnly } from './phone_values.ts'

test('a server that only its own machine reaches is known by its name', () => {
  for (const name of ['127.0.0.1', 'localhost', '::1', '[::1]']) assert.ok(isThisMachineOnly(name), name)
  for (const name of ['192.168.1.5', 'sip.example.com', '127.example.com', 'localhost.example.com'])
    assert.ok(!isThisMachineOnly(name), name)
})
