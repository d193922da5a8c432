// SQL of the files that notes in conversations have: attachments of the lead or contact.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import { type FieldFault, invalid } from '../../kernel/values/problem.ts'

export type Attached = { attachmentId: string; name: string; contentType: string; sizeBytes: number }
type Row = Attached & { recordId: string }

async function read(tx: Tx, { tenantId }: Scope, ids: readonly string[]): Promise<Row[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<Row>`
    select a.id as "attachmentId", a.name, a.content_type as "contentType", a.size_bytes::float8 as "sizeBytes",
      a.record_id as "recordId"
    from attachments a where a.tenant_id = ${tenantId} and a.id = any(${ids}::text[]) and a.deleted_at is null`.execute(
    tx,
  )
  return rows
}

const shown = ({ recordId: _, ...file }: Row): Attached => file

/** Those that are there still, by id. */
export async function attachedOf(tx: Tx, scope: Scope, ids: readonly string[]): Promise<Map<string, Attached>> {
  return new Map((await read(tx, scope, ids)).map(row => [row.attachmentId, shown(row)]))
}

/**
 * Files of a note, in the order in which they are named.
 * @param recordId the lead or contact; null of somebody unknown, who has no files
 * @throws Problem `validation_failed` for each that is no attachment of the record
 */
export async function requireAttached(
  tx: Tx,
  scope: Scope,
  recordId: string | null,
  ids: readonly string[],
): Promise<Attached[]> {
  const rows = new Map((await read(tx, scope, ids)).map(row => [row.attachmentId, row]))
  const message =
    recordId === null
      ? 'needs a lead or contact to hang on; say who the person is first, with POST …/attach'
      : `names no attachment of ${recordId}; put the file there first, with POST /v1/api/attachments`
  const faults = ids.flatMap((id, index): FieldFault[] =>
    recordId !== null && rows.get(id)?.recordId === recordId
      ? []
      : [{ field: `attachments[${index}]`, code: 'not_found', message }],
  )
  if (faults.length > 0) throw invalid(...faults)
  return [...new Set(ids)].flatMap(id => rows.get(id) ?? []).map(shown)
}
