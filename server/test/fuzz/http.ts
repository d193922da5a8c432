// Mutated HTTP at the application over real sockets, many at once: requests to every endpoint and to records that exist, with their samples
// made wrong, in the bytes of the JSON, in its values, in query and headers; and heads and bodies made wrong as bytes. Nothing is answered
// with 5xx but 503, where the machine is too busy.
import { catalog } from '../../src/catalog.ts'
import type { Endpoint } from '../../src/kernel/endpoint/endpoint.ts'
import { fullPath } from '../../src/kernel/endpoint/endpoint.ts'
import { loadContracts } from '../contract.ts'
import type { Random } from '../crash/random.ts'
import { startTestApp, type TestApp } from '../harness.ts'
import { listen } from '../wire.ts'
import { openLane, sayOnce } from './http_lane.ts'
import { mutate } from './mutate.ts'
import type { FuzzKind, FuzzResult, FuzzTarget } from './runner.ts'

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

/** Requests at once, each over a connection of its own. */
const lanes = 16
/** An honest answer takes milliseconds; on a busy machine a write waits for others. */
const patienceMs = 30_000
/** What a request that is wrong in its lengths is waited for. */
const shortPatienceMs = 300

export const httpFuzz: FuzzKind = {
  name: 'http',
  description: 'mutated requests to every endpoint, over sockets',
  batch: 1_000,
  lanes,
  open,
}

/** Nobody is limited: what is limited is not tried. */
const unlimited = {
  TANDEM_RATE_LIMIT_IP: '1000000000',
  TANDEM_RATE_LIMIT_USER: '1000000000',
  TANDEM_RATE_LIMIT_KEY: '1000000000',
}

type Params = Readonly<Record<string, unknown>>

async function open(): Promise<FuzzTarget> {
  const t = await startTestApp({ env: unlimited })
  const port = await listen(t)
  const free = Array.from({ length: lanes }, () => openLane(port))
  const { main } = t
  const records = await recordsOf(t)
  const credentials = [...Object.values(main.tokens), main.liveKey, main.testKey, 'nonsense', undefined]

  function request(random: Random): Buffer {
    const definition = random.pick(catalog) as Endpoint
    const as = isApart(definition) ? undefined : random.pick(credentials)
    const method = random.oneIn(40) ? random.pick(['PUT', 'PATCH', 'DELETE', 'POST']) : definition.method
    const path = pathOf(definition, records.get(definition.id) ?? {}, random)
    const body = definition.body === undefined ? undefined : bodyOf(definition, random)
    const odd = ['idempotency-key', 'if-match', 'accept', 'range', 'x-duplicate-mode']
    const head = [
      `${method} ${path} HTTP/1.1`,
      'Host: 127.0.0.1',
      ...(as === undefined ? [] : [`Authorization: Bearer ${as}`]),
      ...(random.oneIn(8) ? [`${random.pick(odd)}: ${text(random)}`] : []),
      ...(body === undefined ? [] : ['Content-Type: application/json', `Content-Length: ${body.length}`]),
    ].join('\r\n')
    return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), body ?? Buffer.alloc(0)])
  }

  /** Over a connection that is kept; silence is a fault. */
  async function whole(bytes: Buffer): Promise<FuzzResult> {
    const lane = free.pop() ?? openLane(port)
    const answer = await lane.ask(bytes, patienceMs)
    free.push(lane)
    const asked = bytes.toString('latin1', 0, 400)
    if (answer === 'silent') return { outcome: 'server_error', reported: `no answer in ${patienceMs} ms to ${asked}` }
    // The server ends connections whose requests it does not understand.
    if (answer === 'ended') return { outcome: 'refused' }
    return resultOf(answer.status, `${answer.body}\n${asked}`)
  }

  return {
    async send(random): Promise<FuzzResult> {
      if (!random.oneIn(5)) return whole(request(random))
      const bytes = rawRequest(random)
      const said = await sayOnce(port, bytes, shortPatienceMs)
      const statuses = [...said.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))
      return resultOf(Math.max(400, ...statuses), `${said.slice(0, 1_000)}\n${bytes.toString('latin1', 0, 400)}`)
    },
    async check() {
      const lane = openLane(port)
      const honest = `GET /v2/messages?limit=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${main.liveKey}\r\n\r\n`
      const answer = await lane.ask(Buffer.from(honest), patienceMs)
      lane.close()
      const status = typeof answer === 'string' ? answer : answer.status
      if (status !== 200) throw new Error(`an honest request is answered with ${status}`)
      return 0
    },
    async close() {
      for (const lane of free) lane.close()
      await t.close()
    },
  }
}

/** Ids of records that exist, by endpoint: what is asked for must be there to be looked into. */
async function recordsOf(t: TestApp): Promise<Map<string, Params>> {
  const records = new Map<string, Params>()
  for (const [id, { prepare }] of await loadContracts()) {
    // Some want a server that works, which this one does not: their endpoints are asked for the ids of their samples.
    const params = await prepare?.(t).then(
      made => made.params,
      () => undefined,
    )
    if (params !== undefined) records.set(id, params)
  }
  // Put there by hand to fill a quota, and no carriers by the schema of their kind.
  await t.ownerSql("delete from carriers where settings::text = '{}'")
  return records
}

/** 503 is what the limits of the process and of its database answer; it says that the machine is too busy, not that something is wrong. */
function resultOf(status: number, reported: string): FuzzResult {
  if (status === 503) return { outcome: 'overloaded', reported }
  if (status >= 500) return { outcome: 'server_error', reported: `${status}: ${reported}` }
  return { outcome: status < 400 ? 'answered' : 'refused' }
}

function text(random: Random): string {
  return String(random.pick(values)).replaceAll(/[^\x20-\x7e]/g, '?')
}

function pathOf(definition: Endpoint, record: Params, random: Random): string {
  const { query = {} } = definition.sample
  const params: Params = { ...definition.sample.params, ...record }
  const path = fullPath(definition).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    random.oneIn(4) ? encodeURIComponent(text(random)) : encodeURIComponent(String(params[name] ?? '')),
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
    // A copy: what is put there may be made wrong in its turn.
    at[name] = structuredClone(random.pick(values))
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
