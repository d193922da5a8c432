// State machines as tables: an event names the states it may leave and the one state it enters. Rules decide with
// `move`, stores write by compare-and-set, a test walks every table with `checkTable`, and the docs print it.

/** For each event: the states it may be met in, and the state that follows. */
export type Table<S extends string, E extends string> = Readonly<Record<E, { from: readonly S[]; to: S }>>

/** The state after `event` in `state`, or undefined when the event does not apply there or is none of the table's. */
export function move<S extends string, E extends string>(table: Table<S, E>, state: S, event: E): S | undefined {
  if (!Object.hasOwn(table, event)) return undefined
  const { from, to } = table[event]
  return from.includes(state) ? to : undefined
}

/** The events that apply in a state, in the order of the table. */
export function allowedEvents<S extends string, E extends string>(table: Table<S, E>, state: S): E[] {
  return eventsOf(table).filter(event => table[event].from.includes(state))
}

/** The states nothing leads out of, in the order of `states`. */
export function terminalStates<S extends string, E extends string>(table: Table<S, E>, states: readonly S[]): S[] {
  return states.filter(state => allowedEvents(table, state).length === 0)
}

export type TableExpectation<S extends string> = {
  /** Every state there is, as the check constraint of the column lists them. */
  states: readonly S[]
  /** The states a record may begin in. */
  initial: readonly S[]
  /** The states that must be final; when given, exactly these. */
  terminal?: readonly S[]
}

/** What is wrong with a table, one sentence each; empty when all is well. */
export function checkTable<S extends string, E extends string>(
  table: Table<S, E>,
  { states, initial, terminal }: TableExpectation<S>,
): string[] {
  const faults: string[] = []
  const known = new Set<string>(states)
  if (known.size !== states.length) faults.push('a state is listed twice')
  for (const state of initial) if (!known.has(state)) faults.push(`initial state ${state} is not a state`)
  for (const event of eventsOf(table)) {
    const { from, to } = table[event]
    if (from.length === 0) faults.push(`event ${event} leaves no state`)
    if (new Set(from).size !== from.length) faults.push(`event ${event} lists a state twice`)
    for (const state of [...from, to]) if (!known.has(state)) faults.push(`event ${event} names ${state}, not a state`)
  }
  const reached = reachable(table, initial)
  for (const state of states) if (!reached.has(state)) faults.push(`state ${state} cannot be reached`)
  if (terminal !== undefined) {
    const final = terminalStates(table, states)
    for (const state of final) if (!terminal.includes(state)) faults.push(`${state} has no way out`)
    for (const state of terminal) if (!final.includes(state)) faults.push(`${state} must be final, but is left`)
  }
  return faults
}

function reachable<S extends string, E extends string>(table: Table<S, E>, initial: readonly S[]): Set<S> {
  const reached = new Set<S>(initial)
  // A set yields what is added while it is walked.
  for (const state of reached) for (const event of allowedEvents(table, state)) reached.add(table[event].to)
  return reached
}

/** The table as Markdown: one row an event. */
export function tableMarkdown<S extends string, E extends string>(table: Table<S, E>): string {
  const code = (name: string) => `\`${name}\``
  const rows = eventsOf(table).map(
    event => `| ${code(event)} | ${table[event].from.map(code).join(', ')} | ${code(table[event].to)} |`,
  )
  return ['| Event | From | To |', '|---|---|---|', ...rows, ''].join('\n')
}

/** The table as a Mermaid state diagram, events on the arrows, final states ending in the sink. */
export function tableMermaid<S extends string, E extends string>(
  table: Table<S, E>,
  { states, initial }: TableExpectation<S>,
): string {
  // Mermaid reads names as words; states are shown by their own name, whatever it holds.
  const name = (state: string) => state.replace(/\W+/g, '_')
  const titled = states.filter(state => name(state) !== state).map(state => `  state "${state}" as ${name(state)}`)
  const begins = initial.map(state => `  [*] --> ${name(state)}`)
  const arrows = eventsOf(table).flatMap(event =>
    table[event].from.map(state => `  ${name(state)} --> ${name(table[event].to)}: ${event}`),
  )
  const ends = terminalStates(table, states).map(state => `  ${name(state)} --> [*]`)
  return ['stateDiagram-v2', ...titled, ...begins, ...arrows, ...ends, ''].join('\n')
}

function eventsOf<E extends string>(table: Readonly<Record<E, unknown>>): E[] {
  return Object.keys(table) as E[]
}
