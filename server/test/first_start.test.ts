// The first start holds the Admin's password to the rules that every user's is held to, before anything is made.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { loadConfig } from '../src/config/config.ts'
import { firstStart, hasOrganization } from '../src/first_start.ts'
import { asEngine, type Instance, loadInstance } from '../src/kernel/boot/instance.ts'
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

async function passwordEnds({ owner }: FreshDatabase): Promise<(string | null)[]> {
  const sql = 'select password_ends_at from accounts where password_hash is not null'
  const { rows } = await asEngine(owner, client => client.query<{ password_ends_at: string | null }>(sql))
  return rows.map(({ password_ends_at: at }) => at && new Date(at).toISOString())
}

const log = createLog({ level: 'error', format: 'json', stream: process.stderr })
const nowMs = Date.parse('2026-11-21T08:44:00.000Z')
const start = (password: string) => {
  const variables = { TANDEM_ADMIN_EMAIL: 'boss.of.all@example.com', TANDEM_ADMIN_PASSWORD: password }
  return firstStart(database.owner, instance, loadConfig(variables), { log, nowMs })
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
  assert.deepEqual(await passwordEnds(database), [null], 'what the operator chose stays')
})

test('a password that is made and printed ends after seven days, unless its owner sets another', async () => {
  const fresh = await freshDatabase()
  try {
    const made = await firstStart(fresh.owner, await loadInstance(fresh.owner, testRootSource), loadConfig({}), {
      log,
      nowMs,
    })
    assert.match(made?.generatedPassword ?? '', /^[\w-]{24}$/)
    assert.deepEqual(await passwordEnds(fresh), ['2026-11-28T08:44:00.000Z'])
    await asEngine(fresh.owner, client =>
      client.query(
        "update accounts set password_hash = 'another', password_changed_at = now(), password_is_temporary = false",
      ),
    )
    assert.deepEqual(await passwordEnds(fresh), [null])
  } finally {
    await fresh.drop()
  }
})
