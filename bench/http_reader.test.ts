/**
 * Guards the response reader: however the bytes are cut, the same responses come out, and bytes that are not HTTP are
 * reported.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createReader, endOfStream, readResponses, takeBody } from './http_reader.ts'

type Answer = { status: number; body: string; form: 'length' | 'chunked' | 'empty'; interim: boolean }

function bytesOf({ status, body, form, interim }: Answer): string {
  const before = interim ? 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n' : ''
  if (form === 'empty') return `${before}HTTP/1.1 204 No Content\r\nX-A: b\r\n\r\n`
  if (form === 'length') {
    return `${before}HTTP/1.1 ${status} Some Reason\r\nCONTENT-LENGTH:${Buffer.byteLength(body)}\r\nx: y\r\n\r\n${body}`
  }
  const letters = [...body]
  const half = Math.floor(letters.length / 2)
  const chunks = [letters.slice(0, half).join(''), letters.slice(half).join('')].filter(chunk => chunk !== '')
  const framed = chunks.map(chunk => `${Buffer.byteLength(chunk).toString(16)};ext=1\r\n${chunk}\r\n`).join('')
  return `${before}HTTP/1.1 ${status}\r\nTransfer-Encoding: Chunked\r\n\r\n${framed}0\r\nX-Trailer: t\r\n\r\n`
}

/** Feeds the stream in pieces through one reused buffer, as a socket does; returns what was read. */
function readInPieces(stream: Buffer, cuts: number[]): { status: number; body: string | null }[] {
  const reader = createReader(() => true)
  const shared = Buffer.alloc(stream.length + 1, 'X')
  const seen: { status: number; body: string | null }[] = []
  const edges = [...new Set(cuts.map(cut => cut % (stream.length + 1))), stream.length].sort((a, b) => a - b)
  let from = 0
  for (const edge of edges) {
    stream.copy(shared, 0, from, edge)
    const outcome = readResponses(reader, shared, edge - from, () => {
      seen.push({ status: reader.status, body: takeBody(reader) })
    })
    assert.equal(outcome, 'ok', reader.fault)
    from = edge
  }
  return seen
}

const answers = fc.array(
  fc.record({
    status: fc.integer({ min: 200, max: 599 }).filter(status => status !== 204 && status !== 304),
    body: fc.string({ unit: 'binary', maxLength: 40 }),
    form: fc.constantFrom('length' as const, 'chunked' as const, 'empty' as const),
    interim: fc.boolean(),
  }),
  { minLength: 1, maxLength: 6 },
)

test('responses are read the same however their bytes are cut into packets', () => {
  fc.assert(
    fc.property(answers, fc.array(fc.nat(), { maxLength: 30 }), (given, cuts) => {
      const stream = Buffer.from(given.map(bytesOf).join(''))
      const expected = given.map(({ status, body, form }) =>
        form === 'empty' ? { status: 204, body: '' } : { status, body: Buffer.from(body).toString('utf8') },
      )
      assert.deepEqual(readInPieces(stream, cuts), expected)
    }),
    { numRuns: 500 },
  )
})

test('responses are read byte by byte', () => {
  const given: Answer = { status: 201, body: 'one body of some length', form: 'chunked', interim: true }
  const stream = Buffer.from(bytesOf(given) + bytesOf({ ...given, form: 'length' }))
  const cuts = Array.from({ length: stream.length }, (_, i) => i)
  assert.deepEqual(readInPieces(stream, cuts), [
    { status: 201, body: given.body },
    { status: 201, body: given.body },
  ])
})

test('a close is distinguished from the headers and from HTTP/1.0, keep-alive is not one', () => {
  const closingOf = (head: string) => {
    const reader = createReader()
    const stream = Buffer.from(`${head}\r\nContent-Length: 0\r\n\r\n`)
    readResponses(reader, stream, stream.length, () => {})
    return reader.closing
  }
  assert.equal(closingOf('HTTP/1.1 200 OK'), false)
  assert.equal(closingOf('HTTP/1.1 200 OK\r\nConnection: keep-alive'), false)
  assert.equal(closingOf('HTTP/1.1 200 OK\r\nconnection:  Close'), true)
  assert.equal(closingOf('HTTP/1.0 200 OK'), true)
  assert.equal(closingOf('HTTP/1.0 200 OK\r\nConnection: Keep-Alive'), false)
})

test('a body without a length ends with the connection, a short body does not', () => {
  const unframed = createReader(() => true)
  const first = Buffer.from('HTTP/1.1 200 OK\r\n\r\nall there is')
  assert.equal(
    readResponses(unframed, first, first.length, () => assert.fail('not complete before the close')),
    'ok',
  )
  assert.equal(endOfStream(unframed), true)
  assert.equal(takeBody(unframed), 'all there is')
  const cut = createReader()
  const second = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc')
  readResponses(cut, second, second.length, () => assert.fail('two bytes are missing'))
  assert.equal(endOfStream(cut), false)
})

test('bytes that are not HTTP are reported as broken', () => {
  const broken = [
    'SSH-2.0-OpenSSH_9.2\r\n\r\n',
    'HTTP/1.1 abc OK\r\n\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n',
  ]
  for (const text of broken) {
    const reader = createReader()
    const bytes = Buffer.from(text)
    assert.equal(
      readResponses(reader, bytes, bytes.length, () => {}),
      'broken',
      text,
    )
    assert.notEqual(reader.fault, '')
  }
})
