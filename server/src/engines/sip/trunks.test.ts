// Guards: what only trunks have. Failover only before a phone can have rung; passwords; limits that let calls wait; calls that come in;
// the ladder; registration; a process that dies, whose calls another one ends.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createDigestGuard,
  createSystemResolver,
  credentialsOf,
  digestSecret,
  isFault,
  openSipAgent,
  type SipFlow,
  type SipRequest,
} from '@tandem/sip'
import { openPeer, reply, sdpOf } from '../../../../packages/sip/test/agent_support.ts'
import { selfSigned } from '../../../../packages/sip/test/transport_support.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { callIn, startCall } from '../../modules/voice/calls/testing.ts'
import type { EngineHost } from '../../modules/voice/engine.ts'
import { trunkEngine } from '../trunks/engine.ts'
import { sipLine } from './line.ts'
import { addTrunk, type Carrier, sipEnv, startCarrier } from './testing.ts'

const over = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']
const to = '+15550100002'

/** Waits for a condition; an error that says what was waited for when it does not come. */
async function until<T>(what: string, look: () => Promise<T | undefined | false>, timeoutMs = 10_000): Promise<T> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const found = await look()
    if (found) return found
    if (performance.now() > deadline) throw new Error(`${what} did not come`)
    await sleep(30)
  }
}

describe('trunks', () => {
  let t: TestApp
  const carriers: Carrier[] = []
  before(async () => {
    t = await startTestApp({ work: true, env: sipEnv })
  })
  after(async () => {
    await t.close()
    await Promise.all(carriers.map(carrier => carrier.close()))
  })
  const open = async (options: Parameters<typeof startCarrier>[0] = {}) => {
    const carrier = await startCarrier(options)
    carriers.push(carrier)
    return carrier
  }
  const live = () => t.main.liveKey
  /** Trunks of a test are gone after it; the next call takes its own. */
  async function withTrunks<T>(ids: readonly string[], work: () => Promise<T>): Promise<T> {
    await until(
      'the trunks',
      async () =>
        (await t.ownerSql('select 1 from trunk_states where trunk_id = any($1)', [ids])).length === ids.length,
    )
    try {
      return await work()
    } finally {
      for (const id of ids) await t.call('DELETE', `/v2/voice/trunks/${id}`, { as: t.main.tokens.Admin })
      await sleep(1_300)
    }
  }
  const dial = async (number = to) => callIn(t, await startCall(t, number, {}, live()), over, live(), 20_000)

  test('a call that was hung up stays stored until the far side has confirmed it', async context => {
    const requests: [SipRequest, SipFlow][] = []
    const peer = await openPeer(context, (request, flow) => {
      requests.push([request, flow])
      if (request.method === 'INVITE') reply(peer, request, flow, 200, { sdp: sdpOf(50_000) })
      if (request.method === 'OPTIONS') reply(peer, request, flow, 200)
    })
    const byes = () => requests.filter(([{ method }]) => method === 'BYE')
    const trunk = await addTrunk(t, peer.at('udp').port)
    await withTrunks([trunk], async () => {
      const callId = await startCall(t, to, {}, live())
      const isStored = async () =>
        (await t.ownerSql('select 1 from sip_calls where call_id = $1', [callId])).length === 1
      await callIn(t, callId, ['answered'], live())
      await t.call('POST', `/v2/voice/calls/${callId}/hangup`, { as: live() })
      await callIn(t, callId, over, live())
      // Longer than what ends calls is gathered for; a process that died now would have said BYE in vain.
      await until('a repeated BYE', async () => byes().length > 2)
      assert.ok(await isStored())
      const [bye] = byes()
      assert.ok(bye)
      reply(peer, ...bye, 200)
      await until('the end of what was stored', async () => !(await isStored()))
    })
  })

  test('another process ends a call with the account of the trunk, and does not forget it before', async context => {
    const proved: SipRequest[] = []
    const peer = await openPeer(context, (request, flow) => {
      const isProved = request.headers.some(({ name }) => name === 'Proxy-Authorization')
      const value = 'Digest realm="carrier", nonce="1", qop="auth", algorithm=SHA-256'
      if (request.method === 'ACK') return
      if (request.method === 'INVITE') return reply(peer, request, flow, 200, { sdp: sdpOf(50_000) })
      if (request.method === 'BYE' && !isProved)
        return reply(peer, request, flow, 407, { headers: [{ name: 'Proxy-Authenticate', value }] })
      if (request.method === 'BYE') proved.push(request)
      reply(peer, request, flow, 200)
    })
    const account = { username: 'example', password: 'secret' }
    const trunk = await addTrunk(t, peer.at('udp').port, { settings: account })
    const other = trunkEngine([sipLine])(t.app.services)
    await withTrunks([trunk], async () => {
      await other.start({} as EngineHost)
      context.after(() => other.stop())
      const callId = await startCall(t, to, {}, live())
      await callIn(t, callId, ['answered'], live())
      await other.endStranded({ tenantId: t.main.liveTenantId, organizationId: t.main.organizationId, callId })
      assert.equal(proved.length, 1)
      assert.equal((await t.ownerSql('select 1 from sip_calls where call_id = $1', [callId])).length, 0)
      await t.call('POST', `/v2/voice/calls/${callId}/hangup`, { as: live() })
      await callIn(t, callId, over, live())
    })
  })

  test('the next trunk takes a call that the first cannot carry, and none after a phone has rung', async () => {
    const refusing = await open({ onCall: ({ call }) => call.reject(503) })
    const ringing = await open({
      onCall({ call }) {
        call.ring()
        setTimeout(() => call.reject(503), 50)
      },
    })
    const taking = await open({ talkMs: 200 })
    const route = (priority: number) => [{ prefix: '', priority, weight: 1 }]
    const first = await addTrunk(t, refusing.port, { name: 'First', routes: route(1) })
    const second = await addTrunk(t, taking.port, { name: 'Second', routes: route(2) })
    await withTrunks([first, second], async () => {
      const call = await dial()
      assert.equal(call.state, 'completed')
      const rerouted = call.history.find(entry => entry.type === 'call.rerouted')
      assert.deepEqual(rerouted?.details, { trunk: first, sipCode: 503, nextTrunk: second })
      assert.deepEqual([refusing.calls.length, taking.calls.length], [1, 1])
      const messages = await until('the ladder of both', async () => {
        const { json } = await t.call('GET', `/v2/voice/calls/${call.callId}/trace`, { as: live() })
        return json.data.messages.length >= 11 && json.data.messages
      })
      assert.deepEqual(
        messages.map(({ summary }: { summary: string }) => summary).filter((text: string) => / \(\d+\)$/.test(text)),
        ['INVITE (1)', 'ACK (1)', 'INVITE (1)', 'ACK (1)', 'BYE (1)'],
      )
    })
    const third = await addTrunk(t, ringing.port, { name: 'Third', routes: route(1) })
    const fourth = await addTrunk(t, taking.port, { name: 'Fourth', routes: route(2) })
    await withTrunks([third, fourth], async () => {
      const call = await dial()
      assert.deepEqual([call.state, call.sipCode, ringing.calls.length, taking.calls.length], ['failed', 503, 1, 1])
    })
  })

  test('a carrier that asks for a password gets it; a wrong one fails the call and names the trunk', async () => {
    const guard = createDigestGuard({ realm: 'carrier', key: Buffer.alloc(16, 7) })
    const carrier = await open({
      onCall({ call }) {
        const credentials = credentialsOf(call.request, 'Proxy-Authorization', 'carrier')
        const isShown = credentials !== undefined && !isFault(credentials)
        const secret = isShown ? digestSecret(credentials.algorithm, 'example', 'carrier', 'secret') : ''
        const { method, uri, body } = call.request
        const proof = { secret, method, uri, body }
        if (!isShown || guard.check(credentials, proof, Date.now()) !== 'right')
          return call.reject(407, guard.challenge(407, Date.now()))
        call.ring()
        void call.answer().then(() => setTimeout(() => call.end(), 100))
      },
    })
    const account = { username: 'example', password: 'secret' }
    const right = await addTrunk(t, carrier.port, { settings: account })
    await withTrunks([right], async () => assert.equal((await dial()).state, 'completed'))
    const wrong = await addTrunk(t, carrier.port, { settings: { ...account, password: 'guess' } })
    await withTrunks([wrong], async () => {
      const call = await dial()
      assert.deepEqual([call.state, call.errorCode, call.sipCode], ['failed', 'trunk_rejected', 407])
    })
  })

  test('encrypted sound that is preferred is offered first; who refuses it is offered the other, unless it is required', async () => {
    const cryptos = [{ suite: 'AES_CM_128_HMAC_SHA1_80', key: Buffer.alloc(30, 3) }] as const
    const sounds: [offers: string[], heard: number][] = []
    const secure = { srtp: 'required', cryptos } as const
    for (const [srtp, local] of [
      ['preferred', secure],
      ['preferred', {}],
      ['required', {}],
      ['off', secure],
    ] as const) {
      const carrier = await open({
        local,
        async onCall({ call }) {
          await call.answer()
          setTimeout(() => call.end(), 600)
        },
      })
      const trunk = await addTrunk(t, carrier.port, { settings: { srtp } })
      await withTrunks([trunk], async () => {
        const { state, errorCode } = await dial()
        const offers = carrier.calls.map(
          ({ call }) => /m=audio \d+ (\S+)/.exec(call.request.body.toString())?.[1] ?? '',
        )
        const heard = carrier.calls.at(-1)?.rtp?.statistics().received.packets ?? 0
        sounds.push([[state, errorCode ?? '', ...offers], heard])
      })
    }
    assert.deepEqual(
      sounds.map(([told]) => told),
      [
        ['completed', '', 'RTP/SAVP'],
        ['completed', '', 'RTP/SAVP', 'RTP/AVP'],
        ['failed', 'codec_mismatch', 'RTP/SAVP'],
        ['failed', 'codec_mismatch', 'RTP/AVP'],
      ],
    )
    // The far side counts what opens with the keys it was given.
    assert.ok(sounds[0]![1] > 10 && sounds[1]![1] > 10, JSON.stringify(sounds))
  })

  test('answers as far sides give them: early sound, held at once, in several parts, and nothing of use', async context => {
    const parts = (sdp: string) => ({
      contentType: 'multipart/mixed;boundary="x y"',
      body: Buffer.from(
        `--x y\r\nContent-Type: application/ISUP;version=itu-t92+\r\n\r\n\x01\x11\r\n--x y\r\nContent-Type: application/sdp\r\n\r\n${sdp}\r\n--x y--\r\n`,
      ),
    })
    const peer = await openPeer(context, (request, flow) => {
      const last = /\d(?=@)/.exec(request.uri)?.[0]
      if (request.method === 'ACK') return
      if (request.method !== 'INVITE') return reply(peer, request, flow, 200)
      if (last === '1') {
        reply(peer, request, flow, 183, { sdp: sdpOf(50_000) })
        reply(peer, request, flow, 200, { sdp: `${sdpOf(50_000)}a=sendonly\r\n` })
      } else if (last === '2') reply(peer, request, flow, 200, parts(sdpOf(50_000)))
      else reply(peer, request, flow, 200, { sdp: last === '3' ? 'nonsense' : sdpOf(0) })
    })
    const trunk = await addTrunk(t, peer.at('udp').port)
    await withTrunks([trunk], async () => {
      const instructions = [{ verb: 'pause', seconds: 1 }]
      const calls = await Promise.all(
        ['1', '2', '3', '4'].map(async last =>
          callIn(t, await startCall(t, `+1555010000${last}`, { instructions }, live()), over, live()),
        ),
      )
      const [held, divided, ...useless] = calls.map(({ state, errorCode, sipCode, history }) => [
        [state, errorCode, sipCode],
        history.map(({ type }) => type.replace('call.', '')),
      ])
      assert.deepEqual(held, [
        ['completed', null, 200],
        ['initiated', 'ringing', 'early_media', 'answered', 'held', 'completed'],
      ])
      assert.deepEqual(divided?.[0], ['completed', null, 200])
      for (const call of useless)
        assert.deepEqual(call, [
          ['failed', 'codec_mismatch', 488],
          ['initiated', 'failed'],
        ])
    })
  })

  test('a carrier that refuses an extension which is only offered gets the call without', async context => {
    const offered: boolean[] = []
    const peer = await openPeer(context, (request, flow) => {
      if (request.method === 'ACK') return
      const hasExtension = request.headers.some(({ name }) => name === 'Supported' || name === 'Session-Expires')
      if (request.method === 'INVITE') offered.push(hasExtension)
      const headers = [{ name: 'Unsupported', value: 'timer' }]
      if (request.method === 'INVITE' && hasExtension) return reply(peer, request, flow, 420, { headers })
      reply(peer, request, flow, request.method === 'INVITE' ? 486 : 200)
    })
    const trunk = await addTrunk(t, peer.at('udp').port)
    await withTrunks([trunk], async () => assert.equal((await dial()).state, 'busy'))
    assert.deepEqual(offered, [true, false])
  })

  test('calls beyond the limits of a trunk wait for their turn and all go through', async () => {
    const carrier = await open({ talkMs: 300 })
    const trunk = await addTrunk(t, carrier.port, { settings: { callsPerSecond: 4, concurrentCalls: 2 } })
    await withTrunks([trunk], async () => {
      const ids = await Promise.all(Array.from({ length: 6 }, () => startCall(t, to, {}, live())))
      const calls = await Promise.all(ids.map(callId => callIn(t, callId, over, live(), 30_000)))
      assert.deepEqual(
        calls.map(call => call.state),
        Array.from({ length: 6 }, () => 'completed'),
      )
      const dialed = calls.map(call => Date.parse(call.dialedAt ?? '')).sort((a, b) => a - b)
      const gaps = dialed.slice(1).map((at, index) => at - (dialed[index] ?? 0))
      assert.ok(
        gaps.every(gap => gap >= 200),
        JSON.stringify(gaps),
      )
      for (const call of calls) {
        const at = Date.parse(call.dialedAt ?? '')
        const live = calls.filter(
          other => Date.parse(other.dialedAt ?? '') <= at && Date.parse(other.endedAt ?? '') > at,
        )
        assert.ok(live.length <= 2, String(live.length))
      }
    })
  })

  test('a registered trunk is up, and tells why it is not', async () => {
    let status = 200
    const carrier = await open({
      onRequest(request) {
        if (request.method !== 'REGISTER') return undefined
        const contact = request.headers.find(({ name }) => name === 'Contact')?.value ?? ''
        return status === 200 ? { status, headers: [{ name: 'Contact', value: `${contact};expires=600` }] } : { status }
      },
    })
    const settings = { username: 'example', register: true }
    const stateOf = async (id: string) =>
      (await t.call('GET', `/v2/voice/trunks/${id}`, { as: t.main.tokens.Admin })).json.data
    const trunk = await addTrunk(t, carrier.port, { settings })
    await withTrunks([trunk], async () => {
      await until('up', async () => (await stateOf(trunk)).state === 'up')
    })
    status = 403
    const refused = await addTrunk(t, carrier.port, { settings })
    await withTrunks([refused], async () => {
      const seen = await until('unregistered', async () => {
        const data = await stateOf(refused)
        return data.state === 'unregistered' && data
      })
      assert.match(JSON.stringify(seen), /403/)
    })
  })

  test('tlsVerify is what it says, also of a connection that stands when it is turned on', async context => {
    const carrier = await openSipAgent({
      product: 'Carrier/1.0',
      tls: [{ address: '127.0.0.1', port: 0, ...selfSigned(context, 'DNS:somewhere.invalid') }],
      resolver: createSystemResolver(),
      random: bytes => randomBytes(bytes),
      onError() {},
    })
    context.after(() => carrier.close())
    const settings = { transport: 'tls', tlsVerify: false, optionsSeconds: 5 }
    const trunk = await addTrunk(t, carrier.bound[0]?.port ?? 0, { settings })
    const as = t.main.tokens.Admin
    const stateIs = (state: string) =>
      until(state, async () => {
        const { json } = await t.call('GET', `/v2/voice/trunks/${trunk}`, { as })
        return json.data.state === state && JSON.stringify(json.data)
      })
    const tried = async () => (await t.call('POST', `/v2/voice/trunks/${trunk}/test`, { as })).json.data.ok
    await withTrunks([trunk], async () => {
      await stateIs('up')
      assert.equal(await tried(), true)
      await t.call('PATCH', `/v2/voice/trunks/${trunk}`, { as, body: { settings: { tlsVerify: true } } })
      assert.match(await stateIs('down'), /self-signed/)
      assert.equal(await tried(), false)
    })
  })

  test('the ladder of a call shows what was said, without the password', async () => {
    const carrier = await open({ talkMs: 100 })
    const trunk = await addTrunk(t, carrier.port)
    await withTrunks([trunk], async () => {
      const { callId } = await dial()
      const messages = await until('the ladder', async () => {
        const { json } = await t.call('GET', `/v2/voice/calls/${callId}/trace`, { as: live() })
        return json.data.messages.length >= 7 && json.data.messages
      })
      assert.deepEqual(
        messages.map(({ direction, summary }: { direction: string; summary: string }) => `${direction} ${summary}`),
        [
          'sent INVITE (1)',
          'received 100 Trying (1 INVITE)',
          'received 180 Ringing (1 INVITE)',
          'received 200 OK (1 INVITE)',
          'sent ACK (1)',
          'received BYE (1)',
          'sent 200 OK (1 BYE)',
        ],
      )
    })
  })

  test('a call that comes in reaches the number that was called; others are told so', async () => {
    const carrier = await open()
    const trunk = await addTrunk(t, carrier.port)
    const number = '+15550100077'
    const made = await t.call('POST', '/v2/numbers', { as: live(), body: { number, voice: true } })
    assert.equal(made.status, 201, made.text)
    await withTrunks([trunk], async () => {
      const { port } = await until('the port', async () => listeningPort(t, carrier))
      const statuses: number[] = []
      const answered = Promise.withResolvers<void>()
      const callOut = (user: string) =>
        carrier.agent.call({
          from: '<sip:+15550100099@127.0.0.1>',
          to: `<sip:${user}@127.0.0.1>`,
          target: `sip:${user}@127.0.0.1:${port}`,
          local: { sessionId: '9', address: { family: 'IP4', address: '127.0.0.1' }, port: 29_998 },
          handlers: {
            onMedia() {},
            onAnswered: () => answered.resolve(),
            onEnded: end => void statuses.push(end.status),
          },
        })
      callOut('+15550100078')
      await until('404', async () => statuses.includes(404))
      const call = callOut(number)
      await answered.promise
      const seen = await until('the call', async () => {
        const { json } = await t.call('GET', `/v2/voice/calls?direction=inbound&to=${encodeURIComponent(number)}`, {
          as: live(),
        })
        return json.data[0]?.state === 'answered' && json.data[0]
      })
      assert.deepEqual([seen.from, seen.to, seen.trunkId], ['+15550100099', number, trunk])
      call.end({ q850: 0 })
      const ended = await callIn(t, seen.callId, over, live())
      assert.deepEqual([ended.state, ended.hangupBy, ended.q850], ['completed', 'caller', 16])
    })
  })

  test('a far side that hangs up for a reason that there is not ends its call all the same', async () => {
    const causes = [0, 128, 99_999_999_999, Number.NaN, 31]
    const carrier = await open({
      async onCall({ call }, number) {
        await call.answer()
        call.end({ q850: causes[Number(number.at(-1))] ?? 16 })
      },
    })
    const trunk = await addTrunk(t, carrier.port)
    await withTrunks([trunk], async () => {
      const calls = await Promise.all(causes.map((_cause, index) => dial(`+1555010000${index}`)))
      assert.deepEqual(
        calls.map(({ state, hangupBy, q850, billableSeconds }) => [state, hangupBy, q850, billableSeconds !== null]),
        [16, 16, 16, 16, 31].map(cause => ['completed', 'callee', cause, true]),
      )
    })
  })
})

/** Where the server listens, by the Contact of its OPTIONS. */
async function listeningPort(_t: TestApp, carrier: Carrier): Promise<{ port: number } | undefined> {
  return carrier.seen.port === undefined ? undefined : { port: carrier.seen.port }
}
