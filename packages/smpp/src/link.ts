// One connection that speaks SMPP, whichever side we are: requests out and their responses, requests in, timers, the
// window, and what is done about a peer that errs, falls silent or does not read. Who may say what is up to its user.
import type { Socket } from 'node:net'
import type { CommandName } from './commands.ts'
import type { PduFault } from './decode.ts'
import { answerTo } from './decode.ts'
import type { AnyFields } from './encode.ts'
import { createOutbox } from './outbox.ts'
import type { RequestFailure } from './outcome.ts'
import { requestFailure } from './outcome.ts'
import type { FieldsOf, Pdu, PduInput, RequestName } from './pdu.ts'
import { createPduReader } from './reader.ts'
import type { Clock } from './timing.ts'
import { describePdu } from './trace.ts'

/** What a link has counted since it began. */
export type LinkCounters = {
  pdusIn: number
  pdusOut: number
  octetsIn: number
  octetsOut: number
  writes: number
  faults: number
  timeouts: number
  lateResponses: number
  unexpectedResponses: number
}

/** `text` is `describePdu` of it; `atMs` is of the clock. */
export type TraceEvent = { direction: 'in' | 'out'; atMs: number; text: string }

export type LinkOptions = {
  clock: Clock
  /** Requests of ours that may be unanswered at once; enquire_link, bind and unbind do not count. */
  window: number
  /** How many requests of the peer are worked on before no more are read. */
  maxHandling: number
  responseTimeoutMs: number
  /** After this long without a whole PDU from the peer it is asked whether it is there. */
  enquireLinkMs: number
  maxPduLength: number
  onTrace?: ((event: TraceEvent) => void) | undefined
}

export type LinkHandlers = {
  /** A request, but for enquire_link. What it returns is waited for before its place is free again. */
  onRequest(pdu: Pdu): Promise<void> | undefined
  /** A malformed PDU, after it was answered. */
  onFault(fault: PduFault): void
  /** A response to a request that had been given up. */
  onLateResponse(request: { command: RequestName; fields: AnyFields; sentMs: number }, response: Pdu): void
  /** There is room again in the window, or nothing is under way any more. */
  onRoom(): void
  /**
   * The connection is gone; everything under way has been settled.
   * @param silentMs where the peer had fallen silent: how long nothing had come from it
   */
  onClosed(reason: string, silentMs: number): void
}

type Settle = (response: Pdu | null, failure: RequestFailure | null) => void

type Pending = {
  command: RequestName
  fields: AnyFields
  settle: Settle
  isWindowed: boolean
  sentMs: number
  /** How many PDUs had been added to the outbox with this one. */
  ordinal: number
}

const maxSequence = 0x7fffffff
const maxMissedEnquiries = 2
/** How long the peer may take to close its side before the connection is cut. */
const closeMs = 2000
/** Requests given up whose response would still be reported. */
const maxExpired = 10_000
/** So many PDUs in a row that are malformed or answer nothing come only from a peer that floods. */
const maxUseless = 1000

/** Lives as long as its connection: the requests that have no response, and the timers of both. */
export class Link {
  private readonly socket: Socket
  private readonly options: LinkOptions
  private readonly handlers: LinkHandlers
  private readonly clock: LinkOptions['clock']
  private readonly onTrace: LinkOptions['onTrace']
  private readonly reader
  readonly counters: LinkCounters = {
    pdusIn: 0,
    pdusOut: 0,
    octetsIn: 0,
    octetsOut: 0,
    writes: 0,
    faults: 0,
    timeouts: 0,
    lateResponses: 0,
    unexpectedResponses: 0,
  }
  private readonly outbox
  // In the order of sending, which is the order of expiring too: all wait equally long.
  private readonly pending = new Map<number, Pending>()
  private readonly expired = new Map<number, Pending>()
  private windowed = 0
  private handledNow = 0
  /** Since the last PDU that was of use. */
  private useless = 0
  private sequence = 0
  private expiryTimer: unknown
  private idleTimer: unknown
  private closeTimer: unknown
  private heardMs
  private missedEnquiries = 0
  private silentMs = 0
  private closeReason: string | undefined
  private isClosed = false

  constructor(socket: Socket, options: LinkOptions, handlers: LinkHandlers) {
    this.socket = socket
    this.options = options
    this.handlers = handlers
    const { clock, onTrace } = options
    this.clock = clock
    this.onTrace = onTrace
    this.reader = createPduReader({ maxLength: options.maxPduLength })
    this.outbox = createOutbox(socket, octets => {
      this.counters.writes += 1
      this.counters.octetsOut += octets
    })
    this.heardMs = clock.now()
    socket.setNoDelay(true)
    socket.on('data', (chunk: Buffer) => this.onData(chunk))
    socket.on('drain', () => {
      this.outbox.isBlocked = false
      this.resume()
      if (this.isOpen()) handlers.onRoom()
    })
    socket.on('error', error => {
      this.closeReason ??= `the connection failed: ${error.message}`
    })
    socket.on('close', () => this.onClosed())
    this.idleTimer = clock.setTimeout(() => this.superviseIdle(), options.enquireLinkMs)
  }

  isOpen() {
    return this.closeReason === undefined && !this.isClosed
  }

  private write(command: CommandName, status: number, number: number, fields: AnyFields): void {
    this.outbox.add({ command, status, sequence: number }, fields)
    this.counters.pdusOut += 1
    if (this.onTrace !== undefined)
      this.trace('out', describePdu({ ...fields, command, status, sequence: number } as PduInput))
  }

  private trace(direction: 'in' | 'out', text: string): void {
    this.onTrace?.({ direction, atMs: this.clock.now(), text })
  }

  private nextSequence(): number {
    do {
      this.sequence = this.sequence === maxSequence ? 1 : this.sequence + 1
    } while (this.pending.has(this.sequence) || this.expired.has(this.sequence))
    return this.sequence
  }

  /** Sends a request; `settle` is called exactly once. Whether the window has room is for the caller to see. */
  send<Name extends RequestName>(command: Name, fields: FieldsOf<Name>, isWindowed: boolean, settle: Settle) {
    if (!this.isOpen()) return settle(null, requestFailure('not_written', 'link_lost', `${command}: the link is down`))
    const number = this.nextSequence()
    try {
      this.write(command, 0, number, fields)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return settle(null, requestFailure('not_written', 'invalid', error.message))
    }
    const sentMs = this.clock.now()
    this.pending.set(number, { command, fields, settle, isWindowed, sentMs, ordinal: this.outbox.added })
    if (isWindowed) this.windowed += 1
    this.expiryTimer ??= this.clock.setTimeout(() => this.expire(), this.options.responseTimeoutMs)
  }

  /** Answers a request. On a link that we have ended, or that is gone, it does nothing: the peer will ask again. */
  respond(command: CommandName, status: number, number: number, fields: AnyFields = {}): void {
    if (this.isOpen()) this.write(command, status, number, fields)
  }

  private take(number: number, entry: Pending): void {
    this.pending.delete(number)
    if (entry.isWindowed) this.windowed -= 1
  }

  private expire(): void {
    this.expiryTimer = undefined
    const limitMs = this.clock.now() - this.options.responseTimeoutMs
    let hasExpired = false
    for (const [number, entry] of this.pending) {
      if (entry.sentMs > limitMs) {
        this.expiryTimer = this.clock.setTimeout(() => this.expire(), entry.sentMs - limitMs)
        break
      }
      this.counters.timeouts += 1
      hasExpired = true
      const seconds = this.options.responseTimeoutMs / 1000
      this.abandon(
        number,
        entry,
        requestFailure('unanswered', 'timeout', `${entry.command}: no response for ${seconds} s`),
      )
    }
    if (hasExpired && this.isOpen()) this.handlers.onRoom()
  }

  /** Stops waiting for a response; one that comes all the same is reported as late. */
  private abandon(number: number, entry: Pending, failure: RequestFailure): void {
    this.take(number, entry)
    this.rememberExpired(number, entry)
    entry.settle(null, failure)
  }

  /** Settles every windowed request that has no response yet. */
  giveUp(reason: string): void {
    // What is not written would go out behind the answer that it was given up.
    this.outbox.flush()
    for (const [number, entry] of this.pending) {
      if (!entry.isWindowed) continue
      const outcome = entry.ordinal <= this.outbox.flushed ? 'unanswered' : 'not_written'
      this.abandon(number, entry, requestFailure(outcome, 'closing', `${entry.command}: ${reason}`))
    }
  }

  private rememberExpired(number: number, entry: Pending): void {
    this.expired.set(number, entry)
    if (this.expired.size > maxExpired) this.expired.delete(this.expired.keys().next().value!)
  }

  private onResponse(pdu: Pdu): void {
    const entry = this.pending.get(pdu.sequence)
    const asked = entry ?? this.expired.get(pdu.sequence)
    if (asked === undefined || (pdu.command !== 'generic_nack' && pdu.command !== answerTo(asked.command))) {
      this.counters.unexpectedResponses += 1
      this.countUseless()
      return
    }
    this.useless = 0
    if (entry === undefined) {
      this.expired.delete(pdu.sequence)
      this.counters.lateResponses += 1
      this.handlers.onLateResponse(asked, pdu)
    } else {
      this.take(pdu.sequence, entry)
      entry.settle(pdu, null)
      if (entry.isWindowed) this.handlers.onRoom()
    }
  }

  private onFault(fault: PduFault): void {
    this.counters.faults += 1
    if (fault.answer !== null) this.respond(fault.answer, fault.status, fault.sequence)
    else if (fault.command !== undefined) this.onFaultyResponse(fault)
    this.handlers.onFault(fault)
    if (fault.fatal) this.end(`the peer sent octets that are no PDU: ${fault.detail}`)
    else this.countUseless()
  }

  /** A flood of what is nothing to us would keep a processor busy for ever. */
  private countUseless(): void {
    this.useless += 1
    if (this.useless >= maxUseless) this.destroy(`${maxUseless} PDUs in a row were malformed or answered nothing`)
  }

  /** A refusal is one whatever else is wrong with it; of a malformed success nothing is sure. */
  private onFaultyResponse({ command, commandStatus, sequence: number, detail }: PduFault): void {
    const entry = this.pending.get(number)
    if (entry === undefined || answerTo(entry.command) !== command) return
    if (commandStatus !== 0) {
      this.onResponse({ command: 'generic_nack', status: commandStatus, sequence: number, tlvs: {} })
    } else {
      this.take(number, entry)
      entry.settle(null, requestFailure('unanswered', 'malformed_response', `${entry.command}: ${detail}`))
      if (entry.isWindowed) this.handlers.onRoom()
    }
  }

  private onRequest(pdu: Pdu): void {
    const done = this.handlers.onRequest(pdu)
    if (done === undefined) return
    this.handledNow += 1
    const leave = () => {
      this.handledNow -= 1
      if (this.handledNow < this.options.maxHandling) this.resume()
      if (this.isOpen()) this.handlers.onRoom()
    }
    done.then(leave, leave)
  }

  private onPdu(pdu: Pdu): void {
    const isResponse = pdu.command === 'generic_nack' || pdu.command.endsWith('_resp')
    if (!isResponse) this.useless = 0
    if (isResponse) this.onResponse(pdu)
    else if (pdu.command === 'enquire_link') this.respond('enquire_link_resp', 0, pdu.sequence)
    else this.onRequest(pdu)
  }

  private onData(chunk: Buffer): void {
    this.counters.octetsIn += chunk.length
    const items = this.reader.push(chunk)
    if (items.length === 0) return
    this.heardMs = this.clock.now()
    for (const item of items) {
      if (this.isClosed) return
      this.counters.pdusIn += 1
      if (this.onTrace !== undefined) this.trace('in', describePdu(item))
      if ('fault' in item) this.onFault(item)
      // Behind our own closing only responses count any more.
      else if (this.isOpen() || item.command.endsWith('_resp')) this.onPdu(item)
    }
    if (this.handledNow >= this.options.maxHandling || this.outbox.isBlocked) this.socket.pause()
  }

  private resume(): void {
    if (!this.socket.isPaused() || this.outbox.isBlocked || this.handledNow >= this.options.maxHandling) return
    // The peer may have spoken while we did not listen.
    this.heardMs = this.clock.now()
    this.socket.resume()
  }

  private superviseIdle(): void {
    const quietMs = this.clock.now() - this.heardMs
    const isDeaf = this.handledNow >= this.options.maxHandling
    if (quietMs < this.options.enquireLinkMs || isDeaf) {
      this.idleTimer = this.clock.setTimeout(
        () => this.superviseIdle(),
        isDeaf ? this.options.enquireLinkMs : this.options.enquireLinkMs - quietMs,
      )
      return
    }
    const askedMs = this.clock.now()
    this.send('enquire_link', {}, false, response => {
      if (!this.isOpen()) return
      this.missedEnquiries = response !== null || this.heardMs > askedMs ? 0 : this.missedEnquiries + 1
      if (this.missedEnquiries >= maxMissedEnquiries) {
        this.silentMs = this.clock.now() - this.heardMs
        return this.destroy(`${this.missedEnquiries} enquire_link were not answered`)
      }
      if (this.missedEnquiries > 0) this.superviseIdle()
      else this.idleTimer = this.clock.setTimeout(() => this.superviseIdle(), this.options.enquireLinkMs)
    })
  }

  /** Sends what is left and closes our side; cuts the connection when the peer does not close its own soon. */
  end(reason: string): void {
    if (!this.isOpen()) return
    this.closeReason = reason
    this.outbox.flush()
    this.socket.end()
    this.socket.resume()
    this.closeTimer = this.clock.setTimeout(() => this.socket.destroy(), closeMs)
  }

  destroy(reason: string): void {
    this.closeReason ??= reason
    this.socket.destroy()
  }

  private onClosed(): void {
    if (this.isClosed) return
    this.isClosed = true
    for (const timer of [this.expiryTimer, this.idleTimer, this.closeTimer]) this.clock.clearTimeout(timer)
    const reason = this.closeReason ?? 'the peer closed the connection'
    const { flushed } = this.outbox
    this.outbox.drop()
    const lost = [...this.pending.values()]
    this.pending.clear()
    this.expired.clear()
    this.windowed = 0
    for (const { command, ordinal, settle } of lost) {
      const outcome = ordinal <= flushed ? 'unanswered' : 'not_written'
      settle(null, requestFailure(outcome, 'link_lost', `${command}: ${reason}`))
    }
    this.handlers.onClosed(reason, this.silentMs)
  }

  /** How many windowed requests may be sent now: none while the socket does not take more. */
  room() {
    return this.isOpen() && !this.outbox.isBlocked ? Math.max(0, this.options.window - this.windowed) : 0
  }

  /** Requests of ours without a response. */
  inFlight() {
    return this.windowed
  }

  /** Requests of the peer that are worked on. */
  handling() {
    return this.handledNow
  }
}
