// The optional parameters of SMPP 3.4 (§5.3.2): tag, property name and form of each. What is read or written of one is
// decided by this table alone.

/** What a value looks like. `number` forms are big-endian; `text` ends with a NUL on the wire; `octets` stay bytes. */
export type TlvForm =
  | { kind: 'number'; size: 1 | 2 | 4; min?: number }
  | { kind: 'text'; max: number }
  | { kind: 'octets'; min: number; max: number }

const u8 = { kind: 'number', size: 1 } as const
const u16 = { kind: 'number', size: 2 } as const
const octets = (min: number, max = min) => ({ kind: 'octets', min, max }) as const

/** By property name: [tag, name in the standard, form]. */
export const tlvTags = {
  destAddrSubunit: [0x0005, 'dest_addr_subunit', u8],
  destNetworkType: [0x0006, 'dest_network_type', u8],
  destBearerType: [0x0007, 'dest_bearer_type', u8],
  destTelematicsId: [0x0008, 'dest_telematics_id', u16],
  sourceAddrSubunit: [0x000d, 'source_addr_subunit', u8],
  sourceNetworkType: [0x000e, 'source_network_type', u8],
  sourceBearerType: [0x000f, 'source_bearer_type', u8],
  sourceTelematicsId: [0x0010, 'source_telematics_id', u8],
  qosTimeToLive: [0x0017, 'qos_time_to_live', { kind: 'number', size: 4 }],
  payloadType: [0x0019, 'payload_type', u8],
  additionalStatusInfoText: [0x001d, 'additional_status_info_text', { kind: 'text', max: 256 }],
  receiptedMessageId: [0x001e, 'receipted_message_id', { kind: 'text', max: 65 }],
  msMsgWaitFacilities: [0x0030, 'ms_msg_wait_facilities', u8],
  privacyIndicator: [0x0201, 'privacy_indicator', u8],
  sourceSubaddress: [0x0202, 'source_subaddress', octets(2, 23)],
  destSubaddress: [0x0203, 'dest_subaddress', octets(2, 23)],
  userMessageReference: [0x0204, 'user_message_reference', u16],
  userResponseCode: [0x0205, 'user_response_code', u8],
  sourcePort: [0x020a, 'source_port', u16],
  destinationPort: [0x020b, 'destination_port', u16],
  sarMsgRefNum: [0x020c, 'sar_msg_ref_num', u16],
  languageIndicator: [0x020d, 'language_indicator', u8],
  sarTotalSegments: [0x020e, 'sar_total_segments', { kind: 'number', size: 1, min: 1 }],
  sarSegmentSeqnum: [0x020f, 'sar_segment_seqnum', { kind: 'number', size: 1, min: 1 }],
  scInterfaceVersion: [0x0210, 'sc_interface_version', u8],
  callbackNumPresInd: [0x0302, 'callback_num_pres_ind', u8],
  callbackNumAtag: [0x0303, 'callback_num_atag', octets(0, 65)],
  numberOfMessages: [0x0304, 'number_of_messages', u8],
  callbackNum: [0x0381, 'callback_num', octets(4, 19)],
  dpfResult: [0x0420, 'dpf_result', u8],
  setDpf: [0x0421, 'set_dpf', u8],
  msAvailabilityStatus: [0x0422, 'ms_availability_status', u8],
  networkErrorCode: [0x0423, 'network_error_code', octets(3)],
  messagePayload: [0x0424, 'message_payload', octets(0, 65535)],
  deliveryFailureReason: [0x0425, 'delivery_failure_reason', u8],
  moreMessagesToSend: [0x0426, 'more_messages_to_send', u8],
  messageState: [0x0427, 'message_state', u8],
  ussdServiceOp: [0x0501, 'ussd_service_op', octets(1)],
  displayTime: [0x1201, 'display_time', u8],
  smsSignal: [0x1203, 'sms_signal', u16],
  msValidity: [0x1204, 'ms_validity', u8],
  alertOnMessageDelivery: [0x130c, 'alert_on_message_delivery', octets(0)],
  itsReplyType: [0x1380, 'its_reply_type', u8],
  itsSessionInfo: [0x1383, 'its_session_info', octets(2)],
} as const satisfies Record<string, readonly [tag: number, name: string, form: TlvForm]>

export type TlvName = keyof typeof tlvTags

type ValueOf<Form> = Form extends { kind: 'number' } ? number : Form extends { kind: 'text' } ? string : Buffer

/**
 * Optional parameters by name. `other` keeps, in their order, those this table does not know (carriers' own from 0x1400,
 * SMPP 5.0) and every repetition of a known one, so that nothing a peer sent is lost; on encoding they follow the rest.
 */
export type Tlvs = { [Name in TlvName]?: ValueOf<(typeof tlvTags)[Name][2]> } & { other?: readonly RawTlv[] }

export type RawTlv = { tag: number; value: Buffer }

export type TlvEntry = { property: TlvName; tag: number; name: string; form: TlvForm }

const entries = Object.entries(tlvTags).map(
  ([property, [tag, name, form]]): TlvEntry => ({ property: property as TlvName, tag, name, form }),
)

const entryByTag = new Map(entries.map(entry => [entry.tag, entry]))
const entryByProperty = new Map<string, TlvEntry>(entries.map(entry => [entry.property, entry]))

/** What is known of a tag; undefined for tags that SMPP 3.4 does not define. */
export function tlvByTag(tag: number): TlvEntry | undefined {
  return entryByTag.get(tag)
}

/** What is known of a property of `Tlvs`; undefined for `other` and for names that are none. */
export function tlvByProperty(property: string): TlvEntry | undefined {
  return entryByProperty.get(property)
}
