// Doctor as a whole: on a database with its server, with the server stopped, with the database away, and with settings that are wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { closedPort, freePort } from '../../../scripts/testing/free_port.ts'
import { freshDatabase } from '../../test/cluster.ts'
import { endServer, freshFolder, spawnServer, startServer } from '../../test/server_process.ts'
import { connectClient } from '../kernel/data/session.ts'
import { systemClock } from '../kernel/values/clock.ts'
import { examine } from './doctor.ts'
import type { Finding } from './finding.ts'

const names = { addresses: async () => ['127.0.0.1'], mailServers: async () => [] }

async function look(env: Record<string, string>): Promise<Map<string, Finding>> {
  const findings = await examine({ env, clock: systemClock, names, ownAddresses: ['127.0.0.1'] })
  return new Map(findings.map(finding => [finding.check, finding]))
}

test('a database of one own is read: settings, migrations, queues and backups', async t => {
  const database = await freshDatabase()
  t.after(database.drop)
  const env = { DATABASE_URL: database.url, TANDEM_DATA: freshFolder(), PORT: String(await freePort()) }
  const before = await look(env)
  assert.equal(before.get('database')?.state, 'ok', JSON.stringify(before.get('database')))
  assert.equal(before.get('migrations')?.state, 'ok')
  assert.equal(before.get('clock')?.state, 'ok')
  assert.equal(before.get('fsync')?.state, 'problem', 'the database of the tests is not for keeps')
  assert.equal(before.get('queue message_jobs')?.found, 'nothing waits')
  assert.match(before.get('backups')!.found, /^no backup was ever made/)
  assert.equal(before.get('sending'), undefined)

  const owner = await connectClient(database.owner)
  try {
    await owner.query(`insert into message_jobs (tenant_id, id, carrier, due_at, message_ids)
      values (1, 'job_1', 'simulator', now() - interval '1 hour', '{msg_1}')`)
    await owner.query(`delete from migrations where name = (select max(name collate "C") from migrations)`)
    await owner.query(`insert into backups (id, state, destination, is_sealed, is_planned, started_at, ended_at) values
      ('bkp_1', 'done', '/mnt/1', true, true, now() - interval '3 days', now() - interval '3 days'),
      ('bkp_2', 'failed', '/mnt/2', true, true, now(), now())`)
    await owner.query(`insert into sending_hold (because, since) values ('Restored.', now())`)
  } finally {
    await owner.end()
  }
  const after = await look(env)
  assert.match(after.get('queue message_jobs')!.found, /^1 due, the oldest for 60 minutes/)
  assert.match(after.get('migrations')!.found, /^1 of \d+ migrations have not run/)
  assert.match(after.get('backups')!.found, /^the newest backup is 3 days old/)
  assert.match(after.get('sending')!.found, /^nothing is sent: Restored/)
})

test('with the database away, and with the server stopped, everything else is still said', async () => {
  const port = String(await freePort())
  const away = await look({
    DATABASE_URL: `postgres://tandem:secret@127.0.0.1:${closedPort}/tandem`,
    TANDEM_DATA: freshFolder(),
    PORT: port,
  })
  const { state, found } = away.get('database')!
  assert.equal(state, 'problem', found)
  assert.ok(!found.includes('secret'), found)
  const stopped = await look({ TANDEM_DATA: freshFolder(), PORT: port })
  assert.equal(stopped.get('database')?.state, 'warning')
  for (const all of [away, stopped])
    for (const check of ['disk', 'node', `port ${port}/tcp (HTTP)`, 'NAT']) assert.ok(all.has(check), check)
})

test('wrong settings are all it says; unknown ones are a warning', async () => {
  const wrong = await examine({ env: { PORT: 'x', TANDEM_PORTL: '1' }, clock: systemClock, names })
  assert.deepEqual(
    wrong.map(({ check, state }) => `${check} ${state}`),
    ['settings problem', 'settings warning'],
  )
  assert.match(wrong[0]!.found, /^PORT is "x"/)
  assert.match(wrong[1]!.found, /Did you mean TANDEM_PORTAL\?/)
})

test('beside a server that runs it finds it, its database and its port', async t => {
  const env = { TANDEM_DATA: freshFolder(), PORT: String(await freePort()) }
  const server = await startServer(t, { env })
  const json = spawnServer(t, { env, program: [process.execPath, 'server/src/main.ts', 'doctor', '--json'] })
  const { code, stdout, stderr } = await json.ended
  const { state, findings } = JSON.parse(stdout) as { state: string; findings: Finding[] }
  const problems = findings.filter(finding => finding.state === 'problem')
  assert.deepEqual([stderr, code], ['', state === 'problem' ? 1 : 0])
  // Other tests and programs of this machine may have the port of SIP.
  assert.deepEqual(
    problems.filter(({ check }) => !check.includes('SIP')),
    [],
  )
  const found = (check: string) => findings.find(finding => finding.check === check)?.found
  assert.equal(found(`port ${env.PORT}/tcp (HTTP)`), 'the server listens there')
  assert.match(found('data folder')!, new RegExp(`the server with process number ${server.pid} uses it`))
  assert.match(found('database')!, /^PostgreSQL 18\.\d+/)
  const text = await spawnServer(t, { env, program: [process.execPath, 'server/src/main.ts', 'doctor'] }).ended
  assert.match(text.stdout, /^ok {7}\S/)
  assert.match(text.stdout, /\n\d+ findings: \d+ problems?, \d+ warnings?\.\n$/)
  await endServer(server)
})
