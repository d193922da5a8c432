// The logs a stream can send. Their items are those of the lists, made by the lists' own functions.
import type { Principal } from '../../../kernel/access/principal.ts'
import { wordsOf } from '../../../kernel/endpoint/list_query.ts'
import { requestSources } from '../../../kernel/request_log/request_detail.ts'
import { presentSignal, type SignalRow, signalFilter } from '../../conversations/index.ts'
import { type EventRow, presentEvent, vocabulary } from '../events/index.ts'
import { presentRequest, type RequestRow } from '../requests/index.ts'
import type { TopicName } from './position.ts'
import { type Chosen, chosenEvents, eventFilter, requestFilter, words } from './rules.ts'
import type { Log } from './store.ts'

export type LogRow = { id: string }
export type Filters = { source?: string; eventTypes?: string; numbers?: string }

export type Topic = Log & {
  /** Name of its messages. */
  event: string
  /** How long its rows are kept. */
  keptMs: number
  present(row: LogRow, mode: Principal['mode']): unknown
  /** The rows that a reader may see and asked for. */
  filter(principal: Principal, filters: Filters): (row: LogRow) => boolean
  /** What of the same can be asked of the database; undefined where all rows have to be looked at here. */
  chosen?(principal: Principal, filters: Filters): Chosen | undefined
}

const weekMs = 7 * 24 * 3_600_000

function chosenOf({ permissions }: Principal, { eventTypes, numbers }: Filters): Chosen | undefined {
  return chosenEvents(permissions, vocabulary, { types: words(eventTypes), numbers: words(numbers) })
}

export const topics: Record<TopicName, Topic> = {
  requests: {
    table: 'request_log',
    prefix: 'req',
    event: 'request',
    keptMs: weekMs,
    present: row => presentRequest(row as RequestRow),
    filter(principal, { source }) {
      const matches = requestFilter(principal, source === undefined ? undefined : wordsOf(source, requestSources))
      return row => matches(row as RequestRow)
    },
  },
  events: {
    table: 'events',
    prefix: 'evt',
    event: 'event',
    keptMs: weekMs,
    present: (row, mode) => presentEvent(row as EventRow, { mode }),
    filter(principal, filters) {
      const matches = eventFilter(chosenOf(principal, filters))
      return row => matches(row as EventRow)
    },
    chosen: chosenOf,
  },
  conversations: {
    table: 'conversation_signals',
    prefix: 'cns',
    event: 'conversation',
    // They say only that something changed: who was away for long reads the inbox again.
    keptMs: 50 * 60_000,
    present: row => presentSignal(row as SignalRow),
    filter(principal) {
      const matches = signalFilter(principal)
      return row => matches(row as SignalRow)
    },
  },
}
