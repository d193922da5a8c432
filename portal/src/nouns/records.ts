// The records of a list: fetched page behind page as one scrolls, changed where they stand, and followed by the stream; and one by itself.
import { type InfiniteData, useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useLive } from '../data/live.ts'
import { useLiveResource } from '../data/live_records.ts'
import { useSession } from '../session/session.ts'
import { type NounPage, type Patch, useNounApi } from './api.ts'
import type { NounDescription, NounRecord } from './noun.ts'

const pageSize = 50
/** What happens within this time is read at once. */
const gatherMs = 300

export function useRecords(noun: NounDescription, query: Patch) {
  const own = useNounApi(noun)
  const { mode } = useSession()
  const cache = useQueryClient()
  const queryKey = [mode, noun.many, 'list', query]
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      own.list({ ...query, limit: pageSize, ...(pageParam !== undefined && { cursor: pageParam }) }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor ?? undefined,
    placeholderData: old => old,
  })
  const change = (id: string | number, next: (record: NounRecord) => NounRecord | undefined) =>
    cache.setQueryData<InfiniteData<NounPage>>(queryKey, old => old && withRecord(old, id, next))
  const live = useLiveChanges(noun, query['deleted'] === 'true', change, () => void list.refetch())
  const first = list.data?.pages[0]
  const records = list.data?.pages.flatMap(page => page.records) ?? []
  const shown = new Set(records.map(record => String(record.id)))
  return {
    query: list,
    records,
    total: first?.total ?? 0,
    isExact: first?.isExact ?? true,
    /** Puts a record that was changed where it stands. */
    put: (record: NounRecord) => void change(record.id, () => record),
    /** How many were created since and are not shown. */
    unseen: [...live.fresh].filter(id => !shown.has(id)).length,
    show: live.show,
  }
}

export function withRecord(
  data: InfiniteData<NounPage>,
  id: string | number,
  next: (record: NounRecord) => NounRecord | undefined,
): InfiniteData<NounPage> {
  const isIt = (record: NounRecord) => String(record.id) === String(id)
  if (!data.pages.some(page => page.records.some(isIt))) return data
  const pages = data.pages.map(page => ({
    ...page,
    records: page.records.flatMap(record => (isIt(record) ? (next(record) ?? []) : record)),
  }))
  return { ...data, pages }
}

/**
 * A record that is shown changes where it stands; new ones are counted until they are asked for. Of the trash, what is deleted is new, and
 * what is restored goes.
 */
function useLiveChanges(
  noun: NounDescription,
  isTrash: boolean,
  change: (id: string, next: (record: NounRecord) => NounRecord | undefined) => unknown,
  refetch: () => void,
) {
  const { permissions } = useSession()
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useLive(
    [{ events: [`${noun.one}.*`] }],
    message => {
      if (message.event === 'gap') return refetch()
      if (message.event !== 'event') return undefined
      const { type, resourceId, data } = message.data
      const now = data as NounRecord | null
      if (type.endsWith('.created')) return isTrash ? undefined : setFresh(known => new Set([...known, resourceId]))
      if (type.endsWith(isTrash ? '.restored' : '.deleted')) {
        setFresh(known => new Set([...known].filter(id => id !== resourceId)))
        return change(resourceId, () => undefined)
      }
      if (now !== null && now.version !== undefined && !type.endsWith('.deleted'))
        return change(resourceId, old => (old.version > now.version ? old : { ...old, ...now }))
      timer.current ??= setTimeout(() => {
        timer.current = undefined
        refetch()
      }, gatherMs)
      return undefined
    },
    permissions.has('events:read'),
  )
  return {
    fresh,
    show() {
      setFresh(new Set())
      refetch()
    },
  }
}

/** One record, in the mode that the portal is in. */
export function useNounRecord(noun: NounDescription, id: string) {
  const { mode } = useSession()
  const own = useNounApi(noun)
  const query = useQuery({
    queryKey: [mode, noun.one, id],
    queryFn: ({ signal }) => own.get(id, signal),
  })
  useLiveResource(id, [`${noun.one}.*`], () => void query.refetch())
  return query
}
