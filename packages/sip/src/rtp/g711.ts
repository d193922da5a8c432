// G.711 (ITU-T G.711): µ-law and A-law, between octets and 16-bit linear samples, all by tables. One octet is one sample
// of 1/8,000 s; payload types 0 and 8 of RFC 3551 §4.5.14.

/** The encoding names of SDP. */
export type G711Law = 'PCMU' | 'PCMA'

/** The static payload types (RFC 3551 §6). */
export const payloadTypeOf: Readonly<Record<G711Law, number>> = { PCMU: 0, PCMA: 8 }

/** The octet of silence: the quietest positive value. */
export const silenceOf: Readonly<Record<G711Law, number>> = { PCMU: 0xff, PCMA: 0xd5 }

export const samplesPerMs = 8

// Both laws: an inverted octet of sign, segment (exponent) and step (mantissa).
function muLawSample(code: number): number {
  const bits = ~code & 0xff
  const magnitude = ((((bits & 0x0f) << 3) + 132) << ((bits >> 4) & 7)) - 132
  return (bits & 0x80) !== 0 ? -magnitude : magnitude
}

function aLawSample(code: number): number {
  // Only every second bit is inverted, and the sign is positive where it is set.
  const bits = code ^ 0x55
  const segment = (bits >> 4) & 7
  const step = ((bits & 0x0f) << 4) + 8
  const magnitude = segment === 0 ? step : (step + 256) << (segment - 1)
  return (bits & 0x80) !== 0 ? magnitude : -magnitude
}

function muLawCode(sample: number): number {
  const magnitude = Math.min(Math.abs(sample), 32_635) + 132
  const segment = 24 - Math.clz32(magnitude)
  const bits = (segment << 4) | ((magnitude >> (segment + 3)) & 0x0f)
  return ~(sample < 0 ? bits | 0x80 : bits) & 0xff
}

function aLawCode(sample: number): number {
  // The values of A-law have 13 bits; -1 is as near to zero as 0 is, so both sides have the same steps.
  const magnitude = (sample < 0 ? ~sample : sample) >> 3
  const segment = magnitude < 32 ? 0 : 27 - Math.clz32(magnitude)
  const bits = (segment << 4) | ((magnitude >> Math.max(1, segment)) & 0x0f)
  return bits ^ (sample < 0 ? 0x55 : 0xd5)
}

type Tables = { samples: Int16Array; codes: Uint8Array; toOther: Uint8Array }

function tablesOf(
  sampleOf: (code: number) => number,
  codeOf: (sample: number) => number,
  other: typeof codeOf,
): Tables {
  const samples = Int16Array.from({ length: 256 }, (_, code) => sampleOf(code))
  return {
    samples,
    // Indexed by the sample as 16 unsigned bits.
    codes: Uint8Array.from({ length: 65_536 }, (_, bits) => codeOf((bits << 16) >> 16)),
    toOther: Uint8Array.from(samples, other),
  }
}

const tables: Record<G711Law, Tables> = {
  PCMU: tablesOf(muLawSample, muLawCode, aLawCode),
  PCMA: tablesOf(aLawSample, aLawCode, muLawCode),
}

/** The linear sample of one octet: -32,124 to 32,124 (µ-law), -32,256 to 32,256 (A-law). */
export function decodeSample(law: G711Law, code: number): number {
  return tables[law].samples[code & 0xff]!
}

/** The octet of one sample of 16 bits; what is beyond the range of the law is its largest value. */
export function encodeSample(law: G711Law, sample: number): number {
  return tables[law].codes[sample & 0xffff]!
}

/** Octets to linear samples, written to the beginning of `into`, which must have room for them. */
export function decodeG711(law: G711Law, octets: Uint8Array, into = new Int16Array(octets.length)): Int16Array {
  checkRoom(octets, into)
  const { samples } = tables[law]
  for (let i = 0; i < octets.length; i++) into[i] = samples[octets[i]!]!
  return into
}

/** Linear samples to octets, written to the beginning of `into`, which must have room for them. */
export function encodeG711(
  law: G711Law,
  samples: Int16Array,
  into: Buffer = Buffer.allocUnsafe(samples.length),
): Buffer {
  checkRoom(samples, into)
  const { codes } = tables[law]
  for (let i = 0; i < samples.length; i++) into[i] = codes[samples[i]! & 0xffff]!
  return into
}

/**
 * Octets of one law as octets of the other, by way of the linear sample. G.711 §3 has tables of its own for this, which
 * differ by at most one step.
 */
export function convertG711(
  from: G711Law,
  octets: Uint8Array,
  into: Buffer = Buffer.allocUnsafe(octets.length),
): Buffer {
  checkRoom(octets, into)
  const { toOther } = tables[from]
  for (let i = 0; i < octets.length; i++) into[i] = toOther[octets[i]!]!
  return into
}

function checkRoom(what: ArrayLike<number>, into: ArrayLike<number>): void {
  if (into.length < what.length) throw new RangeError(`into: room for ${into.length}, needs ${what.length}`)
}
