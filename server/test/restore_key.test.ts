// A root key that is replaced while WAL is archived: to each moment, before and after, the installation comes back with the key that opens it,
// on the same machine and on a new one, and no key is lost on the way.
// test: programs
import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { rootKeySource } from '../src/kernel/boot/root_key.ts'
import { rotateRoot } from '../src/kernel/boot/root_rotation.ts'
import { runningDatabase } from '../src/running_database.ts'
import { endServer, freshFolder, spawnServer, startServer } from './server_process.ts'

async function command(t: TestContext, env: Record<string, string>, ...args: string[]) {
  const program: [string, ...string[]] = [process.execPath, 'server/src/main.ts', ...args]
  const { code, stdout, stderr } = await spawnServer(t, { env, program }).ended
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
  return stdout
}

test('a rotation of the root key keeps every moment of the archive within reach', { timeout: 180_000 }, async t => {
  const folder = freshFolder()
  const [data, wal] = [join(folder, 'data'), join(folder, 'wal')]
  mkdirSync(wal)
  const env = { TANDEM_DATA: data, TANDEM_WAL_TO: wal, TANDEM_ROLES: 'api,worker' }
  const keys = (of: string) => readFileSync(join(of, 'instance.key'), 'utf8').trim().split('\n')
  const bases = () => readdirSync(wal, { recursive: true, encoding: 'utf8' }).filter(name => /base-.*\.zst/.test(name))
  const moment = async () => {
    await sleep(200)
    const atMs = Date.now()
    await sleep(200)
    return new Date(atMs).toISOString()
  }
  const server = await startServer(t, { env })
  await server.printed('made a base backup')
  const [first] = keys(data)
  const beforeIt = await moment()
  // By a process that ends before it has made a base backup.
  const owner = await runningDatabase({ databaseUrl: undefined, dataDir: data })
  await rotateRoot({ owner, source: rootKeySource({ dataDir: data }) })
  const [second] = keys(data)
  const between = await moment()
  await command(t, env, 'backup', 'base')
  const rotated = JSON.parse(await command(t, env, 'rotate', 'root', '--json'))
  const [third] = keys(data)
  assert.equal(bases().length, 3, 'a rotation makes a base backup')
  assert.ok(rotated.baseBackup.includes('base-'), JSON.stringify(rotated))
  const afterIt = await moment()
  await endServer(server)
  assert.equal(new Set([first, second, third]).size, 3)

  /** Restores to a moment; what it says of its keys shows that its secrets are open. */
  const restored = async (to: string, at: string) => {
    const own = { ...env, TANDEM_DATA: to, ...(to !== data && { TANDEM_WAL_TO: '' }) }
    await command(t, own, 'restore', '--to-time', at, '--from', wal)
    const { rootKey } = JSON.parse(await command(t, own, 'rotate', 'status', '--json'))
    return rootKey.fingerprint
  }
  const [elsewhere, onward] = [join(freshFolder(), 'data'), join(freshFolder(), 'data')]
  assert.equal(await restored(elsewhere, afterIt), rotated.fingerprint)
  assert.deepEqual(keys(elsewhere), [third])
  await restored(onward, between)
  assert.deepEqual(keys(onward), [second, first])
  renameSync(join(data, 'postgres'), join(data, 'postgres.wrong'))
  await restored(data, beforeIt)
  assert.deepEqual(keys(data), [first, third])
})
