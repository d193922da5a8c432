// Two ends of a call driven against each other through any proxies: they never disagree on tags, CSeq, targets and routes, and a
// dialog that went through a database goes on as if nothing had happened.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { readCore } from '../src/core.ts'
import { causeOf } from '../src/dialog/q850.ts'
import { answerDialog, receiveDialogResponse, receiveInDialog } from '../src/dialog/receive.ts'
import { readRefer } from '../src/dialog/refer.ts'
import { ackOf2xx, nextRequest } from '../src/dialog/requests.ts'
import { answerTimer, defaultTimerWish } from '../src/dialog/session_timer.ts'
import type { DialogState } from '../src/dialog/state.ts'
import { dialogFromRequest, dialogKey, keyOfRequest } from '../src/dialog/state.ts'
import { isFault } from '../src/message.ts'
import { parseMessage } from '../src/parse.ts'
import { formatUri } from '../src/uri.ts'
import { bob, overWire, respond, setUp, valuesOf, via } from './dialog_support.ts'

const proxy = fc.record({ host: fc.constantFrom('p1', 'p2', 'p3', '[2001:db8::1]'), port: fc.nat(65_535) })
const proxies = fc.array(
  proxy.map(({ host, port }) => `<sip:${host}:${port};lr>`),
  { maxLength: 4 },
)
const step = fc.record({
  from: fc.constantFrom('caller' as const, 'called' as const),
  method: fc.constantFrom('INVITE', 'UPDATE', 'INFO', 'OPTIONS', 'REFER', 'NOTIFY'),
  status: fc.constantFrom(200, 202, 488, 491, 500),
  contact: fc.option(fc.nat(65_535), { nil: undefined }),
  isStored: fc.boolean(),
  isLost: fc.boolean(),
})

const stored = (dialog: DialogState) => JSON.parse(JSON.stringify(dialog)) as DialogState

test('both ends agree after any requests, with some lost, some refused, and some ends read back from a database', () => {
  fc.assert(
    fc.property(proxies, fc.array(step, { maxLength: 25 }), (route, steps) => {
      const call = setUp(route)
      const ends = { caller: call.caller, called: call.called }
      assert.equal(ends.caller.localTag, ends.called.remoteTag)
      assert.equal(ends.called.localTag, ends.caller.remoteTag)
      assert.deepEqual(ends.caller.routes, [...ends.called.routes].reverse())
      for (const { from, method, status, contact, isStored, isLost } of steps) {
        const to = from === 'caller' ? 'called' : 'caller'
        if (isStored) ends[from] = stored(ends[from])
        const moved = contact === undefined ? {} : { contact: `<sip:${from}@192.0.2.77:${contact}>` }
        const sent = nextRequest(ends[from], method, { via, ...moved })
        ends[from] = sent.dialog
        assert.equal(formatUri(sent.nextHop), (sent.dialog.routes[0] ?? `<${sent.request.uri}>`).slice(1, -1))
        assert.deepEqual(valuesOf(sent.request, 'Route'), sent.dialog.routes)
        if (isLost) continue
        const { message, core } = overWire(sent.request)
        assert.equal(keyOfRequest(core), dialogKey(ends[to]))
        const taken = receiveInDialog(ends[to], message, core)
        assert.ok(taken.kind === 'accepted')
        ends[to] = isStored ? stored(taken.dialog) : taken.dialog
        assert.equal(ends[to].remoteCSeq, ends[from].localCSeq)
        // The same again is out of order.
        assert.equal(receiveInDialog(ends[to], message, core).kind, 'refused')
        const answer = respond(message, status, { contact: ends[to].localContact })
        ends[from] = receiveDialogResponse(ends[from], method, answer.message, answer.core)
        if (sent.dialog.localContact !== ends[to].remoteTarget && method !== 'INFO' && method !== 'OPTIONS') {
          assert.equal(`<${ends[to].remoteTarget}>`, ends[from].localContact)
        }
        if (method === 'INVITE' && status < 300) {
          const ack = overWire(ackOf2xx(ends[from], { via }).request)
          assert.equal(receiveInDialog(ends[to], ack.message, ack.core).kind, 'accepted')
        }
      }
      const bye = nextRequest(stored(ends.caller), 'BYE', { via })
      const { message, core } = overWire(bye.request)
      const last = receiveInDialog(stored(ends.called), message, core)
      assert.ok(last.kind === 'accepted')
      assert.equal(last.dialog.phase, 'ended')
    }),
    { numRuns: 300 },
  )
})

test('a state is plain JSON: it is the same after a trip through it', () => {
  fc.assert(
    fc.property(proxies, route => {
      const { caller, called } = setUp(route)
      assert.deepEqual(stored(caller), caller)
      assert.deepEqual(stored(called), called)
    }),
    { numRuns: 50 },
  )
})

test('from any INVITE that can be read comes a dialog whose requests can be read', () => {
  const lines = [
    'INVITE sip:+4930123456@sip.carrier.example SIP/2.0',
    'Via: SIP/2.0/UDP 192.0.2.10:5060;branch=z9hG4bK776asdhds;rport',
    'Record-Route: <sip:p2.example;lr>, "P" <sip:p1.example:5080;x=%41;lr=on>',
    'From: "A \\"quoted\\" name" <sip:+4940111222@tandem.example;user=phone>;tag=19;isup-oli=0',
    'To: sip:+4930123456@sip.carrier.example',
    'Call-ID: a84b4c76e66710@192.0.2.10',
    'CSeq: 314159 INVITE',
    'Contact: <sip:+4940111222@[2001:db8::1]:5060;transport=udp>;expires=60',
    'Refer-To: <sip:a@b.example?Replaces=x%3Bto-tag%3D1%3Bfrom-tag%3D2>',
    'Session-Expires: 1800;refresher=uac',
    'Reason: Q.850;cause=16',
    'Content-Length: 0',
    '',
    '',
  ]
  const text = lines.join('\r\n')
  const change = fc.record({
    at: fc.nat(text.length - 1),
    put: fc.constantFrom(...' <>;,:@?%"\\=/*\t\u00e9\u0001x9', '%00', '\r\n ', ''),
  })
  let readable = 0
  fc.assert(
    fc.property(fc.array(change, { maxLength: 4 }), changes => {
      let changed = text
      for (const { at, put } of changes) changed = changed.slice(0, at) + put + changed.slice(at + 1)
      const message = parseMessage(Buffer.from(changed))
      if (isFault(message) || message.kind !== 'request') return
      const core = readCore(message)
      if (isFault(core)) return
      readable += 1
      readRefer(message)
      causeOf(message)
      answerTimer(message, defaultTimerWish, 0)
      receiveInDialog(setUp().called, message, core)
      const dialog = answerDialog(dialogFromRequest(message, core, bob), 200)
      const request = overWire(nextRequest(stored(dialog), 'INVITE', { via }).request)
      assert.equal(request.core.toTag, core.fromTag)
      assert.equal(request.core.callId, core.callId)
      overWire(nextRequest(dialog, 'BYE', { via }).request)
    }),
    {
      numRuns: 3_000,
      examples: [
        // A strict router, and a Contact that no SIP element can be sent to.
        [
          [
            { at: text.indexOf(';lr>'), put: 'x' },
            { at: text.indexOf('sip:', text.indexOf('Contact')), put: '' },
          ],
        ],
      ],
    },
  )
  assert.ok(readable > 500)
})
