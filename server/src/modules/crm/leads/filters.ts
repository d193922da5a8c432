// What a list of leads asks for: filters, sort and search text of the query string, read and checked without SQL.
import { type SortKey, sortOf, wordsOf } from '../../../kernel/endpoint/list_query.ts'
import { type Bounds, type Range, rangeOf } from '../../../kernel/noun/moments.ts'
import { type SearchText, searchText } from '../../../kernel/noun/search_text.ts'
import type { TagQuery } from '../../../kernel/noun/tagged.ts'
import { type LeadPriority, type LeadStatus, leadPriorities, leadStatuses } from './rules.ts'

export const sortColumns = ['created_at', 'updated_at', 'name', 'company', 'priority', 'status', 'id'] as const
export type SortColumn = (typeof sortColumns)[number]
export type LeadSort = SortKey<SortColumn>

export type ListQuery = {
  status?: string
  priority?: string
  owner_id?: string
  company_id?: string
  contact_id?: string
  tags?: string
  'tags[all]'?: string
  'created_at[gte]'?: string
  'created_at[gt]'?: string
  'created_at[lte]'?: string
  'created_at[lt]'?: string
  q?: string
  deleted?: boolean
  sort?: string
}

export type LeadFilters = {
  statuses?: LeadStatus[]
  priorities?: LeadPriority[]
  /** A user's leads, or with null those nobody owns. */
  owner?: number | null
  /** The records that they name. */
  names: { company_id?: string; contact_id?: string }
  created: Range
  tagged: TagQuery
  text?: SearchText
  deleted: boolean
  /** Sees only leads of this user and those nobody owns. */
  restrictedTo?: number
}

type Viewer = { userId: number; restricted: boolean; timeZone: string; defaultCountry: string | null }

/** The filters of a query string without faults, as far as the viewer may see. */
export function filtersOf(query: ListQuery, { userId, restricted, timeZone, defaultCountry }: Viewer): LeadFilters {
  const { company_id, contact_id } = query
  const names = { ...(company_id !== undefined && { company_id }), ...(contact_id !== undefined && { contact_id }) }
  const filters: LeadFilters = {
    names,
    created: rangeOf(boundsOf(query), timeZone),
    tagged: taggedOf(query),
    deleted: query.deleted ?? false,
  }
  if (query.status !== undefined) filters.statuses = wordsOf(query.status, leadStatuses)
  if (query.priority !== undefined) filters.priorities = wordsOf(query.priority, leadPriorities)
  if (query.owner_id !== undefined) filters.owner = ownerOf(query.owner_id, userId)
  if (query.q !== undefined) filters.text = searchText(query.q, defaultCountry)
  if (restricted) filters.restrictedTo = userId
  return filters
}

function ownerOf(text: string, userId: number): number | null {
  if (text === 'none') return null
  return text === 'me' ? userId : Number(text)
}

/**
 * The keys of the order, the newest first when nothing is asked. The id, in the direction of the last key, comes at the end, so
 * that no two leads are equal.
 */
export function orderOf(sort = '-created_at'): LeadSort[] {
  const keys = sortOf(sort, sortColumns)
  if (keys.some(key => key.column === 'id')) return keys
  return [...keys, { column: 'id', descending: keys.at(-1)?.descending ?? false }]
}

function boundsOf(query: ListQuery): Bounds {
  return {
    gte: query['created_at[gte]'],
    gt: query['created_at[gt]'],
    lte: query['created_at[lte]'],
    lt: query['created_at[lt]'],
  }
}

function taggedOf({ tags, 'tags[all]': all }: ListQuery): TagQuery {
  return { ...(tags !== undefined && { tags }), ...(all !== undefined && { 'tags[all]': all }) }
}
