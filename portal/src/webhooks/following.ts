// Deliveries change without an event that reports it: while one is due, what is shown is read again at growing distance, and
// no more once it has come to rest. Lists also hear of events, each of which may bring a delivery.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { type EventPattern, useLive } from '../data/live.ts'
import { useSession } from '../session/session.ts'
import type { Delivery } from './outcome.ts'

/** How long after it is due a delivery is looked for, again and again, until it has changed; then it is left alone. */
const pacesMs = [250, 350, 500, 1_000, 2_000, 4_000, 8_000, 15_000]
/** However much happens, what is shown is read again no more often. */
const leastMs = 1_000

type Moving = Pick<Delivery, 'deliveryId' | 'status' | 'attempts' | 'nextAttemptAt'>

/** When the first of them is tried next, in milliseconds since 1970; 0 for now; undefined when all have come to rest. */
function dueMsOf(deliveries: readonly Moving[]): number | undefined {
  const pending = deliveries.filter(({ status }) => status === 'pending')
  if (pending.length === 0) return undefined
  return Math.min(...pending.map(({ nextAttemptAt }) => (nextAttemptAt === null ? 0 : Date.parse(nextAttemptAt))))
}

/** Calls `read` when one of the deliveries that are shown is due, until it has changed or does not seem to. */
export function useFollowing(deliveries: readonly Moving[], read: () => unknown): void {
  const dueMs = dueMsOf(deliveries)
  const seen = deliveries.map(({ deliveryId, status, attempts }) => `${deliveryId} ${status} ${attempts}`).join()
  const latest = useRef(read)
  latest.current = read
  const readMs = useRef(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was seen to change sets the pace back
  useEffect(() => {
    if (dueMs === undefined) return undefined
    let looks = 0
    let ended = false
    const restMs = readMs.current + leastMs - Date.now()
    let timer: ReturnType<typeof setTimeout> | undefined
    const next = () => {
      const paceMs = pacesMs[looks++]
      if (paceMs === undefined || ended) return
      const waitMs = Math.max(paceMs, looks === 1 ? restMs : 0)
      timer = setTimeout(
        async () => {
          readMs.current = Date.now()
          await latest.current()
          next()
        },
        Math.max(0, dueMs - Date.now()) + waitMs,
      )
    }
    next()
    return () => {
      ended = true
      clearTimeout(timer)
    }
  }, [dueMs, seen])
}

/** What happens within this time is looked for at once. */
const gatherMs = 400

/**
 * Calls `read` soon after an event that may be delivered; those without events:read hear nothing.
 * @param events null for all
 */
export function useDeliverable(
  events: readonly string[] | null,
  read: () => unknown,
  mayConcern: (type: string, resourceId: string) => boolean = () => true,
): void {
  const { permissions } = useSession()
  const latest = useRef(read)
  latest.current = read
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const readMs = useRef(0)
  useLive(
    [events === null ? 'events' : { events: events as readonly EventPattern[] }],
    message => {
      if (message.event === 'event' && !mayConcern(message.data.type, message.data.resourceId)) return
      if (message.event !== 'event' && message.event !== 'gap') return
      const waitMs = Math.max(gatherMs, readMs.current + leastMs - Date.now())
      timer.current ??= setTimeout(() => {
        timer.current = undefined
        readMs.current = Date.now()
        void latest.current()
      }, waitMs)
    },
    permissions.has('events:read'),
  )
  useEffect(
    () => () => {
      clearTimeout(timer.current)
      timer.current = undefined
    },
    [],
  )
}

/** Whether events of a type are sent to a webhook with these types; null is all. */
export function hears(eventTypes: readonly string[] | null, type: string): boolean {
  return eventTypes === null || eventTypes.includes(type) || eventTypes.includes(`${type.split('.')[0]}.*`)
}

/**
 * What is read again, in this order: a delivery and the state of its webhook change in one moment, and nothing asks again
 * once the deliveries rest, so that the webhook must be read after them.
 */
const turns = [['deliveries'], ['webhooks', 'webhook']]

/** Reads again, in all that is shown, what is known of webhooks and their deliveries; of one delivery when it is named. */
export function useRefreshed(): (deliveryId?: string) => Promise<void> {
  const cache = useQueryClient()
  const { mode } = useSession()
  return async deliveryId => {
    for (const [turn, kinds] of turns.entries())
      await cache.invalidateQueries({
        predicate: ({ queryKey: [ofMode, kind, id] }) =>
          ofMode === mode &&
          (kinds.includes(String(kind)) || (turn === 0 && deliveryId !== undefined && id === deliveryId)),
      })
  }
}
