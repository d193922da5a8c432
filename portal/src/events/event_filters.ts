// What the address of the event log says, what the server is asked for it, and which events of the stream belong into the list.
import type { EventsListParams, TandemEvent } from '@tandem/sdk'
import { withoutNoun } from '../data/inspected_id.ts'
import { chosenOf, type Params } from '../navigation/params.ts'
import { fromStartOfDay } from '../navigation/search_params.ts'

export const filterNames = ['type', 'resourceId', 'createdAfter', 'createdBefore'] as const

/** What the list is asked for. Days begin where the reader is. */
export function queryOf(params: Params): EventsListParams {
  const chosen = withoutNoun(chosenOf(params, filterNames), 'type')
  return fromStartOfDay(fromStartOfDay(chosen, 'createdAfter'), 'createdBefore') as EventsListParams
}

/** Whether a live event belongs into the list as it is filtered. */
export function fits(event: TandemEvent, filters: EventsListParams): boolean {
  const { type, resourceId, createdAfter: after, createdBefore: before } = filters
  const ms = Date.parse(event.timestamp)
  if (resourceId !== undefined && event.resourceId !== resourceId) return false
  if (after !== undefined && ms < Date.parse(after)) return false
  if (before !== undefined && ms >= Date.parse(before)) return false
  if (type === undefined) return true
  return type.endsWith('.*') ? event.type.startsWith(type.slice(0, -1)) : event.type === type
}

/** What is asked for most. */
const common = ['lead', 'invoice', 'message', 'call', 'webhook'] as const

/**
 * Values of the choice of a kind: all of what is asked for most, then all there is, group by group.
 * @param known every type of event; none where they may not be read: then those that are seen
 */
export function kindsOf(known: readonly string[], seen: readonly string[], chosen: string | undefined): string[] {
  const exact = known.length > 0 ? known : [...new Set(seen)].sort()
  const kinds = new Set<string>(common.map(noun => `${noun}.*`))
  for (const type of exact) {
    if (known.length > 0) kinds.add(`${type.split('.')[0]}.*`)
    kinds.add(type)
  }
  if (chosen !== undefined) kinds.add(chosen)
  return [...kinds]
}
