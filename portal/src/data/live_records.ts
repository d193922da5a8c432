// Messages and calls that follow the stream: a record that is shown changes where it stands; new ones are counted until
// they are asked for, so that nothing moves under the reader's eyes.
import { type InfiniteData, type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSession } from '../session/session.ts'
import { useGathered } from './gathered.ts'
import { type Page, withChangedItem } from './lists.ts'
import { type EventPattern, type LiveMessage, useLive } from './live.ts'

export type LiveRecordsOptions<Item> = {
  list: { items: Item[]; queryKey: QueryKey; query: { isPending: boolean; refetch(): unknown } }
  /** Its events: `message.*`. */
  events: readonly EventPattern[]
  /** Ids grow with time. */
  idOf(item: Item): string
  /** Whether more is to come for a record. */
  isMoving(item: Item): boolean
  /** Whether a record belongs into the list as it is filtered. */
  fits(item: Item): boolean
}

/** How many records stand above the list unseen, and a way to show them. Nobody without events:read hears anything. */
export function useLiveRecords<Item>(options: LiveRecordsOptions<Item>): { unseen: number; show(): void } {
  const { list, events, idOf, isMoving, fits } = options
  const cache = useQueryClient()
  const { permissions } = useSession()
  const key = JSON.stringify(list.queryKey)
  const [fresh, setFresh] = useState<{ key: string; ids: ReadonlySet<string> }>({ key, ids: new Set() })
  const newest = list.items[0] === undefined ? '' : idOf(list.items[0])
  const hear = (message: LiveMessage) => {
    if (message.event === 'gap') return void list.query.refetch()
    if (message.event !== 'event') return undefined
    // An event carries the whole record as it was then, but its history.
    const { resourceId, data } = message.data
    const record = data as Item
    if (resourceId <= newest) {
      cache.setQueryData<InfiniteData<Page<Item>>>(list.queryKey, old =>
        withChangedItem(
          old,
          item => idOf(item) === resourceId,
          item => ({ ...item, ...record }),
        ),
      )
      return undefined
    }
    setFresh(known => {
      const ids = new Set(known.key === key ? known.ids : [])
      if (fits(record)) ids.add(resourceId)
      else ids.delete(resourceId)
      return { key, ids }
    })
    return undefined
  }
  const state = useLive([{ events }], hear, permissions.has('events:read'))
  useCatchUp(state === 'open' && !list.query.isPending, () => {
    if (list.items.some(isMoving)) void list.query.refetch()
  })
  return {
    unseen: fresh.key === key ? [...fresh.ids].filter(id => id > newest).length : 0,
    show() {
      // Only the first page is asked for again, however many are shown.
      cache.setQueryData<InfiniteData<Page<Item>>>(
        list.queryKey,
        old => old && { pages: old.pages.slice(0, 1), pageParams: old.pageParams.slice(0, 1) },
      )
      void list.query.refetch()
    },
  }
}

/** What happens to a record within this time is fetched at once. */
const gatherMs = 200

export type LiveRecordOptions = {
  resourceId: string
  /** Its events: `call.*`. */
  events: readonly EventPattern[]
  /** Whether the record has been read and more is to come; false for records that rest. */
  isMoving: boolean
  onChange(): void
}

/** Calls `onChange` soon after something happened to the resource. */
export function useLiveRecord({ resourceId, events, isMoving, onChange }: LiveRecordOptions): void {
  const { permissions } = useSession()
  const changed = useGathered(onChange, gatherMs)
  const state = useLive(
    [{ events }],
    message => {
      const mine = message.event === 'event' && message.data.resourceId === resourceId
      if (mine || message.event === 'gap') changed()
    },
    permissions.has('events:read'),
  )
  useCatchUp(state === 'open' && isMoving, changed)
}

/** The same for records that rest, such as leads: nothing is missed between reading them and the stream. */
export function useLiveResource(resourceId: string, events: readonly EventPattern[], onChange: () => void): void {
  useLiveRecord({ resourceId, events, isMoving: false, onChange })
}

export type LiveRelatedOptions = {
  /** The events that may concern what is shown: `recording.*`. */
  events: readonly EventPattern[]
  /** Whether what an event carries belongs to what is shown. */
  isMine(data: Readonly<Record<string, unknown>>): boolean
  onChange(): void
}

/** Calls `onChange` when something happened to a record that belongs to the one shown: a recording of a call, a leg of it. */
export function useLiveRelated({ events, isMine, onChange }: LiveRelatedOptions): void {
  const { permissions } = useSession()
  useLive(
    [{ events }],
    message => {
      const mine = message.event === 'event' && isMine((message.data.data ?? {}) as Record<string, unknown>)
      if (mine || message.event === 'gap') onChange()
    },
    permissions.has('events:read'),
  )
}

/** Runs `work` once when `ready` comes true: what happened between the first reading and the stream would be missed. */
function useCatchUp(ready: boolean, work: () => void): void {
  const latest = useRef(work)
  latest.current = work
  useEffect(() => {
    if (ready) latest.current()
  }, [ready])
}
