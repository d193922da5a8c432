// What every event stream inherits, on a bare server with small bounds: heartbeats that carry the place to resume from,
// the cut for who does not read, limits, and the end that comes with the credential's.
// test: waits
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../test/eventually.ts'
import { Problem } from '../values/problem.ts'
import { createStreams, type Holder, type Opening, type Sink, type StreamOptions, type Streams } from './stream.ts'

const principal: Holder = {
  tenantId: 1,
  userId: 1,
  role: 'Admin',
  custom: null,
  permissions: new Set(['requests:read']),
}
const servers: Server[] = []
after(() => {
  for (const server of servers) server.close().closeAllConnections()
})

type Bench = {
  streams: Streams
  /** Sinks of the streams that began, and how often a source was stopped. */
  sinks: Sink[]
  stopped(): number
  /** How many pieces were handed to sockets. */
  pieces(): number
  problems: Problem[]
  connect(): Promise<{ socket: Socket; text(): string; closed: Promise<void> }>
}

async function bench(
  options: Partial<StreamOptions> = {},
  holder = () => principal,
  kind?: () => 'phone' | undefined,
): Promise<Bench> {
  const streams = createStreams({ clock: { now: () => 0 }, authenticate: () => principal, ...options })
  const sinks: Sink[] = []
  const problems: Problem[] = []
  let stopped = 0
  let pieces = 0
  const server = createServer((_request, response) => {
    const opening: Opening = {
      principal: holder(),
      credential: 'a credential',
      source: {
        ...(kind?.() && { kind: 'phone' as const }),
        start: sink => void sinks.push(sink),
        stop: () => void stopped++,
        lastId: () => 'the place',
      },
      begin() {
        const write = response.write.bind(response) as (text: string) => boolean
        response.write = (text: string) => {
          pieces++
          return write(text)
        }
        return response.writeHead(200, { 'content-type': 'text/event-stream' })
      },
    }
    try {
      streams.open(opening)
    } catch (error) {
      problems.push(error as Problem)
      response.writeHead((error as Problem).entry.status).end()
    }
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    streams,
    sinks,
    stopped: () => stopped,
    pieces: () => pieces,
    problems,
    async connect() {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
      let text = ''
      socket.on('data', chunk => {
        text += chunk
      })
      socket.on('error', () => {})
      socket.write('GET / HTTP/1.0\r\n\r\n')
      const before = sinks.length + problems.length
      const closed = new Promise<void>(resolve => socket.once('close', () => resolve()))
      while (sinks.length + problems.length === before) await sleep(5)
      return { socket, text: () => text, closed }
    },
  }
}

test('a silent stream beats, and each beat moves the place to resume from', async () => {
  const { connect, streams } = await bench({ heartbeatMs: 600 })
  const startedMs = performance.now()
  const { text, socket } = await connect()
  const beats = () => text().split(': still here\nid: the place\n\n').length - 1
  await eventually('the second beat', () => beats() >= 2)
  assert.ok(performance.now() - startedMs > 2 * 600 - 10, text())
  assert.match(text(), /\r\n\r\nretry: 2000\n\n/)
  socket.destroy()
  while (streams.count() > 0) await sleep(5)
})

test('who does not read is cut; what waits for him is bounded; its source is stopped once', async () => {
  const { connect, sinks, streams, stopped } = await bench({ maxWaitingBytes: 100_000 })
  const { socket, closed } = await connect()
  socket.pause()
  const [sink] = sinks as [Sink]
  const data = JSON.stringify('x'.repeat(50_000))
  let sent = 0
  // The operating system takes some megabytes before anything waits.
  for (; !sink.ended && sent < 2_000; sent++) {
    sink.send({ event: 'event', data })
    await sleep(0)
  }
  assert.ok(sink.ended, 'cut')
  await sink.drained()
  await sleep(0)
  assert.equal(streams.count(), 0)
  assert.equal(stopped(), 1)
  sink.send({ event: 'event', data })
  sink.end('again')
  assert.equal(stopped(), 1)
  socket.resume()
  await closed
})

test('when too much waits for all together, those for whom most waits are cut', async () => {
  const { connect, sinks, streams } = await bench({ maxWaitingBytesOfAll: 1_000_000 })
  const lazy = await connect()
  const lively = await connect()
  lazy.socket.pause()
  const data = JSON.stringify('x'.repeat(50_000))
  const [first, other] = sinks as [Sink, Sink]
  // Below the bound of a single stream, above that of all.
  while (!first.ended) {
    first.send({ event: 'event', data })
    other.send({ event: 'event', data: '1' })
    await sleep(1)
  }
  assert.equal(other.ended, false)
  assert.equal(streams.count(), 1)
  lazy.socket.destroy()
  lively.socket.destroy()
  while (streams.count() > 0) await sleep(5)
})

test('streams beyond the limit of a user or of the node are refused, and their source is stopped', async () => {
  let userId = 1
  const { connect, problems, stopped, streams } = await bench(
    { perUser: 2, quota: { total: 3, tenant: 3, testTenant: 1, tests: 1 } },
    () => ({
      ...principal,
      userId,
    }),
  )
  const one = await connect()
  await connect()
  await connect()
  assert.deepEqual(
    problems.map(({ code }) => code),
    ['too_many_streams'],
  )
  assert.equal(stopped(), 1)
  userId = 2
  await connect()
  await connect()
  assert.equal(problems.length, 2, 'the node takes three')
  one.socket.destroy()
  while (streams.count() > 2) await sleep(5)
  await connect()
  assert.equal(problems.length, 2)
  streams.close()
  await sleep(5)
  assert.equal(streams.count(), 0)
  await connect()
  assert.equal(problems.at(-1)?.code, 'unavailable', 'none opens any more')
})

test('the credential is asked for once a round for all its streams, and a refusal ends them with its code', async () => {
  let asked = 0
  let answer: () => typeof principal = () => principal
  const { connect, sinks, streams } = await bench({
    authenticate: () => {
      asked++
      return answer()
    },
  })
  const all = await Promise.all([connect(), connect(), connect()])
  asked = 0
  const startedMs = performance.now()
  await sleep(1_250)
  await eventually('a round', () => asked > 0)
  const rounds = 1 + (performance.now() - startedMs) / 500
  assert.ok(asked <= rounds, `asked ${asked} times in ${rounds} rounds`)
  answer = () => {
    throw new Problem('unavailable')
  }
  await sleep(700)
  assert.ok(
    sinks.every(sink => !sink.ended),
    'a database that is away ends nothing',
  )
  answer = () => ({ ...principal, permissions: new Set() })
  await Promise.all(all.map(({ closed }) => closed))
  for (const { text } of all) assert.match(text(), /event: end\ndata: \{"reason":"permissions_changed"\}\n\n$/)
  assert.equal(streams.count(), 0)
})

test('the streams of tests leave room for the live mode, and no stream keeps a telephone from its own', async () => {
  let who: Holder = { ...principal, tenantId: 2, mode: 'test' }
  let kind: 'phone' | undefined
  const { connect, problems, streams } = await bench(
    { perUser: 3, quota: { total: 4, tenant: 3, testTenant: 2, tests: 2 } },
    () => who,
    () => kind,
  )
  for (let n = 0; n < 3; n++) await connect()
  assert.deepEqual([streams.count(), problems.length], [2, 1], 'the test tenant has its share')
  who = { ...principal, tenantId: 3, mode: 'test' }
  await connect()
  assert.equal(problems.length, 2, 'and tests together have theirs')
  who = { ...principal, userId: 2, mode: 'live' }
  await connect()
  await connect()
  assert.deepEqual([streams.count(), problems.length], [4, 2], 'the live mode has room')
  await connect()
  assert.equal(problems.length, 3, 'the node is full')
  kind = 'phone'
  await connect()
  assert.deepEqual([streams.count(), problems.length], [5, 3], 'a telephone still connects')
  streams.close()
})

test('what is said in one turn of the event loop leaves in one piece, in its order, and before the end', async () => {
  const { connect, sinks, streams, pieces } = await bench()
  const { text, closed } = await connect()
  const [sink] = sinks as [Sink]
  await sleep(20)
  const before = pieces()
  for (let n = 0; n < 100; n++) sink.send({ event: 'event', data: String(n) })
  await sleep(20)
  assert.equal(pieces() - before, 1)
  for (let n = 100; n < 200; n++) sink.send({ event: 'event', data: String(n) })
  sink.end('enough')
  await closed
  assert.equal(
    [...text().matchAll(/event: event\ndata: (\d+)\n\n/g)].map(([, n]) => n).join(),
    [...Array(200).keys()].join(),
  )
  assert.match(text(), /data: 199\n\nevent: end\ndata: \{"reason":"enough"\}\n\n$/)
  assert.equal(streams.count(), 0)
})
