// What a PDU is to a program: one union, discriminated by `command`, with the fields of SMPP 3.4 §4 under their standard
// names in camel case. `PduInput` is what may be encoded: fields left out are 0, '' or empty.
import type { CommandName } from './commands.ts'
import type { Tlvs } from './tlv_tags.ts'

/** §4.1: `interfaceVersion` 0x34 for SMPP 3.4; `addressRange` is a pattern of addresses a receiver wants. */
export type BindFields = {
  systemId: string
  password: string
  systemType: string
  interfaceVersion: number
  addrTon: number
  addrNpi: number
  addressRange: string
}

export type SourceFields = { sourceAddrTon: number; sourceAddrNpi: number; sourceAddr: string }
export type DestinationFields = { destAddrTon: number; destAddrNpi: number; destinationAddr: string }

/** What submit_sm, deliver_sm and submit_multi share. Times are of §7.1.1 (see `formatRelativeTime`) or ''. */
export type ContentFields = {
  esmClass: number
  protocolId: number
  priorityFlag: number
  scheduleDeliveryTime: string
  validityPeriod: string
  registeredDelivery: number
  replaceIfPresentFlag: number
  dataCoding: number
  smDefaultMsgId: number
  shortMessage: Buffer
}

/** §4.4 and §4.6. */
export type MessageFields = { serviceType: string } & SourceFields & DestinationFields & ContentFields

/** A destination of submit_multi (§4.5.1.1): an address, or the name of a distribution list. */
export type Destination = DestinationFields | { dlName: string }

/** A destination that submit_multi_resp reports as refused, and why (§4.5.2.1). */
export type UnsuccessfulDestination = DestinationFields & { errorStatus: number }

type MessageIdField = { messageId: string }
type NoFields = Record<never, never>

/** The mandatory fields of each command. */
export type CommandFields = {
  bind_receiver: BindFields
  bind_receiver_resp: { systemId: string }
  bind_transmitter: BindFields
  bind_transmitter_resp: { systemId: string }
  bind_transceiver: BindFields
  bind_transceiver_resp: { systemId: string }
  outbind: { systemId: string; password: string }
  unbind: NoFields
  unbind_resp: NoFields
  enquire_link: NoFields
  enquire_link_resp: NoFields
  generic_nack: NoFields
  submit_sm: MessageFields
  submit_sm_resp: MessageIdField
  submit_multi: { serviceType: string; destinations: readonly Destination[] } & SourceFields & ContentFields
  submit_multi_resp: MessageIdField & { unsuccessful: readonly UnsuccessfulDestination[] }
  deliver_sm: MessageFields
  deliver_sm_resp: MessageIdField
  data_sm: { serviceType: string; esmClass: number; registeredDelivery: number; dataCoding: number } & SourceFields &
    DestinationFields
  data_sm_resp: MessageIdField
  query_sm: MessageIdField & SourceFields
  query_sm_resp: MessageIdField & { finalDate: string; messageState: number; errorCode: number }
  cancel_sm: { serviceType: string } & MessageIdField & SourceFields & DestinationFields
  cancel_sm_resp: NoFields
  replace_sm: MessageIdField &
    SourceFields &
    Pick<
      ContentFields,
      'scheduleDeliveryTime' | 'validityPeriod' | 'registeredDelivery' | 'smDefaultMsgId' | 'shortMessage'
    >
  replace_sm_resp: NoFields
  alert_notification: SourceFields & { esmeAddrTon: number; esmeAddrNpi: number; esmeAddr: string }
}

/** `status` is command_status (0 in requests), `sequence` is sequence_number (1 to 0x7FFFFFFF). */
export type PduHeader<Name extends CommandName> = { command: Name; status: number; sequence: number }

/** One command as it is read. The octets in it are views of what was received: copy what is to be kept for long. */
export type PduOf<Name extends CommandName> = PduHeader<Name> & CommandFields[Name] & { tlvs: Tlvs }

export type Pdu = { [Name in CommandName]: PduOf<Name> }[CommandName]

/** The fields of a command as they may be given to be sent. */
export type FieldsOf<Name extends CommandName> = Partial<CommandFields[Name]> & { tlvs?: Tlvs | undefined }

export type PduInputOf<Name extends CommandName> = { command: Name; status?: number; sequence: number } & FieldsOf<Name>

export type PduInput = { [Name in CommandName]: PduInputOf<Name> }[CommandName]

/** Commands that ask for a response. */
export type RequestName = Exclude<CommandName, `${string}_resp` | 'generic_nack' | 'outbind' | 'alert_notification'>

/**
 * The longest text of each C-octet string, without its NUL (§4, §5.2). Two limits are wider than the standard's: carriers
 * give out system ids and passwords of more than 15 and 8 characters and expect them whole.
 */
export const textLimits = {
  systemId: 63,
  password: 63,
  systemType: 12,
  addressRange: 40,
  serviceType: 5,
  address: 20,
  longAddress: 64,
  messageId: 64,
  time: 16,
  dlName: 20,
} as const

/** Octets that fit short_message (§5.2.22); longer ones go into the messagePayload parameter. */
export const maxShortMessage = 254

/** Destinations of one submit_multi (§5.2.24). */
export const maxDestinations = 254

export const noTlvs: Tlvs = Object.freeze({})
