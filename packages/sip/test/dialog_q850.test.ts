// Statuses and causes (RFC 3398 §7.2.4.1 and §8.2.6.1), and the Reason header (RFC 3326).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  causeNames,
  causeOf,
  isTakenElsewhere,
  q850Of,
  reasonHeader,
  reasonsOf,
  statusOfQ850,
} from '../src/dialog/q850.ts'
import { reasons } from '../src/message.ts'
import { headersOf, requestOf, respond, setUp } from './dialog_support.ts'

const { invite } = setUp()
const refusal = (status: number, ...lines: string[]) =>
  respond(invite, status, { headers: headersOf(...lines) }).message
const bye = (...lines: string[]) =>
  requestOf(
    'BYE sip:bob@192.0.2.4 SIP/2.0',
    'Via: SIP/2.0/UDP 192.0.2.1;branch=z9hG4bK1',
    'From: <sip:a@b>;tag=1',
    'To: <sip:c@d>;tag=2',
    'Call-ID: x',
    'CSeq: 2 BYE',
    ...lines,
  ).message

test('the tables of RFC 3398', () => {
  const table: [status: number, q850: number][] = [
    [404, 1],
    [410, 22],
    [480, 18],
    [483, 25],
    [484, 28],
    [486, 17],
    [500, 41],
    [501, 79],
    [502, 38],
    [503, 41],
    [504, 102],
    [600, 17],
    [603, 21],
    [604, 1],
  ]
  for (const [status, q850] of table) assert.equal(q850Of(status), q850, String(status))
  const back: [q850: number, status: number][] = [
    [1, 404],
    [17, 486],
    [18, 408],
    [19, 480],
    [21, 403],
    [28, 484],
    [34, 503],
    [38, 503],
    [88, 503],
    [102, 504],
    [111, 500],
    [127, 500],
  ]
  for (const [q850, status] of back) assert.equal(statusOfQ850(q850), status, String(q850))
})

test('every final status has a cause with a name, and every cause a final status', () => {
  for (const status of [...Object.keys(reasons).map(Number), 399, 499, 599, 699]) {
    if (status < 200) continue
    assert.ok(causeNames[q850Of(status)] !== undefined, String(status))
  }
  for (let cause = 1; cause <= 127; cause++) assert.ok(statusOfQ850(cause) >= 400 && statusOfQ850(cause) < 700)
})

test('RFC 3326 §2: reasons of several protocols, and the one of Q.850 is believed before the status', () => {
  const message = refusal(
    503,
    'Reason: SIP ;cause=600 ;text="Busy Everywhere"',
    'Reason: Q.850 ;cause=34;text="No circuit"',
  )
  assert.deepEqual(reasonsOf(message), [
    { protocol: 'SIP', cause: 600, text: 'Busy Everywhere' },
    { protocol: 'Q.850', cause: 34, text: 'No circuit' },
  ])
  assert.equal(causeOf(message), 34)
  assert.equal(causeOf(refusal(486)), 17)
  assert.equal(causeOf(refusal(486, 'Reason: Q.850;cause=0')), 17, 'no such cause')
  assert.equal(causeOf(refusal(486, 'Reason: Q.850;cause=x')), 17)
  assert.equal(causeOf(bye()), 16)
  assert.equal(causeOf(bye('Reason: Q.850;cause=31')), 31)
  assert.equal(causeOf(bye('Reason: SIP;cause=486')), 17)
  assert.equal(causeOf(bye('Reason: ;;;')), 16, 'nonsense is passed over')
})

test('a CANCEL says that the call was taken elsewhere (§3.1)', () => {
  assert.equal(isTakenElsewhere(bye('Reason: SIP;cause=200;text="Call completed elsewhere"')), true)
  assert.equal(isTakenElsewhere(bye('Reason: Q.850;cause=26')), false)
  assert.equal(causeOf({ ...bye('Reason: SIP;cause=200'), method: 'CANCEL' }), 26)
})

test('a Reason of ours is read as it was meant', () => {
  assert.deepEqual(reasonHeader('Q.850', 17), { name: 'Reason', value: 'Q.850;cause=17;text="User busy"' })
  assert.deepEqual(reasonHeader('SIP', 200, 'Call completed elsewhere'), {
    name: 'Reason',
    value: 'SIP;cause=200;text="Call completed elsewhere"',
  })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 127 }), fc.string({ maxLength: 20 }), (cause, text) => {
      const { name, value } = reasonHeader('Q.850', cause, text)
      const read = reasonsOf({ ...bye(), headers: [{ name, value }] })
      assert.deepEqual(read, [{ protocol: 'Q.850', cause, text: text.replace(/[\r\n]/g, ' ') }])
    }),
  )
})
