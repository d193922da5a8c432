// SQL of what connects an organization to its carriers: records with settings, routes and a switch, each sort in a table of
// its own with columns of its own beside the shared ones. Secrets pass through here sealed. Processes share such records by
// advisory locks, one holder each.
import { type ColumnType, type Kysely, sql } from 'kysely'
import type { Database } from '../data/database.generated.ts'
import type { DbSession, Scope, Tx } from '../data/db.ts'
import { resourceRows } from '../resource/rows.ts'
import type { EventType } from '../values/noun.ts'
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
  'created_at',
  'updated_at',
] as const

/** The database fills in the rest. */
export type NewLink<Row> = Omit<Row, 'version' | 'settings_version' | 'created_at' | 'updated_at'>

export type LinkChange<Row> = Partial<Omit<NewLink<Row>, 'id'>> & { settings_version?: number }

/** Names one record among those of all tenants. */
export type LinkKey = { tenant_id: number; id: string }

/** What events about a record contain: its name, and columns of its sort. */
export type LinkEvent = { name: string }

/** Any of these tables, as far as all of them are alike. `reported_state` is the state that was last reported by an event. */
type LinkTable = {
  links: Omit<LinkRecord<never>, 'settings' | 'routes'> & {
    tenant_id: number
    settings: ColumnType<Settings, string, string>
    routes: ColumnType<unknown[], string, string>
    reported_state: string | null
  }
}

/** Tables of records whose states are reported. */
type LinkTableName = {
  [Name in keyof Database]: Database[Name] extends { reported_state: unknown } ? Name : never
}[keyof Database]

/** What the types of events that report such states begin with. */
export type LinkNoun = EventType extends infer Type ? (Type extends `${infer Noun}.throttled` ? Noun : never) : never

export type LinkStoreOptions<Row> = {
  table: LinkTableName
  /** Begins the types of its events, and the names of its locks: processes of different versions must agree about it. */
  noun: LinkNoun
  /** Names of the columns that only this sort has. */
  own: readonly OwnColumn<Row>[]
  /** Those of them that the events of its states contain beside the name. */
  eventColumns?: readonly OwnColumn<Row>[]
}

type OwnColumn<Row> = Exclude<keyof Row, keyof LinkRecord<never>> & string

const json = (value: unknown) => JSON.stringify(value)

export function createLinkStore<Row extends LinkRecord<unknown>>(options: LinkStoreOptions<Row>) {
  const { noun } = options
  // One name for the compiler, which knows but the columns that all have; the real one for the database.
  const table = options.table as 'links'
  const shown = [...columns, ...options.own] as unknown as typeof columns
  const about = ['name', ...(options.eventColumns ?? [])] as unknown as readonly ['name']
  const open = (tx: Tx) => tx as unknown as Kysely<LinkTable>

  const rows = resourceRows<Row, 'enabled'>({
    table: options.table,
    columns: shown.map(column => `r.${column}`).join(', '),
    filters: { enabled: 'enabled' },
  })
  const update = (tx: Tx, { tenantId }: Scope, id: string) =>
    open(tx).updateTable(table).where('tenant_id', '=', tenantId).where('id', '=', id)

  return {
    noun,
    count: rows.count,
    find: rows.find,
    lock: rows.lock,
    list: rows.list,
    /** What was reported of a record goes with it. */
    remove: rows.remove,

    async insert(tx: Tx, { tenantId }: Scope, link: NewLink<Row>): Promise<Row> {
      const { settings, routes, ...rest } = link as NewLink<LinkRecord<unknown>>
      const values = { ...rest, tenant_id: tenantId, settings: json(settings), routes: json(routes) }
      const query = open(tx)
        .insertInto(table)
        .values(values as never)
      return (await query.returning(shown).executeTakeFirstOrThrow()) as unknown as Row
    },

    /** Changes a locked record and counts its version up. */
    async change(tx: Tx, scope: Scope, row: Row, change: LinkChange<Row>): Promise<Row> {
      const { settings, routes, ...rest } = change as LinkChange<LinkRecord<unknown>>
      const changed = await update(tx, scope, row.id)
        .set({
          ...rest,
          ...(settings === undefined ? {} : { settings: json(settings) }),
          ...(routes === undefined ? {} : { routes: json(routes) }),
          // What is switched on again says again in what state it is.
          ...(rest.enabled === undefined ? {} : { reported_state: null }),
          version: row.version + 1,
          updated_at: sql<string>`now()`,
        })
        .returning(shown)
        .executeTakeFirstOrThrow()
      return changed as unknown as Row
    },

    /**
     * Notes that an event reports this state; answers what the event needs, or undefined when that state was reported last or the
     * record is not in use any more.
     */
    async changeReported(tx: Tx, scope: Scope, id: string, state: 'up' | 'down'): Promise<LinkEvent | undefined> {
      return update(tx, scope, id)
        .set({ reported_state: state })
        .where('enabled', '=', true)
        .where(sql<boolean>`reported_state is distinct from ${state}`)
        .returning(about)
        .executeTakeFirst()
    },

    /** What one more event about a record needs; no other is written before this transaction ends. */
    async lockEvent(tx: Tx, { tenantId }: Scope, id: string): Promise<LinkEvent | undefined> {
      const query = open(tx).selectFrom(table).select(about).where('tenant_id', '=', tenantId).where('id', '=', id)
      return query.forNoKeyUpdate().executeTakeFirst()
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
