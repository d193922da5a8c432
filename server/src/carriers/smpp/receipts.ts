// What a receipt of the carrier says in our words: which message, what became of it, and why. Pure.
import {
  isReceipt,
  type MessageIdForm,
  normalizeMessageId,
  type PduOf,
  parseReceipt,
  type Receipt as SmppReceipt,
} from '@tandem/smpp'
import { isoMs } from '../../kernel/values/clock.ts'
import type { ProblemCode } from '../../kernel/values/problem.ts'
import type { Receipt } from '../../modules/messaging/carrier.ts'
import { addressOf } from './addresses.ts'
import { profileOf } from './parts.ts'
import type { SmppSettings } from './settings.ts'

export type Delivery = PduOf<'deliver_sm'> | PduOf<'data_sm'>

type Marking = Pick<SmppSettings, 'plainReceipts'>

/** SMPP 3.4 appendix B, from its first word on. */
const wholeForm =
  /^id:\s*\S{1,64}\s+(?:sub:\d{1,3}\s+)?(?:dlvrd:\d{1,3}\s+)?submit date:\s*\d{10,14}\s+done date:\s*\d{10,14}\s+stat:\s*[A-Z]{5,13}\b/i
const receiptMark = 0x04

/** Whether it reports a message instead of being one. */
export function isDeliveryReceipt(pdu: Delivery, settings: Marking): boolean {
  return isReceipt(marked(pdu, settings))
}

/** With the mark of a receipt, where the carrier is one that leaves it out and nothing else is said of the message. */
function marked(pdu: Delivery, { plainReceipts }: Marking): Delivery {
  if (!plainReceipts || pdu.esmClass !== 0) return pdu
  const text = pdu.tlvs.messagePayload ?? ('shortMessage' in pdu ? pdu.shortMessage : undefined)
  return wholeForm.test(text?.toString('latin1') ?? '') ? { ...pdu, esmClass: receiptMark } : pdu
}

type Forms = Record<SmppSettings['receiptIds'], MessageIdForm>
const answerForms: Forms = {
  same: 'text',
  ignore_case: 'caseless',
  hex_in_receipt: 'decimal',
  decimal_in_receipt: 'hexadecimal',
}
const receiptForms: Forms = {
  same: 'text',
  ignore_case: 'caseless',
  hex_in_receipt: 'hexadecimal',
  decimal_in_receipt: 'decimal',
}

/** What carriers that give no id answer: nothing, or zeros. It names no message, for it would name them all. */
export const isNoId = (id: string) => id === '' || id === '0'

/** The id of an answer in the spelling that receipts are compared in. */
export function answerId(id: string, { receiptIds }: Pick<SmppSettings, 'receiptIds'>): string {
  return normalizeMessageId(id, answerForms[receiptIds])
}

export function receiptId(id: string, { receiptIds }: Pick<SmppSettings, 'receiptIds'>): string {
  return normalizeMessageId(id, receiptForms[receiptIds])
}

const outcomes: Partial<Record<NonNullable<SmppReceipt['state']>, { status: Receipt['status']; code?: ProblemCode }>> =
  {
    delivered: { status: 'delivered' },
    expired: { status: 'expired', code: 'validity_expired' },
    undeliverable: { status: 'undelivered', code: 'carrier_unknown_error' },
    deleted: { status: 'undelivered', code: 'message_rejected' },
    rejected: { status: 'undelivered', code: 'message_rejected' },
    skipped: { status: 'undelivered', code: 'message_rejected' },
  }

/** Causes of GSM networks (3GPP TS 29.002 §17.6.6, as message centres number them). */
const gsmCauses: Record<number, ProblemCode> = {
  1: 'unknown_subscriber',
  5: 'unknown_subscriber',
  6: 'handset_unreachable',
  9: 'blocked_by_carrier',
  11: 'landline_or_unsupported',
  12: 'blocked_by_carrier',
  13: 'blocked_by_carrier',
  21: 'landline_or_unsupported',
  27: 'handset_unreachable',
  31: 'handset_unreachable',
  32: 'handset_unreachable',
  33: 'handset_unreachable',
}

/** Network type 3 of network_error_code (SMPP 3.4 §5.3.2.31). */
const gsmNetwork = 3

/** delivery_failure_reason (§5.3.2.33). */
const failureReasons: Record<number, ProblemCode> = { 0: 'handset_unreachable', 1: 'unknown_subscriber' }

/**
 * What a receipt says, or undefined when it is not the final one of its message or names none. `err` is the carrier's own
 * number; the few that nearly all take from the network are read as such where the network's own is missing.
 */
export function readReceipt(
  pdu: Delivery,
  settings: SmppSettings,
  tenantId: number,
): (Receipt & { carrierMessageId: string }) | undefined {
  const receipt = parseReceipt(marked(pdu, settings), {
    profile: profileOf(settings),
    utcOffsetMinutes: settings.clockOffsetMinutes,
  })
  if (receipt === null || receipt.messageId === null || !receipt.isFinal || receipt.state === null) return undefined
  const outcome = outcomes[receipt.state]
  const carrierMessageId = receiptId(receipt.messageId, settings)
  if (outcome === undefined || isNoId(carrierMessageId)) return undefined
  const carrierCode = codeText(receipt)
  const code = outcome.status === 'undelivered' ? (causeOf(pdu, receipt) ?? outcome.code) : outcome.code
  return {
    tenantId,
    carrierMessageId,
    status: outcome.status,
    // It comes from the recipient, to the sender.
    from: addressOf(pdu.destinationAddr, pdu.destAddrTon, settings),
    to: addressOf(pdu.sourceAddr, pdu.sourceAddrTon, settings),
    ...(code === undefined ? {} : { code }),
    ...(carrierCode === undefined ? {} : { carrierCode }),
    ...(receipt.doneAtMs === null ? {} : { at: isoMs(receipt.doneAtMs) }),
  }
}

function causeOf(pdu: Delivery, { networkError, error }: SmppReceipt): ProblemCode | undefined {
  if (networkError !== null && networkError.code !== 0) {
    return networkError.network === gsmNetwork ? gsmCauses[networkError.code] : undefined
  }
  const reason = pdu.tlvs.deliveryFailureReason
  if (reason !== undefined) return failureReasons[reason]
  return error !== null && /^\d{1,3}$/.test(error) ? gsmCauses[Number(error)] : undefined
}

/** As long as the carrier's own code may be. */
const maxCode = 64

function codeText(receipt: SmppReceipt): string | undefined {
  return codeWords(receipt)?.slice(0, maxCode).toWellFormed()
}

function codeWords({ networkError, error, stateText, state }: SmppReceipt): string | undefined {
  const word = stateText ?? state?.toUpperCase()
  if (networkError !== null && networkError.code !== 0)
    return `${word} network ${networkError.network}:${networkError.code}`
  if (error !== null && !/^0+$/.test(error)) return `${word} err:${error}`
  return state === 'delivered' ? undefined : word
}
