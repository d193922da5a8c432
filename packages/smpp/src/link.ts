// One connection that speaks SMPP, whichever side we are: requests out and their responses, requests in, timers, the
// window, and what is done about a peer that errs, falls silent or does not read. Who may say what is up to its user.
import type { Socket } from 'node:net'
import type { CommandName } from './commands.ts'
import { statuses } from './commands.ts'
import type { PduFault } from './decode.ts'
import { answerTo } from './decode.ts'
import type { AnyFields } from './encode.ts'
import { createOutbox } from './outbox.ts'
import type { FieldsOf, Pdu, PduInput, PduOf, RequestName } from './pdu.ts'
import { createPduReader } from './reader.ts'
import type { Clock } from './timing.ts'
import { describePdu } from './trace.ts'

/**
 * Why a request has no response.
 * - `not_written`: not an octet of it was given to the connection; it may be sent elsewhere.
 * - `unanswered`: the peer may have got it and may have acted on it.
 */
export type RequestFailure = Error & { outcome: 'not_written' | 'unanswered'; reason: FailureReason }

export type FailureReason =
  | 'not_bound'
  | 'wrong_role'
  | 'window_full'
  | 'invalid'
  | 'closing'
  | 'timeout'
  | 'link_lost'
  | 'malformed_response'

export function isRequestFailure(error: unknown): error is RequestFailure {
  return error instanceof Error && 'outcome' in error && 'reason' in error
}

export function requestFailure(
  outcome: RequestFailure['outcome'],
  reason: FailureReason,
  message: string,
): RequestFailure {
  return Object.assign(new Error(message), { outcome, reason })
}

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
  /** The connection is gone; everything under way has been settled. */
  onClosed(reason: string): void
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

export type Link = ReturnType<typeof createLink>

const maxSequence = 0x7fffffff
const maxMissedEnquiries = 2
/** How long the peer may take to close its side before the connection is cut. */
const closeMs = 2000
/** Requests given up of which a response would still be told. */
const maxExpired = 10_000

export function createLink(socket: Socket, options: LinkOptions, handlers: LinkHandlers) {
  const { clock, onTrace } = options
  const reader = createPduReader({ maxLength: options.maxPduLength })
  const counters: LinkCounters = {
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
  const outbox = createOutbox(socket, octets => {
    counters.writes += 1
    counters.octetsOut += octets
  })
  // In the order of sending, which is the order of expiring too: all wait equally long.
  const pending = new Map<number, Pending>()
  const expired = new Map<number, Pending>()
  let windowed = 0
  let handling = 0
  let sequence = 0
  let expiryTimer: unknown
  let idleTimer: unknown
  let closeTimer: unknown
  let heardMs = clock.now()
  let missedEnquiries = 0
  let closeReason: string | undefined
  let isClosed = false

  const isOpen = () => closeReason === undefined && !isClosed

  function write(command: CommandName, status: number, number: number, fields: AnyFields): void {
    outbox.add({ command, status, sequence: number }, fields)
    counters.pdusOut += 1
    if (onTrace !== undefined) trace('out', describePdu({ ...fields, command, status, sequence: number } as PduInput))
  }

  function trace(direction: 'in' | 'out', text: string): void {
    onTrace?.({ direction, atMs: clock.now(), text })
  }

  function nextSequence(): number {
    do sequence = sequence === maxSequence ? 1 : sequence + 1
    while (pending.has(sequence) || expired.has(sequence))
    return sequence
  }

  /** Sends a request; `settle` is called exactly once. Whether the window has room is for the caller to see. */
  function send<Name extends RequestName>(command: Name, fields: FieldsOf<Name>, isWindowed: boolean, settle: Settle) {
    if (!isOpen()) return settle(null, requestFailure('not_written', 'link_lost', `${command}: the link is down`))
    const number = nextSequence()
    try {
      write(command, 0, number, fields)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return settle(null, requestFailure('not_written', 'invalid', error.message))
    }
    const sentMs = clock.now()
    pending.set(number, { command, fields, settle, isWindowed, sentMs, ordinal: outbox.added })
    if (isWindowed) windowed += 1
    expiryTimer ??= clock.setTimeout(expire, options.responseTimeoutMs)
  }

  /** Answers a request. On a link that is gone it does nothing: the peer will ask again. */
  function respond(command: CommandName, status: number, number: number, fields: AnyFields = {}): void {
    if (!isClosed) write(command, status, number, fields)
  }

  function take(number: number, entry: Pending): void {
    pending.delete(number)
    if (entry.isWindowed) windowed -= 1
  }

  function expire(): void {
    expiryTimer = undefined
    const limitMs = clock.now() - options.responseTimeoutMs
    let hasExpired = false
    for (const [number, entry] of pending) {
      if (entry.sentMs > limitMs) {
        expiryTimer = clock.setTimeout(expire, entry.sentMs - limitMs)
        break
      }
      counters.timeouts += 1
      hasExpired = true
      const seconds = options.responseTimeoutMs / 1000
      abandon(number, entry, requestFailure('unanswered', 'timeout', `${entry.command}: no response for ${seconds} s`))
    }
    if (hasExpired && isOpen()) handlers.onRoom()
  }

  /** Waits for no response any more; one that comes all the same is told as a late one. */
  function abandon(number: number, entry: Pending, failure: RequestFailure): void {
    take(number, entry)
    rememberExpired(number, entry)
    entry.settle(null, failure)
  }

  /** Settles every windowed request that has no response yet. */
  function giveUp(reason: string): void {
    // What is not written would go out behind the answer that it was given up.
    outbox.flush()
    for (const [number, entry] of pending) {
      if (!entry.isWindowed) continue
      const outcome = entry.ordinal <= outbox.flushed ? 'unanswered' : 'not_written'
      abandon(number, entry, requestFailure(outcome, 'closing', `${entry.command}: ${reason}`))
    }
  }

  function rememberExpired(number: number, entry: Pending): void {
    expired.set(number, entry)
    if (expired.size > maxExpired) expired.delete(expired.keys().next().value!)
  }

  function onResponse(pdu: Pdu): void {
    const entry = pending.get(pdu.sequence)
    const asked = entry ?? expired.get(pdu.sequence)
    if (asked === undefined || (pdu.command !== 'generic_nack' && pdu.command !== answerTo(asked.command))) {
      counters.unexpectedResponses += 1
    } else if (entry === undefined) {
      expired.delete(pdu.sequence)
      counters.lateResponses += 1
      handlers.onLateResponse(asked, pdu)
    } else {
      take(pdu.sequence, entry)
      entry.settle(pdu, null)
      if (entry.isWindowed) handlers.onRoom()
    }
  }

  function onFault(fault: PduFault): void {
    counters.faults += 1
    if (fault.answer !== null) respond(fault.answer, fault.status, fault.sequence)
    else if (fault.command !== undefined) onFaultyResponse(fault)
    handlers.onFault(fault)
    if (fault.fatal) end(`the peer sent octets that are no PDU: ${fault.detail}`)
  }

  /** A refusal is one whatever else is wrong with it; of a malformed success nothing is sure. */
  function onFaultyResponse({ command, commandStatus, sequence: number, detail }: PduFault): void {
    const entry = pending.get(number)
    if (entry === undefined || answerTo(entry.command) !== command) return
    if (commandStatus !== 0) {
      onResponse({ command: 'generic_nack', status: commandStatus, sequence: number, tlvs: {} })
    } else {
      take(number, entry)
      entry.settle(null, requestFailure('unanswered', 'malformed_response', `${entry.command}: ${detail}`))
      if (entry.isWindowed) handlers.onRoom()
    }
  }

  function onRequest(pdu: Pdu): void {
    const done = handlers.onRequest(pdu)
    if (done === undefined) return
    handling += 1
    const leave = () => {
      handling -= 1
      if (handling < options.maxHandling) resume()
      if (isOpen()) handlers.onRoom()
    }
    done.then(leave, leave)
  }

  function onPdu(pdu: Pdu): void {
    if (pdu.command === 'enquire_link') respond('enquire_link_resp', 0, pdu.sequence)
    else if (pdu.command === 'generic_nack' || pdu.command.endsWith('_resp')) onResponse(pdu)
    else onRequest(pdu)
  }

  function onData(chunk: Buffer): void {
    counters.octetsIn += chunk.length
    const items = reader.push(chunk)
    if (items.length === 0) return
    heardMs = clock.now()
    for (const item of items) {
      if (isClosed) return
      counters.pdusIn += 1
      if (onTrace !== undefined) trace('in', describePdu(item))
      if ('fault' in item) onFault(item)
      // Behind our own closing only responses count any more.
      else if (isOpen() || item.command.endsWith('_resp')) onPdu(item)
    }
    if (handling >= options.maxHandling || outbox.isBlocked) socket.pause()
  }

  function resume(): void {
    if (!socket.isPaused() || outbox.isBlocked || handling >= options.maxHandling) return
    // The peer may have spoken while we did not listen.
    heardMs = clock.now()
    socket.resume()
  }

  function superviseIdle(): void {
    const quietMs = clock.now() - heardMs
    const isDeaf = handling >= options.maxHandling
    if (quietMs < options.enquireLinkMs || isDeaf) {
      idleTimer = clock.setTimeout(superviseIdle, isDeaf ? options.enquireLinkMs : options.enquireLinkMs - quietMs)
      return
    }
    const askedMs = clock.now()
    send('enquire_link', {}, false, response => {
      if (!isOpen()) return
      missedEnquiries = response !== null || heardMs > askedMs ? 0 : missedEnquiries + 1
      if (missedEnquiries >= maxMissedEnquiries) return destroy(`${missedEnquiries} enquire_link were not answered`)
      if (missedEnquiries > 0) superviseIdle()
      else idleTimer = clock.setTimeout(superviseIdle, options.enquireLinkMs)
    })
  }

  /** Sends what is left and closes our side; cuts the connection when the peer does not close its own soon. */
  function end(reason: string): void {
    if (!isOpen()) return
    closeReason = reason
    outbox.flush()
    socket.end()
    socket.resume()
    closeTimer = clock.setTimeout(() => socket.destroy(), closeMs)
  }

  function destroy(reason: string): void {
    closeReason ??= reason
    socket.destroy()
  }

  function onClosed(): void {
    if (isClosed) return
    isClosed = true
    for (const timer of [expiryTimer, idleTimer, closeTimer]) clock.clearTimeout(timer)
    const reason = closeReason ?? 'the peer closed the connection'
    const { flushed } = outbox
    outbox.drop()
    const lost = [...pending.values()]
    pending.clear()
    expired.clear()
    windowed = 0
    for (const { command, ordinal, settle } of lost) {
      const outcome = ordinal <= flushed ? 'unanswered' : 'not_written'
      settle(null, requestFailure(outcome, 'link_lost', `${command}: ${reason}`))
    }
    handlers.onClosed(reason)
  }

  socket.setNoDelay(true)
  socket.on('data', onData)
  socket.on('drain', () => {
    outbox.isBlocked = false
    resume()
    if (isOpen()) handlers.onRoom()
  })
  socket.on('error', error => {
    closeReason ??= `the connection failed: ${error.message}`
  })
  socket.on('close', onClosed)
  idleTimer = clock.setTimeout(superviseIdle, options.enquireLinkMs)

  return {
    counters,
    send,
    respond,
    giveUp,
    end,
    destroy,
    isOpen,
    /** How many windowed requests may be sent now: none while the socket does not take more. */
    room: () => (isOpen() && !outbox.isBlocked ? Math.max(0, options.window - windowed) : 0),
    /** Requests of ours without a response. */
    inFlight: () => windowed,
    /** Requests of the peer that are worked on. */
    handling: () => handling,
  }
}

/** What the peer said to a request that carries a message. */
export type Answer = { status: number; messageId: string }

export function answerOf(response: Pdu): Answer {
  // A nack without a status says nothing but that the request was not taken.
  if (response.command === 'generic_nack')
    return { status: response.status || statuses.ESME_RUNKNOWNERR, messageId: '' }
  return { status: response.status, messageId: (response as PduOf<'submit_sm_resp'>).messageId ?? '' }
}
