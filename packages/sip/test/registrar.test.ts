// Guards: what a REGISTER makes of the bindings of its user (RFC 3261 §10.3), by requests as they come over the wire.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCore } from '../src/core.ts'
import { type RegisteredContact, register, type sourceOf } from '../src/dialog/registrar.ts'
import { isFault } from '../src/message.ts'
import { parseMessage } from '../src/parse.ts'

const nowMs = Date.UTC(2026, 10, 21, 8, 44)
const flow = { remote: { address: '192.0.2.7', port: 40_112 }, transport: 'udp' } as const

/** A table of one user, and requests that change it. */
function openTable(limits = {}) {
  let bindings: readonly RegisteredContact[] = []
  return {
    say(
      lines: readonly string[],
      { cseq = 1, callId = 'a', atMs = nowMs, from = flow as Parameters<typeof sourceOf>[0] } = {},
    ) {
      const text = [
        'REGISTER sip:tandem.example SIP/2.0',
        'Via: SIP/2.0/UDP 10.0.0.7:5060;branch=z9hG4bK1',
        'From: <sip:alice@tandem.example>;tag=1',
        'To: <sip:alice@tandem.example>',
        `Call-ID: ${callId}`,
        `CSeq: ${cseq} REGISTER`,
        'User-Agent: Example/1',
        ...lines,
        '',
        '',
      ].join('\r\n')
      const request = parseMessage(Buffer.from(text))
      assert.ok(!isFault(request) && request.kind === 'request')
      const core = readCore(request)
      assert.ok(!isFault(core))
      const done = register(request, core, { flow: from, bindings, nowMs: atMs, limits })
      if (done.bindings !== undefined) bindings = done.bindings
      const named = (name: string) => done.headers.filter(header => header.name === name).map(({ value }) => value)
      return { status: done.status, contacts: named('Contact'), named }
    },
    get all() {
      return bindings
    },
  }
}

const phone = 'Contact: <sip:alice@10.0.0.7:5060>'

test('a contact is kept for the time that is granted, with where it came from, and listed in every answer', () => {
  const table = openTable()
  assert.deepEqual(table.say([phone, 'Expires: 600']).contacts, ['<sip:alice@10.0.0.7:5060>;expires=600'])
  assert.deepEqual(
    table.all.map(({ source, userAgent, q, expiresAtMs }) => ({ source, userAgent, q, expiresAtMs })),
    [{ source: 'sip:192.0.2.7:40112;transport=udp', userAgent: 'Example/1', q: 1, expiresAtMs: nowMs + 600_000 }],
  )
  const later = table.say([], { cseq: 2, atMs: nowMs + 100_000 })
  assert.deepEqual([later.status, later.contacts], [200, ['<sip:alice@10.0.0.7:5060>;expires=500']])
  assert.deepEqual(later.named('Date'), ['Sat, 21 Nov 2026 08:45:40 GMT'])
  assert.deepEqual(table.say([], { cseq: 3, atMs: nowMs + 600_000 }).contacts, [], 'expired')
})

test('expires of the contact goes before Expires, the usual is an hour, the most two, and less than a minute is 423', () => {
  const table = openTable()
  const expires = (lines: string[], cseq: number) => table.say(lines, { cseq }).contacts[0]?.split('expires=')[1]
  assert.equal(expires([`${phone};expires=90`, 'Expires: 600'], 1), '90')
  assert.equal(expires([phone], 2), '3600')
  assert.equal(expires([`${phone};expires=99999`], 3), '7200')
  const brief = table.say([`${phone};expires=59`], { cseq: 4 })
  assert.deepEqual([brief.status, brief.named('Min-Expires')], [423, ['60']])
  assert.equal(table.all.length, 1, 'nothing was changed')
})

test('one contact goes with expires=0, all go with *, which must be alone and with Expires: 0', () => {
  const table = openTable()
  table.say([`${phone}, <sip:alice@10.0.0.8>;q=0.5`])
  assert.deepEqual(
    table.all.map(({ q }) => q),
    [1, 0.5],
  )
  assert.deepEqual(table.say([`${phone};expires=0`], { cseq: 2 }).contacts, ['<sip:alice@10.0.0.8>;q=0.5;expires=3600'])
  assert.equal(table.say(['Contact: *'], { cseq: 3 }).status, 400)
  assert.equal(table.say(['Contact: *', 'Expires: 60'], { cseq: 4 }).status, 400)
  const gone = table.say(['Contact: *', 'Expires: 0'], { cseq: 5 })
  assert.deepEqual([gone.status, gone.contacts, table.all.length], [200, [], 0])
})

test('of one Call-ID only a higher CSeq changes anything, and then nothing at all', () => {
  const table = openTable()
  table.say([phone], { cseq: 7 })
  assert.equal(table.say([`${phone};expires=0`], { cseq: 7 }).status, 500)
  assert.equal(table.say(['Contact: *', 'Expires: 0'], { cseq: 6 }).status, 500)
  assert.equal(table.say(['Contact: <sip:new@10.0.0.9>', `${phone};expires=0`], { cseq: 7 }).status, 500)
  assert.deepEqual(
    table.all.map(({ contact }) => contact),
    ['sip:alice@10.0.0.7:5060'],
  )
  assert.equal(
    table.say([`${phone};expires=0`], { cseq: 1, callId: 'b' }).status,
    200,
    'a phone that was started again',
  )
  assert.equal(table.all.length, 0)
})

test('a phone with an instance takes its own place, from wherever it comes', () => {
  const table = openTable()
  const of = (host: string, instance: string, reg = '') =>
    `Contact: <sip:alice@${host}>;+sip.instance="<urn:uuid:${instance}>"${reg}`
  table.say([of('10.0.0.7', 'one')])
  table.say([of('10.0.0.7', 'two')], { callId: 'b' })
  table.say([of('10.0.0.70', 'one')], {
    callId: 'c',
    from: { remote: { address: '2001:db8::7', port: 5061 }, transport: 'tls' },
  })
  table.say([of('10.0.0.71', 'one', ';reg-id=2')], { callId: 'd' })
  assert.deepEqual(
    table.all.map(({ contact, source }) => `${contact} ${source}`),
    [
      'sip:alice@10.0.0.7 sip:192.0.2.7:40112;transport=udp',
      'sip:alice@10.0.0.70 sip:[2001:db8::7]:5061;transport=tls',
      'sip:alice@10.0.0.71 sip:192.0.2.7:40112;transport=udp',
    ],
  )
})

test('Path is kept and returned (RFC 3327); what is not understood is refused; the oldest of too many gives way', () => {
  const table = openTable({ maxBindings: 2 })
  const path = 'Path: <sip:edge.example;lr>, <sip:core.example;lr>'
  assert.deepEqual(table.say([phone, path, 'Require: path']).named('Path').length, 1)
  assert.deepEqual(table.all[0]?.path, ['<sip:edge.example;lr>', '<sip:core.example;lr>'])
  const gruu = table.say([phone, 'Require: gruu'], { cseq: 2 })
  assert.deepEqual([gruu.status, gruu.named('Unsupported')], [420, ['gruu']])
  assert.equal(table.say(['Contact: <tel:+4930123>'], { cseq: 3 }).status, 400)
  table.say(['Contact: <sip:alice@10.0.0.8>'], { cseq: 4 })
  table.say(['Contact: <sip:alice@10.0.0.9>'], { cseq: 5 })
  assert.deepEqual(
    table.all.map(({ contact }) => contact),
    ['sip:alice@10.0.0.8', 'sip:alice@10.0.0.9'],
  )
})
