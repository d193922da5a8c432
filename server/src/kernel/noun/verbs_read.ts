// Reading records of a noun: list, get, and what was changed when by whom.

import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Principal } from '../access/principal.ts'
import type { Tx } from '../data/db.ts'
import { type Endpoint, endpoint } from '../endpoint/endpoint.ts'
import { wordsOf } from '../endpoint/list_query.ts'
import { cutPage, decodeCursor, v1Page } from '../endpoint/page.ts'
import { Nullable, Timestamp } from '../endpoint/schema.ts'
import { type Permission, permissionsOf } from '../values/permission.ts'
import { Problem } from '../values/problem.ts'
import type { Asked } from './asked.ts'
import type { NounRecord, Reading, Sql } from './field.ts'
import { hostOf, requireHostRight, seenThrough } from './hosts.ts'
import { cursorKey, listRecords } from './lists.ts'
import type { Names } from './noun_names.ts'
import { orderOf } from './order.ts'
import { idsOf, ownIdOf } from './record_ids.ts'
import { columnsOf, fieldsOf, idsNamed, loadRecord, showRecord } from './records.ts'
import { maySee, type NounTable, titlesOf, visibleOwners } from './registry.ts'
import { holdsRight } from './rights.ts'
import {
  filtersOf,
  includedSchema,
  includeSchema,
  listedSchema,
  listQuerySchema,
  NounPagination,
  paramsSchema,
  pathId,
  recordSchema,
  referencesOf,
} from './schemas.ts'
import { searchFaults, searchText } from './search_text.ts'
import { type AnySpec, verbsOf } from './spec.ts'

/** What a list can be asked for: the filters of its noun beside these. */
export type ListQuery = Readonly<Record<string, unknown>> & {
  page?: number
  limit?: number
  cursor?: string
  sort?: string
  q?: string
  deleted?: boolean
  fields?: string
  include?: string
}

export function readingOf({ settings, userId }: Principal): Reading {
  const { defaultCountry, currency, timeZone } = settings
  return { defaultCountry, currency, timeZone, userId }
}

export function listEndpoint(noun: NounTable, names: Names): Endpoint {
  const { spec } = noun
  const [, many] = spec.names
  return endpoint({
    ...names.common,
    id: names.id('list'),
    method: 'GET',
    path: names.path,
    name: `List ${names.manyWords}`,
    description: `${names.Many} by page or cursor, with filters, search and any order.${seenBy(spec)}`,
    permission: names.permission('read'),
    logBody: 'refusals',
    query: listQuerySchema(spec),
    reply: Type.Unsafe<Record<string, unknown>>(
      Type.Object({
        [many]: Type.Array(listedSchema(spec)),
        ...includedSchema(spec),
        pagination: NounPagination,
      }),
    ),
    check: ({ query }) => [
      ...searchFaults((query as ListQuery).q),
      ...((query as ListQuery).cursor !== undefined && ((query as ListQuery).page ?? 1) !== 1
        ? [{ field: 'page', code: 'not_allowed', message: 'cannot be combined with cursor' }]
        : []),
    ],
    sample: {
      query: { sort: spec.order.first, limit: 2 },
      reply: {
        [many]: [names.sampleRecord],
        pagination: { page: 1, limit: 2, totalCount: 1, totalIsExact: true, nextCursor: null },
      },
    },
    async handle({ tx, query, principal }) {
      return listPage(tx, principal, noun, query as ListQuery)
    },
  })
}

export function seenBy({ rows }: AnySpec): string {
  if (rows === undefined || rows.own.length === 0) return ''
  return ` A ${rows.own.join(', ')} sees own${rows.unassigned === 'seen' ? ' and unassigned' : ''} ones.`
}

async function listPage(tx: Tx, principal: Principal, noun: NounTable, query: ListQuery) {
  const { spec } = noun
  const [, many] = spec.names
  const { page, limit, offset } = v1Page(query)
  if (query.deleted === true) requireTrash(principal, many)
  const names = fieldNamesOf(spec, query.fields)
  const { asked, listed } = askedOf(principal, noun, query, { names, limit, offset })
  const found = await listRecords(tx, asked)
  const cut = cutPage(found.rows, limit, row => cursorKey(asked, row, found.isRough), listed)
  const records = cut.rows.map(row => loadRecord(spec, row, names))
  const pagination = { page, limit, totalCount: found.total, totalIsExact: found.isExact, nextCursor: cut.nextCursor }
  const included =
    query.include === undefined ? undefined : await includedOf(tx, principal, spec, query.include, records)
  return { [many]: records.map(record => showRecord(spec, record)), ...(included && { included }), pagination }
}

/** The fields that a list reads: those that are named, or all but long texts. */
export function fieldNamesOf(spec: AnySpec, named: string | undefined): ReadonlySet<string> {
  const all = fieldsOf(spec)
  if (named === undefined) return new Set(all.filter(([, field]) => !field.long).map(([name]) => name))
  return new Set(
    wordsOf(
      named,
      all.map(([name]) => name),
    ),
  )
}

/** What a query string asks for, as far as the caller may see; and what ties a cursor to it. */
export function askedOf(
  principal: Principal,
  noun: NounTable,
  query: ListQuery,
  { names, limit, offset }: { names: ReadonlySet<string>; limit: number; offset: number },
): { asked: Asked; listed: unknown } {
  const { spec, table } = noun
  const reading = readingOf(principal)
  const filters = [...filtersOf(spec).values()].filter(({ parameter }) => query[parameter] !== undefined)
  const owner = spec.rows?.owner
  const through = seenThrough(spec, principal)
  const conditions: Sql[] = through === undefined ? [] : [through]
  const facets: (readonly string[] | undefined)[] = spec.facets.map(() => undefined)
  let isCounted = through === undefined
  let owners = visibleOwners(spec, principal)
  for (const { parameter, condition, counted } of filters) {
    const value = query[parameter] as never
    const values = counted?.(value, reading)
    if (parameter === owner && values !== undefined) {
      owners = values.map(Number).filter(id => owners?.includes(id) !== false)
      continue
    }
    conditions.push(condition(value, reading, query.deleted === true))
    const at = spec.facets.indexOf(parameter as never)
    if (at === -1 || values === undefined) isCounted = false
    else facets[at] = values
  }
  const sort = query.sort ?? spec.order.first
  const listed = { sort, query: listedOf(query) }
  const [rough, ...behind] = query.cursor === undefined ? [] : decodeCursor(query.cursor, listed)
  const asked: Asked = {
    scope: principal,
    noun: spec.names[0],
    table,
    columns: sortedColumns(spec, names, sort),
    owners: owners && [...new Set(owners)],
    ownerColumn: owner,
    deleted: query.deleted ?? false,
    conditions,
    counted: isCounted ? { facets } : undefined,
    text: query.q === undefined ? undefined : searchText(query.q, reading.defaultCountry),
    isRough: query.cursor === undefined ? undefined : rough === 1,
    indexed: spec.order.indexed,
    order: orderOf(spec, sort, query.cursor === undefined ? undefined : behind),
    limit,
    offset,
  }
  return { asked, listed }
}

/** What a cursor is tied to: everything that decides which records there are. */
function listedOf({ page: _, limit: _l, cursor: _c, fields: _f, include: _i, ...rest }: ListQuery) {
  return rest
}

/** What the order reads is needed for the cursor, whether or not it is shown. */
function sortedColumns(spec: AnySpec, names: ReadonlySet<string>, sort: string): string[] {
  const sorted = sort.split(',').map(key => key.trim().replace(/^-/, '').toLowerCase())
  return columnsOf(spec, new Set([...names, ...sorted]))
}

async function includedOf(
  tx: Tx,
  principal: Principal,
  spec: AnySpec,
  include: string,
  records: readonly NounRecord[],
) {
  const named = new Map<string, (string | number)[]>()
  for (const name of wordsOf(include, referencesOf(spec))) {
    const field = spec.fields[name]!
    const ids = records.flatMap(record => idsNamed(field, record[name]))
    for (const [of, some] of Map.groupBy(ids, id => field.of ?? hostOf(String(id))?.name)) {
      if (of !== undefined) named.set(of, [...new Set([...(named.get(of) ?? []), ...some])])
    }
  }
  return titlesOf(tx, principal, named)
}

/** @throws Problem `insufficient_scope`, `insufficient_role` */
export function requireTrash(principal: Principal, many: string): void {
  if (holdsRight(principal, many, 'delete')) return
  const byRole = permissionsOf(principal).has(`${many}:delete` as Permission)
  throw new Problem(byRole ? 'insufficient_scope' : 'insufficient_role', {
    message: `The trash needs the permission ${many}:delete. Leave deleted out to list other records.`,
  })
}

/** A record that the caller sees; those in the trash only when asked for. */
export async function findRecord(
  tx: Tx,
  principal: Principal,
  { spec, table }: NounTable,
  id: string,
  { locked = false, deleted = false } = {},
): Promise<NounRecord> {
  const { rows } = await sql<Record<string, unknown>>`
    select ${sql.join(columnsOf(spec, undefined).map(column => sql.ref(column)))} from ${sql.table(table)} r
    where tenant_id = ${principal.tenantId} and id = ${ownIdOf(idsOf(spec), id)} and ${seenThrough(spec, principal) ?? sql`true`}
    ${locked ? sql`for no key update of r` : sql``}`.execute(tx)
  const [row] = rows
  const record = row && loadRecord(spec, row)
  if (record === undefined || !maySee(spec, principal, record)) throw new Problem('not_found')
  if (locked) requireHostRight(principal, spec, record)
  if (record.deleted_at !== null && !deleted) throw missing(spec, record['merged_into'] as string | null)
  return record
}

/** @param survivor the record that the one that is asked for was merged into */
function missing(spec: AnySpec, survivor: string | null): Problem {
  if (survivor === null) return new Problem('not_found')
  const own = ownIdOf(idsOf(spec), survivor)
  return new Problem('not_found', {
    message: `It was merged into ${own}. Ask for that instead.`,
    details: [{ field: 'id', code: 'merged', message: `was merged into ${own}`, record_id: survivor }],
  })
}

export function getEndpoint(noun: NounTable, names: Names): Endpoint {
  const { spec } = noun
  const [one] = spec.names
  const isMerged = verbsOf(spec).includes('merge')
  return endpoint({
    ...names.common,
    versioned: true,
    id: names.id('get'),
    method: 'GET',
    path: `${names.path}/{id}`,
    name: `Get ${names.aOne}`,
    description: `One ${names.oneWords}. Those in the trash are not found${isMerged ? '; of one that was merged, `details` name the one that took it in as `record_id`' : ''}.`,
    permission: names.permission('read'),
    params: paramsSchema(spec),
    query: Type.Object(includeSchema(spec)),
    reply: Type.Unsafe<Record<string, unknown>>(Type.Object({ [one]: recordSchema(spec), ...includedSchema(spec) })),
    problems: ['not_found'],
    sample: { params: { id: names.sampleId }, reply: { [one]: names.sampleRecord } },
    async handle({ tx, params, query, principal, setVersion }) {
      const record = await findRecord(tx, principal, noun, pathId(spec, params))
      setVersion(record.version)
      const { include } = query as ListQuery
      const included = include === undefined ? undefined : await includedOf(tx, principal, spec, include, [record])
      return { [one]: showRecord(spec, record), ...(included && { included }) }
    },
  })
}

const Changes = Type.Object({
  changes: Type.Array(
    Type.Object({
      version: Type.Integer({ description: 'The version that the change made.' }),
      at: Timestamp,
      user_id: Nullable(Type.Integer({ description: 'Who made it; null where the server did.' })),
      key_id: Nullable(Type.String({ description: 'The API key that it was made with.' })),
      source: Type.String({
        description:
          'request, bulk, merge, import, revert, purge (what a field named was removed for good), inbound (a message of somebody unknown created it), or hand_over (its owner left).',
      }),
      batch_id: Nullable(Type.String({ description: 'What was changed together has one.' })),
      fields: Type.Array(
        Type.Object({
          field: Type.String(),
          from: Type.Unknown({
            description: 'The value before; of a long text its length, where it was changed by itself.',
          }),
          to: Type.Unknown({
            description:
              'The value after. Of `merged`, the records that this one took in; of `merged_into`, the one that took it in.',
          }),
        }),
      ),
    }),
    { description: 'The newest first; the last is the creation.' },
  ),
})

const maxChanges = 200

export function historyEndpoint(noun: NounTable, names: Names): Endpoint {
  const { spec } = noun
  return endpoint({
    ...names.common,
    id: names.id('history'),
    method: 'GET',
    path: `${names.path}/{id}/history`,
    name: `List changes of ${names.aOne}`,
    description: `What was changed, when and by whom, field by field: the newest ${maxChanges}.`,
    permission: names.permission('read'),
    params: paramsSchema(spec),
    reply: Changes,
    problems: ['not_found'],
    sample: {
      params: { id: names.sampleId },
      reply: {
        changes: [
          {
            version: 1,
            at: names.sampleRecord['created_at'] as string,
            user_id: 1,
            key_id: null,
            source: 'request',
            batch_id: null,
            fields: [],
          },
        ],
      },
    },
    async handle({ tx, params, principal }) {
      const id = pathId(spec, params)
      await findRecord(tx, principal, noun, id, { deleted: true })
      const { rows } = await sql<{
        version: number
        at: string
        user_id: number | null
        key_id: string | null
        source: string
        batch_id: string | null
        difference: Record<string, [unknown, unknown]>
      }>`
        select version, at, user_id, key_id, source, batch_id, difference from changes
        where tenant_id = ${principal.tenantId} and record_id = ${id}
        order by version desc limit ${maxChanges}`.execute(tx)
      return {
        changes: rows.map(({ difference, ...change }) => ({
          ...change,
          fields: Object.entries(difference).map(([field, [from, to]]) => ({ field, from, to })),
        })),
      }
    },
  })
}
