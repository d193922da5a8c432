// The first start holds the Admin's password to the rules that every user's is held to, before anything is made.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadConfig } from '../src/config/config.ts'
import { firstStart, hasOrganization } from '../src/first_start.ts'
import { type Instance, loadInstance } from '../src/kernel/boot/instance.ts'
import { createLog } from '../src/kernel/observe/log.ts'
import { isStartFault } from '../src/kernel/values/start_fault.ts'
import { type FreshDatabase, freshDatabase } from './cluster.ts'
import { testRootSource } from './root_key.ts'

let database: FreshDatabase
let instance: Instance
before(async () => {
  database = await freshDatabase()
  instance = await loadInstance(database.owner, testRootSource)
})
after(() => database?.drop())

const log = createLog({ level: 'error', format: 'json', stream: process.stderr })
const start = (password: string) => {
  const variables = { TANDEM_ADMIN_EMAIL: 'boss.of.all@example.com', TANDEM_ADMIN_PASSWORD: password }
  return firstStart(database.owner, instance, loadConfig(variables), log)
}

test('a password that is guessed first, too short or too long is refused with the rule, and nothing is made', async () => {
  for (const [password, rule] of [
    ['password2026', /among the most used/],
    ['boss.of.all-9k', /contains the e-mail address/],
  ] as const) {
    await assert.rejects(start(password), error => {
      assert.ok(isStartFault(error))
      assert.match(error.lines.join(), rule)
      assert.match(error.lines.join(), /^TANDEM_ADMIN_PASSWORD .*10 to 128/)
      assert.ok(!error.lines.join().includes(password), 'it is not printed')
      return true
    })
  }
  for (const password of ['kvartal-7', 'k'.repeat(64).concat('vartal-obelisk'.repeat(5))]) {
    assert.throws(() => start(password), /TANDEM_ADMIN_PASSWORD/)
  }
  assert.equal(await hasOrganization(database.owner), false)
  assert.equal((await start('kvartal-obelisk-7'))?.generatedPassword, undefined)
  assert.equal(await start('password2026'), undefined, 'later it is not read any more')
})
