// One open transaction: a Kysely instance on exactly one client. Statements leave in the order they were begun, without waiting for
// the answers of those before them.
import type { Writable } from 'node:stream'
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import type { Tracer } from '../observe/tracing.ts'
import type { Database } from './database.generated.ts'
import { database, summaryOf } from './statement_spans.ts'

/** One open transaction of one tenant, as a Kysely instance. It has no `transaction()` of its own. */
export type Tx = Kysely<Database>

/**
 * Has the last statements of a transaction leave together with its commit, rather than one round trip before it: `work` ends without
 * waiting for them. Where one of them fails so does the transaction, with its error. Their answers are there once it is committed.
 */
export function withCommit<T>(statements: Promise<T>): Promise<T> {
  statements.catch(() => {})
  return statements
}

export type Bound = {
  readonly tx: Tx
  /** Why the first statement failed that did; nothing after it has any effect. */
  readonly fault: unknown
  /** Resolves when all statements that were begun have left; any other is refused from then on, for it would be in no transaction. */
  passedOn(): Promise<void>
}

/**
 * Has all that is asked of a client from here on until this turn of the event loop is over leave in one write: by itself each statement
 * would be a system call, and wake PostgreSQL. To be called before each.
 */
export function gather(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Writable } }).connection
  if (stream.writableCorked > 0) return
  stream.cork()
  // What waits for a tick (`passedOn`) says the next thing in the turns of promises behind it.
  process.nextTick(queueMicrotask, () => process.nextTick(() => stream.uncork()))
}

/** A transaction on this client. */
export function bind(client: pg.ClientBase, tracer: Tracer): Bound {
  let fault: unknown
  let isOver = false
  const connection: DatabaseConnection = {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      if (isOver) throw new Error('a statement came after the commit of its transaction')
      const statement = { name: statementName(query.sql), text: query.sql, values: query.parameters as unknown[] }
      gather(client)
      try {
        const result = tracer.isOn
          ? await tracer.child(summaryOf(query.sql), database, () => client.query(statement))
          : await client.query(statement)
        const affected = result.rowCount
        return affected === null
          ? { rows: result.rows as R[] }
          : { rows: result.rows as R[], numAffectedRows: BigInt(affected) }
      } catch (error) {
        fault ??= error
        throw error
      }
    },
    // biome-ignore lint/correctness/useYield: streaming is not offered inside a request's transaction
    async *streamQuery() {
      throw new Error('streaming is not supported here')
    },
  }
  return {
    tx: kyselyOn(connection),
    get fault() {
      return fault
    },
    // Kysely takes some turns of promises to pass a statement on, and nothing else: they are over before the next tick.
    passedOn: () =>
      new Promise(resolve =>
        process.nextTick(() => {
          isOver = true
          resolve()
        }),
      ),
  }
}

function kyselyOn(connection: DatabaseConnection): Tx {
  return new Kysely<Database>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: db => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => ({
        init: async () => {},
        acquireConnection: async () => connection,
        beginTransaction: nested,
        commitTransaction: nested,
        rollbackTransaction: nested,
        releaseConnection: async () => {},
        destroy: async () => {},
      }),
    },
  })
}

async function nested(): Promise<void> {
  throw new Error('already in a transaction')
}

const statementNames = new Map<string, string>()

/** Statements are prepared per connection under a name; only the first 500 texts get one, so odd filters cannot pile up. */
function statementName(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known !== undefined || statementNames.size >= 500) return known
  const name = `s${statementNames.size}`
  statementNames.set(text, name)
  return name
}
