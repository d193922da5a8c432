// What would end if the page were loaded again, such as a call: the page then does not load itself, and says so to who does.
type Reader = () => string | undefined

/** Where it lies: in a dialog, which another page or mode ends as well, or beside all pages. */
type Place = 'dialog' | 'beside'

const readers = new Map<Reader, Place>()

/** Adds a reader of what a reload would end, such as `your call`; undefined where it ends nothing. @returns a way to take it away */
export function guardReloads(reader: Reader, place: Place): () => void {
  readers.set(reader, place)
  return () => readers.delete(reader)
}

export function whatReloadEnds(): string | undefined {
  return firstOf([...readers.keys()])
}

/** What is lost with the dialog that is open: nothing but the dialog itself leads away from it then. */
export function whatDialogHolds(): string | undefined {
  return firstOf([...readers].filter(([, place]) => place === 'dialog').map(([reader]) => reader))
}

function firstOf(of: readonly Reader[]): string | undefined {
  for (const reader of of) {
    const loss = reader()
    if (loss !== undefined) return loss
  }
  return undefined
}
