// The four machines of RFC 3261 §17 as tables: figures 5 to 8, INVITE as RFC 6026 corrected it (its figures 4 and 5). What
// happens in a state and is not in its table is ignored. What the actions do stands in client.ts and server.ts.
import type { TimerName } from './timers.ts'

export type TransactionState =
  | 'calling'
  | 'trying'
  | 'proceeding'
  | 'accepted'
  | 'completed'
  | 'confirmed'
  | 'terminated'

/** A message (a client's from the network, a server's from its core), or a timer that fires. */
export type TransactionEvent = '1xx' | '2xx' | '3xx-6xx' | 'request' | 'ack' | TimerName

/**
 * - 'repeat': sends the last message again. 'send': sends the response that the core gave.
 * - 'pass': to the core; 'pass_stray': as a response without a transaction; 'report_timeout', 'report_failure': `onFailure`.
 * - 'ack': the ACK of a refused INVITE. 'cancel': sends the CANCEL that waited for a provisional response.
 * - 'trying': sends 100. 'repeat_reliable', 'report_unacknowledged': of a reliable provisional response.
 * - 'acknowledged': the 2xx is not repeated any more, and the core gets the ACK. 'expect_ack': a timeout when none came.
 */
export type TransactionAction =
  | 'repeat'
  | 'send'
  | 'pass'
  | 'pass_stray'
  | 'report_timeout'
  | 'report_failure'
  | 'ack'
  | 'cancel'
  | 'trying'
  | 'repeat_reliable'
  | 'report_unacknowledged'
  | 'acknowledged'
  | 'expect_ack'

export type TransactionStep = {
  /** Undefined: the state stays. */
  readonly to: TransactionState | undefined
  readonly actions: readonly TransactionAction[]
}

/** `starts`: timers that start on entering. On leaving, timers end that the next state does not have in its table. */
export type TransactionTable = Partial<
  Record<
    TransactionState,
    {
      readonly starts: readonly TimerName[]
      readonly on: { readonly [Event in TransactionEvent]?: TransactionStep }
    }
  >
>

const stay = (...actions: TransactionAction[]): TransactionStep => ({ to: undefined, actions })
const go = (to: TransactionState, ...actions: TransactionAction[]): TransactionStep => ({ to, actions })
const end = (...actions: TransactionAction[]): TransactionStep => go('terminated', ...actions)

/** §17.1.1, figure 5; RFC 6026 §7.2, figure 4. */
export const inviteClient: TransactionTable = {
  calling: {
    starts: ['A', 'B'],
    on: {
      A: stay('repeat'),
      B: end('report_timeout'),
      transport: end('report_failure'),
      '1xx': go('proceeding', 'pass', 'cancel'),
      '2xx': go('accepted', 'pass'),
      '3xx-6xx': go('completed', 'ack', 'pass'),
    },
  },
  proceeding: {
    starts: [],
    on: {
      cancel: end('report_timeout'),
      '1xx': stay('pass'),
      '2xx': go('accepted', 'pass'),
      '3xx-6xx': go('completed', 'ack', 'pass'),
    },
  },
  accepted: { starts: ['M'], on: { M: end(), '2xx': stay('pass') } },
  completed: {
    starts: ['D'],
    on: {
      D: end(),
      // The core has its response already: it is not passed a second outcome because an ACK was lost.
      transport: end(),
      '3xx-6xx': stay('ack'),
      // Of another branch, by a proxy that forks without a state: that telephone must be hung up.
      '2xx': stay('pass_stray'),
    },
  },
}

/** §17.1.2, figure 6. */
export const otherClient: TransactionTable = {
  trying: {
    starts: ['E', 'F'],
    on: {
      E: stay('repeat'),
      F: end('report_timeout'),
      transport: end('report_failure'),
      '1xx': go('proceeding', 'pass'),
      '2xx': go('completed', 'pass'),
      '3xx-6xx': go('completed', 'pass'),
    },
  },
  proceeding: {
    starts: [],
    on: {
      E: stay('repeat'),
      F: end('report_timeout'),
      transport: end('report_failure'),
      '1xx': stay('pass'),
      '2xx': go('completed', 'pass'),
      '3xx-6xx': go('completed', 'pass'),
    },
  },
  completed: { starts: ['K'], on: { K: end() } },
}

/** §17.2.1, figure 7; RFC 6026 §7.1, figure 5; the repetitions of §13.3.1.4 and RFC 3262 §3. */
export const inviteServer: TransactionTable = {
  proceeding: {
    starts: ['trying'],
    on: {
      trying: stay('trying'),
      reliable: stay('repeat_reliable'),
      prack: stay('report_unacknowledged'),
      transport: stay('report_failure'),
      request: stay('repeat'),
      '1xx': stay('send'),
      '2xx': go('accepted', 'send'),
      '3xx-6xx': go('completed', 'send'),
    },
  },
  accepted: {
    starts: ['again', 'L'],
    on: {
      again: stay('repeat'),
      L: end('expect_ack'),
      transport: stay('report_failure'),
      request: stay(),
      ack: stay('acknowledged'),
      '2xx': stay('send'),
    },
  },
  completed: {
    starts: ['G', 'H'],
    on: {
      G: stay('repeat'),
      H: end('report_timeout'),
      transport: stay('report_failure'),
      request: stay('repeat'),
      ack: go('confirmed'),
    },
  },
  confirmed: { starts: ['I'], on: { I: end(), request: stay(), ack: stay() } },
}

/**
 * §17.2.2, figure 8; RFC 4320 §4. Unlike there, a transport that fails does not end it, as RFC 6026 has it for INVITE: the next
 * copy of the request would be a new one, and be carried out twice. For the same reason one that the core left unanswered still
 * waits for timer J.
 */
export const otherServer: TransactionTable = {
  trying: {
    starts: ['trying', 'answer'],
    on: {
      trying: go('proceeding', 'trying'),
      answer: go('completed', 'report_timeout'),
      request: stay(),
      '1xx': go('proceeding', 'send'),
      '2xx': go('completed', 'send'),
      '3xx-6xx': go('completed', 'send'),
    },
  },
  proceeding: {
    starts: [],
    on: {
      answer: go('completed', 'report_timeout'),
      transport: stay('report_failure'),
      request: stay('repeat'),
      '1xx': stay('send'),
      '2xx': go('completed', 'send'),
      '3xx-6xx': go('completed', 'send'),
    },
  },
  completed: {
    starts: ['J'],
    on: { J: end(), transport: stay('report_failure'), request: stay('repeat') },
  },
}

/** The event that a response is, of the network or of the core. */
export function statusEvent(status: number): '1xx' | '2xx' | '3xx-6xx' {
  if (status < 200) return '1xx'
  return status < 300 ? '2xx' : '3xx-6xx'
}
