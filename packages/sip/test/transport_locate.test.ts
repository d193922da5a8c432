// Where requests go, by tables from RFC 3263 and RFC 2782: a small DNS of our own answers; chance is a parameter.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isFault } from '../src/message.ts'
import type { LocateOptions, NaptrRecord, SipResolver } from '../src/transport/locate.ts'
import { locate } from '../src/transport/locate.ts'
import { createCachedResolver } from '../src/transport/resolver.ts'
import type { SrvRecord } from '../src/transport/srv.ts'
import { orderSrv } from '../src/transport/srv.ts'
import type { Target } from '../src/transport/types.ts'
import { isTransportError } from '../src/transport/types.ts'
import { parseUri } from '../src/uri.ts'
import { rejectionOf } from './transport_support.ts'

/** `_sip._udp.example.com SRV` to its records, or to the code of an error. */
type Zone = Record<string, unknown[] | string>

function resolverOf(zone: Zone, asked: string[] = []): SipResolver {
  const ask = async (type: string, name: string) => {
    const key = `${name} ${type}`
    asked.push(key)
    const found = zone[key] ?? 'ENOTFOUND'
    if (typeof found === 'string') throw Object.assign(new Error(`${key} ${found}`), { code: found })
    return found as never
  }
  return {
    resolveNaptr: name => ask('NAPTR', name),
    resolveSrv: name => ask('SRV', name),
    resolve4: name => ask('A', name),
    resolve6: name => ask('AAAA', name),
  }
}

const naptr = (order: number, preference: number, service: string, replacement: string): NaptrRecord => ({
  order,
  preference,
  flags: 's',
  service,
  regexp: '',
  replacement,
})
const srv = (priority: number, weight: number, port: number, name: string): SrvRecord => ({
  priority,
  weight,
  port,
  name,
})

const servers: Zone = {
  'server1.example.com A': ['192.0.2.1'],
  'server2.example.com A': ['192.0.2.2'],
  'server2.example.com AAAA': ['2001:db8::2'],
  'example.com A': ['192.0.2.9'],
}
const withSrv: Zone = {
  ...servers,
  '_sip._udp.example.com SRV': [srv(0, 1, 5060, 'server1.example.com'), srv(1, 1, 5070, 'server2.example.com')],
  '_sip._tcp.example.com SRV': [srv(0, 1, 5060, 'server1.example.com')],
  '_sips._tcp.example.com SRV': [srv(0, 1, 5061, 'server2.example.com')],
}
// RFC 3263 §4.1, the example.
const withNaptr: Zone = {
  ...withSrv,
  'example.com NAPTR': [
    naptr(90, 50, 'SIP+D2U', '_sip._udp.example.com'),
    naptr(50, 50, 'SIPS+D2T', '_sips._tcp.example.com'),
    naptr(100, 50, 'SIP+D2T', '_sip._tcp.example.com'),
    naptr(10, 10, 'E2U+sip', 'elsewhere.example.com'),
  ],
}

function shown({ transport, address, port, serverName }: Target): string {
  const host = address.includes(':') ? `[${address}]` : address
  return `${transport} ${host}:${port}${serverName === undefined ? '' : ` as ${serverName}`}`
}

async function located(uri: string, zone: Zone, options: Partial<LocateOptions> = {}): Promise<string[]> {
  const parsed = parseUri(uri)
  assert.ok(!isFault(parsed))
  const transports = ['udp', 'tcp', 'tls'] as const
  const all = { resolver: resolverOf(zone), transports, random: () => 0, ...options }
  return locate(parsed, all).then(
    targets => targets.map(shown),
    error => {
      assert.ok(isTransportError(error), String(error.stack))
      return [error.code]
    },
  )
}

const tls = ['tls 192.0.2.2:5061 as example.com', 'tls [2001:db8::2]:5061 as example.com']
const udp = ['udp 192.0.2.1:5060', 'udp 192.0.2.2:5070', 'udp [2001:db8::2]:5070']

const cases: [what: string, uri: string, zone: Zone, expected: string[], options?: Partial<LocateOptions>][] = [
  ['an address: UDP and 5060', 'sip:192.0.2.5', {}, ['udp 192.0.2.5:5060']],
  ['an address and a port', 'sip:a@192.0.2.5:5080', {}, ['udp 192.0.2.5:5080']],
  ['an IPv6 address', 'sip:[2001:db8::5]', {}, ['udp [2001:db8::5]:5060']],
  ['sips: to an address: TLS and 5061', 'sips:192.0.2.5', {}, ['tls 192.0.2.5:5061']],
  ['an address with a transport', 'sip:192.0.2.5;transport=TCP', {}, ['tcp 192.0.2.5:5060']],
  ['transport=tls', 'sip:192.0.2.5;transport=tls', {}, ['tls 192.0.2.5:5061']],
  ['sips: over TCP is TLS', 'sips:192.0.2.5;transport=tcp', {}, ['tls 192.0.2.5:5061']],
  ['sips: over UDP', 'sips:192.0.2.5;transport=udp', {}, ['unsupported']],
  ['a transport nobody here speaks', 'sip:192.0.2.5;transport=sctp', {}, ['unsupported']],
  ['a transport that is off', 'sip:192.0.2.5;transport=tls', {}, ['unsupported'], { transports: ['udp', 'tcp'] }],
  ['sips: where TLS is off', 'sips:example.com', withNaptr, ['unsupported'], { transports: ['udp', 'tcp'] }],
  ['no UDP here', 'sip:192.0.2.5', {}, ['tcp 192.0.2.5:5060'], { transports: ['tcp'] }],
  ['maddr is where it goes', 'sip:example.com;maddr=192.0.2.7', {}, ['udp 192.0.2.7:5060']],
  [
    'maddr, but the certificate is the domain’s',
    'sips:example.com;maddr=192.0.2.7',
    {},
    ['tls 192.0.2.7:5061 as example.com'],
  ],
  ['another scheme', 'tel:+4930123', {}, ['unsupported']],
  ['NAPTR: the lowest order that we speak', 'sip:a@example.com', withNaptr, tls],
  ['NAPTR without TLS', 'sip:example.com', withNaptr, udp, { transports: ['udp', 'tcp'] }],
  ['NAPTR for sips:', 'sips:example.com', withNaptr, tls],
  ['a name with a port: no NAPTR, no SRV', 'sip:example.com:5080', withNaptr, ['udp 192.0.2.9:5080']],
  ['sips: with a port', 'sips:example.com:5081', withNaptr, ['tls 192.0.2.9:5081 as example.com']],
  ['a transport without a port: its SRV', 'sip:example.com;transport=udp', withNaptr, udp],
  ['transport=tls without a port', 'sip:example.com;transport=tls', withNaptr, tls],
  ['a transport and a port', 'sip:example.com:5090;transport=tcp', withNaptr, ['tcp 192.0.2.9:5090']],
  ['no NAPTR: SRV in our own order', 'sip:example.com', withSrv, udp],
  ['no NAPTR, TLS first', 'sip:example.com', withSrv, tls, { transports: ['tls', 'udp'] }],
  ['no NAPTR for sips:', 'sips:example.com', withSrv, tls],
  ['no SRV: addresses', 'sip:example.com', servers, ['udp 192.0.2.9:5060']],
  ['no SRV for sips:', 'sips:example.com', servers, ['tls 192.0.2.9:5061 as example.com']],
  ['no SRV for the transport', 'sip:example.com;transport=tcp', servers, ['tcp 192.0.2.9:5060']],
  ['nothing at all', 'sip:nobody.example', servers, ['not_found']],
  [
    'IPv6 first',
    'sip:server2.example.com:5060',
    servers,
    ['udp [2001:db8::2]:5060', 'udp 192.0.2.2:5060'],
    { families: [6, 4] },
  ],
  ['IPv4 only', 'sip:server2.example.com:5060', servers, ['udp 192.0.2.2:5060'], { families: [4] }],
  ['localhost is no name for the DNS', 'sip:localhost:5060', {}, ['udp 127.0.0.1:5060', 'udp [::1]:5060']],
  [
    'RFC 2782: the service is decidedly not there',
    'sip:example.com;transport=udp',
    { ...servers, '_sip._udp.example.com SRV': [srv(0, 0, 0, '.')] },
    ['not_found'],
  ],
  [
    'one server of two has no address',
    'sip:example.com;transport=udp',
    { ...withSrv, 'server1.example.com A': 'ESERVFAIL' },
    udp.slice(1),
  ],
  [
    'the DNS is silent about SRV: no guess',
    'sip:example.com;transport=udp',
    { ...servers, '_sip._udp.example.com SRV': 'ETIMEOUT' },
    ['dns_failed'],
  ],
  ['the DNS is silent about addresses', 'sip:example.com:5060', { 'example.com A': 'ESERVFAIL' }, ['dns_failed']],
  ['it cannot answer NAPTR', 'sip:example.com', { ...withSrv, 'example.com NAPTR': 'ENOTIMP' }, udp],
  [
    'NAPTR with an expression, or for nothing of ours',
    'sip:example.com',
    {
      ...withSrv,
      'example.com NAPTR': [
        { ...naptr(1, 1, 'SIP+D2T', ''), flags: 'u', regexp: '!.*!sip:x@y!' },
        naptr(2, 1, 'SIP+D2S', '_sip._sctp.example.com'),
      ],
    },
    udp,
  ],
  [
    'NAPTR whose first service has no server',
    'sip:example.com',
    {
      ...withNaptr,
      '_sips._tcp.example.com SRV': 'ENODATA',
      'example.com NAPTR': [
        naptr(1, 1, 'SIPS+D2T', '_sips._tcp.example.com'),
        naptr(1, 2, 'SIP+D2T', '_sip._tcp.example.com'),
      ],
    },
    ['tcp 192.0.2.1:5060'],
  ],
  [
    'equal servers are named once',
    'sip:example.com;transport=tcp',
    { ...servers, '_sip._tcp.example.com SRV': [srv(0, 1, 5060, 'server1.example.com'), srv(1, 1, 5060, '192.0.2.1')] },
    ['tcp 192.0.2.1:5060'],
  ],
]

for (const [what, uri, zone, expected, options] of cases) {
  test(`locate, ${what}: ${uri}`, async () => assert.deepEqual(await located(uri, zone, options), expected))
}

test('the machine’s own way to names is asked when the DNS knows none', async () => {
  const lookup = async () => [{ address: '192.0.2.77', family: 4 }]
  const resolver = { ...resolverOf({}), lookup }
  assert.deepEqual(await located('sip:asterisk:5060', {}, { resolver }), ['udp 192.0.2.77:5060'])
  assert.deepEqual(await located('sip:asterisk', {}, { resolver }), ['udp 192.0.2.77:5060'])
})

test('what the DNS said is reported: that there is nothing, or that it did not answer', async () => {
  const ask = (zone: Zone) => {
    const uri = parseUri('sip:a.example:5060')
    assert.ok(!isFault(uri))
    return rejectionOf(locate(uri, { resolver: resolverOf(zone), transports: ['udp'], random: () => 0 }))
  }
  assert.equal((await ask({})).message, 'a.example: the DNS has no SIP server and no address of that name')
  const silent = await ask({ 'a.example A': 'ETIMEOUT' })
  assert.equal(silent.message, 'a.example: the DNS did not answer (ETIMEOUT); try again later')
})

test('a zone with thousands of servers is asked for some of them', async () => {
  const many = Array.from({ length: 3_000 }, (_, i) => srv(0, 1, 5060, `s${i}.example.com`))
  const asked: string[] = []
  const zone: Zone = { '_sip._udp.example.com SRV': many }
  for (let i = 0; i < 3_000; i++) zone[`s${i}.example.com A`] = Array.from({ length: 50 }, (_, j) => `192.0.2.${j}`)
  const targets = await located('sip:example.com;transport=udp', zone, { resolver: resolverOf(zone, asked) })
  assert.ok(targets.length <= 32 && asked.length <= 64, `${targets.length} targets, ${asked.length} questions`)
})

const record = fc.record({
  priority: fc.nat(3),
  weight: fc.oneof(fc.constant(0), fc.nat(65_535)),
  port: fc.nat(65_535),
  name: fc.constantFrom('a', 'b', 'c'),
})

test('property: SRV order has every record once, priorities rising, whatever the lots', () => {
  fc.assert(
    fc.property(
      fc.array(record),
      fc.infiniteStream(fc.double({ min: 0, max: 0.999_999, noNaN: true })),
      (list, lots) => {
        const ordered = orderSrv(list, () => lots.next().value)
        assert.equal(ordered.length, list.length)
        assert.deepEqual(new Set(ordered), new Set(list))
        for (const [at, { priority }] of ordered.entries()) assert.ok(at === 0 || ordered[at - 1]!.priority <= priority)
      },
    ),
  )
})

test('property: the first of one priority is drawn by weight (RFC 2782)', () => {
  const weights = fc.array(fc.nat(20), { minLength: 1, maxLength: 6 }).filter(list => list.some(weight => weight > 0))
  fc.assert(
    fc.property(weights, list => {
      const records = list.map((weight, at) => ({ priority: 1, weight, port: at, name: `s${at}` }))
      const sum = list.reduce((total, weight) => total + weight, 0)
      const wins = new Map<number, number>()
      // Each lot from 0 to the sum, once.
      for (let lot = 0; lot <= sum; lot++) {
        const { port } = orderSrv(records, () => (lot + 0.5) / (sum + 1))[0]!
        wins.set(port, (wins.get(port) ?? 0) + 1)
      }
      const isFirst = (at: number) => at === (list.includes(0) ? list.indexOf(0) : 0)
      for (const [at, weight] of list.entries()) assert.equal(wins.get(at) ?? 0, weight + (isFirst(at) ? 1 : 0))
    }),
  )
})

test('answers are remembered, asked once at a time, and serve on when the DNS falls silent', async () => {
  const asked: string[] = []
  const zone: Zone = { 'a.example A': ['192.0.2.1'] }
  let nowMs = 0
  const resolver = createCachedResolver(resolverOf(zone, asked), { now: () => nowMs, maxEntries: 2 })
  assert.deepEqual(await Promise.all([resolver.resolve4('a.example'), resolver.resolve4('A.example')]), [
    ['192.0.2.1'],
    ['192.0.2.1'],
  ])
  nowMs = 29_999
  await resolver.resolve4('a.example')
  assert.equal(asked.length, 1)
  zone['a.example A'] = 'ETIMEOUT'
  nowMs = 60_000
  assert.deepEqual(await resolver.resolve4('a.example'), ['192.0.2.1'])
  assert.equal(asked.length, 2)
  nowMs = 600_000
  await assert.rejects(resolver.resolve4('a.example'), /ETIMEOUT/)
  // That there is nothing is remembered for a shorter while.
  await assert.rejects(resolver.resolveSrv('b.example'), /ENOTFOUND/)
  await assert.rejects(resolver.resolveSrv('b.example'), /ENOTFOUND/)
  assert.equal(asked.length, 4)
  nowMs += 5_000
  await assert.rejects(resolver.resolveSrv('b.example'), /ENOTFOUND/)
  assert.equal(asked.length, 5)
})
