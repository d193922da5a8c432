// What all transactions have in common: they are found by their ids, move through the tables of tables.ts, and have timers.
// The engine knows when; what an action does is for client.ts and server.ts.
import type { MessageCore } from '../core.ts'
import type { SipHeader, SipMessage, SipRequest, SipResponse } from '../message.ts'
import type { Deadline } from './deadlines.ts'
import { createDeadlines } from './deadlines.ts'
import type { TransactionAction, TransactionEvent, TransactionState, TransactionTable } from './tables.ts'
import type { TimerName, TransactionTimers } from './timers.ts'
import { firstSpan, nextSpan } from './timers.ts'
import type { Flow } from './user.ts'

/** `provisional` is what it repeats or awaits a PRACK for, as a transaction may have several of these timers. */
export type Timer = Deadline & {
  readonly name: TimerName
  readonly transaction: Transaction
  spanMs: number
  readonly provisional: ReliableProvisional | undefined
}

type Common = {
  readonly id: string
  readonly table: TransactionTable
  readonly flow: Flow
  readonly request: SipRequest
  /** Not reported to the user: a CANCEL of ours, or an answer that the layer gave by itself. */
  readonly isQuiet: boolean
  state: TransactionState
  timers: Timer[]
}

export type ClientTransaction = Common & {
  readonly side: 'client'
  /** The headers of a CANCEL that waits for a provisional response. */
  cancelHeaders: readonly SipHeader[] | undefined
  isCancelled: boolean
}

/** RFC 3262: one that must be acknowledged by PRACK. */
export type ReliableProvisional = { readonly rseq: number; readonly response: SipResponse }

export type ServerTransaction = Common & {
  readonly side: 'server'
  /** A request within a dialog has a To tag. */
  readonly hasToTag: boolean
  /** By which copies, ACK and PRACK find it; see `sequenceKey`. */
  readonly sequence: string
  /** The last one that was sent. */
  response: SipResponse | undefined
  isCancelled: boolean
  isAcknowledged: boolean
  unacknowledged: ReliableProvisional[]
}

export type Transaction = ClientTransaction | ServerTransaction

/** What an action works on: the message that is the event, or the timer that fired. */
export type Cause = {
  readonly nowMs: number
  readonly message?: SipMessage
  readonly core?: MessageCore
  readonly flow?: Flow
  readonly provisional?: ReliableProvisional | undefined
}

export type Engine = {
  /** Into its first state; its timers start. */
  begin(transaction: Transaction, nowMs: number): void
  find(id: string): Transaction | undefined
  /** False when the event means nothing in this state. */
  step(transaction: Transaction, event: TransactionEvent, cause: Cause): boolean
  /** Only what the table has for the present state starts, and only what runs over the transport. */
  start(transaction: Transaction, name: TimerName, nowMs: number, provisional?: ReliableProvisional): void
  stop(transaction: Transaction, name: TimerName, provisional?: ReliableProvisional): void
  tick(nowMs: number): void
  clear(): void
  readonly nextDeadlineMs: number | undefined
  readonly size: number
  readonly timerCount: number
}

export function createEngine(
  timers: TransactionTimers,
  perform: (transaction: Transaction, action: TransactionAction, cause: Cause) => void,
  ended: (transaction: Transaction) => void,
): Engine {
  return new TransactionEngine(timers, perform, ended)
}

/** Lives as long as its agent: the transactions that are not terminated, and their timers. */
class TransactionEngine implements Engine {
  private readonly timers: TransactionTimers
  private readonly perform: (transaction: Transaction, action: TransactionAction, cause: Cause) => void
  private readonly ended: (transaction: Transaction) => void
  private readonly transactions = new Map<string, Transaction>()
  private readonly deadlines = createDeadlines<Timer>()

  constructor(
    timers: TransactionTimers,
    perform: (transaction: Transaction, action: TransactionAction, cause: Cause) => void,
    ended: (transaction: Transaction) => void,
  ) {
    this.timers = timers
    this.perform = perform
    this.ended = ended
  }

  /** `spanMs` when it is not the first length. */
  private run(
    transaction: Transaction,
    name: TimerName,
    nowMs: number,
    spanMs: number,
    provisional?: ReliableProvisional,
  ): void {
    const timer: Timer = { name, transaction, spanMs, provisional, atMs: nowMs + spanMs, place: -1 }
    transaction.timers.push(timer)
    this.deadlines.add(timer)
  }

  private spanOf({ flow, request }: Transaction, name: TimerName): number | undefined {
    return firstSpan(name, this.timers, { isReliable: flow.reliable, isInvite: request.method === 'INVITE' })
  }

  start(transaction: Transaction, name: TimerName, nowMs: number, provisional?: ReliableProvisional): void {
    const spanMs = this.spanOf(transaction, name)
    if (spanMs === undefined || transaction.table[transaction.state]?.on[name] === undefined) return
    this.run(transaction, name, nowMs, spanMs, provisional)
  }

  stop(transaction: Transaction, name: TimerName, provisional?: ReliableProvisional): void {
    this.stopWhere(transaction, timer => timer.name === name && timer.provisional === provisional)
  }

  private stopWhere(transaction: Transaction, isUnwanted: (timer: Timer) => boolean): void {
    let kept = 0
    for (const timer of transaction.timers) {
      if (isUnwanted(timer)) this.deadlines.remove(timer)
      else transaction.timers[kept++] = timer
    }
    transaction.timers.length = kept
  }

  /** Returns a timer that is over as soon as it starts. */
  private enter(transaction: Transaction, state: TransactionState, nowMs: number): TimerName | undefined {
    transaction.state = state
    const row = transaction.table[state]
    this.stopWhere(transaction, timer => row?.on[timer.name] === undefined)
    let isOver: TimerName | undefined
    for (const name of row?.starts ?? []) {
      const spanMs = this.spanOf(transaction, name)
      if (spanMs === 0) isOver = name
      else if (spanMs !== undefined) this.run(transaction, name, nowMs, spanMs)
    }
    return isOver
  }

  step(transaction: Transaction, event: TransactionEvent, cause: Cause): boolean {
    const next = transaction.table[transaction.state]?.on[event]
    if (next === undefined) return false
    const isOver = next.to === undefined ? undefined : this.enter(transaction, next.to, cause.nowMs)
    // The user may do anything from within an action, so the state is settled before, and looked at again behind.
    for (const action of next.actions) this.perform(transaction, action, cause)
    if (transaction.state === 'terminated') this.end(transaction)
    else if (isOver !== undefined) this.step(transaction, isOver, cause)
    return true
  }

  private end(transaction: Transaction): void {
    if (this.transactions.get(transaction.id) !== transaction) return
    this.transactions.delete(transaction.id)
    this.ended(transaction)
  }

  private fire(timer: Timer, nowMs: number): void {
    const { transaction, name, provisional } = timer
    const hasProvisional = transaction.state === 'proceeding'
    // From now and not from when it was due: after a pause of the process nothing is made up for in a burst.
    const spanMs = nextSpan(name, timer.spanMs, hasProvisional, this.timers)
    if (spanMs === undefined) transaction.timers.splice(transaction.timers.indexOf(timer), 1)
    else {
      timer.spanMs = spanMs
      timer.atMs = nowMs + spanMs
      this.deadlines.add(timer)
    }
    this.step(transaction, name, { nowMs, provisional })
  }

  begin(transaction: Transaction, nowMs: number): void {
    this.transactions.set(transaction.id, transaction)
    this.enter(transaction, transaction.state, nowMs)
  }

  find(id: string): Transaction | undefined {
    return this.transactions.get(id)
  }

  tick(nowMs: number): void {
    // What starts meanwhile and is due at once waits for the next tick, so that no user can keep this one going.
    const due: Timer[] = []
    for (let timer = this.deadlines.takeDue(nowMs); timer !== undefined; timer = this.deadlines.takeDue(nowMs))
      due.push(timer)
    for (const timer of due) if (timer.transaction.timers.includes(timer)) this.fire(timer, nowMs)
  }

  clear(): void {
    for (const transaction of this.transactions.values()) transaction.timers = []
    this.transactions.clear()
    this.deadlines.clear()
  }

  get nextDeadlineMs(): number | undefined {
    return this.deadlines.nextMs
  }

  get size(): number {
    return this.transactions.size
  }

  get timerCount(): number {
    return this.deadlines.size
  }
}
