// A drill: a server under load is backed up while it runs, killed, and restored elsewhere. All that was acknowledged before the backup is
// there; nothing leaves before that was said; and nothing goes out twice.
// test: programs
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { after, before, describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { readMessage } from '@tandem/smpp'
import { plannedBackups } from '../src/planned_backups.ts'
import { eventually } from './eventually.ts'
import { testRootKey, testRootSource } from './root_key.ts'
import { endServer, freshFolder, postmasterOf, type ReadyServer, spawnServer, startServer } from './server_process.ts'
import { startSmsc, type TestSmsc } from './smsc.ts'
import { type Sink, startSink } from './smtp_sink.ts'
import { type Receiver, startReceiver } from './webhooks.ts'

const passphrase = 'correct horse battery staple'

let smsc: TestSmsc
let sink: Sink
let receiver: Receiver
before(async () => {
  smsc = await startSmsc()
  sink = await startSink()
  receiver = await startReceiver()
})
after(() => Promise.all([smsc?.close(), sink?.close(), receiver?.close()]))

const envOf = (dataDir: string) => ({
  TANDEM_DATA: dataDir,
  TANDEM_SMTP_URL: sink.url,
  TANDEM_MAIL_FROM: 'Drill <office@example.com>',
  TANDEM_MAIL_PER_MINUTE: '1000000',
  TANDEM_EGRESS_ALLOW: '127.0.0.0/8',
  TANDEM_EGRESS_HTTP: '1',
  TANDEM_RATE_LIMIT_IP: '1000000',
  TANDEM_RATE_LIMIT_KEY: '1000000',
})

/** Runs a command to its end. */
async function command(t: TestContext, env: Record<string, string>, ...args: string[]) {
  const program: [string, ...string[]] = [process.execPath, 'server/src/main.ts', ...args]
  return spawnServer(t, { env, program }).ended
}

type Client = { call(method: string, path: string, body?: object | string): Promise<Record<string, never>> }

function clientOf({ address }: ReadyServer, key: string): Client {
  return {
    async call(method, path, body) {
      const type = typeof body === 'string' ? 'application/octet-stream' : 'application/json'
      const answer = await fetch(`${address}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { 'content-type': type }) },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return (text.startsWith('{') ? JSON.parse(text) : { text }) as Record<string, never>
    },
  }
}

/** Words of what left, each as often as it left. */
const textsOut = () => smsc.submitted.map(pdu => readMessage(pdu).text ?? '')
const mailsOut = () => sink.mails.map(({ raw }) => /^Subject: (.*)$/m.exec(raw.toString())?.[1] ?? '')
const counts = () => [smsc.submitted.length, sink.mails.length, receiver.received.length]

type Acknowledged = { kind: 'lead' | 'text' | 'mail'; id: string; word: string; atMs: number }

/** Work of a busy day until it is asked to stop: what was acknowledged, and when. */
function startLoad({ call }: Client, from: string) {
  const acknowledged: Acknowledged[] = []
  let isOver = false
  const send = async (kind: Acknowledged['kind'], word: string): Promise<string> => {
    if (kind === 'lead')
      return (await call('POST', '/v1/api/leads', { name: word, email: `${word}@example.com` }))['lead']!['id']
    if (kind === 'text')
      return (await call('POST', '/v2/messages/sms', { from, to: '+4915199999999', body: word }))['messageId']!
    const mail = { to: [{ address: 'ada@example.com' }], subject: word, text: 'Hello.' }
    return (await call('POST', '/v2/mails', mail))['data']!['mailId']
  }
  const lane = async (kind: Acknowledged['kind']) => {
    for (let at = 1; !isOver; at++) {
      const word = `${kind}${at}`
      const id = await send(kind, word).catch(error => {
        if (!isOver) throw error
      })
      if (id !== undefined) acknowledged.push({ kind, id, word, atMs: performance.now() })
    }
  }
  const lanes = Promise.all((['lead', 'text', 'mail'] as const).map(lane))
  lanes.catch(() => {})
  return {
    acknowledged,
    async stop() {
      isOver = true
      await lanes
    },
  }
}

async function killAll(server: ReadyServer, dataDir: string): Promise<void> {
  const postmaster = postmasterOf(dataDir)
  await endServer(server, 'SIGKILL')
  process.kill(postmaster, 'SIGKILL')
}

/** Of two backups by schedule the newer one stays; those of others, and those by hand, are nobody's to remove. */
async function rotates(where: { data: string; shelf: string; recipient: string; byHand: string }) {
  const { data, shelf, recipient, byHand } = where
  const [day] = new Date().toISOString().replaceAll('-', '').split('T')
  const foreign = `tandem-${day}T235959Z-abcdef.tar.zst.age`
  writeFileSync(join(shelf, foreign), 'of another installation')
  const endings: unknown[] = []
  const planned = plannedBackups(
    { backupTo: shelf, backupSchedule: '0 2 * * *' },
    {
      ...process.env,
      ...envOf(data),
      TANDEM_BACKUP_TO: shelf,
      TANDEM_BACKUP_RECIPIENT: recipient,
      TANDEM_BACKUP_KEEP: '1d',
    },
    {
      info: ({ backup }: { backup: string }) => void endings.push(basename(JSON.parse(backup).destination)),
      error: (words: object) => void endings.push(words),
    } as never,
  )
  for (const count of [1, 2]) {
    await planned.jobs[0]!.run()
    await eventually('the end of the planned one', () => endings.length === count)
  }
  await planned.stop()
  const shelved = readdirSync(shelf).filter(name => name.startsWith('tandem-'))
  assert.deepEqual(shelved.sort(), [byHand, endings[1], foreign].sort())
}

describe('a backup that is restored', () => {
  test('has all that was acknowledged before it, and nothing of it goes out twice', { timeout: 240_000 }, async t => {
    const [lost, found, shelf] = [freshFolder(), freshFolder(), freshFolder()]
    const passphraseFile = join(shelf, 'passphrase')
    writeFileSync(passphraseFile, `${passphrase}\n`)
    const server = await startServer(t, { env: envOf(lost) })
    const key = /tdm_live_[0-9A-Za-z]{38}/.exec(server.stdout())![0]
    const client = clientOf(server, key)
    const settings = {
      host: '127.0.0.1',
      port: smsc.port,
      systemId: 'tandem',
      password: 'secret',
      segmentsPerSecond: 20,
    }
    await client.call('POST', '/v2/carriers', { kind: 'smpp', name: 'Remote peer', settings })
    const from = '+4930555000'
    await client.call('POST', '/v2/numbers', { number: from })
    await client.call('POST', '/v2/webhooks', { url: receiver.origin, eventTypes: ['message.*'] })
    const { company } = await client.call('POST', '/v1/api/companies', { name: 'Holder' })
    const file = 'As agreed.\n'.repeat(100_000)
    const { attachment } = await client.call(
      'POST',
      `/v1/api/attachments?record_id=${company!['id']}&name=offer.txt`,
      file,
    )

    const load = startLoad(client, from)
    await eventually('some of the load', () => mailsOut().length > 20 && textsOut().length > 20)
    const begunMs = performance.now()
    const made = await command(
      t,
      envOf(lost),
      'backup',
      '--to',
      `${shelf}/`,
      '--passphrase-file',
      passphraseFile,
      '--json',
    )
    assert.equal(made.code, 0, made.stderr)
    const { destination, objects, isSealed } = JSON.parse(made.stdout)
    assert.deepEqual([objects, isSealed], [1, true])
    const [, size] = counts()
    await eventually('more of the load', () => counts()[1]! > size! + 20)
    const stopped = load.stop()
    await killAll(server, lost)
    await stopped

    const restored = await command(
      t,
      envOf(found),
      'restore',
      destination,
      '--passphrase-file',
      passphraseFile,
      '--json',
    )
    assert.equal(restored.code, 0, restored.stderr)
    const { held } = JSON.parse(restored.stdout)
    const waiting = (kind: string) => held.find((one: { kind: string }) => one.kind === kind).waiting
    assert.ok(waiting('messages') > 0, 'some texts waited when the backup was made')

    const before = counts()
    const next = await startServer(t, { env: envOf(found) })
    const again = clientOf(next, key)
    const early = load.acknowledged.filter(({ atMs }) => atMs < begunMs)
    for (const kind of ['lead', 'text', 'mail'] as const)
      assert.ok(
        early.some(one => one.kind === kind),
        kind,
      )
    for (const { kind, id, word } of early) {
      const path = { lead: '/v1/api/leads/', text: '/v2/messages/', mail: '/v2/mails/' }[kind]
      assert.ok(JSON.stringify(await again.call('GET', `${path}${id}`)).includes(word), `${kind} ${id}`)
    }
    const { text } = await again.call('GET', `/v1/api/attachments/${attachment!['id']}/content`)
    assert.equal(createHash('sha256').update(String(text)).digest('hex'), attachment!['sha256'])

    // Time enough for a worker to send all that it may.
    await again.call('POST', '/v2/messages/sms', { from, to: '+4915199999999', body: 'while held' })
    await sleep(3_000)
    assert.deepEqual(counts(), before, 'nothing leaves while it is held')
    const status = await command(t, envOf(found), 'sending', 'status')
    assert.match(status.stdout, /Nothing is sent since .*Restored from the backup of .*\nWaiting: [1-9]\d* texts, /)
    assert.equal((await command(t, envOf(found), 'sending', 'release')).code, 1)
    const released = await command(t, envOf(found), 'sending', 'release', '--waiting', 'expire')
    assert.match(released.stdout, /sent as usual again/, released.stderr ?? '')
    await eventually('the new text', () => textsOut().includes('while held'))
    for (const { kind, id } of early)
      if (kind === 'text')
        await eventually(
          `an end of ${id}`,
          async () => (await again.call('GET', `/v2/messages/${id}`))['data']!['status'] !== 'queued',
        )
    for (const [what, out] of [
      ['texts', textsOut()],
      ['mails', mailsOut()],
    ] as const)
      assert.deepEqual(
        out.filter((word, at) => out.indexOf(word) !== at),
        [],
        `${what} that went out twice`,
      )
    await endServer(next)
  })

  test('is refused by an installation that is in use, and by a wrong passphrase, with the remedy', async t => {
    const [data, other, shelf] = [freshFolder(), freshFolder(), freshFolder()]
    const server = await startServer(t, { env: envOf(data) })
    await endServer(server)
    const unsealed = await command(t, envOf(data), 'backup', '--to', `${shelf}/`)
    assert.deepEqual([unsealed.code, /--recipient or --passphrase-file/.test(unsealed.stderr)], [1, true])
    const { stdout } = await command(t, envOf(data), 'backup', 'keygen')
    const identityFile = join(shelf, 'identity')
    writeFileSync(identityFile, stdout)
    const recipient = /age1\w+/.exec(stdout)![0]
    const made = await command(t, envOf(data), 'backup', '--to', `${shelf}/`, '--recipient', recipient, '--json')
    assert.equal(made.code, 0, made.stderr)
    const { destination } = JSON.parse(made.stdout)
    assert.deepEqual(readdirSync(shelf).filter(name => name.startsWith('tandem-')).length, 1)

    const open = ['--identity-file', identityFile]
    const checked = await command(t, envOf(other), 'restore', destination, ...open, '--check')
    assert.match(checked.stdout, /is whole: \d+ rows, 0 files/)
    const inUse = await command(t, envOf(data), 'restore', destination, ...open)
    assert.equal(inUse.code, 1)
    assert.match(inUse.stderr, /holds the organization .* Set TANDEM_DATA to a new folder/)
    const closed = await command(t, envOf(other), 'restore', destination)
    assert.match(closed.stderr, /is encrypted: name what opens it/)
    const missing = await command(t, envOf(other), 'restore', join(shelf, 'nothing'))
    assert.match(missing.stderr, /cannot be read \(ENOENT\)/)
    const folder = await command(t, envOf(other), 'restore', shelf, ...open)
    assert.match(folder.stderr, /is a folder: name the file in it, for example/)
    const misspelt = await command(t, envOf(other), 'restore', destination, '--passphrase', 'x')
    assert.deepEqual([misspelt.code, misspelt.stderr.includes('Usage: tandem restore')], [2, true])
    await rotates({ data, shelf, recipient, byHand: basename(destination) })
    const listed = await command(t, envOf(data), 'backup', 'list', '--json')
    assert.deepEqual(
      JSON.parse(listed.stdout).backups.map(({ state, is_sealed }: Record<string, unknown>) => [state, is_sealed]),
      Array(3).fill(['done', true]),
    )
  })

  test('says which root key it needs before it loads anything, where a setting gives it', async t => {
    const [data, other, shelf] = [freshFolder(), freshFolder(), freshFolder()]
    const withKey = { ...envOf(data), TANDEM_ROOT_KEY: testRootKey }
    const server = await startServer(t, { env: withKey })
    const key = /tdm_live_[0-9A-Za-z]{38}/.exec(server.stdout())![0]
    await endServer(server)
    const made = await command(t, withKey, 'backup', '--to', `${shelf}/`, '--unsealed', '--json')
    assert.equal(made.code, 0, made.stderr)
    const { destination } = JSON.parse(made.stdout)
    const { fingerprint } = (await testRootSource.read())[0]!
    const checked = await command(t, envOf(other), 'restore', destination, '--check')
    assert.match(checked.stdout, new RegExp(`is whole: .* Its secrets need the root key ${fingerprint}`))
    const refused = await command(t, envOf(other), 'restore', destination)
    assert.deepEqual([refused.code, readdirSync(other)], [1, []], 'nothing was made')
    assert.match(
      refused.stderr,
      new RegExp(`sealed with the root key ${fingerprint}, which is not in it: give it by TANDEM`),
    )
    const restored = await command(t, { ...envOf(other), TANDEM_ROOT_KEY: testRootKey }, 'restore', destination)
    assert.equal(restored.code, 0, restored.stderr)
    const next = await startServer(t, { env: { ...envOf(other), TANDEM_ROOT_KEY: testRootKey } })
    await clientOf(next, key).call('GET', '/v1/api/leads')
    await endServer(next)
  })

  test('made with the own key of an installation is sealed with the key that is set where it goes', async t => {
    const [data, other, shelf] = [freshFolder(), freshFolder(), freshFolder()]
    const server = await startServer(t, { env: envOf(data) })
    const key = /tdm_live_[0-9A-Za-z]{38}/.exec(server.stdout())![0]
    await endServer(server)
    const { stdout } = await command(t, envOf(data), 'backup', '--to', `${shelf}/`, '--unsealed', '--json')
    const env = { ...envOf(other), TANDEM_ROOT_KEY: testRootKey }
    const restored = await command(t, env, 'restore', JSON.parse(stdout).destination)
    assert.equal(restored.code, 0, restored.stderr)
    assert.ok(!readdirSync(other).includes('instance.key'))
    const next = await startServer(t, { env })
    await clientOf(next, key).call('GET', '/v1/api/leads')
    await endServer(next)
  })
})
