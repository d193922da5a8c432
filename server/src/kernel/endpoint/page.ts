// Lists. v1 pages by number with exact totals (and by cursor), v2 by opaque cursor only.
import { createHash } from 'node:crypto'
import { Type } from 'typebox'
import { isId } from '../values/ids.ts'
import { Problem } from '../values/problem.ts'

export const v1MaxLimit = 200
/** What a list in the order of names goes on behind may be two hundred characters of four bytes. */
const maxCursorLength = 4_000
/** Beyond this many rows a page number costs too much and a cursor serves better. */
export const v1MaxOffset = 1_000_000

/** Query fields of every v1 list. */
export const v1PageQuery = {
  page: Type.Optional(Type.Integer({ minimum: 1, default: 1, description: 'Page number, from 1.' })),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, default: 20, description: 'Records per page; more than 200 are cut to 200.' }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: maxCursorLength,
      description: 'The `nextCursor` of the last answer: goes on behind it, at any depth.',
    }),
  ),
}

export const Pagination = Type.Object({
  page: Type.Integer({ description: 'The page used.' }),
  limit: Type.Integer({ description: 'The limit used.' }),
  totalCount: Type.Integer({ description: 'How many records match the filters, exactly.' }),
  nextCursor: Type.Union([Type.String(), Type.Null()], { description: 'Cursor of the next page; null on the last.' }),
})

export type V1Page = { page: number; limit: number; offset: number }

/** The page and limit used: limit clamped to 200. Bounds below are the schema's business. */
export function v1Page(query: { page?: number; limit?: number }): V1Page {
  const page = query.page ?? 1
  const limit = Math.min(query.limit ?? 20, v1MaxLimit)
  const offset = (page - 1) * limit
  if (offset > v1MaxOffset) {
    throw new Problem('validation_failed', {
      message: `page: page ${page} is beyond row ${v1MaxOffset}; go on with the cursor of the last answer instead`,
      details: [{ field: 'page', code: 'too_large', message: `reaches beyond row ${v1MaxOffset}; use cursor` }],
    })
  }
  return { page, limit, offset }
}

/** Query fields of every v2 list. */
export const v2PageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Records per page, 1 to 200.' }),
  ),
  cursor: Type.Optional(
    Type.String({
      maxLength: maxCursorLength,
      description: 'The `nextCursor` of the last answer, with the same filters.',
    }),
  ),
}

/** What a v2 list handler returns; the kernel moves `pagination` into `meta`. */
export type Page<Item> = { items: Item[]; limit: number; nextCursor: string | null }

/**
 * Cuts a list read with one row too many into a page.
 * @param rows at most `limit + 1` rows, in list order
 * @param key the values of the last row that the next page goes on behind
 */
export function cutPage<Row>(
  rows: Row[],
  limit: number,
  key: (row: Row) => CursorKey,
  filters: unknown,
): { rows: Row[]; nextCursor: string | null } {
  if (rows.length <= limit) return { rows, nextCursor: null }
  const page = rows.slice(0, limit)
  return { rows: page, nextCursor: encodeCursor(key(page[limit - 1] as Row), filters) }
}

export type CursorKey = readonly (string | number | null)[]

/** An opaque cursor: the key of the last row, tied to filters and sort so it cannot be used with others. */
export function encodeCursor(key: CursorKey, filters: unknown): string {
  return Buffer.from(JSON.stringify([fingerprint(filters), ...key])).toString('base64url')
}

/** @throws Problem `invalid_cursor` for a cursor of another list, other filters, or none of ours. */
export function decodeCursor(cursor: string, filters: unknown): CursorKey {
  try {
    const [mark, ...key] = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as [string, ...CursorKey]
    const scalar = key.every(part => part === null || typeof part === 'string' || typeof part === 'number')
    if (mark === fingerprint(filters) && scalar) return key
  } catch {
    // falls through: whatever is not ours is refused the same way
  }
  throw new Problem('invalid_cursor')
}

/** What a part of a cursor must be: an id with this prefix, a time, a whole number, or any text. */
export type CursorPart = `id:${string}` | 'time' | 'integer' | 'text'
type CursorValues<Parts extends readonly CursorPart[]> = {
  -readonly [At in keyof Parts]: Parts[At] extends 'integer' ? number : string
}

/**
 * What a list goes on behind, part by part; undefined for its first page. Cursors are readable and so may be forged: anything
 * but values of these forms is refused, here and not by the database. Times are ISO 8601 in UTC.
 * @throws Problem `invalid_cursor`
 */
export function readCursor<const Parts extends readonly CursorPart[]>(
  cursor: string | undefined,
  filters: unknown,
  ...parts: Parts
): CursorValues<Parts> | undefined {
  if (cursor === undefined) return undefined
  const key = decodeCursor(cursor, filters)
  if (key.length !== parts.length) throw new Problem('invalid_cursor')
  return parts.map((part, index) => cursorValue(part, key[index])) as CursorValues<Parts>
}

function cursorValue(part: CursorPart, value: unknown): string | number {
  if (part === 'integer' && Number.isSafeInteger(value)) return value as number
  // PostgreSQL keeps no NUL in a text, and would refuse the query.
  if (part === 'text' && typeof value === 'string' && !value.includes('\0')) return value
  if (part === 'time' && typeof value === 'string' && isTime(value)) return value
  if (part.startsWith('id:') && typeof value === 'string' && isId(part.slice(3), value)) return value
  throw new Problem('invalid_cursor')
}

/** As PostgreSQL writes it for us, to the microsecond at most. */
function isTime(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/.test(text) && !Number.isNaN(Date.parse(text))
}

/** The id that a list in the order of ids with this prefix goes on behind. @throws Problem `invalid_cursor` */
export function cursorId(prefix: string, cursor: string | undefined, filters: unknown): string | undefined {
  return readCursor(cursor, filters, `id:${prefix}`)?.[0]
}

function fingerprint(filters: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(filters)))
    .digest('base64url')
    .slice(0, 8)
}

/** The order in which a client writes its query parameters means nothing. */
function sorted(filters: unknown): unknown {
  if (typeof filters !== 'object' || filters === null || Array.isArray(filters)) return filters
  return Object.fromEntries(Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1)))
}
