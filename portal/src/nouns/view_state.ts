// How a list of a noun is looked at: what it is filtered and sorted by, which stands in the address, and which columns it has.
import type { ColumnSet } from '../lists/columns.ts'
import type { SortKey } from '../lists/table.tsx'
import type { Params } from '../navigation/params.ts'
import { fieldNamed, fieldsOf, isBatched, type NounDescription, type NounField } from './noun.ts'

/** Parameters of the address that are no filters. */
const ownParams = new Set([
  'sort',
  'create',
  'edit',
  'inspect',
  'view',
  'layout',
  'page',
  'group',
  'with',
  'tab',
  'import',
])

/** What the list is asked for, of what stands in the address: filters that the noun has, and the text that is searched for. */
export function filtersOf(noun: NounDescription, params: Params): Record<string, string> {
  const known = new Set(['q', 'deleted', ...(isBatched(noun) ? ['batch_id'] : []), ...parametersOf(noun)])
  return Object.fromEntries(
    Object.entries(params).filter(
      (entry): entry is [string, string] => known.has(entry[0]) && !ownParams.has(entry[0]) && Boolean(entry[1]),
    ),
  )
}

/** Fields that a list is filtered by. */
export function filteredFields(noun: NounDescription) {
  return fieldsOf(noun).filter(({ filters }) => filters !== undefined)
}

/** Every parameter that filters a list of the noun. */
export function parametersOf(noun: NounDescription): string[] {
  return filteredFields(noun).flatMap(field => field.filters ?? [])
}

export function sortOf(noun: NounDescription, params: Params): SortKey[] {
  return (params['sort'] || noun.sort || '')
    .split(',')
    .map(text => ({ name: text.replace(/^-/, ''), descending: text.startsWith('-') }))
    .filter(({ name }) => fieldNamed(noun, name)?.sortable === true)
}

export const sortText = (keys: readonly SortKey[]) =>
  keys.map(({ name, descending }) => `${descending ? '-' : ''}${name}`).join(',')

/**
 * The order after a press on a column: it alone, or with `adds` as one more; a second press turns it around, a third takes it out.
 */
export function nextSort(keys: readonly SortKey[], name: string, adds: boolean): SortKey[] {
  const own = keys.find(key => key.name === name)
  const next = own === undefined ? { name, descending: false } : own.descending ? undefined : { name, descending: true }
  if (!adds) return next === undefined ? [] : [next]
  if (own === undefined) return next === undefined ? [...keys] : [...keys, next]
  return keys.flatMap(key => (key.name === name ? (next === undefined ? [] : [next]) : [key]))
}

/** What the columns of its list are chosen from. */
export function columnSetOf(noun: NounDescription): ColumnSet {
  return { list: noun.many, columns: fieldsOf(noun), usual: noun.columns }
}

/** The field that a board has columns for: the state, else the first choice that can be changed. */
export function boardOf({ fields }: NounDescription): NounField | undefined {
  return fields.find(({ kind }) => kind === 'state') ?? fields.find(({ kind, fixed }) => kind === 'choice' && !fixed)
}
