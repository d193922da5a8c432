// The customer's side of a link (ESME): one connection to a message centre that keeps itself up. It binds, watches that
// the peer is there, binds again when it is not, and reports every request what became of it.
import { connect as connectTcp, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { statuses, statusName } from './commands.ts'
import { answerTo } from './decode.ts'
import type { Delivery, Esme, EsmeCounters, EsmeOptions, EsmeState, StateChange } from './esme_api.ts'
import type { LinkCounters } from './link.ts'
import { Link } from './link.ts'
import type { Answer, FailureReason, RequestFailure } from './outcome.ts'
import { answerOf, requestFailure } from './outcome.ts'
import type { FieldsOf, Pdu, RequestName } from './pdu.ts'
import { defaultMaxLength } from './reader.ts'
import type { Clock } from './timing.ts'
import { systemClock } from './timing.ts'

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

/** Who waits until it is bound. */
type Watcher = { resolve: () => void; reject: (error: Error) => void }

/** Opens the link and keeps it up until `close`. Never throws: what goes wrong is reported by `onState`. */
export function createEsme(options: EsmeOptions): Esme {
  return new EsmeLink(options)
}

/** Lives from its creation until it is closed for good, over all connections that are opened meanwhile. */
class EsmeLink implements Esme {
  private readonly options: EsmeOptions
  private readonly role: NonNullable<EsmeOptions['role']>
  private readonly clock: NonNullable<EsmeOptions['clock']>
  private readonly random: NonNullable<EsmeOptions['random']>
  private readonly bindCommand
  state: EsmeState = 'connecting'
  private link: Link | undefined
  private socket: Socket | undefined
  private retryTimer: unknown
  private connectTimer: unknown
  private failedTries = 0
  private boundMs = 0
  private refusal: number | undefined
  private connectError = ''
  private onQuiet: (() => void) | undefined
  private readonly totals: EsmeCounters = {
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
  private readonly watchers = new Set<Watcher>()
  private readonly whenClosed = Promise.withResolvers<void>()

  constructor(options: EsmeOptions) {
    this.options = options
    const { role = 'transceiver', clock = systemClock, random = Math.random } = options
    this.role = role
    this.clock = clock
    this.random = random
    this.bindCommand = `bind_${role}` as const
    this.open()
  }

  private enter(change: StateChange): void {
    this.state = change.state
    if (this.state === 'bound') this.settleWatchers(watcher => watcher.resolve())
    if (this.state === 'closed') {
      this.settleWatchers(watcher => watcher.reject(requestFailure('not_written', 'not_bound', change.reason)))
      this.whenClosed.resolve()
    }
    this.options.onState?.(change)
  }

  private settleWatchers(settle: (watcher: Watcher) => void): void {
    const all = [...this.watchers]
    this.watchers.clear()
    all.forEach(settle)
  }

  private open(): void {
    this.totals.connects += 1
    this.refusal = undefined
    this.connectError = ''
    const { host, port, tls } = this.options
    if (this.options.socket !== undefined && this.totals.connects === 1) {
      const given = this.options.socket
      this.socket = given
      // Anyone who asked has the link in hand before it reports anything.
      queueMicrotask(() => {
        if (given.destroyed) this.lose(`the connection to ${host}:${port} is closed`)
        else if (this.state === 'connecting') this.bind(given)
        else given.destroy()
      })
      return
    }
    const opened = tls
      ? connectTls({ host, port, servername: /^[\d.]+$|:/.test(host) ? '' : host, ...(tls === true ? {} : tls) })
      : connectTcp({ host, port })
    this.socket = opened
    this.connectTimer = this.clock.setTimeout(() => {
      this.connectError = `no connection to ${host}:${port} in time`
      opened.destroy()
    }, this.options.connectTimeoutMs ?? 10_000)
    const onError = (error: Error) => {
      this.connectError ||= `no connection to ${host}:${port}: ${error.message || error.name}`
    }
    const onClose = () => this.lose(this.connectError || `no connection to ${host}:${port}`)
    opened.on('error', onError).on('close', onClose)
    opened.once(tls ? 'secureConnect' : 'connect', () => {
      this.clock.clearTimeout(this.connectTimer)
      opened.off('error', onError).off('close', onClose)
      if (this.state === 'connecting') this.bind(opened)
      else opened.destroy()
    })
  }

  private bind(connected: Socket): void {
    const current = new Link(connected, linkOptions(this.options, this.clock), {
      onRequest: pdu => this.onRequest(pdu),
      onFault: fault => this.options.onFault?.(fault),
      onLateResponse: ({ command, fields }, response) => {
        if (command === 'submit_sm') this.options.onLateResponse?.(fields, answerOf(response))
      },
      onRoom: () => {
        if (this.state === 'bound') this.options.onRoom?.()
        if (current.inFlight() === 0 && current.handling() === 0) this.onQuiet?.()
      },
      onClosed: (reason, silentMs) => this.lose(reason, silentMs),
    })
    this.link = current
    this.enter({ state: 'binding', reason: `connected to ${this.options.host}:${this.options.port}` })
    current.send(this.bindCommand, bindFields(this.options), false, (response, failure) => {
      if (this.link !== current || this.state !== 'binding') return
      if (response === null) current.destroy(failure?.message ?? 'no response to the bind')
      else if (response.status !== 0 || response.command === 'generic_nack') this.refuse(current, response)
      else {
        this.totals.binds += 1
        this.boundMs = this.clock.now()
        this.enter({ state: 'bound', reason: `bound as ${this.role}` })
        if (current.room() > 0) this.options.onRoom?.()
      }
    })
  }

  private refuse(current: Link, response: Pdu): void {
    this.refusal = answerOf(response).status
    current.end(`the bind was refused: ${statusName(this.refusal)}`)
  }

  /** The connection is gone, or never came to be: wait and try again, unless it was meant to end. */
  private lose(reason: string, silentMs = 0) {
    this.clock.clearTimeout(this.connectTimer)
    if (this.link !== undefined) addCounters(this.totals, this.link.counters)
    this.link = undefined
    this.socket = undefined
    this.onQuiet?.()
    if (this.state === 'closed') return
    if (this.state === 'closing') return this.enter({ state: 'closed', reason })
    if (this.state === 'bound' && this.clock.now() - this.boundMs >= stableMs) this.failedTries = 0
    const cause = {
      reason,
      ...(this.refusal === undefined ? {} : { status: this.refusal }),
      ...(silentMs === 0 ? {} : { silentMs }),
    }
    if (this.options.reconnect === false) return this.enter({ state: 'closed', ...cause })
    const retryMs = this.waitMs()
    this.failedTries += 1
    this.retryTimer = this.clock.setTimeout(() => {
      this.enter({ state: 'connecting', reason: 'trying again' })
      if (this.state === 'connecting') this.open()
    }, retryMs)
    this.enter({ state: 'waiting', ...cause, retryMs })
  }

  private waitMs(): number {
    const { minMs = 1000, maxMs = 60_000, refusedMs = 60_000 } = this.options.reconnect || {}
    if (this.refusal !== undefined && lastingRefusals.includes(this.refusal))
      return Math.round(refusedMs * (1 + this.random() / 4))
    const base = Math.min(maxMs, minMs * 2 ** Math.min(this.failedTries, 30))
    return Math.round(base * (1 - this.random() / 4))
  }

  private onRequest(pdu: Pdu): Promise<void> | undefined {
    const current = this.link
    if (current === undefined) return
    if (pdu.command === 'deliver_sm' || pdu.command === 'data_sm') return this.deliver(current, pdu)
    if (pdu.command === 'unbind') {
      current.respond('unbind_resp', 0, pdu.sequence)
      current.end('the peer unbound')
    } else if (pdu.command === 'alert_notification') this.options.onAlert?.(pdu)
    // What only a customer may ask for, or a second outbind, is out of place here.
    else this.answer(current, pdu, statuses.ESME_RINVBNDSTS)
  }

  private deliver(current: Link, pdu: Delivery): Promise<void> | undefined {
    if (this.state !== 'bound' && this.state !== 'closing') return this.answer(current, pdu, statuses.ESME_RINVBNDSTS)
    if (this.role === 'transmitter') return this.answer(current, pdu, statuses.ESME_RINVBNDSTS)
    if (this.options.onDeliver === undefined) return this.answer(current, pdu, statuses.ESME_RX_T_APPN)
    try {
      const status = this.options.onDeliver(pdu)
      if (typeof status === 'number') return this.answer(current, pdu, status)
      return status.then(
        given => this.answer(current, pdu, given),
        () => this.answer(current, pdu, statuses.ESME_RX_T_APPN),
      )
    } catch {
      return this.answer(current, pdu, statuses.ESME_RX_T_APPN)
    }
  }

  private answer(current: Link, pdu: Pdu, status: number): undefined {
    const command = answerTo(pdu.command)
    if (command !== null) current.respond(command, status, pdu.sequence)
  }

  /** Why no request can be sent now; null when one can. */
  private obstacle(command: RequestName): { reason: FailureReason; text: string } | null {
    if (this.state === 'closing' || this.state === 'closed')
      return { reason: 'closing', text: 'the link is being closed' }
    if (this.state !== 'bound' || this.link === undefined)
      return { reason: 'not_bound', text: `the link is ${this.state}` }
    if (this.role === 'receiver') return { reason: 'wrong_role', text: 'a receiver cannot send messages' }
    if (command !== 'enquire_link' && this.link.room() === 0)
      return { reason: 'window_full', text: 'the window is full' }
    return null
  }

  private ask<Name extends RequestName, Value>(command: Name, fields: FieldsOf<Name>, read: (pdu: Pdu) => Value) {
    return new Promise<Value>((resolve, reject: (failure: RequestFailure | null) => void) => {
      const inTheWay = this.obstacle(command)
      if (inTheWay !== null || this.link === undefined) {
        const { reason, text } = inTheWay ?? { reason: 'not_bound', text: 'the link is down' }
        return reject(requestFailure('not_written', reason, `${command}: ${text}`))
      }
      this.link.send(command, fields, command !== 'enquire_link', (response, failure) => {
        if (response === null) reject(failure)
        else resolve(read(response))
      })
    })
  }

  async close({ drainMs = 5000 }: { drainMs?: number } = {}): Promise<void> {
    if (this.state === 'closing' || this.state === 'closed') return this.whenClosed.promise
    const wasBound = this.state === 'bound'
    this.clock.clearTimeout(this.retryTimer)
    if (this.state === 'waiting') this.enter({ state: 'closed', reason: 'closed by us' })
    else {
      this.enter({ state: 'closing', reason: 'closed by us' })
      if (wasBound && this.link !== undefined) await this.drainAndUnbind(this.link, drainMs)
      else this.socket?.destroy()
    }
    return this.whenClosed.promise
  }

  destroy(reason: string = 'cut off by us'): void {
    if (this.state === 'closed') return
    this.clock.clearTimeout(this.retryTimer)
    if (this.state !== 'closing') this.enter({ state: this.state === 'waiting' ? 'closed' : 'closing', reason })
    if (this.link !== undefined) this.link.destroy(reason)
    else this.socket?.destroy()
  }

  private async drainAndUnbind(current: Link, drainMs: number): Promise<void> {
    if (current.inFlight() > 0 || current.handling() > 0) await this.quietWithin(current, drainMs)
    current.giveUp('no response before the link was closed')
    const answered = Promise.withResolvers<void>()
    const timer = this.clock.setTimeout(answered.resolve, unbindMs)
    current.send('unbind', {}, false, () => answered.resolve())
    await answered.promise
    this.clock.clearTimeout(timer)
    current.end('closed by us')
  }

  private quietWithin(current: Link, drainMs: number): Promise<void> {
    return new Promise(resolve => {
      const timer = this.clock.setTimeout(resolve, drainMs)
      this.onQuiet = () => {
        this.clock.clearTimeout(timer)
        resolve()
      }
      if (!current.isOpen()) this.onQuiet()
    })
  }

  get counters(): EsmeCounters {
    const sum = { ...this.totals }
    if (this.link !== undefined) addCounters(sum, this.link.counters)
    return sum
  }

  freeWindow(): number {
    return this.state === 'bound' && this.role !== 'receiver' && this.link !== undefined ? this.link.room() : 0
  }

  submit(fields: FieldsOf<'submit_sm'>): Promise<Answer> {
    return this.ask('submit_sm', fields, answerOf)
  }

  request<Name extends Exclude<RequestName, `bind_${string}`>>(command: Name, fields: FieldsOf<Name>): Promise<Pdu> {
    return this.ask(command, fields, pdu => pdu)
  }

  bound(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.state === 'bound') resolve()
      else if (this.state === 'closed') reject(requestFailure('not_written', 'not_bound', 'the link is closed'))
      else this.watchers.add({ resolve, reject })
    })
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
