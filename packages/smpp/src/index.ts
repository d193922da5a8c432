// SMPP 3.4: what this package offers. Codec and texts are pure functions; `createEsme` and `createSmsc` are the two sides
// of a link.
export type { CommandName, MessageState, StatusName } from './commands.ts'
export {
  commandIds,
  commandName,
  esmClass,
  messageStateName,
  messageStates,
  npi,
  statuses,
  statusName,
  ton,
} from './commands.ts'
export type { PduFault } from './decode.ts'
export { isFault } from './decode.ts'
export { encodePdu } from './encode.ts'
export { createEsme } from './esme.ts'
export type { Delivery, Esme, EsmeCounters, EsmeOptions, EsmeState, Role, StateChange } from './esme_api.ts'
export type { LinkCounters, TraceEvent } from './link.ts'
export type { ComposeOptions, ConcatenationForm, MessagePart, ReadMessage } from './message.ts'
export { composeMessage, readMessage, splitText } from './message.ts'
export type { Answer, FailureReason, RequestFailure } from './outcome.ts'
export { isRequestFailure } from './outcome.ts'
export type * from './pdu.ts'
export { maxShortMessage, textLimits } from './pdu.ts'
export type { PduReader } from './reader.ts'
export { createPduReader } from './reader.ts'
export type { MessageIdForm, Receipt, ReceiptOptions } from './receipt.ts'
export { isReceipt, normalizeMessageId, parseReceipt } from './receipt.ts'
export { createSmsc } from './smsc.ts'
export type {
  BindRequest,
  OtherAnswer,
  Smsc,
  SmscLimits,
  SmscOptions,
  SmscSession,
  SubmitAnswer,
} from './smsc_api.ts'
export type { DecodeOptions, EncodedText, TextEncoding, TextProfile } from './text.ts'
export { dataCodingOf, decodeText, encodeText, encodingOf } from './text.ts'
export { formatAbsoluteTime, formatRelativeTime, parseTime } from './time.ts'
export type { Clock } from './timing.ts'
export { systemClock } from './timing.ts'
export type { RawTlv, TlvName, Tlvs } from './tlv_tags.ts'
export { tlvTags } from './tlv_tags.ts'
export { describePdu } from './trace.ts'
export type { Concatenation, Udh, UdhElement } from './udh.ts'
export { joinKey, languageShifts, parseUdh } from './udh.ts'
