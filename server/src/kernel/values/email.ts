// E-mail addresses as people write them: also with other letters than ASCII before the @ (RFC 6531 §3.3) and in the domain
// (RFC 5890). Quoted local parts and address literals are not taken: nobody's contact has one.
import { domainToASCII } from 'node:url'

/** RFC 5321 §4.5.3.1.3: an address of 254 octets fits into a path of 256. */
const maxOctets = 254

const atom = /(?:[a-z0-9!#$%&'*+/=?^_`{|}~-]|[^\p{ASCII}\p{C}\p{Z}])+/u.source
const localPart = new RegExp(`^${atom}(?:\\.${atom})*$`, 'iu')
const asciiDomain = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/i

/** Whether a text, blanks around it aside, is an e-mail address with a domain of at least two labels. */
export function isEmail(text: string): boolean {
  const address = cleanEmail(text)
  const at = address.lastIndexOf('@')
  const domain = address.slice(at + 1)
  return (
    at > 0 &&
    Buffer.byteLength(address) <= maxOctets &&
    localPart.test(address.slice(0, at)) &&
    asciiDomain.test(isAscii(domain) ? domain : asciiOf(domain))
  )
}

/** An address as it is stored: without blanks around it, composed (NFC, RFC 6532 §3.1). */
export function cleanEmail(text: string): string {
  return text.trim().normalize('NFC')
}

/**
 * The address of an account: one with other letters than ASCII in small letters, for the database's `lower` leaves those as they
 * are in some locales, and two accounts must never differ by capitals only.
 */
export function accountEmail(text: string): string {
  const address = cleanEmail(text)
  return isAscii(address) ? address : address.toLowerCase()
}

/** The letters that IDNA allows, as `xn--` labels; empty for what it does not allow, and for what it would read as something else. */
function asciiOf(domain: string): string {
  return /[\p{C}\p{Z}]/u.test(domain) || /[^\p{L}\p{M}\p{N}.-]/u.test(domain) ? '' : domainToASCII(domain)
}

function isAscii(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text)
}
