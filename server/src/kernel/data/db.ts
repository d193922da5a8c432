// The database door. Every transaction opens with its tenant set, so row-level security holds whatever the handler does;
// begin, context and first query travel together. The server's role owns nothing and bypasses nothing.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { noTracer, type Tracer } from '../observe/tracing.ts'
import { Problem } from '../values/problem.ts'
import { isConnectionProblem, isServerError, sqlState, unavailable } from './db_errors.ts'
import { createFairQueue, type Holder, quotas } from './quota.ts'
import { type ConnectionOptions, connectClient, poolOptions } from './session.ts'
import { endWhenSilent } from './silence.ts'
import { database } from './statement_spans.ts'
import { type Bound, bind, gather, type Tx } from './tx.ts'

export { constraintOf, isConnectionProblem, isPassing, isRefusedRow, isServerError, sqlState } from './db_errors.ts'
export type { ConnectionOptions } from './session.ts'
export { type Tx, withCommit } from './tx.ts'

/** Whose rows a transaction may see, and how much of the database it may use: a principal says its mode. */
export type Scope = Holder & {
  readonly organizationId: number
  /** Who is logged in: what is their own (account, factors) is seen beside what is the tenant's. */
  readonly person?: { readonly accountId: number } | null
}

export type Db = {
  /**
   * Runs `work` in one transaction of one tenant and answers only after COMMIT was acknowledged as COMMIT.
   * Waits its turn among tenants when all connections are in use.
   * @throws Problem `unavailable` when its turn does not come within ten seconds, the connection breaks, or the outcome of COMMIT is
   * unknown
   */
  inTenant<T>(scope: Scope, work: (tx: Tx) => Promise<T>): Promise<T>
  /** Runs `work` in a transaction without any tenant: only tables and functions without tenant rows answer. */
  outside<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /**
   * One prepared statement that is a transaction by itself (a function that sets its own context), on a shared pipelined
   * connection: the cheapest way to the database, for hot paths only. `holder` is the tenant for whom it is, where it is one.
   */
  call<Row>(name: string, text: string, values: unknown[], holder?: Holder): Promise<Row[]>
  /** The same for work behind requests, on connections of its own: a long batch never is in front of a request. */
  work<Row>(name: string, text: string, values: unknown[]): Promise<Row[]>
  /** The same for the few that must be answered however much there is to do, such as whether the node is ready. */
  control<Row>(name: string, text: string, values: unknown[]): Promise<Row[]>
  /** A connection of its own for what lives as long as a session does, such as advisory locks. The caller closes it. */
  session(): Promise<DbSession>
  /** Number of requests waiting for a connection, for metrics. */
  waiting(): number
  /** Connections of the pool for transactions: under way, open, and as many as there may be. */
  pool(): { used: number; open: number; max: number }
  close(): Promise<void>
}

export type DbSession = {
  /** One statement. When no answer comes within eight seconds the session is over. */
  query<Row>(text: string, values: unknown[]): Promise<Row[]>
  /** Resolves when the session is over, for whatever reason; its locks are free then. */
  readonly ended: Promise<void>
  close(): Promise<void>
}

const sessionSettings = [
  '-c timezone=UTC',
  '-c statement_timeout=5000',
  '-c lock_timeout=2000',
  '-c idle_in_transaction_session_timeout=10000',
].join(' ')

pg.types.setTypeParser(pg.types.builtins.INT8, parseInt8)
pg.types.setTypeParser(pg.types.builtins.TIMESTAMPTZ, isoFromTimestamp)
pg.types.setTypeParser(pg.types.builtins.DATE, (text: string) => text)

function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`bigint ${text} is beyond the safe integers`)
  return value
}

/** PostgreSQL's `2026-11-21 08:39:13.737123+00` (sessions run in UTC) as ISO 8601 with milliseconds. */
export function isoFromTimestamp(text: string): string {
  if (text.length < 22 || !text.endsWith('+00'))
    return text.endsWith('+00') ? `${text.slice(0, 10)}T${text.slice(11, 19)}.000Z` : text
  const fraction = text.slice(20, -3)
  return `${text.slice(0, 10)}T${text.slice(11, 19)}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
}

/** Adds our session settings to connection options, keeping what these already carry (such as a role, or more patience). */
export function withSession(options: ConnectionOptions): ConnectionOptions {
  return {
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    ...options,
    application_name: 'tandem',
    options: [sessionSettings, options.options].filter(Boolean).join(' '),
  }
}

export type OpenDbOptions = {
  app: ConnectionOptions
  poolSize: number
  hotConnections?: number
  workConnections?: number
  onError: (error: Error) => void
  /** After how long a connection that does not answer is ended; for tests. */
  silentMs?: number
  /** Statements within a trace are part of it, by their names. */
  tracer?: Tracer
}

export function openDb(options: OpenDbOptions): Db {
  const { app, poolSize, hotConnections = 3, workConnections = 2, onError, silentMs, tracer = noTracer } = options
  const connection = withSession(app)
  const pool = new pg.Pool({
    ...poolOptions(connection),
    max: poolSize,
    min: 1,
    pipeline: true,
    idleTimeoutMillis: 30_000,
  } as pg.PoolConfig)
  pool.on('error', onError)
  // The pool listens to connections that are free. One that breaks while a transaction waits for something else has no query to
  // report it to: without a listener Node.js would end the process for it, with all calls in it. The transaction hears of it by its next query.
  pool.on('connect', client => {
    client.on('error', ignore)
    endWhenSilent(client, silentMs)
  })
  const turns = createFairQueue({ quota: quotas.transactions(poolSize) })
  const statements = createFairQueue({ quota: quotas.statements(hotConnections) })
  const lanes = { onError, silentMs }
  const hot = sharedLanes(connection, hotConnections, lanes)
  const background = sharedLanes(connection, workConnections, lanes)
  const control = sharedLanes(connection, 1, lanes)

  return {
    inTenant: (scope, work) =>
      tracer.child('transaction', {}, () => turns.run(scope, () => transaction(pool, scope, work, tracer))),
    outside: work =>
      tracer.child('transaction', {}, () => turns.run(nobody, () => transaction(pool, undefined, work, tracer))),
    call: (name, text, values, holder = nobody) =>
      tracer.child(name, database, () => statements.run(holder, () => hot.call(name, text, values, holder.mode))),
    work: (name, text, values) => tracer.child(name, database, () => background.call(name, text, values)),
    control: control.call,
    session: () => openSession(connection),
    waiting: () => turns.waiting() + statements.waiting(),
    pool: () => ({ used: pool.totalCount - pool.idleCount, open: pool.totalCount, max: poolSize }),
    async close() {
      await Promise.all([pool.end(), hot.close(), background.close(), control.close()])
    },
  }
}

/** Work of no tenant, or of many at once. */
const nobody: Holder = { tenantId: 0 }

const setContext = {
  name: 'set_context',
  text:
    "select set_config('app.tenant_id', $1, true), set_config('app.organization_id', $2, true), " +
    "set_config('app.account_id', $3, true)",
}

/** Without a person no row of an account is found: the empty text is no number, so the query fails loudly. */
function contextOf({ tenantId, organizationId, person }: Scope): string[] {
  return [String(tenantId), String(organizationId), person ? String(person.accountId) : '']
}

async function transaction<T>(
  pool: pg.Pool,
  scope: Scope | undefined,
  work: (tx: Tx) => Promise<T>,
  tracer: Tracer,
): Promise<T> {
  const client = await connect(pool)
  let healthy = false
  try {
    // Not awaited on purpose: they leave with the first query of `work`. If one fails, every later query fails as well.
    gather(client)
    const opened = client.query('begin')
    opened.catch(ignore)
    const context = scope === undefined ? undefined : client.query({ ...setContext, values: contextOf(scope) })
    context?.catch(ignore)
    const bound = bind(client, tracer)
    let result: T
    try {
      result = await work(bound.tx)
      await opened
      await context
    } catch (error) {
      healthy = await rollback(client)
      const isAboutConnection = !healthy && !(error instanceof Problem) && !isServerError(error)
      throw isAboutConnection ? unavailable(error) : causeOf(error, bound)
    }
    await commit(client, bound)
    healthy = true
    return result
  } finally {
    client.release(!healthy)
  }
}

async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw unavailable(error)
  }
}

async function rollback(client: pg.PoolClient): Promise<boolean> {
  try {
    const { command } = await client.query('rollback')
    return command === 'ROLLBACK'
  } catch {
    return false
  }
}

/** Of a statement that was refused only because one before it had failed: why that one did. */
function causeOf(error: unknown, { fault }: Bound): unknown {
  return sqlState(error) === '25P02' && fault !== undefined ? fault : error
}

/** A failed transaction still resolves COMMIT, with the tag ROLLBACK: only the tag COMMIT is an acknowledgement. */
async function commit(client: pg.PoolClient, bound: Bound): Promise<void> {
  let tag: string
  await bound.passedOn()
  gather(client)
  try {
    tag = (await client.query('commit')).command
  } catch (error) {
    throw isServerError(error) ? error : unavailable(error)
  }
  if (tag !== 'COMMIT') throw bound.fault ?? new Error(`the transaction ended with ${tag}, not COMMIT`)
}

function ignore(): void {}

// Less than the server takes to give a silent peer up (below): anyone who is cut off knows it before its locks are free.
const sessionQueryMs = 8_000
const sessionEndMs = 3_000

// So that the server, too, notices within seconds that a process or its network is gone, and frees the locks.
const deadPeer = '-c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 -c tcp_keepalives_count=3'

async function openSession(connection: ConnectionOptions): Promise<DbSession> {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const client = await openClient(
    {
      ...connection,
      options: [connection.options, deadPeer].filter(Boolean).join(' '),
      query_timeout: sessionQueryMs,
      keepAlive: true,
    },
    made => {
      made.once('end', resolve)
      made.on('error', () => resolve())
    },
  )
  // With a statement under way, its end is a mere error to the client: the connection itself must go.
  const destroy = () =>
    (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy()
  return {
    async query<Row>(text: string, values: unknown[]) {
      try {
        return (await client.query(text, values)).rows as Row[]
      } catch (error) {
        if (isServerError(error)) throw error
        destroy()
        throw unavailable(error)
      }
    },
    ended,
    async close() {
      await Promise.race([client.end().catch(ignore), sleep(sessionEndMs, undefined, { ref: false })])
      destroy()
    },
  }
}

async function openClient(options: ConnectionOptions, made: (client: pg.Client) => void): Promise<pg.Client> {
  try {
    return await connectClient(options, made)
  } catch (error) {
    throw unavailable(error)
  }
}

type LaneOptions = Pick<OpenDbOptions, 'onError' | 'silentMs'>

type Lane = { client: pg.Client | undefined; connecting: Promise<pg.Client> | undefined; underWay: number }

function sharedLanes(options: ConnectionOptions, count: number, { onError, silentMs }: LaneOptions) {
  const lanes: Lane[] = Array.from({ length: count }, () => ({
    client: undefined,
    connecting: undefined,
    underWay: 0,
  }))
  let next = 0

  function open(lane: Lane): Promise<pg.Client> {
    lane.connecting ??= connectLane(lane).finally(() => {
      lane.connecting = undefined
    })
    return lane.connecting
  }

  async function connectLane(lane: Lane): Promise<pg.Client> {
    const forget = (client: pg.Client) => {
      if (lane.client === client) lane.client = undefined
    }
    const client = await openClient({ ...options, pipeline: true } as ConnectionOptions, made => {
      made.on('error', error => {
        forget(made)
        onError(error)
      })
      made.on('end', () => forget(made))
    })
    endWhenSilent(client, silentMs)
    lane.client = client
    return client
  }

  /**
   * A long statement holds up what follows it on its connection: behind the fewest others, and those of tests all have one connection. A
   * further connection is opened only while all that are open are in use: each costs PostgreSQL 4 to 9 MiB.
   */
  function leastBusy(): Lane {
    next++
    const rotated = lanes.map((_, index) => lanes[(next + index) % count] as Lane)
    return rotated.reduce((least, one) => (loadOf(one) < loadOf(least) ? one : least))
  }

  function loadOf({ underWay, client }: Lane): number {
    return client === undefined ? underWay + 0.5 : underWay
  }

  return {
    async call<Row>(name: string, text: string, values: unknown[], mode?: Holder['mode']): Promise<Row[]> {
      const lane = mode === 'test' ? (lanes[0] as Lane) : leastBusy()
      lane.underWay++
      try {
        const client = lane.client ?? (await open(lane))
        gather(client)
        return (await client.query({ name, text, values })).rows as Row[]
      } catch (error) {
        throw isServerError(error) || isConnectionProblem(error) ? error : unavailable(error)
      } finally {
        lane.underWay--
      }
    },
    async close() {
      await Promise.all(lanes.map(lane => lane.client?.end()))
    },
  }
}
