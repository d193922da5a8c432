// Names that change their mind: what a name server says is checked at every look, all of it, and what was checked is what is
// dialled. A good receiver is at one address, a canary at another that must see nobody.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, test } from 'node:test'
import { type NameAnswer, type NameServer, type Question, startNameServer } from '../../../test/name_server.ts'
import { createOutbound, type Outbound } from './outbound.ts'

const good = '127.0.0.5'
const bad = '127.0.0.1'
let port = 0
let receiver: Server
let canary: Server
let canaryConnections = 0
let hosts: string[] = []
let names: NameServer
let answer: (question: Question) => NameAnswer = () => null
let nowMs = 0
let out: Outbound

before(async () => {
  receiver = createServer((request, response) => {
    hosts.push(request.headers.host ?? '')
    response.writeHead(204, { connection: 'close' }).end()
  })
  receiver.listen(0, good)
  await once(receiver, 'listening')
  port = (receiver.address() as AddressInfo).port
  canary = createServer((_request, response) => void response.end())
  canary.on('connection', () => canaryConnections++)
  canary.listen(port, bad)
  await once(canary, 'listening')
  names = await startNameServer(question => answer(question))
  out = createOutbound({
    allow: [`${good}/32`],
    nameServers: [names.address],
    connectTimeoutMs: 1_000,
    now: () => nowMs,
  })
})
after(async () => {
  await out?.close()
  receiver?.close()
  canary?.close()
  await names?.close()
})
afterEach(() => {
  assert.equal(canaryConnections, 0)
  hosts = []
  nowMs += 60_000
})

const send = (name: string) =>
  out.send({ url: new URL(`http://${name}:${port}/`), headers: [], body: Buffer.from('{}') })
const only =
  (addresses: string[], ttl = 60): typeof answer =>
  () => ({ addresses, ttl })

test('a name that leads to a good address is dialled there, with its own name as Host', async () => {
  answer = only([good])
  assert.equal((await send('one.example.com')).ok, true)
  assert.deepEqual(hosts, [`one.example.com:${port}`])
  assert.equal((await send('ONE.example.com.')).ok, true)
})

test('a name that flips to a forbidden address with its second answer is refused from then on', async () => {
  answer = ({ before }) => ({ addresses: [before === 0 ? good : bad], ttl: 0 })
  assert.equal((await send('flip.example.com')).ok, true)
  nowMs += 1_001
  assert.deepEqual(await send('flip.example.com'), { ok: false, error: 'blocked_address' })
  nowMs += 1_001
  assert.deepEqual(await send('flip.example.com'), { ok: false, error: 'blocked_address' })
  assert.equal(hosts.length, 1)
})

test('between look and call nothing is asked again: a flip comes too late', async () => {
  answer = ({ before }) => ({ addresses: [before === 0 ? good : bad], ttl: 0 })
  const replies = await Promise.all(Array.from({ length: 20 }, () => send('race.example.com')))
  assert.ok(replies.every(reply => reply.ok))
  assert.deepEqual(
    names.asked
      .filter(question => question.name === 'race.example.com')
      .map(question => question.type)
      .sort(),
    ['A', 'AAAA'],
  )
})

test('one forbidden address among good ones forbids the name', async () => {
  for (const addresses of [
    [good, bad],
    [bad, good],
    [good, '169.254.169.254'],
    [good, '::1'],
    [good, '::ffff:127.0.0.1'],
    [good, '64:ff9b::7f00:1'],
    ['fd00:ec2::254'],
    ['0.0.0.0'],
  ]) {
    answer = only(addresses)
    assert.deepEqual(
      await send(`mixed${nowMs}.example.com`),
      { ok: false, error: 'blocked_address' },
      String(addresses),
    )
    nowMs += 60_000
  }
  assert.deepEqual(hosts, [])
})

test('every pattern of flipping, over many looks', async () => {
  let reached = 0
  for (let pattern = 0; pattern < 64; pattern++) {
    answer = ({ before }) => ({ addresses: [(pattern >> (before % 6)) & 1 ? bad : good], ttl: 0 })
    for (let look = 0; look < 6; look++) {
      const reply = await send(`pattern${pattern}.example.com`)
      if (reply.ok) reached++
      nowMs += 1_001
    }
  }
  assert.equal(reached, 32 * 6)
  assert.equal(canaryConnections, 0)
})

test('names that do not exist, and name servers that say nothing, are one word', async () => {
  answer = () => null
  assert.deepEqual(await send('nobody.example.com'), { ok: false, error: 'dns_failed' })
  answer = () => undefined
  const startedMs = performance.now()
  assert.deepEqual(await send('silence.example.com'), { ok: false, error: 'dns_failed' })
  assert.ok(performance.now() - startedMs < 3_000)
  answer = only([good])
  nowMs += 1_001
  assert.equal((await send('nobody.example.com')).ok, true, 'a failure is not remembered for long')
})

test('an address without anybody is passed over for the next', async () => {
  const other = createOutbound({ allow: [`${good}/32`, '127.0.0.9/32'], nameServers: [names.address] })
  answer = only(['127.0.0.9', good])
  const url = new URL(`http://two.example.com:${port}/`)
  assert.equal((await other.send({ url, headers: [] })).ok, true)
  answer = only(['127.0.0.9'])
  const none = await other.send({ url: new URL(`http://none.example.com:${port}/`), headers: [] })
  assert.deepEqual(none, { ok: false, error: 'connection_refused' })
  await other.close()
})
