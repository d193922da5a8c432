// A role as its form has it, and the rules that the server holds it to: what cannot be sent is not offered.
import type { Role } from '../session/session.ts'
import type { RoleRecord, Vocabulary } from './data.ts'
import { t } from './texts.ts'

export const rowScopes = ['own', 'team', 'all'] as const
export type RowScope = (typeof rowScopes)[number]
export type Rows = Readonly<Record<string, RowScope>>

export type RoleDraft = {
  name: string
  description: string
  base: Role
  /** What was ticked, also while something else does not let the role hold it. */
  permissions: readonly string[]
  rows: Rows
}

export const emptyDraft: RoleDraft = {
  name: '',
  description: '',
  base: 'Sales Executive',
  permissions: [],
  rows: {},
}

export function draftOf({ name, description, base, permissions, rows }: RoleRecord): RoleDraft {
  return { name, description, base, permissions, rows: rows as Rows }
}

/** Another one like it, under a name that none of them has. */
export function copyOf(role: RoleRecord, names: readonly string[]): RoleDraft {
  const taken = new Set(names.map(name => name.toLowerCase()))
  const plain = t('copyOf', { name: role.name }).slice(0, 95)
  let name = plain
  for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${plain} ${count}`
  return { ...draftOf(role), name }
}

const seesPartly = (rows: Rows) => Object.values(rows).some(scope => scope !== 'all')

type Given = { base: Role; rows: Rows; held: ReadonlySet<string> }

/** Why such a role cannot hold the permission; undefined where it can. @param given with what the person themselves holds */
export function whyNot(entry: Vocabulary[number], { base, rows, held }: Given): string | undefined {
  if (entry.always) return undefined
  if (entry.assignable === 'never') return t('not.never')
  if (entry.assignable === 'admin' && base !== 'Admin') return t('not.admin')
  if (!held.has(entry.permission)) return t('not.held')
  if (entry.needsAllRows && seesPartly(rows)) return t('not.rows')
  return undefined
}

/** What the role will hold: what was ticked and can be, and what is in every role. */
export function heldIn(draft: RoleDraft, vocabulary: Vocabulary, held: ReadonlySet<string>): string[] {
  const ticked = new Set(draft.permissions)
  return vocabulary
    .filter(entry => entry.always || (ticked.has(entry.permission) && whyNot(entry, { ...draft, held }) === undefined))
    .map(({ permission }) => permission)
}

/** What was ticked and is left out. */
export function leftOut(draft: RoleDraft, vocabulary: Vocabulary, held: ReadonlySet<string>): Vocabulary {
  const kept = new Set(heldIn(draft, vocabulary, held))
  return vocabulary.filter(({ permission }) => draft.permissions.includes(permission) && !kept.has(permission))
}

export type Difference = {
  onlyOne: string[]
  onlyOther: string[]
  rows: { kind: string; one: RowScope; other: RowScope }[]
}

export function differenceOf(one: RoleRecord, other: RoleRecord): Difference {
  const without = (from: RoleRecord, taken: RoleRecord) => {
    const held = new Set<string>(taken.permissions)
    return from.permissions.filter(permission => !held.has(permission))
  }
  const [rows, others] = [one.rows as Rows, other.rows as Rows]
  return {
    onlyOne: without(one, other),
    onlyOther: without(other, one),
    rows: Object.entries(rows).flatMap(([kind, scope]) =>
      others[kind] === undefined || others[kind] === scope ? [] : [{ kind, one: scope, other: others[kind] }],
    ),
  }
}
