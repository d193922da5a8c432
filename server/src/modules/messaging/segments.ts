// How a text travels: GSM-7 when every character is in the GSM alphabet, else UCS-2, and in how many segments. Longer
// texts give up room in each segment for the header that joins the parts (3GPP TS 23.040 §9.2.3.24.1).

export const encodings = ['GSM-7', 'UCS-2'] as const
export type Encoding = (typeof encodings)[number]

export type Segmentation = {
  encoding: Encoding
  segments: number
  /** Septets in GSM-7 (a character of the extension table takes two), 16-bit units in UCS-2. */
  units: number
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
  if (units <= single) return { encoding, units, segments: 1 }
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
  return { encoding, units, segments }
}

function septetsAt(text: string, index: number) {
  return { size: septets[text.charCodeAt(index)]!, characters: 1 }
}

/** The units of the character that begins here: two when it is a surrogate pair. */
function wideAt(text: string, index: number) {
  const size = (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1
  return { size, characters: size }
}
