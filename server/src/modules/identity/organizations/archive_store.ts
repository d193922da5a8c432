// Makes the archive of an organization: a compressed tar of NDJSON files, one line a row, and of the files that its records name. Rows are read
// in the organization's own transactions, so no other can be in it, and page by page, so nothing is held open for long.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { archivedOfOrganization, archivedOfTenant, withheld } from './archived.ts'
import { packedTar, type TarEntry, textEntry } from './tar.ts'

const rowsAtOnce = 2_000

export type Archived = { rows: number; files: number }
type Progress = (part: Archived) => void
type Key = { name: string; type: string }

/** The bytes of the archive. `report` hears how far it has come. */
export function archiveOf(
  services: Services,
  scopes: Readonly<Record<'live' | 'test', Scope>>,
  report: Progress,
): AsyncIterable<Uint8Array> {
  return packedTar(entriesOf(services, scopes, report))
}

async function* entriesOf(
  services: Services,
  scopes: Readonly<Record<'live' | 'test', Scope>>,
  report: Progress,
): AsyncGenerator<TarEntry> {
  const atMs = services.clock.now()
  const done: Archived = { rows: 0, files: 0 }
  const counts: Record<string, number> = {}
  const text = (name: string, content: string) => textEntry(name, content, atMs)
  async function* linesOf(folder: string, scope: Scope, tables: readonly string[]) {
    for (const table of tables) {
      let part = 0
      for await (const rows of pagesOf(services, scope, table)) {
        part++
        counts[`${folder}/${table}`] = (counts[`${folder}/${table}`] ?? 0) + rows.length
        done.rows += rows.length
        report(done)
        yield text(`${folder}/${table}-${String(part).padStart(5, '0')}.ndjson`, `${rows.join('\n')}\n`)
      }
    }
  }
  yield* linesOf('organization', scopes.live, archivedOfOrganization)
  for (const mode of ['live', 'test'] as const) {
    yield* linesOf(mode, scopes[mode], archivedOfTenant)
    for await (const entry of filesOf(services, scopes[mode], mode, atMs)) {
      done.files++
      report(done)
      yield entry
    }
  }
  const { organizationId } = scopes.live
  const content = {
    organizationId,
    madeAt: isoMs(atMs),
    rows: counts,
    files: done.files,
    withheld: 'secrets, and what serves searching only',
  }
  yield text('contents.json', `${JSON.stringify(content, null, 2)}\n`)
}

/** The rows of a table as JSON; to the events belong those that are read out of messages. */
async function* pagesOf(services: Services, scope: Scope, table: string): AsyncGenerator<string[]> {
  yield* pagesOfTable(services, scope, table)
  if (table === 'events') yield* eventsOfMessages(services, scope)
}

/** Events of messages, as rows of the table of events are, page by page in the order of the messages. */
async function* eventsOfMessages({ db }: Services, scope: Scope): AsyncGenerator<string[]> {
  for (let behind = ''; ; ) {
    const after = behind
    const { rows } = await db.inTenant(scope, tx =>
      sql<{ id: string; lines: string[] }>`
        select m.id, array(
          select (to_jsonb(e) - 'written_in')::text from events_of_message(m) e order by e.sequence) as lines
        from messages m where m.tenant_id = ${scope.tenantId} and m.id > ${after} order by m.id limit ${rowsAtOnce / 4}`.execute(
        tx,
      ),
    )
    const lines = rows.flatMap(row => row.lines)
    if (lines.length > 0) yield lines
    const last = rows.at(-1)
    if (last === undefined) return
    behind = last.id
  }
}

/** The rows of a table as JSON, without secrets, page by page in the order of its key. */
async function* pagesOfTable({ db }: Services, scope: Scope, table: string): AsyncGenerator<string[]> {
  const { keys, hidden } = await db.inTenant(scope, tx => shapeOf(tx, table))
  const columns = sql.join(keys.map(({ name }) => sql.ref(`t.${name}`)))
  for (let behind: string[] | undefined; ; ) {
    const after: string[] | undefined = behind
    const rows = await db.inTenant(scope, async tx => {
      const from =
        after === undefined
          ? sql`true`
          : sql`(${columns}) > (${sql.join(keys.map(({ type }, n) => sql`${after[n]}::${sql.raw(type)}`))})`
      const found = await sql<{ line: string; place: string[] }>`
        select (to_jsonb(t) - ${hidden}::text[])::text as line, array[${sql.join(keys.map(({ name }) => sql`${sql.ref(`t.${name}`)}::text`))}] as place
        from ${sql.table(table)} t where ${from} order by ${columns} limit ${rowsAtOnce}`.execute(tx)
      return found.rows
    })
    if (rows.length > 0) yield rows.map(({ line }) => line)
    if (rows.length < rowsAtOnce) return
    behind = rows.at(-1)?.place
  }
}

async function shapeOf(tx: Tx, table: string): Promise<{ keys: Key[]; hidden: string[] }> {
  const keys = await sql<Key>`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_index i cross join lateral unnest(i.indkey) with ordinality k (attnum, n)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = ${table}::regclass and i.indisprimary order by k.n`.execute(tx)
  const columns = await sql<{ name: string }>`
    select attname as name from pg_attribute where attrelid = ${table}::regclass and attnum > 0 and not attisdropped`.execute(
    tx,
  )
  return { keys: keys.rows, hidden: columns.rows.map(({ name }) => name).filter(name => withheld.test(name)) }
}

type FileRow = { kind: string; id: string; storage: string; key: string }

/** What records name that lies in a store: attachments, recordings, mails that came in. What is not there any more, or cannot be reached from here, is left out. */
async function* filesOf({ db, objects }: Services, scope: Scope, mode: string, atMs: number): AsyncGenerator<TarEntry> {
  const rows = await db.inTenant(scope, async tx => {
    const { tenantId } = scope
    return (
      await sql<FileRow>`
        select 'attachments' as kind, attachment_id as id, storage, storage_key as key
        from attachment_files where tenant_id = ${tenantId}
        union all
        select 'recordings', id || '.wav', storage, storage_key from recordings
        where tenant_id = ${tenantId} and state = 'available'
        union all
        select 'inbound_mails', id || '.eml', storage, storage_key from inbound_mails where tenant_id = ${tenantId}`.execute(
        tx,
      )
    ).rows
  })
  for (const { kind, id, storage, key } of rows) {
    const store = objects.at(storage)
    const size = await store?.size(key)
    if (store === undefined || size === undefined) continue
    yield { name: `${mode}/files/${kind}/${id}`, size, content: await store.read(key), atMs }
  }
}
