// Records that hold others: notes, tasks, files and tags are put on records of every noun that does not say otherwise. What is put on a record is seen and changed by those who see and change the record.
import { sql } from 'kysely'
import type { Principal } from '../access/principal.ts'
import type { Tx } from '../data/db.ts'
import { Problem } from '../values/problem.ts'
import type { Sql } from './field.ts'
import { ownerKey } from './field_parts.ts'
import { idsOf, idText, type RecordIds, rowId, rowIds } from './record_ids.ts'
import { fieldsOf } from './records.ts'
import { allTables, type NounTable, ownersSeen, type Rows } from './registry.ts'
import { holdsRight } from './rights.ts'
import type { AnySpec } from './spec.ts'

export type Host = RecordIds & {
  /** As a noun of `noun()` declares it. */
  rows: Rows | undefined
  /** As what names it: `company`. */
  name: string
  /** As in permissions: `companies`. */
  many: string
  table: string
  /** The column that a record is called by. */
  title: string
}

/** The field by which a record names the one that it is put on; undefined for nouns that stand by themselves. */
export function hostFieldOf(spec: Pick<AnySpec, 'fields'>): string | undefined {
  return fieldsOf(spec).find(([, { kind }]) => kind === 'record')?.[0]
}

export function isHost(spec: AnySpec): boolean {
  return spec.holds !== 'nothing' && hostFieldOf(spec) === undefined
}

/** Nouns of `noun()` that hold others. */
export function hostTables(): readonly NounTable[] {
  return allTables().filter(({ spec }) => isHost(spec))
}

/** Nouns of `noun()` whose records can be made of rows of a file. */
export function importableTables(): readonly NounTable[] {
  return hostTables().filter(({ spec }) => (spec.only ?? ['create']).includes('create'))
}

export function allHosts(): readonly Host[] {
  return hostTables().map(hostOfTable)
}

/** Everything that has a trash: every noun, whether it holds others or not. */
export function allTrashed(): readonly Host[] {
  return allTables().map(hostOfTable)
}

export function hostOfTable({ spec, table }: NounTable): Host {
  const [name, many] = spec.names
  return { name, many, table, ...idsOf(spec), title: spec.title, rows: spec.rows }
}

function isAmong(host: Host, ids: readonly (string | number)[]): Sql {
  return sql`h.id = any(${rowIds(host, ids)})`
}

/** Rows `h` that are not in the trash; with a principal, those that they see. */
function isPresent({ many, rows }: Host, principal: Principal | undefined, tenantId: Sql): Sql {
  const owners = principal && ownersSeen(many, rows, principal)
  const seen = owners === undefined ? sql`true` : sql`${ownerKey(rows!.owner, 'h')} = any(${owners}::bigint[])`
  return sql`h.tenant_id = ${tenantId} and h.deleted_at is null and ${seen}`
}

/** The condition on rows `r` that the record of this id is there, and seen. */
function isThere(host: Host, id: Sql, principal: Principal | undefined): Sql {
  return sql`exists (
    select from ${sql.table(host.table)} h
    where ${isPresent(host, principal, sql`r.tenant_id`)} and h.id = ${rowId(host, id)})`
}

async function readHosts(
  tx: Tx,
  principal: Principal,
  host: Host,
  ids: readonly string[],
  isLocked = false,
): Promise<Map<string, Readonly<Record<string, unknown>>>> {
  const { rows } = await sql<Record<string, unknown> & { host_id: string }>`
    select h.*, ${idText(host, 'h')} as host_id from ${sql.table(host.table)} h
    where ${isPresent(host, principal, sql`${principal.tenantId}`)} and ${isAmong(host, ids)}
    order by h.id ${isLocked ? sql`for share of h` : sql``}`.execute(tx)
  return new Map(rows.map(({ host_id: id, ...row }) => [id, row]))
}

/** The noun that an id is of; undefined where records of this form hold nothing. */
export function hostOf(id: string): Host | undefined {
  return allHosts().find(({ prefix }) => id.startsWith(prefix))
}

/**
 * The condition on rows `r` that the caller sees the record that each is put on; what is put on none, and what is their own, they see by
 * the rule of the noun itself. Undefined for nouns that are put on none.
 */
export function seenThrough(spec: Pick<AnySpec, 'names' | 'fields' | 'rows'>, principal: Principal): Sql | undefined {
  const field = hostFieldOf(spec)
  if (field === undefined) return undefined
  const id = sql.ref(`r.${field}`)
  const hosts = allHosts().filter(host => holdsRight(principal, host.many, 'read'))
  const through = anyOf(hosts.map(host => of(host, id, isThere(host, id, principal))))
  if (spec.rows === undefined) return through
  const owners = ownersSeen(spec.names[1], spec.rows, principal)
  const isOwn = owners === undefined ? sql`true` : sql`${ownerKey(spec.rows.owner)} = any(${owners}::bigint[])`
  const present = anyOf(hosts.map(host => of(host, id, isThere(host, id, undefined))))
  return sql`case when ${id} is null then ${isOwn} else ${through} or (
    ${sql.ref(`r.${spec.rows.owner}`)} = ${principal.userId} and ${present}) end`
}

const of = ({ prefix }: Host, id: Sql, condition: Sql) => sql`(starts_with(${id}, ${prefix}) and ${condition})`
const anyOf = (conditions: readonly Sql[]) =>
  conditions.length === 0 ? sql`false` : sql`(${sql.join(conditions, sql` or `)})`

/**
 * What is put on a record is changed by those who may change the record.
 * @throws Problem `insufficient_role`
 */
export function requireHostRight(principal: Principal, spec: AnySpec, record: Readonly<Record<string, unknown>>): void {
  const field = hostFieldOf(spec)
  const id = field && record[field]
  if (typeof id === 'string') requireUpdate(principal, id)
}

/** @throws Problem `insufficient_role` for who may not change records of the noun that an id is of */
export function requireUpdate(principal: Principal, id: string): void {
  const host = hostOf(id)
  if (host === undefined || holdsRight(principal, host.many, 'update')) return
  throw new Problem('insufficient_role', {
    message: `What is put on ${host.many.replaceAll('_', ' ')} is changed with the permission ${host.many}:update.`,
  })
}

/** Records of any nouns that the caller sees, by id; locked, none goes to the trash before the transaction ends. */
export async function findHosts(
  tx: Tx,
  principal: Principal,
  ids: readonly string[],
  { locked = false } = {},
): Promise<Map<string, Readonly<Record<string, unknown>>>> {
  const found = new Map<string, Readonly<Record<string, unknown>>>()
  const byHost = [...Map.groupBy(ids, hostOf)].sort(([a], [b]) => ((a?.name ?? '') < (b?.name ?? '') ? -1 : 1))
  for (const [host, some] of byHost) {
    if (host === undefined || !holdsRight(principal, host.many, 'read')) continue
    for (const [id, record] of await readHosts(tx, principal, host, some, locked)) found.set(id, record)
  }
  return found
}
