// The numbers of SMPP 3.4: command ids (§5.1.2.1), command statuses (§5.1.3), message states (§5.2.28) and the few type of
// number and numbering plan values that carriers use (§5.2.5, §5.2.6).

/** Command ids by name. A response is its request's id with the top bit set. */
export const commandIds = {
  bind_receiver: 0x00000001,
  bind_transmitter: 0x00000002,
  query_sm: 0x00000003,
  submit_sm: 0x00000004,
  deliver_sm: 0x00000005,
  unbind: 0x00000006,
  replace_sm: 0x00000007,
  cancel_sm: 0x00000008,
  bind_transceiver: 0x00000009,
  outbind: 0x0000000b,
  enquire_link: 0x00000015,
  submit_multi: 0x00000021,
  alert_notification: 0x00000102,
  data_sm: 0x00000103,
  generic_nack: 0x80000000,
  bind_receiver_resp: 0x80000001,
  bind_transmitter_resp: 0x80000002,
  query_sm_resp: 0x80000003,
  submit_sm_resp: 0x80000004,
  deliver_sm_resp: 0x80000005,
  unbind_resp: 0x80000006,
  replace_sm_resp: 0x80000007,
  cancel_sm_resp: 0x80000008,
  bind_transceiver_resp: 0x80000009,
  enquire_link_resp: 0x80000015,
  submit_multi_resp: 0x80000021,
  data_sm_resp: 0x80000103,
} as const

export type CommandName = keyof typeof commandIds

const namesById = new Map<number, CommandName>(
  Object.entries(commandIds).map(([name, id]) => [id, name as CommandName]),
)

/** The name of a command id; undefined when SMPP 3.4 has none for it. */
export function commandName(id: number): CommandName | undefined {
  return namesById.get(id)
}

/** Command statuses by name (SMPP 3.4 §5.1.3, table 5-2). */
export const statuses = {
  ESME_ROK: 0x00,
  ESME_RINVMSGLEN: 0x01,
  ESME_RINVCMDLEN: 0x02,
  ESME_RINVCMDID: 0x03,
  ESME_RINVBNDSTS: 0x04,
  ESME_RALYBND: 0x05,
  ESME_RINVPRTFLG: 0x06,
  ESME_RINVREGDLVFLG: 0x07,
  ESME_RSYSERR: 0x08,
  ESME_RINVSRCADR: 0x0a,
  ESME_RINVDSTADR: 0x0b,
  ESME_RINVMSGID: 0x0c,
  ESME_RBINDFAIL: 0x0d,
  ESME_RINVPASWD: 0x0e,
  ESME_RINVSYSID: 0x0f,
  ESME_RCANCELFAIL: 0x11,
  ESME_RREPLACEFAIL: 0x13,
  ESME_RMSGQFUL: 0x14,
  ESME_RINVSERTYP: 0x15,
  ESME_RINVNUMDESTS: 0x33,
  ESME_RINVDLNAME: 0x34,
  ESME_RINVDESTFLAG: 0x40,
  ESME_RINVSUBREP: 0x42,
  ESME_RINVESMCLASS: 0x43,
  ESME_RCNTSUBDL: 0x44,
  ESME_RSUBMITFAIL: 0x45,
  ESME_RINVSRCTON: 0x48,
  ESME_RINVSRCNPI: 0x49,
  ESME_RINVDSTTON: 0x50,
  ESME_RINVDSTNPI: 0x51,
  ESME_RINVSYSTYP: 0x53,
  ESME_RINVREPFLAG: 0x54,
  ESME_RINVNUMMSGS: 0x55,
  ESME_RTHROTTLED: 0x58,
  ESME_RINVSCHED: 0x61,
  ESME_RINVEXPIRY: 0x62,
  ESME_RINVDFTMSGID: 0x63,
  ESME_RX_T_APPN: 0x64,
  ESME_RX_P_APPN: 0x65,
  ESME_RX_R_APPN: 0x66,
  ESME_RQUERYFAIL: 0x67,
  ESME_RINVOPTPARSTREAM: 0xc0,
  ESME_ROPTPARNOTALLWD: 0xc1,
  ESME_RINVPARLEN: 0xc2,
  ESME_RMISSINGOPTPARAM: 0xc3,
  ESME_RINVOPTPARAMVAL: 0xc4,
  ESME_RDELIVERYFAILURE: 0xfe,
  ESME_RUNKNOWNERR: 0xff,
} as const

export type StatusName = keyof typeof statuses

const statusNames = new Map<number, string>(Object.entries(statuses).map(([name, code]) => [code, name]))

/** `ESME_RTHROTTLED` for 0x58; `0x00000400` for a code the standard does not name (carriers have their own from 0x400). */
export function statusName(code: number): string {
  return statusNames.get(code) ?? `0x${code.toString(16).padStart(8, '0')}`
}

/** Message states by number (§5.2.28; 0 and 9 are of SMPP 5.0 §4.7.15 and seen on 3.4 links). */
export const messageStates = {
  0: 'scheduled',
  1: 'enroute',
  2: 'delivered',
  3: 'expired',
  4: 'deleted',
  5: 'undeliverable',
  6: 'accepted',
  7: 'unknown',
  8: 'rejected',
  9: 'skipped',
} as const

export type MessageState = (typeof messageStates)[keyof typeof messageStates]

/** The name of a message_state; undefined for a number that is none. */
export function messageStateName(state: number): MessageState | undefined {
  return (messageStates as Record<number, MessageState>)[state]
}

/** Type of number (§5.2.5). */
export const ton = {
  unknown: 0,
  international: 1,
  national: 2,
  networkSpecific: 3,
  subscriber: 4,
  alphanumeric: 5,
  abbreviated: 6,
} as const

/** Numbering plan indicator (§5.2.6). */
export const npi = {
  unknown: 0,
  isdn: 1,
  data: 3,
  telex: 4,
  landMobile: 6,
  national: 8,
  private: 9,
  ermes: 10,
  internet: 14,
  wapClientId: 18,
} as const

/** Bits of esm_class (§5.2.12). */
export const esmClass = {
  modeMask: 0x03,
  typeMask: 0x3c,
  receipt: 0x04,
  deliveryAcknowledgement: 0x08,
  userAcknowledgement: 0x10,
  intermediateNotification: 0x20,
  udhIndicator: 0x40,
  replyPath: 0x80,
} as const
