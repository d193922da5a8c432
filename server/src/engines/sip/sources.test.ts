// Where calls come in from: names are looked up before the first call needs them and not for each call; trunks that change or go
// take their addresses along. Calls from elsewhere are reported in the log, and so is to whom a trunk may not send.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { isFault, locate, parseUri, type SipResolver } from '@tandem/sip'
import { allowedRanges, type Cidr } from '../../kernel/outbound/egress.ts'
import type { SipTrunk } from '../trunks/driver.ts'
import { createRefusals } from './refusals.ts'
import { guardedResolver, mayReach } from './resolver.ts'
import { createSources } from './sources.ts'

function trunk(key: string, sourceAddresses: string[] = []): SipTrunk {
  const settings = { host: `${key}.example`, port: 5060, transport: 'udp', sourceAddresses, inboundUsername: null }
  return { key, scope: { tenantId: 1, organizationId: 1 }, settings } as unknown as SipTrunk
}

function open(context: TestContext, addressesOf: () => Promise<string[]>) {
  const sources = createSources({ addressesOf })
  context.after(() => sources.close())
  const cameBy = async (address: string) => (await sources.cameBy(address, 'udp')).map(({ trunkId }) => trunkId)
  return { add: sources.add, cameBy }
}

test('a name is looked up once for many calls, and the first of them waits for it', async context => {
  let lookups = 0
  const { promise, resolve } = Promise.withResolvers<string[]>()
  const { add, cameBy } = open(context, () => {
    lookups++
    return promise
  })
  add(trunk('named'))
  add(trunk('given', ['198.51.100.0/24']))
  const first = cameBy('192.0.2.1')
  resolve(['192.0.2.1'])
  assert.deepEqual(await first, ['named'])
  for (let n = 0; n < 100; n++) assert.deepEqual(await cameBy('198.51.100.9'), ['given'])
  assert.deepEqual(await cameBy('203.0.113.1'), [])
  // Its own, and each name and transport that leads to one of the two past its trunk.
  assert.equal(lookups, 10)
})

test('a trunk that was set up again, or has gone, is not found by what it had before', async context => {
  const answer = Promise.withResolvers<string[]>()
  const { add, cameBy } = open(context, () => answer.promise)
  const leaveOld = add(trunk('a', ['192.0.2.1']))
  const leaveNew = add(trunk('a', ['192.0.2.2']))
  leaveOld()
  assert.deepEqual([await cameBy('192.0.2.1'), await cameBy('192.0.2.2')], [[], ['a']])
  leaveNew()
  assert.deepEqual(await cameBy('192.0.2.2'), [])
  // It goes while its name is looked up.
  const leaveNamed = add(trunk('named'))
  leaveNamed()
  answer.resolve(['192.0.2.3'])
  await answer.promise
  assert.deepEqual(await cameBy('192.0.2.3'), [])
})

test('a name that leads nowhere lets calls by others through', async context => {
  const { add, cameBy } = open(context, () => Promise.reject(new Error('no such name')))
  add(trunk('nameless'))
  add(trunk('given', ['198.51.100.7']))
  assert.deepEqual(await cameBy('198.51.100.7'), ['given'])
})

test('a name that leads only where this server may not go is refused with what would allow it', async () => {
  const absent = async () => Promise.reject(Object.assign(new Error('absent'), { code: 'ENOTFOUND' }))
  const dns: SipResolver = { resolveNaptr: absent, resolveSrv: absent, resolve4: absent, resolve6: absent }
  const uri = parseUri('sip:pbx.example:5060')
  assert.ok(!isFault(uri))
  const ask = (resolver: SipResolver, allow: readonly Cidr[] = [], bound = '0.0.0.0') =>
    locate(uri, { resolver: guardedResolver(resolver, { allow, bound }), transports: ['udp'], random: () => 0 })
  const refusal = /^pbx\.example is 10\.1\.2\.3: .*TANDEM_EGRESS_ALLOW/
  const own = { ...dns, resolve4: async () => ['10.1.2.3'] }
  await assert.rejects(ask(own), { message: refusal })
  // Names of this machine's own files likewise.
  await assert.rejects(ask({ ...dns, lookup: async () => [{ address: '10.1.2.3', family: 4 }] }), { message: refusal })
  const mixed = await ask({ ...own, resolve4: async () => ['10.1.2.3', '192.88.98.1'] })
  assert.deepEqual(
    mixed.map(({ address }) => address),
    ['192.88.98.1'],
  )
  assert.match(String(mayReach('10.1.2.3', { allow: [], bound: '0.0.0.0' })), /TANDEM_EGRESS_ALLOW/)
  assert.equal(mayReach('10.1.2.3', { allow: allowedRanges(['10.0.0.0/8']), bound: '0.0.0.0' }), true)
  // From loopback nothing leads out of the machine.
  const bound = '127.0.0.1'
  const away = { ...dns, resolve4: async () => ['192.88.98.1'] }
  await assert.rejects(ask(away, [], bound), {
    message: /^pbx\.example is 192\.88\.98\.1: .*127\.0\.0\.1.*TANDEM_SIP_ADDRESS/,
  })
  assert.match(String(mayReach('2606:4700::1', { allow: [], bound })), /TANDEM_SIP_ADDRESS/)
  const allow = allowedRanges(['127.0.0.0/8', '::1'])
  for (const address of ['127.0.0.1', '127.0.0.9', '::1']) assert.equal(mayReach(address, { allow, bound }), true)
})

test('calls that are refused are reported in the log, each once in a while, and never more than it can bear', () => {
  const lines: unknown[] = []
  let nowMs = 0
  const clock = { now: () => nowMs }
  const refusals = createRefusals({ clock, log: { warn: (...line: unknown[]) => void lines.push(line) } as never })
  const call = { address: '192.0.2.1', to: '+15550100001' }
  for (let times = 0; times < 3; times++) refusals.report('unknown_peer', call)
  assert.equal(lines.length, 1)
  assert.match(JSON.stringify(lines), /192\.0\.2\.1.*\+15550100001.*sourceAddresses/)
  refusals.report('unknown_number', call)
  refusals.report('unknown_number', { ...call, to: '+15550100002' })
  assert.equal(lines.length, 3)
  for (let n = 0; n < 100; n++) refusals.report('unknown_peer', { ...call, address: `198.51.100.${n}` })
  assert.equal(lines.length, 20)
  nowMs = 10 * 60_000
  refusals.report('unknown_peer', call)
  assert.equal(lines.length, 21)
})
