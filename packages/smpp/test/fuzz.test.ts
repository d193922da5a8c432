// Hostile octets: round trips of random PDUs, and more than a million mutated and random ones through the reader. Whatever
// comes in, each piece is a PDU or a fault that says what to answer; nothing throws, hangs or grows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { CommandName, Pdu, PduFault, PduInput } from '../src/index.ts'
import { commandIds, createPduReader, encodePdu, isFault, parseReceipt, readMessage, statuses } from '../src/index.ts'
import { samples } from './samples.ts'

const text = (max: number) =>
  fc.string({ unit: fc.integer({ min: 1, max: 255 }).map(code => String.fromCharCode(code)), maxLength: max })
const octet = fc.nat(255)
const octets = (max: number) => fc.uint8Array({ maxLength: max }).map(bytes => Buffer.from(bytes))
const time = fc.constantFrom('', '261121143005000+', '000002000000000R')
const source = { sourceAddrTon: octet, sourceAddrNpi: octet, sourceAddr: text(20) }
const destination = { destAddrTon: octet, destAddrNpi: octet, destinationAddr: text(20) }
const plain = { noNullPrototype: true } as const
const tlvs = fc.record(
  {
    sourcePort: fc.nat(65_535),
    qosTimeToLive: fc.nat(2 ** 32 - 1),
    receiptedMessageId: text(64),
    networkErrorCode: fc.uint8Array({ minLength: 3, maxLength: 3 }).map(bytes => Buffer.from(bytes)),
    messagePayload: octets(2000),
    sarTotalSegments: fc.integer({ min: 1, max: 255 }),
    alertOnMessageDelivery: fc.constant(Buffer.alloc(0)),
    other: fc.array(fc.record({ tag: fc.integer({ min: 0x1400, max: 0x3fff }), value: octets(80) }, plain), {
      minLength: 1,
    }),
  },
  { requiredKeys: [], ...plain },
)
const content = {
  esmClass: octet,
  protocolId: octet,
  priorityFlag: octet,
  scheduleDeliveryTime: time,
  validityPeriod: time,
  registeredDelivery: octet,
  replaceIfPresentFlag: octet,
  dataCoding: octet,
  smDefaultMsgId: octet,
  shortMessage: octets(254),
}
const head = <Name extends CommandName>(command: Name) => ({
  command: fc.constant(command),
  status: fc.nat(2 ** 32 - 1),
  sequence: fc.nat(2 ** 32 - 1),
})
const message = { serviceType: text(5), ...source, ...destination, ...content, tlvs }
const list = text(20).map(dlName => ({ dlName }))
const anyPdu = fc.oneof(
  fc.record({ ...head('submit_sm'), ...message }),
  fc.record({ ...head('deliver_sm'), ...message }),
  fc.record({ ...head('submit_sm_resp'), messageId: text(64), tlvs: fc.constant({}) }),
  fc.record({
    ...head('submit_multi'),
    serviceType: text(5),
    ...source,
    destinations: fc.array(fc.oneof(fc.record(destination, plain), list), { minLength: 1, maxLength: 254 }),
    ...content,
    tlvs,
  }),
  fc.record({
    ...head('bind_transceiver'),
    systemId: text(63),
    password: text(63),
    systemType: text(12),
    interfaceVersion: octet,
    addrTon: octet,
    addrNpi: octet,
    addressRange: text(40),
    tlvs,
  }),
  fc.record({
    ...head('cancel_sm'),
    serviceType: text(5),
    messageId: text(64),
    ...source,
    ...destination,
    tlvs: fc.constant({}),
  }),
)

test('any PDU comes back as it was sent, in pieces of any size', () => {
  fc.assert(
    fc.property(fc.array(anyPdu, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 500 }), (pdus, size) => {
      const stream = Buffer.concat(pdus.map(pdu => encodePdu(pdu as PduInput)))
      const reader = createPduReader()
      const items: unknown[] = []
      for (let at = 0; at < stream.length; at += size) items.push(...reader.push(stream.subarray(at, at + size)))
      assert.deepEqual(
        items,
        pdus.map(pdu => ({ ...pdu })),
      )
    }),
    { numRuns: 300 },
  )
})

/** A generator of its own keeps the million cheap, and its seed in the message makes a failure come again. */
function createRandom(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return limit => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

const captures = Object.values(samples).map(sample => encodePdu(sample))
const ids = [...Object.values(commandIds), 0, 0x10, 0x80000010, 0x7fffffff]

/** A capture with some octets changed, cut, doubled or of another command; its length put right, or nearly always. */
function mutate(random: (limit: number) => number): Buffer {
  const capture = captures[random(captures.length)]!
  let mutant = Buffer.from(capture)
  for (let times = random(4); times >= 0; times--) {
    const at = random(mutant.length)
    const kind = random(6)
    if (kind === 0) mutant[at] = random(256)
    else if (kind === 1) mutant[at]! ^= 1 << random(8)
    else if (kind === 2 && mutant.length > 17) mutant = mutant.subarray(0, 16 + random(mutant.length - 16))
    else if (kind === 3) mutant = Buffer.concat([mutant, mutant.subarray(at, at + random(20))])
    else if (kind === 4) mutant[at] = [0, 1, 0x7f, 0x80, 0xff][random(5)]!
    else mutant.writeUInt32BE(ids[random(ids.length)]!, 4)
  }
  if (random(50) > 0) mutant.writeUInt32BE(mutant.length, 0)
  return mutant
}

const known = new Set<number>(Object.values(statuses))

/** What must hold of whatever the reader gives. */
function check(item: Pdu | PduFault, counts: Record<string, number>): void {
  if (isFault(item)) {
    counts[item.fault] = (counts[item.fault] ?? 0) + 1
    assert.ok(known.has(item.status) && item.status !== 0)
    if (item.commandId >= 0x80000000 && !item.fatal) assert.equal(item.answer, null)
    assert.equal(item.fatal, item.fault === 'length')
    return
  }
  counts['PDU'] = (counts['PDU'] ?? 0) + 1
  if (item.command !== 'deliver_sm' && item.command !== 'submit_sm') return
  assert.ok(Buffer.isBuffer(item.shortMessage) && item.destinationAddr.length <= 20)
  readMessage(item)
  parseReceipt(item)
}

test('a million mutated captures are read without a crash', { timeout: 120_000 }, context => {
  const wanted = 1_000_000
  const seed = 20_261_121
  const random = createRandom(seed)
  const counts: Record<string, number> = {}
  let read = 0
  let reader = createPduReader()
  try {
    while (read < wanted) {
      const stream = Buffer.concat(Array.from({ length: 64 }, () => mutate(random)))
      const cut = random(stream.length)
      for (const chunk of [stream.subarray(0, cut), stream.subarray(cut)]) {
        for (const item of reader.push(chunk)) {
          check(item, counts)
          read += 1
          if (isFault(item) && item.fatal) reader = createPduReader()
        }
        assert.ok(reader.held <= 70_000)
      }
    }
  } catch (error) {
    throw new Error(`seed ${seed}, PDU ${read}`, { cause: error })
  }
  for (const kind of ['PDU', 'field', 'tlv', 'command', 'length']) assert.ok(counts[kind]! > 1000, `few of ${kind}`)
  context.diagnostic(`${read} mutated PDUs read: ${JSON.stringify(counts)}`)
})

test('what was read of a mutant can be sent on and reads the same', () => {
  const random = createRandom(7)
  let same = 0
  for (let i = 0; i < 20_000; i++) {
    const item = createPduReader().push(mutate(random))[0]
    if (item === undefined || isFault(item)) continue
    const again = createPduReader().push(encodePdu(item as PduInput))[0]
    assert.deepEqual(again, item)
    same += 1
  }
  assert.ok(same > 1000)
})

test('random octets end in a fault or wait for more, and nothing is held without bound', context => {
  const random = createRandom(42)
  let faults = 0
  let pdus = 0
  for (let i = 0; i < 50_000; i++) {
    const reader = createPduReader({ maxLength: 4096 })
    const noise = Buffer.alloc(1 + random(300))
    for (let at = 0; at < noise.length; at++) noise[at] = random(256)
    // Half of them begin like a PDU, so that they get past the length.
    if (random(2) === 0 && noise.length >= 16) {
      noise.writeUInt32BE(16 + random(noise.length - 15), 0)
      noise.writeUInt32BE(ids[random(ids.length)]!, 4)
    }
    for (const item of reader.push(noise)) {
      check(item, {})
      if (isFault(item)) faults += 1
      else pdus += 1
    }
    assert.ok(reader.held < 4096)
  }
  context.diagnostic(`${faults} faults and ${pdus} PDUs in noise`)
})
