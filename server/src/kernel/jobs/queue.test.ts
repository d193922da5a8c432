// Lanes of a queue: what falls due while one of them is busy, and how a queue comes to its end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { silentLog } from '../../../test/cluster.ts'
import { eventually } from '../../../test/eventually.ts'
import { type QueueOptions, startQueue } from './queue.ts'

/** A queue over a list in memory; rows named `slow` take until `release` is called. */
function memoryQueue(options: Partial<QueueOptions<string>> = {}) {
  const due: string[] = []
  const begun: string[] = []
  const ended: string[] = []
  const slow = Promise.withResolvers<void>()
  let token = 0
  let claims = 0
  const queue = startQueue<string>(
    {
      name: 'memory',
      batch: 1,
      lanes: 2,
      pollMs: 10,
      async claim(_, limit) {
        claims++
        return due.splice(0, limit)
      },
      async work(rows) {
        begun.push(...rows)
        if (rows.includes('slow')) await slow.promise
        ended.push(...rows)
      },
      ...options,
    },
    { log: silentLog, newToken: () => `token ${++token}` },
  )
  return { queue, due, begun, ended, release: () => slow.resolve(), claims: () => claims }
}

test('what falls due while a lane is busy is begun by another one, though nobody says so', async () => {
  const { queue, due, begun, ended, release } = memoryQueue()
  due.push('slow')
  await eventually('the slow one has begun', () => begun.includes('slow'))
  due.push('later')
  await eventually('the later one has ended', () => ended.includes('later'))
  assert.deepEqual(ended, ['later'])
  release()
  await queue.stop()
  assert.deepEqual(ended, ['later', 'slow'])
})

test('a queue of one lane does one thing at a time', async () => {
  const { queue, due, begun, release, claims } = memoryQueue({ lanes: 1 })
  due.push('slow', 'later')
  await eventually('the slow one has begun', () => begun.includes('slow'))
  const before = claims()
  queue.wake()
  await sleep(60)
  assert.deepEqual([begun, claims()], [['slow'], before])
  release()
  await eventually('the other one has begun', () => begun.includes('later'))
  await queue.stop()
})

test('a poll does not add to a claim that hangs', async () => {
  let claims = 0
  const hanging = Promise.withResolvers<string[]>()
  const { queue } = memoryQueue({
    lanes: 8,
    claim: () => {
      claims++
      return hanging.promise
    },
  })
  await eventually('it claims', () => claims > 0)
  await sleep(60)
  assert.equal(claims, 1)
  hanging.resolve([])
  await queue.stop()
})

test('its end begins with `stopping`, while work is under way, and ends with `closed`, each once', async () => {
  const steps: string[] = []
  const { queue, due, begun, ended, release } = memoryQueue({
    stopping() {
      steps.push(`stopping, ended ${ended.length}`)
      release()
    },
    async closed() {
      steps.push(`closed, ended ${ended.length}`)
    },
  })
  due.push('slow')
  await eventually('it has begun', () => begun.includes('slow'))
  const first = queue.stop()
  assert.deepEqual(steps, ['stopping, ended 0'], 'at once')
  due.push('never')
  queue.wake()
  await Promise.all([first, queue.stop()])
  assert.deepEqual(steps, ['stopping, ended 0', 'closed, ended 1'])
  assert.deepEqual(begun, ['slow'])
})

test('a `stopping` that fails keeps nobody from the end, and one that takes its time is waited for', async () => {
  let closed = 0
  const closing = async () => void closed++
  const failing = memoryQueue({
    stopping() {
      throw new Error('no')
    },
    closed: closing,
  })
  await failing.queue.stop()
  assert.equal(closed, 1)
  const slow = Promise.withResolvers<void>()
  const waiting = memoryQueue({ stopping: () => slow.promise, closed: closing })
  const stopped = waiting.queue.stop()
  await sleep(20)
  assert.equal(closed, 1)
  slow.resolve()
  await stopped
  assert.equal(closed, 2)
})

test('a queue that fails says so once, and once when it works again', async () => {
  const lines: string[] = []
  const log = {
    ...silentLog,
    error: (fields: { failures: number }) => void lines.push(`failed ${fields.failures}`),
    info: (fields: { queue: string }, text: string) => void lines.push(`${fields.queue} ${text}`),
  } as unknown as typeof silentLog
  let isBroken = true
  let claims = 0
  const queue = startQueue<string>(
    {
      name: 'broken',
      pollMs: 5,
      async claim() {
        claims++
        if (isBroken) throw new Error('the database is away')
        return []
      },
      async work() {},
    },
    { log, newToken: () => 'token' },
  )
  await eventually('it fails some times', () => claims > 3)
  isBroken = false
  await eventually('it works again', () => lines.some(line => line.includes('again')))
  const after = claims
  await eventually('it goes on', () => claims > after + 2)
  await queue.stop()
  assert.deepEqual(lines, ['failed 1', 'broken queue works again'])
})

test('where nothing is going on a queue looks every two seconds, and at once when something is', async () => {
  let claims = 0
  let isQuiet = true
  let stirs = 0
  const due: string[] = []
  const queue = startQueue<string>(
    {
      name: 'quiet',
      pollMs: 20,
      async claim() {
        claims++
        return due.splice(0)
      },
      async work() {},
    },
    { log: silentLog, newToken: () => 'token', isQuiet: () => isQuiet, stirred: () => void stirs++ },
  )
  await sleep(600)
  assert.ok(claims <= 1, `it looked ${claims} times in 0.6 s`)
  due.push('row')
  queue.wake()
  await eventually('by the wake and by the row', () => stirs === 2)
  isQuiet = false
  const before = claims
  await eventually('it looks often again', () => claims > before + 5, { withinMs: 5_000 })
  await queue.stop()
})
