// What would end if the page were loaded again, such as a call: the page then does not load itself, and says so to who does.
type Reader = () => string | undefined

let read: Reader = () => undefined

/** Sets the one reader of what a reload would end, such as `your call`; undefined where it ends nothing. */
export function guardReloads(reader: Reader): void {
  read = reader
}

export function whatReloadEnds(): string | undefined {
  return read()
}
