// An operator's own PostgreSQL, dumped and restored by its own programs as docs/backups.md says, by owners who are no superusers.
// test: programs
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { copyFileSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type ConnectionOptions, connectClient } from '../src/kernel/data/session.ts'
import { type PeerPostgres, startSystemPostgres, systemPostgres } from './peer_postgres.ts'
import { endServer, freshFolder, spawnServer, startServer } from './server_process.ts'

const system = systemPostgres()
const skip = system ? false : 'no PostgreSQL 15 or newer below /usr/lib/postgresql'
const password = 'an owner has one'
const settings = { TANDEM_ADMIN_EMAIL: 'boss@example.com', TANDEM_ADMIN_PASSWORD: 'a long enough password' }

let peers: PeerPostgres[] = []
before(async () => {
  if (system) peers = [await startSystemPostgres(system.programs), await startSystemPostgres(system.programs)]
})
after(() => Promise.all(peers.map(peer => peer.stop())))

async function query(options: ConnectionOptions, ...texts: string[]): Promise<void> {
  const client = await connectClient(options)
  try {
    for (const text of texts) await client.query(text)
  } finally {
    await client.end()
  }
}

function run(program: string, ...args: string[]): void {
  const { status, stderr } = spawnSync(join(system!.programs, program), args, { encoding: 'utf8' })
  assert.equal(status, 0, stderr)
}

/** The statements of the documents that make the roles of another server. */
const documentedRoles = /```sql\n([^`]*)```/.exec(
  readFileSync(join(import.meta.dirname, '../../docs/backups.md'), 'utf8'),
)?.[1]

test('a dump by the owner is restored on another server, and goes on there', { skip }, async t => {
  const [from, to] = peers as [PeerPostgres, PeerPostgres]
  await query(
    from.superuser,
    `create role owner login nosuperuser createrole password '${password}'`,
    'create database tandem owner owner',
  )
  const [source, target] = [from.url('owner', password, 'tandem'), to.url('owner', password, 'tandem')]
  const dataDir = freshFolder()
  const server = await startServer(t, { env: { DATABASE_URL: source, TANDEM_DATA: dataDir, ...settings } })
  const key = /tdm_live_[0-9A-Za-z]{38}/.exec(server.stdout())![0]
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ name: 'Ada Lovelace', email: 'ada@example.com' })
  assert.equal((await fetch(`${server.address}/v1/api/leads`, { method: 'POST', headers, body })).status, 201)

  const dump = join(freshFolder(), 'tandem.dump')
  run('pg_dump', '--role=tandem_backup', '--enable-row-security', '--format=custom', `--file=${dump}`, source)
  await endServer(server)

  await query(
    to.superuser,
    `create role owner login nosuperuser password '${password}'`,
    'create database tandem owner owner',
    documentedRoles!,
  )
  run('psql', '-c', 'grant create on schema public to tandem_engine', target)
  run('pg_restore', '--exit-on-error', `--dbname=${target}`, dump)
  run('psql', '-c', 'revoke create on schema public from tandem_engine', target)
  const env = { DATABASE_URL: target, TANDEM_DATA: freshFolder(), ...settings }
  const program: [string, ...string[]] = [process.execPath, 'server/src/main.ts', 'sending', 'hold']
  const held = await spawnServer(t, { env, program }).ended
  assert.equal(held.code, 0, held.stderr)
  const lost = await spawnServer(t, { env }).ended
  assert.match(lost.stderr, /sealed with the root key \w+, and there is no .*instance\.key/)
  copyFileSync(join(dataDir, 'instance.key'), join(env.TANDEM_DATA, 'instance.key'))
  const next = await startServer(t, { env })
  const answer = await fetch(`${next.address}/v1/api/leads`, { headers })
  const { leads } = (await answer.json()) as { leads: { name: string }[] }
  assert.deepEqual(
    leads.map(({ name }) => name),
    ['Ada Lovelace'],
  )
  await endServer(next)
})
