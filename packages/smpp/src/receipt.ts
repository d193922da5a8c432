// Delivery receipts (SMPP 3.4 §5.2.12, appendix B). The parameters of a receipt count before its text, whose form every
// message centre makes up again: dates of 10, 12 or 14 digits, errors that are words, fields left out or in another order.
import { esmClass, type MessageState, messageStateName } from './commands.ts'
import { decodeText, type TextProfile } from './text.ts'
import type { LocalTime } from './time.ts'
import { localMs, parseTime } from './time.ts'
import type { Carrying } from './udh.ts'
import { contentOf, udhOf } from './udh.ts'

/**
 * No word of it holds a NUL or more than 64 characters (`text` and dates apart), whatever was sent.
 * - `messageId` is as it was sent; see `normalizeMessageId`.
 * - `isFinal`: false for states that another receipt will follow, and for intermediate notifications.
 * - `error` is the text's `err`; `networkError` is network_error_code (§5.3.2.31), with the network type as a number.
 * - `doneAt` is `2026-11-21T14:30:00` on the message centre's own clock; `doneAtMs` the instant, its offset believed.
 */
export type Receipt = {
  messageId: string | null
  state: MessageState | null
  /** The word of the text's `stat`, as it was sent. */
  stateText: string | null
  isFinal: boolean
  error: string | null
  networkError: { network: number; code: number } | null
  submittedAt: string | null
  doneAt: string | null
  doneAtMs: number | null
  submitted: number | null
  delivered: number | null
  text: string | null
}

export type ReceiptOptions = {
  profile?: TextProfile | undefined
  /** How far the message centre's clock is ahead of UTC. Default 0. */
  utcOffsetMinutes?: number | undefined
}

/** Whether a deliver_sm or data_sm reports a message sent before: by esm_class, or by the parameters of a receipt. */
export function isReceipt(pdu: Carrying): boolean {
  const type = pdu.esmClass & esmClass.typeMask
  if (type === esmClass.receipt || type === esmClass.intermediateNotification) return true
  // Only where nothing else is said: a text alone could be written by anybody.
  return type === 0 && pdu.tlvs.receiptedMessageId !== undefined && pdu.tlvs.messageState !== undefined
}

const states: Record<string, MessageState> = {
  DELIVRD: 'delivered',
  DELIVERED: 'delivered',
  EXPIRED: 'expired',
  DELETED: 'deleted',
  UNDELIV: 'undeliverable',
  UNDELIVERED: 'undeliverable',
  UNDELIVERABLE: 'undeliverable',
  UNDLVRD: 'undeliverable',
  FAILED: 'undeliverable',
  ACCEPTD: 'accepted',
  ACCEPTED: 'accepted',
  ACKED: 'accepted',
  UNKNOWN: 'unknown',
  UNKNOWND: 'unknown',
  REJECTD: 'rejected',
  REJECTED: 'rejected',
  ENROUTE: 'enroute',
  BUFFERED: 'enroute',
  BUFFRED: 'enroute',
  SCHEDULED: 'scheduled',
  SKIPPED: 'skipped',
}

const finalStates: ReadonlySet<MessageState | null> = new Set([
  'delivered',
  'expired',
  'deleted',
  'undeliverable',
  'rejected',
  'skipped',
])

/** Reads a receipt; null for a message that is none (see `isReceipt`). */
export function parseReceipt(pdu: Carrying & { dataCoding: number }, options: ReceiptOptions = {}): Receipt | null {
  if (!isReceipt(pdu)) return null
  const { receiptedMessageId, messageState, networkErrorCode } = pdu.tlvs
  const fields = receiptFields(receiptText(pdu, options.profile))
  const stateText = fields.stat || null
  const reported = messageState === undefined ? undefined : messageStateName(messageState)
  const state = reported ?? (stateText === null ? null : (states[stateText.toUpperCase()] ?? null))
  const isIntermediate = (pdu.esmClass & esmClass.typeMask) === esmClass.intermediateNotification
  const done = readDate(fields['done date'])
  return {
    messageId: wordOf(receiptedMessageId ?? '') || fields.id || null,
    state,
    stateText,
    isFinal: !isIntermediate && finalStates.has(state),
    error: fields.err || null,
    networkError:
      networkErrorCode === undefined ? null : { network: networkErrorCode[0]!, code: networkErrorCode.readUInt16BE(1) },
    submittedAt: readDate(fields['submit date'])?.local ?? null,
    doneAt: done?.local ?? null,
    doneAtMs: done === null ? null : (done.exactMs ?? done.localMs - (options.utcOffsetMinutes ?? 0) * 60_000),
    submitted: readCount(fields.sub),
    delivered: readCount(fields.dlvrd),
    text: fields.text ?? null,
  }
}

/** As long as an id may be (SMPP 3.4 §5.3.2.12). What message centres write beyond that serves nobody. */
const maxWord = 64

/** What is no longer than that, of printable ASCII without a blank, is a word as it stands. */
const plainWord = /^[!-~]{0,64}$/

function wordOf(value: string): string {
  return plainWord.test(value) ? value : value.replaceAll('\0', ' ').trim().slice(0, maxWord).toWellFormed()
}

/**
 * Message centres write receipts as ASCII under any data_coding of one octet; GSM would make `§` of an id's `_`. Some end
 * them as C strings, or put a NUL between fields: it is no part of any word.
 */
function receiptText(pdu: Carrying & { dataCoding: number }, profile: TextProfile | undefined): string {
  const bytes = contentOf(pdu).subarray(udhOf(pdu)?.length ?? 0)
  const isWide = pdu.dataCoding === 8 || pdu.dataCoding === profile?.dataCodings?.ucs2
  const text = isWide ? (decodeText(bytes, 8) ?? '') : bytes.toString('latin1')
  return text.includes('\0') ? text.replace(/\0+$/, '').replaceAll('\0', ' ') : text
}

/** The fields of a receipt's text. */
type Fields = Partial<Record<'id' | 'sub' | 'dlvrd' | 'submit date' | 'done date' | 'stat' | 'err' | 'text', string>>

/** Appendix B to the letter, as most receipts are: nothing in it can be read in two ways, for no word of it holds a colon or ends early. */
const usual =
  /^id:([!-+\--9<-~]{1,64}) sub:(\d{3}) dlvrd:(\d{3}) submit date:(\d{10,14}) done date:(\d{10,14}) stat:([A-Z]{1,20}) err:([0-9A-Z]{1,8}) text: *(.*)$/is

function receiptFields(receipt: string): Fields {
  const match = usual.exec(receipt)
  if (match === null) return anyFields(receipt)
  const [, id, sub, dlvrd, submitted, done, stat, err, text] = match
  return { id, sub, dlvrd, 'submit date': submitted, 'done date': done, stat, err, text } as Fields
}

const key = /(?<![A-Za-z_])(id|sub|dlvrd|submit[ _-]?date|done[ _-]?date|stat|err|text)[ ]*:[ ]*/gi

/**
 * The fields of a text in whatever order, each up to the next one, by their names in small letters.
 * `text` holds what the sender of the message wrote and may look like fields: behind a state it is taken as it is.
 */
function anyFields(receipt: string): Fields {
  const fields: Fields = {}
  const found = [...receipt.matchAll(key)]
  const names = found.map(match => match[1]!.toLowerCase().replace(/[ _-]?date$/, ' date') as keyof Fields)
  for (const [index, match] of found.entries()) {
    const name = names[index]!
    const start = match.index + match[0].length
    if (name === 'text' && fields.stat !== undefined) {
      fields.text = receipt.slice(start)
      break
    }
    const value = receipt.slice(start, found[index + 1]?.index)
    // The first counts, but of a text at the front only what stands behind it can be the receipt's own.
    if (fields[name] === undefined || names[0] === 'text') {
      fields[name] = name === 'text' ? value.trimEnd() : wordOf(value.trim().split(/[\s;,]/)[0] ?? '')
    }
  }
  return fields
}

function readCount(value: string | undefined): number | null {
  return value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : null
}

type ReadDate = { local: string; localMs: number; exactMs: number | null }

/** YYMMDDhhmm, YYMMDDhhmmss, YYYYMMDDhhmm, YYYYMMDDhhmmss, or a time of §7.1.1; null for anything else. */
function readDate(value: string | undefined): ReadDate | null {
  if (value === undefined) return null
  // Times of §7.1.1 have sixteen characters.
  const exactMs = value.length === 16 ? parseTime(value, 0) : null
  const digits = exactMs === null ? value : value.slice(0, 12)
  if (!/^\d{10}(\d\d)?(\d\d)?$/.test(digits)) return null
  // Twelve digits may be either form. Read with the century first they are a real date only when that is meant: the other
  // reading would be of the year 2020.
  const withCentury = digits.length === 14 || (exactMs === null && digits.length === 12 && digits.startsWith('20'))
  const date = (withCentury ? toLocal(digits, true) : null) ?? (digits.length === 14 ? null : toLocal(digits, false))
  return date === null ? null : { ...date, exactMs: value.endsWith('R') ? null : exactMs }
}

function toLocal(digits: string, withCentury: boolean): { local: string; localMs: number } | null {
  const full = (withCentury ? digits : `20${digits}`).padEnd(14, '0')
  const two = (at: number) => (full.charCodeAt(at) - 48) * 10 + full.charCodeAt(at + 1) - 48
  const time: LocalTime = {
    year: two(0) * 100 + two(2),
    month: two(4),
    day: two(6),
    hour: two(8),
    minute: two(10),
    second: two(12),
  }
  const ms = localMs(time)
  if (ms === null) return null
  const date = `${full.slice(0, 4)}-${full.slice(4, 6)}-${full.slice(6, 8)}`
  return { local: `${date}T${full.slice(8, 10)}:${full.slice(10, 12)}:${full.slice(12)}`, localMs: ms }
}

/**
 * How a message id is written in one kind of PDU. `text`: exactly, but for blanks around it and zeros in front; sequential
 * ids in base 62 differ by their capitals alone. `caseless`: capitals do not count either.
 */
export type MessageIdForm = 'text' | 'caseless' | 'decimal' | 'hexadecimal'

/**
 * One spelling for ids that a message centre writes differently in submit_sm_resp and in receipts: numbers in either base
 * become decimal without zeros in front; what is no such number is `text`. NULs and what follows the 64th character, which
 * no id has, do not count.
 */
export function normalizeMessageId(id: string, form: MessageIdForm = 'text'): string {
  const trimmed = wordOf(id)
  if (form === 'decimal' && /^\d+$/.test(trimmed)) return BigInt(trimmed).toString()
  if (form === 'hexadecimal' && /^(0x)?[0-9a-f]+$/i.test(trimmed))
    return BigInt(`0x${trimmed.replace(/^0x/i, '')}`).toString()
  const text = trimmed.replace(/^0+(?=.)/, '')
  return form === 'caseless' ? text.toLowerCase() : text
}
