// Writes the rows of a backup into a database of the same schema, all or nothing: keys between tables, indexes, triggers and policies are
// put aside, and put back over the whole.
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { startFault } from '../values/start_fault.ts'
import type { Sequences } from './archive.ts'
import { listTables, quoted, type Table } from './snapshot.ts'

export type Loading = {
  /** Rows of one part of a table. */
  rows(table: string, content: AsyncIterable<Uint8Array>): Promise<void>
  /** Puts back what was put aside, and sets the sequences. @returns how many rows each table has */
  finish(sequences: Sequences): Promise<Record<string, number>>
}

/**
 * Empties all tables and prepares them; to be called in a transaction of the role that owns the schema, and committed by the caller.
 * @throws StartFault when the database has not the tables and columns of the backup
 */
export async function beginLoading(client: pg.Client, tables: readonly Table[]): Promise<Loading> {
  await client.query('set local statement_timeout = 0; set local lock_timeout = 0')
  await compareTables(client, tables)
  const putBack = await putAside(client)
  await client.query(`truncate ${tables.map(({ name }) => quoted(name)).join(', ')}`)
  const columns = new Map(tables.map(table => [table.name, table.columns]))
  const counts: Record<string, number> = {}
  return {
    async rows(table, content) {
      const names = columns.get(table)
      if (names === undefined) throw startFault(`the backup has rows of a table that it does not name: ${table}`)
      const stream = client.query(copyFrom(`copy ${quoted(table)} (${names.map(quoted).join(', ')}) from stdin`))
      await pipeline(Readable.from(content, { objectMode: false }), stream)
      counts[table] = (counts[table] ?? 0) + (stream.rowCount ?? 0)
    },
    async finish(sequences) {
      for (const [name, { value, isUsed }] of Object.entries(sequences))
        await client.query('select setval($1::regclass, $2::bigint, $3)', [`public.${quoted(name)}`, value, isUsed])
      for (const statement of putBack) await client.query(statement)
      return counts
    },
  }
}

async function compareTables(client: pg.Client, tables: readonly Table[]): Promise<void> {
  const here = new Map((await listTables(client)).map(({ name, columns }) => [name, columns.join(', ')]))
  for (const { name, columns } of tables) {
    if (here.get(name) === columns.join(', ')) continue
    throw startFault(
      `the table ${name} of the backup is not the one of this database (${here.get(name) ?? 'it is missing'}): restore with the ` +
        'release that made the backup, then upgrade',
    )
  }
}

/** Statements that undo what is put aside here, in the order in which they have to be run. */
async function putAside(client: pg.Client): Promise<string[]> {
  const list = async (text: string) => (await client.query<{ drop: string; make: string }>(text)).rows
  const keys = await list(
    `select format('alter table %s drop constraint %I', c.conrelid::regclass, c.conname) as drop,
       format('alter table %s add constraint %I %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) as make
     from pg_constraint c where c.contype = 'f' and c.connamespace = 'public'::regnamespace and c.conparentid = 0
     order by c.conrelid::regclass::text, c.conname`,
  )
  const indexes = await list(
    `select format('drop index %s', i.indexrelid::regclass) as drop, pg_get_indexdef(i.indexrelid) as make
     from pg_index i join pg_class c on c.oid = i.indrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and not i.indisprimary
       and not exists (select from pg_constraint k where k.conindid = i.indexrelid and k.contype in ('p', 'u', 'x'))
     order by i.indexrelid::regclass::text`,
  )
  const triggers = await list(
    `select format('alter table %s disable trigger %I', t.tgrelid::regclass, t.tgname) as drop,
       format('alter table %s enable %s trigger %I', t.tgrelid::regclass,
         case t.tgenabled when 'A' then 'always' when 'R' then 'replica' else '' end, t.tgname) as make
     from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = 'public'::regnamespace and not t.tgisinternal and t.tgenabled <> 'D' order by 1`,
  )
  const policies = await list(
    `select format('alter table %s no force row level security', c.oid::regclass) as drop,
       format('alter table %s force row level security', c.oid::regclass) as make
     from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and c.relforcerowsecurity order by 1`,
  )
  for (const { drop } of [...keys, ...indexes, ...triggers, ...policies]) await client.query(drop)
  return [...indexes, ...keys, ...triggers, ...policies].map(({ make }) => make)
}
