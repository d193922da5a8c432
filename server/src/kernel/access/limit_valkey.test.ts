// Guards: the script in Valkey decides exactly like the limiter in memory, two nodes share one quota, and a Valkey that
// is away, silent or restarted costs one warning, no wrong answer, no wait, and is taken up again by itself.
// Needs a valkey-server or redis-server in PATH.
// test: waits
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { Redis } from 'ioredis'
import { freePort } from '../../../../scripts/testing/free_port.ts'
import { atOnce } from '../../../test/eventually.ts'
import { createMemoryLimiters } from './limit.ts'
import { createMemoryLimiter } from './limit_memory.ts'
import { createValkeyLimiter } from './limit_valkey.ts'

const program = ['valkey-server', 'redis-server'].find(name => spawnSync(name, ['--version']).status === 0)
const needs = {
  skip: program === undefined && 'NOT TESTED: shared rate limits need valkey-server or redis-server in PATH',
  timeout: 60_000,
}
if (program === undefined) console.error('Install redis-server or valkey-server to test the shared rate limits.')

const START_MS = Date.UTC(2026, 10, 21, 8, 44, 0)

// A server of its own: no file is written, and it ends with the test.
async function startValkey(t: TestContext, port: number): Promise<ChildProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-valkey-'))
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', folder]
  const child = spawn(program!, options, { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(async () => {
    await stop(child)
    rmSync(folder, { recursive: true, force: true })
  })
  await new Promise<void>((resolve, reject) => {
    let output = ''
    child.stdout!.on('data', chunk => {
      output += chunk
      if (/ready to accept connections/i.test(output)) resolve()
    })
    child.once('exit', () => reject(new Error(output)))
    child.once('error', reject)
  })
  return child
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise(resolve => child.once('exit', resolve))
  child.kill('SIGKILL')
  await ended
}

function recordingLog() {
  const lines: string[] = []
  return {
    lines,
    info: (_: Record<string, unknown>, message: string) => lines.push(`info ${message}`),
    warn: ({ reason }: Record<string, unknown>, message: string) => lines.push(`warn ${message}, ${reason}`),
    counts: () => [
      lines.filter(line => line.startsWith('warn')).length,
      lines.filter(line => line.startsWith('info')).length,
    ],
  }
}

function connect(t: TestContext, port: number, more: Partial<Parameters<typeof createValkeyLimiter>[0]> = {}) {
  const log = recordingLog()
  const fallback = createMemoryLimiter()
  const limiter = createValkeyLimiter({ url: `redis://127.0.0.1:${port}`, log, fallback, probeMs: 50, ...more })
  t.after(() => limiter.close())
  return { limiter, log, fallback }
}

async function until(what: string, condition: () => boolean): Promise<void> {
  for (let i = 0; i < 400; i++) {
    if (condition()) return
    await sleep(25)
  }
  assert.fail(`waited 10 s for: ${what}`)
}

test('the script decides exactly like the limiter in memory, at any alignment and over clock steps', needs, async t => {
  const port = await freePort()
  await startValkey(t, port)
  const { limiter, log } = connect(t, port, { time: 'caller' })
  const gap = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 3000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 70_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: -100_000, max: 0 }) },
    { weight: 1, arbitrary: fc.constantFrom(59_999, 60_000, 60_001, 60_999, 61_000, 61_001) },
  )
  let run = 0
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 999 }),
      fc.integer({ min: 1, max: 8 }),
      // The window of requests, a longer and a shorter one.
      fc.constantFrom(60, 600, 4.8),
      fc.array(fc.tuple(gap, fc.integer({ min: 0, max: 9 })), { minLength: 1, maxLength: 60 }),
      async (offsetMs, limit, window, steps) => {
        const memory = createMemoryLimiters()
        const key = `run ${run++}`
        let ms = START_MS + offsetMs
        for (const [gapMs, cost] of steps) {
          ms += gapMs
          const asked = [key, limit, ms, cost, window] as const
          assert.deepEqual(await limiter.take(...asked), memory.take(...asked))
        }
      },
    ),
    { numRuns: 150 },
  )
  assert.deepEqual(log.lines, [])
})

test('two nodes share one quota, on the clock of Valkey, and the keys go away by themselves', needs, async t => {
  const port = await freePort()
  await startValkey(t, port)
  const [a, b] = [connect(t, port, { windowSeconds: 1 }), connect(t, port, { windowSeconds: 1 })]
  // Clocks of nodes that disagree by an hour must not matter.
  const ask = (i: number) =>
    i % 2 === 0 ? a.limiter.take('k', 10, START_MS) : b.limiter.take('k', 10, START_MS + 3_600_000)
  const first = await Promise.all(Array.from({ length: 40 }, (_, i) => ask(i)))
  const passed = first.filter(decision => decision.allowed)
  assert.equal(passed.length, 10)
  const refused = first.find(decision => !decision.allowed)!
  assert.ok(refused.retryAfterSeconds >= 1 && refused.retryAfterSeconds <= 2)
  await sleep(2100)
  assert.equal((await ask(0)).remaining, 9)
  const direct = new Redis(port)
  t.after(() => direct.disconnect())
  const life = await direct.ttl('tandem:limit:k')
  assert.ok(life > 0 && life <= 3, `lives ${life} s`)
  assert.deepEqual([...a.log.lines, ...b.log.lines], [])
})

test(
  'killed in mid-run: memory goes on with what it saw; started again: shared again; one line each',
  needs,
  async t => {
    const port = await freePort()
    const server = await startValkey(t, port)
    const { limiter, log } = connect(t, port)
    const nowMs = Date.now()
    for (let i = 0; i < 60; i++) assert.equal((await limiter.take('k', 100, nowMs)).remaining, 99 - i)
    await stop(server)
    const during = await Promise.all(Array.from({ length: 60 }, () => limiter.take('k', 100, nowMs)))
    assert.equal(during.filter(decision => decision.allowed).length, 40, 'no second quota')
    assert.ok(during.at(-1)!.retryAfterSeconds > 0)
    await sleep(300)
    const others = Array.from({ length: 1000 }, (_, i) => limiter.take(`other ${i}`, 5, nowMs))
    await atOnce('a server known to be away', Promise.all(others))
    assert.deepEqual(log.counts(), [1, 0])

    await startValkey(t, port)
    await until('recovery', () => log.counts()[1] === 1)
    assert.equal((await limiter.take('fresh', 100, nowMs)).remaining, 99)
    const other = connect(t, port)
    assert.equal((await other.limiter.take('fresh', 100, nowMs)).remaining, 98, 'shared again')
    assert.deepEqual(log.counts(), [1, 1])
  },
)

test(
  'a silent Valkey delays a request by the time limit, once, and is taken up when it speaks again',
  needs,
  async t => {
    const port = await freePort()
    const server = await startValkey(t, port)
    const { limiter, log } = connect(t, port, { timeoutMs: 200 })
    await limiter.take('k', 100, Date.now())
    server.kill('SIGSTOP')
    t.after(() => server.kill('SIGCONT'))
    const before = performance.now()
    const decision = await limiter.take('k', 100, Date.now())
    const waitedMs = performance.now() - before
    assert.equal(decision.remaining, 98)
    assert.ok(waitedMs >= 190 && waitedMs < 1000, `${waitedMs} ms`)
    await atOnce('a silent server', limiter.take('k', 100, Date.now()))
    await sleep(1000)
    assert.deepEqual(log.counts(), [1, 0])
    server.kill('SIGCONT')
    await until('recovery', () => log.counts()[1] === 1)
    const other = connect(t, port)
    await limiter.take('shared', 100, Date.now())
    assert.equal((await other.limiter.take('shared', 100, Date.now())).remaining, 98)
  },
)

test('a Valkey that answers but cannot count is away too, until it can; one warning', needs, async t => {
  const port = await freePort()
  await startValkey(t, port)
  const { limiter, log } = connect(t, port)
  const direct = new Redis(port)
  t.after(() => direct.disconnect())
  await limiter.take('k', 100, Date.now())
  await direct.replicaof('127.0.0.1', '1')
  assert.equal((await limiter.take('k', 100, Date.now())).remaining, 98)
  await sleep(500)
  assert.deepEqual(log.counts(), [1, 0])
  await direct.replicaof('NO', 'ONE')
  await until('recovery', () => log.counts()[1] === 1)
})

test(
  'no Valkey at the start: requests pass by memory after one warning, and Valkey is taken up when it comes',
  needs,
  async t => {
    const port = await freePort()
    const { limiter, log } = connect(t, port)
    const decisions = await Promise.all(Array.from({ length: 3 }, () => limiter.take('k', 2, Date.now())))
    assert.deepEqual(
      decisions.map(decision => decision.allowed),
      [true, true, false],
    )
    assert.deepEqual(log.counts(), [1, 0])
    assert.match(log.lines[0] ?? '', /ECONNREFUSED/, 'a refused connection is not waited for')
    await startValkey(t, port)
    await until('recovery', () => log.counts()[1] === 1)
    limiter.close()
    assert.equal((await limiter.take('closed', 2, Date.now())).allowed, true)
    assert.deepEqual(log.counts(), [1, 1], 'closing is no outage')
  },
)
