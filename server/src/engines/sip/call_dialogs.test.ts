// The dialog of a call over a trunk: what is offered and answered, however the remote party answers; how it ends, and what stays
// stored until that is confirmed or another process has ended it.
// test: waits
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SipFlow, SipRequest } from '@tandem/sip'
import { openPeer, reply, sdpOf } from '../../../../packages/sip/test/agent_support.ts'
import { addTrunk } from '../../../test/engines/sip_carrier.ts'
import { over, startTrunkCalls, to } from '../../../test/engines/trunk_calls.ts'
import { eventually } from '../../../test/eventually.ts'
import { callIn, startCall } from '../../../test/voice/calls.ts'
import type { EngineHost } from '../../modules/voice/engine/index.ts'
import { trunkEngine } from '../trunks/engine.ts'
import { sipDriver } from './driver.ts'

const { t, open, live, withTrunks, dial } = await startTrunkCalls()

test('a call that was hung up stays stored until the remote party has confirmed it', async context => {
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
    const isStored = async () => (await t.ownerSql('select 1 from sip_calls where call_id = $1', [callId])).length === 1
    await callIn(t, callId, ['answered'], live())
    await t.call('POST', `/v2/voice/calls/${callId}/hangup`, { as: live() })
    await callIn(t, callId, over, live())
    // Longer than what ends calls is gathered for; a process that died now would have said BYE in vain.
    await eventually('a repeated BYE', async () => byes().length > 2)
    assert.ok(await isStored())
    const [bye] = byes()
    assert.ok(bye)
    reply(peer, ...bye, 200)
    await eventually('the end of what was stored', async () => !(await isStored()))
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
  const other = trunkEngine([sipDriver])(t.app.services)
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
      async onCall(party) {
        await party.call.answer()
        // For as long as it takes to hear something: on a busy machine a frame is late.
        const hears = () => party.rtp === undefined || party.rtp.statistics().received.packets > 10
        await eventually('sound', hears, { withinMs: 10_000 }).catch(() => {})
        party.call.end()
      },
    })
    const trunk = await addTrunk(t, carrier.port, { settings: { srtp } })
    await withTrunks([trunk], async () => {
      const { state, errorCode } = await dial()
      const offers = carrier.calls.map(({ call }) => /m=audio \d+ (\S+)/.exec(call.request.body.toString())?.[1] ?? '')
      const heard = carrier.calls.at(-1)?.rtp?.statistics().received.packets ?? 0
      sounds.push([[state, errorCode ?? '', ...offers], heard])
    })
  }
  assert.deepEqual(
    sounds.map(([sound]) => sound),
    [
      ['completed', '', 'RTP/SAVP'],
      ['completed', '', 'RTP/SAVP', 'RTP/AVP'],
      ['failed', 'codec_mismatch', 'RTP/SAVP'],
      ['failed', 'codec_mismatch', 'RTP/AVP'],
    ],
  )
  // The remote party counts what opens with the keys it was given.
  assert.ok(sounds[0]![1] > 10 && sounds[1]![1] > 10, JSON.stringify(sounds))
})

test('answers as remote parties give them: early sound, held at once, in several parts, and nothing of use', async context => {
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

test('a remote party that hangs up for a reason that there is not ends its call all the same', async () => {
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
