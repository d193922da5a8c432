// SQL of what connects an organization to its carriers: records with settings, routes and a switch, each sort in a table of
// its own with columns of its own beside the shared ones. Secrets pass through here sealed. Processes share such records by
// advisory locks, one holder each.
import { type ColumnType, type Kysely, sql } from 'kysely'
import type { DbSession, Scope, Tx } from './db.ts'
import type { Settings } from './settings.ts'

/** What every such record has. */
export type LinkRecord<Route> = {
  id: string
  name: string
  settings: Settings
  secrets: string | null
  routes: Route[]
  enabled: boolean
  /** Counts every change. */
  version: number
  /** Counts changes of settings and secrets only. */
  settings_version: number
  /** That of its newest event. */
  sequence: number
  created_at: string
  updated_at: string
}

const columns = [
  'id',
  'name',
  'settings',
  'secrets',
  'routes',
  'enabled',
  'version',
  'settings_version',
  'sequence',
  'created_at',
  'updated_at',
] as const

/** The database fills in the rest. */
export type NewLink<Row> = Omit<Row, 'version' | 'settings_version' | 'sequence' | 'created_at' | 'updated_at'>

export type LinkChange<Row> = Partial<Omit<NewLink<Row>, 'id'>> & { settings_version?: number }

/** Where a list goes on. */
export type LinkPage = { limit: number; beforeId: string | undefined }

/** Names one record among those of all tenants. */
export type LinkKey = { tenant_id: number; id: string }

/** What events about a record tell of it, beside their sequence: its name, and columns of its sort. */
export type ToldLink = { name: string; sequence: number }

/** Any of these tables, as far as all of them are alike. `told_state` is the state that an event told last. */
type LinkTable = {
  links: Omit<LinkRecord<never>, 'settings' | 'routes'> & {
    tenant_id: number
    settings: ColumnType<Settings, string, string>
    routes: ColumnType<unknown[], string, string>
    told_state: string | null
  }
}

export type LinkStoreOptions<Row> = {
  table: 'carriers' | 'trunks'
  /** Begins the types of its events, and the names of its locks: processes of different versions must agree about it. */
  noun: string
  /** Names of the columns that only this sort has. */
  own: readonly OwnColumn<Row>[]
  /** Those of them that the events of its states tell beside the name. */
  told?: readonly OwnColumn<Row>[]
}

type OwnColumn<Row> = Exclude<keyof Row, keyof LinkRecord<never>> & string

const json = (value: unknown) => JSON.stringify(value)

export function createLinkStore<Row extends LinkRecord<unknown>>(options: LinkStoreOptions<Row>) {
  const { noun } = options
  // One name for the compiler, which knows but the columns that all have; the real one for the database.
  const table = options.table as 'links'
  const shown = [...columns, ...options.own] as unknown as typeof columns
  const about = ['name', 'sequence', ...(options.told ?? [])] as unknown as readonly ['name', 'sequence']
  const open = (tx: Tx) => tx as unknown as Kysely<LinkTable>

  const select = (tx: Tx, { tenantId }: Scope) =>
    open(tx).selectFrom(table).select(shown).where('tenant_id', '=', tenantId)
  const selectOne = (tx: Tx, scope: Scope, id: string) => select(tx, scope).where('id', '=', id)
  const update = (tx: Tx, { tenantId }: Scope, id: string) =>
    open(tx).updateTable(table).where('tenant_id', '=', tenantId).where('id', '=', id)

  return {
    noun,

    async insert(tx: Tx, { tenantId }: Scope, link: NewLink<Row>): Promise<Row> {
      const { settings, routes, ...rest } = link as NewLink<LinkRecord<unknown>>
      const values = { ...rest, tenant_id: tenantId, settings: json(settings), routes: json(routes) }
      const query = open(tx)
        .insertInto(table)
        .values(values as never)
      return (await query.returning(shown).executeTakeFirstOrThrow()) as unknown as Row
    },

    /** How many the tenant has; others that count wait for this transaction. */
    async count(tx: Tx, { tenantId }: Scope): Promise<number> {
      await sql`select pg_advisory_xact_lock(hashtextextended(${options.table}, ${tenantId}))`.execute(tx)
      const { count } = await open(tx)
        .selectFrom(table)
        .select(eb => eb.fn.countAll<number>().as('count'))
        .where('tenant_id', '=', tenantId)
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async find(tx: Tx, scope: Scope, id: string): Promise<Row | undefined> {
      return (await selectOne(tx, scope, id).executeTakeFirst()) as unknown as Row | undefined
    },

    /** The same, and nobody else changes it before this transaction ends. */
    async lock(tx: Tx, scope: Scope, id: string): Promise<Row | undefined> {
      return (await selectOne(tx, scope, id).forUpdate().executeTakeFirst()) as unknown as Row | undefined
    },

    /** Newest first, one more than `limit` when there are more. */
    async list(
      tx: Tx,
      scope: Scope,
      { enabled }: { enabled?: boolean },
      { limit, beforeId }: LinkPage,
    ): Promise<Row[]> {
      let query = select(tx, scope)
      if (enabled !== undefined) query = query.where('enabled', '=', enabled)
      if (beforeId !== undefined) query = query.where('id', '<', beforeId)
      const rows = await query
        .orderBy('id', 'desc')
        .limit(limit + 1)
        .execute()
      return rows as unknown as Row[]
    },

    /** Changes a locked record and counts its version and its events up. */
    async change(tx: Tx, scope: Scope, row: Row, change: LinkChange<Row>): Promise<Row> {
      const { settings, routes, ...rest } = change as LinkChange<LinkRecord<unknown>>
      const changed = await update(tx, scope, row.id)
        .set({
          ...rest,
          ...(settings === undefined ? {} : { settings: json(settings) }),
          ...(routes === undefined ? {} : { routes: json(routes) }),
          // What is switched on again says anew in what state it is.
          ...(rest.enabled === undefined ? {} : { told_state: null }),
          version: row.version + 1,
          sequence: row.sequence + 1,
          updated_at: sql<string>`now()`,
        })
        .returning(shown)
        .executeTakeFirstOrThrow()
      return changed as unknown as Row
    },

    /** Removes a record; what was told of it goes with it. */
    async remove(tx: Tx, { tenantId }: Scope, id: string): Promise<void> {
      await open(tx).deleteFrom(table).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
    },

    /**
     * Notes that an event tells this state; answers what the event needs, or undefined when that state was told last or the
     * record is not in use any more.
     */
    async changeToldState(tx: Tx, scope: Scope, id: string, state: 'up' | 'down'): Promise<ToldLink | undefined> {
      return update(tx, scope, id)
        .set({ told_state: state, sequence: sql<number>`sequence + 1` })
        .where('enabled', '=', true)
        .where(sql<boolean>`told_state is distinct from ${state}`)
        .returning(about)
        .executeTakeFirst()
    },

    /** What one more event about a record needs. */
    async nextSequence(tx: Tx, scope: Scope, id: string): Promise<ToldLink | undefined> {
      const query = update(tx, scope, id).set({ sequence: sql<number>`sequence + 1` })
      return query.returning(about).executeTakeFirst()
    },

    /** Takes the locks of records for this session as far as no other session has them; answers `<tenant> <id>` of those. */
    async tryLocks(session: DbSession, links: readonly LinkKey[]): Promise<Set<string>> {
      if (links.length === 0) return new Set()
      const keys = links.map(({ tenant_id, id }) => `${tenant_id} ${id}`)
      const rows = await session.query<{ key: string; taken: boolean }>(
        `select key, pg_try_advisory_lock(hashtextextended($2 || ' ' || key, 0)) as taken from unnest($1::text[]) as u (key)`,
        [keys, noun],
      )
      return new Set(rows.filter(row => row.taken).map(row => row.key))
    },

    async unlock(session: DbSession, tenantId: number, id: string): Promise<void> {
      await session.query('select pg_advisory_unlock(hashtextextended($1, 0))', [`${noun} ${tenantId} ${id}`])
    },
  }
}
