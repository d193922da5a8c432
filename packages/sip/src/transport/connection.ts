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
  { timing, limits, pingMs }: ConnectionOptions,
  handlers: ConnectionHandlers,
): Connection {
  const reader = createSipReader(limits)
  const peer = formatEndpoint(flow.remote)
  const waiting = new Set<{ done: Done }>()
  const openedMs = timing.now()
  let activeMs = openedMs
  let heardMs = openedMs
  let heldMs: number | undefined
  let progressMs = openedMs
  let pongDueMs: number | undefined
  let hasMessage = false
  let givesPong = false
  let faults = 0
  let reason: TransportError | undefined
  let isGone = false
  let timer: unknown
  let timerMs = Number.POSITIVE_INFINITY

  const fail = (code: TransportError['code'], detail: string, cause?: unknown) =>
    transportError(code, `${flow.transport} ${peer}: ${detail}`, cause)

  function onData(chunk: Buffer): void {
    const nowMs = timing.now()
    activeMs = nowMs
    heardMs = nowMs
    pongDueMs = undefined
    const wasHeld = reader.held > 0
    const items = reader.push(chunk)
    let pings = 0
    for (const item of items) {
      // What our user did with one item may have closed the connection.
      if (reason !== undefined) return
      if (isFault(item) || item.kind === 'request' || item.kind === 'response') onItem(item)
      else if (item.kind === 'ping') pings += 1
      else givesPong = true
    }
    if (pings > 0 && reason === undefined) answerPings(pings)
    if (reader.held === 0) heldMs = undefined
    else if (!wasHeld || items.length > 0) heldMs = nowMs
    if (isFull() && reason === undefined) socket.pause()
    arm()
  }

  /** RFC 5626 §4.4.1. All of one piece together: they may be many. */
  function answerPings(count: number): void {
    write(count === 1 ? pong : Buffer.alloc(2 * count, pong), () => {})
    for (let i = 0; i < count; i++) handlers.onKeepAlive()
  }

  function onItem(item: SipMessage | TransportFault): void {
    if (!isFault(item)) {
      hasMessage = true
      faults = handlers.onMessage(item) ? 0 : faults + 1
      if (faults >= limits.maxFaults) endForFaults()
      return
    }
    faults += 1
    const isFatal = item.fatal === true || faults >= limits.maxFaults
    handlers.onFault(isFatal ? { ...item, fatal: true } : item)
    if (item.fatal) end(fail('not_sip', item.detail))
    else if (isFatal) endForFaults()
  }

  function endForFaults(): void {
    end(fail('not_sip', `${faults} malformed messages in a row`))
  }

  function isFull(): boolean {
    return socket.writableLength > limits.maxQueued / 2
  }

  function write(bytes: Buffer, done: Done): void {
    if (socket.writableLength === 0) progressMs = timing.now()
    const entry = { done }
    waiting.add(entry)
    socket.write(bytes, error => {
      progressMs = timing.now()
      if (socket.isPaused() && !isFull()) resume()
      if (!waiting.delete(entry)) return
      // Node tells of no error for what was under way when a connection was cut.
      if (error == null && !isGone && !socket.destroyed) done(undefined)
      else done(reason ?? fail('connection_lost', `the connection was lost (${systemCode(error) ?? 'cut'})`))
    })
    arm()
  }

  function resume(): void {
    // The peer may have spoken while we did not listen.
    if (heldMs !== undefined) heldMs = timing.now()
    heardMs = timing.now()
    socket.resume()
    arm()
  }

  function send(bytes: Buffer, done: Done): boolean {
    if (reason !== undefined) {
      queueMicrotask(() => done(fail('flow_closed', `the connection is closed: ${reason!.message}`, reason)))
      return false
    }
    if (socket.writableLength > 0 && socket.writableLength + bytes.length > limits.maxQueued) {
      const detail = `${socket.writableLength} octets wait already, and the peer does not read them`
      queueMicrotask(() => done(fail('queue_full', detail)))
      return false
    }
    activeMs = timing.now()
    write(bytes, done)
    return !isFull()
  }

  function sendPing(dueMs: number | undefined): void {
    if (reason !== undefined) return
    if (dueMs !== undefined) pongDueMs = Math.min(pongDueMs ?? Number.POSITIVE_INFINITY, timing.now() + dueMs)
    write(ping, () => {})
  }

  /** Each moment by which something must have happened, and what its absence means. */
  function deadlines(): [atMs: number, act: () => void][] {
    const list: [number, () => void][] = []
    const close = (atMs: number, code: TransportError['code'], detail: string) =>
      list.push([atMs, () => destroy(fail(code, detail))])
    const isListening = !socket.isPaused()
    if (socket.writableLength > 0) {
      close(progressMs + limits.writeMs, 'slow_reader', `the peer read nothing for ${limits.writeMs} ms`)
    }
    if (isListening && heldMs !== undefined) {
      close(heldMs + limits.messageMs, 'slow_sender', `a message was not whole after ${limits.messageMs} ms`)
    }
    if (isListening && pongDueMs !== undefined) close(pongDueMs, 'no_pong', 'the peer did not answer a keep-alive')
    if (flow.isInbound && !hasMessage) {
      close(openedMs + limits.firstMessageMs, 'idle', `no message came within ${limits.firstMessageMs} ms`)
    }
    list.push([activeMs + limits.idleMs, () => end(fail('idle', `nothing was said for ${limits.idleMs} ms`))])
    if (pingMs !== undefined && !flow.isInbound && pongDueMs === undefined) {
      // Only who has answered before is known to answer.
      list.push([heardMs + pingMs, beat])
    }
    return list
  }

  function beat(): void {
    heardMs = timing.now()
    sendPing(givesPong ? pongMs : undefined)
  }

  /** Sets the timer where it has to be earlier; one that comes too early looks again. */
  function arm(): void {
    if (reason !== undefined) return
    const nextMs = Math.min(...deadlines().map(([atMs]) => atMs))
    if (nextMs >= timerMs) return
    if (timer !== undefined) timing.clearTimeout(timer)
    timerMs = nextMs
    timer = timing.setTimeout(supervise, Math.max(1, Math.ceil(nextMs - timing.now())))
  }

  function supervise(): void {
    timer = undefined
    timerMs = Number.POSITIVE_INFINITY
    const nowMs = timing.now()
    for (const [atMs, act] of deadlines()) {
      if (atMs <= nowMs && reason === undefined) act()
    }
    arm()
  }

  function end(error: TransportError): void {
    if (reason !== undefined) return
    stop(error)
    socket.end()
    socket.resume()
    timer = timing.setTimeout(() => socket.destroy(), endMs)
  }

  function destroy(error: TransportError): void {
    if (reason === undefined) stop(error)
    socket.destroy()
  }

  function stop(error: TransportError): void {
    reason = error
    if (timer !== undefined) timing.clearTimeout(timer)
    timer = undefined
  }

  function onClosed(): void {
    if (isGone) return
    isGone = true
    const detail = reader.held > 0 ? 'the peer closed the connection in mid-message' : 'the peer closed the connection'
    const error = reason ?? fail('peer_closed', detail)
    if (reason === undefined) stop(error)
    else if (timer !== undefined) timing.clearTimeout(timer)
    const left = [...waiting]
    waiting.clear()
    for (const { done } of left) done(error)
    handlers.onClosed(error)
  }

  socket.setNoDelay(true)
  socket.setKeepAlive(true, 60_000)
  socket.on('data', onData)
  socket.on('error', error => {
    if (reason === undefined) stop(fail('connection_lost', `the connection was lost (${systemCode(error)})`, error))
  })
  // Nothing can follow it: who has closed one side of a SIP connection does not wait for answers on it.
  socket.on('end', () => {
    if (reason === undefined)
      end(fail('peer_closed', `the peer closed the connection${reader.held > 0 ? ' in mid-message' : ''}`))
  })
  socket.on('close', onClosed)
  arm()

  return {
    flow,
    get isOpen() {
      return reason === undefined
    },
    send,
    ping: sendPing,
    end,
    destroy,
  }
}
