// How a text travels: GSM-7 when every character is in the GSM alphabet, else UCS-2, and in how many segments. Longer
// texts give up room in each segment for the header that joins the parts (3GPP TS 23.040 §9.2.3.24.1).

export const encodings = ['GSM-7', 'UCS-2'] as const
export type Encoding = (typeof encodings)[number]

export type Segmentation = {
  encoding: Encoding
  segments: number
  /** Septets in GSM-7 (a character of the extension table takes two), 16-bit units in UCS-2. */
  units: number
  /** Units that still fit into the last segment. */
  unitsLeft: number
}

/** More segments than this are not sent. */
export const maxSegments = 10

type Room = { readonly single: number; readonly part: number }
const room: Record<Encoding, Room> = { 'GSM-7': { single: 160, part: 153 }, 'UCS-2': { single: 70, part: 67 } }

// 3GPP TS 23.038 §6.2.1: the default alphabet and its extension table, which is reached through an escape character.
const basic =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿' +
  'abcdefghijklmnopqrstuvwxyzäöñüà'
const extension = '\f^{}\\[~]|€'

/** Septets of each character by its code; 0 for characters outside the alphabet. */
const septets = new Uint8Array(0x20ad)
for (const character of basic) septets[character.charCodeAt(0)] = 1
for (const character of extension) septets[character.charCodeAt(0)] = 2

/** Encoding and number of segments of a text. No segment ends inside an escaped character or a surrogate pair. */
export function segmentsOf(text: string): Segmentation {
  let units = 0
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    const size = code < septets.length ? septets[code]! : 0
    if (size === 0) return parts(text, 'UCS-2', text.length, wideAt)
    units += size
  }
  return parts(text, 'GSM-7', units, septetsAt)
}

function parts(text: string, encoding: Encoding, units: number, sizeAt: typeof wideAt): Segmentation {
  const { single, part } = room[encoding]
  if (units <= single) return { encoding, units, segments: 1, unitsLeft: single - units }
  let segments = 1
  let used = 0
  for (let index = 0; index < text.length; ) {
    const { size, characters } = sizeAt(text, index)
    if (used + size > part) {
      segments++
      used = 0
    }
    used += size
    index += characters
  }
  return { encoding, units, segments, unitsLeft: part - used }
}

/** The characters outside the GSM alphabet, each once, at most `max`. */
export function wideCharacters(text: string, max: number): string[] {
  const wide = new Set<string>()
  for (const character of text) {
    if (wide.size === max) break
    const code = character.codePointAt(0) as number
    if (code >= septets.length || septets[code] === 0) wide.add(character)
  }
  return [...wide]
}

function septetsAt(text: string, index: number) {
  return { size: septets[text.charCodeAt(index)]!, characters: 1 }
}

/** The units of the character that begins here: two when it is a surrogate pair. */
function wideAt(text: string, index: number) {
  const size = (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
  return { size, characters: size }
}

// What looks the same in the GSM alphabet. Letters are left alone: a name without its accents is another name.
const lookAlikes: Record<string, string> = {
  '\u00a0': ' ',
  '\u1680': ' ',
  '\u202f': ' ',
  '\u205f': ' ',
  '\u3000': ' ',
  '\u00ab': '"',
  '\u00bb': '"',
  '\u2039': "'",
  '\u203a': "'",
  '\u2018': "'",
  '\u2019': "'",
  '\u201a': "'",
  '\u201b': "'",
  '\u2032': "'",
  '\u2035': "'",
  '\u02bb': "'",
  '\u02bc': "'",
  '\u02c8': "'",
  '\u00b4': "'",
  '\u0060': "'",
  '\uff07': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u201e': '"',
  '\u201f': '"',
  '\u2033': '"',
  '\u2036': '"',
  '\u02ba': '"',
  '\u301d': '"',
  '\u301e': '"',
  '\uff02': '"',
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2015': '-',
  '\u2043': '-',
  '\u2212': '-',
  '\u00ad': '',
  '\u200b': '',
  '\u200c': '',
  '\u200d': '',
  '\u200e': '',
  '\u200f': '',
  '\u2060': '',
  '\ufeff': '',
  '\u2026': '...',
  '\u2022': '*',
  '\u2023': '*',
  '\u25cf': '*',
  '\u2217': '*',
  '\u00b7': '.',
  '\u2024': '.',
  '\u2044': '/',
  '\u2215': '/',
  '\u2236': ':',
  '\u223c': '~',
  '\u02dc': '~',
  '\u2028': '\n',
  '\u2029': '\n',
  '\u0085': '\n',
  '\t': ' ',
  '\u00b9': '1',
  '\u00b2': '2',
  '\u00b3': '3',
  '\u00bc': '1/4',
  '\u00bd': '1/2',
  '\u00be': '3/4',
  '\u00d7': 'x',
  '\u00f7': '/',
  '\u00b0': 'o',
  '\u00ba': 'o',
  '\u00aa': 'a',
  '\u00a9': '(c)',
  '\u00ae': '(r)',
  '\u2122': '(tm)',
  '\ufb00': 'ff',
  '\ufb01': 'fi',
  '\ufb02': 'fl',
  '\ufb03': 'ffi',
  '\ufb04': 'ffl',
}
const spaces = /[\u2000-\u200a]/g
const lookAlike = new RegExp(`[${Object.keys(lookAlikes).join('')}]`, 'g')

/** A text as it is sent, with the segments it takes. */
export type SegmentedText = Segmentation & { text: string }

/**
 * Counts the segments of a text.
 * @param options.smart replaces typographic characters by what looks the same in the GSM alphabet (quotes, dashes, blanks, dots),
 * where that lets the text travel as GSM-7; where nothing is to be gained the text stays as it is
 */
export function segmentText(text: string, { smart = false } = {}): SegmentedText {
  const asItIs = { text, ...segmentsOf(text) }
  if (!smart || asItIs.encoding === 'GSM-7') return asItIs
  const plain = text.replace(spaces, ' ').replace(lookAlike, character => lookAlikes[character] as string)
  const replaced = { text: plain, ...segmentsOf(plain) }
  return replaced.encoding === 'GSM-7' ? replaced : asItIs
}

/** The text as `segmentText` has it sent with `smart`. */
export function smartText(text: string): string {
  return segmentText(text, { smart: true }).text
}
