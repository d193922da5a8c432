// Writes the demo company's leads: their rows, the history of their status, and the events that report both.

import type { Scope } from '../kernel/data/db.ts'
import { isoMs } from '../kernel/values/clock.ts'
import { newId } from '../kernel/values/ids.ts'
import { type LeadRow, presentLead } from '../modules/crm/leads/rules.ts'
import type { LeadStory } from './lead_stories.ts'
import type { LeadLink } from './record_stories.ts'
import { type DemoTransaction, insertEvents, type PastEvent } from './transaction.ts'

type StatusChange = {
  lead_id: number
  version: number
  from_status: string | null
  to_status: string
  changed_by: number
  changed_at: string
  seconds_in_state: number | null
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
  const rows: LeadRow[] = []
  const changes: StatusChange[] = []
  const events: PastEvent[] = []
  for (const [index, story] of stories.entries()) {
    const records = recordsOf(story, ids[index] as number, scope.tenantId, links.get(index))
    rows.push(records.row)
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
  const createdAt = isoMs(createdAtMs)
  let row: LeadRow = {
    tenant_id: tenantId,
    id,
    company_id: link?.since === 'creation' ? link.companyId : null,
    ...lead,
    status: 'New',
    lost_reason: null,
    first_responded_at: null,
    contact_id: null,
    converted_at: null,
    status_changed_at: createdAt,
    created_at: createdAt,
    updated_at: createdAt,
    deleted_at: null,
    version: 1,
  }
  const first = { lead_id: id, version: 1, from_status: null, to_status: 'New', seconds_in_state: null }
  const changes: StatusChange[] = [{ ...first, changed_by: createdBy, changed_at: createdAt }]
  const events = [eventOf(row, 'lead.created', createdAtMs, 1, presentLead(row))]
  for (const { status, atMs, by, lostReason } of moves) {
    const { status: from, status_changed_at } = row
    const at = isoMs(atMs)
    row = {
      ...row,
      status,
      lost_reason: lostReason ?? null,
      first_responded_at: row.first_responded_at ?? (from === 'New' ? at : null),
      ...(status === 'Converted' &&
        link?.since === 'conversion' && {
          company_id: link.companyId,
          contact_id: link.contactId,
          converted_at: at,
        }),
      status_changed_at: at,
      updated_at: at,
      version: row.version + 1,
    }
    changes.push({
      lead_id: id,
      version: row.version,
      from_status: from,
      to_status: status,
      changed_by: by,
      changed_at: at,
      seconds_in_state: (atMs - Date.parse(status_changed_at)) / 1000,
    })
    const data = { ...presentLead(row), previousStatus: from }
    // Each version has room for two events in the sequence.
    events.push(eventOf(row, 'lead.status_changed', atMs, row.version * 2, data))
    if (status === 'Converted') events.push(eventOf(row, 'lead.converted', atMs, row.version * 2 + 1, presentLead(row)))
  }
  return { row, changes, events }
}

function eventOf(row: LeadRow, type: string, atMs: number, sequence: number, data: object): PastEvent {
  return { id: newId('evt', atMs), type, resourceId: String(row.id), sequence, atMs, data: JSON.stringify(data) }
}

async function insertLeads(transaction: DemoTransaction, scope: Scope, rows: readonly LeadRow[]): Promise<void> {
  await transaction.inTenant(
    scope,
    `insert into leads (tenant_id, id, name, email, phone, company, priority, status, owner_id, source, notes,
       lost_reason, first_responded_at, status_changed_at, created_at, updated_at, version,
       company_id, contact_id, converted_at)
     select tenant_id, id, name, email, phone, company, priority, status, owner_id, source, notes, lost_reason,
       first_responded_at, status_changed_at, created_at, updated_at, version, company_id, contact_id, converted_at
     from json_populate_recordset(null::leads, $1::json)`,
    [JSON.stringify(rows)],
  )
}

async function insertChanges(
  transaction: DemoTransaction,
  scope: Scope,
  changes: readonly StatusChange[],
): Promise<void> {
  await transaction.inTenant(
    scope,
    `insert into lead_status_changes (tenant_id, lead_id, version, from_status, to_status, changed_by, changed_at,
       seconds_in_state)
     select $1, lead_id, version, from_status, to_status, changed_by, changed_at, seconds_in_state
     from json_populate_recordset(null::lead_status_changes, $2::json)`,
    [scope.tenantId, JSON.stringify(changes)],
  )
}
