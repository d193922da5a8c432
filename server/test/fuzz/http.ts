// Mutated HTTP at the application over a real socket: requests to every endpoint with their samples made wrong, in the bytes of the
// JSON, in its values, in query and headers; and heads and bodies made wrong as bytes. Nothing is answered with 5xx.
import { Agent } from 'node:http'
import { connect } from 'node:net'
import { catalog } from '../../src/catalog.ts'
import type { Endpoint } from '../../src/kernel/endpoint.ts'
import { fullPath } from '../../src/kernel/endpoint.ts'
import type { Random } from '../crash/random.ts'
import { startTestApp } from '../harness.ts'
import { listen, send, type WireRequest } from '../wire.ts'
import { mutate } from './mutate.ts'
import type { FuzzKind, FuzzOutcome, FuzzTarget } from './runner.ts'

/** What would end the credentials that are used after it, and streams, which do not end, are asked for without any. */
function isApart({ id, envelope }: Endpoint): boolean {
  return envelope === 'stream' || /^(auth|users|api_keys)\./.test(id)
}

const values: readonly unknown[] = [
  ...[
    null,
    true,
    false,
    0,
    -1,
    1.5,
    1e308,
    -0,
    2 ** 53,
    '',
    ' ',
    '\u0000',
    '\ud800',
    '𝒳',
    'ß',
    '%00',
    '../..',
    '[]',
    '{}',
  ],
  ...[
    '2026-02-30',
    '2026-11-22T00:00:00Z',
    '+49301234567',
    '+',
    'a@b',
    'javascript:1',
    "' or 1=1 --",
    'x'.repeat(5_000),
  ],
  ...[[], {}, [[]], [null], { a: { b: {} } }, { __proto__: 1 }, { constructor: 1 }],
]

export const httpFuzz: FuzzKind = {
  name: 'http',
  description: 'mutated requests to every endpoint, over a socket',
  batch: 500,
  open,
}

async function open(): Promise<FuzzTarget> {
  const t = await startTestApp()
  const port = await listen(t)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const { main } = t
  const credentials = [...Object.values(main.tokens), main.liveKey, main.testKey, 'nonsense', undefined]

  function request(random: Random): WireRequest {
    const definition = random.pick(catalog) as Endpoint
    const as = isApart(definition) ? undefined : random.pick(credentials)
    const headers: Record<string, string> = random.oneIn(8)
      ? {
          [random.pick(['idempotency-key', 'if-match', 'accept', 'range', 'x-duplicate-mode']) as string]: text(random),
        }
      : {}
    return {
      method: random.oneIn(40) ? (random.pick(['PUT', 'PATCH', 'DELETE', 'POST']) as string) : definition.method,
      path: pathOf(definition, random),
      headers,
      ...(definition.body === undefined ? {} : { body: bodyOf(definition, random) }),
      ...(as === undefined ? {} : { as }),
    }
  }

  return {
    async send(random): Promise<FuzzOutcome> {
      if (random.oneIn(5)) return outcomeOf(await rawStatus(port, rawRequest(random)))
      const { status } = await send(port, { ...request(random), agent }).catch(error => {
        // Refused by our own client: it cannot be sent so.
        if (/Invalid character|ERR_UNESCAPED|ERR_INVALID/.test(`${error.code} ${error.message}`)) return { status: 400 }
        // The server ends connections whose requests it does not understand.
        if (/ECONNRESET|EPIPE|socket hang up/.test(`${error.code} ${error.message}`)) return { status: 400 }
        throw error
      })
      return outcomeOf(status)
    },
    async check() {
      const { status } = await send(port, { path: '/v2/messages?limit=1', as: main.liveKey, agent })
      if (status !== 200) throw new Error(`an honest request is answered with ${status}`)
      return 0
    },
    async close() {
      agent.destroy()
      await t.close()
    },
  }
}

function outcomeOf(status: number): FuzzOutcome {
  if (status >= 500) return 'server_error'
  return status < 400 ? 'answered' : 'refused'
}

function text(random: Random): string {
  return String(random.pick(values)).replaceAll(/[^\x20-\x7e]/g, '?')
}

function pathOf(definition: Endpoint, random: Random): string {
  const { params = {}, query = {} } = definition.sample
  const path = fullPath(definition).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    random.oneIn(3) ? encodeURIComponent(text(random)) : encodeURIComponent(String(params[name] ?? '')),
  )
  const names = Object.keys(definition.query?.properties ?? {})
  const asked = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  for (let left = random.below(4); left > 0; left--) asked.append(random.pick(names) ?? 'x', text(random))
  return asked.size === 0 ? path : `${path}?${asked}`
}

function bodyOf(definition: Endpoint, random: Random): Buffer {
  const sample = structuredClone(definition.sample.body ?? {})
  const way = random.below(3)
  if (way === 0) return mutate(random, Buffer.from(JSON.stringify(sample)))
  for (let left = 1 + random.below(3); left > 0; left--) misplace(sample, definition, random)
  const made = Buffer.from(JSON.stringify(sample))
  return way === 1 ? made : mutate(random, made)
}

/** Puts another value in one of its places, or one more member there. */
function misplace(sample: unknown, definition: Endpoint, random: Random): void {
  let at = sample as Record<string, unknown>
  for (;;) {
    const known = Object.keys(at)
    const all = [...known, ...Object.keys(at === sample ? (definition.body?.properties ?? {}) : {}), 'unknown']
    const name = random.pick(all) as string
    const there = at[name]
    if (typeof there === 'object' && there !== null && Object.keys(there).length > 0 && !random.oneIn(3)) {
      at = there as Record<string, unknown>
      continue
    }
    at[name] = random.pick(values)
    return
  }
}

function rawRequest(random: Random): Buffer {
  const definition = random.pick(catalog) as Endpoint
  const body = definition.body === undefined ? '' : JSON.stringify(definition.sample.body ?? {})
  const head = [
    `${definition.method} ${fullPath(definition)} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Authorization: Bearer tdm_test_nonsense',
    'Connection: close',
    ...(random.oneIn(4) ? ['Transfer-Encoding: chunked'] : []),
    ...(body === '' ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
  ].join('\r\n')
  return mutate(random, Buffer.from(`${head}\r\n\r\n${body}`))
}

/** What is answered first, or 400 where the connection is ended without a word. */
function rawStatus(port: number, bytes: Buffer): Promise<number> {
  return new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    let answer = ''
    const finish = () => resolve(Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 400))
    socket.on('data', chunk => {
      answer += chunk.toString('latin1')
      // What goes on for ever is not waited for.
      if (answer.length > 12) socket.destroy()
    })
    // Where a length was made larger the server goes on waiting for the rest, as it should.
    socket.setTimeout(300, () => socket.destroy())
    socket.on('error', () => {})
    socket.on('close', finish)
    socket.end(bytes)
  })
}
