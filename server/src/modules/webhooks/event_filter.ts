// Which types of events are wanted, as webhooks and listeners are asked for them.
import { Type } from 'typebox'
import { Nullable } from '../../kernel/endpoint/schema.ts'
import { isEventFilter, nearestEventFilter } from '../../kernel/values/event_types.ts'
import type { FieldFault } from '../../kernel/values/problem.ts'

export const eventTypesInput = Nullable(
  Type.Array(Type.String({ maxLength: 100 }), {
    minItems: 1,
    maxItems: 100,
    uniqueItems: true,
    description:
      'What to hear of: types such as message.delivered, or message.* for all of messages; left out or null: everything. ' +
      'GET /v2/webhooks/event-types lists them.',
  }),
)

/** Types that do not exist, each with the one that was probably meant. */
export function typeFaults(filters: readonly string[] | null | undefined): FieldFault[] {
  return (filters ?? []).flatMap((filter, index) => {
    if (isEventFilter(filter)) return []
    const message = `is no type of event; did you mean ${nearestEventFilter(filter)}?`
    return [{ field: `eventTypes[${index}]`, code: 'unknown_event_type', message }]
  })
}
