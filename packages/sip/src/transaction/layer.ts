// The transaction layer (RFC 3261 §17, RFC 6026): between the user, which speaks in requests and answers, and a network that
// loses, repeats and reorders. It is driven by messages and by time, and does nothing by itself: anyone who runs it calls `tick`
// at `nextDeadlineMs`, which any call may have changed.
import type { MessageCore } from '../core.ts'
import type { SipHeader, SipMessage, SipRequest, SipResponse } from '../message.ts'
import { createClients } from './client.ts'
import { createEngine } from './engine.ts'
import { createServers } from './server.ts'
import type { TransactionState } from './tables.ts'
import type { TransactionTimers } from './timers.ts'
import { checkTransactionTimers, defaultTransactionTimers } from './timers.ts'
import type { Flow, TransactionUser } from './user.ts'

export type TransactionLayerOptions = {
  user: TransactionUser
  timers?: Partial<TransactionTimers>
  /** Strong randomness, as `randomBytes` of node:crypto: branches must not be guessed. */
  random(bytes: number): Buffer
  /**
   * At so many, further requests from outside are answered 503 and forgotten; those within dialogs and CANCEL only at twice as
   * many, and ours always go out. Left out: 100,000.
   */
  maxTransactions?: number
}

/** Times are in ms of one clock that does not go back. */
export type TransactionLayer = {
  /**
   * A message from the network. The top Via of a request has its `received` and `rport` already (see `withReceived`), as
   * responses copy them.
   */
  receive(message: SipMessage, core: MessageCore, flow: Flow, nowMs: number): void
  /** Whether a request from the network is of a transaction that there is: a copy, or the CANCEL of one. */
  knows(request: SipRequest, core: MessageCore): boolean
  /**
   * Sends a request and returns the id of its transaction. Its top Via needs sent-by and gets a fresh branch, or the one that
   * is given: a call that is stored before it is dialled has its own, so that it can be cancelled after a crash. Throws a RangeError
   * for ACK and CANCEL: the ACK of a 2xx is sent without a transaction, and CANCEL by `cancel`.
   */
  request(request: SipRequest, flow: Flow, nowMs: number, branch?: string): string
  /**
   * Sends a response; it is repeated as far as its kind wants it: 2xx of an INVITE and provisional ones with RSeq over any
   * transport until ACK or PRACK come (the next one with RSeq only after the first PRACK, RFC 3262 §3). False when it came too
   * late: the transaction is gone or has its final response.
   */
  respond(transaction: string, response: SipResponse, nowMs: number): boolean
  /**
   * Ends an INVITE of ours (§9.1): CANCEL goes out when a provisional response is there, and with `headers`, as Reason. The
   * INVITE still ends by a final response (487, or a 2xx that was faster), by timer B, or by a timeout 64*T1 after the CANCEL.
   * False when there is nothing to cancel.
   */
  cancel(transaction: string, nowMs: number, headers?: readonly SipHeader[]): boolean
  /**
   * The 2xx of an INVITE is not repeated any more. ACKs with the INVITE's tags, Call-ID and CSeq are seen by the layer itself;
   * this is for a user that knows otherwise.
   */
  acked(transaction: string): boolean
  /**
   * To be called with each PRACK: the INVITE whose reliable provisional response it acknowledges, which is not repeated any
   * more; undefined when there is none, and the PRACK deserves a 481 (RFC 3262 §3).
   */
  pracked(request: SipRequest, core: MessageCore): string | undefined
  /**
   * What was sent for this transaction did not get away. May be called from within `send`; reported at the next tick. It means
   * nothing to a transaction that waits for nothing but time, or is gone.
   */
  transportFailed(transaction: string, nowMs: number): void
  /** What is due. */
  tick(nowMs: number): void
  /** Forgets all; nobody is notified. */
  clear(): void
  /** For traces and tests. */
  state(transaction: string): TransactionState | undefined
  /** Undefined while nothing is to be waited for. */
  readonly nextDeadlineMs: number | undefined
  /** Transactions. */
  readonly size: number
  /** Timers that run. */
  readonly timerCount: number
}

export function createTransactionLayer(options: TransactionLayerOptions): TransactionLayer {
  const { user, random, maxTransactions = 100_000 } = options
  const timers = checkTransactionTimers({ ...defaultTransactionTimers, ...options.timers })
  const engine = createEngine(
    timers,
    (transaction, action, cause) => {
      if (transaction.side === 'client') clients.perform(transaction, action, cause)
      else servers.perform(transaction, action, cause)
    },
    transaction => {
      if (transaction.side === 'server') servers.forget(transaction)
      if (!transaction.isQuiet) user.onEnd(transaction.id)
    },
  )
  const clients = createClients(engine, user, random)
  const servers = createServers(engine, user, { random, maxTransactions })

  return {
    receive(message, core, flow, nowMs) {
      if (message.kind === 'response') clients.receive(message, core, nowMs)
      else servers.receive(message, core, flow, nowMs)
    },
    knows: (request, core) => servers.knows(request, core),
    request: (request, flow, nowMs, branch) => clients.request(request, flow, nowMs, branch),
    respond: (transaction, response, nowMs) => servers.respond(transaction, response, nowMs),
    cancel: (transaction, nowMs, headers = []) => clients.cancel(transaction, nowMs, headers),
    acked: transaction => servers.acked(transaction),
    pracked: (request, core) => servers.pracked(request, core),
    transportFailed(id, nowMs) {
      const transaction = engine.find(id)
      if (transaction === undefined) return
      // Once is enough, whatever else did not get away meanwhile.
      engine.stop(transaction, 'transport')
      engine.start(transaction, 'transport', nowMs)
    },
    tick: nowMs => engine.tick(nowMs),
    clear() {
      engine.clear()
      servers.clear()
    },
    state: id => engine.find(id)?.state,
    get nextDeadlineMs() {
      return engine.nextDeadlineMs
    },
    get size() {
      return engine.size
    },
    get timerCount() {
      return engine.timerCount
    },
  }
}
