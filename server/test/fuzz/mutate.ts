// Octets made wrong: bits, lengths, cuts, repetitions and foreign pieces, a few at a time.
import type { Random } from '../crash/random.ts'

const edges = [0, 1, 2, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xfffe, 0xffff]

/** `count` octets by chance. */
export function octets(random: Random, count: number): Buffer {
  return Buffer.from(Array.from({ length: count }, () => random.below(256)))
}

/** A copy of `bytes` with one to four faults in it. */
export function mutate(random: Random, bytes: Buffer): Buffer {
  let made = Buffer.from(bytes)
  for (let left = 1 + random.below(4); left > 0; left--) made = Buffer.from(withFault(random, made))
  return made
}

function withFault(random: Random, bytes: Buffer): Buffer {
  const at = random.below(bytes.length + 1)
  const length = random.below(Math.min(bytes.length - at, 40) + 1)
  const kind = random.below(8)
  if (kind === 0) return bytes.subarray(0, at)
  if (kind === 1)
    return Buffer.concat([bytes.subarray(0, at), octets(random, 1 + random.below(40)), bytes.subarray(at)])
  if (kind === 2) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
  if (kind === 3) return Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)])
  if (kind === 4 && bytes.length >= at + 2) bytes.writeUInt16BE(edges[random.below(edges.length)] as number, at)
  else if (kind === 5 && length > 0) bytes.set(octets(random, length), at)
  else if (at < bytes.length) bytes[at] = (bytes[at] as number) ^ (1 << random.below(8))
  return bytes
}
