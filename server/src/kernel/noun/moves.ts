// Where states lead: the table that a state declares is held against every change of it, no matter who sends it.
import { Problem } from '../values/problem.ts'
import { allowedEvents, type Table } from '../values/states.ts'
import type { NounRecord } from './field.ts'
import { fieldsOf } from './records.ts'
import type { AnySpec, Said } from './spec.ts'

/** For each state the ones that a record may come to, in the order of the table. */
export function movesOf(states: readonly string[], table: Table<string, string>): Record<string, string[]> {
  return Object.fromEntries(
    states.map(from => [from, [...new Set(allowedEvents(table, from).map(event => table[event]!.to))]]),
  )
}

export const hasMoves = (spec: AnySpec) => fieldsOf(spec).some(([, { moves }]) => moves !== undefined)

/**
 * The events of a change by the tables of its states, of those that the noun declares.
 * @param patch the values that differ
 * @throws Problem `invalid_transition`
 */
export function moveEvents(spec: AnySpec, record: NounRecord, patch: Readonly<Record<string, unknown>>): string[] {
  return fieldsOf(spec).flatMap(([name, { moves, elsewhere }]) => {
    if (moves === undefined || patch[name] === undefined) return []
    const [from, to] = [String(record[name]), String(patch[name])]
    const allowed = allowedEvents(moves, from)
    const event = allowed.find(one => moves[one]!.to === to)
    if (event !== undefined) return spec.events?.[event] === undefined ? [] : [event]
    const targets = allowed.map(one => moves[one]!.to)
    const why = elsewhere?.[to] ?? `${name} is ${from} and cannot become ${to}.`
    throw new Problem('invalid_transition', {
      message: `${why} From ${from} it can become ${targets.join(' or ') || 'nothing else'}.`,
      details: [{ field: name, code: 'invalid_transition', message: `allowed: ${targets.join(', ') || 'none'}` }],
    })
  })
}

/** That a record stands elsewhere than before, where nobody asked for the move by itself. */
export function stateEvents(spec: AnySpec, before: NounRecord, after: NounRecord): Said[] {
  if (spec.moved !== undefined) return [spec.moved(before, after) ?? []].flat()
  return fieldsOf(spec).flatMap(([name, { moves }]) => {
    if (moves === undefined || before[name] === after[name]) return []
    const fits = (event: string) =>
      moves[event]!.to === after[name] && moves[event]!.from.includes(String(before[name]))
    return Object.keys(moves)
      .filter(event => fits(event) && spec.events?.[event] !== undefined)
      .slice(0, 1)
  })
}
