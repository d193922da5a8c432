// Starting and stopping, as an operator does it: the real command on a fresh folder, stopped in every way there is. What was
// acknowledged stays, nothing is left running, and whatever keeps it from starting is one line that says what to do.
// test: programs
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { freePort } from '../../scripts/testing/free_port.ts'
import { catalog } from '../src/catalog.ts'
import {
  endServer,
  freshFolder,
  ordinaryUser,
  postmasterOf,
  processesIn,
  type ReadyServer,
  type ServerOptions,
  soon,
  spawnServer,
  startServer,
} from './server_process.ts'

const email = 'boss@example.com'
const password = 'a long enough password'
const admin = { TANDEM_ADMIN_EMAIL: email, TANDEM_ADMIN_PASSWORD: password }

/** The folder that most tests share, one after the other, as a long-lived server would; with the login above. */
const home = freshFolder()
const atHome = { env: { TANDEM_DATA: home, ...admin } }

type Answer = { status: number; json: { user: { id: number; name: string }; users: unknown[]; accessToken: string } }

async function call(server: { address: string }, method: string, path: string, body?: unknown, bearer?: string) {
  const response = await fetch(`${server.address}${path}`, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, json: await response.json() } as Answer
}

async function logIn(server: ReadyServer, emailOrAdminId = email, secret = password): Promise<string> {
  const { status, json } = await call(server, 'POST', '/v1/api/auth/login', { emailOrAdminId, password: secret })
  assert.equal(status, 200, JSON.stringify(json))
  return json.accessToken
}

let users = 0
async function createUser(server: ReadyServer, token: string): Promise<number> {
  const body = { email: `user${++users}@example.com`, name: 'Somebody', role: 'Sales Executive' }
  const { status, json } = await call(server, 'POST', '/v1/api/users', body, token)
  assert.equal(status, 201, JSON.stringify(json))
  return json.user.id
}

async function hasUser(server: ReadyServer, token: string, id: number): Promise<boolean> {
  return (await call(server, 'GET', `/v1/api/users/${id}`, undefined, token)).status === 200
}

/** A session on the embedded database, past the server. */
async function openSession(context: TestContext, dataDir: string): Promise<pg.Client> {
  const client = new pg.Client({ host: join(dataDir, 'run'), user: 'postgres', database: 'tandem' })
  client.on('error', () => {})
  await client.connect()
  context.after(() => client.end().catch(() => {}))
  return client
}

function countOf(text: string, part: string): number {
  return text.split(part).length - 1
}

/** A start that must fail: exit code 1, one line on standard error that matches, nothing left running in `folder`. */
async function refuses(context: TestContext, options: ServerOptions, line: RegExp, folder?: string): Promise<void> {
  const { code, stderr, stdout } = await spawnServer(context, options).ended
  assert.match(stderr, /^tandem: [^\n]+\n$/, `not one line:\n${stderr}\n${stdout}`)
  assert.match(stderr, line)
  assert.equal(code, 1)
  assert.ok(!stdout.includes('is ready'), stdout)
  if (folder !== undefined) assert.deepEqual(processesIn(folder), [])
}

test('the first start says once how to log in and what to do; a second keeps everything and shows no secret', async t => {
  const dataDir = freshFolder()
  const env = { TANDEM_DATA: dataDir }
  const begun = performance.now()
  const first = await startServer(t, { env })
  const firstMs = performance.now() - begun
  const text = first.stdout()
  const take = (label: string) => new RegExp(`^ {2}${label} +(\\S+)`, 'm').exec(text)?.[1] ?? assert.fail(text)
  const secret = take('Password')
  const [liveKey, testKey] = [take('Live API key'), take('Test API key')]
  const adminId = /\(or (ADM-\d+)\)/.exec(text)![1]!
  assert.equal(take('Login'), 'admin@tandem.localhost')
  assert.match(liveKey, /^tdm_live_[0-9A-Za-z]{38}$/)
  assert.match(testKey, /^tdm_test_[0-9A-Za-z]{38}$/)
  for (const [part, times] of [
    [secret, 1],
    [liveKey, 1],
    [testKey, 2],
    ['curl -X POST', 1],
    [adminId, 1],
  ] as const) {
    assert.equal(countOf(text, part), times, `${part} in\n${text}`)
  }
  await logIn(first, 'admin@tandem.localhost', secret)
  const token = await logIn(first, adminId, secret)
  for (const key of [liveKey, testKey]) {
    assert.equal((await call(first, 'GET', '/v1/api/users', undefined, key)).status, 200)
  }
  t.diagnostic(runCurl(text, testKey))
  await endServer(first)
  for (const part of [secret, liveKey, testKey]) {
    const { status, stdout } = spawnSync('grep', ['-rlF', part, dataDir], { encoding: 'utf8' })
    assert.equal(status, 1, `a secret stands in plain text in ${stdout}`)
  }

  const again = performance.now()
  const second = await startServer(t, { env: { ...env, ...admin } })
  t.diagnostic(`first start ${Math.round(firstMs)} ms, second ${Math.round(performance.now() - again)} ms`)
  assert.ok(!/tdm_|Password|Login|curl/.test(second.stdout()), second.stdout())
  assert.equal(countOf(second.stdout(), 'Tandem is ready on '), 1)
  // The session, the login and the keys of before; TANDEM_ADMIN_… is for the first start only.
  assert.equal((await call(second, 'GET', '/v1/api/users', undefined, token)).status, 200)
  await logIn(second, adminId, secret)
  assert.equal((await call(second, 'GET', '/v1/api/users', undefined, liveKey)).status, 200)
  const chosen = await call(second, 'POST', '/v1/api/auth/login', { emailOrAdminId: email, password })
  assert.equal(chosen.status, 401)
  assert.equal((await endServer(second)).code, 0)
})

/** Runs the printed command as it stands, in a shell. Says what was tested. */
function runCurl(text: string, key: string): string {
  const command = /^ {2}(curl (?:.*\\\n)*.*)$/m.exec(text)![1]!
  assert.ok(command.includes(key))
  if (!catalog.some(({ method, path }) => method === 'POST' && path === '/messages/sms')) return 'no SMS: curl not run'
  const { status, stdout, stderr } = spawnSync('sh', ['-c', `${command} --silent --show-error`], { encoding: 'utf8' })
  if (status === 127) return 'no curl on this system: not run'
  assert.equal(status, 0, stderr)
  const { messageId, ...rest } = JSON.parse(stdout)
  assert.match(messageId, /^msg_/)
  assert.deepEqual(rest, { status: 'queued', deliveredAt: null })
  return 'the printed curl sent a message'
}

test('a taken port is one line, and costs neither data nor the secrets of a first start', async t => {
  const server = createServer().listen(0, '127.0.0.1')
  t.after(() => void server.close())
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const taken = { env: { ...atHome.env, PORT: String(port) } }
  await refuses(t, taken, new RegExp(`^tandem: Port ${port} on 127\\.0\\.0\\.1 is taken by another program\\.`), home)

  const first = await startServer(t, atHome)
  assert.match(first.stdout(), /Login +boss@example\.com .*\n +Password +the one of TANDEM_ADMIN_PASSWORD\n/)
  assert.ok(!first.stdout().includes(password))
  await logIn(first)
  assert.equal((await endServer(first)).code, 0)
})

test('Ctrl-C answers what is under way, stops the database and leaves with 0', async t => {
  const server = await startServer(t, atHome)
  const token = await logIn(server)
  const id = await createUser(server, token)
  const session = await openSession(t, home)
  await session.query(`begin; select from users where id = ${id} for update`)
  // An agent that keeps its connection, as clients do: it must not hold up the end.
  const answer = call(server, 'PATCH', `/v1/api/users/${id}`, { name: 'In Flight' }, token)
  const waits = async () =>
    (await session.query('select from pg_locks where pg_backend_pid() = any (pg_blocking_pids(pid))')).rowCount !== 0
  assert.ok(await soon(waits), 'the request waits for the lock')
  server.child.kill('SIGINT')
  await server.printed('"stopping"')
  // npm hands a terminal's Ctrl-C on to the server, which has had it from the terminal: that is not a second one.
  server.child.kill('SIGINT')
  await assert.rejects(fetch(`${server.address}/healthz`), 'nobody new is let in')
  await session.query('commit')
  const { status, json } = await answer
  assert.deepEqual([status, json.user.name], [200, 'In Flight'])
  const begun = performance.now()
  const { code, stderr } = await server.ended
  assert.deepEqual([code, stderr], [0, ''])
  assert.ok(performance.now() - begun < 10_000, 'a connection without a request holds nobody up')
  assert.deepEqual(processesIn(home), [])

  const next = await startServer(t, atHome)
  const { json: kept } = await call(next, 'GET', `/v1/api/users/${id}`, undefined, token)
  assert.equal(kept.user.name, 'In Flight')
  assert.equal((await endServer(next)).code, 0)
})

test('a second Ctrl-C leaves at once, and the database stops by itself', async t => {
  let [isCut, code]: [boolean, number | null] = [false, null]
  // A lock is waited for two seconds at most: where the request was refused it before the second signal, it is tried again.
  for (let tries = 3; tries > 0 && !isCut; tries--) {
    const server = await startServer(t, atHome)
    const token = await logIn(server)
    const id = await createUser(server, token)
    const session = await openSession(t, home)
    await session.query(`begin; select from users where id = ${id} for update`)
    const answer = call(server, 'PATCH', `/v1/api/users/${id}`, { name: 'Cut Off' }, token).catch(() => undefined)
    const waits = async () => (await session.query('select from pg_locks where not granted')).rowCount !== 0
    assert.ok(await soon(waits), 'the request waits')
    server.child.kill('SIGINT')
    await sleep(600)
    code = (await endServer(server)).code
    assert.ok(await soon(() => processesIn(home).length === 0), 'PostgreSQL has stopped')
    isCut = (await answer) === undefined
  }
  assert.deepEqual([isCut, code], [true, 1])
})

test('a closing terminal and a supervisor stop it like Ctrl-C', async t => {
  for (const signal of ['SIGHUP', 'SIGTERM'] as const) {
    const server = await startServer(t, atHome)
    const { code, stderr } = await endServer(server, signal)
    assert.deepEqual([code, stderr], [0, ''], signal)
    assert.deepEqual(processesIn(home), [], signal)
  }
})

test('npm start hands a signal on: nothing is left when npm is gone', async t => {
  const server = spawnServer(t, { ...atHome, program: ['npm', 'start'] })
  await server.printed(/Tandem is ready on \S+\n/)
  const { stdout } = await endServer(server, 'SIGTERM')
  assert.match(stdout, /"msg":"stopped"/)
  assert.ok(await soon(() => processesIn(home).length === 0))
  assert.equal((await endServer(await startServer(t, atHome))).code, 0, 'the folder is free for the next server')
})

test('clients that say nothing, or never end what they say, do not hold up the end', async t => {
  const server = await startServer(t, atHome)
  const { hostname, port } = new URL(server.address)
  for (const text of ['', 'POST /v1/api/auth/login HTTP/1.1\r\n', 'GET / HTTP/1.1\r\nhost: x\r\n\r\n']) {
    const socket = connect(Number(port), hostname).on('error', () => {})
    t.after(() => socket.destroy())
    socket.write(text)
  }
  await sleep(300)
  const begun = performance.now()
  const { code } = await endServer(server, 'SIGTERM')
  const tookMs = performance.now() - begun
  assert.equal(code, 0)
  assert.ok(tookMs < 9_500, `it took ${Math.round(tookMs)} ms, and Docker kills after ten seconds`)
})

test('where standard output is no terminal, secrets of the first start lie in a file of the account, printed nowhere', async t => {
  const dataDir = join(freshFolder(), 'data')
  // Empty is as if not set: the tests' own default is to print.
  const env = { TANDEM_DATA: dataDir, TANDEM_SHOW_SECRETS: '' }
  const server = await startServer(t, { env })
  await server.printed(/first_login\.txt/)
  const file = join(dataDir, 'first_login.txt')
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const text = readFileSync(file, 'utf8')
  const [, password = ''] = /Password +(\S+)/.exec(text) ?? assert.fail(text)
  const [, testKey = ''] = /Test API key +(\S+)/.exec(text) ?? assert.fail(text)
  await logIn(server, 'admin@tandem.localhost', password)
  assert.equal((await call(server, 'GET', '/v2/users/me', undefined, testKey)).status, 200)
  const { stdout, stderr } = await endServer(server)
  assert.ok(stdout.includes(`in ${file}, `), stdout)
  for (const secret of [password, testKey, 'tdm_live_']) assert.ok(!`${stdout}${stderr}`.includes(secret), stdout)
  rmSync(file)
  const again = await startServer(t, { env })
  assert.ok(!again.stdout().includes('first_login'), again.stdout())
  await endServer(again)
  assert.equal(existsSync(file), false)
})

test('migrate brings the database up to date, makes no organization and leaves nothing running', async t => {
  const dataDir = freshFolder()
  const env = { TANDEM_DATA: dataDir }
  for (const line of [/applied migration/, /^$/]) {
    const { code, stdout, stderr } = await spawnServer(t, { env, command: 'migrate' }).ended
    assert.deepEqual([code, stderr], [0, ''])
    assert.match(stdout, line)
    assert.deepEqual(processesIn(dataDir), [])
  }
  const server = await startServer(t, { env })
  assert.match(server.stdout(), /Live API key {2}tdm_live_/)
  await endServer(server)
})

test('Ctrl-C in the middle of the first start leaves nothing running, and the next start is a first one', async t => {
  const dataDir = freshFolder()
  for (const line of ['creating the embedded database', 'applied migration']) {
    const server = spawnServer(t, { env: { TANDEM_DATA: dataDir } })
    await server.printed(line)
    const { code, stdout, stderr } = await endServer(server)
    assert.deepEqual([code, stderr], [0, ''], stdout)
    assert.ok(!stdout.includes('is ready'), stdout)
    assert.deepEqual(processesIn(dataDir), [])
  }
  const server = await startServer(t, { env: { TANDEM_DATA: dataDir } })
  assert.match(server.stdout(), /Live API key {2}tdm_live_/)
  await endServer(server)
})

test('after kill -9 the next start recovers everything acknowledged and ends the orphan', async t => {
  const server = await startServer(t, atHome)
  const token = await logIn(server)
  const ids = [await createUser(server, token), await createUser(server, token)]
  const orphan = postmasterOf(home)
  await endServer(server, 'SIGKILL')
  assert.ok(processesIn(home).includes(orphan), 'PostgreSQL has survived its server')

  const next = await startServer(t, atHome)
  assert.notEqual(postmasterOf(home), orphan)
  assert.ok(!processesIn(home).includes(orphan))
  for (const id of ids) assert.ok(await hasUser(next, token, id), `user ${id} is kept`)
  assert.equal((await endServer(next)).code, 0)
  assert.deepEqual(processesIn(home), [])
})

test('a mistake nobody caught is logged, and the database is stopped in order', async t => {
  const bug = "process.on('SIGUSR2', () => void Promise.reject(new Error('nobody caught this')))"
  const server = await startServer(t, {
    env: { ...atHome.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(bug)}` },
  })
  const { code, stdout } = await endServer(server, 'SIGUSR2')
  assert.equal(code, 1)
  assert.match(stdout, /"level":"fatal".*nobody caught this/)
  assert.match(stdout, /"msg":"stopped"/)
  assert.deepEqual(processesIn(home), [])
})

test('a reader that leaves, such as head, ends neither server nor database', async t => {
  const port = await freePort()
  const dataDir = freshFolder()
  const server = spawnServer(t, { env: { TANDEM_DATA: dataDir, PORT: String(port), ...admin } })
  await server.printed('\n')
  server.child.stdout!.destroy()
  server.child.stderr!.destroy()
  const address = `http://127.0.0.1:${port}`
  const isReady = () =>
    fetch(`${address}/readyz`).then(
      ({ status }) => status === 200,
      () => false,
    )
  assert.ok(await soon(isReady), 'it goes on starting')
  const login = () => call({ address }, 'POST', '/v1/api/auth/login', { emailOrAdminId: email, password })
  assert.ok(await soon(async () => (await login()).status === 200), 'it goes on serving')
  const { code } = await endServer(server, 'SIGTERM')
  assert.equal(code, 0)
  assert.deepEqual(processesIn(dataDir), [])
})

test('a second server on the same folder is refused and disturbs nothing', async t => {
  const server = await startServer(t, atHome)
  await refuses(
    t,
    atHome,
    new RegExp(`^tandem: Another Tandem \\(process ${server.pid}\\) already uses the data folder`),
  )
  await logIn(server)
  assert.equal((await endServer(server)).code, 0)
})

test('a database of a newer Tandem is left alone', async t => {
  const server = await startServer(t, atHome)
  const session = await openSession(t, home)
  await session.query("insert into migrations (name, checksum) values ('9999_from_the_future', 'x')")
  await endServer(server)
  const line = /^tandem: This database was written by a newer Tandem \(it has 9999_from_the_future\): run that version/
  await refuses(t, atHome, line, home)
})

const ordinary = ordinaryUser()
const without = ordinary ? false : 'root, who may read everything, and no way to be somebody else'
test('a folder that may not be read is one line', { skip: without }, async t => {
  const folder = join(freshFolder(), 'closed')
  mkdirSync(folder)
  if (process.getuid!() === 0) {
    chmodSync(join(folder, '..'), 0o711)
    chownSync(folder, 12_345, 12_345)
  }
  chmodSync(folder, process.getuid!() === 0 ? 0o700 : 0o000)
  t.after(() => chmodSync(folder, 0o700))
  const line =
    /^tandem: The data folder \S+ cannot be read and written by user \d+: give it to this user .* set TANDEM_DATA to/
  await refuses(t, { env: { TANDEM_DATA: folder }, as: ordinary! }, line, folder)
})

test('wrong settings are one line each, before anything is touched', async t => {
  const dataDir = join(freshFolder(), 'data')
  await refuses(
    t,
    { env: { TANDEM_DATA: dataDir, PORT: '70000' } },
    /^tandem: PORT is "70000": it takes a whole number/,
  )
  await refuses(t, { env: { TANDEM_DATA: dataDir, DATABASE_URL: 'mysql://x' } }, /^tandem: DATABASE_URL is set, but/)
  assert.ok(!existsSync(dataDir))
})
