// What is put on a record: read, and changed. What one does is seen at once; what others do, by the stream.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useLiveRelated } from '../../data/live_records.ts'
import { useSession } from '../../session/session.ts'

/** @param recordId as notes and files name it: `cmp_…`, `lead:12` @param kind what its events begin with */
export function useAttached<Item>(
  kind: 'note' | 'task' | 'attachment' | 'tag',
  recordId: string,
  read: (signal: AbortSignal) => Promise<readonly Item[]>,
) {
  const { mode, permissions } = useSession()
  const cache = useQueryClient()
  const queryKey = [mode, 'on a record', kind, recordId]
  const query = useQuery({ queryKey, queryFn: ({ signal }) => read(signal), enabled: permissions.has(`${kind}s:read`) })
  const changed = () => void cache.invalidateQueries({ queryKey })
  useLiveRelated({
    events: [kind === 'tag' ? 'record.tags_changed' : `${kind}.*`],
    isMine: ({ record_id: of }) => of === recordId,
    onChange: changed,
  })
  return { query, items: query.data ?? [], changed }
}
