// The commands against the whole application: what is forwarded, to whom, and what is said where something is wrong.
// test: programs
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, test } from 'node:test'
import { promisify } from 'node:util'
import { closedPort, freePort } from '../../../scripts/testing/free_port.ts'
import { emit } from '../../../server/src/kernel/data/events.ts'
import { eventually } from '../../../server/test/eventually.ts'
import { startTestApp, type TestApp } from '../../../server/test/harness.ts'
import { triggers } from '../src/trigger.ts'
import { type Program, tandem } from './program.ts'
import { type Receiver, startReceiver } from './receiver.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../..')

let t: TestApp
let server: string
let receiver: Receiver
let secret = ''
before(async () => {
  t = await startTestApp({ work: true })
  server = await t.app.http.listen({ host: '127.0.0.1', port: 0 })
  receiver = await startReceiver(() => secret)
})
after(async () => {
  await receiver?.close()
  await t?.close()
})
const running: Program[] = []
afterEach(async () => {
  for (const program of running.splice(0)) {
    program.child.kill('SIGKILL')
    await program.ended
  }
  receiver.received.length = 0
  receiver.answer.status = 200
  await t.ownerSql('update webhook_listeners set ended_at = now() where ended_at is null')
})

function start(args: readonly string[], env: Record<string, string> = {}): Program {
  const program = tandem(args, { TANDEM_KEY: t.main.testKey, TANDEM_URL: server, ...env })
  running.push(program)
  return program
}

/** Starts to listen; resolves with what it said then. */
async function listening(args: readonly string[] = [], env: Record<string, string> = {}) {
  const program = start(['listen', '--json', '-f', receiver.address, ...args], env)
  const ready = await program.line('ready')
  secret = ready.secret ?? secret
  await connected(ready.listenerId, env['TANDEM_KEY'])
  return { program, ready }
}

const connected = (listenerId: string, as = t.main.testKey) =>
  eventually('the connection', async () => {
    const { json } = await t.call('GET', `/v2/webhooks/listeners/${listenerId}`, { as })
    return json.data.state === 'connected'
  })

let leads = 0
async function makeLead(as = t.main.testKey): Promise<number> {
  const body = { name: 'Ada', email: `ada${++leads}@example.com` }
  return (await t.call('POST', '/v1/api/leads', { as, body })).json.lead.id
}

const types = () => receiver.received.map(({ body }) => JSON.parse(body).type)

test('what arrives is what a webhook is sent, byte for byte, and the answer is reported', async () => {
  const { program, ready } = await listening()
  assert.match(ready.secret, /^whsec_[\w+/]{43}=$/)
  const id = await makeLead()
  const line = await program.line('forwarded')
  const [{ headers, body, path, verified }] = receiver.received as [(typeof receiver.received)[0]]
  assert.ok(verified)
  assert.equal(path, '/hooks')
  const event = JSON.parse(body)
  assert.deepEqual(
    [event.type, event.data.id, event.livemode, event.id],
    ['lead.created', id, false, headers['webhook-id']],
  )
  assert.deepEqual(Object.keys(headers).sort(), [
    'accept-encoding',
    'connection',
    'content-length',
    'content-type',
    'host',
    'user-agent',
    'webhook-id',
    'webhook-signature',
    'webhook-timestamp',
  ])
  assert.equal(headers['user-agent'], 'Tandem-Webhooks/1.0')
  assert.deepEqual([line.type, line.eventId, line.status, line.error], ['lead.created', event.id, 200, null])
  const as = t.main.testKey
  const path2 = `/v2/webhooks/listeners/${ready.listenerId}/deliveries`
  const listed = await eventually('the report', async () => {
    const { json } = await t.call('GET', path2, { as })
    return json.data[0]?.status === 'delivered' && json.data
  })
  assert.equal(listed.length, 1)
  const { lastStatus, reply, attempt, durationMs, deliveryId } = listed[0]
  assert.deepEqual([lastStatus, reply, attempt, deliveryId], [200, 'ok', 1, line.deliveryId])
  assert.ok(durationMs >= 0)
})

test('only the types that were asked for, only of the mode of the key', async () => {
  await listening(['--events', 'company.*, lead.deleted'])
  const id = await makeLead()
  await makeLead(t.main.liveKey)
  await t.call('POST', '/v1/api/companies', { as: t.main.liveKey, body: { name: 'Live Ltd' } })
  await t.call('POST', '/v1/api/companies', { as: t.main.testKey, body: { name: 'Test Ltd' } })
  await t.call('DELETE', `/v1/api/leads/${id}`, { as: t.main.testKey })
  await eventually('both', () => types().includes('lead.deleted'))
  assert.deepEqual(types(), ['company.created', 'lead.deleted'])
})

test('with --webhook the secret of the webhook signs, the old one too while a rotation overlaps', async () => {
  const as = t.main.testKey
  const body = { url: 'https://example.com/hooks', eventTypes: ['lead.*', 'webhook.*'] }
  const { json } = await t.call('POST', '/v2/webhooks', { as, body })
  const { webhookId } = json.data
  secret = json.data.secret
  const { program, ready } = await listening(['--webhook', webhookId])
  assert.equal(ready.secret, null)
  await t.call('POST', `/v2/webhooks/${webhookId}/test`, { as })
  await t.call('POST', '/v1/api/companies', { as, body: { name: 'Not heard of' } })
  await makeLead()
  await t.call('PATCH', `/v2/webhooks/${webhookId}`, { as, body: { rotateSecret: {} } })
  await makeLead()
  await eventually('two leads', () => types().filter(type => type === 'lead.created').length === 2)
  assert.deepEqual([...new Set(types())], ['webhook.test', 'lead.created'], 'a webhook hears nothing of itself')
  assert.ok(receiver.received.every(({ verified }) => verified))
  await t.call('DELETE', `/v2/webhooks/${webhookId}`, { as })
  assert.equal(await program.ended, 1)
  assert.match(program.stdout(), /webhook whose secret signs was deleted/)
})

test('a server that is not there is named, and what it missed is sent again when asked', async () => {
  const port = await freePort()
  const program = start(['listen', '--json', '--forward-to', `${port}/hooks`])
  const { listenerId, secret: own, forwardTo } = await program.line('ready')
  assert.equal(forwardTo, `http://localhost:${port}/hooks`)
  secret = own
  await connected(listenerId)
  await makeLead()
  const refused = await program.line('forwarded')
  assert.deepEqual([refused.status, refused.error], [null, 'connection_refused'])
  assert.match((await program.line('hint')).message, new RegExp(`Nothing listens at http://localhost:${port}`))
  const late = await startReceiver(() => secret, port)
  try {
    const as = t.main.testKey
    const path = `/v2/webhooks/listeners/${listenerId}`
    await eventually('the report', async () => {
      const { json } = await t.call('GET', `${path}/deliveries`, { as })
      return json.data[0]?.status === 'failed'
    })
    const again = await t.call('POST', `${path}/resend`, { as, body: { eventId: refused.eventId } })
    assert.deepEqual([again.json.data.status, again.json.data.attempt], ['pending', 2])
    const line = await program.line('forwarded', ({ attempt }) => attempt === 2)
    assert.equal(line.status, 200)
    assert.deepEqual(
      late.received.map(({ verified }) => verified),
      [true],
    )
  } finally {
    await late.close()
  }
})

test('an answer that is no 2xx is shown as such, and not tried again by itself', async () => {
  receiver.answer.status = 500
  const { program, ready } = await listening()
  await makeLead()
  assert.equal((await program.line('forwarded')).status, 500)
  await eventually('the report', async () => {
    const path = `/v2/webhooks/listeners/${ready.listenerId}/deliveries?status=failed`
    return (await t.call('GET', path, { as: t.main.testKey })).json.data.length === 1
  })
  assert.equal(receiver.received.length, 1)
})

test('a status that HTTP does not have, and replies of a megabyte together, end nothing', async () => {
  receiver.answer.status = 999
  const { program, ready } = await listening()
  await makeLead()
  assert.equal((await program.line('forwarded')).error, 'not_http')
  receiver.answer.status = 500
  const { body } = receiver.answer
  // Of each one JSON makes two characters.
  receiver.answer.body = '"'.repeat(4_096)
  for (let n = 0; n < 150; n++) await makeLead()
  await eventually('the reports', async () => {
    const [row] = await t.ownerSql<{ n: number }>(
      "select count(*)::integer as n from webhook_listener_deliveries where listener_id = $1 and status = 'failed'",
      [ready.listenerId],
    )
    return row?.n === 151
  })
  receiver.answer.body = body
  assert.equal(program.child.exitCode, null)
})

test('Ctrl-C ends the listener; one that is ended elsewhere says so', async () => {
  const { program, ready } = await listening()
  program.child.kill('SIGINT')
  assert.equal(await program.ended, 0)
  const path = (id: string) => `/v2/webhooks/listeners/${id}`
  const { json } = await t.call('GET', path(ready.listenerId), { as: t.main.testKey })
  assert.equal(json.data.state, 'ended')
  const second = await listening()
  await t.call('DELETE', path(second.ready.listenerId), { as: t.main.testKey })
  assert.equal(await second.program.ended, 1)
  assert.match(second.program.stdout(), /The listener was ended, in the portal/)
})

test('of two connections to one listener the newer one has it', async () => {
  const { program, ready } = await listening()
  const path = `/v2/webhooks/listeners/${ready.listenerId}/stream`
  const first = await fetch(`${server}${path}`, { headers: { authorization: `Bearer ${t.main.testKey}` } })
  assert.equal(first.status, 200)
  assert.equal(await program.ended, 1)
  assert.match(program.stdout(), /Another connection has taken/)
  await first.body?.cancel()
})

test('for people: a line for each event, with time, type, id, status and milliseconds', async () => {
  const program = start(['listen', '-f', receiver.address])
  await eventually('it is ready', () => /Signing secret, shown this once: whsec_\S+/.test(program.stdout()))
  assert.match(program.stdout(), /^Ready\. Test events of http:\S+ go to http:\S+\/hooks$/m)
  await makeLead()
  await eventually('the line', () => / {2}lead\.created +evt_\w{26} {2}\d+ {2}\d+ ms$/m.test(program.stdout()))
  program.child.kill('SIGINT')
  assert.equal(await program.ended, 0)
  assert.equal(program.stderr(), '')
})

const wrong: [name: string, args: string[], env: () => Record<string, string>, code: number, says: RegExp][] = [
  ['no address', ['listen'], () => ({}), 2, /tandem listen --forward-to http/],
  ['an option that is none', ['listen', '--forward', 'x'], () => ({}), 2, /'--forward'.*--help/],
  ['a command that is none', ['hear'], () => ({}), 2, /no command "hear"/],
  ['no key', ['listen', '-f', '1'], () => ({ TANDEM_KEY: '' }), 3, /There is no key\..*TANDEM_KEY/],
  ['a wrong key', ['listen', '-f', '1', '--key', 'tdm_test_x'], () => ({}), 3, /The key was refused/],
  [
    'a server that is not there',
    ['listen', '-f', '1', '--server', `127.0.0.1:${closedPort}`],
    () => ({}),
    4,
    /--server/,
  ],
  ['a type that is none', ['listen', '-f', '1', '-e', 'lead.creatd'], () => ({}), 2, /--events: .*lead\.created/],
  ['a webhook that is none', ['listen', '-f', '1', '--webhook', 'whk_1'], () => ({}), 2, /--webhook: must be the id/],
  ['an event that cannot be made', ['trigger', 'message.lost'], () => ({}), 2, /message\.delivered/],
  ['a trigger in live mode', ['trigger', 'lead.created'], () => ({ TANDEM_KEY: t.main.liveKey }), 3, /Use a test key/],
  ['a test without a listener', ['trigger', 'webhook.test'], () => ({}), 1, /Start tandem listen/],
]
for (const [name, args, env, code, says] of wrong) {
  test(`wrong: ${name}`, async () => {
    const program = start(args, env())
    assert.equal(await program.ended, code, program.stderr())
    assert.match(program.stderr(), says)
    assert.doesNotMatch(program.stderr(), /\n {4}at /, 'no stack')
  })
}

test('wrong: a key without the scope', async () => {
  const as = t.main.tokens.Admin
  const body = { name: 'reads', mode: 'test', scopes: ['webhooks:read'] }
  const { json } = await t.call('POST', '/v2/auth/api-keys', { as, body })
  const program = start(['listen', '-f', '1', '--key', json.data.secret])
  assert.equal(await program.ended, 3)
  assert.match(program.stderr(), /webhooks:manage/)
})

test('trigger makes each event that it names', async () => {
  const { program } = await listening()
  const make = async (type: string) => {
    const made = start(['trigger', type, '--json'])
    assert.equal(await made.ended, 0, `${type}: ${made.stdout()}${made.stderr()}`)
    assert.equal((await made.line('triggered')).type, type)
  }
  for (let n = 0; n < triggers.length; n += 6) await Promise.all(triggers.slice(n, n + 6).map(make))
  const missing = () => triggers.filter(type => !program.lines().some(line => line.type === type))
  // A call rings for 30 seconds until nobody answered it, and a text expires.
  await eventually('all of them', () => missing().length === 0, { withinMs: 90_000 }).catch(() =>
    assert.deepEqual(missing(), []),
  )
  assert.ok(receiver.received.every(({ verified }) => verified))
})

test('a thousand events at once arrive once each', async () => {
  const { ready } = await listening()
  const scope = { tenantId: t.main.testTenantId, organizationId: t.main.organizationId }
  const events = Array.from({ length: 1_000 }, (_, n) => {
    return { type: 'lead.updated' as const, resourceId: `lead ${n}`, sequence: 1, data: {} }
  })
  await t.app.services.db.inTenant(scope, tx => emit(tx, scope, ...events))
  await eventually('all of them', () => receiver.received.length >= 1_000, { withinMs: 60_000 })
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1_000)
  await eventually('all answers', async () => {
    const { json } = await t.call('GET', `/v2/webhooks/listeners/${ready.listenerId}`, { as: t.main.testKey })
    return json.data.waiting === 0
  })
  assert.equal(receiver.received.length, 1_000)
})

test('packed, installed and run by npx, it depends on nothing', async () => {
  const project = mkdtempSync(join(tmpdir(), 'tandem-cli-'))
  try {
    writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }')
    const env = { PATH: process.env['PATH'], HOME: project, npm_config_cache: join(project, '.npm') }
    const npm = (file: string, args: string[], cwd: string) => run(file, args, { cwd, env })
    await npm('npm', ['pack', '--silent', '-w', '@tandem/cli', '--pack-destination', project], root)
    const tarball = readdirSync(project).find(name => name.endsWith('.tgz'))
    await npm('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], project)
    assert.deepEqual(readdirSync(join(project, 'node_modules/@tandem')), ['cli'])
    const installed = join(project, 'node_modules/@tandem/cli')
    assert.deepEqual(readdirSync(installed).sort(), ['README.md', 'dist', 'package.json'])
    assert.equal(JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')).dependencies, undefined)
    const { stdout } = await npm('npx', ['@tandem/cli', 'listen', '--help'], project)
    assert.match(stdout, /--forward-to/)
    const program = tandem(
      ['listen', '--json', '-f', receiver.address],
      { TANDEM_KEY: t.main.testKey, TANDEM_URL: server },
      join(installed, 'dist/tandem.js'),
    )
    running.push(program)
    const ready = await program.line('ready')
    secret = ready.secret
    await makeLead()
    assert.equal((await program.line('forwarded')).status, 200)
  } finally {
    rmSync(project, { recursive: true, force: true })
  }
})
