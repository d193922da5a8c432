// The list of invoices: what may be asked of it, and the answer.
import { type Static, Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { SortBy, sortOf, WordList } from '../../../kernel/endpoint/list_query.ts'
import { decodeCursor, encodeCursor, Pagination, v1Page, v1PageQuery } from '../../../kernel/endpoint/page.ts'
import type { JsonText } from '../../../kernel/endpoint/reply.ts'
import { isDate } from '../../../kernel/values/clock.ts'
import type { FieldFault } from '../../../kernel/values/problem.ts'
import { asOfToday } from './calendar_store.ts'
import {
  type Comparison,
  comparisons,
  findPage,
  type ListFilter,
  type PageRequest,
  sortFields,
  statusesOf,
} from './list_store.ts'
import { Invoice, sampleInvoice } from './present.ts'
import { numbersBeginning, statuses } from './rules.ts'

const bound = (words: string) => Type.Optional(Type.String({ format: 'date', description: `${words}, YYYY-MM-DD.` }))

/** The filters of a list, which its sums have too. */
export const filterQuery = {
  status: Type.Optional(WordList(statuses, 'Only invoices in these.')),
  customer: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "Part of the customer's name, in any case of letters." }),
  ),
  'customer[is]': Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "The customer's whole name, in any case of letters." }),
  ),
  number: Type.Optional(
    Type.String({ minLength: 1, maxLength: 40, description: 'An invoice number, or its beginning: INV-2026-0001.' }),
  ),
  due_date: bound('Due on this day'),
  'due_date[gte]': bound('Due on or after'),
  'due_date[gt]': bound('Due after'),
  'due_date[lte]': bound('Due on or before'),
  'due_date[lt]': bound('Due before'),
  issue_date: bound('Issued on this day'),
  'issue_date[gte]': bound('Issued on or after'),
  'issue_date[gt]': bound('Issued after'),
  'issue_date[lte]': bound('Issued on or before'),
  'issue_date[lt]': bound('Issued before'),
}
const FilterQuery = Type.Object(filterQuery)
type FilterQuery = Static<typeof FilterQuery>

const ListQuery = Type.Object({
  ...filterQuery,
  sort: Type.Optional(SortBy(sortFields, '-created_at')),
  ...v1PageQuery,
})
type Query = Static<typeof ListQuery>

const dateFields = ['due_date', 'issue_date'] as const
const dateParameters = dateFields.flatMap(field =>
  (Object.keys(comparisons) as Comparison[]).map(comparison => ({
    field,
    comparison,
    name: (comparison === 'eq' ? field : `${field}[${comparison}]`) as keyof FilterQuery,
  })),
)

export function filterFaults(query: FilterQuery): FieldFault[] {
  return dateParameters
    .filter(({ name }) => query[name] !== undefined && !isDate(query[name]))
    .map(({ name }) => ({ field: name, code: 'wrong_format', message: 'must be a calendar date, YYYY-MM-DD' }))
}

function faultsOf(query: Query): FieldFault[] {
  const faults = filterFaults(query)
  if (query.cursor !== undefined && (query.page ?? 1) > 1) {
    faults.push({
      field: 'page',
      code: 'not_allowed',
      message: 'a cursor knows where it goes on; send no page with it',
    })
  }
  return faults
}

/** The filters of a query in which `filterFaults` found nothing, as the store takes them. */
export function filterOf(query: FilterQuery): ListFilter {
  return {
    statuses: query.status === undefined ? null : statusesOf(query.status),
    customer: query.customer ?? null,
    customerName: query['customer[is]'] ?? null,
    dates: dateParameters.flatMap(({ field, comparison, name }) => {
      const date = query[name]
      return typeof date === 'string' ? [{ field, comparison, date }] : []
    }),
    numbers: query.number === undefined ? null : numbersBeginning(query.number),
  }
}

/** The query, which `faultsOf` found nothing in, as the store takes it. */
function requestOf(query: Query): { request: PageRequest; page: number; mark: object } {
  const { page, limit, offset } = v1Page(query)
  const filter = filterOf(query)
  const sort = sortOf(query.sort ?? '-created_at', sortFields)
  const mark = { ...filter, numbers: query.number ?? null, sort }
  const after = query.cursor === undefined ? null : decodeCursor(query.cursor, mark)
  return { request: { filter, sort, limit, offset, after }, page, mark }
}

export const listAllInvoices = endpoint({
  id: 'invoices.list',
  version: 'v1',
  category: 'Finance',
  method: 'GET',
  path: '/api/finance/invoices',
  name: 'List invoices',
  description:
    "Invoices, newest first unless `sort` says otherwise, with an exact total. `status=Overdue` is exact at every moment: what is past due in the organization's time zone, issued, and not fully paid. Filtered by nothing but status, in the order of creation, any page of any number of invoices is equally quick; with other filters a cursor serves better than high page numbers.",
  permission: 'invoices:read',
  logBody: 'refusals',
  query: ListQuery,
  reply: Type.Object({ invoices: Type.Array(Invoice), pagination: Pagination }),
  envelope: 'success',
  transaction: 'none',
  sample: {
    query: { status: 'Draft', page: 1, limit: 20 },
    reply: { invoices: [sampleInvoice], pagination: { page: 1, limit: 20, totalCount: 1, nextCursor: null } },
  },
  check: ({ query }) => faultsOf(query),
  async handle({ principal, query, now, services }) {
    const { request, page, mark } = requestOf(query)
    const found = await asOfToday(services, principal, now, today => findPage(services.db, principal, today, request))
    const nextCursor = found.next === null ? null : encodeCursor(found.next, mark)
    const pagination = JSON.stringify({ page, limit: request.limit, totalCount: found.total, nextCursor })
    const reply: JsonText = { jsonText: `{"invoices":[${found.items}],"pagination":${pagination}}` }
    return reply
  },
})
