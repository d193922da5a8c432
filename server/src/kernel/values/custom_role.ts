// Roles of an organization's own: a base, permissions, and whose records each kind is seen of.
import type { Permission } from './noun.ts'

/** Whose records somebody sees: own ones, those of everybody in their teams, or all. */
export const rowScopes = ['own', 'team', 'all'] as const
export type RowScope = (typeof rowScopes)[number]

/** By kind of record (`leads`); what is not named is as with the base. */
export type RowScopes = Readonly<Record<string, RowScope>>

/** What a principal has of a role that is the organization's own. */
export type CustomRole = {
  readonly id: string
  readonly name: string
  readonly permissions: ReadonlySet<Permission>
  readonly rows: RowScopes
  /** Everybody in their teams, themselves among them; nobody where the role sees nothing by teams. */
  readonly mates: readonly number[]
}

/** The same as the database has it. */
export type CustomRoleRow = {
  id: string
  name: string
  permissions: string[]
  rows: Record<string, RowScope>
  mates: number[]
}
