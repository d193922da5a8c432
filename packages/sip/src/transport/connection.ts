// One TCP or TLS connection: octets in to messages, messages out in their order, and what is done about a peer that falls
// silent, sends slowly, sends rubbish or does not read. Who it is and what the messages mean is up to its user.
import type { Socket } from 'node:net'
import { createSipReader } from '../framing.ts'
import type { SipMessage } from '../message.ts'
import { isFault } from '../message.ts'
import type { Timing } from '../rtp/clock.ts'
import type { FullLimits, SipFlow, TransportError, TransportFault } from './types.ts'
import { formatEndpoint, systemCode, transportError } from './types.ts'

export type Done = (error: TransportError | undefined) => void

export type ConnectionHandlers = {
  /** False when it was none that can be used. */
  onMessage(message: SipMessage): boolean
  onFault(fault: TransportFault): void
  /** A keep-alive of the peer; answering is not left to the user. */
  onKeepAlive(): void
  /** Once, when the connection is gone and every message has its `done`. */
  onClosed(error: TransportError): void
}

export type Connection = {
  readonly flow: SipFlow
  /** False once it is closing: nothing can be sent any more. */
  readonly isOpen: boolean
  /** `done` is called once, and never from within. False when the peer should be given time to read. */
  send(bytes: Buffer, done: Done): boolean
  /** Asks for a sign of life (RFC 5626 §4.4.1); with `pongMs` the connection is closed when none comes in that time. */
  ping(pongMs: number | undefined): void
  /** Writes what waits, closes our side, and cuts the connection when the peer does not follow within two seconds. */
  end(error: TransportError): void
  destroy(error: TransportError): void
}

export type ConnectionOptions = {
  timing: Timing
  limits: FullLimits
  /** A connection we opened is pinged when it was silent for so long; undefined: never. */
  pingMs: number | undefined
}

const ping = Buffer.from('\r\n\r\n')
const pong = Buffer.from('\r\n')
const endMs = 2_000
/** RFC 5626 §4.4.1 */
const pongMs = 10_000

export function createConnection(
  socket: Socket,
  flow: SipFlow,
  options: ConnectionOptions,
  handlers: ConnectionHandlers,
): Connection {
  return new StreamConnection(socket, flow, options, handlers)
}

/** Lives as long as its socket: what waits to be written, and by when the peer must have done something. */
class StreamConnection implements Connection {
  readonly flow: SipFlow
  private readonly socket: Socket
  private readonly timing: ConnectionOptions['timing']
  private readonly limits: ConnectionOptions['limits']
  private readonly pingMs: ConnectionOptions['pingMs']
  private readonly handlers: ConnectionHandlers
  private readonly reader
  private readonly peer
  private readonly waiting = new Set<{ done: Done }>()
  private readonly openedMs
  private activeMs
  private heardMs
  private heldMs: number | undefined
  private progressMs
  private pongDueMs: number | undefined
  private hasMessage = false
  private givesPong = false
  private faults = 0
  private reason: TransportError | undefined
  private isGone = false
  private timer: unknown
  private timerMs = Number.POSITIVE_INFINITY

  constructor(
    socket: Socket,
    flow: SipFlow,
    { timing, limits, pingMs }: ConnectionOptions,
    handlers: ConnectionHandlers,
  ) {
    this.socket = socket
    this.flow = flow
    this.timing = timing
    this.limits = limits
    this.pingMs = pingMs
    this.handlers = handlers
    this.reader = createSipReader(limits)
    this.peer = formatEndpoint(flow.remote)
    this.openedMs = timing.now()
    this.activeMs = this.openedMs
    this.heardMs = this.openedMs
    this.progressMs = this.openedMs
    socket.setNoDelay(true)
    socket.setKeepAlive(true, 60_000)
    socket.on('data', (chunk: Buffer) => this.onData(chunk))
    socket.on('error', error => {
      if (this.reason === undefined)
        this.stop(this.fail('connection_lost', `the connection was lost (${systemCode(error)})`, error))
    })
    // Nothing can follow it: who has closed one side of a SIP connection does not wait for answers on it.
    socket.on('end', () => {
      if (this.reason === undefined)
        this.end(
          this.fail('peer_closed', `the peer closed the connection${this.reader.held > 0 ? ' in mid-message' : ''}`),
        )
    })
    socket.on('close', () => this.onClosed())
    this.arm()
  }

  private fail(code: TransportError['code'], detail: string, cause?: unknown) {
    return transportError(code, `${this.flow.transport} ${this.peer}: ${detail}`, cause)
  }

  private onData(chunk: Buffer): void {
    const nowMs = this.timing.now()
    this.activeMs = nowMs
    this.heardMs = nowMs
    this.pongDueMs = undefined
    const wasHeld = this.reader.held > 0
    const items = this.reader.push(chunk)
    let pings = 0
    for (const item of items) {
      // What our user did with one item may have closed the connection.
      if (this.reason !== undefined) return
      if (isFault(item) || item.kind === 'request' || item.kind === 'response') this.onItem(item)
      else if (item.kind === 'ping') pings += 1
      else this.givesPong = true
    }
    if (pings > 0 && this.reason === undefined) this.answerPings(pings)
    if (this.reader.held === 0) this.heldMs = undefined
    else if (!wasHeld || items.length > 0) this.heldMs = nowMs
    if (this.isFull() && this.reason === undefined) this.socket.pause()
    this.arm()
  }

  /** RFC 5626 §4.4.1. All of one piece together: they may be many. */
  private answerPings(count: number): void {
    this.write(count === 1 ? pong : Buffer.alloc(2 * count, pong), () => {})
    for (let i = 0; i < count; i++) this.handlers.onKeepAlive()
  }

  private onItem(item: SipMessage | TransportFault): void {
    if (!isFault(item)) {
      this.hasMessage = true
      this.faults = this.handlers.onMessage(item) ? 0 : this.faults + 1
      if (this.faults >= this.limits.maxFaults) this.endForFaults()
      return
    }
    this.faults += 1
    const isFatal = item.fatal === true || this.faults >= this.limits.maxFaults
    this.handlers.onFault(isFatal ? { ...item, fatal: true } : item)
    if (item.fatal) this.end(this.fail('not_sip', item.detail))
    else if (isFatal) this.endForFaults()
  }

  private endForFaults(): void {
    this.end(this.fail('not_sip', `${this.faults} malformed messages in a row`))
  }

  private isFull(): boolean {
    return this.socket.writableLength > this.limits.maxQueued / 2
  }

  private write(bytes: Buffer, done: Done): void {
    if (this.socket.writableLength === 0) this.progressMs = this.timing.now()
    const entry = { done }
    this.waiting.add(entry)
    this.socket.write(bytes, error => {
      this.progressMs = this.timing.now()
      if (this.socket.isPaused() && !this.isFull()) this.resume()
      if (!this.waiting.delete(entry)) return
      // Node reports no error for what was under way when a connection was cut.
      if (error == null && !this.isGone && !this.socket.destroyed) done(undefined)
      else done(this.reason ?? this.fail('connection_lost', `the connection was lost (${systemCode(error) ?? 'cut'})`))
    })
    this.arm()
  }

  private resume(): void {
    // The peer may have spoken while we did not listen.
    if (this.heldMs !== undefined) this.heldMs = this.timing.now()
    this.heardMs = this.timing.now()
    this.socket.resume()
    this.arm()
  }

  send(bytes: Buffer, done: Done): boolean {
    if (this.reason !== undefined) {
      queueMicrotask(() =>
        done(this.fail('flow_closed', `the connection is closed: ${this.reason!.message}`, this.reason)),
      )
      return false
    }
    if (this.socket.writableLength > 0 && this.socket.writableLength + bytes.length > this.limits.maxQueued) {
      const detail = `${this.socket.writableLength} octets wait already, and the peer does not read them`
      queueMicrotask(() => done(this.fail('queue_full', detail)))
      return false
    }
    this.activeMs = this.timing.now()
    this.write(bytes, done)
    return !this.isFull()
  }

  ping(dueMs: number | undefined): void {
    if (this.reason !== undefined) return
    if (dueMs !== undefined)
      this.pongDueMs = Math.min(this.pongDueMs ?? Number.POSITIVE_INFINITY, this.timing.now() + dueMs)
    this.write(ping, () => {})
  }

  /** Each moment by which something must have happened, and what its absence means. */
  private deadlines(): [atMs: number, act: () => void][] {
    const list: [number, () => void][] = []
    const close = (atMs: number, code: TransportError['code'], detail: string) =>
      list.push([atMs, () => this.destroy(this.fail(code, detail))])
    const isListening = !this.socket.isPaused()
    if (this.socket.writableLength > 0) {
      close(this.progressMs + this.limits.writeMs, 'slow_reader', `the peer read nothing for ${this.limits.writeMs} ms`)
    }
    if (isListening && this.heldMs !== undefined) {
      close(
        this.heldMs + this.limits.messageMs,
        'slow_sender',
        `a message was not whole after ${this.limits.messageMs} ms`,
      )
    }
    if (isListening && this.pongDueMs !== undefined)
      close(this.pongDueMs, 'no_pong', 'the peer did not answer a keep-alive')
    if (this.flow.isInbound && !this.hasMessage) {
      close(
        this.openedMs + this.limits.firstMessageMs,
        'idle',
        `no message came within ${this.limits.firstMessageMs} ms`,
      )
    }
    list.push([
      this.activeMs + this.limits.idleMs,
      () => this.end(this.fail('idle', `nothing was said for ${this.limits.idleMs} ms`)),
    ])
    if (this.pingMs !== undefined && !this.flow.isInbound && this.pongDueMs === undefined) {
      // Only who has answered before is known to answer.
      list.push([this.heardMs + this.pingMs, () => this.beat()])
    }
    return list
  }

  private beat(): void {
    this.heardMs = this.timing.now()
    this.ping(this.givesPong ? pongMs : undefined)
  }

  /** Sets the timer where it has to be earlier; one that comes too early looks again. */
  private arm(): void {
    if (this.reason !== undefined) return
    const nextMs = Math.min(...this.deadlines().map(([atMs]) => atMs))
    if (nextMs >= this.timerMs) return
    if (this.timer !== undefined) this.timing.clearTimeout(this.timer)
    this.timerMs = nextMs
    this.timer = this.timing.setTimeout(() => this.supervise(), Math.max(1, Math.ceil(nextMs - this.timing.now())))
  }

  private supervise(): void {
    this.timer = undefined
    this.timerMs = Number.POSITIVE_INFINITY
    const nowMs = this.timing.now()
    for (const [atMs, act] of this.deadlines()) {
      if (atMs <= nowMs && this.reason === undefined) act()
    }
    this.arm()
  }

  end(error: TransportError): void {
    if (this.reason !== undefined) return
    this.stop(error)
    this.socket.end()
    this.socket.resume()
    this.timer = this.timing.setTimeout(() => this.socket.destroy(), endMs)
  }

  destroy(error: TransportError): void {
    if (this.reason === undefined) this.stop(error)
    this.socket.destroy()
  }

  private stop(error: TransportError): void {
    this.reason = error
    if (this.timer !== undefined) this.timing.clearTimeout(this.timer)
    this.timer = undefined
  }

  private onClosed(): void {
    if (this.isGone) return
    this.isGone = true
    const detail =
      this.reader.held > 0 ? 'the peer closed the connection in mid-message' : 'the peer closed the connection'
    const error = this.reason ?? this.fail('peer_closed', detail)
    if (this.reason === undefined) this.stop(error)
    else if (this.timer !== undefined) this.timing.clearTimeout(this.timer)
    const left = [...this.waiting]
    this.waiting.clear()
    for (const { done } of left) done(error)
    this.handlers.onClosed(error)
  }

  get isOpen(): boolean {
    return this.reason === undefined
  }
}
