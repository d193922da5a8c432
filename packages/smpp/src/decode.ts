// Octets to a PDU (SMPP 3.4 §3.2, §4), strictly: a field that is cut off, too long or not what it must be makes the PDU a
// fault that says what to answer, never a PDU with a hole in it. What is tolerated is named at its place.
import type { CommandName } from './commands.ts'
import { commandIds, commandName, statuses } from './commands.ts'
import type { Flaw } from './fields.ts'
import {
  flawed,
  octetsLeft,
  place,
  read8,
  read32,
  readShortMessage,
  readText,
  readTime,
  readTlvs,
  tooShort,
} from './fields.ts'
import type {
  BindFields,
  ContentFields,
  Destination,
  DestinationFields,
  Pdu,
  SourceFields,
  UnsuccessfulDestination,
} from './pdu.ts'
import { maxDestinations, noTlvs, textLimits } from './pdu.ts'

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

/**
 * Reads the PDU that lies from `start` to `stop`, whose command_length says just that (the reader saw to it). Octet fields
 * of the result are views of `source`.
 */
export function decodePdu(source: Buffer, start: number, stop: number): Pdu | PduFault {
  place(source, start + 4, stop)
  const commandId = read32()
  const status = read32()
  const sequence = read32()
  const command = commandName(commandId)
  if (command === undefined) return unknownCommand(commandId, status, sequence)
  try {
    // Responses that refuse carry no body (§4.4.2), and some peers leave it out of others too.
    const isBodyless = octetsLeft() === 0 && commandId >= 0x80000000
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
    if (octetsLeft() < 4) tooShort('error_status_code')
    destinations.push({ ...destination, errorStatus: read32() })
  }
  return destinations
}
