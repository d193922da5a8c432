// A whole server whose database is killed, and whose disk runs full, while texts are sent to it: requests are refused with 503 and
// Retry-After, it says that it is not ready, logs it once, loses nothing that it acknowledged, and goes on by itself.
// test: programs
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshFolder, postmasterOf, soon, startServer } from './server_process.ts'

const volume = freshFolder()
const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=400m', 'tmpfs', volume]).status === 0
const noVolume = mounted ? false : 'only root may mount a small tmpfs'
after(() => {
  if (mounted) spawnSync('umount', ['-l', volume])
})

const dataDir = join(volume, 'data')
// The server outlives each of the tests: it ends with the file.
const server = await startServer({ after } as unknown as TestContext, {
  env: { TANDEM_DATA: dataDir, TANDEM_RATE_LIMIT_KEY: '1000000', TANDEM_RATE_LIMIT_IP: '1000000' },
})
const key = /Test API key +(\S+)/.exec(server.stdout())![1]!
mkdirSync(join(volume, 'ballast'), { recursive: true })

type Load = { acknowledged: Map<string, string>; refused: number; without: number; stop(): Promise<void> }

/** Sends texts, four at a time, each under its own key and again until it is acknowledged. */
function sendTexts(): Load {
  const load: Load = { acknowledged: new Map(), refused: 0, without: 0, stop }
  let isStopping = false
  let sent = 0
  async function stop() {
    isStopping = true
    await lanes
  }
  async function send(idempotencyKey: string): Promise<void> {
    const body = JSON.stringify({ from: '+15005550006', to: '+15005550100', body: `Text ${idempotencyKey}` })
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': idempotencyKey,
    }
    while (!isStopping) {
      const answer = await fetch(`${server.address}/v2/messages/sms`, { method: 'POST', headers, body })
      const { messageId } = (await answer.json()) as { messageId: string }
      if (answer.status === 200) return void load.acknowledged.set(idempotencyKey, messageId)
      assert.equal(answer.status, 503)
      load.refused++
      if (answer.headers.get('retry-after') === null) load.without++
      await sleep(50)
    }
  }
  const lanes = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (!isStopping) await send(`order-${process.pid}-${sent++}`)
    }),
  )
  return load
}

async function readiness(): Promise<string> {
  const answer = await fetch(`${server.address}/readyz`)
  const { status, reason } = (await answer.json()) as { status: string; reason?: string }
  assert.equal(answer.status, status === 'ready' ? 200 : 503)
  return reason ?? status
}

/** Everything that was acknowledged is there, once. */
async function keepsAll({ acknowledged }: Load): Promise<void> {
  assert.equal(new Set(acknowledged.values()).size, acknowledged.size)
  for (const id of acknowledged.values()) {
    const answer = await fetch(`${server.address}/v2/messages/${id}`, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(answer.status, 200, id)
    await answer.arrayBuffer()
  }
}

/** Lines of the log since a length of its text, at level warn or above. */
function complaints(since: number): string[] {
  return server
    .stdout()
    .slice(since)
    .split('\n')
    .filter(line => /"level":"(warn|error|fatal)"/.test(line))
}

test('the database is killed: 503 with Retry-After, not ready, started again, nothing lost', async t => {
  const since = server.stdout().length
  const load = sendTexts()
  t.after(load.stop)
  assert.ok(await soon(() => load.acknowledged.size > 20))
  process.kill(postmasterOf(dataDir), 'SIGKILL')
  assert.ok(await soon(() => load.refused > 0), 'nothing was refused')
  assert.notEqual(await readiness(), 'ready')
  const before = load.acknowledged.size
  assert.ok(await soon(() => load.acknowledged.size > before + 20), 'it does not come back')
  await load.stop()
  assert.ok(await soon(async () => (await readiness()) === 'ready'), 'it is not ready again')
  assert.equal(load.without, 0, 'an answer without Retry-After')
  await keepsAll(load)
  // Of this process and of the one of calls: the end, and that the database does not answer.
  const reported = complaints(since)
  assert.ok(reported.length > 0 && reported.length <= 6, reported.join('\n'))
})

test('the disk is full: 503 with Retry-After, not ready, one line, and back by itself', {
  skip: noVolume,
}, async t => {
  const load = sendTexts()
  t.after(load.stop)
  assert.ok(await soon(() => load.acknowledged.size > 20))
  const since = server.stdout().length
  const { bavail, bsize } = statfsSync(volume)
  const ballast = join(volume, 'ballast', 'full')
  const file = openSync(ballast, 'w')
  try {
    for (let left = bavail * bsize; left > 0; left -= bsize) writeSync(file, Buffer.alloc(bsize))
  } catch {
    // The database took the last page.
  } finally {
    closeSync(file)
  }
  assert.ok(await soon(() => load.refused > 50), `nothing is refused after ${load.acknowledged.size} texts`)
  assert.match(await readiness(), /disk|does not answer/)
  const reported = complaints(since)
  assert.ok(
    reported.length > 0 && reported.length <= 6,
    `${reported.length} lines for ${load.refused} refusals:\n${reported.slice(0, 20).join('\n')}`,
  )
  assert.ok(!reported.some(line => line.includes('request failed')), reported.join('\n'))
  rmSync(ballast)
  const before = load.acknowledged.size
  assert.ok(await soon(() => load.acknowledged.size > before + 20), 'it does not come back')
  await load.stop()
  assert.ok(await soon(async () => (await readiness()) === 'ready'), 'it is not ready again')
  assert.equal(load.without, 0, 'an answer without Retry-After')
  await keepsAll(load)
})
