// Public ids of deliveries, and the lanes they wait in. A delivery is an event and a target, and is stored as that; its id
// follows from both, so that it is known before anything is stored. As webhook_delivery_id of 0004_webhooks.sql.
import { createHash } from 'node:crypto'

/** The target of what goes to callback URLs; that of a webhook is its id. */
export const callbackTarget = 'callback'

/** The time of the event, and 64 bits that stand for event and target. */
export function deliveryIdOf(eventId: string, target: string): string {
  return `dlv_${eventId.slice(4, 14)}${createHash('sha256').update(`${eventId} ${target}`).digest('hex').slice(0, 16)}`
}

/** Events that a delivery can be of, by its id: those of one millisecond. */
export function eventsOf(deliveryId: string): { first: string; last: string } {
  const time = `evt_${deliveryId.slice(4, 14)}`
  return { first: time + '0'.repeat(16), last: time + 'z'.repeat(16) }
}

const lanePrefix = 'cb:'

export function isCallbackLane(lane: string): boolean {
  return lane.startsWith(lanePrefix)
}
