// The value of a JSON body that the cursor is on.

export type ChosenValue = {
  /** JSON Pointer. */
  pointer: string
  kind: 'object' | 'array' | 'string' | 'number' | 'literal'
  /** Its JSON; asked for only when needed, for it may be large. */
  source(): string
}

/** The value as text: a string without its quotes. */
export function textOf(chosen: ChosenValue): string {
  const source = chosen.source()
  return chosen.kind === 'string' ? (JSON.parse(source) as string) : source
}
