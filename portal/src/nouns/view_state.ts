// How a list of a noun is looked at: what it is filtered and sorted by stands in the address; its columns are kept by the browser.
import { useState, useSyncExternalStore } from 'react'
import type { Params } from '../navigation/params.ts'
import { fieldNamed, fieldsOf, isBatched, type NounDescription, type NounField } from './noun.ts'

export type ColumnChoice = { name: string; width?: number }
export type SortKey = { name: string; descending: boolean }

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

/** Fields that a list is filtered by; those whose ids are numbers are not filtered by when they were changed. */
export function filteredFields(noun: NounDescription) {
  return fieldsOf(noun).filter(
    field => field.filters !== undefined && (noun.prefix !== undefined || field.name !== 'updated_at'),
  )
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

const storageKey = (noun: NounDescription) => `tandem.columns.${noun.many}`
const listeners = new Set<() => void>()
const cached = new Map<string, { text: string | null; columns: readonly ColumnChoice[] }>()

function read(noun: NounDescription): readonly ColumnChoice[] {
  const key = storageKey(noun)
  let text: string | null = null
  try {
    text = localStorage.getItem(key)
  } catch {
    // Without storage the noun's own columns are shown.
  }
  const known = cached.get(key)
  if (known !== undefined && known.text === text) return known.columns
  const columns = columnsOf(noun, text)
  cached.set(key, { text, columns })
  return columns
}

/** Columns as they were stored; those that the noun does not have any more are left out. */
export function columnsOf(noun: NounDescription, text: string | null): readonly ColumnChoice[] {
  const standard = noun.columns.map(name => ({ name }))
  if (text === null) return standard
  try {
    const stored = (JSON.parse(text) as ColumnChoice[]).filter(({ name }) => fieldNamed(noun, name) !== undefined)
    return stored.length === 0 ? standard : stored
  } catch {
    return standard
  }
}

/** The field that a board has columns for: the state, else the first choice that can be changed. */
export function boardOf({ fields }: NounDescription): NounField | undefined {
  return fields.find(({ kind }) => kind === 'state') ?? fields.find(({ kind, fixed }) => kind === 'choice' && !fixed)
}

/** The columns of a list, and a way to choose others; undefined chooses those of the noun. */
export function useColumns(noun: NounDescription) {
  const [own, setOwn] = useState<readonly ColumnChoice[]>()
  const stored = useSyncExternalStore(
    listener => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => read(noun),
  )
  const choose = (columns: readonly ColumnChoice[] | undefined) => {
    try {
      if (columns === undefined) localStorage.removeItem(storageKey(noun))
      else localStorage.setItem(storageKey(noun), JSON.stringify(columns))
      for (const listener of listeners) listener()
    } catch {
      setOwn(columns)
    }
  }
  return { columns: own ?? stored, choose }
}
