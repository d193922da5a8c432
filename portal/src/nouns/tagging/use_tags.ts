// The tags of the organization, and those of the records that a list shows.
import type { Tag } from '@tandem/sdk'
import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useGathered } from '../../data/gathered.ts'
import { useLiveRelated } from '../../data/live_records.ts'
import { useApi } from '../../session/api.ts'
import { useSession } from '../../session/session.ts'
import { type NounDescription, type NounRecord, recordIdOf } from '../noun.ts'

export type AssignedTag = { id: string; name: string; color: Tag['color'] }

const pageSize = 200
/** More tags than anybody looks through. */
const maxPages = 5

/** All tags, by name. */
export function useAllTags() {
  const api = useApi()
  const { mode } = useSession()
  return useQuery({
    queryKey: [mode, 'tags', 'all'],
    async queryFn({ signal }) {
      const tags: AssignedTag[] = []
      for (let page = 1; page <= maxPages; page++) {
        const reply = await api.tags.list({ sort: 'name', limit: pageSize, page }, { signal })
        tags.push(...(reply.tags as AssignedTag[]))
        if (reply.pagination.nextCursor === null) break
      }
      return tags
    },
  })
}

/** So many records one request asks about. */
const recordsAtOnce = 100
/** Changes within this time are read at once. */
const gatherMs = 300

/** The tags of records by their ids, as they are while others change them. @param isShown whether they are asked for at all */
export function useTagsOf(
  noun: NounDescription,
  records: readonly NounRecord[],
  isShown: boolean,
): ReadonlyMap<string, readonly AssignedTag[]> {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const ids = isShown ? records.map(({ id }) => recordIdOf(noun, id)) : []
  const parts = Array.from({ length: Math.ceil(ids.length / recordsAtOnce) }, (_, at) =>
    ids.slice(at * recordsAtOnce, (at + 1) * recordsAtOnce).join(','),
  )
  const queries = useQueries({
    queries: parts.map(part => ({
      queryKey: [mode, 'tags of', part],
      queryFn: async ({ signal }: { signal: AbortSignal }) =>
        (await api.tags.assigned({ record_ids: part }, { signal })).tagged_records,
    })),
  })
  const changed = useGathered(() => cache.invalidateQueries({ queryKey: [mode, 'tags of'] }), gatherMs)
  useLiveRelated({
    events: ['record.tags_changed'],
    isMine: ({ record_id: of }) => ids.includes(String(of)),
    onChange() {
      if (ids.length > 0) changed()
    },
  })
  return new Map(queries.flatMap(({ data = [] }) => data.map(({ record_id: id, tags }) => [id, tags as AssignedTag[]])))
}
