// Connections to mail servers, kept for the mails that follow: at most five to one transport, and a hundred mails over each. A server
// that cannot be reached is left alone for a while, so that what waits for it costs nothing.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { MakeHandover, SendResult, SmtpRoute } from './port.ts'
import { type ConnectFault, openSession, type Patience, type SmtpSession } from './smtp.ts'

const maxConnections = 5
const mailsEach = 100
const idleMs = 5_000
const restMs = 5_000

export type Pools = {
  /** Makes a mail and hands it over when a connection is free: so many are in memory as there are connections. Never rejects. */
  send(key: string, route: SmtpRoute, mail: Given): Promise<SendResult>
  /** Gives back what was not begun, and waits for the rest. */
  close(): Promise<void>
}

type Held = { session: SmtpSession; sent: number; idle?: NodeJS.Timeout }
/** An urgent mail waits behind urgent ones only. */
export type Given = { make: MakeHandover; isUrgent: boolean }
type Waiting = Given & { resolve(result: SendResult): void }
type Tools = Pick<Services, 'egress' | 'outbound' | 'clock'>

export function createPools(tools: Tools, limits?: Patience): Pools {
  const pools = new Map<string, Pool>()
  return {
    send(key, route, mail) {
      const name = `${key} ${route.version}`
      const pool = pools.get(name) ?? createPool(route, tools, limits)
      pools.set(name, pool)
      return pool.send(mail)
    },
    async close() {
      await Promise.all([...pools.values()].map(pool => pool.close()))
    },
  }
}

type Pool = { send(mail: Given): Promise<SendResult>; close(): Promise<void> }

/** Connections that wait for a mail, for a while. */
function createShelf(dropped: (held: Held) => void) {
  const free: Held[] = []
  function drop(held: Held): void {
    clearTimeout(held.idle)
    const at = free.indexOf(held)
    if (at === -1) return
    free.splice(at, 1)
    dropped(held)
  }
  return {
    take() {
      const held = free.pop()
      clearTimeout(held?.idle)
      return held
    },
    put(held: Held) {
      free.push(held)
      held.idle = setTimeout(drop, idleMs, held).unref()
    },
    clear() {
      for (const held of [...free]) drop(held)
    },
  }
}

function createPool(route: SmtpRoute, tools: Tools, limits: Patience | undefined): Pool {
  const shelf = createShelf(end)
  const waiting: Waiting[] = []
  const idle: (() => void)[] = []
  let open = 0
  let busy = 0
  let isClosing = false
  let rest: { untilMs: number; fault: ConnectFault } | undefined

  function pump(): void {
    while (waiting.length > 0) {
      const held = shelf.take()
      if (held !== undefined && !held.session.isUsable()) open--
      else if (isClosing) {
        if (held !== undefined) end(held)
        waiting.shift()!.resolve(unsent('given_back', route, null))
      } else if (held !== undefined) void run(held, waiting.shift()!)
      else if (rest !== undefined && rest.untilMs > performance.now())
        waiting.shift()!.resolve(unsent('deferred', route, rest.fault))
      else if (open < maxConnections) void begin(waiting.shift()!)
      else return
    }
  }

  async function begin(next: Waiting): Promise<void> {
    open++
    busy++
    const opened = await openSession(route, tools, limits === undefined ? {} : { limits })
    busy--
    if (opened.ok) {
      rest = undefined
      return run({ session: opened.connection, sent: 0 }, next)
    }
    open--
    rest = { untilMs: performance.now() + restMs, fault: opened.fault }
    next.resolve(unsent('deferred', route, opened.fault))
    settle()
  }

  async function run(held: Held, next: Waiting): Promise<void> {
    busy++
    const made = await next.make()
    const result = 'result' in made ? made.result : await held.session.send(made.handover)
    busy--
    held.sent++
    next.resolve(result)
    if (!held.session.isUsable() || held.sent >= mailsEach || isClosing) end(held)
    else shelf.put(held)
    settle()
  }

  function end(held: Held): void {
    open--
    held.session.close()
  }

  function settle(): void {
    pump()
    if (busy === 0) for (const resolve of idle.splice(0)) resolve()
  }

  return {
    send: mail =>
      new Promise(resolve => {
        const usual = mail.isUrgent ? waiting.findIndex(({ isUrgent }) => !isUrgent) : -1
        waiting.splice(usual === -1 ? waiting.length : usual, 0, { ...mail, resolve })
        pump()
      }),
    async close() {
      isClosing = true
      pump()
      shelf.clear()
      if (busy > 0) await new Promise<void>(resolve => idle.push(resolve))
    },
  }
}

/** Nothing was said about this mail. */
function unsent(outcome: 'deferred' | 'given_back', { host, port }: SmtpRoute, fault: ConnectFault | null): SendResult {
  return {
    outcome,
    host: `${host}:${port}`,
    replyCode: fault?.replyCode ?? null,
    enhancedStatus: null,
    reply: fault?.reply ?? fault?.reason ?? null,
    code: outcome === 'deferred' ? 'mail_deferred' : null,
    rejected: [],
  }
}
