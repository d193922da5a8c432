// The parts of an address after the ?, as values: which filters are chosen, and the change that takes them away.

export type Params = Readonly<Record<string, string | undefined>>

/** Those of the named parts that say something. */
export function chosenOf(params: Params, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap(name => (params[name] ? [[name, params[name]]] : [])))
}

/** The change that takes the named parts away. */
export function without(names: readonly string[]): Params {
  return Object.fromEntries(names.map(name => [name, undefined]))
}
