// Octets to a PDU (SMPP 3.4 §3.2, §4), strictly: a field that is cut off, too long or not what it must be makes the PDU a
// fault that says what to answer, never a PDU with a hole in it. What is tolerated is named at its place.
import type { CommandName } from './commands.ts'
import { commandIds, commandName, statuses } from './commands.ts'
import type {
  BindFields,
  ContentFields,
  Destination,
  DestinationFields,
  Pdu,
  SourceFields,
  UnsuccessfulDestination,
} from './pdu.ts'
import { maxDestinations, maxShortMessage, noTlvs, textLimits } from './pdu.ts'
import type { RawTlv, TlvEntry, Tlvs } from './tlv_tags.ts'
import { tlvByTag } from './tlv_tags.ts'

/**
 * A PDU that cannot be taken as it is.
 * - `fault`: 'length' (command_length itself), 'command' (unknown id), 'field' (mandatory part) or 'tlv'.
 * - `answer`: the command to answer with, under `sequence` and `status`; null when nothing is to be answered (a response).
 * - `fatal`: where the next PDU begins is not known; answer, then close.
 * - `commandStatus` is what the PDU itself carried: of a faulty response it still says whether the request was refused.
 */
export type PduFault = {
  fault: 'length' | 'command' | 'field' | 'tlv'
  commandId: number
  command: CommandName | undefined
  commandStatus: number
  sequence: number
  status: number
  answer: CommandName | null
  fatal: boolean
  detail: string
}

export function isFault(item: Pdu | PduFault): item is PduFault {
  return 'fault' in item
}

/** What a decoding function throws: it is no Error, so that hostile traffic does not pay for stack traces. */
type Flaw = { fault: 'field' | 'tlv'; status: number; detail: string }

// The place being read; see the cursor in encode.ts.
let bytes: Buffer = Buffer.alloc(0)
let at = 0
let end = 0

/**
 * Reads the PDU that lies from `start` to `stop`, whose command_length says just that (the reader saw to it). Octet fields
 * of the result are views of `source`.
 */
export function decodePdu(source: Buffer, start: number, stop: number): Pdu | PduFault {
  bytes = source
  at = start + 4
  end = stop
  const commandId = read32()
  const status = read32()
  const sequence = read32()
  const command = commandName(commandId)
  if (command === undefined) return unknownCommand(commandId, status, sequence)
  try {
    // Responses that refuse carry no body (§4.4.2), and some peers leave it out of others too.
    const isBodyless = at === end && commandId >= 0x80000000
    return isBodyless ? emptyResponse(command, status, sequence) : readPdu(command, status, sequence)
  } catch (flaw) {
    if ((flaw as Partial<Flaw>).detail === undefined) throw flaw
    const answer = answerTo(command)
    return { ...(flaw as Flaw), commandId, command, commandStatus: status, sequence, answer, fatal: false }
  }
}

function unknownCommand(commandId: number, commandStatus: number, sequence: number): PduFault {
  return {
    fault: 'command',
    commandId,
    command: undefined,
    commandStatus,
    sequence,
    status: statuses.ESME_RINVCMDID,
    // To nack an unknown response would be to answer an answer.
    answer: commandId >= 0x80000000 ? null : 'generic_nack',
    fatal: false,
    detail: `command_id 0x${commandId.toString(16).padStart(8, '0')} is not of SMPP 3.4`,
  }
}

/** The response that answers a request; null for what is not answered (§2.3). */
export function answerTo(command: CommandName): CommandName | null {
  const id = commandIds[command]
  if (id >= 0x80000000) return null
  return commandName((id | 0x80000000) >>> 0) ?? null
}

function emptyResponse(command: CommandName, status: number, sequence: number): Pdu {
  const head = { status, sequence, tlvs: noTlvs }
  switch (command) {
    case 'bind_receiver_resp':
    case 'bind_transmitter_resp':
    case 'bind_transceiver_resp':
      return { command, ...head, systemId: '' }
    case 'submit_sm_resp':
    case 'deliver_sm_resp':
    case 'data_sm_resp':
      return { command, ...head, messageId: '' }
    case 'submit_multi_resp':
      return { command, ...head, messageId: '', unsuccessful: [] }
    case 'query_sm_resp':
      return { command, ...head, messageId: '', finalDate: '', messageState: 0, errorCode: 0 }
    default:
      return { command, ...head } as Pdu
  }
}

function readPdu(command: CommandName, status: number, sequence: number): Pdu {
  switch (command) {
    case 'submit_sm':
    case 'deliver_sm':
      return readMessage(command, status, sequence)
    case 'submit_sm_resp':
    case 'deliver_sm_resp':
    case 'data_sm_resp': {
      const messageId = readMessageId()
      return { command, status, sequence, messageId, tlvs: readTlvs(true) }
    }
    case 'bind_receiver':
    case 'bind_transmitter':
    case 'bind_transceiver':
      return { command, status, sequence, ...readBind(), tlvs: readTlvs(true) }
    case 'bind_receiver_resp':
    case 'bind_transmitter_resp':
    case 'bind_transceiver_resp': {
      const systemId = readText(textLimits.systemId, 'system_id', statuses.ESME_RINVSYSID)
      return { command, status, sequence, systemId, tlvs: readTlvs(true) }
    }
    default:
      return readRarePdu(command, { status, sequence })
  }
}

function readMessage(command: 'submit_sm' | 'deliver_sm', status: number, sequence: number): Pdu {
  const serviceType = readServiceType()
  const sourceAddrTon = read8('source_addr_ton')
  const sourceAddrNpi = read8('source_addr_npi')
  const sourceAddr = readText(textLimits.address, 'source_addr', statuses.ESME_RINVSRCADR)
  const destAddrTon = read8('dest_addr_ton')
  const destAddrNpi = read8('dest_addr_npi')
  const destinationAddr = readText(textLimits.address, 'destination_addr', statuses.ESME_RINVDSTADR)
  const content = readContent()
  return {
    command,
    status,
    sequence,
    serviceType,
    sourceAddrTon,
    sourceAddrNpi,
    sourceAddr,
    destAddrTon,
    destAddrNpi,
    destinationAddr,
    esmClass: content.esmClass,
    protocolId: content.protocolId,
    priorityFlag: content.priorityFlag,
    scheduleDeliveryTime: content.scheduleDeliveryTime,
    validityPeriod: content.validityPeriod,
    registeredDelivery: content.registeredDelivery,
    replaceIfPresentFlag: content.replaceIfPresentFlag,
    dataCoding: content.dataCoding,
    smDefaultMsgId: content.smDefaultMsgId,
    shortMessage: content.shortMessage,
    tlvs: readTlvs(true),
  }
}

function readContent(): ContentFields {
  return {
    esmClass: read8('esm_class'),
    protocolId: read8('protocol_id'),
    priorityFlag: read8('priority_flag'),
    scheduleDeliveryTime: readTime('schedule_delivery_time', statuses.ESME_RINVSCHED),
    validityPeriod: readTime('validity_period', statuses.ESME_RINVEXPIRY),
    registeredDelivery: read8('registered_delivery'),
    replaceIfPresentFlag: read8('replace_if_present_flag'),
    dataCoding: read8('data_coding'),
    smDefaultMsgId: read8('sm_default_msg_id'),
    shortMessage: readShortMessage(),
  }
}

function readRarePdu(command: CommandName, head: { status: number; sequence: number }): Pdu {
  switch (command) {
    case 'data_sm': {
      const serviceType = readServiceType()
      const source = readSource(textLimits.longAddress)
      const destination = readDestination(textLimits.longAddress)
      const esmClass = read8('esm_class')
      const registeredDelivery = read8('registered_delivery')
      const dataCoding = read8('data_coding')
      const fields = { serviceType, ...source, ...destination, esmClass, registeredDelivery, dataCoding }
      return { command, ...head, ...fields, tlvs: readTlvs(true) }
    }
    case 'submit_multi': {
      const serviceType = readServiceType()
      const source = readSource(textLimits.address)
      const destinations = readDestinations()
      return { command, ...head, serviceType, ...source, destinations, ...readContent(), tlvs: readTlvs(true) }
    }
    case 'submit_multi_resp': {
      const messageId = readMessageId()
      const unsuccessful = readUnsuccessful()
      return { command, ...head, messageId, unsuccessful, tlvs: readTlvs(true) }
    }
    case 'alert_notification': {
      const source = readSource(textLimits.longAddress)
      const esmeAddrTon = read8('esme_addr_ton')
      const esmeAddrNpi = read8('esme_addr_npi')
      const esmeAddr = readText(textLimits.longAddress, 'esme_addr', statuses.ESME_RINVDSTADR)
      return { command, ...head, ...source, esmeAddrTon, esmeAddrNpi, esmeAddr, tlvs: readTlvs(true) }
    }
    default:
      return readPlainPdu(command, head)
  }
}

/** Commands that take no optional parameter. Those in a response are kept: SMPP 5.0 allows them everywhere. */
function readPlainPdu(command: CommandName, head: { status: number; sequence: number }): Pdu {
  switch (command) {
    case 'query_sm': {
      const messageId = readMessageId()
      return { command, ...head, messageId, ...readSource(textLimits.address), tlvs: readTlvs(false) }
    }
    case 'query_sm_resp': {
      const messageId = readMessageId()
      const finalDate = readTime('final_date', statuses.ESME_RQUERYFAIL)
      const messageState = read8('message_state')
      const errorCode = read8('error_code')
      return { command, ...head, messageId, finalDate, messageState, errorCode, tlvs: readTlvs(true) }
    }
    case 'cancel_sm': {
      const serviceType = readServiceType()
      const messageId = readMessageId()
      const source = readSource(textLimits.address)
      const destination = readDestination(textLimits.address)
      return { command, ...head, serviceType, messageId, ...source, ...destination, tlvs: readTlvs(false) }
    }
    case 'replace_sm': {
      const messageId = readMessageId()
      const source = readSource(textLimits.address)
      const scheduleDeliveryTime = readTime('schedule_delivery_time', statuses.ESME_RINVSCHED)
      const validityPeriod = readTime('validity_period', statuses.ESME_RINVEXPIRY)
      const registeredDelivery = read8('registered_delivery')
      const smDefaultMsgId = read8('sm_default_msg_id')
      const shortMessage = readShortMessage()
      const times = { scheduleDeliveryTime, validityPeriod }
      const fields = { messageId, ...source, ...times, registeredDelivery, smDefaultMsgId, shortMessage }
      return { command, ...head, ...fields, tlvs: readTlvs(false) }
    }
    case 'outbind': {
      const systemId = readText(textLimits.systemId, 'system_id', statuses.ESME_RINVSYSID)
      const password = readText(textLimits.password, 'password', statuses.ESME_RINVPASWD)
      return { command, ...head, systemId, password, tlvs: readTlvs(false) }
    }
    default:
      return { command, ...head, tlvs: readTlvs(commandIds[command] >= 0x80000000) } as Pdu
  }
}

function readBind(): BindFields {
  return {
    systemId: readText(textLimits.systemId, 'system_id', statuses.ESME_RINVSYSID),
    password: readText(textLimits.password, 'password', statuses.ESME_RINVPASWD),
    systemType: readText(textLimits.systemType, 'system_type', statuses.ESME_RINVSYSTYP),
    interfaceVersion: read8('interface_version'),
    addrTon: read8('addr_ton'),
    addrNpi: read8('addr_npi'),
    addressRange: readText(textLimits.addressRange, 'address_range', statuses.ESME_RBINDFAIL),
  }
}

function readServiceType(): string {
  return readText(textLimits.serviceType, 'service_type', statuses.ESME_RINVSERTYP)
}

function readMessageId(): string {
  return readText(textLimits.messageId, 'message_id', statuses.ESME_RINVMSGID)
}

function readSource(max: number): SourceFields {
  return {
    sourceAddrTon: read8('source_addr_ton'),
    sourceAddrNpi: read8('source_addr_npi'),
    sourceAddr: readText(max, 'source_addr', statuses.ESME_RINVSRCADR),
  }
}

function readDestination(max: number): DestinationFields {
  return {
    destAddrTon: read8('dest_addr_ton'),
    destAddrNpi: read8('dest_addr_npi'),
    destinationAddr: readText(max, 'destination_addr', statuses.ESME_RINVDSTADR),
  }
}

function readDestinations(): Destination[] {
  const count = read8('number_of_dests')
  if (count === 0 || count > maxDestinations) flawed(statuses.ESME_RINVNUMDESTS, `number_of_dests is ${count}`)
  const destinations: Destination[] = []
  for (let i = 0; i < count; i++) {
    const flag = read8('dest_flag')
    if (flag === 1) destinations.push(readDestination(textLimits.address))
    else if (flag === 2) destinations.push({ dlName: readText(textLimits.dlName, 'dl_name', statuses.ESME_RINVDLNAME) })
    else flawed(statuses.ESME_RINVDESTFLAG, `dest_flag is ${flag}, must be 1 or 2`)
  }
  return destinations
}

function readUnsuccessful(): UnsuccessfulDestination[] {
  const count = read8('no_unsuccess')
  const destinations: UnsuccessfulDestination[] = []
  for (let i = 0; i < count; i++) {
    const destination = readDestination(textLimits.address)
    if (end - at < 4) tooShort('error_status_code')
    destinations.push({ ...destination, errorStatus: read32() })
  }
  return destinations
}

function readShortMessage(): Buffer {
  const length = read8('sm_length')
  if (length > maxShortMessage) flawed(statuses.ESME_RINVMSGLEN, `sm_length is ${length}, at most 254 is allowed`)
  if (length > end - at) flawed(statuses.ESME_RINVMSGLEN, `sm_length is ${length}, only ${end - at} octets follow`)
  at += length
  return bytes.subarray(at - length, at)
}

function readTime(field: string, status: number): string {
  const value = readText(textLimits.time, field, status)
  if (value.length !== 0 && value.length !== textLimits.time) flawed(status, `${field} must have 16 characters or none`)
  return value
}

/** A C-octet string (§3.1). Octets above 0x7F are no ASCII; they are read as Latin-1, so that nothing is lost. */
function readText(max: number, field: string, status: number): string {
  const start = at
  const limit = Math.min(end, start + max + 1)
  while (at < limit && bytes[at] !== 0) at += 1
  if (at === limit) {
    if (limit === end) tooShort(field)
    flawed(status, `${field} is longer than ${max} characters`)
  }
  const stop = at++
  if (stop === start) return ''
  return stop === start + 1 ? String.fromCharCode(bytes[start]!) : bytes.toString('latin1', start, stop)
}

function read8(field: string): number {
  if (at >= end) tooShort(field)
  return bytes[at++]!
}

function read32(): number {
  at += 4
  return bytes[at - 4]! * 0x1000000 + ((bytes[at - 3]! << 16) | (bytes[at - 2]! << 8) | bytes[at - 1]!)
}

function tooShort(field: string): never {
  return flawed(statuses.ESME_RINVCMDLEN, `the PDU ends before ${field} does`)
}

function flawed(status: number, detail: string, fault: Flaw['fault'] = 'field'): never {
  throw { fault, status, detail } satisfies Flaw
}

function readTlvs(allowed: boolean): Tlvs {
  if (at === end) return noTlvs
  if (!allowed) flawed(statuses.ESME_ROPTPARNOTALLWD, 'this command takes no optional parameter', 'tlv')
  const tlvs: Tlvs = {}
  let other: RawTlv[] | undefined
  while (at < end) {
    if (end - at < 4) flawed(statuses.ESME_RINVOPTPARSTREAM, `${end - at} octets follow the last parameter`, 'tlv')
    const tag = (bytes[at]! << 8) | bytes[at + 1]!
    const length = (bytes[at + 2]! << 8) | bytes[at + 3]!
    at += 4
    if (length > end - at) {
      const detail = `parameter 0x${tag.toString(16).padStart(4, '0')} has ${length} octets, ${end - at} follow`
      flawed(statuses.ESME_RINVOPTPARSTREAM, detail, 'tlv')
    }
    const entry = tlvByTag(tag)
    if (entry === undefined || entry.property in tlvs) {
      other ??= []
      other.push({ tag, value: bytes.subarray(at, at + length) })
    } else {
      // The table gives each property its form; the compiler cannot follow that through a computed name.
      ;(tlvs as Record<string, unknown>)[entry.property] = readTlvValue(entry, length)
    }
    at += length
  }
  if (other !== undefined) tlvs.other = other
  return tlvs
}

/** The value of `length` octets at the cursor, which stays. */
function readTlvValue({ name, form }: TlvEntry, length: number): number | string | Buffer {
  if (form.kind === 'number') {
    if (length !== form.size) flawedLength(name, length, `${form.size}`)
    let value = 0
    for (let i = 0; i < length; i++) value = value * 256 + bytes[at + i]!
    if (value < (form.min ?? 0)) flawed(statuses.ESME_RINVOPTPARAMVAL, `${name} is ${value}`, 'tlv')
    return value
  }
  if (form.kind === 'octets') {
    if (length < form.min || length > form.max) flawedLength(name, length, `${form.min} to ${form.max}`)
    return bytes.subarray(at, at + length)
  }
  // Some message centres leave the NUL out of receipted_message_id, for its length says the same; some fill it up with them.
  let size = length
  while (size > 0 && bytes[at + size - 1] === 0) size--
  if (size > form.max - 1) flawedLength(name, length, `at most ${form.max}`)
  const text = bytes.toString('latin1', at, at + size)
  if (text.includes('\0')) flawed(statuses.ESME_RINVOPTPARAMVAL, `${name} has a NUL inside`, 'tlv')
  return text
}

function flawedLength(name: string, length: number, wanted: string): never {
  return flawed(statuses.ESME_RINVPARLEN, `${name} has ${length} octets, must have ${wanted}`, 'tlv')
}
