// A whole call, as a user agent does it with the parts of src/dialog: early media by a reliable 183, answer, hold, a session
// refresh, and an attended transfer that ends it. Both ends go through JSON before each step.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFork, receiveForkResponse, updateFork } from '../src/dialog/fork.ts'
import type { Negotiation } from '../src/dialog/negotiation.ts'
import {
  createNegotiation,
  endInvite,
  makeAnswer,
  makeOffer,
  receiveAnswer,
  receiveInvite,
  roleOfSdp,
  withHold,
} from '../src/dialog/negotiation.ts'
import { causeOf, reasonHeader } from '../src/dialog/q850.ts'
import { answerDialog, receiveDialogResponse, receiveInDialog } from '../src/dialog/receive.ts'
import { createTransfer, readRefer, receiveReferResponse, referHeaders } from '../src/dialog/refer.ts'
import {
  createReliableReceiver,
  createReliableSender,
  mayAnswer,
  provideReliably,
  receivePrack,
  receiveProvisional,
} from '../src/dialog/reliable.ts'
import { formatReferTo } from '../src/dialog/replaces.ts'
import type { RequestParts } from '../src/dialog/requests.ts'
import { ackOf2xx, nextRequest } from '../src/dialog/requests.ts'
import {
  answerTimer,
  defaultTimerWish,
  refreshHeaders,
  tickTimer,
  timerFromResponse,
  timerHeaders,
} from '../src/dialog/session_timer.ts'
import type { DialogState } from '../src/dialog/state.ts'
import { dialogFromRequest, planCall } from '../src/dialog/state.ts'
import type { SipMessage, SipRequest } from '../src/message.ts'
import type { AudioStream, LocalAudio } from '../src/offer_answer.ts'
import { alice, bob, good, headersOf, overWire, respond, setUp, valuesOf, via } from './dialog_support.ts'

const at = (sessionId: string, port: number): LocalAudio => ({
  sessionId,
  address: { family: 'IP4', address: '192.0.2.1' },
  port,
})
const [ours, theirs] = [at('1', 40_000), at('2', 50_000)]
const sdpParts = (sdp: string) => ({ body: Buffer.from(sdp), contentType: 'application/sdp' })
const sdpOf = (message: SipMessage) => message.body.toString()
const stored = <Value>(value: Value) => JSON.parse(JSON.stringify(value)) as Value

test('a call from INVITE to BYE', () => {
  // The caller: planned, stored, sent.
  let mine: Negotiation = createNegotiation()
  const offer = makeOffer(mine, ours, 'INVITE')
  mine = offer.negotiation
  const headers = [...timerHeaders(defaultTimerWish), ...headersOf('Supported: timer, 100rel, replaces')]
  const first = nextRequest(planCall(alice), 'INVITE', { via, headers, ...sdpParts(offer.sdp) })
  let fork = createFork(stored(first.dialog))
  const invite = overWire(first.request)

  // The called: 183 with its answer, reliably; no 200 before its PRACK.
  let called = dialogFromRequest(invite.message, invite.core, bob)
  const answer = good(makeAnswer(good(receiveInvite(createNegotiation(), sdpOf(invite.message))), theirs))
  let other: Negotiation = answer.negotiation
  const provided = provideReliably(createReliableSender(invite.core.cseq.number), true, 0.4)
  const progress = respond(invite.message, 183, { headers: provided.headers, ...sdpParts(answer.sdp) })
  assert.equal(mayAnswer(provided.sender), false)

  // The caller hears it: early media by what was agreed, and PRACK.
  const ringing = receiveForkResponse(fork, progress.message, progress.core)
  assert.ok(ringing.event.kind === 'progress')
  const heard = receiveProvisional(createReliableReceiver(1), progress.message)
  assert.ok(heard.result === 'new' && heard.rack)
  assert.equal(roleOfSdp(mine, { kind: 'response', method: 'INVITE', status: 183, isReliable: true }), 'answer')
  const agreed = good(receiveAnswer(mine, sdpOf(progress.message), ours))
  mine = agreed.negotiation
  assert.equal(agreed.stream.remote?.port, 50_000)
  const prack = nextRequest(ringing.event.dialog, 'PRACK', { via, headers: [heard.rack] })
  fork = stored(updateFork(ringing.fork, prack.dialog))
  called = taken(called, prack.request)
  const acknowledged = receivePrack(provided.sender, overWire(prack.request).message)
  assert.equal(acknowledged.result, 'acknowledged')
  assert.equal(mayAnswer(acknowledged.sender), true)

  // Answered: 200 with the session timer, ACK.
  const timing = good(answerTimer(invite.message, { ...defaultTimerWish, interval: 600 }, 0))
  const ok = respond(invite.message, 200, { headers: timing.headers })
  called = stored(answerDialog(called, 200))
  other = endInvite(other)
  const answered = receiveForkResponse(fork, ok.message, ok.core)
  assert.ok(answered.event.kind === 'answered')
  let caller = stored(answered.event.dialog)
  mine = stored(endInvite(mine))
  const timer = timerFromResponse(ok.message, 0)
  assert.ok(timer?.isOurs && timer.interval === 600 && timing.timer?.isOurs === false)
  called = taken(called, ackOf2xx(caller, { via, invite: first.request }).request)

  // Hold by re-INVITE.
  mine = withHold(mine, true)
  const hold = makeOffer(mine, ours, 'INVITE')
  const held = exchange('INVITE', sdpParts(hold.sdp), request => {
    const result = good(makeAnswer(good(receiveInvite(other, sdpOf(request))), theirs))
    other = endInvite(result.negotiation)
    return { parts: sdpParts(result.sdp), stream: result.stream }
  })
  const after = good(receiveAnswer(hold.negotiation, sdpOf(held.response), ours))
  mine = endInvite(after.negotiation)
  assert.deepEqual(
    [after.stream.direction, held.stream?.direction, held.stream?.isHeld],
    ['sendonly', 'recvonly', true],
  )
  called = taken(called, ackOf2xx(caller, { via }).request)

  // The refresh at half of the time, by UPDATE.
  const due = tickTimer(timer, 300_000)
  assert.equal(due.due, 'refresh')
  const refreshed = exchange(
    'UPDATE',
    { headers: [...refreshHeaders(due.timer, defaultTimerWish), ...headersOf('Supported: timer')] },
    request => ({ parts: { headers: good(answerTimer(request, defaultTimerWish, 300_000)).headers } }),
  )
  assert.deepEqual(timerFromResponse(refreshed.response, 300_000), { ...timer, refreshedMs: 300_000 })

  // An attended transfer, and BYE when it stands.
  const referTo = formatReferTo('sip:carol@chicago.example', setUp().caller)
  const refer = exchange('REFER', { headers: referHeaders(referTo) }, request => {
    assert.equal(good(readRefer(request)).replaces?.fromTag, alice.localTag)
    return { parts: {}, status: 202 }
  })
  assert.equal(receiveReferResponse(createTransfer(caller.localCSeq, 0), refer.response.status, false).phase, 'trying')
  const bye = nextRequest(caller, 'BYE', { via, headers: [reasonHeader('Q.850', 16)] })
  assert.deepEqual(valuesOf(bye.request, 'CSeq'), ['6 BYE'])
  assert.equal(causeOf(overWire(bye.request).message), 16)
  assert.equal(taken(called, bye.request).phase, 'ended')

  function exchange(
    method: string,
    parts: Omit<RequestParts, 'via'>,
    serve: (request: SipRequest) => { parts: object; stream?: AudioStream; status?: number },
  ) {
    const sent = nextRequest(caller, method, { via, ...parts })
    called = taken(called, sent.request)
    const served = serve(overWire(sent.request).message)
    const { message, core } = respond(overWire(sent.request).message, served.status ?? 200, served.parts)
    caller = stored(receiveDialogResponse(sent.dialog, method, message, core))
    return { response: message, stream: served.stream }
  }
})

function taken(dialog: DialogState, request: SipRequest): DialogState {
  const { message, core } = overWire(request)
  const result = receiveInDialog(stored(dialog), message, core)
  assert.ok(result.kind === 'accepted', `${request.method} was not taken`)
  return result.dialog
}
