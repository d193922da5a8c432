// The odd things that message centres do, one row each, by a message centre that is none of ours (npm `smpp`): what becomes of the message must
// be what the peer meant.
// test: waits
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import smpp from 'smpp'
import { startTestApp, type TestApp } from '../../../test/harness.ts'

// biome-ignore lint/suspicious/noExplicitAny: the peer's library has no types
type Any = any
/** What the peer does with one message; `id` is a new one, `times` counts how often it was sent. */
type Odd = (session: Any, pdu: Any, id: string, times: number) => unknown

const accept: Odd = (session, pdu, id) => session.send(pdu.response({ message_id: id }))
const textOf = (id: string, stat: string, err = '000') =>
  `id:${id} sub:001 dlvrd:001 submit date:2611211200 done date:2611211201 stat:${stat} err:${err} text:x`
const back = (pdu: Any) => ({ source_addr: pdu.destination_addr, destination_addr: pdu.source_addr, esm_class: 4 })

function sendReceipt(session: Any, pdu: Any, id: string, ...stats: string[]): void {
  for (const stat of stats) session.deliver_sm({ ...back(pdu), short_message: textOf(id, stat) })
}

/** Takes the message, then reports it with these fields. */
const thenReports =
  (fieldsOf: (pdu: Any, id: string) => object): Odd =>
  (session, pdu, id) => {
    accept(session, pdu, id, 1)
    session.deliver_sm({ ...back(pdu), ...fieldsOf(pdu, id) })
  }

/** A PDU of sixteen octets, whatever should follow. */
function bare(commandId: number, status: number, sequence: number): Buffer {
  const bytes = Buffer.alloc(16)
  for (const [index, value] of [16, commandId, status, sequence].entries()) bytes.writeUInt32BE(value >>> 0, index * 4)
  return bytes
}
const submitResp = 0x80000004

const wide = (text: string) => Buffer.from(text, 'utf16le').swap16()

/** What it does, what it is, and how the message ends. */
const oddities: readonly [name: string, ends: string, odd: Odd][] = [
  ['receipt in parameters only', 'delivered', thenReports((_, id) => ({ receipted_message_id: id, message_state: 2 }))],
  [
    'undeliverable in parameters only',
    'undelivered',
    thenReports((_, id) => ({ receipted_message_id: id, message_state: 5 })),
  ],
  ['receipt in message_payload', 'delivered', thenReports((_, id) => ({ message_payload: textOf(id, 'DELIVRD') }))],
  [
    'receipt in UCS-2',
    'delivered',
    thenReports((_, id) => ({ data_coding: 8, short_message: wide(textOf(id, 'DELIVRD')) })),
  ],
  [
    'receipt in capitals',
    'delivered',
    thenReports((_, id) => ({ short_message: `ID:${id} SUB:001 DLVRD:001 STAT:DELIVRD ERR:000` })),
  ],
  [
    'receipt in small letters',
    'delivered',
    thenReports((_, id) => ({ short_message: `id:${id} sub:001 dlvrd:001 stat:delivrd err:000` })),
  ],
  [
    'receipt with the id and the state only',
    'delivered',
    thenReports((_, id) => ({ short_message: `id:${id} stat:DELIVRD` })),
  ],
  [
    'receipt with zeros before the id',
    'delivered',
    thenReports((_, id) => ({ short_message: textOf(id.padStart(10, '0'), 'DELIVRD') })),
  ],
  [
    'receipt with the addresses of the message itself',
    'delivered',
    thenReports((pdu, id) => ({
      ...{ source_addr: pdu.source_addr, destination_addr: pdu.destination_addr },
      short_message: textOf(id, 'DELIVRD'),
    })),
  ],
  [
    'receipt by data_sm',
    'delivered',
    (session, pdu, id) => {
      accept(session, pdu, id, 1)
      session.data_sm({ ...back(pdu), receipted_message_id: id, message_state: 2 })
    },
  ],
  [
    'receipt before the answer',
    'delivered',
    (session, pdu, id) => {
      sendReceipt(session, pdu, id, 'DELIVRD')
      accept(session, pdu, id, 1)
    },
  ],
  [
    'under way, accepted, delivered',
    'delivered',
    (session, pdu, id) => {
      accept(session, pdu, id, 1)
      sendReceipt(session, pdu, id, 'ENROUTE', 'ACCEPTD', 'DELIVRD')
    },
  ],
  [
    'three receipts, and one that contradicts them',
    'delivered',
    (session, pdu, id) => {
      accept(session, pdu, id, 1)
      sendReceipt(session, pdu, id, 'DELIVRD', 'DELIVRD', 'DELIVRD', 'UNDELIV')
    },
  ],
  ['rejected by the receipt', 'undelivered', thenReports((_, id) => ({ short_message: textOf(id, 'REJECTD', '099') }))],
  ['expired by the receipt', 'expired', thenReports((_, id) => ({ short_message: textOf(id, 'EXPIRED') }))],
  [
    'answer octet by octet',
    'delivered',
    async (session, pdu, id) => {
      for (const octet of pdu.response({ message_id: id }).toBuffer()) session.socket.write(Buffer.of(octet))
      await sleep(50)
      sendReceipt(session, pdu, id, 'DELIVRD')
    },
  ],
  [
    'a request that nobody knows, first',
    'delivered',
    (session, pdu, id) => {
      session.socket.write(bare(0x00010203, 0, 77))
      accept(session, pdu, id, 1)
      sendReceipt(session, pdu, id, 'DELIVRD')
    },
  ],
  [
    'parameters of its vendor in the answer',
    'delivered',
    (session, pdu, id) => {
      const bytes = Buffer.concat([pdu.response({ message_id: id }).toBuffer(), Buffer.from('150100020102', 'hex')])
      bytes.writeUInt32BE(bytes.length, 0)
      session.socket.write(bytes)
      sendReceipt(session, pdu, id, 'DELIVRD')
    },
  ],
  ['answer without an id', 'sent', (session, pdu) => session.socket.write(bare(submitResp, 0, pdu.sequence_number))],
  [
    'refusal without a body',
    'failed',
    (session, pdu) => session.socket.write(bare(submitResp, 0x0b, pdu.sequence_number)),
  ],
  ['a status of its vendor', 'failed', (session, pdu) => session.send(pdu.response({ command_status: 0x444 }))],
  [
    'queue full once',
    'sent',
    (session, pdu, id, times) =>
      times === 1 ? session.send(pdu.response({ command_status: 0x14 })) : accept(session, pdu, id, times),
  ],
  [
    'generic_nack of a mistake of its own, once',
    'sent',
    (session, pdu, id, times) =>
      times === 1 ? session.socket.write(bare(0x80000000, 8, pdu.sequence_number)) : accept(session, pdu, id, times),
  ],
]

let t: TestApp
let server: Any
const sessions = new Set<Any>()
const from = '+15005550006'

const api = (method: string, path: string, body?: object) =>
  t.call(method, path, { as: t.main.liveKey, ...(body === undefined ? {} : { body }) })

before(async () => {
  t = await startTestApp({ work: true, env: { TANDEM_EGRESS_ALLOW: '127.0.0.0/8', TANDEM_LOG_LEVEL: 'fatal' } })
  const times = new Map<string, number>()
  let ids = 1_000
  server = smpp.createServer((session: Any) => {
    sessions.add(session)
    session.on('error', () => {})
    session.on('bind_transceiver', (pdu: Any) => session.send(pdu.response({ system_id: 'odd' })))
    session.on('enquire_link', (pdu: Any) => session.send(pdu.response()))
    session.on('submit_sm', (pdu: Any) => {
      const name = pdu.short_message.message
      times.set(name, (times.get(name) ?? 0) + 1)
      const [, , odd = accept] = oddities.find(row => row[0] === name) ?? []
      void odd(session, pdu, `${++ids}`, times.get(name) ?? 1)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  assert.equal((await api('POST', '/v2/numbers', { number: from })).status, 201)
  const { port } = server.address() as AddressInfo
  const settings = { host: '127.0.0.1', port, systemId: 'tandem', password: 'secret', segmentsPerSecond: 1_000 }
  const carrier = await api('POST', '/v2/carriers', {
    kind: 'smpp',
    name: 'odd',
    settings,
    routes: [{ prefix: '+49' }],
  })
  assert.equal(carrier.status, 201, carrier.text)
})
after(async () => {
  await t?.close()
  for (const session of sessions) session.socket.destroy()
  await new Promise<void>(resolve => server.close(() => resolve()))
})

test('what a message centre does oddly ends as it meant it', async () => {
  const sent: [name: string, ends: string, id: string][] = []
  for (const [index, [name, ends]] of oddities.entries()) {
    const to = `+49151570${String(index).padStart(5, '0')}`
    const { status, text, json } = await api('POST', '/v2/messages/sms', { from, to, body: name })
    assert.equal(status, 200, text)
    sent.push([name, ends, json.messageId])
  }
  let last: [string, string][] = []
  for (const deadline = performance.now() + 45_000; performance.now() < deadline; await sleep(200)) {
    const found = sent.map(async ([name, , id]) => [name, (await api('GET', `/v2/messages/${id}`)).json.data.status])
    last = (await Promise.all(found)) as [string, string][]
    if (last.every(([, status], index) => status === sent[index]?.[1])) break
  }
  assert.deepEqual(
    last,
    sent.map(([name, ends]) => [name, ends]),
  )
  // No oddity has cost the link.
  assert.equal(sessions.size, 1)
})
