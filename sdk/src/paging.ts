// Reading a whole list: pages are asked for one after the other while they are read.
import type { ItemList } from './operation.ts'

type Fields = Record<string, unknown>

/** What paging needs to know of a list. */
export type ListShape = {
  /** Name of the records in the page. */
  items: string
  /** Whether the list takes a cursor; else it is read by page number. */
  hasCursor: boolean
}

type V1Pagination = { page: number; limit: number; totalCount: number; nextCursor?: string | null }

/** Larger than the server's own choice: fewer requests for the rate limit; small enough to be quick. */
export const recordsPerPage = 100

export function listAll(
  shape: ListShape,
  fetchPage: (params: Fields) => Promise<unknown>,
  params: Fields = {},
): ItemList<unknown, unknown> {
  async function* pages(): AsyncGenerator<Fields> {
    let next: Fields | undefined = { limit: recordsPerPage, ...params }
    while (next !== undefined) {
      const page = (await fetchPage(next)) as Fields
      yield page
      next = nextParams(shape, next, page)
    }
  }
  async function* items(): AsyncGenerator<unknown> {
    for await (const page of pages()) yield* page[shape.items] as unknown[]
  }
  return {
    [Symbol.asyncIterator]: items,
    pages,
    async toArray(most = Number.POSITIVE_INFINITY) {
      const all: unknown[] = []
      if (most <= 0) return all
      for await (const item of items()) if (all.push(item) >= most) break
      return all
    },
  }
}

/** The fields that ask for the page after this one; undefined after the last. */
function nextParams({ items, hasCursor }: ListShape, params: Fields, page: Fields): Fields | undefined {
  const pagination = (page['pagination'] ?? page) as V1Pagination
  if (hasCursor) {
    const { nextCursor } = pagination
    // A cursor goes on from where it stands; a page number beside it would contradict it.
    return nextCursor == null ? undefined : { ...params, page: undefined, cursor: nextCursor }
  }
  const isLast = (page[items] as unknown[]).length === 0 || pagination.page * pagination.limit >= pagination.totalCount
  return isLast ? undefined : { ...params, page: pagination.page + 1 }
}
