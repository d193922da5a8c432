// What a list of leads asks for: filters, sort and search text of the query string, read and judged without SQL.
import { isoMs } from '../../../kernel/clock.ts'
import { parsePhone } from '../../../kernel/phone.ts'
import type { FieldFault } from '../../../kernel/problem.ts'
import { type LeadPriority, type LeadStatus, leadPriorities, leadStatuses } from './rules.ts'

export const sortColumns = ['created_at', 'updated_at', 'name', 'company', 'priority', 'status', 'id'] as const
export type SortColumn = (typeof sortColumns)[number]
export type SortKey = { column: SortColumn; descending: boolean }

export type ListQuery = {
  status?: string
  priority?: string
  owner_id?: string
  'created_at[gte]'?: string
  'created_at[gt]'?: string
  'created_at[lte]'?: string
  'created_at[lt]'?: string
  q?: string
  deleted?: boolean
  sort?: string
}

/** Bounds as ISO 8601 in UTC: from `from` on, before `before`. */
export type Range = { from?: string; before?: string }

export type LeadFilters = {
  statuses?: LeadStatus[]
  priorities?: LeadPriority[]
  /** A user's leads, or with null those nobody owns. */
  owner?: number | null
  created: Range
  text?: SearchText
  deleted: boolean
  /** Sees only leads of this user and those nobody owns. */
  restrictedTo?: number
}

/** Faults of the query string that its schema cannot say. */
export function listFaults(query: ListQuery): FieldFault[] {
  return [
    ...wordFaults('status', query.status, leadStatuses),
    ...wordFaults('priority', query.priority, leadPriorities),
    ...sortFaults(query.sort),
    // One letter is a whole name in some scripts.
    ...(query.q !== undefined && [...query.q.trim()].length < 2 && !isWordLetter(query.q.trim())
      ? [{ field: 'q', code: 'too_short', message: 'must have at least 2 characters' }]
      : []),
  ]
}

type Viewer = { userId: number; restricted: boolean; timeZone: string; defaultCountry: string | null }

/** The filters of a query string without faults, as far as the viewer may see. */
export function filtersOf(query: ListQuery, { userId, restricted, timeZone, defaultCountry }: Viewer): LeadFilters {
  const filters: LeadFilters = { created: rangeOf(query, timeZone), deleted: query.deleted ?? false }
  if (query.status !== undefined) filters.statuses = wordsOf(query.status, leadStatuses)
  if (query.priority !== undefined) filters.priorities = wordsOf(query.priority, leadPriorities)
  if (query.owner_id !== undefined) filters.owner = ownerOf(query.owner_id, userId)
  if (query.q !== undefined) filters.text = searchText(query.q, defaultCountry)
  if (restricted) filters.restrictedTo = userId
  return filters
}

function split(list: string): string[] {
  return list.split(',').map(word => word.trim())
}

function known<T extends string>(word: string, words: readonly T[]): T | undefined {
  return words.find(candidate => candidate.toLowerCase() === word.toLowerCase())
}

function wordsOf<T extends string>(list: string, words: readonly T[]): T[] {
  const asked = new Set(split(list).map(word => known(word, words)))
  return words.filter(word => asked.has(word))
}

function wordFaults(field: string, list: string | undefined, words: readonly string[]): FieldFault[] {
  if (list === undefined || split(list).every(word => known(word, words) !== undefined)) return []
  return [{ field, code: 'not_allowed', message: `must be one or more, with commas between, of: ${words.join(', ')}` }]
}

function ownerOf(text: string, userId: number): number | null {
  if (text === 'none') return null
  return text === 'me' ? userId : Number(text)
}

/**
 * The keys of `-created_at,name`; the newest first when nothing is asked. The id, in the direction of the last key, comes
 * at the end, so that no two leads are equal.
 */
export function sortOf(sort: string | undefined): SortKey[] {
  const keys = split(sort ?? '-created_at').map(readSortKey)
  if (keys.some(key => key.column === 'id')) return keys
  return [...keys, { column: 'id', descending: keys.at(-1)?.descending ?? false }]
}

function readSortKey(text: string): SortKey {
  const descending = text.startsWith('-')
  return { column: (descending ? text.slice(1) : text) as SortColumn, descending }
}

function sortFaults(sort: string | undefined): FieldFault[] {
  if (sort === undefined) return []
  const columns = split(sort).map(text => readSortKey(text).column)
  if (!columns.every(column => sortColumns.includes(column))) {
    const message = `must be made, with commas between, of: ${sortColumns.join(', ')} (a leading - turns one around)`
    return [{ field: 'sort', code: 'not_allowed', message }]
  }
  if (new Set(columns).size === columns.length) return []
  return [{ field: 'sort', code: 'not_allowed', message: 'must name each key once' }]
}

/** The range the four bounds have in common. */
function rangeOf(query: ListQuery, timeZone: string): Range {
  const from = [momentOf(query['created_at[gte]'], timeZone)?.from, momentOf(query['created_at[gt]'], timeZone)?.after]
  const before = [
    momentOf(query['created_at[lt]'], timeZone)?.from,
    momentOf(query['created_at[lte]'], timeZone)?.after,
  ]
  const lower = from.filter(ms => ms !== undefined)
  const upper = before.filter(ms => ms !== undefined)
  return {
    ...(lower.length > 0 && { from: storable(Math.max(...lower)) }),
    ...(upper.length > 0 && { before: storable(Math.min(...upper)) }),
  }
}

const firstMs = Date.parse('0001-01-02T00:00:00Z')
const lastMs = Date.parse('9999-12-31T00:00:00Z')

/** ISO 8601 with a year of four digits above zero, as PostgreSQL reads it. */
function storable(ms: number): string {
  return isoMs(Math.min(Math.max(ms, firstMs), lastMs))
}

const dayMs = 86_400_000

/**
 * What a moment covers, in milliseconds since 1970: a date is a whole day in the organization's time zone, a time its one
 * millisecond; without an offset it is local time there.
 */
function momentOf(text: string | undefined, timeZone: string): { from: number; after: number } | undefined {
  if (text === undefined) return undefined
  const isDate = text.length === 10
  if (/(?:Z|[+-]\d{2}:\d{2})$/.test(text) && !isDate) {
    const from = Date.parse(text)
    return { from, after: from + 1 }
  }
  const wallMs = Date.parse(isDate ? `${text}T00:00:00Z` : `${text}Z`)
  const from = instantMs(wallMs, timeZone)
  return { from, after: isDate ? instantMs(wallMs + dayMs, timeZone) : from + 1 }
}

/** The instant at which clocks in a zone show a wall time, itself given as if it were UTC. */
function instantMs(wallMs: number, timeZone: string): number {
  const wall = Temporal.Instant.fromEpochMilliseconds(wallMs).toZonedDateTimeISO('UTC').toPlainDateTime()
  return wall.toZonedDateTime(timeZone).epochMilliseconds
}

/**
 * A search: every word, the longest first, with a blank in front where it must begin a word; for what looks like a phone, two
 * patterns of digits; and the words that something like them may stand for when nothing holds the text (the others, too short for
 * that, stay as they are). The database folds accents and normal forms.
 */
export type SearchText = { words: string[]; digits: string[]; rough: string[]; roughWords: string[] }

const shortest = 3

/**
 * Reads `q`. Words of three letters and more are found anywhere, shorter ones where a word begins (each letter of a script without
 * blanks does); all must be there. A
 * telephone number, whole or in part and however spelled, is looked for by its digits.
 */
export function searchText(q: string, defaultCountry: string | null): SearchText {
  const text = q.trim().toWellFormed()
  const digits = phoneDigits(text, defaultCountry)
  if (digits.length > 0) return { words: [placedOf(text)], digits, rough: [], roughWords: [] }
  const words = text.split(/\s+/).sort((a, b) => b.length - a.length)
  const rough = words.filter(isLong)
  const roughWords = words.filter(word => !isLong(word)).map(placedOf)
  return { words: words.map(placedOf), digits: [], rough, roughWords }
}

function isLong(word: string): boolean {
  return [...word].length >= shortest
}

/** Whether a letter is of a script that writes words without blanks between them: Chinese, Japanese, Korean. */
function isWordLetter(letter: string): boolean {
  return /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(letter.normalize('NFC'))
}

function placedOf(word: string): string {
  return isLong(word) || isWordLetter(word) ? word : ` ${word}`
}

/** Two patterns, or none when the text is no part of a number: leading zeros are trunk or international prefixes. */
function phoneDigits(text: string, defaultCountry: string | null): string[] {
  if (!/^[+\d][\d\s()./-]*$|^\([\d\s()./-]*$/.test(text)) return []
  const digits = text.replaceAll(/\D/g, '').replace(/^0+/, '')
  if (digits.length < 3) return []
  const whole = parsePhone(text, defaultCountry ?? undefined)
  return [`%${digits}%`, `%${whole?.slice(1) ?? digits}%`]
}
