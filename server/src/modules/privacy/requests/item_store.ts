// SQL of what a request has found of a person, and of taking it away: rows by their ids, and what is left in the texts of others.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Person } from '../person/index.ts'

/** Finds the rows of a person by their addresses and records, and keeps their ids with the request. */
export async function collectItems(tx: Tx, { tenantId }: Scope, id: string, person: Person): Promise<void> {
  const { phones, emails, records } = person
  await sql`
    select collect_person(${tenantId}, ${id}, ${phones}::text[], ${emails}::text[], ${records}::text[])`.execute(tx)
}

/** Ids of what was found and not dealt with yet, of one kind, in their order. */
export async function listItems(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  { kind, limit, behind = '' }: { kind: string; limit: number; behind?: string },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from privacy_items
    where tenant_id = ${tenantId} and request_id = ${id} and kind = ${kind} and id > ${behind} order by id limit ${limit}`.execute(
    tx,
  )
  return rows.map(row => row.id)
}

/** How many there are of each kind. */
export async function countItems(tx: Tx, { tenantId }: Scope, id: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ kind: string; n: number }>`
    select kind, count(*)::integer as n from privacy_items
    where tenant_id = ${tenantId} and request_id = ${id} group by kind`.execute(tx)
  return Object.fromEntries(rows.map(({ kind, n }) => [kind, n]))
}

export async function removeItems(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  { kind, ids }: { kind: string; ids: readonly string[] },
): Promise<void> {
  await sql`
    delete from privacy_items
    where tenant_id = ${tenantId} and request_id = ${id} and kind = ${kind} and id = any(${ids}::text[])`.execute(tx)
}

/** Deletes found rows of a table, but those that are in use; how many went. */
export async function eraseFound(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  { kind, ids }: { kind: string; ids: readonly string[] },
): Promise<number> {
  const { rows } = await sql<{ gone: number }>`
    select erase_found(${tenantId}, ${id}, ${kind}, ${ids}::text[]) as gone`.execute(tx)
  return rows[0]!.gone
}

/** Deletes the events of resources, of types like `note.%`, with their deliveries. */
export async function eraseEvents(
  tx: Tx,
  { tenantId }: Scope,
  ids: readonly (string | number)[],
  type: string,
): Promise<void> {
  await sql`select erase_events(${tenantId}, ${ids.map(String)}::text[], ${type})`.execute(tx)
}

/** Recordings of these that are still there in some form, or whose files are about to be removed. */
export async function countRecordingsLeft(tx: Tx, { tenantId }: Scope, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from recordings r
    where r.tenant_id = ${tenantId} and r.id = any(${ids}::text[]) and (r.state not in ('deleted', 'absent', 'failed')
      or exists (select from recording_jobs j where j.tenant_id = r.tenant_id and j.recording_id = r.id))`.execute(tx)
  return rows[0]!.n
}

export type FileRow = { id: string; storage: string; storage_key: string }

/** Where the files of attachments, or of mails that came in, are. */
export async function listFiles(
  tx: Tx,
  { tenantId }: Scope,
  kind: 'attachments' | 'inbound_mails',
  ids: readonly string[],
): Promise<FileRow[]> {
  const { rows } =
    kind === 'attachments'
      ? await sql<FileRow>`
          select attachment_id as id, storage, storage_key from attachment_files
          where tenant_id = ${tenantId} and attachment_id = any(${ids}::text[])`.execute(tx)
      : await sql<FileRow>`
          select id, storage, storage_key from inbound_mails
          where tenant_id = ${tenantId} and id = any(${ids}::text[])`.execute(tx)
  return rows
}

/** Moves records into the trash, where they are not in it: it is emptied at once. */
export async function trashRecords(
  tx: Tx,
  { tenantId }: Scope,
  table: string,
  ids: readonly (string | number)[],
): Promise<void> {
  await sql`
    update ${sql.table(table)} set deleted_at = now() - interval '1 minute', version = version + 1
    where tenant_id = ${tenantId} and id::text = any(${ids.map(String)}::text[])`.execute(tx)
}

export async function listSweptTables(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from swept_tables() as name`.execute(tx)
  return rows.map(({ name }) => name)
}

export type Swept = { seen: number; erased: number; kept: number; place: string[] | null }

/** Takes what names the person out of the next rows of a table, behind the key `behind`. @param fiscalFrom invoices since this day stay */
export async function sweepRows(
  tx: Tx,
  { tenantId, organizationId }: Scope,
  of: { table: string; behind: readonly string[]; pattern: string; fiscalFrom: string; limit: number },
): Promise<Swept> {
  const { rows } = await sql<Swept>`
    select * from sweep_person(${tenantId}, ${organizationId}, ${of.table}, ${of.behind}::text[], ${of.pattern}, ${of.fiscalFrom}::date,
      ${of.limit})`.execute(tx)
  return rows[0]!
}

/** Takes words out of what misspelt searches of a noun are compared with, where no record holds them. */
export async function eraseWords(
  tx: Tx,
  { tenantId }: Scope,
  { noun, table, texts }: { noun: string; table: string; texts: readonly string[] },
): Promise<void> {
  await sql`
    select erase_words(${tenantId}, ${noun}, ${table}, array(
      select distinct w.word from unnest(${texts}::text[]) as t (text) cross join words_of(lower(fold_search(t.text))) as w (word)))`.execute(
    tx,
  )
}

export type ImportFile = FileRow & { state: string; encoding: string }

/** Imports behind an id whose files are kept. */
export async function listImportFiles(
  tx: Tx,
  { tenantId }: Scope,
  behind: string,
  limit: number,
): Promise<ImportFile[]> {
  const { rows } = await sql<ImportFile>`
    select id, storage, storage_key, state, encoding from imports
    where tenant_id = ${tenantId} and id > ${behind} and storage_key is not null order by id limit ${limit}`.execute(tx)
  return rows
}

/** The file of an import is gone: what is not under way by now cannot be done with it any more. */
export async function dropImportFile(tx: Tx, { tenantId }: Scope, id: string): Promise<void> {
  await sql`
    update imports set storage = null, storage_key = null, version = version + 1, updated_at = clock_timestamp(),
      state = case when state in ('draft', 'checked') then 'canceled' else state end,
      finished_at = case when state in ('draft', 'checked') then clock_timestamp() else finished_at end
    where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

export type OrganizationFile = { id: string; state: string; storage: string | null; storage_key: string | null }

/** Archives of all that the organization has, which hold the person too, and those that are being made. */
export async function listArchives(tx: Tx, { organizationId }: Scope): Promise<OrganizationFile[]> {
  const { rows } = await sql<OrganizationFile>`
    select id, state, storage, storage_key from organization_exports
    where organization_id = ${organizationId} and state in ('queued', 'running', 'ready')`.execute(tx)
  return rows
}

export async function expireArchive(tx: Tx, { organizationId }: Scope, id: string): Promise<void> {
  await sql`
    update organization_exports set state = 'expired' where organization_id = ${organizationId} and id = ${id} and state = 'ready'`.execute(
    tx,
  )
}
