// Writes the demo company's leads: their rows, their history, and their events.

import type { Scope } from '../kernel/data/db.ts'
import type { NounRecord } from '../kernel/noun/field.ts'
import { idsOf, recordIdOf } from '../kernel/noun/record_ids.ts'
import { columnsOf, emptyValues, showRecord, storeRecord } from '../kernel/noun/records.ts'
import { tableNamed } from '../kernel/noun/registry.ts'
import { differenceOf } from '../kernel/noun/write.ts'
import { isoMs } from '../kernel/values/clock.ts'
import { newId } from '../kernel/values/ids.ts'
import type { LeadStory } from './lead_stories.ts'
import type { LeadLink } from './record_stories.ts'
import { type DemoTransaction, insertEvents, type PastEvent } from './transaction.ts'

type Change = {
  record_id: string
  version: number
  at: string
  user_id: number
  difference: Record<string, [from: unknown, to: unknown]>
}

/**
 * Adds the leads of stories, which come oldest first; answers their ids, in the same order.
 * @param links the records that they name, by their place
 */
export async function fillLeads(
  transaction: DemoTransaction,
  scope: Scope,
  stories: readonly LeadStory[],
  links: ReadonlyMap<number, LeadLink>,
): Promise<number[]> {
  const drawn = await transaction.inTenant<{ id: number }>(
    scope,
    "select nextval('leads_id_seq') as id from generate_series(1, $1)",
    [stories.length],
  )
  const ids = drawn.map(row => row.id)
  const rows: NounRecord[] = []
  const changes: Change[] = []
  const events: PastEvent[] = []
  for (const [index, story] of stories.entries()) {
    const records = recordsOf(story, ids[index] as number, scope.tenantId, links.get(index))
    rows.push(records.record)
    changes.push(...records.changes)
    events.push(...records.events)
  }
  await insertLeads(transaction, scope, rows)
  await insertChanges(transaction, scope, changes)
  await insertEvents(transaction, scope, events)
  return ids
}

/** A story as rows: the lead as it is now, and each step as it was then. */
function recordsOf(
  { lead, createdAtMs, createdBy, moves }: LeadStory,
  id: number,
  tenantId: number,
  link: LeadLink | undefined,
) {
  const { spec } = tableNamed('lead')
  const createdAt = isoMs(createdAtMs)
  let record = {
    ...emptyValues(spec),
    ...lead,
    company_id: link?.since === 'creation' ? link.companyId : null,
    tenant_id: tenantId,
    id: recordIdOf(idsOf(spec), id),
    created_at: createdAt,
    updated_at: createdAt,
    deleted_at: null,
    merged_into: null,
    version: 1,
  } as NounRecord
  const changes = [changeOf(undefined, record, createdBy)]
  const events = [eventOf(id, 'lead.created', createdAtMs, 1, showRecord(spec, record))]
  for (const { status, atMs, by, lostReason } of moves) {
    const before = record
    const at = isoMs(atMs)
    record = {
      ...before,
      status,
      lost_reason: lostReason ?? null,
      first_responded_at: before['first_responded_at'] ?? (before['status'] === 'New' ? at : null),
      ...(status === 'Converted' &&
        link?.since === 'conversion' && {
          company_id: link.companyId,
          contact_id: link.contactId,
          converted_at: at,
        }),
      updated_at: at,
      version: before.version + 1,
    }
    changes.push(changeOf(before, record, by))
    const shown = showRecord(spec, record)
    // Each version has room for two events in the sequence.
    const place = record.version * 2
    events.push(eventOf(id, 'lead.status_changed', atMs, place, { ...shown, previousStatus: before['status'] }))
    if (status === 'Converted') events.push(eventOf(id, 'lead.converted', atMs, place + 1, shown))
  }
  return { record, changes, events }
}

function changeOf(before: NounRecord | undefined, after: NounRecord, by: number): Change {
  const difference = differenceOf(tableNamed('lead'), { before, after, events: [] }, false)
  return { record_id: after.id, version: after.version, at: after.updated_at, user_id: by, difference }
}

function eventOf(leadId: number, type: string, atMs: number, sequence: number, data: object): PastEvent {
  return { id: newId('evt', atMs), type, resourceId: String(leadId), sequence, atMs, data: JSON.stringify(data) }
}

async function insertLeads(transaction: DemoTransaction, scope: Scope, records: readonly NounRecord[]): Promise<void> {
  const { spec } = tableNamed('lead')
  const columns = columnsOf(spec, undefined).join(', ')
  await transaction.inTenant(
    scope,
    `insert into leads (${columns}, find)
     select ${columns}, noun_search_text(find) from json_populate_recordset(null::leads, $1::json)`,
    [JSON.stringify(records.map(record => storeRecord(spec, record)))],
  )
}

async function insertChanges(transaction: DemoTransaction, scope: Scope, changes: readonly Change[]): Promise<void> {
  await transaction.inTenant(
    scope,
    `insert into changes (tenant_id, record_id, version, noun, at, user_id, source, difference)
     select $1, record_id, version, 'lead', at, user_id, 'request', difference
     from json_populate_recordset(null::changes, $2::json)`,
    [scope.tenantId, JSON.stringify(changes)],
  )
}
