// Reads a whole database at one moment, past the policies that keep tenants apart, as the rows of COPY.
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Entry, Sequences } from './archive.ts'

/** Uncompressed bytes of a part; one row may be longer. */
const partBytes = 8 * 1024 * 1024

export type Table = {
  name: string
  /** In the order of COPY; what the database computes by itself is left out. */
  columns: string[]
}

/** Tables that a restore makes by itself. */
const remade = ['migrations']

/**
 * Begins the transaction in which everything is read: all of it as it was at this moment. Others go on writing.
 * @param client a connection of the role that owns the schema; it may act as `tandem_backup`
 */
export async function beginSnapshot(client: pg.Client): Promise<void> {
  // The limits of ordinary sessions would cut a large table.
  await client.query('set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
  await client.query('begin isolation level repeatable read read only')
  await client.query('set local role tandem_backup')
}

/** All tables whose rows survive a crash, in the order of their names. */
export async function listTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name,
       array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p' and c.relname <> all ($1)
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
     group by c.relname order by c.relname`,
    [remade],
  )
  return rows.map(({ name, columns }) => ({ name, columns }))
}

/** Their rows, part after part; the return value counts them. */
export async function* readTable(client: pg.Client, { name, columns }: Table): AsyncGenerator<Entry, number> {
  const stream = client.query(copyTo(`copy ${quoted(name)} (${columns.map(quoted).join(', ')}) to stdout`))
  let parts: Buffer[] = []
  let length = 0
  let count = 0
  const entry = (content: Buffer): Entry => {
    count++
    return { name: `tables/${name}/${String(count).padStart(6, '0')}.copy`, size: content.length, content }
  }
  for await (const bytes of stream as AsyncIterable<Buffer>) {
    parts.push(bytes)
    length += bytes.length
    if (length < partBytes) continue
    // A line end within a value is written as two other characters: this byte ends a row.
    const all = Buffer.concat(parts)
    const end = all.lastIndexOf(0x0a) + 1
    if (end === 0) continue
    yield entry(all.subarray(0, end))
    parts = [all.subarray(end)]
    length = all.length - end
  }
  if (length > 0) yield entry(Buffer.concat(parts))
  return (stream as unknown as { rowCount: number }).rowCount
}

/** Where each sequence stands. Read after the rows: it is not of the snapshot, and no number of a row is given once more. */
export async function readSequences(client: pg.Client): Promise<Sequences> {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'S' order by 1`,
  )
  const found: Sequences = {}
  for (const { name } of rows) {
    const { rows: at } = await client.query<{ value: string; used: boolean }>(
      `select last_value::text as value, is_called as used from ${quoted(name)}`,
    )
    found[name] = { value: at[0]!.value, isUsed: at[0]!.used }
  }
  return found
}

/** A name as SQL takes it. */
export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
