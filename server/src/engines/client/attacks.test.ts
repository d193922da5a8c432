// What strangers, and who is in the way, can do to a connection with a browser: nothing. Datagrams over all ports, forged checks of
// ICE, remote parties that cannot prove what they show, and a slice of what `npm run fuzz` does a million times.
// test: waits
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { createSocket, type Socket } from 'node:dgram'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRtcp } from '@tandem/sip'
import { type BrowserCall, createBrowserCall } from '../../../test/engines/browser_phone.ts'
import { dtlsFuzz } from '../../../test/fuzz/dtls.ts'
import { runFuzz } from '../../../test/fuzz/runner.ts'
import { stunFuzz } from '../../../test/fuzz/stun.ts'
import { createDtlsEnd, type DtlsOutcome, type Identity, type Lie, makeIdentity } from '../../../test/rtc/dtls.ts'
import { openRogue } from '../../../test/rtc/rogue.ts'
import { nomination, readStun, stunType } from '../../../test/rtc/stun.ts'
import { openPeer, type Peer } from './webrtc.ts'

const ports = { minPort: 20_000, maxPort: 29_999 }
const settings = { address: '127.0.0.1', advertise: null, ports, iceServers: [], turnSecret: null }

type Call = {
  browser: BrowserCall
  peer: Peer
  answer: string
  isGone: boolean
  heard: number
  connect(): Promise<void>
}
const ssrc = 0x7a7a7a7a

/** A call with a browser, from its answer on. `heard`: packets of sound that came from it. */
async function openCall(): Promise<Call> {
  const browser = createBrowserCall()
  const call = { isGone: false, heard: 0 }
  const peer = await openPeer(await browser.offer(), settings, {
    onPacket: packet => {
      if (!isRtcp(packet)) call.heard += 1
    },
    onConnected() {},
    onGone: () => {
      call.isGone = true
    },
  })
  const answer = peer.answer(ssrc)
  return Object.assign(call, { browser, peer, answer, connect: () => browser.connect(answer) })
}

async function closeCall({ browser, peer }: Call): Promise<void> {
  await browser.vanish()
  peer.close()
}

/** The browser is still heard, and the call goes on. */
async function assertTalking(call: Call, what: string): Promise<void> {
  const before = call.heard
  const deadlineMs = performance.now() + 10_000
  while (call.heard < before + 25 && performance.now() < deadlineMs) await sleep(20)
  assert.ok(call.heard >= before + 25, `${what}: the browser is not heard any more`)
  assert.equal(call.isGone, false, `${what}: the call is over`)
}

async function stranger(address: string): Promise<{ socket: Socket; came: Buffer[] }> {
  const socket = createSocket('udp4')
  await new Promise<void>(resolve => socket.bind(0, address, resolve))
  const came: Buffer[] = []
  socket.on('message', bytes => came.push(bytes))
  return { socket, came }
}

/** Datagrams that ended calls: plaintext alerts after the handshake, records of no known kind, and anything at all. */
function disruptions(): Buffer[] {
  const record = (kind: number, body: string) =>
    Buffer.from(
      `${kind.toString(16).padStart(2, '0')}fefd0000000000000099${(body.length / 2).toString(16).padStart(4, '0')}${body}`,
      'hex',
    )
  return [
    ...[
      record(21, '0100'),
      record(21, '0200'),
      record(21, '022f'),
      record(20, '01'),
      record(99, '0000'),
      record(24, '0001ffff'),
    ],
    ...[
      record(23, '00'.repeat(40)),
      record(22, '0100000000000000000000'),
      randomBytes(1),
      randomBytes(60),
      randomBytes(600),
    ],
    ...[
      Buffer.concat([Buffer.from('8000', 'hex'), randomBytes(170)]),
      Buffer.concat([Buffer.from('80cb', 'hex'), randomBytes(30)]),
    ],
  ]
}

describe('connections with browsers, attacked', () => {
  const calls: Call[] = []
  const sockets: Socket[] = []
  before(async () => {
    for (let n = 0; n < 3; n++) calls.push(await openCall())
    await Promise.all(calls.map(call => call.connect()))
  })
  after(async () => {
    await Promise.all(calls.map(closeCall))
    for (const socket of sockets) socket.close()
  })

  test('datagrams of strangers over the whole range of ports end no call', async () => {
    const { socket, came } = await stranger('127.0.0.9')
    sockets.push(socket)
    const kinds = disruptions()
    for (let port = ports.minPort; port <= ports.maxPort; port++) {
      socket.send(kinds[port % kinds.length]!, port, '127.0.0.1')
      if (port % 200 === 0) await new Promise(setImmediate)
    }
    const { relay } = calls[0]!.browser
    for (const datagram of kinds) socket.send(datagram, relay!.server.port, relay!.server.address)
    for (const call of calls) await assertTalking(call, 'after a sweep')
    assert.equal(came.length, 0, 'strangers get no answer')
  })

  test('nor do they from the very address of the browser', async () => {
    for (const call of calls) {
      for (const datagram of disruptions()) call.browser.relay!.inject(datagram)
      await assertTalking(call, 'after datagrams in its name')
    }
  })

  test('what OpenSSL ends a connection at, in the name of a browser, reaches that call and no other', async () => {
    const [victim, ...others] = await Promise.all([openCall(), openCall(), openCall()])
    calls.push(victim, ...others)
    await Promise.all([victim, ...others].map(call => call.connect()))
    // Encrypted (epoch 1), and shorter than any cipher makes it: see docs/adr/0010.
    for (const kind of ['15', '16', '17'])
      for (const sequence of ['0001', '00ff', 'ffff'])
        victim.browser.relay!.inject(Buffer.from(`${kind}fefd000100000000${sequence}000100`, 'hex'))
    await sleep(500)
    // When this fails, the library has learnt to drop them: then the paragraph of that decision can go.
    assert.equal(victim.isGone, true)
    for (const call of others) await assertTalking(call, 'another call')
    for (const call of calls.slice(0, 3)) await assertTalking(call, 'an older call')
  })

  test('a check without proof neither turns the sound nor is it followed', async () => {
    const { socket, came } = await stranger('127.0.0.9')
    sockets.push(socket)
    const fresh = await openCall()
    calls.push(fresh)
    for (const { answer, browser } of [fresh, calls[0]!]) {
      const ufrag = /^a=ice-ufrag:(.*)$/m.exec(answer)![1]!.trim()
      const [, port] = /^a=candidate:.* (\d+) typ host/m.exec(answer)!
      const theirs = browser.relay === undefined ? 'abcd' : 'efgh'
      for (const username of [`${ufrag}:${theirs}`, 'xxxx:yyyy', `${ufrag}:`, ufrag])
        for (const proof of ['none', 'garbage', { password: 'x'.repeat(24) }] as const)
          for (const type of Object.values(stunType))
            socket.send(nomination(username, proof, type), Number(port), '127.0.0.1')
    }
    await sleep(300)
    await fresh.connect()
    fresh.browser.speak(700)
    await assertTalking(fresh, 'a call whose checks were forged')
    await assertTalking(calls[0]!, 'a call under way')
    assert.deepEqual(
      came.filter(bytes => readStun(bytes) === undefined),
      [],
      'neither DTLS nor sound for a stranger',
    )
    assert.deepEqual(
      came.filter(bytes => readStun(bytes)?.type === stunType.success),
      [],
      'nor a success of a check',
    )
  })

  test('who the proof is of a certificate must hold its key, finish what was started, and be the one of the offer', async () => {
    const identity = makeIdentity()
    const other = makeIdentity()
    for (const role of ['server', 'client'] as const) {
      assert.equal((await handshake(role, identity, 'none')).isConnected, true, `an honest ${role}`)
      for (const lie of ['key', 'finished'] as const) {
        const { isConnected, outcomes } = await handshake(role, identity, lie)
        assert.equal(isConnected, false, `a ${role} with a wrong ${lie}`)
        assert.deepEqual(
          outcomes.filter(({ event }) => event === 'accepted'),
          [],
        )
        if (lie === 'key') assert.deepEqual(outcomes, [{ event: 'alert', description: 51 }], 'decrypt_error')
      }
      const stolen = await handshake(role, { ...identity, fingerprint: other.fingerprint }, 'none')
      assert.equal(stolen.isConnected, false, `a ${role} with another certificate than that of the offer`)
    }
  })
})

/** A remote party by hand, in this role of DTLS; what came of it within ten seconds. */
async function handshake(role: 'client' | 'server', identity: Identity, lie: Lie) {
  const rogue = await openRogue()
  const outcomes: DtlsOutcome[] = []
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const offer = rogue.offer(identity.fingerprint, role === 'client' ? 'active' : 'passive')
  const peer = await openPeer(offer, settings, {
    onPacket() {},
    onConnected: () => resolve(true),
    onGone: () => resolve(false),
  })
  const end = createDtlsEnd(role, identity, lie, rogue.send, outcome => outcomes.push(outcome))
  rogue.onData(end.take)
  rogue.begin(peer.answer(ssrc))
  if (role === 'client') {
    await rogue.connected
    end.start()
  }
  const isConnected = await Promise.race([promise, sleep(10_000, false, { ref: false })])
  await sleep(50)
  peer.close()
  rogue.close()
  return { isConnected, outcomes }
}

for (const kind of [stunFuzz, dtlsFuzz])
  test(`four thousand inputs of the kind ${kind.name}: ${kind.description}`, async () => {
    const report = await runFuzz(kind, { seed: 1, from: 0, count: 4_000, log: () => {} })
    assert.deepEqual([report.inputs, report.crashes], [4_000, []])
  })

test('a server without calls of browsers has not loaded the library', () => {
  const code = `await import('./server/src/catalog.ts'); console.log(process.report.getReport().sharedObjects.join())`
  const how = ['--conditions=source', '--input-type=module', '-e', code]
  const loaded = execFileSync(process.execPath, how, { cwd: `${import.meta.dirname}/../../../..`, encoding: 'utf8' })
  assert.ok(!loaded.includes('node_datachannel'), loaded)
})
