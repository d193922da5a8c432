// The logs a stream can tell of. Their items are those of the lists, made by the lists' own functions.
import type { Principal } from '../../../kernel/principal.ts'
import { presentEvent, vocabulary } from '../events/endpoints.ts'
import type { EventRow } from '../events/store.ts'
import { presentRequest } from '../requests/endpoints.ts'
import type { RequestRow } from '../requests/store.ts'
import type { TopicName } from './position.ts'
import { eventFilter, requestFilter, words } from './rules.ts'
import type { Log } from './store.ts'

export type LogRow = { id: string }
export type Filters = { source?: string; eventTypes?: string }

export type Topic = Log & {
  /** Name of its messages. */
  event: string
  present(row: LogRow, mode: Principal['mode']): unknown
  /** The rows that a reader may see and asked for. */
  filter(principal: Principal, filters: Filters): (row: LogRow) => boolean
}

export const topics: Record<TopicName, Topic> = {
  requests: {
    table: 'request_log',
    prefix: 'req',
    event: 'request',
    present: row => presentRequest(row as RequestRow),
    filter(principal, { source }) {
      const tells = requestFilter(principal, words(source))
      return row => tells(row as RequestRow)
    },
  },
  events: {
    table: 'events',
    prefix: 'evt',
    event: 'event',
    present: (row, mode) => presentEvent(row as EventRow, { mode }),
    filter({ permissions }, { eventTypes }) {
      const tells = eventFilter(permissions, vocabulary, words(eventTypes))
      return row => tells(row as EventRow)
    },
  },
}
