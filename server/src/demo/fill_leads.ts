// Writes the demo company's leads: their rows, the history of their status, and the events that tell of both.
import { isoMs } from '../kernel/clock.ts'
import type { Scope } from '../kernel/db.ts'
import { newId } from '../kernel/ids.ts'
import { type LeadRow, presentLead } from '../modules/crm/leads/rules.ts'
import { type Hand, insertEvents, type PastEvent } from './hand.ts'
import type { LeadStory } from './lead_stories.ts'

type StatusChange = {
  lead_id: number
  version: number
  from_status: string | null
  to_status: string
  changed_by: number
  changed_at: string
  seconds_in_state: number | null
}

/** Adds the leads of stories, which come oldest first; answers their ids, in the same order. */
export async function fillLeads(hand: Hand, scope: Scope, stories: readonly LeadStory[]): Promise<number[]> {
  const drawn = await hand.inTenant<{ id: number }>(
    scope,
    "select nextval('leads_id_seq') as id from generate_series(1, $1)",
    [stories.length],
  )
  const ids = drawn.map(row => row.id)
  const rows: LeadRow[] = []
  const changes: StatusChange[] = []
  const events: PastEvent[] = []
  for (const [index, story] of stories.entries()) {
    const told = tell(story, ids[index] as number, scope.tenantId)
    rows.push(told.row)
    changes.push(...told.changes)
    events.push(...told.events)
  }
  await insertLeads(hand, scope, rows)
  await insertChanges(hand, scope, changes)
  await insertEvents(hand, scope, events)
  return ids
}

/** A story as rows: the lead as it is now, and each step as it was then. */
function tell({ lead, createdAtMs, createdBy, moves }: LeadStory, id: number, tenantId: number) {
  const createdAt = isoMs(createdAtMs)
  let row: LeadRow = {
    tenant_id: tenantId,
    id,
    ...lead,
    status: 'New',
    lost_reason: null,
    first_responded_at: null,
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
  }
  return { row, changes, events }
}

function eventOf(row: LeadRow, type: string, atMs: number, sequence: number, data: object): PastEvent {
  return { id: newId('evt', atMs), type, resourceId: String(row.id), sequence, atMs, data: JSON.stringify(data) }
}

async function insertLeads(hand: Hand, scope: Scope, rows: readonly LeadRow[]): Promise<void> {
  await hand.inTenant(
    scope,
    `insert into leads (tenant_id, id, name, email, phone, company, priority, status, owner_id, source, notes,
       lost_reason, first_responded_at, status_changed_at, created_at, updated_at, version)
     select tenant_id, id, name, email, phone, company, priority, status, owner_id, source, notes, lost_reason,
       first_responded_at, status_changed_at, created_at, updated_at, version
     from json_populate_recordset(null::leads, $1::json)`,
    [JSON.stringify(rows)],
  )
}

async function insertChanges(hand: Hand, scope: Scope, changes: readonly StatusChange[]): Promise<void> {
  await hand.inTenant(
    scope,
    `insert into lead_status_changes (tenant_id, lead_id, version, from_status, to_status, changed_by, changed_at,
       seconds_in_state)
     select $1, lead_id, version, from_status, to_status, changed_by, changed_at, seconds_in_state
     from json_populate_recordset(null::lead_status_changes, $2::json)`,
    [scope.tenantId, JSON.stringify(changes)],
  )
}
