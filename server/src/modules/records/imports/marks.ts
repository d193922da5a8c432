// What rows of a trial would have created, without keeping it: 48 bits of each key. A trial that is given back before its end has them kept as
// bytes for its next worker.

/** A trial with more of them is not given back: they are kept in one value. */
export const maxKeptMarks = 4_000_000

export type KnownMarks = {
  add(mark: string): void
  has(mark: string): boolean
  size(): number
  bytes(): Buffer
}

/** @param bytes those of an earlier one */
export function knownMarks(bytes?: Buffer): KnownMarks {
  const known = new Set<number>()
  for (let at = 0; at < (bytes?.length ?? 0); at += 8) known.add(bytes!.readDoubleLE(at))
  return {
    add: mark => void known.add(hashOf(mark)),
    has: mark => known.has(hashOf(mark)),
    size: () => known.size,
    bytes() {
      const all = Buffer.alloc(known.size * 8)
      let at = 0
      for (const hash of known) at = all.writeDoubleLE(hash, at)
      return all
    },
  }
}

function hashOf(text: string): number {
  let [one, other] = [0x811c9dc5, 0x1b873593]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    other = Math.imul(other ^ (code + at), 0x85ebca6b) ^ (other >>> 13)
  }
  return (one >>> 0) * 0x10000 + ((other >>> 0) & 0xffff)
}
