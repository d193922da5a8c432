// Hashes are made beside everything else: in threads that give way, one for each of a few at once, and what goes wrong in one ends nothing.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { hashPassword, passwordFits } from './password.ts'

/** The priorities of the threads of this process: the nineteenth field (proc_pid_stat(5)). */
function niceness(): number[] {
  return readdirSync('/proc/self/task').map(thread => {
    const stat = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })
}

test('passwords fit their hashes, and no others, however many are asked at once', async () => {
  const passwords = Array.from({ length: 5 }, (_, n) => `four brass lamps ${n}`)
  const hashes = await Promise.all(passwords.map(hashPassword))
  assert.equal(new Set(hashes).size, 5)
  const fits = passwords.flatMap((_, n) =>
    hashes.map((hash, m) => passwordFits(hash, passwords[n]!).then(it => it === (n === m))),
  )
  assert.deepEqual(new Set(await Promise.all(fits)), new Set([true]))
  assert.equal(await passwordFits(null, 'an account that does not exist'), false)
})

test('the loop of the process goes on meanwhile', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await Promise.all(Array.from({ length: 5 }, () => hashPassword('four brass lamps')))
  clearInterval(timer)
  assert.ok(turns > 5, `${turns} turns`)
})

test('a hash that cannot be read is an error, and the next password is checked', async () => {
  await assert.rejects(passwordFits('$argon2id$nonsense', 'x'))
  const hash = await hashPassword('four brass lamps')
  assert.equal(await passwordFits(hash, 'four brass lamps'), true)
})

test('the threads have a lower priority than all others', {
  skip: process.platform !== 'linux' && 'of Linux',
}, async () => {
  await hashPassword('four brass lamps')
  const all = niceness()
  assert.ok(all.includes(Math.max(...all)) && Math.max(...all) >= Math.min(...all) + 10, String(all))
  assert.ok(all.filter(nice => nice === Math.min(...all)).length > 4, 'the loop and the pool are among the others')
})
