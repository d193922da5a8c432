// Dialogs by example: RFC 3261 §12, §13.2.2.4 and §16.12.1, RFC 3665 §3.1, RFC 5057.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  answerDialog,
  endsDialog,
  receiveDialogResponse,
  receiveInDialog,
  shouldSayBye,
  withoutRefresh,
} from '../src/dialog/receive.ts'
import { ackOf2xx, cancelOf, nextRequest } from '../src/dialog/requests.ts'
import type { DialogState } from '../src/dialog/state.ts'
import {
  dialogFromRequest,
  dialogFromResponse,
  dialogKey,
  endDialog,
  keyOfRequest,
  keyOfResponse,
  planCall,
} from '../src/dialog/state.ts'
import { formatHead } from '../src/serialize.ts'
import { formatUri } from '../src/uri.ts'
import { alice, bob, headersOf, overWire, requestOf, respond, setUp, valuesOf, via } from './dialog_support.ts'

test('RFC 3261 §24.2: INVITE, 180, 200, ACK and the BYE of the one who was called', () => {
  const { request, dialog, nextHop } = nextRequest(planCall(alice), 'INVITE', { via })
  assert.equal(
    formatHead(request),
    [
      'INVITE sip:bob@biloxi.example SIP/2.0',
      `Via: ${via}`,
      'Max-Forwards: 70',
      'From: "Alice" <sip:alice@atlanta.example>;tag=1928301774',
      'To: <sip:bob@biloxi.example>',
      'Call-ID: a84b4c76e66710@pc33.atlanta.example',
      'CSeq: 1 INVITE',
      'Contact: <sip:alice@pc33.atlanta.example>',
      'Content-Length: 0',
      '',
      '',
    ].join('\r\n'),
  )
  assert.equal(formatUri(nextHop), 'sip:bob@biloxi.example')
  const answer = respond(request, 200)
  const caller = dialogFromResponse(dialog, answer.message, answer.core)
  assert.ok(caller)
  assert.equal(caller.phase, 'confirmed')
  const ack = ackOf2xx(caller, { via, invite: request })
  assert.equal(ack.request.uri, 'sip:bob@192.0.2.4')
  assert.deepEqual(valuesOf(ack.request, 'CSeq'), ['1 ACK'])
  assert.deepEqual(valuesOf(ack.request, 'To'), ['<sip:bob@biloxi.example>;tag=a6c85cf'])
  const arrived = overWire(request)
  const called = answerDialog(dialogFromRequest(arrived.message, arrived.core, bob), 200)
  const bye = nextRequest(called, 'BYE', { via })
  assert.equal(bye.dialog.phase, 'ended')
  assert.equal(bye.request.uri, 'sip:alice@pc33.atlanta.example')
  assert.deepEqual(valuesOf(bye.request, 'From'), ['<sip:bob@biloxi.example>;tag=a6c85cf'])
  assert.deepEqual(valuesOf(bye.request, 'To'), ['"Alice" <sip:alice@atlanta.example>;tag=1928301774'])
  assert.deepEqual(valuesOf(bye.request, 'Contact'), [])
  const byeArrived = overWire(bye.request)
  assert.equal(keyOfRequest(byeArrived.core), dialogKey(caller))
  const taken = receiveInDialog(caller, byeArrived.message, byeArrived.core)
  assert.equal(taken.kind === 'accepted' && taken.dialog.phase, 'ended')
})

test('RFC 3261 §16.12.1.1: loose routers stand in Route, and the request goes to the first', () => {
  const { caller, called } = setUp(['<sip:p1.example.com;lr>', '<sip:p2.domain.com;lr>'])
  const bye = nextRequest(called, 'BYE', { via })
  assert.equal(bye.request.uri, 'sip:alice@pc33.atlanta.example')
  assert.deepEqual(valuesOf(bye.request, 'Route'), ['<sip:p2.domain.com;lr>', '<sip:p1.example.com;lr>'])
  assert.equal(formatUri(bye.nextHop), 'sip:p2.domain.com;lr')
  const info = nextRequest(caller, 'INFO', { via })
  assert.deepEqual(valuesOf(info.request, 'Route'), ['<sip:p1.example.com;lr>', '<sip:p2.domain.com;lr>'])
})

test('RFC 3261 §12.2.1.1: a strict router takes the Request-URI, and the target goes to the end of Route', () => {
  const routes = ['<sip:proxy1;method=INVITE?Subject=x>', '<sip:proxy2>', '<sip:proxy3;lr>', '<sip:proxy4>']
  const dialog: DialogState = { ...setUp().caller, routes, remoteTarget: 'sip:bob@192.0.2.4' }
  const { request, nextHop } = nextRequest(dialog, 'INFO', { via })
  assert.equal(request.uri, 'sip:proxy1')
  assert.deepEqual(valuesOf(request, 'Route'), [
    '<sip:proxy2>',
    '<sip:proxy3;lr>',
    '<sip:proxy4>',
    '<sip:bob@192.0.2.4>',
  ])
  assert.equal(formatUri(nextHop), 'sip:proxy1')
})

test('an outbound proxy is where the INVITE goes (§8.1.2), and its dialog has only the recorded route', () => {
  const call = planCall({ ...alice, routes: ['<sip:sbc.carrier.example;lr>'] })
  const { request, nextHop, dialog } = nextRequest(call, 'INVITE', { via })
  assert.equal(formatUri(nextHop), 'sip:sbc.carrier.example;lr')
  assert.deepEqual(valuesOf(request, 'Route'), ['<sip:sbc.carrier.example;lr>'])
  const answer = respond(request, 200)
  const confirmed = dialogFromResponse(dialog, answer.message, answer.core)
  assert.deepEqual(confirmed?.routes, [])
})

test('the route set is taken again from the 2xx (§13.2.2.4), and not from a second 180', () => {
  const { request, dialog } = nextRequest(planCall(alice), 'INVITE', { via })
  const routed = (status: number, route: string) => {
    const { message } = respond(request, status)
    return overWire({ ...message, headers: [...headersOf(`Record-Route: ${route}`), ...message.headers] })
  }
  const first = routed(180, '<sip:one.example;lr>')
  const early = dialogFromResponse(dialog, first.message, first.core)
  assert.deepEqual(early?.routes, ['<sip:one.example;lr>'])
  const second = routed(183, '<sip:two.example;lr>')
  assert.deepEqual(dialogFromResponse(early, second.message, second.core)?.routes, ['<sip:one.example;lr>'])
  const last = routed(200, '<sip:three.example;lr>, <sip:four.example;lr>')
  const confirmed = dialogFromResponse(early, last.message, last.core)
  assert.deepEqual(confirmed?.routes, ['<sip:four.example;lr>', '<sip:three.example;lr>'])
  assert.equal(dialogFromResponse(confirmed, second.message, second.core), confirmed)
})

test('no dialog comes of 100, of a refusal, or of a response without a tag', () => {
  const { request, dialog } = nextRequest(planCall(alice), 'INVITE', { via })
  for (const status of [100, 302, 486, 603]) {
    const { message, core } = respond(request, status)
    assert.equal(dialogFromResponse(dialog, message, core), undefined)
  }
  const { message, core } = respond(request, 183)
  assert.equal(dialogFromResponse(dialog, message, { ...core, toTag: undefined }), undefined)
})

test('after 401 the INVITE goes again with the next CSeq and the same Call-ID and tag', () => {
  const first = nextRequest(planCall(alice), 'INVITE', { via })
  const again = nextRequest(first.dialog, 'INVITE', { via, headers: headersOf('Authorization: Digest x="y"') })
  assert.deepEqual(valuesOf(again.request, 'CSeq'), ['2 INVITE'])
  assert.deepEqual(valuesOf(again.request, 'From'), valuesOf(first.request, 'From'))
  const answer = respond(again.request, 200)
  const caller = dialogFromResponse(again.dialog, answer.message, answer.core)!
  const ack = ackOf2xx(caller, { via, invite: again.request })
  assert.deepEqual(valuesOf(ack.request, 'CSeq'), ['2 ACK'])
  assert.deepEqual(valuesOf(ack.request, 'Authorization'), ['Digest x="y"'])
})

test('the ACK keeps the CSeq of its INVITE, though a request went out between them', () => {
  const { caller } = setUp()
  const update = nextRequest(caller, 'UPDATE', { via })
  assert.deepEqual(valuesOf(update.request, 'CSeq'), ['2 UPDATE'])
  assert.deepEqual(valuesOf(ackOf2xx(update.dialog, { via }).request, 'CSeq'), ['1 ACK'])
  const reinvite = nextRequest(update.dialog, 'INVITE', { via })
  assert.deepEqual(valuesOf(ackOf2xx(reinvite.dialog, { via }).request, 'CSeq'), ['3 ACK'])
})

test('after a crash a stored call is cancelled as it was sent (§9.1)', () => {
  const { request, dialog } = nextRequest(planCall({ ...alice, routes: ['<sip:sbc.example;lr>'] }), 'INVITE', { via })
  const stored = JSON.parse(JSON.stringify(dialog)) as DialogState
  const cancel = cancelOf(stored, via)
  assert.equal(cancel.request.uri, request.uri)
  for (const name of ['Via', 'From', 'To', 'Call-ID', 'Route']) {
    assert.deepEqual(valuesOf(cancel.request, name), valuesOf(request, name))
  }
  assert.deepEqual(valuesOf(cancel.request, 'CSeq'), ['1 CANCEL'])
  assert.throws(() => cancelOf(planCall(alice), via), /no INVITE was sent/)
})

test('requests come in the order of their CSeq; others get 500 (§12.2.2)', () => {
  const { caller, called } = setUp()
  const first = nextRequest(caller, 'INFO', { via })
  const second = nextRequest(first.dialog, 'INFO', { via })
  const late = overWire(first.request)
  const early = overWire(second.request)
  const taken = receiveInDialog(called, early.message, early.core)
  assert.ok(taken.kind === 'accepted')
  assert.equal(taken.dialog.remoteCSeq, 3)
  const refused = receiveInDialog(taken.dialog, late.message, late.core)
  assert.equal(refused.kind === 'refused' && refused.fault.status, 500)
  // The other direction counts for itself.
  const back = overWire(nextRequest(called, 'INFO', { via }).request)
  assert.equal(back.core.cseq.number, 1)
  assert.equal(receiveInDialog(second.dialog, back.message, back.core).kind, 'accepted')
})

test('an ACK is taken for the last INVITE only, also after BYE, and never answered', () => {
  const { caller, called } = setUp()
  const ack = overWire(ackOf2xx(caller, { via }).request)
  assert.equal(receiveInDialog(called, ack.message, ack.core).kind, 'accepted')
  assert.equal(receiveInDialog(endDialog(called), ack.message, ack.core).kind, 'accepted')
  const other = overWire(ackOf2xx({ ...caller, localInviteCSeq: 7 }, { via }).request)
  assert.equal(receiveInDialog(called, other.message, other.core).kind, 'ignored')
})

test('target refresh: INVITE, UPDATE and REFER move the target, by request and by 2xx; INFO and refusals do not', () => {
  const { caller, called } = setUp()
  for (const method of ['INVITE', 'UPDATE', 'REFER']) {
    const moved = nextRequest(caller, method, { via, contact: '<sip:alice@198.51.100.7:5080>' })
    assert.equal(moved.dialog.localContact, '<sip:alice@198.51.100.7:5080>')
    const { message, core } = overWire(moved.request)
    const taken = receiveInDialog(called, message, core)
    assert.equal(taken.kind === 'accepted' && taken.dialog.remoteTarget, 'sip:alice@198.51.100.7:5080')
    const answer = respond(moved.request, 200, { contact: '<sip:bob@203.0.113.9>' })
    assert.equal(
      receiveDialogResponse(moved.dialog, method, answer.message, answer.core).remoteTarget,
      'sip:bob@203.0.113.9',
    )
    const refusal = respond(moved.request, 488, { contact: '<sip:bob@203.0.113.9>' })
    assert.equal(receiveDialogResponse(moved.dialog, method, refusal.message, refusal.core), moved.dialog)
  }
  const { message, core } = overWire(
    nextRequest(caller, 'INFO', { via, headers: headersOf('Contact: <sip:x@y>') }).request,
  )
  const taken = receiveInDialog(called, message, core)
  assert.equal(taken.kind === 'accepted' && taken.dialog.remoteTarget, called.remoteTarget)
  const two = overWire(nextRequest(caller, 'UPDATE', { via, contact: '<sip:a@b>, <sip:c@d>' }).request)
  const refused = receiveInDialog(called, two.message, two.core)
  assert.equal(refused.kind === 'refused' && refused.fault.status, 400)
})

test('a request that we refuse moves no target (RFC 6141 §4.4)', () => {
  const { caller, called } = setUp()
  const { message, core } = overWire(nextRequest(caller, 'INVITE', { via, contact: '<sip:new@198.51.100.7>' }).request)
  const taken = receiveInDialog(called, message, core)
  assert.ok(taken.kind === 'accepted')
  const kept = withoutRefresh(called, taken.dialog)
  assert.deepEqual([kept.remoteTarget, kept.remoteCSeq], ['sip:alice@pc33.atlanta.example', 2])
})

test('an ACK that the next INVITE has overtaken still counts', () => {
  const { caller, called } = setUp()
  const ack = overWire(ackOf2xx(caller, { via }).request)
  const second = overWire(nextRequest(caller, 'INVITE', { via }).request)
  const taken = receiveInDialog(called, second.message, second.core)
  assert.ok(taken.kind === 'accepted')
  assert.equal(receiveInDialog(taken.dialog, ack.message, ack.core).kind, 'accepted')
  assert.equal(ack.core.cseq.number, 1)
})

test('an ended dialog takes nothing and says nothing', () => {
  const { caller, called } = setUp()
  const { message, core } = overWire(nextRequest(caller, 'INFO', { via }).request)
  const refused = receiveInDialog(endDialog(called), message, core)
  assert.equal(refused.kind === 'refused' && refused.fault.status, 481)
  assert.throws(() => nextRequest(endDialog(called), 'INFO', { via }), /has ended/)
  assert.throws(() => nextRequest(planCall(alice), 'BYE', { via }), /no dialog yet/)
  assert.throws(() => nextRequest(caller, 'ACK', { via }), /repeats a CSeq/)
})

test('who was called cannot hang up before answering (§15.1.1); who called may end an early dialog', () => {
  const { request, dialog } = nextRequest(planCall(alice), 'INVITE', { via })
  const arrived = overWire(request)
  const called = dialogFromRequest(arrived.message, arrived.core, bob)
  assert.throws(() => nextRequest(called, 'BYE', { via }), /no answer yet/)
  const ringing = respond(request, 180)
  const early = dialogFromResponse(dialog, ringing.message, ringing.core)!
  assert.equal(nextRequest(early, 'BYE', { via }).dialog.phase, 'ended')
  assert.equal(answerDialog(called, 486).phase, 'ended')
  assert.equal(answerDialog(answerDialog(called, 200), 488).phase, 'confirmed', 'a re-INVITE that is refused')
})

test('which refusals end a dialog (§12.2.1.2, RFC 5057 §5.1), and where BYE is owed', () => {
  const table: [method: string, status: number, ends: boolean][] = [
    ['INFO', 481, true],
    ['INFO', 408, true],
    ['INFO', 404, false],
    ['INVITE', 404, true],
    ['INVITE', 488, false],
    ['INVITE', 491, false],
    ['UPDATE', 502, true],
    ['UPDATE', 500, false],
    ['NOTIFY', 481, false],
    ['PRACK', 481, false],
    ['BYE', 401, false],
    ['BYE', 481, true],
    ['BYE', 200, true],
  ]
  for (const [method, status, ends] of table) assert.equal(endsDialog(method, status), ends, `${method} ${status}`)
  assert.equal(shouldSayBye('INVITE', 481), true)
  assert.equal(shouldSayBye('BYE', 481), false)
})

test('a caller of RFC 2543 has no tag (§12.1.1): the dialog is found all the same', () => {
  const { message, core } = requestOf(
    'INVITE sip:bob@biloxi.example SIP/2.0',
    'Via: SIP/2.0/UDP 192.0.2.9',
    'From: <sip:old@atlanta.example>',
    'To: <sip:bob@biloxi.example>',
    'Call-ID: 17@192.0.2.9',
    'CSeq: 4 INVITE',
  )
  const called = answerDialog(dialogFromRequest(message, core, bob), 200)
  assert.equal(called.remoteTag, null)
  assert.equal(called.remoteTarget, 'sip:old@atlanta.example', 'there is no Contact')
  const bye = requestOf(
    'BYE sip:bob@192.0.2.4 SIP/2.0',
    'Via: SIP/2.0/UDP 192.0.2.9',
    'From: <sip:old@atlanta.example>',
    'To: <sip:bob@biloxi.example>;tag=a6c85cf',
    'Call-ID: 17@192.0.2.9',
    'CSeq: 5 BYE',
  )
  assert.equal(keyOfRequest(bye.core), dialogKey(called))
  assert.deepEqual(valuesOf(nextRequest(called, 'INFO', { via }).request, 'To'), ['<sip:old@atlanta.example>'])
})

test('a Contact that is neither sip nor sips is no target (§8.1.1.8), and a target that fits no Route goes to a strict router as it is', () => {
  const invite = (from: string, ...contact: string[]) =>
    requestOf(
      'INVITE sip:bob@biloxi.example SIP/2.0',
      'Via: SIP/2.0/UDP 192.0.2.9;branch=z9hG4bK1',
      'Record-Route: <sip:strict.example>',
      `From: <${from}>;tag=1`,
      'To: <sip:bob@biloxi.example>',
      'Call-ID: 18@192.0.2.9',
      'CSeq: 4 INVITE',
      ...contact,
    )
  const next = ({ message, core }: ReturnType<typeof requestOf>) => {
    const { request } = nextRequest(answerDialog(dialogFromRequest(message, core, bob), 200), 'BYE', { via })
    overWire(request)
    return [request.uri, ...valuesOf(request, 'Route')]
  }
  assert.deepEqual(next(invite('sip:a@atlanta.example', 'Contact: <mailto:a@atlanta.example>')), [
    'sip:strict.example',
    '<sip:a@atlanta.example>',
  ])
  assert.deepEqual(next(invite('tel:+4930123')), ['tel:+4930123', '<sip:strict.example>'])
})

test('responses and requests lead to their dialog', () => {
  const { request, dialog } = nextRequest(planCall(alice), 'INVITE', { via })
  assert.equal(keyOfRequest(overWire(request).core), undefined)
  const ringing = respond(request, 180)
  const early = dialogFromResponse(dialog, ringing.message, ringing.core)!
  assert.equal(keyOfResponse(ringing.core), dialogKey(early))
  assert.equal(dialogFromResponse(dialog, ringing.message, ringing.core)?.remoteTarget, 'sip:bob@192.0.2.4')
})
