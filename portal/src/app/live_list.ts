// Lists that follow the event stream: a record that is shown changes where it stands, others are counted until they are
// asked for.
import { type InfiniteData, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Page, withChangedItem } from './lists.ts'
import { type LiveMessage, useLive } from './live.ts'
import { useSession } from './session.ts'

export type LiveListOptions<Item> = {
  list: { items: Item[]; queryKey: readonly unknown[]; query: { refetch(): unknown } }
  /** What the types of its events begin with: `message.`. */
  eventPrefix: string
  idOf(item: Item): string
  /** The item after an event with this snapshot. */
  change(item: Item, snapshot: Record<string, unknown>): Item
}

/** How many records the list does not show yet, and a way to show them. Nobody without events:read hears anything. */
export function useLiveList<Item>(options: LiveListOptions<Item>): { unseen: number; show(): void } {
  const { list, eventPrefix, idOf, change } = options
  const cache = useQueryClient()
  const { permissions } = useSession()
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set())
  const shown = new Set(list.items.map(idOf))
  const hear = (message: LiveMessage) => {
    if (message.event !== 'event' || !message.data.type.startsWith(eventPrefix)) return
    const { resourceId, data } = message.data
    if (!shown.has(resourceId)) {
      setFresh(known => (known.has(resourceId) ? known : new Set([...known, resourceId])))
      return
    }
    cache.setQueryData<InfiniteData<Page<Item>>>(list.queryKey, old =>
      withChangedItem(
        old,
        item => idOf(item) === resourceId,
        item => change(item, data as Record<string, unknown>),
      ),
    )
  }
  useLive(['events'], hear, permissions.has('events:read'))
  return {
    unseen: [...fresh].filter(id => !shown.has(id)).length,
    show() {
      setFresh(new Set())
      void list.query.refetch()
    },
  }
}

/** Calls `onChange` whenever something happens to the resource. */
export function useLiveResource(resourceId: string, onChange: () => void): void {
  const { permissions } = useSession()
  useLive(
    ['events'],
    message => {
      if (message.event === 'event' && message.data.resourceId === resourceId) onChange()
    },
    permissions.has('events:read'),
  )
}
