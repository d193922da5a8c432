// The columns of a list as its reader chose them: which, in which order, how wide. The browser keeps them.
import { useState, useSyncExternalStore } from 'react'

export type ColumnChoice = { name: string; width?: number }

/** What there is to choose from. */
export type ColumnSet = {
  /** What the choice is kept under: `leads`. */
  list: string
  columns: readonly { name: string; label: string }[]
  /** Those that are shown until somebody chooses others. */
  usual: readonly string[]
}

export type ColumnsProps = {
  set: ColumnSet
  columns: readonly ColumnChoice[]
  /** Undefined chooses the usual ones. */
  onChoose(columns: readonly ColumnChoice[] | undefined): void
}

const storageKey = ({ list }: ColumnSet) => `tandem.columns.${list}`
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function stored(set: ColumnSet): string | null {
  try {
    return localStorage.getItem(storageKey(set))
  } catch {
    // Without storage the usual columns are shown.
    return null
  }
}

/** Columns as they were stored; those that the list does not have any more are left out. */
export function columnsOf({ columns, usual }: ColumnSet, text: string | null): readonly ColumnChoice[] {
  const standard = usual.map(name => ({ name }))
  if (text === null) return standard
  try {
    const known = (JSON.parse(text) as ColumnChoice[]).filter(choice =>
      columns.some(({ name }) => name === choice.name),
    )
    return known.length === 0 ? standard : known
  } catch {
    return standard
  }
}

/** The columns of a list, and a way to choose others; undefined chooses the usual ones. */
export function useColumns(set: ColumnSet) {
  const [own, setOwn] = useState<string | null>()
  const text = useSyncExternalStore(subscribe, () => stored(set))
  const choose = (columns: readonly ColumnChoice[] | undefined) => {
    const next = columns === undefined ? null : JSON.stringify(columns)
    try {
      if (next === null) localStorage.removeItem(storageKey(set))
      else localStorage.setItem(storageKey(set), next)
      for (const listener of listeners) listener()
    } catch {
      setOwn(next)
    }
  }
  return { columns: columnsOf(set, own === undefined ? text : own), choose }
}
