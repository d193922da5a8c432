// Text and the octets that carry it (SMPP 3.4 §5.2.19). What data_coding 0 means is between a carrier and its customers:
// a profile says it, and everything here asks the profile.
import { alphabetOf, decodeGsm, encodeGsm, packSeptets, unpackSeptets } from './alphabets.ts'

/** `gsm` has one octet a septet, `gsm_packed` eight septets in seven octets. */
export type TextEncoding = 'gsm' | 'gsm_packed' | 'latin1' | 'ascii' | 'ucs2'

export type TextProfile = {
  /** What data_coding 0 stands for at this peer. Default: 'gsm'. */
  defaultAlphabet?: Exclude<TextEncoding, 'ucs2'> | undefined
  /** The data_coding of an encoding where this peer uses another than the standard's; it is read that way too. */
  dataCodings?: Partial<Record<TextEncoding, number>> | undefined
}

export type EncodedText = { encoding: TextEncoding; dataCoding: number; bytes: Buffer }

const standardCodings: Record<TextEncoding, number> = { gsm: 0, gsm_packed: 0, ascii: 1, latin1: 3, ucs2: 8 }

/** The data_coding that stands for `encoding` with a peer of this profile. */
export function dataCodingOf(encoding: TextEncoding, profile: TextProfile = {}): number {
  const own = profile.dataCodings?.[encoding]
  if (own !== undefined) return own
  return encoding === (profile.defaultAlphabet ?? 'gsm') ? 0 : standardCodings[encoding]
}

/**
 * Encodes with the profile's default alphabet where every character is in it, as UCS-2 otherwise; or with `encoding`,
 * which throws a RangeError that names the first character it does not have.
 */
export function encodeText(text: string, profile: TextProfile = {}, encoding?: TextEncoding): EncodedText {
  const wanted = encoding ?? profile.defaultAlphabet ?? 'gsm'
  const bytes = bytesIn(text, wanted)
  if (bytes !== null) return { encoding: wanted, dataCoding: dataCodingOf(wanted, profile), bytes }
  if (encoding !== undefined) throw new RangeError(`text: ${firstUnfit(text, encoding)} is not in ${encoding}`)
  return { encoding: 'ucs2', dataCoding: dataCodingOf('ucs2', profile), bytes: encodeUcs2(text) }
}

/** Whether an encoding has every character of a text. */
export function fits(text: string, encoding: TextEncoding): boolean {
  return bytesIn(text, encoding) !== null
}

function firstUnfit(text: string, encoding: TextEncoding): string {
  const index = [...text].findIndex(character => bytesIn(character, encoding) === null)
  const character = [...text][index] ?? ''
  return `character ${index + 1} (U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')})`
}

/** `fillBits` zero bits come first in packed septets, to begin on a septet's boundary behind a header. */
export function bytesIn(text: string, encoding: TextEncoding, fillBits = 0): Buffer | null {
  switch (encoding) {
    case 'gsm':
      return encodeGsm(text)
    case 'gsm_packed': {
      const septets = encodeGsm(text)
      return septets === null ? null : packSeptets(padded(septets, fillBits), fillBits)
    }
    case 'latin1':
      return isBelow(text, 0x100) ? Buffer.from(text, 'latin1') : null
    case 'ascii':
      return isBelow(text, 0x80) ? Buffer.from(text, 'latin1') : null
    case 'ucs2':
      return encodeUcs2(text)
  }
}

function isBelow(text: string, limit: number): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) >= limit) return false
  return true
}

function encodeUcs2(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16()
}

const carriageReturn = 0x0d

// Seven bits that are left over would read as one more '@': they are filled with a carriage return, as TS 23.038
// §6.1.2.3.1 has it for texts whose length is given in octets only. Behind a return that ends there anyway comes another.
function padded(septets: Buffer, fillBits: number): Buffer {
  const bits = (fillBits + septets.length * 7) % 8
  const endsInReturn = bits === 0 && septets.at(-1) === carriageReturn
  return bits === 1 || endsInReturn ? Buffer.concat([septets, Buffer.from([carriageReturn])]) : septets
}

function unpadded(septets: Buffer, fillBits: number): Buffer {
  const last = septets.at(-1)
  const mayBePadding = (fillBits + septets.length * 7) % 8 === 0 && (last === carriageReturn || last === 0)
  return mayBePadding ? septets.subarray(0, -1) : septets
}

export type DecodeOptions = {
  profile?: TextProfile | undefined
  /** National tables, from `languageShifts`. */
  shifts?: { single?: number | undefined; locking?: number | undefined }
  fillBits?: number
}

// Character sets of §5.2.19 that Node's TextDecoder knows.
const otherCharsets: Record<number, string> = {
  5: 'shift_jis',
  6: 'iso-8859-5',
  7: 'iso-8859-8',
  10: 'iso-2022-jp',
  13: 'euc-jp',
  14: 'euc-kr',
}

/**
 * The text of octets without their user data header; null when data_coding says that they are no text (2, 4, 9 and the
 * 8-bit message classes). Octets that no character has become U+FFFD: none is left out.
 */
export function decodeText(bytes: Buffer, dataCoding: number, options: DecodeOptions = {}): string | null {
  const charset = otherCharsets[dataCoding]
  const encoding = encodingOf(dataCoding, options.profile ?? {})
  if (encoding === null && charset !== undefined) return new TextDecoder(charset).decode(bytes)
  switch (encoding) {
    case 'gsm':
      return decodeGsm(bytes, alphabetOf(options.shifts))
    case 'gsm_packed': {
      const fillBits = options.fillBits ?? 0
      return decodeGsm(unpadded(unpackSeptets(bytes, fillBits), fillBits), alphabetOf(options.shifts))
    }
    case 'latin1':
      return bytes.toString('latin1')
    case 'ascii':
      return bytes.toString('latin1').replaceAll(/[\x80-\xff]/g, '\ufffd')
    case 'ucs2':
      return decodeUcs2(bytes)
    default:
      return null
  }
}

function decodeUcs2(bytes: Buffer): string {
  const whole = bytes.length & ~1
  const text = Buffer.from(bytes.subarray(0, whole)).swap16().toString('utf16le')
  return whole === bytes.length ? text : `${text}\ufffd`
}

/** What a data_coding stands for; null for octets that are no text and for `otherCharsets`. */
export function encodingOf(dataCoding: number, profile: TextProfile = {}): TextEncoding | null {
  for (const [encoding, own] of Object.entries(profile.dataCodings ?? {})) {
    if (own === dataCoding) return encoding as TextEncoding
  }
  const gsm = profile.defaultAlphabet ?? 'gsm'
  if (dataCoding === 0) return gsm
  if (dataCoding === standardCodings.ascii) return 'ascii'
  if (dataCoding === standardCodings.latin1) return 'latin1'
  if (dataCoding === standardCodings.ucs2) return 'ucs2'
  return classEncoding(dataCoding, gsm === 'gsm_packed' ? 'gsm_packed' : 'gsm')
}

/** Values that are taken over from TS 23.038 §4: message classes and waiting indications. */
function classEncoding(dataCoding: number, gsm: TextEncoding): TextEncoding | null {
  const alphabet = (dataCoding >> 2) & 3
  if (dataCoding >= 0x10 && dataCoding <= 0x1f) return alphabet === 0 ? gsm : alphabet === 2 ? 'ucs2' : null
  if (dataCoding >= 0xc0 && dataCoding <= 0xdf) return gsm
  if (dataCoding >= 0xe0 && dataCoding <= 0xef) return 'ucs2'
  if (dataCoding >= 0xf0 && dataCoding <= 0xff) return (dataCoding & 4) === 0 ? gsm : null
  return null
}
