// Which names of a server are told to lead phones of other machines nowhere, and what a new password is like.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isThisMachineOnly, newPhonePassword } from './phone_values.ts'

test('a server that only its own machine reaches is known by its name', () => {
  for (const name of ['127.0.0.1', 'localhost', '::1', '[::1]']) assert.ok(isThisMachineOnly(name), name)
  for (const name of ['192.168.1.5', 'sip.example.com', '127.example.com', 'localhost.example.com'])
    assert.ok(!isThisMachineOnly(name), name)
})

test('new passwords have 24 signs that are told apart by hand, each as likely as another', () => {
  const many = Array.from({ length: 2_000 }, newPhonePassword)
  assert.equal(new Set(many).size, many.length)
  for (const password of many) assert.match(password, /^[A-HJ-NP-Za-km-z2-9]{24}$/)
  const counts = Map.groupBy(many.join(''), sign => sign)
  assert.equal(counts.size, 57)
  // 842 on average; ten standard deviations are 287.
  for (const [sign, all] of counts) assert.ok(Math.abs(all.length - 842) < 290, `${sign} came ${all.length} times`)
})
