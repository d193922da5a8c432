// Calls that another process left behind are ended from what was stored of them: calling, ringing, answered, and with the account when
// their BYE is challenged.
// test: waits
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SipRequest } from '../src/message.ts'
import type { SipFlow } from '../src/transport/types.ts'
import {
  accept,
  answered,
  dial,
  ended,
  forgotten,
  note,
  openAgent,
  openPeer,
  type Reported,
  reply,
  sdpOf,
  uriOf,
} from './agent_support.ts'
import { until } from './transport_support.ts'

test('calls of another process are ended: calling, ringing, answered, and answered meanwhile', async context => {
  const bobs: Reported[] = []
  const bob = await openAgent(context, call => {
    bobs.push(accept(call))
    call.ring()
    if (bobs.length === 3) void call.answer()
  })
  const other = await openAgent(context)
  const flows: [SipRequest, SipFlow][] = []
  const peer = await openPeer(context, (message, flow) => void flows.push([message, flow]))
  const alice = await openAgent(context)
  const ringing = dial(alice, bob.uri())
  await until(() => ringing.reported.log.includes('progress 180'), 'ringing')
  await other.endStored(ringing.reported.stored.at(-1)!)
  await ended(bobs[0]!)
  assert.deepEqual([bobs[0]?.end.status, bobs[0]?.end.reasons[0]?.cause], [487, 41])
  const byTcp = dial(alice, bob.uri('tcp'))
  await until(() => byTcp.reported.log.includes('progress 180'), 'ringing')
  await other.endStored(byTcp.call.stored)
  await ended(bobs[1]!)
  const standing = dial(alice, bob.uri())
  await answered(standing.reported)
  await standing.call.sendInfo('1', 100)
  await other.endStored(standing.reported.stored.at(-1)!)
  await ended(bobs[2]!)
  assert.equal(bobs[2]?.end.status, 200)

  // Nobody had answered the INVITE; the CANCEL is repeated, and what is picked up after it is hung up.
  const calling = dial(alice, uriOf(peer))
  await until(() => flows.length > 0, 'the INVITE')
  const [invite] = flows[0]!
  const state = calling.reported.stored.at(-1)!
  assert.equal(state.dialog.phase, 'calling')
  const done = other.endStored(state)
  const cancels = () => flows.filter(([{ method }]) => method === 'CANCEL')
  await until(() => cancels().length > 2, 'CANCEL')
  const [cancel, flow] = cancels()[0]!
  assert.equal(
    cancel.headers[0]?.value.replace(/;(rport|received).*/, ''),
    invite.headers[0]?.value.replace(/;(rport|received).*/, ''),
  )
  // The new process listens where the old one did; here that is another port.
  const via = `SIP/2.0/UDP 127.0.0.1:${other.bound[0]!.port};branch=${state.branch}`
  const headers = invite.headers.map(line => (line.name === 'Via' ? { name: 'Via', value: via } : line))
  reply(peer, { ...invite, headers }, flow, 200, { sdp: sdpOf(50_000) })
  await done
  await until(
    () => flows.some(([{ method }, { remote }]) => method === 'BYE' && remote.port === other.bound[0]?.port),
    'BYE',
  )
  assert.ok(flows.some(([{ method }]) => method === 'ACK'))
  // What cannot be reached is no fault of the one who asks.
  await other.endStored({
    ...standing.reported.stored.at(-1)!,
    dialog: { ...standing.call.stored.dialog, remoteTarget: 'sip:bob@gone.example' },
  })
  assert.deepEqual(other.errors, [])
  for (const { call } of [ringing, byTcp, standing, calling]) call.end()
  await forgotten(other)
})

test('a stored call whose BYE is challenged is ended with the account', async context => {
  const asked: SipRequest[] = []
  const peer = await openPeer(context, (message, flow) => {
    asked.push(message)
    const isProved = message.headers.some(({ name }) => name === 'Authorization')
    const value = 'Digest realm="tandem", nonce="1", qop="auth", algorithm=SHA-256'
    if (message.method === 'INVITE') reply(peer, message, flow, 200, { sdp: sdpOf(50_000) })
    else if (message.method === 'BYE' && isProved) reply(peer, message, flow, 200)
    else if (message.method === 'BYE')
      reply(peer, message, flow, 401, { headers: [{ name: 'WWW-Authenticate', value }] })
  })
  const alice = await openAgent(context)
  const other = await openAgent(context)
  const { call, reported } = dial(alice, uriOf(peer), {}, note())
  await answered(reported)
  await other.endStored(call.stored, undefined, { username: 'alice', password: 'secret' })
  const byes = asked.filter(({ method }) => method === 'BYE')
  // On a busy machine one may be sent again before it is answered.
  const numbers = byes.map(({ headers }) => Number.parseInt(headers.find(({ name }) => name === 'CSeq')!.value, 10))
  const cseqs = [...new Set(numbers)]
  assert.equal(cseqs.length, 2)
  assert.ok(cseqs[0]! > 1000 && cseqs[1]! === cseqs[0]! + 1)
})
