// What a new password is like.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newPassword } from './new_password.ts'

test('new passwords have 24 signs that are distinguished by hand, each as likely as another', () => {
  const many = Array.from({ length: 2_000 }, newPassword)
  assert.equal(new Set(many).size, many.length)
  for (const password of many) assert.match(password, /^[A-HJ-NP-Za-km-z2-9]{24}$/)
  const counts = Map.groupBy(many.join(''), sign => sign)
  assert.equal(counts.size, 57)
  // 842 on average; ten standard deviations are 287.
  for (const [sign, all] of counts) assert.ok(Math.abs(all.length - 842) < 290, `${sign} came ${all.length} times`)
})
