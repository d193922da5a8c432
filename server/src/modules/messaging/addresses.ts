// Telephone numbers, short codes and sender ids as requests write them: read into one canonical form, or refused by the one problem
// that names the field and the remedy. Pure.
import { bareNumber, countryOf, parsePhone } from '../../kernel/values/phone.ts'
import { Problem } from '../../kernel/values/problem.ts'

export const addressKinds = ['long_code', 'short_code', 'alphanumeric'] as const
export type AddressKind = (typeof addressKinds)[number]

/** A sender in its canonical form. Short codes and sender ids have no country, nor do numbers of no range handed out. */
export type Address = { kind: AddressKind; address: string; country: string | null }

/** The E.164 form of a telephone number, or undefined. @param home country of numbers written without + */
export function readTelephone(text: string, home: string | null): string | undefined {
  return parsePhone(text, home ?? undefined)
}

/** What has fewer digits is a short code everywhere. */
const shortestNumber = 7

/**
 * A sender in its canonical form: a number (E.164), a short code (3 to 8 digits), or a sender id of up to 11 letters,
 * digits, blanks and `.&_-` with at least one letter (3GPP TS 23.040 §9.1.2.5). Undefined when it is none of them.
 */
export function readSender(text: string, home: string | null): string | undefined {
  const trimmed = text.trim()
  // None begins with 0: that is a number as it is dialled at home.
  if (/^[1-9]\d{2,7}$/.test(trimmed)) {
    const isNumber = home !== null && trimmed.length >= shortestNumber
    return (isNumber ? bareNumber(trimmed, home) : undefined) ?? trimmed
  }
  if (/[a-z]/i.test(trimmed) && !/^tel:/i.test(trimmed))
    return /^[a-z0-9 .&_-]{1,11}$/i.test(trimmed) ? trimmed : undefined
  return readTelephone(trimmed, home)
}

/** The same with its kind and the country of its numbering plan. */
export function readAddress(text: string, home: string | null): Address | undefined {
  const address = readSender(text, home)
  if (address === undefined) return undefined
  if (address.startsWith('+')) return { kind: 'long_code', address, country: countryOf(address) ?? null }
  return { kind: /^\d+$/.test(address) ? 'short_code' : 'alphanumeric', address, country: null }
}

/** A sender that texts can come in to, in its canonical form: a number or a short code; undefined for all else. */
export function readReceiver(text: string, home: string | null): string | undefined {
  const address = readSender(text, home)
  return address === undefined || /[a-z]/i.test(address) ? undefined : address
}

/** What a field of a request may hold. */
const expected = {
  telephone: 'a telephone number',
  receiver: 'a telephone number or short code, which alone take texts',
  sender: 'a telephone number, short code or sender id',
} as const

type AddressProblem = { field: string; expects: keyof typeof expected; home: string | null }

/** The refusal of what is no address. */
export function addressProblem(
  code: 'invalid_from_number' | 'invalid_to_number',
  { field, expects, home }: AddressProblem,
): Problem {
  const remedy = home === null ? '; write a telephone number with + and country code' : ` (read for ${home})`
  return new Problem(code, {
    details: [{ field, code: 'wrong_format', message: `is not ${expected[expects]}${remedy}` }],
  })
}

/** The recipient that a field names, in E.164. @throws Problem `invalid_to_number` */
export function recipientOf(text: string, home: string | null, field = 'to'): string {
  const recipient = readTelephone(text, home)
  if (recipient === undefined) throw addressProblem('invalid_to_number', { field, expects: 'telephone', home })
  return recipient
}

/** The sender that a field names, in its canonical form. @throws Problem `invalid_from_number` */
export function senderOf(text: string, home: string | null, field = 'from'): string {
  const sender = readSender(text, home)
  if (sender === undefined) throw addressProblem('invalid_from_number', { field, expects: 'sender', home })
  return sender
}
