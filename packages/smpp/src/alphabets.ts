// The alphabets of 3GPP TS 23.038: the default alphabet with its extension table (§6.2.1), and the national language
// shift tables for Turkish, Spanish and Portuguese (annex A), which a message names in its user data header.

export const escapeCode = 0x1b

const base =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'

const turkish =
  '@£$¥€éùıòÇ\nĞğ\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\x1bŞşßÉ !"#¤%&\'()*+,-./0123456789:;<=>?' +
  'İABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§çabcdefghijklmnopqrstuvwxyzäöñüà'

const portuguese =
  '@£$¥êéúíóç\nÔô\rÁáΔ_ªÇÀ∞^\\€Ó|\x1bÂâÊÉ !"#º%&\'()*+,-./0123456789:;<=>?' +
  'ÍABCDEFGHIJKLMNOPQRSTUVWXYZÃÕÚÜ§~abcdefghijklmnopqrstuvwxyzãõ`üà'

// Characters behind an escape, by code. All tables share those at 0x0A to 0x40 but for the euro sign.
const common: Record<number, string> = {
  10: '\f',
  20: '^',
  40: '{',
  41: '}',
  47: '\\',
  60: '[',
  61: '~',
  62: ']',
  64: '|',
  101: '€',
}

/** Pairs of the letter whose code is used and the character it stands for behind an escape. */
function extended(pairs: string): Map<number, string> {
  const table = new Map(Object.entries(common).map(([code, character]) => [Number(code), character]))
  for (const pair of pairs.split(' ').filter(Boolean)) table.set(base.indexOf(pair[0]!), pair[1]!)
  return table
}

export type Alphabet = { characters: string; extension: ReadonlyMap<number, string> }

/** Languages by their identifier in a user data header (TS 23.038 §6.2.1.2.4); others are read with the default tables. */
export const languages = { turkish: 1, spanish: 2, portuguese: 3 } as const

const locking = new Map<number, string>([
  [languages.turkish, turkish],
  [languages.portuguese, portuguese],
])

const single = new Map<number, Map<number, string>>([
  [languages.turkish, extended('GĞ Iİ SŞ cç gğ iı sş')],
  [languages.spanish, extended('Çç AÁ IÍ OÓ UÚ aá ií oó uú')],
  [languages.portuguese, extended('éê Çç ØÔ øô ÅÁ åá ΦΦ ΓΓ ΩΩ ΠΠ ΨΨ ΣΣ ΘΘ ÉÊ AÀ IÍ OÓ UÚ ÄÃ ÖÕ aÂ ií oó uú äã öõ àâ')],
])

const defaultExtension = extended('')

/** The tables to read with; a national one where the language has it, the default one else. */
export function alphabetOf(shifts: { locking?: number | undefined; single?: number | undefined } = {}): Alphabet {
  return {
    characters: locking.get(shifts.locking ?? 0) ?? base,
    extension: single.get(shifts.single ?? 0) ?? defaultExtension,
  }
}

// By UTF-16 unit: a code, a code with this bit for one behind an escape, or `none`. The euro sign is the last unit there.
const isExtended = 0x80
const none = 0xff
const codeByUnit = new Uint8Array(0x20ad).fill(none)
for (const [code, character] of defaultExtension) codeByUnit[character.charCodeAt(0)] = code | isExtended
for (const [code, character] of [...base].entries()) codeByUnit[character.charCodeAt(0)] = code
codeByUnit[escapeCode] = none

/** Septets of the default alphabet that one UTF-16 unit takes: 1, 2 (with escape) or 0 when it has none. */
export function septetsOf(unit: number): 0 | 1 | 2 {
  const code = codeByUnit[unit] ?? none
  if (code === none) return 0
  return code < isExtended ? 1 : 2
}

/** One octet a septet, escapes included; null when a character is not in the default alphabet or its extension. */
export function encodeGsm(text: string): Buffer | null {
  const septets = Buffer.allocUnsafe(text.length * 2)
  let length = 0
  for (let i = 0; i < text.length; i++) {
    const code = codeByUnit[text.charCodeAt(i)] ?? none
    if (code === none) return null
    if (code >= isExtended) septets[length++] = escapeCode
    septets[length++] = code & 0x7f
  }
  return septets.subarray(0, length)
}

/**
 * Text of septets, one in each octet. An octet above 0x7F is no septet and is read as U+FFFD; a code that no table has
 * behind an escape is read as if there were no escape (TS 23.038 §6.2.1.1), and an escape at the end as a space.
 */
export function decodeGsm(septets: Uint8Array, { characters, extension }: Alphabet = alphabetOf()): string {
  let text = ''
  for (let i = 0; i < septets.length; i++) {
    const code = septets[i]!
    if (code !== escapeCode) text += characters[code] ?? '\ufffd'
    else if (i + 1 === septets.length) text += ' '
    else {
      const behind = septets[++i]!
      text += extension.get(behind) ?? (behind === escapeCode ? ' ' : (characters[behind] ?? '\ufffd'))
    }
  }
  return text
}

/** Packs septets, the first in the lowest bits (TS 23.038 §6.1.2.1.1), behind `fillBits` zero bits. */
export function packSeptets(septets: Uint8Array, fillBits = 0): Buffer {
  const packed = Buffer.alloc(Math.ceil((fillBits + septets.length * 7) / 8))
  let bit = fillBits
  for (const septet of septets) {
    const octet = bit >> 3
    const shifted = septet << (bit & 7)
    packed[octet]! |= shifted
    if (shifted > 0xff) packed[octet + 1]! |= shifted >> 8
    bit += 7
  }
  return packed
}

export function unpackSeptets(packed: Uint8Array, fillBits = 0): Buffer {
  const count = Math.max(0, Math.floor((packed.length * 8 - fillBits) / 7))
  const septets = Buffer.alloc(count)
  for (let i = 0; i < count; i++) {
    const bit = fillBits + i * 7
    const pair = packed[bit >> 3]! | ((packed[(bit >> 3) + 1] ?? 0) << 8)
    septets[i] = (pair >> (bit & 7)) & 0x7f
  }
  return septets
}
