// What is put on a record: read, and changed. What one does is seen at once; what others do, by the stream.
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useLiveRelated } from '../../data/live_records.ts'
import { useSession } from '../../session/session.ts'

export type Attached = {
  /** What its events begin with. */
  kind: 'note' | 'task' | 'attachment' | 'tag'
  /** As notes and files name it: `cmp_…`, `lead:12`. */
  recordId: string
  /** How many of them are asked for, where that changes. */
  limit?: number
}

export function useAttached<Data>({ kind, recordId, limit }: Attached, read: (signal: AbortSignal) => Promise<Data>) {
  const { mode, permissions } = useSession()
  const cache = useQueryClient()
  const queryKey = [mode, 'on a record', kind, recordId]
  const query = useQuery({
    queryKey: limit === undefined ? queryKey : [...queryKey, limit],
    queryFn: ({ signal }) => read(signal),
    // What is shown stays while more of it is on its way.
    placeholderData: limit === undefined ? undefined : keepPreviousData,
    enabled: permissions.has(`${kind}s:read`),
  })
  const changed = () => void cache.invalidateQueries({ queryKey })
  useLiveRelated({
    events: [kind === 'tag' ? 'record.tags_changed' : `${kind}.*`],
    isMine: ({ record_id: of }) => of === recordId,
    onChange: changed,
  })
  return { query, changed }
}
