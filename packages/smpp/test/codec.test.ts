// The codec: every command there and back, octets that the standard spells out, and what becomes of each malformed field.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CommandName, Pdu, PduFault, PduInput, StatusName } from '../src/index.ts'
import {
  commandIds,
  commandName,
  createPduReader,
  describePdu,
  encodePdu,
  isFault,
  statuses,
  statusName,
  tlvTags,
} from '../src/index.ts'
import { samples } from './samples.ts'

function readOne(octets: Buffer): Pdu | PduFault {
  const items = createPduReader().push(octets)
  assert.equal(items.length, 1)
  return items[0]!
}

function readPdu(octets: Buffer): Pdu {
  const item = readOne(octets)
  assert.ok(!isFault(item), `fault: ${JSON.stringify(item)}`)
  return item
}

function readFault(octets: Buffer): PduFault {
  const item = readOne(octets)
  assert.ok(isFault(item), `no fault: ${describePdu(item)}`)
  return item
}

/** The same PDU with its body exchanged and command_length put right. */
function withBody(octets: Buffer, body: Buffer): Buffer {
  const changed = Buffer.concat([octets.subarray(0, 16), body])
  changed.writeUInt32BE(changed.length, 0)
  return changed
}

const bodyOf = (octets: Buffer) => octets.subarray(16)
const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')

for (const [command, sample] of Object.entries(samples)) {
  test(`${command} comes back as it was sent`, () => {
    const octets = encodePdu(sample)
    assert.equal(octets.readUInt32BE(0), octets.length)
    assert.equal(octets.readUInt32BE(4), commandIds[command as CommandName])
    assert.deepEqual(readPdu(octets), { status: 0, tlvs: {}, ...sample })
  })
}

test('a bind_transmitter has the octets of the standard (SMPP 3.4 §2.7.1)', () => {
  const octets = hex(
    '0000002F 00000002 00000000 00000001 53 4D50 5033 5445 5354 00 7365 6372 6574 3038 00 5355 424D 4954 3100 00 01 01 00',
  )
  const bind: PduInput = {
    command: 'bind_transmitter',
    sequence: 1,
    systemId: 'SMPP3TEST',
    password: 'secret08',
    systemType: 'SUBMIT1',
    interfaceVersion: 0,
    addrTon: 1,
    addrNpi: 1,
    addressRange: '',
  }
  assert.deepEqual(encodePdu(bind), octets)
  assert.deepEqual(readPdu(octets), { status: 0, tlvs: {}, ...bind })
})

test('fields left out are zero and empty, and the version of a bind is 3.4', () => {
  const submit = encodePdu({ command: 'submit_sm', sequence: 1 })
  assert.deepEqual(bodyOf(submit), Buffer.alloc(17))
  const bind = readPdu(encodePdu({ command: 'bind_receiver', sequence: 1 }))
  assert.equal(bind.command === 'bind_receiver' && bind.interfaceVersion, 0x34)
})

test('names and numbers of commands, statuses and parameters are each other', () => {
  for (const [name, id] of Object.entries(commandIds)) assert.equal(commandName(id), name)
  assert.equal(new Set(Object.values(commandIds)).size, Object.keys(commandIds).length)
  assert.equal(new Set(Object.values(statuses)).size, Object.keys(statuses).length)
  assert.equal(statusName(0x58), 'ESME_RTHROTTLED')
  assert.equal(statusName(0x400), '0x00000400')
  const tags = Object.values(tlvTags).map(([tag]) => tag)
  assert.equal(new Set(tags).size, tags.length)
})

const overlong: [command: CommandName, field: string, max: number, wireName: string, status: StatusName][] = [
  ['submit_sm', 'serviceType', 5, 'service_type', 'ESME_RINVSERTYP'],
  ['submit_sm', 'sourceAddr', 20, 'source_addr', 'ESME_RINVSRCADR'],
  ['submit_sm', 'destinationAddr', 20, 'destination_addr', 'ESME_RINVDSTADR'],
  ['deliver_sm', 'sourceAddr', 20, 'source_addr', 'ESME_RINVSRCADR'],
  ['data_sm', 'sourceAddr', 64, 'source_addr', 'ESME_RINVSRCADR'],
  ['data_sm', 'destinationAddr', 64, 'destination_addr', 'ESME_RINVDSTADR'],
  ['bind_transceiver', 'systemId', 63, 'system_id', 'ESME_RINVSYSID'],
  ['bind_transceiver', 'password', 63, 'password', 'ESME_RINVPASWD'],
  ['bind_transceiver', 'systemType', 12, 'system_type', 'ESME_RINVSYSTYP'],
  ['bind_transceiver', 'addressRange', 40, 'address_range', 'ESME_RBINDFAIL'],
  ['query_sm', 'messageId', 64, 'message_id', 'ESME_RINVMSGID'],
  ['cancel_sm', 'messageId', 64, 'message_id', 'ESME_RINVMSGID'],
  ['replace_sm', 'messageId', 64, 'message_id', 'ESME_RINVMSGID'],
]

for (const [command, field, max, wireName, status] of overlong) {
  test(`${command}: ${wireName} takes ${max} characters and not one more, either way`, () => {
    const longest = { ...samples[command], [field]: 'x'.repeat(max) } as PduInput
    const octets = encodePdu(longest)
    assert.equal((readPdu(octets) as Record<string, unknown>)[field], 'x'.repeat(max))
    assert.throws(
      () => encodePdu({ ...longest, [field]: 'x'.repeat(max + 1) } as PduInput),
      new RangeError(`${wireName}: ${max + 1} characters, at most ${max} fit`),
    )
    const at = octets.indexOf('x'.repeat(max))
    const longer = Buffer.concat([octets.subarray(16, at), Buffer.from('x'), octets.subarray(at)])
    const fault = readFault(withBody(octets, longer))
    assert.equal(statusName(fault.status), status)
    assert.equal(fault.answer, `${command}_resp`)
    assert.equal(fault.sequence, samples[command].sequence)
    assert.ok(fault.detail.includes(wireName))
    assert.equal(fault.fatal, false)
  })
}

test('numbers that do not fit are refused by name', () => {
  const fields: [keyof typeof samples, string, string][] = [
    ['submit_sm', 'sourceAddrTon', 'source_addr_ton'],
    ['submit_sm', 'sourceAddrNpi', 'source_addr_npi'],
    ['submit_sm', 'destAddrTon', 'dest_addr_ton'],
    ['submit_sm', 'destAddrNpi', 'dest_addr_npi'],
    ['submit_sm', 'esmClass', 'esm_class'],
    ['submit_sm', 'protocolId', 'protocol_id'],
    ['submit_sm', 'priorityFlag', 'priority_flag'],
    ['submit_sm', 'registeredDelivery', 'registered_delivery'],
    ['submit_sm', 'replaceIfPresentFlag', 'replace_if_present_flag'],
    ['submit_sm', 'dataCoding', 'data_coding'],
    ['submit_sm', 'smDefaultMsgId', 'sm_default_msg_id'],
    ['bind_receiver', 'interfaceVersion', 'interface_version'],
    ['bind_receiver', 'addrTon', 'addr_ton'],
    ['query_sm_resp', 'messageState', 'message_state'],
    ['alert_notification', 'esmeAddrNpi', 'esme_addr_npi'],
  ]
  for (const [command, field, wireName] of fields) {
    for (const value of [256, -1, 1.5, Number.NaN]) {
      const pdu = { ...samples[command], [field]: value } as PduInput
      assert.throws(() => encodePdu(pdu), new RangeError(`${wireName}: ${value} is not a whole number from 0 to 255`))
    }
  }
  for (const sequence of [-1, 2 ** 32, 0.5]) {
    assert.throws(() => encodePdu({ command: 'unbind', sequence }), /^RangeError: sequence_number: /)
  }
})

test('what a C-octet string cannot carry is refused, what it can comes back', () => {
  const submit = (sourceAddr: string) => encodePdu({ command: 'submit_sm', sequence: 1, sourceAddr })
  assert.throws(() => submit('a\0b'), /source_addr: character 2 cannot be sent/)
  assert.throws(() => submit('€'), /source_addr: character 1 cannot be sent/)
  const pdu = readPdu(submit('Müller'))
  assert.equal(pdu.command === 'submit_sm' && pdu.sourceAddr, 'Müller')
})

test('short_message holds 254 octets; longer ones are refused, and a length past the end is reported', () => {
  const octets = encodePdu({ command: 'submit_sm', sequence: 1, shortMessage: Buffer.alloc(254, 1) })
  const pdu = readPdu(octets)
  assert.equal(pdu.command === 'submit_sm' && pdu.shortMessage.length, 254)
  for (const length of [255, 256]) {
    assert.throws(
      () => encodePdu({ command: 'submit_sm', sequence: 1, shortMessage: Buffer.alloc(length) }),
      new RangeError(`short_message: ${length} octets, at most 254 fit; use message_payload`),
    )
  }
  const withLength = (value: number) => {
    const changed = Buffer.from(octets)
    changed[16 + 16] = value
    return readFault(changed)
  }
  assert.equal(withLength(255).status, statuses.ESME_RINVMSGLEN)
  // One octet is left over behind the text, and that is no parameter.
  assert.equal(withLength(253).status, statuses.ESME_RINVOPTPARSTREAM)
  const cut = withBody(octets, bodyOf(octets).subarray(0, -1))
  assert.equal(readFault(cut).status, statuses.ESME_RINVMSGLEN)
})

test('times have sixteen characters or none', () => {
  const timed = { command: 'submit_sm', sequence: 1 } as const
  assert.throws(() => encodePdu({ ...timed, validityPeriod: '1' }), /validity_period: 1 characters/)
  assert.throws(() => encodePdu({ ...timed, scheduleDeliveryTime: 'x'.repeat(17) }), /schedule_delivery_time/)
  const octets = encodePdu({ ...timed, validityPeriod: '000002000000000R' })
  const at = octets.indexOf('000002')
  const shorter = Buffer.concat([octets.subarray(16, at), octets.subarray(at + 1)])
  assert.equal(readFault(withBody(octets, shorter)).status, statuses.ESME_RINVEXPIRY)
})

test('a PDU cut off at any place is a fault, never a PDU with a hole', () => {
  for (const sample of Object.values(samples)) {
    const plain = { ...sample, tlvs: {} } as PduInput
    const octets = encodePdu(plain)
    for (let length = 16; length < octets.length; length++) {
      const cut = withBody(octets, octets.subarray(16, length))
      const isEmptyResponse = length === 16 && sample.command.endsWith('_resp')
      if (isEmptyResponse) readPdu(cut)
      else assert.equal(readFault(cut).fatal, false, `${sample.command} cut to ${length}`)
    }
  }
})

test('a field without its end makes the PDU too short', () => {
  const octets = encodePdu({ command: 'query_sm', sequence: 3, messageId: 'abc' })
  const fault = readFault(withBody(octets, Buffer.from('abc')))
  assert.deepEqual([fault.status, fault.answer], [statuses.ESME_RINVCMDLEN, 'query_sm_resp'])
})

test('responses may leave their body out', () => {
  const header = (command: CommandName) => {
    const octets = Buffer.alloc(16)
    octets.writeUInt32BE(16, 0)
    octets.writeUInt32BE(commandIds[command], 4)
    octets.writeUInt32BE(0x58, 8)
    octets.writeUInt32BE(9, 12)
    return readPdu(octets)
  }
  assert.deepEqual(header('submit_sm_resp'), {
    command: 'submit_sm_resp',
    status: 0x58,
    sequence: 9,
    tlvs: {},
    messageId: '',
  })
  for (const name of Object.keys(commandIds).filter(name => name.endsWith('_resp'))) {
    assert.equal(header(name as CommandName).command, name)
  }
  assert.equal(encodePdu({ command: 'submit_sm_resp', status: 0x58, sequence: 9 }).length, 16)
  assert.equal(encodePdu({ command: 'bind_transceiver_resp', status: 0x0e, sequence: 9 }).length, 16)
  assert.equal(encodePdu({ command: 'deliver_sm_resp', status: 0x64, sequence: 9 }).length, 17)
  assert.equal(encodePdu({ command: 'submit_sm_resp', sequence: 9 }).length, 17)
})

test('destinations of submit_multi are counted and distinguished', () => {
  const many = Array.from({ length: 254 }, (_, index) => ({ dlName: `list${index}` }))
  const octets = encodePdu({ command: 'submit_multi', sequence: 1, destinations: many })
  assert.deepEqual((readPdu(octets) as { destinations?: unknown }).destinations, many)
  assert.throws(
    () => encodePdu({ command: 'submit_multi', sequence: 1, destinations: [...many, { dlName: 'x' }] }),
    /number_of_dests: 255/,
  )
  const one = encodePdu({ command: 'submit_multi', sequence: 1, destinations: [{ dlName: 'x' }] })
  const change = (at: number, value: number) => {
    const changed = Buffer.from(one)
    changed[at] = value
    return statusName(readFault(changed).status)
  }
  assert.equal(change(20, 0), 'ESME_RINVNUMDESTS')
  assert.equal(change(20, 255), 'ESME_RINVNUMDESTS')
  assert.equal(change(21, 3), 'ESME_RINVDESTFLAG')
})

test('every parameter comes back, with a faulty length refused', () => {
  for (const [property, [tag, name, form]] of Object.entries(tlvTags)) {
    const value =
      form.kind === 'number' ? 2 ** (8 * form.size) - 1 : form.kind === 'text' ? 'abc' : Buffer.alloc(form.max, 7)
    const octets = encodePdu({ command: 'submit_sm', sequence: 1, tlvs: { [property]: value } })
    assert.deepEqual(readPdu(octets).tlvs, { [property]: value }, name)
    const plain = encodePdu({ command: 'submit_sm', sequence: 1 })
    const withTlv = (length: number) => {
      const head = Buffer.alloc(4)
      head.writeUInt16BE(tag, 0)
      head.writeUInt16BE(length, 2)
      return withBody(plain, Buffer.concat([bodyOf(plain), head, Buffer.alloc(length, 1)]))
    }
    const bad = form.kind === 'number' ? form.size + 1 : form.max + 1
    if (bad <= 0xffff) assert.equal(readFault(withTlv(bad)).status, statuses.ESME_RINVPARLEN, name)
    if (form.kind !== 'octets' || form.min > 0) {
      const outcome = readOne(withTlv(0))
      if (form.kind === 'text') assert.ok(!isFault(outcome))
      else assert.ok(isFault(outcome) && outcome.status === statuses.ESME_RINVPARLEN, name)
    }
  }
})

test('parameters that cannot be sent are refused by name', () => {
  const submit = (tlvs: object) => () => encodePdu({ command: 'submit_sm', sequence: 1, tlvs })
  assert.throws(submit({ sourcePort: 65_536 }), /source_port: 65536 is not a whole number from 0 to 65535/)
  assert.throws(submit({ sarTotalSegments: 0 }), /sar_total_segments: 0 is not a whole number from 1 to 255/)
  assert.throws(submit({ networkErrorCode: Buffer.alloc(2) }), /network_error_code: 2 octets, must be 3 to 3/)
  assert.throws(submit({ receiptedMessageId: 'x'.repeat(65) }), /receipted_message_id: 65 characters/)
  assert.throws(submit({ messagePayload: 'text' }), /message_payload: takes a Buffer, not string/)
  assert.throws(submit({ messagePayload: Buffer.alloc(65_536) }), /message_payload: 65536 octets/)
  assert.throws(submit({ nonsense: 1 }), /nonsense is not an optional parameter/)
  assert.throws(submit({ other: [{ tag: 0x10000, value: Buffer.alloc(0) }] }), /tag: 65536/)
})

test('unknown and repeated parameters are kept', () => {
  const other = [
    { tag: 0x1401, value: Buffer.from('first') },
    { tag: 0x0381, value: Buffer.from('0001') },
    { tag: 0x1401, value: Buffer.alloc(0) },
  ]
  const tlvs = { callbackNum: Buffer.from('0002'), other }
  const octets = encodePdu({ command: 'deliver_sm', sequence: 1, tlvs })
  assert.deepEqual(readPdu(octets).tlvs, tlvs)
})

test('a message id without its NUL in a receipt parameter is read whole, and so is one filled up with them', () => {
  const plain = encodePdu({ command: 'deliver_sm', sequence: 1 })
  for (const padding of [0, 1, 8, 62]) {
    const value = Buffer.concat([Buffer.from('abc'), Buffer.alloc(padding)])
    const head = Buffer.from([0x00, 0x1e, 0x00, value.length])
    assert.deepEqual(readPdu(withBody(plain, Buffer.concat([bodyOf(plain), head, value]))).tlvs, {
      receiptedMessageId: 'abc',
    })
  }
})

test('a parameter stream that breaks off, or is not allowed, is reported as such', () => {
  const plain = encodePdu({ command: 'submit_sm', sequence: 1 })
  const status = (tail: string, octets = plain) => {
    return statusName(readFault(withBody(octets, Buffer.concat([bodyOf(octets), hex(tail)]))).status)
  }
  assert.equal(status('02'), 'ESME_RINVOPTPARSTREAM')
  assert.equal(status('0204 00'), 'ESME_RINVOPTPARSTREAM')
  assert.equal(status('0204 0003 0102'), 'ESME_RINVOPTPARSTREAM')
  assert.equal(status('0204 0001 01'), 'ESME_RINVPARLEN')
  assert.equal(status('020E 0001 00'), 'ESME_RINVOPTPARAMVAL')
  assert.equal(status('001E 0004 61006200'), 'ESME_RINVOPTPARAMVAL')
  const query = encodePdu({ command: 'query_sm', sequence: 1 })
  assert.equal(status('0204 0002 0102', query), 'ESME_ROPTPARNOTALLWD')
  assert.equal(status('00', encodePdu({ command: 'enquire_link', sequence: 1 })), 'ESME_ROPTPARNOTALLWD')
})

test('an unknown command is nacked when it asks, and left alone when it answers', () => {
  const octets = encodePdu({ command: 'unbind', sequence: 77 })
  octets.writeUInt32BE(0x00000111, 4)
  const request = readFault(octets)
  assert.deepEqual(
    [request.fault, request.answer, request.status, request.sequence, request.fatal],
    ['command', 'generic_nack', statuses.ESME_RINVCMDID, 77, false],
  )
  octets.writeUInt32BE(0x80000111, 4)
  assert.equal(readFault(octets).answer, null)
})

test('a bad command_length is fatal as soon as it is seen, and nothing is read behind it', () => {
  for (const length of [0, 4, 8, 15, 70_001, 0xffffffff]) {
    const head = Buffer.alloc(4)
    head.writeUInt32BE(length)
    for (const behind of [Buffer.alloc(0), encodePdu({ command: 'unbind', sequence: 1 })]) {
      const reader = createPduReader()
      const items = reader.push(Buffer.concat([head, behind]))
      assert.equal(items.length, 1)
      const fault = items[0] as PduFault
      assert.deepEqual(
        [fault.fault, fault.status, fault.answer, fault.fatal],
        ['length', statuses.ESME_RINVCMDLEN, 'generic_nack', true],
      )
      assert.deepEqual(reader.push(encodePdu({ command: 'unbind', sequence: 1 })), [])
    }
  }
  const octets = encodePdu({ command: 'unbind', sequence: 5 })
  octets.writeUInt32BE(70_001, 0)
  assert.equal(readFault(octets).sequence, 5)
  const request = Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  assert.equal((createPduReader().push(request)[0] as PduFault).fatal, true)
})

test('the reader takes pieces of every size and holds no more than one PDU', () => {
  const all = Object.values(samples)
  const octets = Buffer.concat(all.map(sample => encodePdu(sample)))
  const expected = createPduReader().push(octets)
  assert.equal(expected.length, all.length)
  for (const size of [1, 2, 3, 4, 5, 15, 16, 17, 100, 1000, 4096]) {
    const reader = createPduReader({ maxLength: 4096 })
    const items: (Pdu | PduFault)[] = []
    for (let at = 0; at < octets.length; at += size) {
      items.push(...reader.push(octets.subarray(at, at + size)))
      assert.ok(reader.held < 4096)
    }
    assert.deepEqual(items, expected, `pieces of ${size}`)
    assert.equal(reader.held, 0)
  }
})

test('a PDU is described in one line, and never its password', () => {
  const line = describePdu(samples.bind_transceiver)
  assert.equal(
    line,
    'bind_transceiver seq=3 systemId="tandem" password="********" systemType="VMA" interfaceVersion=52 addrTon=1 ' +
      'addrNpi=2 addressRange="^49"',
  )
  for (const sample of Object.values(samples)) assert.ok(!describePdu(sample).includes('secret'))
  assert.match(describePdu(samples.submit_sm), /user_message_reference=513 0x1400=3:6f776e$/)
  assert.equal(
    describePdu({ command: 'submit_sm_resp', status: 0x58, sequence: 2 }),
    'submit_sm_resp seq=2 ESME_RTHROTTLED',
  )
  assert.match(describePdu(readOne(withBody(encodePdu({ command: 'query_sm', sequence: 1 }), hex('61')))), /MALFORMED/)
})
