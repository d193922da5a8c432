// Which rows of a JSON tree are in sight, given what is open. Long lists show their first hundred and a row for more.
import { escapeToken } from '../json/json_pointer.ts'

export type TreeRow =
  | { kind: 'value'; pointer: string; depth: number; name: string | undefined; value: unknown }
  | { kind: 'more'; pointer: string; depth: number; parent: string; rest: number }

const FIRST = 100

export function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** Whether there is anything to open. */
export function hasMembers(value: unknown): boolean {
  return isBranch(value) && Object.keys(value).length > 0
}

/** `open` holds pointers of opened values; `limits` how many members of one are shown. */
export function treeRows(value: unknown, open: ReadonlySet<string>, limits: ReadonlyMap<string, number>): TreeRow[] {
  const rows: TreeRow[] = []
  const add = (pointer: string, depth: number, name: string | undefined, value: unknown) => {
    rows.push({ kind: 'value', pointer, depth, name, value })
    if (!isBranch(value) || !open.has(pointer)) return
    const entries = Object.entries(value)
    const limit = limits.get(pointer) ?? FIRST
    for (const [key, member] of entries.slice(0, limit)) add(`${pointer}/${escapeToken(key)}`, depth + 1, key, member)
    const rest = entries.length - limit
    if (rest > 0) rows.push({ kind: 'more', pointer: `${pointer}\n`, depth: depth + 1, parent: pointer, rest })
  }
  add('', 0, undefined, value)
  return rows
}
