// A PDU to octets (SMPP 3.4 §3.2, §4). Nothing is cut or made to fit: what the wire cannot carry is a RangeError that
// names the field, and then nothing has been written.
import type { CommandName } from './commands.ts'
import { commandIds } from './commands.ts'
import type {
  BindFields,
  ContentFields,
  Destination,
  DestinationFields,
  FieldsOf,
  PduInput,
  SourceFields,
  UnsuccessfulDestination,
} from './pdu.ts'
import { maxDestinations, maxShortMessage, textLimits } from './pdu.ts'
import type { RawTlv, TlvEntry, Tlvs } from './tlv_tags.ts'
import { tlvByProperty } from './tlv_tags.ts'

// The place being written. Encoding is synchronous, so one cursor serves all; it saves an object for every PDU.
let out: Buffer = Buffer.alloc(0)
let at = 0

/** The octets of one PDU. Throws RangeError, naming the field, for a value that the wire cannot carry. */
export function encodePdu(pdu: PduInput): Buffer {
  const target = Buffer.allocUnsafe(sizeBound(pdu))
  return target.subarray(0, encodeInto(target, 0, pdu, pdu))
}

/** What is in front of the fields. */
export type Head = { command: CommandName; status?: number; sequence: number }

/**
 * Writes a PDU into `target` from `start` on and returns where it ends. There must be room for `sizeBound(fields)`. When it
 * throws, what lies from `start` on is undefined.
 */
export function encodeInto(target: Buffer, start: number, head: Head, fields: AnyFields): number {
  const { command, status = 0, sequence } = head
  const id = commandIds[command]
  if (id === undefined) throw new RangeError(`command: ${String(command)} is not a command of SMPP 3.4`)
  out = target
  at = start + 4
  put32(id)
  putUint32(status, 'command_status')
  putUint32(sequence, 'sequence_number')
  if (status === 0 || !isBodyless(command, fields)) {
    putBody(command, fields)
    if (fields.tlvs !== undefined) putTlvs(fields.tlvs)
  }
  const end = at
  at = start
  put32(end - start)
  return end
}

/** Fields of any command; which one, the command beside them says. */
export type AnyFields = {
  tlvs?: Tlvs | undefined
  systemId?: string | undefined
  messageId?: string | undefined
  sourceAddr?: string | undefined
  destinationAddr?: string | undefined
  shortMessage?: Buffer | undefined
}

/** A response that refuses has no body when there is nothing to put into it (§4.1.2, §4.4.2, §4.7.2). */
function isBodyless(command: CommandName, fields: AnyFields): boolean {
  const { messageId = '', systemId = '' } = fields
  if (messageId !== '' || systemId !== '' || Object.keys(fields.tlvs ?? {}).length > 0) return false
  return command === 'submit_sm_resp' || command === 'data_sm_resp' || /^bind_.*_resp$/.test(command)
}

// The mandatory fields of any command but submit_multi and its response fit this many octets besides short_message.
const fieldRoom = 512

/** At least as many octets as the PDU takes. */
export function sizeBound(fields: AnyFields): number {
  let size = fieldRoom
  const { shortMessage } = fields
  const { destinations } = fields as FieldsOf<'submit_multi'>
  const { unsuccessful } = fields as FieldsOf<'submit_multi_resp'>
  if (shortMessage !== undefined) size += shortMessage.length
  if (destinations !== undefined) size += destinations.length * 24
  if (unsuccessful !== undefined) size += unsuccessful.length * 28
  const { tlvs } = fields
  if (tlvs === undefined) return size
  for (const property in tlvs) {
    const value = tlvs[property as keyof Tlvs]
    if (value === undefined) continue
    if (property === 'other') for (const { value: raw } of value as RawTlv[]) size += 4 + raw.length
    else size += typeof value === 'number' ? 8 : 5 + (value as Buffer | string).length
  }
  return size
}

function putBody(command: CommandName, fields: AnyFields) {
  switch (command) {
    case 'submit_sm':
    case 'deliver_sm': {
      const message = fields as FieldsOf<'submit_sm'>
      putText(message.serviceType, textLimits.serviceType, 'service_type')
      putSource(message, textLimits.address)
      putDestination(message, textLimits.address)
      return putContent(message)
    }
    case 'submit_sm_resp':
    case 'deliver_sm_resp':
    case 'data_sm_resp':
      return putMessageId(fields)
    case 'bind_receiver':
    case 'bind_transmitter':
    case 'bind_transceiver':
      return putBind(fields)
    case 'bind_receiver_resp':
    case 'bind_transmitter_resp':
    case 'bind_transceiver_resp':
      return putText((fields as FieldsOf<'bind_receiver_resp'>).systemId, textLimits.systemId, 'system_id')
    case 'submit_multi': {
      const message = fields as FieldsOf<'submit_multi'>
      putText(message.serviceType, textLimits.serviceType, 'service_type')
      putSource(message, textLimits.address)
      putDestinations(message.destinations ?? [])
      return putContent(message)
    }
    case 'submit_multi_resp':
      putMessageId(fields)
      return putUnsuccessful((fields as FieldsOf<'submit_multi_resp'>).unsuccessful ?? [])
    default:
      return putRareBody(command, fields)
  }
}

function putMessageId(fields: AnyFields): void {
  putText(fields.messageId, textLimits.messageId, 'message_id')
}

function putRareBody(command: CommandName, fields: AnyFields) {
  switch (command) {
    case 'data_sm': {
      const message = fields as FieldsOf<'data_sm'>
      putText(message.serviceType, textLimits.serviceType, 'service_type')
      putSource(message, textLimits.longAddress)
      putDestination(message, textLimits.longAddress)
      put8(message.esmClass, 'esm_class')
      put8(message.registeredDelivery, 'registered_delivery')
      return put8(message.dataCoding, 'data_coding')
    }
    case 'query_sm':
      putMessageId(fields)
      return putSource(fields, textLimits.address)
    case 'query_sm_resp': {
      const { finalDate, messageState, errorCode } = fields as FieldsOf<'query_sm_resp'>
      putMessageId(fields)
      putTime(finalDate, 'final_date')
      put8(messageState, 'message_state')
      return put8(errorCode, 'error_code')
    }
    case 'cancel_sm':
      putText((fields as FieldsOf<'cancel_sm'>).serviceType, textLimits.serviceType, 'service_type')
      putMessageId(fields)
      putSource(fields, textLimits.address)
      return putDestination(fields, textLimits.address)
    case 'replace_sm':
      return putReplacement(fields as FieldsOf<'replace_sm'>)
    case 'alert_notification': {
      const { esmeAddrTon, esmeAddrNpi, esmeAddr } = fields as FieldsOf<'alert_notification'>
      putSource(fields, textLimits.longAddress)
      put8(esmeAddrTon, 'esme_addr_ton')
      put8(esmeAddrNpi, 'esme_addr_npi')
      return putText(esmeAddr, textLimits.longAddress, 'esme_addr')
    }
    case 'outbind': {
      const { systemId, password } = fields as FieldsOf<'outbind'>
      putText(systemId, textLimits.systemId, 'system_id')
      return putText(password, textLimits.password, 'password')
    }
  }
}

function putReplacement(message: FieldsOf<'replace_sm'>): void {
  putMessageId(message)
  putSource(message, textLimits.address)
  putTime(message.scheduleDeliveryTime, 'schedule_delivery_time')
  putTime(message.validityPeriod, 'validity_period')
  put8(message.registeredDelivery, 'registered_delivery')
  put8(message.smDefaultMsgId, 'sm_default_msg_id')
  putShortMessage(message.shortMessage)
}

function putBind(bind: Partial<BindFields>): void {
  putText(bind.systemId, textLimits.systemId, 'system_id')
  putText(bind.password, textLimits.password, 'password')
  putText(bind.systemType, textLimits.systemType, 'system_type')
  put8(bind.interfaceVersion ?? 0x34, 'interface_version')
  put8(bind.addrTon, 'addr_ton')
  put8(bind.addrNpi, 'addr_npi')
  putText(bind.addressRange, textLimits.addressRange, 'address_range')
}

function putSource(source: Partial<SourceFields>, max: number): void {
  put8(source.sourceAddrTon, 'source_addr_ton')
  put8(source.sourceAddrNpi, 'source_addr_npi')
  putText(source.sourceAddr, max, 'source_addr')
}

function putDestination(destination: Partial<DestinationFields>, max: number): void {
  put8(destination.destAddrTon, 'dest_addr_ton')
  put8(destination.destAddrNpi, 'dest_addr_npi')
  putText(destination.destinationAddr, max, 'destination_addr')
}

function putContent(content: Partial<ContentFields>): void {
  put8(content.esmClass, 'esm_class')
  put8(content.protocolId, 'protocol_id')
  put8(content.priorityFlag, 'priority_flag')
  putTime(content.scheduleDeliveryTime, 'schedule_delivery_time')
  putTime(content.validityPeriod, 'validity_period')
  put8(content.registeredDelivery, 'registered_delivery')
  put8(content.replaceIfPresentFlag, 'replace_if_present_flag')
  put8(content.dataCoding, 'data_coding')
  put8(content.smDefaultMsgId, 'sm_default_msg_id')
  putShortMessage(content.shortMessage)
}

function putShortMessage(octets: Buffer | undefined): void {
  const length = octets?.length ?? 0
  if (length > maxShortMessage) {
    throw new RangeError(`short_message: ${length} octets, at most ${maxShortMessage} fit; use message_payload`)
  }
  out[at++] = length
  if (octets !== undefined) putOctets(octets)
}

function putOctets(octets: Buffer): void {
  // Short ones are faster without the call into native code.
  if (octets.length > 64) out.set(octets, at)
  else for (let i = 0; i < octets.length; i++) out[at + i] = octets[i]!
  at += octets.length
}

function putDestinations(destinations: readonly Destination[]) {
  if (destinations.length > maxDestinations) {
    throw new RangeError(`number_of_dests: ${destinations.length} destinations, at most ${maxDestinations} fit`)
  }
  out[at++] = destinations.length
  for (const destination of destinations) {
    if ('dlName' in destination) {
      out[at++] = 2
      putText(destination.dlName, textLimits.dlName, 'dl_name')
    } else {
      out[at++] = 1
      putDestination(destination, textLimits.address)
    }
  }
}

function putUnsuccessful(destinations: readonly UnsuccessfulDestination[]): void {
  if (destinations.length > 255) {
    throw new RangeError(`no_unsuccess: ${destinations.length} destinations, at most 255 fit`)
  }
  out[at++] = destinations.length
  for (const destination of destinations) {
    putDestination(destination, textLimits.address)
    putUint32(destination.errorStatus, 'error_status_code')
  }
}

function putTime(value: string | undefined, field: string): void {
  const length = value?.length ?? 0
  if (length !== 0 && length !== textLimits.time) {
    throw new RangeError(`${field}: ${length} characters, must be empty or have 16 (SMPP 3.4 §7.1.1)`)
  }
  putText(value, textLimits.time, field)
}

/** A C-octet string: Latin-1 and a NUL. SMPP has ASCII here; peers do send more, and what was read can be sent on. */
function putText(value: string | undefined, max: number, field: string): void {
  if (value !== undefined) {
    const { length } = value
    if (length > max) throw new RangeError(`${field}: ${length} characters, at most ${max} fit`)
    for (let i = 0; i < length; i++) {
      const code = value.charCodeAt(i)
      if (code === 0 || code > 0xff) throw new RangeError(`${field}: character ${i + 1} cannot be sent`)
      out[at + i] = code
    }
    at += length
  }
  out[at++] = 0
}

function put8(value: number | undefined, field: string): void {
  if (value === undefined) out[at++] = 0
  else if (value >= 0 && value <= 0xff && Number.isInteger(value)) out[at++] = value
  else throw new RangeError(`${field}: ${value} is not a whole number from 0 to 255`)
}

function putUint32(value: number, field: string): void {
  if (!(value >= 0 && value <= 0xffffffff && Number.isInteger(value))) {
    throw new RangeError(`${field}: ${value} is not a whole number from 0 to 4294967295`)
  }
  put32(value)
}

function put32(value: number): void {
  out[at] = value >>> 24
  out[at + 1] = value >>> 16
  out[at + 2] = value >>> 8
  out[at + 3] = value
  at += 4
}

function putTlvs(tlvs: Tlvs): void {
  for (const property in tlvs) {
    const value = tlvs[property as keyof Tlvs]
    if (property === 'other' || value === undefined) continue
    const entry = tlvByProperty(property)
    if (entry === undefined) throw new RangeError(`${property} is not an optional parameter of SMPP 3.4; use other`)
    putTlv(entry, value as number | string | Buffer)
  }
  for (const { tag, value } of tlvs.other ?? []) {
    if (!(tag >= 0 && tag <= 0xffff && Number.isInteger(tag))) throw new RangeError(`tag: ${tag} is not a tag`)
    putTlvHead(tag, value.length, 'an optional parameter')
    putOctets(value)
  }
}

function putTlvHead(tag: number, length: number, name: string): void {
  if (length > 0xffff) throw new RangeError(`${name}: ${length} octets, at most 65535 fit`)
  out[at++] = tag >>> 8
  out[at++] = tag
  out[at++] = length >>> 8
  out[at++] = length
}

function putTlv({ tag, name, form }: TlvEntry, value: number | string | Buffer): void {
  if (form.kind === 'number' && typeof value === 'number') {
    const limit = 2 ** (8 * form.size) - 1
    const min = form.min ?? 0
    if (!(value >= min && value <= limit && Number.isInteger(value))) {
      throw new RangeError(`${name}: ${value} is not a whole number from ${min} to ${limit}`)
    }
    putTlvHead(tag, form.size, name)
    for (let shift = 8 * (form.size - 1); shift >= 0; shift -= 8) out[at++] = value >>> shift
  } else if (form.kind === 'text' && typeof value === 'string') {
    putTlvHead(tag, value.length + 1, name)
    putText(value, form.max - 1, name)
  } else if (form.kind === 'octets' && Buffer.isBuffer(value)) {
    if (value.length < form.min || value.length > form.max) {
      throw new RangeError(`${name}: ${value.length} octets, must be ${form.min} to ${form.max}`)
    }
    putTlvHead(tag, value.length, name)
    putOctets(value)
  } else {
    const wanted = { number: 'a number', text: 'a string', octets: 'a Buffer' }[form.kind]
    throw new RangeError(`${name}: takes ${wanted}, not ${typeof value}`)
  }
}
