// Guards: files are answered whole and in parts as RFC 9110 §13 and §14 say, byte for byte, over a real connection; they are
// read as fast as their reader takes them, and a reader that leaves ends the reading.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { request as ask } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Type } from 'typebox'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { openApiDocument } from '../documents/openapi.ts'
import { endpoint } from '../endpoint/endpoint.ts'
import type { FileReply } from '../endpoint/reply.ts'
import { FileBytes } from '../endpoint/schema.ts'
import { Problem } from '../values/problem.ts'
import { partOf } from './file_reply.ts'

const bytes = randomBytes(200_000)
const tag = 'abc123'

/** What the file of the test endpoint does next. */
let open: FileReply['open'] = async range =>
  Readable.from([range === undefined ? bytes : bytes.subarray(range.from, range.to + 1)])
let size = bytes.length
let opened: ({ from: number; to: number } | undefined)[] = []

const file = endpoint({
  id: 'kernel.file',
  version: 'v2',
  category: 'Developer',
  method: 'GET',
  path: '/test-file',
  name: 'A file',
  description: 'A file of the tests.',
  permission: 'calls:read',
  query: Type.Object({ download: Type.Optional(Type.String()) }),
  reply: FileBytes('Some bytes.'),
  envelope: 'file',
  mediaType: 'audio/wav',
  sample: { reply: 'bytes' },
  async handle({ query }): Promise<FileReply> {
    const asDownload = query.download === '1'
    return {
      mediaType: 'audio/wav',
      size,
      tag,
      fileName: 'one.wav',
      asDownload,
      open: async range => {
        opened.push(range)
        return open(range)
      },
    }
  },
})

let t: TestApp
let address: string
before(async () => {
  t = await startTestApp({ endpoints: [file] })
  await t.app.http.listen({ host: '127.0.0.1', port: 0 })
  address = `http://127.0.0.1:${(t.app.http.server.address() as AddressInfo).port}/v2/test-file`
})
after(() => t?.close())

async function get(headers: Record<string, string> = {}, method = 'GET', query = '') {
  opened = []
  const authorization = `Bearer ${t.main.tokens.Admin}`
  const answer = await fetch(address + query, { method, headers: { authorization, ...headers } })
  return { status: answer.status, headers: answer.headers, body: Buffer.from(await answer.arrayBuffer()) }
}

test('the whole file, with its type, length, tag and name', async () => {
  const { status, headers, body } = await get()
  assert.equal(status, 200)
  assert.ok(body.equals(bytes))
  assert.equal(headers.get('content-type'), 'audio/wav')
  assert.equal(headers.get('content-length'), String(bytes.length))
  assert.equal(headers.get('accept-ranges'), 'bytes')
  assert.equal(headers.get('etag'), `"${tag}"`)
  assert.equal(headers.get('content-disposition'), 'inline; filename="one.wav"')
  for (const name of ['x-request-id', 'ratelimit', 'ratelimit-policy', 'server-timing', 'x-content-type-options'])
    assert.ok(headers.get(name), name)
  const saved = await get({}, 'GET', '?download=1')
  assert.equal(saved.headers.get('content-disposition'), 'attachment; filename="one.wav"')
})

const last = bytes.length - 1
const parts: [range: string, from: number, to: number][] = [
  ['bytes=0-0', 0, 0],
  ['bytes=100-199', 100, 199],
  ['bytes=100-', 100, last],
  ['bytes=-100', last - 99, last],
  ['bytes=199999-999999', last, last],
  [`bytes=-${bytes.length * 2}`, 0, last],
  ['Bytes = 5-6', 5, 6],
]

for (const [range, from, to] of parts) {
  test(`Range: ${range} is answered with that part, and no more is read`, async () => {
    const { status, headers, body } = await get({ range })
    assert.equal(status, 206)
    assert.equal(headers.get('content-range'), `bytes ${from}-${to}/${bytes.length}`)
    assert.equal(headers.get('content-length'), String(to - from + 1))
    assert.ok(body.equals(bytes.subarray(from, to + 1)))
    assert.deepEqual(opened, [{ from, to }])
  })
}

test('a Range that is not understood, or names several parts, gives the whole', async () => {
  for (const range of ['bytes=0-1,5-6', 'lines=1-2', 'bytes=5-2', 'bytes=a-b', 'bytes', 'bytes=-', 'bytes=1-2-3']) {
    const { status, body } = await get({ range })
    assert.equal(status, 200, range)
    assert.equal(body.length, bytes.length)
  }
})

test('a Range behind the end is refused with the length', async () => {
  for (const range of [`bytes=${bytes.length}-`, 'bytes=999999-1000000', 'bytes=-0']) {
    const { status, headers, body } = await get({ range })
    assert.equal(status, 416, range)
    assert.equal(headers.get('content-range'), `bytes */${bytes.length}`)
    assert.equal(JSON.parse(String(body)).error.code, 'range_not_satisfiable')
    assert.deepEqual(opened, [])
  }
  size = 0
  assert.equal((await get()).status, 200)
  assert.equal((await get({ range: 'bytes=0-' })).status, 416)
  size = bytes.length
})

test('If-Range: a part of these bytes only, else the whole', async () => {
  const range = 'bytes=1-2'
  assert.equal((await get({ range, 'if-range': `"${tag}"` })).status, 206)
  // Another file, a weak tag, a date: none says that the bytes are the same.
  for (const condition of ['"other"', `W/"${tag}"`, 'Sat, 21 Nov 2026 08:44:00 GMT']) {
    const { status, body } = await get({ range, 'if-range': condition })
    assert.deepEqual([status, body.length], [200, bytes.length], condition)
  }
  assert.equal((await get({ range: 'bytes=999999-', 'if-range': '"other"' })).status, 200)
})

test('If-None-Match: what the reader has is not sent again', async () => {
  for (const known of [`"${tag}"`, `W/"${tag}"`, `"x", "${tag}"`, '*']) {
    const { status, headers, body } = await get({ 'if-none-match': known, range: 'bytes=0-5' })
    assert.deepEqual([status, body.length], [304, 0], known)
    assert.equal(headers.get('etag'), `"${tag}"`)
    assert.deepEqual(opened, [])
  }
  assert.equal((await get({ 'if-none-match': '"other"' })).status, 200)
})

test('HEAD answers as GET would, without reading, and knows no parts', async () => {
  const { status, headers, body } = await get({ range: 'bytes=0-5' }, 'HEAD')
  assert.deepEqual([status, body.length, opened], [200, 0, []])
  assert.equal(headers.get('content-length'), String(bytes.length))
  assert.equal(headers.get('etag'), `"${tag}"`)
})

test('what cannot be read is a problem, not an answer that breaks off', async () => {
  const before = open
  open = async () => {
    throw new Problem('unavailable')
  }
  const { status, body } = await get()
  open = before
  assert.equal(status, 503)
  assert.equal(JSON.parse(String(body)).error.code, 'unavailable')
})

test('a file that breaks off breaks the connection: nobody takes a part for the whole', async () => {
  const before = open
  open = async () =>
    Readable.from(
      (async function* () {
        yield bytes.subarray(0, 100_000)
        await sleep(10)
        throw new Error('the disk broke')
      })(),
    )
  await assert.rejects(get(), /terminated|fetch failed/)
  open = before
  assert.equal((await get()).status, 200)
})

test('a slow reader holds the reading back, and one that leaves ends it', async () => {
  const before = open
  let read = 0
  let ended = 0
  const piece = Buffer.alloc(64 * 1024)
  size = 1_000 * piece.length
  open = async () => {
    const source = new Readable({
      highWaterMark: piece.length,
      read() {
        read += piece.length
        this.push(read > size ? null : piece)
      },
      destroy(error, done) {
        ended++
        done(error)
      },
    })
    return source
  }
  const request = ask(address, { headers: { authorization: `Bearer ${t.main.tokens.Admin}` } })
  request.end()
  const [answer] = await once(request, 'response')
  answer.pause()
  // Until nothing more goes into the buffers on the way.
  for (let seen = -1; seen !== read; ) {
    seen = read
    await sleep(100)
  }
  assert.ok(read < size / 2, `${read} bytes were read for a reader that takes none`)
  answer.destroy()
  for (let tries = 0; ended === 0 && tries < 500; tries++) await sleep(10)
  assert.equal(ended, 1)
  open = before
  size = bytes.length
})

test('the document says what the endpoint answers', () => {
  const { paths } = openApiDocument([file]) as { paths: Record<string, Record<string, never>> }
  const operation = paths['/v2/test-file']?.['get'] as unknown as {
    parameters: { name: string; in: string }[]
    responses: Record<string, { content: Record<string, { schema: object }> }>
  }
  assert.ok(operation.parameters.some(({ name, in: place }) => name === 'Range' && place === 'header'))
  for (const status of ['200', '206']) {
    const { content } = operation.responses[status] as { content: Record<string, { schema: object }> }
    assert.deepEqual(content['audio/wav']?.schema, { type: 'string', format: 'binary', description: 'Some bytes.' })
  }
  assert.ok(operation.responses['416'])
})

test('any Range at all is a part within the file, the whole, or refused', () => {
  for (let at = 0; at < 5_000; at++) {
    const random = () => String(Math.floor(Math.random() * 12)).slice(0, Math.random() < 0.2 ? 0 : 2)
    const header = `bytes=${random()}-${random()}`
    try {
      const part = partOf(header, 7)
      if (part !== undefined) assert.ok(part.from >= 0 && part.from <= part.to && part.to < 7, header)
    } catch (error) {
      assert.ok(error instanceof Problem && error.code === 'range_not_satisfiable', header)
    }
  }
})
