// Streams: what is read from the bytes, however they are cut; what happens when a connection breaks, ends, falls silent
// or is refused; and the real stream of the server, end to end.
// test: waits
import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTandem, type StreamOptions, TandemError } from '@tandem/sdk'
import fc from 'fast-check'
import { createEventParser, type RawEvent } from '../src/server_sent_events.ts'
import { type Handler, json, reset, type ScriptedServer, startListeningApp, startScriptedServer } from './server.ts'

describe('reading the bytes', () => {
  const read = (pieces: string[]) => {
    const parser = createEventParser()
    return { events: pieces.flatMap(piece => parser.push(piece)), parser }
  }

  test('fields, comments, several lines, and what is left of an unfinished event', () => {
    const text = [
      ': hello\n\n',
      'retry: 250\nevent: request\nid: 7\ndata: {"a":\ndata: 1}\n\n',
      'data\n\n',
      'data:x\nid: bad\0id\n\n',
      'id: 9\n\n',
      'data: not finished',
    ].join('')
    const { events, parser } = read([text])
    assert.deepEqual(events, [
      { event: 'request', data: '{"a":\n1}', id: '7' },
      { event: 'message', data: '', id: '7' },
      { event: 'message', data: 'x', id: '7' },
    ] satisfies RawEvent[])
    assert.deepEqual([parser.lastEventId, parser.retryMs], ['9', 250])
  })

  test('it does not matter where the text is cut nor which line ends it has', () => {
    const text = '\uFEFFid: 1\nevent: a\ndata: x\ndata: y\n\n: beat\n\ndata: ü\n\nid: 2\ndata: {}\n\n'
    const whole = read([text]).events
    assert.equal(whole.length, 3)
    fc.assert(
      fc.property(fc.constantFrom('\n', '\r\n', '\r'), fc.array(fc.nat(90), { maxLength: 12 }), (end, cuts) => {
        const other = text.replaceAll('\n', end)
        const at = [0, ...cuts.filter(cut => cut < other.length).sort((a, b) => a - b), other.length]
        const pieces = at.slice(1).map((cut, index) => other.slice(at[index], cut))
        // A lone carriage return at the end waits for its other half.
        assert.deepEqual(read([...pieces, ':\n']).events, whole)
      }),
    )
  })
})

const open = (response: ServerResponse) => response.writeHead(200, { 'content-type': 'text/event-stream' })
const event = (id: number) => `id: ${id}\nevent: event\ndata: {"n":${id}}\n\n`
/** Sends some text and then keeps the connection. */
const reports =
  (...texts: string[]): Handler =>
  (_, response) => {
    open(response)
    for (const text of texts) response.write(text)
  }
const sendsAndEnds =
  (...texts: string[]): Handler =>
  (_, response) =>
    open(response).end(texts.join(''))
const quick = 'retry: 10\n\n'

/** Reads until `count` events have come. */
async function take(server: ScriptedServer, count: number, options: StreamOptions = {}): Promise<unknown[]> {
  const stream = createTandem({ baseUrl: server.baseUrl, token: 'key' }).stream.open({ topics: 'events' }, options)
  const seen: unknown[] = []
  for await (const { data } of stream) if (seen.push((data as { n?: number }).n) === count) break
  return seen
}

const resumedFrom = ({ seen }: ScriptedServer) => seen.map(({ headers }) => headers['last-event-id'])

describe('a connection that is lost is made again behind the last event', () => {
  test('when the server ends it', async () => {
    await using server = await startScriptedServer(sendsAndEnds(quick, event(1), event(2)), reports(event(3)))
    assert.deepEqual(await take(server, 3), [1, 2, 3])
    assert.deepEqual(resumedFrom(server), [undefined, '2'])
    assert.deepEqual(server.seen[0]?.path, '/v2/stream?topics=events')
    assert.equal(server.seen[1]?.headers.authorization, 'Bearer key')
  })

  test('when it breaks, and behind an id that came without an event', async () => {
    const breaks: Handler = (_, response) => {
      open(response).write(`${quick}${event(1)}: beat\nid: 5\n\n`)
      setTimeout(() => response.socket?.resetAndDestroy(), 30)
    }
    await using server = await startScriptedServer(breaks, reports(event(6)))
    assert.deepEqual(await take(server, 2), [1, 6])
    assert.deepEqual(resumedFrom(server), [undefined, '5'])
  })

  test('when it falls silent; not while heartbeats come', async () => {
    const beats: Handler = async (_, response) => {
      open(response).write(quick)
      for (let beat = 0; beat < 8; beat++) {
        await sleep(30)
        response.write(': beat\n\n')
      }
      response.write(event(1))
    }
    await using server = await startScriptedServer(beats, reports(event(2)))
    const retries: unknown[] = []
    const onRetry: StreamOptions['onRetry'] = ({ error }) => retries.push((error as TandemError).code)
    assert.deepEqual(await take(server, 2, { heartbeatTimeoutMs: 120, onRetry }), [1, 2])
    assert.deepEqual(retries, ['timeout'])
  })

  test('not when it was our process that stood still, and what came meanwhile waits to be read', async () => {
    const standstill: Handler = async (_, response) => {
      open(response).write(quick)
      await sleep(60)
      response.write(event(1))
      setImmediate(() => {
        for (const end = performance.now() + 300; performance.now() < end; );
      })
      await sleep(60)
      response.write(event(2))
    }
    await using server = await startScriptedServer(standstill)
    assert.deepEqual(await take(server, 2, { heartbeatTimeoutMs: 120 }), [1, 2])
    assert.equal(server.seen.length, 1)
  })

  test('when the server is away for a while, and where the caller says', async () => {
    await using server = await startScriptedServer(reset, json(503, {}, { 'retry-after': '0' }), reports(event(8)))
    assert.deepEqual(await take(server, 1, { lastEventId: '7' }), [8])
    assert.deepEqual(resumedFrom(server), ['7', '7', '7'])
  })
})

describe('a stream ends', () => {
  test('by break and by close, which cut the connection', async () => {
    for (const how of ['break', 'close']) {
      const gone = Promise.withResolvers<void>()
      const handler: Handler = (_, response) => {
        response.on('close', gone.resolve)
        open(response).write(event(1) + event(2))
      }
      await using server = await startScriptedServer(handler)
      const stream = createTandem({ baseUrl: server.baseUrl }).stream.open()
      let count = 0
      for await (const _ of stream) {
        count += 1
        if (how === 'break') break
        stream.close()
      }
      assert.equal(count, 1)
      assert.equal(stream.lastEventId, '1')
      await gone.promise
    }
  })

  test('by its signal, with the reason, also between two connections', async () => {
    for (const handler of [reports(event(1)), json(503, {}, { 'retry-after': '30' })]) {
      await using server = await startScriptedServer(handler)
      const controller = new AbortController()
      setTimeout(() => controller.abort(), 60)
      await assert.rejects(take(server, 2, { signal: controller.signal }), { name: 'AbortError' })
    }
  })

  test('after the retries allowed, though each connection greets before it ends; the waits double', async () => {
    await using server = await startScriptedServer(sendsAndEnds('retry: 40\n\n', event(1)))
    const delays: number[] = []
    const onRetry: StreamOptions['onRetry'] = ({ delayMs }) => delays.push(delayMs)
    assert.deepEqual(await take(server, 99, { maxRetries: 3, onRetry }), [1, 1, 1, 1])
    assert.equal(server.seen.length, 4)
    for (const [index, delay] of delays.entries()) assert.ok(delay >= 20 * 2 ** index && delay <= 40 * 2 ** index)
  })

  test('by a refusal, by an answer that is no stream, and after the retries allowed', async () => {
    for (const [handler, code] of [
      [json(403, { error: { code: 'insufficient_scope', message: 'No.' } }), 'insufficient_scope'],
      [json(200, {}), 'unexpected_reply'],
      [reports('data: no json\n\n'), 'unexpected_reply'],
      [reset, 'network_error'],
    ] as const) {
      await using server = await startScriptedServer(handler)
      await assert.rejects(take(server, 1, { maxRetries: 0 }), (error: TandemError) => {
        assert.ok(error instanceof TandemError)
        return error.code === code
      })
      assert.equal(server.seen.length, 1)
    }
  })
})

describe('a source of the credential', () => {
  test('that fails for a while is asked again, as after a fault of the network', async () => {
    await using server = await startScriptedServer(sendsAndEnds(quick, event(1)), reports(event(2)))
    let asked = 0
    const token = () => (asked++ === 1 ? Promise.reject(new TypeError('fetch failed')) : 'key')
    const seen: unknown[] = []
    const codes: unknown[] = []
    const onRetry: StreamOptions['onRetry'] = ({ error }) => codes.push((error as TandemError | undefined)?.code)
    for await (const { id } of createTandem({ baseUrl: server.baseUrl, token }).stream.open({}, { onRetry }))
      if (seen.push(id) === 2) break
    assert.deepEqual([seen, codes, asked], [['1', '2'], [undefined, 'network_error'], 3])
  })

  test('that says for good that there is none ends the stream', async () => {
    await using server = await startScriptedServer(reports())
    const ended = new TandemError('over', { code: 'session_ended', retriable: false })
    const stream = createTandem({ baseUrl: server.baseUrl, token: () => Promise.reject(ended) }).stream.open({})
    await assert.rejects(stream[Symbol.asyncIterator]().next(), error => error === ended)
    assert.equal(server.seen.length, 0)
  })
})

test('the real stream reports requests and events as they happen, and goes on after a break', async t => {
  const app = await startListeningApp()
  t.after(() => app.close())
  const tandem = createTandem({ baseUrl: app.baseUrl, token: app.main.tokens.Admin })
  const stream = tandem.stream.open({ topics: 'events' }, { onOpen: () => opened.resolve(), maxRetries: 3 })
  let opened = Promise.withResolvers<void>()
  const iterator = stream[Symbol.asyncIterator]()
  async function nextEvent() {
    for (;;) {
      const { value, done } = await iterator.next()
      assert.ok(!done)
      if (value.event === 'event') return value.data
    }
  }
  const first = nextEvent()
  await opened.promise
  const { lead } = await tandem.leads.create({ name: 'Streamed', email: 'streamed@example.net' })
  const reported = await first
  assert.deepEqual([reported.type, reported.resourceId], ['lead.created', String(lead.id)])

  // Everything is cut; what happens meanwhile is sent afterwards.
  opened = Promise.withResolvers()
  app.app.http.server.closeAllConnections()
  await tandem.leads.update({ id: lead.id, status: 'Contacted' })
  assert.match((await nextEvent()).type, /^lead\./)
  stream.close()
})
