// The nouns of the product by name, so that references can be checked, titled and moved. Assembled once, by the file that lists them all.
import { sql } from 'kysely'
import type { Principal } from '../access/principal.ts'
import { type RowKind, reachOf, type Viewer } from '../access/reach.ts'
import type { Scope, Tx } from '../data/db.ts'
import type { FieldFault } from '../values/problem.ts'
import type { Role } from '../values/role.ts'
import type { Sql } from './field.ts'
import { ownerKey } from './field_parts.ts'
import { holdersOf } from './keys.ts'
import { idsOf, idText, recordIdOf, rowId, rowIds } from './record_ids.ts'
import { holdsRight } from './rights.ts'
import type { AnySpec } from './spec.ts'

/** What a reference can name. */
export type Target = {
  name: string
  /** Ids of those that people call by these texts, as rows `(text, id)`, the texts in small letters: by name, e-mail, or what else is one's own. */
  called(principal: Principal, texts: readonly string[]): Sql
  /** Ids and titles of those that the caller may see, as rows `(noun, id, title)`. */
  titles(principal: Principal, ids: readonly (string | number)[]): Sql
  /**
   * Those that may be named, with what rules may ask of them. Records are held: until the transaction ends none is merged into another,
   * or moved to the trash.
   */
  facts(
    tx: Tx,
    principal: Principal,
    ids: readonly (string | number)[],
  ): Promise<Map<string, Readonly<Record<string, unknown>>>>
}

export type NounTable = { spec: AnySpec; table: string }

const targets = new Map<string, Target>()
const tables = new Map<string, NounTable>()

/** @throws Error where a name is taken */
export function addTarget(target: Target): void {
  if (targets.has(target.name)) throw new Error(`two kinds of records are called ${target.name}`)
  targets.set(target.name, target)
}

/** @throws Error where nothing of this name can be referred to: a mistake in a declaration */
export function targetNamed(name: string): Target {
  const target = targets.get(name)
  if (target === undefined) throw new Error(`no noun is called ${name}`)
  return target
}

export function addTable(noun: NounTable): void {
  tables.set(noun.spec.names[0], noun)
  addTarget(recordsOf(noun))
}

/** @throws Error where no noun is called so */
export function tableNamed(name: string): NounTable {
  const noun = tables.get(name)
  if (noun === undefined) throw new Error(`no noun is called ${name}`)
  return noun
}

/** The noun of these records: `companies`. @throws Error where there is none: it was checked when it was stored */
export function manyNamed(many: string): NounTable {
  const noun = allTables().find(({ spec }) => spec.names[1] === many)
  if (noun === undefined) throw new Error(`no records are called ${many}`)
  return noun
}

/** Every noun that is made by `noun()`. */
export function allTables(): readonly NounTable[] {
  return [...tables.values()]
}

/** What is wrong with a parameter `noun` that is to be the plural of one of these, where it is sent. */
export function nounFaults(noun: unknown, among: readonly NounTable[]): FieldFault[] {
  const known = among.map(({ spec }) => spec.names[1])
  if (noun === undefined || known.includes(noun as string)) return []
  return [{ field: 'noun', code: 'not_allowed', message: `must be one of: ${known.join(', ')}` }]
}

/** Columns in which records of other nouns name records of this one. */
export function referencesTo(name: string): { noun: NounTable; column: string; isList: boolean }[] {
  return allTables().flatMap(noun =>
    Object.entries(noun.spec.fields).flatMap(([column, field]) =>
      field.of === name || field.kind === 'record' ? [{ noun, column, isList: field.kind === 'refs' }] : [],
    ),
  )
}

/** Records that are no noun of `noun()`, and name some: when these are merged or removed for good, what names them must follow. */
export type Follower = {
  of: string
  follow(tx: Tx, principal: Principal, ids: readonly string[], into: string, nowMs: number): Promise<void>
  /**
   * Names none of these any more, because they are removed for good.
   * @returns how many records were changed, at most `limit`: where there are as many, there may be more
   */
  empty?(tx: Tx, scope: Scope, ids: readonly string[], limit: number, nowMs: number): Promise<number>
}
const followers: Follower[] = []

export function addFollower(follower: Follower): void {
  followers.push(follower)
}

export function followersOf(name: string): readonly Follower[] {
  return followers.filter(({ of }) => of === name)
}

/**
 * Whose records somebody sees: undefined for all, or those of these owners, 0 for nobody. What is put on other records is seen through
 * these, as hosts.ts says.
 */
export function visibleOwners(spec: AnySpec, viewer: Viewer): number[] | undefined {
  if (Object.values(spec.fields).some(({ kind }) => kind === 'record')) return undefined
  return ownersSeen(spec.names[1], spec.rows, viewer)
}

export type Rows = { owner: string; unassigned: 'seen' | 'hidden'; own: readonly Role[] }

/** The same by the rule of rows alone. @param many the kind: `leads` */
export function ownersSeen(many: string, rows: Rows | undefined, viewer: Viewer): number[] | undefined {
  if (rows === undefined) return undefined
  const reach = reachOf(viewer, { many, own: rows.own })
  if (reach === 'all') return undefined
  const owners = reach === 'own' ? [viewer.userId] : reach
  return rows.unassigned === 'seen' ? [...owners, 0] : [...owners]
}

/** Kinds of records with an owner that are no nouns of `noun()`. */
const otherKinds: RowKind[] = []

export function addRowKind(kind: RowKind): void {
  otherKinds.push(kind)
}

/** All kinds of records that roles see whole or in part, by name. */
export function rowKinds(): RowKind[] {
  const nouns = allTables().flatMap(({ spec: { names, rows } }) => (rows ? [{ many: names[1], own: rows.own }] : []))
  return [...nouns, ...otherKinds].sort((a, b) => (a.many < b.many ? -1 : 1))
}

/** Whether somebody sees all records of every kind. */
export function seesAllRows(viewer: Viewer): boolean {
  return rowKinds().every(kind => reachOf(viewer, kind) === 'all')
}

export function maySee(spec: AnySpec, viewer: Viewer, record: Readonly<Record<string, unknown>>): boolean {
  const owners = visibleOwners(spec, viewer)
  return owners === undefined || owners.includes((record[spec.rows!.owner] as number | null) ?? 0)
}

/** A condition on rows `r` that are not in the trash. */
function visible(spec: AnySpec, principal: Principal): Sql {
  const owners = visibleOwners(spec, principal)
  const present = sql`r.tenant_id = ${principal.tenantId} and r.deleted_at is null`
  return owners === undefined ? present : sql`${present} and ${ownerKey(spec.rows!.owner)} = any(${owners}::bigint[])`
}

/** The same, where their names are shown or led to: for those who may read them. */
function nameable(spec: AnySpec, principal: Principal): Sql {
  return holdsRight(principal, spec.names[1], 'read') ? visible(spec, principal) : sql`false`
}

function recordsOf({ spec, table }: NounTable): Target {
  const ids = idsOf(spec)
  return {
    name: spec.names[0],
    called(principal, texts) {
      const keys = (spec.match ?? []).flatMap(field => texts.map(value => ({ field, value })))
      return sql`
        select distinct k.value as text, ${idText(ids, 'r')} as id from ${holdersOf({ spec }, principal, keys)} k
        join ${sql.table(table)} r on r.tenant_id = ${principal.tenantId} and r.id = ${rowId(ids, sql`k.record_id`)}
        where ${nameable(spec, principal)}`
    },
    titles: (principal, named) => sql`
      select ${spec.names[0]}::text as noun, ${idText(ids, 'r')} as id, ${sql.ref(`r.${spec.title}`)} as title
      from ${sql.table(table)} r where ${nameable(spec, principal)} and r.id = any(${rowIds(ids, named)})`,
    async facts(tx, principal, named) {
      const { rows } = await sql<Record<string, unknown> & { id: string | number }>`
        select r.* from ${sql.table(table)} r
        where ${visible(spec, principal)} and r.id = any(${rowIds(ids, named)}) order by r.id for share of r`.execute(
        tx,
      )
      return new Map(rows.map(row => [recordIdOf(ids, row.id), row]))
    },
  }
}

/** The title of each record that is named, by noun and id. In one statement, whatever is named. */
export async function titlesOf(
  tx: Tx,
  principal: Principal,
  named: ReadonlyMap<string, readonly (string | number)[]>,
): Promise<Record<string, Record<string, { title: string }>>> {
  const parts = [...named].filter(([, ids]) => ids.length > 0)
  if (parts.length === 0) return {}
  const { rows } = await sql<{ noun: string; id: string; title: string }>`${sql.join(
    parts.map(([name, ids]) => targetNamed(name).titles(principal, ids)),
    sql` union all `,
  )}`.execute(tx)
  const titles: Record<string, Record<string, { title: string }>> = {}
  for (const { noun, id, title } of rows) {
    titles[noun] ??= {}
    titles[noun][id] = { title }
  }
  return titles
}
