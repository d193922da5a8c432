// The message centre's side (SMSC): listens, lets those in who may, hands their messages over and sends them theirs. What
// a message is worth and where it goes is its user's affair.
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import type { CommandName } from './commands.ts'
import { statuses } from './commands.ts'
import type { PduFault } from './decode.ts'
import { answerTo } from './decode.ts'
import type { Role } from './esme.ts'
import type { Answer, Link, LinkCounters, TraceEvent } from './link.ts'
import { answerOf, createLink, requestFailure } from './link.ts'
import type { FieldsOf, Pdu, PduOf } from './pdu.ts'
import { defaultMaxLength } from './reader.ts'
import type { Clock } from './timing.ts'
import { systemClock } from './timing.ts'

/** What a bind asks. `remoteAddress` is the peer's, as the socket knows it. */
export type BindRequest = PduOf<'bind_transceiver' | 'bind_transmitter' | 'bind_receiver'> & {
  role: Role
  remoteAddress: string
}

type MaybePromise<T> = T | Promise<T>

export type SmscOptions = {
  /** Told in bind responses. Default ''. */
  systemId?: string | undefined
  /** Certificate and key; without it the links are plain TCP. */
  tls?: TlsOptions | undefined
  /** A status: 0 lets the peer in; ESME_RINVPASWD and ESME_RINVSYSID are usual for others, which are then cut off. */
  authenticate(bind: BindRequest): MaybePromise<number>
  /** Answers a message; 0 when it is safe. When it throws, the answer is ESME_RSYSERR. */
  onSubmit(session: SmscSession, pdu: PduOf<'submit_sm'> | PduOf<'data_sm'>): MaybePromise<SubmitAnswer>
  onSubmitMulti?:
    | ((session: SmscSession, pdu: PduOf<'submit_multi'>) => MaybePromise<OtherAnswer<'submit_multi_resp'>>)
    | undefined
  /** Without these, query_sm, cancel_sm and replace_sm are answered with ESME_RQUERYFAIL and the like. */
  onQuery?: ((session: SmscSession, pdu: PduOf<'query_sm'>) => MaybePromise<OtherAnswer<'query_sm_resp'>>) | undefined
  onCancel?:
    | ((session: SmscSession, pdu: PduOf<'cancel_sm'>) => MaybePromise<OtherAnswer<'cancel_sm_resp'>>)
    | undefined
  onReplace?:
    | ((session: SmscSession, pdu: PduOf<'replace_sm'>) => MaybePromise<OtherAnswer<'replace_sm_resp'>>)
    | undefined
  onSession?: ((session: SmscSession) => void) | undefined
  onSessionEnd?: ((session: SmscSession, reason: string) => void) | undefined
  onLateResponse?: ((session: SmscSession, fields: FieldsOf<'deliver_sm'>, answer: Answer) => void) | undefined
  onFault?: ((fault: PduFault, remoteAddress: string) => void) | undefined
  onTrace?: ((event: TraceEvent & { remoteAddress: string }) => void) | undefined
  /** Deliveries to one peer that may be unanswered at once. Default 10. */
  window?: number | undefined
  /** See `SmscLimits`. */
  limits?: Partial<SmscLimits> | undefined
  responseTimeoutMs?: number | undefined
  enquireLinkMs?: number | undefined
  clock?: Clock | undefined
}

export type SmscLimits = {
  /** Connections at once, bound or not; more are closed at once. Default 200. */
  connections: number
  /** Binds at once with one system id; more are refused with ESME_RALYBND. Default 20. */
  bindsPerSystemId: number
  /** Messages of one peer that wait for their answer at once; beyond, nothing is read from it. Default 500. */
  handling: number
  /** Malformed PDUs on one connection; then it is closed. Default 10. */
  faults: number
  /** Time for a bind after the connection. Default 10,000. */
  bindMs: number
  pduLength: number
}

export type SubmitAnswer = { status: number; messageId?: string | undefined }
export type OtherAnswer<Name extends CommandName> = { status: number } & FieldsOf<Name>

export type SmscSession = {
  readonly id: number
  readonly systemId: string
  readonly role: Role
  readonly remoteAddress: string
  readonly counters: LinkCounters
  /** How many deliveries may be sent now. */
  freeWindow(): number
  /** Sends a deliver_sm; as `Esme.submit`. A transmitter cannot get any. */
  deliver(fields: FieldsOf<'deliver_sm'>): Promise<Answer>
  /** Waits for what is under way (at most `drainMs`, default 5,000), unbinds and closes. Never rejects. */
  close(options?: { drainMs?: number }): Promise<void>
}

export type Smsc = {
  /** Port 0 takes a free one. Rejects when it cannot listen. */
  listen(address: { port: number; host?: string }): Promise<{ port: number; host: string }>
  /** The bound ones. */
  readonly sessions: readonly SmscSession[]
  /** Stops listening and closes every session. Never rejects. */
  close(options?: { drainMs?: number }): Promise<void>
}

const defaultLimits: SmscLimits = {
  connections: 200,
  bindsPerSystemId: 20,
  handling: 500,
  faults: 10,
  bindMs: 10_000,
  pduLength: defaultMaxLength,
}

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

export function createSmsc(options: SmscOptions): Smsc {
  const limits = { ...defaultLimits, ...options.limits }
  const sessions = new Map<number, SmscSession>()
  const connections = new Set<Connection>()
  const binds = new Map<string, number>()
  let lastId = 0
  const hub: Hub = {
    options,
    limits,
    clock: options.clock ?? systemClock,
    binds,
    nextId: () => ++lastId,
    added: session => {
      sessions.set(session.id, session)
      options.onSession?.(session)
    },
    removed: (session, reason) => {
      sessions.delete(session.id)
      options.onSessionEnd?.(session, reason)
    },
    closed: connection => connections.delete(connection),
  }
  const accept = (socket: Socket) => {
    // Its errors are told by the link; one that is turned away has none to tell.
    socket.on('error', () => {})
    if (connections.size >= limits.connections || isClosing) socket.destroy()
    else connections.add(createConnection(socket, hub))
  }
  let isClosing = false
  const server: Server = options.tls
    ? createTlsServer({ handshakeTimeout: limits.bindMs, ...options.tls }, accept).on('tlsClientError', () => {})
    : createTcpServer(accept)

  return {
    get sessions() {
      return [...sessions.values()]
    },
    listen: ({ port, host = '127.0.0.1' }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen({ port, host }, () => {
          server.off('error', reject)
          const address = server.address() as { port: number; address: string }
          resolve({ port: address.port, host: address.address })
        })
      }),
    close: async ({ drainMs = 5000 } = {}) => {
      isClosing = true
      const stopped = new Promise<void>(resolve => server.close(() => resolve()))
      await Promise.all([...connections].map(connection => connection.close(drainMs)))
      await stopped
    },
  }
}

type Hub = {
  options: SmscOptions
  limits: SmscLimits
  clock: Clock
  binds: Map<string, number>
  nextId(): number
  added(session: SmscSession): void
  removed(session: SmscSession, reason: string): void
  closed(connection: Connection): void
}

type Connection = { close(drainMs: number): Promise<void> }

function createConnection(socket: Socket, hub: Hub): Connection {
  const { options, limits, clock } = hub
  const remoteAddress = socket.remoteAddress ?? ''
  let session: SmscSession | undefined
  let isBinding = false
  let faults = 0
  let onQuiet: (() => void) | undefined
  const gone = Promise.withResolvers<void>()

  const { onTrace } = options
  const link: Link = createLink(
    socket,
    {
      clock,
      window: options.window ?? 10,
      maxHandling: limits.handling,
      responseTimeoutMs: options.responseTimeoutMs ?? 30_000,
      enquireLinkMs: options.enquireLinkMs ?? 30_000,
      maxPduLength: limits.pduLength,
      onTrace: onTrace && (event => onTrace({ ...event, remoteAddress })),
    },
    {
      onRequest,
      onFault,
      onLateResponse: ({ command, fields }, response) => {
        if (command === 'deliver_sm' && session) options.onLateResponse?.(session, fields, answerOf(response))
      },
      onRoom: () => {
        if (link.inFlight() === 0 && link.handling() === 0) onQuiet?.()
      },
      onClosed,
    },
  )
  const bindTimer = clock.setTimeout(() => {
    if (session === undefined) link.end('no bind came in time')
  }, limits.bindMs)

  function onClosed(reason: string): void {
    clock.clearTimeout(bindTimer)
    onQuiet?.()
    if (session !== undefined) {
      release(session.systemId)
      hub.removed(session, reason)
    }
    hub.closed(connection)
    gone.resolve()
  }

  function release(systemId: string): void {
    const left = (hub.binds.get(systemId) ?? 1) - 1
    if (left > 0) hub.binds.set(systemId, left)
    else hub.binds.delete(systemId)
  }

  function onFault(fault: PduFault): void {
    faults += 1
    options.onFault?.(fault, remoteAddress)
    if (faults >= limits.faults) link.end(`${faults} malformed PDUs`)
  }

  function onRequest(pdu: Pdu): Promise<void> | undefined {
    const role = roleOf[pdu.command]
    if (role !== undefined) return bind(pdu as PduOf<BindCommand>, role)
    if (pdu.command === 'unbind') {
      link.respond('unbind_resp', 0, pdu.sequence)
      link.end('the peer unbound')
      return
    }
    if (session === undefined || session.role === 'receiver') return refuse(pdu, statuses.ESME_RINVBNDSTS)
    return serve(session, pdu)
  }

  function refuse(pdu: Pdu, status: number): undefined {
    const command = answerTo(pdu.command)
    if (command !== null) link.respond(command, status, pdu.sequence)
  }

  async function bind(pdu: PduOf<BindCommand>, role: Role): Promise<void> {
    if (session !== undefined || isBinding) return refuse(pdu, statuses.ESME_RALYBND)
    isBinding = true
    const status = await bindStatus(pdu, role)
    isBinding = false
    if (!link.isOpen()) {
      if (status === 0) release(pdu.systemId)
      return
    }
    if (status !== 0) {
      refuse(pdu, status)
      return link.end('the bind was refused')
    }
    clock.clearTimeout(bindTimer)
    const tlvs = { scInterfaceVersion: 0x34 }
    link.respond(`${pdu.command}_resp`, 0, pdu.sequence, { systemId: options.systemId ?? '', tlvs })
    session = createSession(pdu.systemId, role)
    hub.added(session)
  }

  /** Takes the place among the binds of its system id before it asks whether the peer may have it. */
  async function bindStatus(pdu: PduOf<BindCommand>, role: Role): Promise<number> {
    const count = hub.binds.get(pdu.systemId) ?? 0
    if (count >= limits.bindsPerSystemId) return statuses.ESME_RALYBND
    hub.binds.set(pdu.systemId, count + 1)
    const status = await authenticate({ ...pdu, role, remoteAddress })
    if (status !== 0) release(pdu.systemId)
    return status
  }

  async function authenticate(request: BindRequest): Promise<number> {
    try {
      return await options.authenticate(request)
    } catch {
      return statuses.ESME_RSYSERR
    }
  }

  function serve(current: SmscSession, pdu: Pdu): Promise<void> | undefined {
    const answer = ask(current, pdu)
    if (answer === undefined) return refuse(pdu, unsupported[pdu.command] ?? statuses.ESME_RINVBNDSTS)
    if (answer instanceof Promise) {
      return answer.then(
        given => reply(pdu, given),
        () => refuse(pdu, statuses.ESME_RSYSERR),
      )
    }
    reply(pdu, answer)
  }

  function ask(current: SmscSession, pdu: Pdu): MaybePromise<SubmitAnswer> | undefined {
    try {
      switch (pdu.command) {
        case 'submit_sm':
        case 'data_sm':
          return options.onSubmit(current, pdu)
        case 'submit_multi':
          return options.onSubmitMulti?.(current, pdu)
        case 'query_sm':
          return options.onQuery?.(current, pdu)
        case 'cancel_sm':
          return options.onCancel?.(current, pdu)
        case 'replace_sm':
          return options.onReplace?.(current, pdu)
        default:
          return undefined
      }
    } catch {
      return { status: statuses.ESME_RSYSERR }
    }
  }

  function reply(pdu: Pdu, answer: SubmitAnswer): void {
    const command = answerTo(pdu.command)
    if (command === null) return
    try {
      link.respond(command, answer.status, pdu.sequence, answer)
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      // An id that is too long, for example: the message was not taken as far as the peer can know.
      link.respond(command, statuses.ESME_RSYSERR, pdu.sequence)
    }
  }

  function createSession(systemId: string, role: Role): SmscSession {
    return {
      id: hub.nextId(),
      systemId,
      role,
      remoteAddress,
      counters: link.counters,
      freeWindow: () => (role === 'transmitter' ? 0 : link.room()),
      deliver: fields => deliver(role, fields),
      close: ({ drainMs = 5000 } = {}) => close(drainMs),
    }
  }

  function deliver(role: Role, fields: FieldsOf<'deliver_sm'>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (role === 'transmitter') {
        return reject(requestFailure('not_written', 'wrong_role', 'deliver_sm: a transmitter cannot get messages'))
      }
      if (link.isOpen() && link.room() === 0) {
        return reject(requestFailure('not_written', 'window_full', 'deliver_sm: the window is full'))
      }
      link.send('deliver_sm', fields, true, (response, failure) => {
        if (response === null) reject(failure)
        else resolve(answerOf(response))
      })
    })
  }

  async function close(drainMs: number): Promise<void> {
    if (link.inFlight() > 0 || link.handling() > 0) await quietWithin(drainMs)
    if (session !== undefined) {
      const answered = Promise.withResolvers<void>()
      const timer = clock.setTimeout(answered.resolve, unbindMs)
      link.send('unbind', {}, false, () => answered.resolve())
      await answered.promise
      clock.clearTimeout(timer)
    }
    link.end('closed by us')
    return gone.promise
  }

  function quietWithin(drainMs: number): Promise<void> {
    return new Promise(resolve => {
      const timer = clock.setTimeout(resolve, drainMs)
      onQuiet = () => {
        clock.clearTimeout(timer)
        resolve()
      }
    })
  }

  const connection = { close }
  return connection
}
