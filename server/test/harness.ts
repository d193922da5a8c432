// A whole Tandem for one test file: its own database (a clone of the migrated template), an organization with one user of
// each role, keys, a second organization for isolation tests, and the real HTTP application, called without a socket.
import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { type App, createApp } from '../src/app.ts'
import { catalog } from '../src/catalog.ts'
import { loadConfig } from '../src/config/config.ts'
import { type LoadedInstance, loadInstance } from '../src/kernel/boot/instance.ts'
import { connectClient } from '../src/kernel/data/session.ts'
import type { Endpoint } from '../src/kernel/endpoint/endpoint.ts'
import { createLog } from '../src/kernel/observe/log.ts'
import { newId } from '../src/kernel/values/ids.ts'
import { type Role, roles } from '../src/kernel/values/permission.ts'
import { hashPassword } from '../src/modules/identity/login/password.ts'
import { insertSession } from '../src/modules/identity/login/store.ts'
import {
  insertFirstKey,
  insertFirstUser,
  insertOrganization,
  type OrganizationIds,
} from '../src/modules/identity/organizations/bootstrap_store.ts'
import { type FreshDatabase, freshDatabase } from './cluster.ts'
import { testRootSource } from './root_key.ts'

/** On a busy machine what is only slow is not yet stuck: longer than a real node waits, within its sessions' eight seconds. */
const patientSession = { connectionTimeoutMillis: 7_000, options: '-c lock_timeout=7000 -c statement_timeout=7500' }

export const testPassword = 'correct horse battery staple'

let testPasswordHash: Promise<string> | undefined

export type TestOrganization = OrganizationIds & {
  users: Record<Role, { id: number; email: string; adminId: string | null }>
  /** Access tokens for the live tenant, by role: of sessions like those that a login opens. */
  tokens: Record<Role, string>
  /** API keys of the Admin with all rights. */
  liveKey: string
  testKey: string
}

export type Answer = {
  status: number
  headers: Record<string, string>
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  json: any
}

export type CallOptions = {
  /** Bearer credential: an access token or API key. */
  as?: string
  body?: unknown
  /** Sent as it is, instead of `body`. */
  rawBody?: string
  headers?: Record<string, string>
  /** Client address; each test may use its own so that limits do not meet. */
  ip?: string
  /** For an endpoint that streams: reads its first message, which `json` gives as {event, id, data}, and leaves. */
  stream?: boolean
}

export type TestApp = {
  app: App
  clock: TestClock
  /** Its secrets, as every node has them. */
  instance: LoadedInstance
  /** How its database is reached by its owner. */
  owner: FreshDatabase['owner']
  main: TestOrganization
  other: TestOrganization
  call(method: string, path: string, options?: CallOptions): Promise<Answer>
  /** Another node on the same database, with other settings where they are given; it ends with `close()`. */
  secondApp(env?: Record<string, string>): Promise<Pick<TestApp, 'app' | 'call'>>
  /** SQL with the engine's rights, for looking behind the API. */
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** One transaction with the engine's rights. */
  asEngine<T>(work: (client: pg.Client) => Promise<T>): Promise<T>
  /** SQL as the owner (superuser). */
  ownerSql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  /** The session that `ownerSql` uses, for what must be in one. */
  asOwner<T>(work: (client: pg.Client) => Promise<T>): Promise<T>
  close(): Promise<void>
}

/** The system clock, which a test may move. */
export type TestClock = { now(): number; advance(ms: number): void }

export type TestAppOptions = {
  env?: Record<string, string>
  /** Starts queues (not the cold-job schedules); off by default. */
  work?: boolean
  /** Endpoints beside those of the catalog, or in place of those with the same id. */
  endpoints?: readonly Endpoint[]
  /** Where the log goes; standard error by default. */
  logTo?: NodeJS.WritableStream
}

export async function startTestApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { env = {}, work = false, endpoints = [], logTo = process.stderr } = options
  const database = await freshDatabase()
  // Made when something is stored; most tests store nothing.
  const dataDir = join(tmpdir(), `tandem-data-${randomUUID()}`)
  const variables = {
    TANDEM_DATA: dataDir,
    TANDEM_RATE_LIMIT_IP: '1000000',
    TANDEM_RATE_LIMIT_KEY: '1000000',
    TANDEM_TESTS_PACE: '0',
    TANDEM_LOG_LEVEL: 'error',
    ...env,
  }
  const config = loadConfig(variables)
  let offsetMs = 0
  const clock: TestClock = {
    now: () => Date.now() + offsetMs,
    advance(ms) {
      offsetMs += ms
    },
  }
  const instance = await loadInstance(database.owner, testRootSource)
  const log = createLog({ level: config.logLevel, format: 'json', stream: logTo })
  const nodes: App[] = []
  async function startNode(more?: Record<string, string>): Promise<Pick<TestApp, 'app' | 'call'>> {
    // Each node reads the secrets by itself.
    const own = more === undefined ? instance : await loadInstance(database.owner, testRootSource)
    const made = await createApp({
      config: more === undefined ? config : loadConfig({ ...variables, ...more }),
      app: { ...database.app, ...patientSession },
      instance: own,
      clock,
      log,
      endpoints: [...catalog.filter(({ id }) => !endpoints.some(own => own.id === id)), ...endpoints],
    })
    let stopped: Promise<void> | undefined
    // A test may stop a node; closing the test would do it again.
    const app: App = { ...made, stop: () => (stopped ??= made.stop()) }
    nodes.push(app)
    await app.http.ready()
    app.markReady()
    return { app, call: (method, path, options) => callOn(app, method, path, options) }
  }
  const { app, call } = await startNode()
  testPasswordHash ??= hashPassword(testPassword)
  const passwordHash = await testPasswordHash

  async function callOn(app: App, method: string, path: string, options: CallOptions = {}): Promise<Answer> {
    const { as, body, rawBody, headers = {}, ip = '127.0.0.1' } = options
    const payload = rawBody ?? (body === undefined ? undefined : JSON.stringify(body))
    const response = await app.http.inject({
      method: method as 'GET',
      url: path,
      remoteAddress: ip,
      headers: {
        ...(payload === undefined ? {} : { 'content-type': 'application/json' }),
        ...(as === undefined ? {} : { authorization: `Bearer ${as}` }),
        ...headers,
      },
      ...(payload === undefined ? {} : { payload }),
      ...(options.stream === true ? { payloadAsStream: true } : {}),
    })
    const text = options.stream === true ? await firstMessage(response) : response.body
    return {
      status: response.statusCode,
      headers: response.headers as Record<string, string>,
      text,
      json: parsed(text, response.headers['content-type']),
    }
  }

  async function organization(name: string, domain: string): Promise<TestOrganization> {
    const made = await engine.use(async client => {
      const ids = await insertOrganization(client, {
        name,
        timeZone: 'Europe/Berlin',
        currency: 'USD',
        defaultCountry: 'US',
      })
      const users = {} as TestOrganization['users']
      for (const role of roles) {
        const email = `${role.toLowerCase().replace(' ', '.')}@${domain}`
        const { userId, adminId } = await insertFirstUser(client, ids.organizationId, {
          email,
          name: role,
          role,
          passwordHash,
        })
        users[role] = { id: userId, email, adminId }
      }
      const owner = { organizationId: ids.organizationId, userId: users.Admin.id, name: 'all rights' }
      const liveKey = await insertFirstKey(client, instance.keyring, {
        ...owner,
        tenantId: ids.liveTenantId,
        mode: 'live',
      })
      const testKey = await insertFirstKey(client, instance.keyring, {
        ...owner,
        tenantId: ids.testTenantId,
        mode: 'test',
      })
      return { ...ids, users, liveKey, testKey }
    })
    const tokens = {} as Record<Role, string>
    for (const role of roles) tokens[role] = await openSession(made, { id: made.users[role].id, role })
    return { ...made, tokens }
  }

  /** What a login does once the password is checked. Checking it costs more than all the rest of a small test. */
  async function openSession(ids: OrganizationIds, user: { id: number; role: Role }): Promise<string> {
    const sessionId = newId('ses')
    const scope = { organizationId: ids.organizationId, tenantId: 0 }
    // Fresh for all of a test, however far it moves the clock: what is about proofs logs in by itself (people.ts).
    const proved = new Date(clock.now() + 30 * 86_400_000).toISOString()
    await app.services.db.inTenant(scope, tx =>
      insertSession(tx, {
        organization_id: ids.organizationId,
        id: sessionId,
        user_id: user.id,
        tenant_id: ids.liveTenantId,
        login_id: newId('lgn'),
        amr: ['pwd'],
        auth_at: proved,
        factor_at: proved,
        ip: null,
        user_agent: null,
      }),
    )
    const claims = { sessionId, userId: user.id, tenantId: ids.liveTenantId, role: user.role }
    return app.services.tokens.signAccess(claims, clock.now())
  }

  const engine = engineSessions(database.owner)
  const main = await organization('Example Company', 'example.com')
  const other = await organization('Other Company', 'other.example')
  if (work) await app.startWork()
  const ownerClient = new pg.Client(database.owner)
  await ownerClient.connect()

  return {
    app,
    clock,
    instance,
    owner: database.owner,
    main,
    other,
    call,
    secondApp: (more = {}) => startNode(more),
    sql: (text, values = []) => engine.use(async client => (await client.query(text, values)).rows) as Promise<never>,
    asEngine: engine.use,
    asOwner: work => work(ownerClient),
    ownerSql: async (text, values = []) => (await ownerClient.query(text, values)).rows as never,
    async close() {
      await engine.end()
      await ownerClient.end()
      for (const node of nodes) await node.stop()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

type EngineSessions = {
  /** One transaction with the engine's rights. */
  use<T>(work: (client: pg.Client) => Promise<T>): Promise<T>
  end(): Promise<void>
}

/** What `asEngine` of the server does, in sessions that are kept: to open one costs PostgreSQL more than most queries of a test. */
function engineSessions(owner: FreshDatabase['owner']): EngineSessions {
  const idle: pg.Client[] = []
  return {
    async use(work) {
      const client = idle.pop() ?? (await connectClient({ ...owner, application_name: 'tandem_engine' }))
      try {
        await client.query('begin')
        await client.query('set local role tandem_engine')
        const result = await work(client)
        // Of a transaction that failed on the way it is answered, and is no error.
        const { command } = await client.query('commit')
        if (command !== 'COMMIT') throw new Error('the transaction was rolled back')
        idle.push(client)
        return result
      } catch (error) {
        await client.end()
        throw error
      }
    },
    end: async () => void (await Promise.all(idle.splice(0).map(client => client.end()))),
  }
}

type Injected = Awaited<ReturnType<App['http']['inject']>>

/** The text up to the end of the first message with data, or all of an answer that is no stream. */
async function firstMessage(response: Injected): Promise<string> {
  let text = ''
  for await (const chunk of response.stream()) {
    text += chunk
    const isStream = String(response.headers['content-type']).startsWith('text/event-stream')
    if (isStream && /^data: .*\n\n/m.test(text)) break
  }
  response.raw.res.destroy()
  return text
}

function parsed(text: string, type: unknown): unknown {
  if (String(type).startsWith('text/event-stream')) {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1]
    const [id, data] = [field('id'), field('data')]
    return { event: field('event'), ...(id === undefined ? {} : { id }), data: data && JSON.parse(data) }
  }
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
