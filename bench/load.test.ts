/**
 * Guards the load generator: every request is counted exactly once, as answered or as unknown, whatever the server
 * does with the connection. The durability figures of the benches rest on that count.
 */
import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer as createRawServer } from 'node:net'
import type { TestContext } from 'node:test'
import { test } from 'node:test'
import { createHistogram, percentile, record, summarize } from './histogram.ts'
import type { LoadResult, LoadSettings } from './load.ts'
import { load } from './load.ts'
import { loadInChild } from './load_child.ts'
import { compileTemplate } from './request_template.ts'

const template = { method: 'POST', path: '/echo/{{n:4}}', headers: { 'x-n': '{{n}}' }, body: '{"n":"{{n}}","é":1}' }

async function listen(t: TestContext, server: Server): Promise<LoadSettings & { host: string; port: number }> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port, connections: 8 }
}

/** An HTTP server that reads each body and hands request and body to `answer`. */
function echoServer(answer: (request: IncomingMessage, body: string, response: ServerResponse) => void): Server {
  return createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (piece: string) => {
      body += piece
    })
    request.on('end', () => answer(request, body, response))
  })
}

/** A server on raw sockets: `answer` is called for each complete request, whose body is as long as the template's. */
function rawServer(answer: (socket: Socket, count: number) => void): Server {
  const length = compileTemplate(template, '127.0.0.1:65535')(0).length
  let count = 0
  return createRawServer(socket => {
    let received = 0
    socket.on('data', piece => {
      received += piece.length
      // Ports have four or five digits, so a request is at most one byte shorter.
      if (received < length - 1) return
      received = 0
      count += 1
      answer(socket, count)
    })
  })
}

const run = (settings: LoadSettings) =>
  load({ ...settings, request: compileTemplate(template, `${settings.host}:${settings.port}`) })

const answeredOf = (result: LoadResult) => Object.values(result.answered).reduce((sum, count) => sum + count, 0)

test('statuses are counted exactly, each request arrives once with its own number', async t => {
  const statuses = [200, 201, 404, 500]
  const seen = new Set<string>()
  const sent: Record<string, number> = {}
  const server = echoServer((request, body, response) => {
    const parsed = JSON.parse(body) as { n: string }
    assert.equal(request.headers['x-n'], parsed.n)
    assert.equal(request.url, `/echo/${parsed.n.slice(-4)}`)
    seen.add(parsed.n)
    const status = statuses[Number(parsed.n) % 4]!
    sent[status] = (sent[status] ?? 0) + 1
    response.writeHead(status).end(`answer to ${parsed.n}`)
  })
  const result = await run({ ...(await listen(t, server)), requests: 1003, firstN: 99_990 })
  assert.deepEqual(result.answered, sent)
  assert.deepEqual(result.statuses, sent)
  assert.equal(result.completed, 1003)
  assert.equal(seen.size, 1003)
  assert.ok(seen.has('0000099990'))
  assert.equal(result.nextN, 99_990 + 1003)
  assert.equal(result.succeeded, sent['200']! + sent['201']!)
  assert.equal(result.unexpected, sent['404']! + sent['500']!)
  assert.equal(result.unknown, 0)
  assert.equal(result.samples.length, 3)
  for (const sample of result.samples) assert.match(sample.body, /^answer to \d{10}$/)
  assert.deepEqual(result.errors, { connect: 0, closed: 0, protocol: 0, stalled: 0 })
})

test('a timed load counts what was answered in warm-up, window and after it', async t => {
  let answered = 0
  const server = echoServer((_request, _body, response) => {
    setTimeout(() => {
      answered += 1
      response.end('ok')
    }, 20)
  })
  const edges: string[] = []
  const settings = await listen(t, server)
  const result = await load({
    ...settings,
    warmupSeconds: 0.2,
    seconds: 0.5,
    request: compileTemplate(template, 'h'),
    onMeasureStart: () => edges.push('start'),
    onMeasureEnd: seconds => edges.push(seconds > 0.45 && seconds < 2 ? 'end' : `end after ${seconds}`),
  })
  assert.deepEqual(edges, ['start', 'end'])
  assert.equal(answeredOf(result), answered)
  assert.equal(result.nextN, answered)
  assert.ok(result.completed > 0 && result.completed < answered, 'warm-up and drain are outside of the window')
  assert.ok(result.latencyUs.p50 >= 18_000 && result.latencyUs.p50 < 400_000, `p50 ${result.latencyUs.p50}`)
  assert.ok(Math.abs(result.requestsPerSecond - result.completed / result.seconds) < 1e-6)
})

test('chunked bodies and split packets are counted once', async t => {
  const server = rawServer((socket, count) => {
    const second = count % 2 === 0 ? '' : 'A\r\n0123456789\r\n'
    const reply = `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n${second}0\r\n\r\n`
    const cut = 1 + (count % (reply.length - 1))
    socket.setNoDelay(true)
    socket.write(reply.slice(0, cut))
    setTimeout(() => socket.write(reply.slice(cut)), 1)
  })
  const result = await run({ ...(await listen(t, server)), requests: 300 })
  assert.deepEqual(result.answered, { 200: 300 })
  assert.deepEqual(result.errors, { connect: 0, closed: 0, protocol: 0, stalled: 0 })
})

test('a server that closes after each answer costs reconnects, no answers', async t => {
  const server = echoServer((_request, _body, response) => {
    response.setHeader('connection', 'close')
    response.end('bye')
  })
  const result = await run({ ...(await listen(t, server)), requests: 100 })
  assert.deepEqual(result.answered, { 200: 100 })
  assert.equal(result.errors.closed, 0)
  assert.ok(result.reconnects >= 92 - 8, `reconnects ${result.reconnects}`)
})

test('a request whose connection is cut is unknown, not answered, and the load goes on', async t => {
  let cut = 0
  const server = rawServer((socket, count) => {
    if (count % 10 === 0) {
      cut += 1
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf')
      socket.end()
    } else {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
    }
  })
  const result = await run({ ...(await listen(t, server)), requests: 200 })
  assert.equal(cut, 20)
  assert.deepEqual(result.answered, { 200: 180 })
  assert.equal(result.unknown, 20)
  assert.equal(result.errors.closed, 20)
})

test('garbage and answers nobody asked for are protocol errors', async t => {
  const garbage = rawServer(socket => socket.write('this is no HTTP at all\r\n\r\n'))
  const first = await run({ ...(await listen(t, garbage)), requests: 8, stallSeconds: 2 })
  assert.deepEqual(first.answered, {})
  assert.equal(first.errors.protocol, 8)
  assert.equal(first.unknown, 8)
  const twice = rawServer(socket => socket.write('HTTP/1.1 204 No Content\r\n\r\n'.repeat(2)))
  const second = await run({ ...(await listen(t, twice)), requests: 8, stallSeconds: 2 })
  assert.deepEqual(second.answered, { 204: 8 })
  assert.equal(second.errors.protocol, 8)
})

test('a server that is away or silent ends the load instead of hanging it', async t => {
  const closed = createRawServer()
  const settings = await listen(t, closed)
  await new Promise(resolve => closed.close(resolve))
  const away = await run({ ...settings, seconds: 30, stallSeconds: 0.4 })
  assert.ok(away.errors.connect >= 8, `connect errors ${away.errors.connect}`)
  assert.equal(away.errors.stalled, 1)
  const silent = await run({
    ...(await listen(
      t,
      rawServer(() => {}),
    )),
    requests: 8,
    stallSeconds: 0.4,
  })
  assert.equal(silent.unknown, 8)
  assert.equal(silent.errors.stalled, 1)
  await assert.rejects(run(settings), RangeError)
})

test('a load in its own process gives the same counts and reports its window', async t => {
  let answered = 0
  const server = echoServer((_request, body, response) => {
    answered += 1
    response.writeHead(body.includes('0000000007') ? 422 : 200).end()
  })
  const edges: string[] = []
  const result = await loadInChild({
    ...(await listen(t, server)),
    requests: 500,
    template,
    onStart: pid => edges.push(pid > 0 ? 'pid' : 'no pid'),
    onMeasureStart: () => edges.push('start'),
    onMeasureEnd: () => edges.push('end'),
  })
  assert.equal(answered, 500)
  assert.deepEqual(result.answered, { 200: 499, 422: 1 })
  assert.deepEqual(edges, ['pid', 'start', 'end'])
  assert.ok(result.cpuSeconds.user + result.cpuSeconds.system > 0)
})

test('percentiles are within one percent of the exact ones', () => {
  const histogram = createHistogram()
  for (let us = 1; us <= 1_000_000; us += 7) record(histogram, us)
  for (const share of [0.001, 0.5, 0.9, 0.99, 0.999]) {
    const exact = share * 1_000_000
    assert.ok(Math.abs(percentile(histogram, share) - exact) <= exact * 0.01, `share ${share}`)
  }
  record(histogram, 4e9)
  assert.equal(summarize(histogram).max, 2 ** 31 - 1)
  assert.deepEqual(summarize(createHistogram()), { p50: 0, p90: 0, p99: 0, p999: 0, max: 0, mean: 0 })
})
