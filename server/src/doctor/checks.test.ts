// Each check of doctor, given what it is to find: on facts, and on ports, files and servers made for it.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { closedPort } from '../../../scripts/testing/free_port.ts'
import { loadConfig } from '../config/config.ts'
import { backupFindings, clockFindings, migrationFindings, queueFindings, settingFindings } from './database_checks.ts'
import type { DatabaseFacts, SecretFacts } from './database_store.ts'
import type { Check, Finding, Ground, NameServer } from './finding.ts'
import { fileFindings, keys, secretFindings } from './key_checks.ts'
import { certificates, dataFolder, diskFindings, runtimeFinding } from './machine_checks.ts'
import { mailName, mailOut, nat, natFindings, plainHttp, ports, publicName } from './network_checks.ts'
import { publicAddress } from './public_checks.ts'

const nowMs = Date.UTC(2026, 10, 27, 12)
const hour = 3_600_000

const silentNames: NameServer = {
  addresses: async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
  mailServers: async () => Promise.reject(Object.assign(new Error('no'), { code: 'ENOTFOUND' })),
}

function ground(env: Record<string, string> = {}, more: Partial<Ground> = {}): Ground {
  const database = { isThere: false, isStopped: true, why: 'stopped' } as const
  const config = loadConfig(env)
  return { config, env, nowMs, database, serverPid: undefined, ownAddresses: ['10.0.0.5'], names: silentNames, ...more }
}

async function statesOf(check: Check, given: Ground): Promise<string[]> {
  return (await check(given)).map(({ state }) => state)
}

/** The only finding; it has a remedy unless all is well. */
function one(findings: readonly Finding[]): string {
  assert.equal(findings.length, 1, JSON.stringify(findings))
  const { state, found, remedy } = findings[0]!
  assert.equal(remedy === undefined, state === 'ok', found)
  return `${state}: ${found}`
}

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'tandem-doctor-'))
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}

test('disk: little space and few inodes', () => {
  const facts = { freeBytes: 50e9, sizeBytes: 100e9, ffree: 900, files: 1_000 }
  const states = (change: Partial<typeof facts>) =>
    diskFindings('/data', { ...facts, ...change }).map(({ check, state }) => `${check} ${state}`)
  assert.deepEqual(states({}), ['disk ok', 'inodes ok'])
  assert.deepEqual(states({ freeBytes: 4e9 }), ['disk warning', 'inodes ok'])
  assert.deepEqual(states({ freeBytes: 0.5e9, ffree: 10 }), ['disk problem', 'inodes problem'])
  assert.deepEqual(states({ ffree: 50 }), ['disk ok', 'inodes warning'])
  assert.deepEqual(states({ files: 0, ffree: 0 }), ['disk ok'], 'btrfs has no fixed number of inodes')
})

test('data folder: not there yet, open to everybody, of another user', async t => {
  const home = folder(t)
  assert.match(one(await dataFolder(ground({ TANDEM_DATA: join(home, 'new') }))), /^ok: .* the first start makes it/)
  chmodSync(home, 0o700)
  assert.match(one(await dataFolder(ground({ TANDEM_DATA: home }))), /^ok: .*no server uses it/)
  chmodSync(home, 0o755)
  assert.match(one(await dataFolder(ground({ TANDEM_DATA: home }))), /^warning: .*mode 755/)
  chmodSync(home, 0o500)
  if (process.getuid!() === 0) return t.diagnostic('root may read and write everything')
  assert.match(one(await dataFolder(ground({ TANDEM_DATA: home }))), /^problem: .*may not read and write/)
})

test('node: too old', () => {
  assert.equal(runtimeFinding('24.1.0').state, 'problem')
  assert.equal(runtimeFinding('26.10.0').state, 'ok')
})

test('ports: free, held by another program, not of this machine', async t => {
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const env = { PORT: String(port), TANDEM_ROLES: 'api' }
  const held = one(await ports(ground(env)))
  assert.match(held, new RegExp(`^problem: .*(process ${process.pid}\\)|another program) has it`))
  assert.match(one(await ports(ground(env, { serverPid: process.pid }))), /^ok: the server listens there/)
  assert.match(one(await ports(ground({ ...env, HOST: '203.0.113.9' }))), /^problem: .*no address of this machine/)
  server.close()
  await once(server, 'close')
  assert.match(one(await ports(ground(env))), /^ok: free/)
  assert.match(one(await ports(ground(env, { serverPid: process.pid }))), /^problem: nothing listens there/)
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  t.after(() => void socket.close())
  await once(socket, 'listening')
  const sip = { TANDEM_ROLES: 'voice', TANDEM_SIP_PORT: String(socket.address().port) }
  const found = await ports(ground(sip))
  assert.deepEqual(
    found.map(({ state }) => state),
    ['problem', 'ok'],
    JSON.stringify(found),
  )
})

test('plain HTTP: open to a network without a proxy', async () => {
  assert.deepEqual(await statesOf(plainHttp, ground({ HOST: '0.0.0.0' })), ['warning'])
  assert.deepEqual(await statesOf(plainHttp, ground()), ['ok'])
  const proxied = { HOST: '0.0.0.0', TANDEM_PUBLIC_URL: 'https://crm.example.com' }
  assert.deepEqual(await statesOf(plainHttp, ground(proxied)), ['ok'])
})

test('DNS: names without an address, domains without a mail server, a DNS that is silent', async () => {
  const env = { TANDEM_PUBLIC_URL: 'https://crm.example.com', TANDEM_MAIL_DOMAIN: 'in.example.com' }
  assert.deepEqual(await statesOf(publicName, ground(env)), ['problem'])
  assert.deepEqual(await statesOf(mailName, ground(env)), ['problem'])
  const late = async () => Promise.reject(Object.assign(new Error('late'), { code: 'ETIMEOUT' }))
  const silent = ground(env, { names: { addresses: late, mailServers: late } })
  assert.deepEqual(
    [...(await statesOf(publicName, silent)), ...(await statesOf(mailName, silent))],
    ['warning', 'warning'],
  )
  const names: NameServer = {
    addresses: async () => ['203.0.113.7'],
    mailServers: async () => [{ exchange: 'crm.example.com', priority: 10 }],
  }
  assert.match(one(await publicName(ground(env, { names }))), /^ok: crm.example.com is 203.0.113.7/)
  assert.match(one(await mailName(ground(env, { names }))), /^ok: .*goes to crm.example.com/)
  assert.deepEqual([await publicName(ground()), await mailName(ground())], [[], []], 'nothing is set')
})

test('NAT: a private machine without a public address, one that is not here, one that is', () => {
  const open = { sipAddress: '0.0.0.0', sipPublicAddress: undefined, webrtcPublicAddress: undefined }
  const routed = { ...open, sipPublicAddress: '203.0.113.7' }
  assert.match(one(natFindings({ ...open, sipAddress: '127.0.0.1' }, ['10.0.0.5'])), /^ok/)
  assert.match(one(natFindings(open, ['127.0.0.1', '10.0.0.5'])), /^warning: .*private/)
  assert.match(one(natFindings(open, ['203.0.113.7'])), /^ok: .*203\.0\.113\.7/)
  assert.match(one(natFindings({ ...open, sipPublicAddress: '192.168.0.9' }, ['10.0.0.5'])), /^problem/)
  assert.match(one(natFindings(routed, ['10.0.0.5'])), /^warning: .*TANDEM_WEBRTC_PUBLIC_ADDRESS is not set/)
  assert.match(one(natFindings({ ...routed, webrtcPublicAddress: '203.0.113.7' }, ['10.0.0.5'])), /^ok: .*router/)
  assert.deepEqual(nat(ground({ TANDEM_ROLES: 'api' })), [], 'this process has no calls')
})

const noOpenssl = spawnSync('openssl', ['version']).status === 0 ? false : 'no openssl on this system'

test('certificates: ended, ending, of another key, unreadable', { skip: noOpenssl }, async t => {
  const home = folder(t)
  const make = (name: string) => {
    const [cert, key] = [join(home, `${name}.pem`), join(home, `${name}.key`)]
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=localhost']
    execFileSync('openssl', ['req', '-x509', '-days', '30', ...kind, '-keyout', key, '-out', cert], { stdio: 'ignore' })
    return { cert, key }
  }
  const [one_, other] = [make('one'), make('other')]
  const state = async (cert: string, key: string, atMs: number) =>
    one(await certificates(ground({ TANDEM_SIP_TLS_CERT: cert, TANDEM_SIP_TLS_KEY: key }, { nowMs: atMs })))
  const madeMs = Date.now()
  const day = 24 * hour
  assert.match(await state(one_.cert, one_.key, madeMs + hour), /^ok: .*is valid until/)
  assert.match(await state(one_.cert, one_.key, madeMs + 20 * day), /^warning: .*ends in \d+ days/)
  assert.match(await state(one_.cert, one_.key, madeMs + 31 * day), /^problem: .*ended on/)
  assert.match(await state(one_.cert, one_.key, madeMs - 31 * day), /^problem: .*not valid yet/)
  assert.match(await state(one_.cert, other.key, madeMs + hour), /^problem: the key .* is not that of/)
  writeFileSync(other.cert, 'no certificate')
  assert.match(await state(other.cert, other.key, madeMs), /^problem: .*cannot be used/)
})

test('mail: not set up, and a server that cannot be reached', async t => {
  assert.match(one(await mailOut(ground())), /^warning: no mail leaves/)
  const away = ground({ TANDEM_SMTP_URL: `smtp://127.0.0.1:${closedPort}`, TANDEM_MAIL_FROM: 'a@example.com' })
  assert.match(one(await mailOut(away)), /^problem: .*cannot be reached \(ECONNREFUSED\)/)
  const server = createServer(socket => socket.end()).listen(0, '127.0.0.1')
  t.after(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const there = ground({ TANDEM_SMTP_URL: `smtp://127.0.0.1:${port}`, TANDEM_MAIL_FROM: 'a@example.com' })
  assert.match(one(await mailOut(there)), /^ok/)
})

test('public address: leads elsewhere, is away, has another time', async t => {
  let [status, text, date] = [200, '{"status":"ok"}', new Date(nowMs).toUTCString()]
  const server = createHttpServer((_request, response) => {
    response.sendDate = false
    response.writeHead(status, { date }).end(text)
  }).listen(0, '127.0.0.1')
  t.after(() => void server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const given = ground({ TANDEM_PUBLIC_URL: `http://127.0.0.1:${port}` }, { serverPid: 1 })
  assert.match(one(await publicAddress(given)), /^ok: .*leads to a Tandem/)
  date = new Date(nowMs + hour).toUTCString()
  assert.deepEqual(await statesOf(publicAddress, given), ['ok', 'warning'])
  ;[status, text, date] = [502, 'Bad Gateway', new Date(nowMs).toUTCString()]
  assert.match(one(await publicAddress(given)), /^problem: .*answers 502/)
  const away = ground({ TANDEM_PUBLIC_URL: `http://127.0.0.1:${closedPort}` }, { serverPid: 1 })
  assert.match(one(await publicAddress(away)), /^warning: .*cannot be reached/)
  assert.deepEqual(await publicAddress({ ...away, serverPid: undefined }), [], 'no server runs')
})

const well: DatabaseFacts = {
  version: '18.4',
  clock: { databaseMs: nowMs, askedMs: nowMs, tookMs: 2 },
  settings: {
    max_connections: '60',
    shared_buffers: '12288',
    fsync: 'on',
    full_page_writes: 'on',
    synchronous_commit: 'on',
    data_checksums: 'on',
  },
  connections: { open: 7, reserved: 3 },
  migrations: [{ name: '0001_kernel', checksum: 'a' }],
  newestMigrationMs: nowMs - hour,
  queues: [],
  newestBackupMs: undefined,
  secrets: [],
  heldBecause: null,
  oldestTransactionMs: 0,
  sizeBytes: 20e6,
}

test('settings of the database that lose data, are too small, or say nothing of failing disks', () => {
  const bad = (settings: Record<string, string>, change: Partial<DatabaseFacts> = {}, pool = 10) =>
    settingFindings({ ...well, ...change, settings: { ...well.settings, ...settings } }, pool)
      .filter(({ state }) => state !== 'ok')
      .map(({ check, state }) => `${check} ${state}`)
  assert.deepEqual(bad({}), [])
  assert.deepEqual(bad({ fsync: 'off' }), ['fsync problem'])
  assert.deepEqual(bad({ full_page_writes: 'off' }), ['full_page_writes problem'])
  assert.deepEqual(bad({ synchronous_commit: 'local' }), ['synchronous_commit problem'])
  assert.deepEqual(bad({ data_checksums: 'off' }), ['data_checksums warning'])
  assert.deepEqual(bad({ shared_buffers: '1024' }), ['shared_buffers warning'])
  assert.deepEqual(bad({}, {}, 40), ['max_connections problem'])
  assert.deepEqual(bad({}, { connections: { open: 55, reserved: 3 } }), ['max_connections warning'])
  assert.deepEqual(bad({}, { oldestTransactionMs: hour }), ['transactions warning'])
})

test('migrations: missing, of a newer version, of another build', () => {
  const shipped = [
    { name: '0001_kernel', checksum: 'a' },
    { name: '0002_more', checksum: 'b' },
  ]
  const first = shipped.slice(0, 1)
  assert.match(one(migrationFindings({ migrations: shipped }, shipped, true)), /^ok: all 2/)
  assert.match(one(migrationFindings({ migrations: first }, shipped, false)), /^warning: 1 of 2/)
  assert.match(one(migrationFindings({ migrations: shipped }, first, true)), /^problem: .*newer Tandem/)
  const added = shipped.map(one => ({ ...one, isAdditive: true }))
  assert.match(one(migrationFindings({ migrations: added }, first, true)), /^warning: a newer Tandem has added/)
  const other = [{ name: '0001_kernel', checksum: 'x' }]
  assert.match(one(migrationFindings({ migrations: other }, shipped, true)), /^problem: .*another build/)
})

test('clock: apart from the database, or in the past', () => {
  const at = (databaseMs: number, tookMs = 2) =>
    one(clockFindings({ ...well, clock: { databaseMs, askedMs: nowMs, tookMs } }, nowMs))
  assert.match(at(nowMs), /^ok/)
  assert.match(at(nowMs - 5_000), /^warning: .* 5\.0 s apart/)
  assert.match(at(nowMs + 60_000), /^problem/)
  assert.match(at(nowMs + 3_000, 4_000), /^ok/, 'the answer took that long')
  assert.match(one(clockFindings(well, nowMs - 24 * hour)), /^problem: .*has entries of/)
})

test('queues: what waits while a server runs', () => {
  const at = (lateMs: number, isRunning = true) =>
    one(queueFindings({ queues: [{ name: 'mail_jobs', waiting: 3, oldestDueMs: nowMs - lateMs }] }, nowMs, isRunning))
  assert.match(at(1_000), /^ok: 3 due/)
  assert.match(at(600_000), /^warning: 3 due, the oldest for 10 minutes/)
  assert.match(at(hour), /^problem/)
  assert.match(at(hour, false), /^ok/)
})

test('backups: none, an old one, a fresh one', () => {
  assert.deepEqual(backupFindings({ newestBackupMs: undefined }, nowMs), [])
  assert.match(one(backupFindings({ newestBackupMs: null }, nowMs)), /^warning: no backup/)
  assert.match(one(backupFindings({ newestBackupMs: nowMs - 72 * hour }, nowMs)), /^warning: .*3 days old/)
  assert.match(one(backupFindings({ newestBackupMs: nowMs - hour }, nowMs)), /^ok/)
})

test('keys: a file that others read, another key than the one that is wanted, plain secrets, age, half a rotation', async t => {
  const home = folder(t)
  const path = join(home, 'instance.key')
  assert.deepEqual(fileFindings(path), [], 'none yet')
  writeFileSync(path, `${Buffer.alloc(32, 1).toString('base64')}\n`, { mode: 0o600 })
  assert.match(one(fileFindings(path)), /^ok/)
  chmodSync(path, 0o640)
  assert.match(one(fileFindings(path)), /^problem: others can read .*mode 640/)

  const day = 24 * hour
  const times = { createdMs: nowMs - day, activeMs: nowMs - day, dueMs: null }
  const signing: SecretFacts = { kind: 'signing_key', state: 'active', sealedBy: 'abc', ...times }
  const found = (more: Partial<SecretFacts>, days = 90) =>
    secretFindings({ secrets: [{ ...signing, ...more }] }, days, nowMs)
      .filter(({ state }) => state !== 'ok')
      .map(({ state, found: words }) => `${state}: ${words}`)
  assert.deepEqual(found({}), [])
  assert.match(found({ sealedBy: null })[0]!, /^warning: 1 of 1 secrets lie in the database in plain/)
  assert.deepEqual(found({ activeMs: nowMs - 96 * day }), [])
  assert.match(found({ activeMs: nowMs - 98 * day })[0]!, /^warning: the key of access tokens is 98 days old/)
  assert.deepEqual(found({ activeMs: nowMs - 98 * day }, 0), [], 'by hand only')
  assert.match(found({ state: 'next', dueMs: nowMs - 2 * hour })[0]!, /the next signing_key has been due for 2 hours/)
  assert.match(found({ kind: 'sealing_key', state: 'retiring' })[0]!, /not all is sealed again/)
  assert.match(found({ kind: 'pepper', state: 'next' })[0]!, /was broken off/)
  assert.match(found({ kind: 'pepper', state: 'retiring' })[0]!, /an earlier pepper is still accepted/)

  const facts = { ...well, secrets: [{ ...signing, sealedBy: '0123456789ab' }] }
  const looked = await keys(ground({ TANDEM_DATA: home }, { database: { isThere: true, facts } }))
  assert.match(
    looked.map(({ found: words }) => words).join(),
    /sealed with the root key 0123456789ab, and .*instance.key has \w{12}/,
  )
  const unreadable = await keys(ground({ TANDEM_ROOT_KEY_FILE: join(home, 'missing') }))
  assert.match(one(unreadable), /^problem: The file .*missing with the root key cannot be read \(ENOENT\)/)
})
