// The customer's side of a link (ESME): one connection to a message centre that keeps itself up. It binds, watches that
// the peer is there, binds again when it is not, and tells of every request what became of it.
import { connect as connectTcp, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { statuses, statusName } from './commands.ts'
import type { PduFault } from './decode.ts'
import { answerTo } from './decode.ts'
import type { Answer, FailureReason, Link, LinkCounters, RequestFailure, TraceEvent } from './link.ts'
import { answerOf, createLink, requestFailure } from './link.ts'
import type { FieldsOf, Pdu, PduOf, RequestName } from './pdu.ts'
import { defaultMaxLength } from './reader.ts'
import type { Clock } from './timing.ts'
import { systemClock } from './timing.ts'

export type Role = 'transceiver' | 'transmitter' | 'receiver'

/**
 * connecting → binding → bound; from each of them waiting (for the next try) or, after `close`, closed. `closing` drains
 * and unbinds.
 */
export type EsmeState = 'connecting' | 'binding' | 'bound' | 'waiting' | 'closing' | 'closed'

/** `status` is the command_status of a refused bind; `retryMs` how long it waits before it tries again. */
export type StateChange = { state: EsmeState; reason: string; status?: number; retryMs?: number }

/** A message or receipt from the message centre. */
export type Delivery = PduOf<'deliver_sm'> | PduOf<'data_sm'>

export type EsmeOptions = {
  host: string
  port: number
  /** True, or how: `ca`, `servername`, a client certificate. The peer's certificate is checked unless this says not to. */
  tls?: boolean | ConnectionOptions | undefined
  /** A connection that is open already, TLS included: the first try binds on it. */
  socket?: Socket | undefined
  role?: Role | undefined
  systemId: string
  password: string
  systemType?: string | undefined
  addrTon?: number | undefined
  addrNpi?: number | undefined
  addressRange?: string | undefined
  /** Default 0x34. */
  interfaceVersion?: number | undefined
  /** Requests that may be unanswered at once. Default 10. */
  window?: number | undefined
  /** Deliveries worked on at once; beyond, nothing is read until some are answered. Default 500. */
  maxDeliveries?: number | undefined
  /** Default 30,000, for every request. */
  responseTimeoutMs?: number | undefined
  /** Default 30,000; two enquiries without an answer end the connection. */
  enquireLinkMs?: number | undefined
  /** Default 10,000, for TCP and TLS together. */
  connectTimeoutMs?: number | undefined
  /** Waits before the next try. Default 1,000 doubling to 60,000, and 60,000 after a bind that was refused; false: one try. */
  reconnect?: { minMs?: number; maxMs?: number; refusedMs?: number } | false | undefined
  maxPduLength?: number | undefined
  clock?: Clock | undefined
  /** 0 to below 1, for the jitter of waits. */
  random?: (() => number) | undefined
  onState?: ((change: StateChange) => void) | undefined
  /**
   * Answered with the status it gives, when it gives it: 0 only when the delivery is safe. When it throws, the answer is
   * ESME_RX_T_APPN, and the message centre will try again.
   */
  onDeliver?: ((pdu: Delivery) => Promise<number> | number) | undefined
  /** What came after `submit` had been rejected as unanswered. `fields` are those given to `submit`. */
  onLateResponse?: ((fields: FieldsOf<'submit_sm'>, answer: Answer) => void) | undefined
  onAlert?: ((pdu: PduOf<'alert_notification'>) => void) | undefined
  /** `freeWindow()` may be above 0 again. */
  onRoom?: (() => void) | undefined
  onFault?: ((fault: PduFault) => void) | undefined
  onTrace?: ((event: TraceEvent) => void) | undefined
}

export type EsmeCounters = LinkCounters & { connects: number; binds: number }

export type Esme = {
  readonly state: EsmeState
  /** Since creation, over all connections. */
  readonly counters: EsmeCounters
  /** How many requests may be sent now. 0 when not bound, while the window is full or the socket takes no more. */
  freeWindow(): number
  /**
   * Sends a submit_sm. Resolves to what the message centre answered, also when it refuses; rejects with a `RequestFailure`
   * that tells whether it may have got the message.
   */
  submit(fields: FieldsOf<'submit_sm'>): Promise<Answer>
  /** Any other request (query_sm, cancel_sm, data_sm, …); resolves to the response or a generic_nack. */
  request<Name extends Exclude<RequestName, `bind_${string}`>>(command: Name, fields: FieldsOf<Name>): Promise<Pdu>
  /** Resolves when bound; rejects when it is closed, or when a single try failed. */
  bound(): Promise<void>
  /**
   * Takes no more, waits for what is under way (at most `drainMs`, default 5,000), unbinds, closes. Requests without a
   * response by then are rejected as unanswered before the unbind is sent. Never rejects.
   */
  close(options?: { drainMs?: number }): Promise<void>
  /** Cuts the connection at once, without an unbind; also one that `close` is ending. */
  destroy(reason?: string): void
}

/** Statuses of a refused bind that trying again soon will not change. */
const lastingRefusals: readonly number[] = [
  statuses.ESME_RALYBND,
  statuses.ESME_RBINDFAIL,
  statuses.ESME_RINVPASWD,
  statuses.ESME_RINVSYSID,
]

/** Bound for so long, the next trouble is a new one: waits begin small again. */
const stableMs = 10_000
/** How long an unbind_resp is waited for. */
const unbindMs = 2000

/** Opens the link and keeps it up until `close`. Never throws: what goes wrong is told by `onState`. */
export function createEsme(options: EsmeOptions): Esme {
  const { role = 'transceiver', clock = systemClock, random = Math.random } = options
  const bindCommand = `bind_${role}` as const
  let state: EsmeState = 'connecting'
  let link: Link | undefined
  let socket: Socket | undefined
  let retryTimer: unknown
  let connectTimer: unknown
  let failedTries = 0
  let boundMs = 0
  let refusal: number | undefined
  let connectError = ''
  let onQuiet: (() => void) | undefined
  const totals: EsmeCounters = {
    pdusIn: 0,
    pdusOut: 0,
    octetsIn: 0,
    octetsOut: 0,
    writes: 0,
    faults: 0,
    timeouts: 0,
    lateResponses: 0,
    unexpectedResponses: 0,
    connects: 0,
    binds: 0,
  }
  const watchers = new Set<{ resolve: () => void; reject: (error: Error) => void }>()
  const whenClosed = Promise.withResolvers<void>()

  function enter(change: StateChange): void {
    state = change.state
    if (state === 'bound') settleWatchers(watcher => watcher.resolve())
    if (state === 'closed') {
      settleWatchers(watcher => watcher.reject(requestFailure('not_written', 'not_bound', change.reason)))
      whenClosed.resolve()
    }
    options.onState?.(change)
  }

  function settleWatchers(settle: (watcher: { resolve: () => void; reject: (error: Error) => void }) => void): void {
    const all = [...watchers]
    watchers.clear()
    all.forEach(settle)
  }

  function open(): void {
    totals.connects += 1
    refusal = undefined
    connectError = ''
    const { host, port, tls } = options
    if (options.socket !== undefined && totals.connects === 1) {
      const given = options.socket
      socket = given
      // Whoever asked has the link in hand before it tells of anything.
      queueMicrotask(() => {
        if (given.destroyed) lose(`the connection to ${host}:${port} is closed`)
        else if (state === 'connecting') bind(given)
        else given.destroy()
      })
      return
    }
    const opened = tls
      ? connectTls({ host, port, servername: /^[\d.]+$|:/.test(host) ? '' : host, ...(tls === true ? {} : tls) })
      : connectTcp({ host, port })
    socket = opened
    connectTimer = clock.setTimeout(() => {
      connectError = `no connection to ${host}:${port} in time`
      opened.destroy()
    }, options.connectTimeoutMs ?? 10_000)
    const onError = (error: Error) => {
      connectError ||= `no connection to ${host}:${port}: ${error.message || error.name}`
    }
    const onClose = () => lose(connectError || `no connection to ${host}:${port}`)
    opened.on('error', onError).on('close', onClose)
    opened.once(tls ? 'secureConnect' : 'connect', () => {
      clock.clearTimeout(connectTimer)
      opened.off('error', onError).off('close', onClose)
      if (state === 'connecting') bind(opened)
      else opened.destroy()
    })
  }

  function bind(connected: Socket): void {
    const current = createLink(connected, linkOptions(options, clock), {
      onRequest,
      onFault: fault => options.onFault?.(fault),
      onLateResponse: ({ command, fields }, response) => {
        if (command === 'submit_sm') options.onLateResponse?.(fields, answerOf(response))
      },
      onRoom: () => {
        if (state === 'bound') options.onRoom?.()
        if (current.inFlight() === 0 && current.handling() === 0) onQuiet?.()
      },
      onClosed: lose,
    })
    link = current
    enter({ state: 'binding', reason: `connected to ${options.host}:${options.port}` })
    current.send(bindCommand, bindFields(options), false, (response, failure) => {
      if (link !== current || state !== 'binding') return
      if (response === null) current.destroy(failure?.message ?? 'no response to the bind')
      else if (response.status !== 0 || response.command === 'generic_nack') refuse(current, response)
      else {
        totals.binds += 1
        boundMs = clock.now()
        enter({ state: 'bound', reason: `bound as ${role}` })
        if (current.room() > 0) options.onRoom?.()
      }
    })
  }

  function refuse(current: Link, response: Pdu): void {
    refusal = answerOf(response).status
    current.end(`the bind was refused: ${statusName(refusal)}`)
  }

  /** The connection is gone, or never came to be: wait and try again, unless it was meant to end. */
  function lose(reason: string) {
    clock.clearTimeout(connectTimer)
    if (link !== undefined) addCounters(totals, link.counters)
    link = undefined
    socket = undefined
    onQuiet?.()
    if (state === 'closed') return
    if (state === 'closing') return enter({ state: 'closed', reason })
    if (state === 'bound' && clock.now() - boundMs >= stableMs) failedTries = 0
    const told = refusal === undefined ? { reason } : { reason, status: refusal }
    if (options.reconnect === false) return enter({ state: 'closed', ...told })
    const retryMs = waitMs()
    failedTries += 1
    retryTimer = clock.setTimeout(() => {
      enter({ state: 'connecting', reason: 'trying again' })
      if (state === 'connecting') open()
    }, retryMs)
    enter({ state: 'waiting', ...told, retryMs })
  }

  function waitMs(): number {
    const { minMs = 1000, maxMs = 60_000, refusedMs = 60_000 } = options.reconnect || {}
    if (refusal !== undefined && lastingRefusals.includes(refusal)) return Math.round(refusedMs * (1 + random() / 4))
    const base = Math.min(maxMs, minMs * 2 ** Math.min(failedTries, 30))
    return Math.round(base * (1 - random() / 4))
  }

  function onRequest(pdu: Pdu): Promise<void> | undefined {
    const current = link
    if (current === undefined) return
    if (pdu.command === 'deliver_sm' || pdu.command === 'data_sm') return deliver(current, pdu)
    if (pdu.command === 'unbind') {
      current.respond('unbind_resp', 0, pdu.sequence)
      current.end('the peer unbound')
    } else if (pdu.command === 'alert_notification') options.onAlert?.(pdu)
    // What only a customer may ask for, or a second outbind, is out of place here.
    else answer(current, pdu, statuses.ESME_RINVBNDSTS)
  }

  function deliver(current: Link, pdu: Delivery): Promise<void> | undefined {
    if (state !== 'bound' && state !== 'closing') return answer(current, pdu, statuses.ESME_RINVBNDSTS)
    if (role === 'transmitter') return answer(current, pdu, statuses.ESME_RINVBNDSTS)
    if (options.onDeliver === undefined) return answer(current, pdu, statuses.ESME_RX_T_APPN)
    try {
      const status = options.onDeliver(pdu)
      if (typeof status === 'number') return answer(current, pdu, status)
      return status.then(
        given => answer(current, pdu, given),
        () => answer(current, pdu, statuses.ESME_RX_T_APPN),
      )
    } catch {
      return answer(current, pdu, statuses.ESME_RX_T_APPN)
    }
  }

  function answer(current: Link, pdu: Pdu, status: number): undefined {
    const command = answerTo(pdu.command)
    if (command !== null) current.respond(command, status, pdu.sequence)
  }

  /** Why no request can be sent now; null when one can. */
  function obstacle(command: RequestName): { reason: FailureReason; text: string } | null {
    if (state === 'closing' || state === 'closed') return { reason: 'closing', text: 'the link is being closed' }
    if (state !== 'bound' || link === undefined) return { reason: 'not_bound', text: `the link is ${state}` }
    if (role === 'receiver') return { reason: 'wrong_role', text: 'a receiver cannot send messages' }
    if (command !== 'enquire_link' && link.room() === 0) return { reason: 'window_full', text: 'the window is full' }
    return null
  }

  function ask<Name extends RequestName, Value>(command: Name, fields: FieldsOf<Name>, read: (pdu: Pdu) => Value) {
    return new Promise<Value>((resolve, reject: (failure: RequestFailure | null) => void) => {
      const inTheWay = obstacle(command)
      if (inTheWay !== null || link === undefined) {
        const { reason, text } = inTheWay ?? { reason: 'not_bound', text: 'the link is down' }
        return reject(requestFailure('not_written', reason, `${command}: ${text}`))
      }
      link.send(command, fields, command !== 'enquire_link', (response, failure) => {
        if (response === null) reject(failure)
        else resolve(read(response))
      })
    })
  }

  async function close({ drainMs = 5000 }: { drainMs?: number } = {}): Promise<void> {
    if (state === 'closing' || state === 'closed') return whenClosed.promise
    const wasBound = state === 'bound'
    clock.clearTimeout(retryTimer)
    if (state === 'waiting') enter({ state: 'closed', reason: 'closed by us' })
    else {
      enter({ state: 'closing', reason: 'closed by us' })
      if (wasBound && link !== undefined) await drainAndUnbind(link, drainMs)
      else socket?.destroy()
    }
    return whenClosed.promise
  }

  function destroy(reason = 'cut off by us'): void {
    if (state === 'closed') return
    clock.clearTimeout(retryTimer)
    if (state !== 'closing') enter({ state: state === 'waiting' ? 'closed' : 'closing', reason })
    if (link !== undefined) link.destroy(reason)
    else socket?.destroy()
  }

  async function drainAndUnbind(current: Link, drainMs: number): Promise<void> {
    if (current.inFlight() > 0 || current.handling() > 0) await quietWithin(current, drainMs)
    current.giveUp('no response before the link was closed')
    const answered = Promise.withResolvers<void>()
    const timer = clock.setTimeout(answered.resolve, unbindMs)
    current.send('unbind', {}, false, () => answered.resolve())
    await answered.promise
    clock.clearTimeout(timer)
    current.end('closed by us')
  }

  function quietWithin(current: Link, drainMs: number): Promise<void> {
    return new Promise(resolve => {
      const timer = clock.setTimeout(resolve, drainMs)
      onQuiet = () => {
        clock.clearTimeout(timer)
        resolve()
      }
      if (!current.isOpen()) onQuiet()
    })
  }

  open()
  return {
    get state() {
      return state
    },
    get counters() {
      const sum = { ...totals }
      if (link !== undefined) addCounters(sum, link.counters)
      return sum
    },
    freeWindow: () => (state === 'bound' && role !== 'receiver' && link !== undefined ? link.room() : 0),
    submit: fields => ask('submit_sm', fields, answerOf),
    request: (command, fields) => ask(command, fields, pdu => pdu),
    bound: () =>
      new Promise((resolve, reject) => {
        if (state === 'bound') resolve()
        else if (state === 'closed') reject(requestFailure('not_written', 'not_bound', 'the link is closed'))
        else watchers.add({ resolve, reject })
      }),
    close,
    destroy,
  }
}

function linkOptions(options: EsmeOptions, clock: Clock) {
  return {
    clock,
    window: options.window ?? 10,
    maxHandling: options.maxDeliveries ?? 500,
    responseTimeoutMs: options.responseTimeoutMs ?? 30_000,
    enquireLinkMs: options.enquireLinkMs ?? 30_000,
    maxPduLength: options.maxPduLength ?? defaultMaxLength,
    onTrace: options.onTrace,
  }
}

function bindFields(options: EsmeOptions): FieldsOf<'bind_transceiver'> {
  const { systemId, password, systemType, interfaceVersion, addrTon, addrNpi, addressRange } = options
  return { systemId, password, systemType, interfaceVersion, addrTon, addrNpi, addressRange }
}

function addCounters(sum: EsmeCounters, counters: LinkCounters): void {
  for (const [name, value] of Object.entries(counters)) sum[name as keyof LinkCounters] += value
}
