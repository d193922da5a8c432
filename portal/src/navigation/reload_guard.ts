// What would end if the page were loaded again, such as a call: the page then does not load itself, and says so to who does.
type Reader = () => string | undefined

const readers = new Set<Reader>()

/** Adds a reader of what a reload would end, such as `your call`; undefined where it ends nothing. @returns a way to take it away */
export function guardReloads(reader: Reader): () => void {
  readers.add(reader)
  return () => readers.delete(reader)
}

export function whatReloadEnds(): string | undefined {
  for (const reader of readers) {
    const loss = reader()
    if (loss !== undefined) return loss
  }
  return undefined
}
