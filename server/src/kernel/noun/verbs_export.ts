// A list as a file for spreadsheets: all records that its filters let through, in its order, read a page at a time while they are sent.
import { Readable } from 'node:stream'
import { Type } from 'typebox'
import type { Principal } from '../access/principal.ts'
import type { Tx } from '../data/db.ts'
import { CsvBytes, type CsvQuery, csvFile, csvHead, csvQuery } from '../endpoint/csv_file.ts'
import { type Endpoint, endpoint } from '../endpoint/endpoint.ts'
import { encodeCursor } from '../endpoint/page.ts'
import type { FileReply } from '../endpoint/reply.ts'
import { csvLine } from '../values/csv.ts'
import { type Column, columnsFor } from './columns.ts'
import { cursorKey, listRecords } from './lists.ts'
import type { Names } from './noun_names.ts'
import { idsNamed, loadRecord } from './records.ts'
import { type NounTable, titlesOf } from './registry.ts'
import { listQuerySchema, referencesOf } from './schemas.ts'
import { searchFaults } from './search_text.ts'
import { askedOf, fieldNamesOf, type ListQuery, requireTrash, seenBy } from './verbs_read.ts'

type Query = ListQuery & CsvQuery
type InTenant = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

const atOnce = 1_000
/** A search is done again for every page. */
const foundAtOnce = 10_000

export function exportEndpoint(noun: NounTable, names: Names): Endpoint {
  const { spec } = noun
  const { page: _, limit: _l, cursor: _c, include: _i, ...filters } = listQuerySchema(spec).properties
  return endpoint({
    ...names.common,
    id: names.id('export'),
    method: 'GET',
    path: `${names.path}/export`,
    name: `Export ${names.manyWords}`,
    description: `All ${names.manyWords} that the filters let through, as CSV (RFC 4180, UTF-8) in the order of the list; an import reads it back. Sent while it is read, so it may be of any length; a record that changes meanwhile is as it was or as it is. A text that a spreadsheet would take for a formula has an apostrophe in front.${seenBy(spec)}`,
    permission: names.permission('read'),
    whileSuspended: true,
    audit: `${spec.names[0]}.exported`,
    logBody: 'refusals',
    envelope: 'file',
    mediaType: 'text/csv',
    hasRanges: false,
    query: Type.Object({
      ...filters,
      ...csvQuery,
    }),
    reply: CsvBytes,
    check: ({ query }) => searchFaults((query as Query).q),
    sample: {
      query: { sort: spec.order.first },
      reply: csvLine(['id', spec.title]) + csvLine([String(names.sampleId), String(names.sampleRecord[spec.title])]),
    },
    async handle({ query, principal, now, services }): Promise<FileReply> {
      const asked = query as Query
      if (asked.deleted === true) requireTrash(principal, spec.names[1])
      return csvFile(spec.names[1], now, () =>
        linesOf(principal, noun, asked, work => services.db.inTenant(principal, work)),
      )
    },
  })
}

/** @throws what the first page does, before anything is sent */
async function linesOf(principal: Principal, noun: NounTable, query: Query, inTenant: InTenant): Promise<Readable> {
  const { spec } = noun
  const columns = columnsFor(spec, fieldNamesOf(spec, query.fields))
  const pages = pagesOf(principal, noun, { query, columns, inTenant })
  const first = await pages.next()
  async function* lines() {
    yield csvHead(columns, query)
    if (first.value !== undefined) yield first.value
    yield* pages
  }
  return Readable.from(lines(), { objectMode: false })
}

type Walk = { query: Query; columns: readonly Column[]; inTenant: InTenant }

/** Each page has a transaction of its own: how fast its reader is keeps no connection. */
async function* pagesOf(principal: Principal, noun: NounTable, walk: Walk): AsyncGenerator<string, undefined> {
  let cursor: string | undefined
  do {
    const page = await walk.inTenant(tx => readPage(tx, principal, noun, walk, cursor))
    cursor = page.cursor
    if (page.text !== '') yield page.text
  } while (cursor !== undefined)
  return undefined
}

async function readPage(
  tx: Tx,
  principal: Principal,
  noun: NounTable,
  { query, columns }: Walk,
  cursor: string | undefined,
): Promise<{ text: string; cursor: string | undefined }> {
  const { spec } = noun
  const names = fieldNamesOf(spec, query.fields)
  const limit = query.q === undefined ? atOnce : foundAtOnce
  const here = cursor === undefined ? query : { ...query, cursor }
  const { asked, listed } = askedOf(principal, noun, here, { names, limit, offset: 0 })
  const found = await listRecords(tx, asked)
  const rows = found.rows.slice(0, limit)
  const records = rows.map(row => loadRecord(spec, row, names))
  const named = new Map<string, (string | number)[]>()
  for (const name of referencesOf(spec).filter(one => names.has(one))) {
    const field = spec.fields[name]!
    const ids = records.flatMap(record => idsNamed(field, record[name]))
    named.set(field.of!, [...new Set([...(named.get(field.of!) ?? []), ...ids])])
  }
  const titles = await titlesOf(tx, principal, named)
  const text = records.map(record => csvLine(columns.map(column => column.write(record, titles)))).join('')
  const last = found.rows.length > limit ? rows.at(-1) : undefined
  return { text, cursor: last && encodeCursor(cursorKey(asked, last, found.isRough), listed) }
}
