// Transfer: REFER and its reports (RFC 3515 §4.1, RFC 4488, RFC 3420), Replaces (RFC 3891 §3), and an attended transfer as in
// RFC 5589 §7 from end to end.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  createReferNotifier,
  createTransfer,
  hasNoReports,
  isReferralExpired,
  readRefer,
  readSipfrag,
  receiveReferNotify,
  receiveReferResponse,
  referHeaders,
  referNotify,
  reportReferral,
  tickTransfer,
} from '../src/dialog/refer.ts'
import { findReplaced, formatReferTo, replacesFor, replacesHeader, replacesOf } from '../src/dialog/replaces.ts'
import { nextRequest } from '../src/dialog/requests.ts'
import type { DialogState } from '../src/dialog/state.ts'
import { dialogKey, endDialog } from '../src/dialog/state.ts'
import { isFault } from '../src/message.ts'
import { formatUri } from '../src/uri.ts'
import { formatReplaces } from '../src/values.ts'
import { good, headersOf, overWire, respond, setUp, valuesOf, via } from './dialog_support.ts'

const { caller, called } = setUp()
const refer = (...lines: string[]) =>
  overWire(nextRequest(caller, 'REFER', { via, headers: headersOf(...lines) }).request).message
const notify = (body: string, ...lines: string[]) =>
  overWire(
    nextRequest(called, 'NOTIFY', {
      via,
      headers: headersOf(...lines),
      contentType: 'message/sipfrag;version=2.0',
      body: Buffer.from(body),
    }).request,
  ).message

test('a blind transfer: REFER, 202, NOTIFY 100, NOTIFY 200', () => {
  const sent = nextRequest(caller, 'REFER', {
    via,
    headers: referHeaders(formatReferTo('sip:carol@chicago.example'), { referredBy: '<sip:alice@atlanta.example>' }),
  })
  const arrived = overWire(sent.request)
  const asked = good(readRefer(arrived.message))
  assert.equal(formatUri(asked.target), 'sip:carol@chicago.example')
  assert.deepEqual(
    [asked.replaces, asked.referredBy, asked.wantsNotify],
    [undefined, '<sip:alice@atlanta.example>', true],
  )
  let transfer = createTransfer(arrived.core.cseq.number, 0)
  let notifier = createReferNotifier(arrived.core.cseq.number, 0)
  let dialog = called
  const report = () => {
    const next = nextRequest(dialog, 'NOTIFY', { via, ...referNotify(notifier, 1_000) })
    dialog = next.dialog
    transfer = good(receiveReferNotify(transfer, overWire(next.request).message))
    return next.request
  }
  // The NOTIFY may come before the 202.
  const first = report()
  assert.deepEqual(valuesOf(first, 'Event'), ['refer;id=2'])
  assert.deepEqual(valuesOf(first, 'Subscription-State'), ['active;expires=179'])
  assert.deepEqual(valuesOf(first, 'Content-Type'), ['message/sipfrag;version=2.0'])
  assert.equal(first.body.toString(), 'SIP/2.0 100 Trying\r\n')
  assert.deepEqual([transfer.phase, transfer.status], ['trying', 100])
  transfer = receiveReferResponse(transfer, 202, false)
  for (const status of [180, 200]) {
    const next = reportReferral(notifier, status)
    assert.ok(next)
    notifier = next
    report()
  }
  assert.deepEqual([transfer.phase, transfer.status, notifier.isOver], ['done', 200, true])
  assert.equal(reportReferral(notifier, 486), undefined)
  assert.equal(tickTransfer(transfer, 1e9).phase, 'done')
})

test('RFC 3515 §4.1: a report of failure, and one that ends in silence', () => {
  const trying = receiveReferResponse(createTransfer(93_809_823, 0), 202, false)
  const event = 'Event: refer;id=93809823'
  const busy = receiveReferNotify(
    trying,
    notify('SIP/2.0 486 Busy Here\r\n', event, 'Subscription-State: terminated;reason=noresource'),
  )
  assert.deepEqual([good(busy).phase, good(busy).status], ['failed', 486])
  const silent = receiveReferNotify(trying, notify('', event, 'Subscription-State: terminated;reason=timeout'))
  assert.equal(good(silent).phase, 'unknown')
  assert.equal(tickTransfer(trying, trying.deadlineMs - 1).phase, 'trying')
  assert.equal(tickTransfer(trying, trying.deadlineMs).phase, 'unknown')
  assert.equal(receiveReferResponse(createTransfer(1, 0), 603, false).phase, 'failed')
  assert.equal(isReferralExpired(createReferNotifier(1, 0), 180_000), true)
})

test('a NOTIFY of something else is refused', () => {
  const transfer = createTransfer(2, 0)
  const state = 'Subscription-State: active'
  const table: [message: ReturnType<typeof notify>, status: number][] = [
    [notify('SIP/2.0 200 OK', 'Event: presence', state), 489],
    [notify('SIP/2.0 200 OK', state), 489],
    [notify('SIP/2.0 200 OK', 'Event: refer;id=7', state), 481],
    [notify('hello', 'Event: refer', state), 400],
  ]
  for (const [message, status] of table) {
    const result = receiveReferNotify(transfer, message)
    assert.equal(isFault(result) && result.status, status)
  }
  assert.equal(good(receiveReferNotify(transfer, notify('SIP/2.0 180 Ringing', 'Event: refer', state))).status, 180)
  assert.equal(readSipfrag(Buffer.from('SIP/2.0 999 No')), undefined)
  assert.equal(readSipfrag(Buffer.from('SIP/2.0 200')), 200)
})

test('Refer-Sub: false asks for no reports (RFC 4488)', () => {
  const message = refer(...['Refer-To: <sip:carol@chicago.example>', 'Refer-Sub: false'])
  assert.equal(good(readRefer(message)).wantsNotify, false)
  const headers = referHeaders('<sip:carol@chicago.example>', { wantsNotify: false })
  assert.deepEqual(headers.slice(1), headersOf('Refer-Sub: false', 'Supported: norefersub'))
  const answer = respond(message, 200, { headers: headersOf('Refer-Sub: false') }).message
  assert.equal(receiveReferResponse(createTransfer(2, 0), 200, hasNoReports(answer)).phase, 'unknown')
})

test('a REFER that cannot be followed says why', () => {
  const table: [lines: string[], status: number][] = [
    [[], 400],
    [['Refer-To: <sip:a@b>', 'Refer-To: <sip:c@d>'], 400],
    [['Refer-To: <mailto:a@b.example>'], 416],
    [['Refer-To: <sip:a@b.example;method=BYE>'], 403],
    [['Refer-To: <sip:a@b.example?Replaces=only-a-call-id>'], 400],
  ]
  for (const [lines, status] of table) {
    const result = readRefer(refer(...lines))
    assert.equal(isFault(result) && result.status, status, lines.join())
  }
  assert.equal(formatUri(good(readRefer(refer('Refer-To: tel:+4930123456'))).target), 'tel:+4930123456')
  assert.equal(
    formatUri(good(readRefer(refer('Refer-To: <sip:a@b.example;method=INVITE;x=1>'))).target),
    'sip:a@b.example;x=1',
  )
})

test('an attended transfer (RFC 5589 §7): the target finds the call that is replaced', () => {
  // Alice speaks to Carol in a second call; Bob is asked to take her place there.
  const second = setUp()
  const referTo = formatReferTo('sip:carol@chicago.example', second.caller)
  assert.equal(
    referTo,
    '<sip:carol@chicago.example?Replaces=a84b4c76e66710%40pc33.atlanta.example%3Bto-tag%3Da6c85cf%3Bfrom-tag%3D1928301774>',
  )
  const asked = good(readRefer(refer(`Refer-To: ${referTo}`)))
  assert.equal(formatUri(asked.target), 'sip:carol@chicago.example')
  assert.deepEqual(asked.replaces, replacesFor(second.caller))
  const invite = overWire({ ...second.invite, headers: [...second.invite.headers, replacesHeader(asked.replaces!)] })
  const replaces = good(replacesOf(invite.message))
  assert.ok(replaces)
  const dialogs = new Map([[dialogKey(second.called), second.called]])
  assert.equal(
    findReplaced(replaces, key => dialogs.get(key)),
    second.called,
  )
  assert.equal(formatReplaces(replaces), 'a84b4c76e66710@pc33.atlanta.example;to-tag=a6c85cf;from-tag=1928301774')
})

test('which dialogs may be replaced (RFC 3891 §3)', () => {
  const find = (dialog: DialogState | undefined, isEarlyOnly = false) => {
    const replaces = { callId: called.callId, toTag: called.localTag, fromTag: called.remoteTag ?? '0', isEarlyOnly }
    return findReplaced(replaces, key => (dialog && key === dialogKey(dialog) ? dialog : undefined))
  }
  const statusIn = (result: ReturnType<typeof find>) => (isFault(result) ? result.status : 200)
  assert.equal(statusIn(find(undefined)), 481)
  assert.equal(statusIn(find(called)), 200)
  assert.equal(statusIn(find(called, true)), 486)
  assert.equal(statusIn(find(endDialog(called))), 603)
  assert.equal(statusIn(find({ ...called, phase: 'early' }, true)), 481, 'it rings here')
  assert.equal(statusIn(find({ ...called, phase: 'early', role: 'uac' }, true)), 200)
  assert.equal(
    statusIn(
      findReplaced({ callId: called.callId, toTag: called.localTag, fromTag: '0', isEarlyOnly: false }, key =>
        key === dialogKey({ ...called, remoteTag: null }) ? { ...called, remoteTag: null } : undefined,
      ),
    ),
    200,
  )
  const inBye = overWire(
    nextRequest(caller, 'INFO', { via, headers: headersOf('Replaces: a;to-tag=b;from-tag=c') }).request,
  )
  const wrong = replacesOf(inBye.message)
  assert.ok(isFault(wrong) && wrong.status === 400)
  assert.throws(() => formatReferTo('tel:+49301', caller), /only a sip/)
})
