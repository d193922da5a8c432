// An operator's own PostgreSQL, named by DATABASE_URL: read, tried out, and distinguished into the connection that owns the
// schema and the one that serves requests without owning anything.
import pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import type { ConnectionOptions } from '../data/db.ts'
import { connectClient } from '../data/session.ts'
import { isStartFault, startFault } from '../values/start_fault.ts'

export type ExternalDatabase = {
  /** As the URL says: for migrations. */
  owner: ConnectionOptions
  /** The same login, turned at the start of each session into role `tandem_app`, so that row-level security holds. */
  app: ConnectionOptions
}

const connectTimeoutMs = 5_000
const startingUpWaitMs = 1_000
const startingUpTries = 30

/**
 * Parses `url` (postgres://user:password@host:port/database, with libpq's parameters such as sslmode and sslrootcert) and
 * connects to see that it works and that a session stays one; a server that is just starting is given half a minute.
 * @throws StartFault with one line that says what is wrong and what to do; the password is never in it.
 */
export async function externalDatabase(url: string): Promise<ExternalDatabase> {
  const owner = parseUrl(url)
  await tryConnection(owner)
  await requireSessions(owner)
  return { owner, app: withRole(owner, 'tandem_app') }
}

/** The same login acting as `role` from the start of each session; the login must be a member of that role. */
export function withRole(options: ConnectionOptions, role: string): ConnectionOptions {
  return { ...options, options: [options.options, `-c role=${role}`].filter(Boolean).join(' ') }
}

function parseUrl(url: string): ConnectionOptions {
  try {
    return parseIntoClientConfig(url)
  } catch (error) {
    // Only files named by the parameters are quoted: any other message may hold parts of the URL.
    const { code, path } = error as NodeJS.ErrnoException
    const why = path ? `its file ${path} cannot be read (${code})` : 'it is not a valid address'
    throw startFault(
      `DATABASE_URL cannot be used: ${why}. It takes postgres://user:password@host:5432/database; characters such as @ : / # in ` +
        'a password are written %40 %3A %2F %23.',
    )
  }
}

async function tryConnection(options: ConnectionOptions): Promise<void> {
  for (let tries = 1; ; tries++) {
    const client = new pg.Client({ ...options, connectionTimeoutMillis: connectTimeoutMs })
    // A connection that breaks while it is being closed is no news here.
    client.on('error', () => {})
    try {
      await client.connect()
      return
    } catch (error) {
      if ((error as { code?: string }).code === '57P03' && tries < startingUpTries) {
        await new Promise(resolve => setTimeout(resolve, startingUpWaitMs))
        continue
      }
      throw startFault(explainRefusal(error as NodeJS.ErrnoException, client))
    } finally {
      await client.end().catch(() => {})
    }
  }
}

/**
 * Refuses a pooler that gives the same connection to others between two transactions (PgBouncer's `pool_mode=transaction`): the
 * advisory locks that keep two processes off one carrier link live as long as a session, as do roles and time limits.
 */
async function requireSessions(options: ConnectionOptions): Promise<void> {
  const bounded = { ...options, connectionTimeoutMillis: connectTimeoutMs, query_timeout: connectTimeoutMs }
  const clients: pg.Client[] = []
  const open = async () => {
    const client = await connectClient(bounded)
    clients.push(client)
    return client
  }
  const pidOf = async (client: pg.Client) =>
    (await client.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid
  try {
    const one = await open()
    const before = await pidOf(one)
    const other = await open()
    // Held by a transaction, so that anyone who shares it has to go elsewhere.
    await other.query('begin')
    if ((await pidOf(other)) === before || (await pidOf(one)) !== before) throw startFault(sharedSessions(clients[0]!))
  } catch (error) {
    const { message } = error as Error
    if (isStartFault(error)) throw error
    if (/statement pooling/i.test(message)) throw startFault(sharedSessions(clients[0]!), error)
    if (/timeout/i.test(message) && clients.length > 0) {
      throw startFault(
        `${subjectOf(clients[0]!)} hands out no second connection: a process of Tandem needs up to 40. Raise max_connections there, or the default_pool_size of a pooler.`,
        error,
      )
    }
    throw startFault(explainRefusal(error as NodeJS.ErrnoException, clients[0] ?? new pg.Client(options)), error)
  } finally {
    for (const client of clients) await client.end().catch(() => {})
  }
}

function sharedSessions(client: pg.Client): string {
  return (
    `${subjectOf(client)} is a pooler that shares connections between transactions (PgBouncer's pool_mode=transaction), and Tandem needs ` +
    'sessions of its own: its locks and its role last as long as one. Set pool_mode=session for this database, or name the PostgreSQL ' +
    'behind the pooler in DATABASE_URL (Tandem keeps a small pool of its own).'
  )
}

/** The role must really be taken, or everything would run with the owner's rights, past row-level security. */
export async function requireRole(options: ConnectionOptions, role: string): Promise<void> {
  const client = await connectClient(options)
  try {
    const { rows } = await client.query<{ role: string }>('select current_user::text as role')
    if (rows[0]?.role === role) return
    throw startFault(
      `${subjectOf(client)} runs as ${rows[0]?.role} and not as ${role}, so nothing would keep tenants apart: what stands in between ` +
        'takes the role away. Name the PostgreSQL behind it in DATABASE_URL.',
    )
  } finally {
    await client.end()
  }
}

function subjectOf({ user, database, host, port }: pg.Client): string {
  const place = host.startsWith('/') ? `the socket ${host}/.s.PGSQL.${port}` : `${host}:${port}`
  return `The database of DATABASE_URL (${user}@${place}, database ${database})`
}

/** What an operator does about a refused connection. Codes: SQLSTATE (PostgreSQL manual, appendix A), Node and OpenSSL. */
function explainRefusal(error: NodeJS.ErrnoException, client: pg.Client): string {
  const { user, database, host } = client
  const subject = subjectOf(client)
  switch (error.code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${subject} cannot be found: no host is called ${host}. Correct the host in DATABASE_URL.`
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `${subject} does not answer: nothing listens there. Start PostgreSQL, or correct host and port in DATABASE_URL.`
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return `${subject} cannot be reached from here. Check the network and firewall, or correct the host in DATABASE_URL.`
    case '28P01':
      return `${subject} refused the password of user ${user}. Correct user and password in DATABASE_URL.`
    case '28000':
      return `${subject} does not let user ${user} in (${error.message}). Correct the user, or allow it in pg_hba.conf.`
    case '3D000':
      return `${subject} does not exist. Create it (createdb -O ${user} ${database}), or correct the name in DATABASE_URL.`
    case '53300':
      return `${subject} has no free connection. Raise its max_connections, or close other clients.`
    case '57P03':
      return `${subject} is still starting or shutting down. Wait until it takes connections, then start again.`
    default:
      return explainOther(error, subject)
  }
}

function explainOther(error: NodeJS.ErrnoException, subject: string): string {
  if (/timeout/i.test(error.message)) {
    return `${subject} did not answer within ${connectTimeoutMs / 1000} s. Check the network, or correct host and port in DATABASE_URL.`
  }
  if (/does not support SSL/i.test(error.message)) {
    return `${subject} speaks no TLS. Switch TLS on in that server, or add sslmode=disable to DATABASE_URL on a trusted network.`
  }
  if (/CERT|SELF_SIGNED|ISSUER/.test(error.code ?? '') || /certificate/i.test(error.message)) {
    return `${subject} shows a TLS certificate that is not trusted (${error.code ?? error.message}). Name its authority with sslrootcert=… in DATABASE_URL.`
  }
  if (/password must be a string|no password/i.test(error.message)) {
    return `${subject} asks for a password, and DATABASE_URL has none. Add it.`
  }
  return `${subject} refused the connection (${[error.code, error.message].filter(Boolean).join(': ')}). Correct DATABASE_URL or that server.`
}
