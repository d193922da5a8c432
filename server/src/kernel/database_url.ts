// An operator's own PostgreSQL, named by DATABASE_URL: read, tried out, and told apart into the connection that owns the
// schema and the one that serves requests without owning anything.
import pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'
import type { ConnectionOptions } from './db.ts'
import { startFault } from './start_fault.ts'

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
 * connects once to see that it works; a server that is just starting is given half a minute.
 * @throws StartFault with one line that says what is wrong and what to do; the password is never in it.
 */
export async function externalDatabase(url: string): Promise<ExternalDatabase> {
  const owner = parseUrl(url)
  await tryConnection(owner)
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

/** What an operator does about a refused connection. Codes: SQLSTATE (PostgreSQL manual, appendix A), Node and OpenSSL. */
function explainRefusal(error: NodeJS.ErrnoException, client: pg.Client): string {
  const { user, database, host, port } = client
  const place = host.startsWith('/') ? `the socket ${host}/.s.PGSQL.${port}` : `${host}:${port}`
  const lead = `The database of DATABASE_URL (${user}@${place}, database ${database})`
  switch (error.code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${lead} cannot be found: no host is called ${host}. Correct the host in DATABASE_URL.`
    case 'ECONNREFUSED':
    case 'ENOENT':
      return `${lead} does not answer: nothing listens there. Start PostgreSQL, or correct host and port in DATABASE_URL.`
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
    case 'ETIMEDOUT':
      return `${lead} cannot be reached from here. Check the network and firewall, or correct the host in DATABASE_URL.`
    case '28P01':
      return `${lead} refused the password of user ${user}. Correct user and password in DATABASE_URL.`
    case '28000':
      return `${lead} does not let user ${user} in (${error.message}). Correct the user, or allow it in pg_hba.conf.`
    case '3D000':
      return `${lead} does not exist. Create it (createdb -O ${user} ${database}), or correct the name in DATABASE_URL.`
    case '53300':
      return `${lead} has no free connection. Raise its max_connections, or close other clients.`
    case '57P03':
      return `${lead} is still starting or shutting down. Wait until it takes connections, then start again.`
    default:
      return explainOther(error, lead)
  }
}

function explainOther(error: NodeJS.ErrnoException, lead: string): string {
  if (/timeout/i.test(error.message)) {
    return `${lead} did not answer within ${connectTimeoutMs / 1000} s. Check the network, or correct host and port in DATABASE_URL.`
  }
  if (/does not support SSL/i.test(error.message)) {
    return `${lead} speaks no TLS. Switch TLS on in that server, or add sslmode=disable to DATABASE_URL on a trusted network.`
  }
  if (/CERT|SELF_SIGNED|ISSUER/.test(error.code ?? '') || /certificate/i.test(error.message)) {
    return `${lead} shows a TLS certificate that is not trusted (${error.code ?? error.message}). Name its authority with sslrootcert=… in DATABASE_URL.`
  }
  if (/password must be a string|no password/i.test(error.message)) {
    return `${lead} asks for a password, and DATABASE_URL has none. Add it.`
  }
  return `${lead} refused the connection (${[error.code, error.message].filter(Boolean).join(': ')}). Correct DATABASE_URL or that server.`
}
