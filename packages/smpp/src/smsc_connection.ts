// One connection to our message centre: the bind that lets a peer in, what it asks then, and how it is let go.
import type { Socket } from 'node:net'
import type { CommandName } from './commands.ts'
import { statuses } from './commands.ts'
import type { PduFault } from './decode.ts'
import { answerTo } from './decode.ts'
import type { Role } from './esme_api.ts'
import { Link } from './link.ts'
import type { Answer } from './outcome.ts'
import { answerOf, requestFailure } from './outcome.ts'
import type { FieldsOf, Pdu, PduOf } from './pdu.ts'
import type { BindRequest, MaybePromise, SmscLimits, SmscOptions, SmscSession, SubmitAnswer } from './smsc_api.ts'
import type { Clock } from './timing.ts'

const unbindMs = 2000

type BindCommand = `bind_${Role}`

const roleOf: Partial<Record<CommandName, Role>> = {
  bind_transceiver: 'transceiver',
  bind_transmitter: 'transmitter',
  bind_receiver: 'receiver',
}

/** What is answered when nobody looks after a command. */
const unsupported: Partial<Record<CommandName, number>> = {
  query_sm: statuses.ESME_RQUERYFAIL,
  cancel_sm: statuses.ESME_RCANCELFAIL,
  replace_sm: statuses.ESME_RREPLACEFAIL,
  submit_multi: statuses.ESME_RSUBMITFAIL,
}

/** What the connections of one message centre share. */
export type Hub = {
  options: SmscOptions
  limits: SmscLimits
  clock: Clock
  binds: Map<string, number>
  nextId(): number
  added(session: SmscSession): void
  removed(session: SmscSession, reason: string): void
  closed(connection: Connection): void
}

export type Connection = { close(drainMs: number): Promise<void> }

export function createConnection(socket: Socket, hub: Hub): Connection {
  return new SmscConnection(socket, hub)
}

/** Lives as long as its socket: the peer that has bound, or has not yet. */
class SmscConnection implements Connection {
  private readonly hub: Hub
  private readonly options: Hub['options']
  private readonly limits: Hub['limits']
  private readonly clock: Hub['clock']
  private readonly remoteAddress
  private session: SmscSession | undefined
  private isBinding = false
  private faults = 0
  private onQuiet: (() => void) | undefined
  private readonly gone = Promise.withResolvers<void>()
  private readonly link: Link
  private readonly bindTimer

  constructor(socket: Socket, hub: Hub) {
    this.hub = hub
    const { options, limits, clock } = hub
    this.options = options
    this.limits = limits
    this.clock = clock
    this.remoteAddress = socket.remoteAddress ?? ''
    const { onTrace } = options
    this.link = new Link(
      socket,
      {
        clock,
        window: options.window ?? 10,
        maxHandling: limits.handling,
        responseTimeoutMs: options.responseTimeoutMs ?? 30_000,
        enquireLinkMs: options.enquireLinkMs ?? 30_000,
        maxPduLength: limits.pduLength,
        onTrace: onTrace && (event => onTrace({ ...event, remoteAddress: this.remoteAddress })),
      },
      {
        onRequest: pdu => this.onRequest(pdu),
        onFault: fault => this.onFault(fault),
        onLateResponse: ({ command, fields }, response) => {
          if (command === 'deliver_sm' && this.session)
            options.onLateResponse?.(this.session, fields, answerOf(response))
        },
        onRoom: () => {
          if (this.link.inFlight() === 0 && this.link.handling() === 0) this.onQuiet?.()
        },
        onClosed: reason => this.onClosed(reason),
      },
    )
    this.bindTimer = clock.setTimeout(() => {
      if (this.session === undefined) this.link.end('no bind came in time')
    }, limits.bindMs)
  }

  private onClosed(reason: string): void {
    this.clock.clearTimeout(this.bindTimer)
    this.onQuiet?.()
    if (this.session !== undefined) {
      this.release(this.session.systemId)
      this.hub.removed(this.session, reason)
    }
    this.hub.closed(this)
    this.gone.resolve()
  }

  private release(systemId: string): void {
    const left = (this.hub.binds.get(systemId) ?? 1) - 1
    if (left > 0) this.hub.binds.set(systemId, left)
    else this.hub.binds.delete(systemId)
  }

  private onFault(fault: PduFault): void {
    this.faults += 1
    this.options.onFault?.(fault, this.remoteAddress)
    if (this.faults >= this.limits.faults) this.link.end(`${this.faults} malformed PDUs`)
  }

  private onRequest(pdu: Pdu): Promise<void> | undefined {
    const role = roleOf[pdu.command]
    if (role !== undefined) return this.bind(pdu as PduOf<BindCommand>, role)
    if (pdu.command === 'unbind') {
      this.link.respond('unbind_resp', 0, pdu.sequence)
      this.link.end('the peer unbound')
      return
    }
    if (this.session === undefined || this.session.role === 'receiver')
      return this.refuse(pdu, statuses.ESME_RINVBNDSTS)
    return this.serve(this.session, pdu)
  }

  private refuse(pdu: Pdu, status: number): undefined {
    const command = answerTo(pdu.command)
    if (command !== null) this.link.respond(command, status, pdu.sequence)
  }

  private async bind(pdu: PduOf<BindCommand>, role: Role): Promise<void> {
    if (this.session !== undefined || this.isBinding) return this.refuse(pdu, statuses.ESME_RALYBND)
    this.isBinding = true
    const status = await this.bindStatus(pdu, role)
    this.isBinding = false
    if (!this.link.isOpen()) {
      if (status === 0) this.release(pdu.systemId)
      return
    }
    if (status !== 0) {
      this.refuse(pdu, status)
      return this.link.end('the bind was refused')
    }
    this.clock.clearTimeout(this.bindTimer)
    const tlvs = { scInterfaceVersion: 0x34 }
    this.link.respond(`${pdu.command}_resp`, 0, pdu.sequence, { systemId: this.options.systemId ?? '', tlvs })
    this.session = this.createSession(pdu.systemId, role)
    this.hub.added(this.session)
  }

  /** Takes the place among the binds of its system id before it asks whether the peer may have it. */
  private async bindStatus(pdu: PduOf<BindCommand>, role: Role): Promise<number> {
    const count = this.hub.binds.get(pdu.systemId) ?? 0
    if (count >= this.limits.bindsPerSystemId) return statuses.ESME_RALYBND
    this.hub.binds.set(pdu.systemId, count + 1)
    const status = await this.authenticate({ ...pdu, role, remoteAddress: this.remoteAddress })
    if (status !== 0) this.release(pdu.systemId)
    return status
  }

  private async authenticate(request: BindRequest): Promise<number> {
    try {
      return await this.options.authenticate(request)
    } catch {
      return statuses.ESME_RSYSERR
    }
  }

  private serve(current: SmscSession, pdu: Pdu): Promise<void> | undefined {
    const answer = this.ask(current, pdu)
    if (answer === undefined) return this.refuse(pdu, unsupported[pdu.command] ?? statuses.ESME_RINVBNDSTS)
    if (answer instanceof Promise) {
      return answer.then(
        given => this.reply(pdu, given),
        () => this.refuse(pdu, statuses.ESME_RSYSERR),
      )
    }
    this.reply(pdu, answer)
  }

  private ask(current: SmscSession, pdu: Pdu): MaybePromise<SubmitAnswer> | undefined {
    try {
      switch (pdu.command) {
        case 'submit_sm':
        case 'data_sm':
          return this.options.onSubmit(current, pdu)
        case 'submit_multi':
          return this.options.onSubmitMulti?.(current, pdu)
        case 'query_sm':
          return this.options.onQuery?.(current, pdu)
        case 'cancel_sm':
          return this.options.onCancel?.(current, pdu)
        case 'replace_sm':
          return this.options.onReplace?.(current, pdu)
        default:
          return undefined
      }
    } catch {
      return { status: statuses.ESME_RSYSERR }
    }
  }

  private reply(pdu: Pdu, answer: SubmitAnswer): void {
    const command = answerTo(pdu.command)
    if (command === null) return
    try {
      this.link.respond(command, answer.status, pdu.sequence, answer)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      // An id that is too long, for example: the message was not taken as far as the peer can know.
      this.link.respond(command, statuses.ESME_RSYSERR, pdu.sequence)
    }
  }

  private createSession(systemId: string, role: Role): SmscSession {
    return {
      id: this.hub.nextId(),
      systemId,
      role,
      remoteAddress: this.remoteAddress,
      counters: this.link.counters,
      freeWindow: () => (role === 'transmitter' ? 0 : this.link.room()),
      deliver: fields => this.deliver(role, fields),
      close: ({ drainMs = 5000 } = {}) => this.close(drainMs),
    }
  }

  private deliver(role: Role, fields: FieldsOf<'deliver_sm'>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (role === 'transmitter') {
        return reject(requestFailure('not_written', 'wrong_role', 'deliver_sm: a transmitter cannot get messages'))
      }
      if (this.link.isOpen() && this.link.room() === 0) {
        return reject(requestFailure('not_written', 'window_full', 'deliver_sm: the window is full'))
      }
      this.link.send('deliver_sm', fields, true, (response, failure) => {
        if (response === null) reject(failure)
        else resolve(answerOf(response))
      })
    })
  }

  async close(drainMs: number): Promise<void> {
    if (this.link.inFlight() > 0 || this.link.handling() > 0) await this.quietWithin(drainMs)
    if (this.session !== undefined) {
      const answered = Promise.withResolvers<void>()
      const timer = this.clock.setTimeout(answered.resolve, unbindMs)
      this.link.send('unbind', {}, false, () => answered.resolve())
      await answered.promise
      this.clock.clearTimeout(timer)
    }
    this.link.end('closed by us')
    return this.gone.promise
  }

  private quietWithin(drainMs: number): Promise<void> {
    return new Promise(resolve => {
      const timer = this.clock.setTimeout(resolve, drainMs)
      this.onQuiet = () => {
        this.clock.clearTimeout(timer)
        resolve()
      }
    })
  }
}
