// The story of a lead as one list: how a message, a call and an event of the lead look in it, and how lists of these are
// put together. Nothing here knows HTTP or SQL.
import { isoMs } from '../../kernel/values/clock.ts'
import type { LeadEventRow, LeadSnapshot } from '../crm/leads/index.ts'
import type { MessageRow } from '../messaging/sms/index.ts'
import type { Call } from '../voice/call_records/index.ts'
import type { Recording } from '../voice/recordings/index.ts'
import type { ChangeRow, HungRow } from './store.ts'

export const entryKinds = ['message', 'call', 'lead_event', 'change', 'note', 'task', 'attachment'] as const
/** What is read with permissions of its own. */
export const leftOutKinds = ['message', 'call', 'recording', 'note', 'task', 'attachment'] as const
export type LeftOutKind = (typeof leftOutKinds)[number]
export type EntryKind = (typeof entryKinds)[number]

export type Change = { field: string; from: string | null; to: string | null }

export type RecordingEntry = {
  recording_id: string
  state: Recording['state']
  duration_seconds: number | null
  code: string | null
}

export type Entry = {
  id: string
  kind: EntryKind
  /** ISO 8601 with milliseconds. */
  at: string
  direction: 'inbound' | 'outbound' | null
  title: string
  body: string | null
  status: string | null
  code: string | null
  from: string | null
  to: string | null
  duration_seconds: number | null
  changes: Change[]
  recordings: RecordingEntry[]
  user_id: number | null
  resource_id: string
}

/** What an entry has of which its kind says nothing. */
const blank = {
  direction: null,
  body: null,
  status: null,
  code: null,
  from: null,
  to: null,
  duration_seconds: null,
  changes: [],
  recordings: [],
  user_id: null,
} satisfies Partial<Entry>

export function entryOfHung({ kind, id, at, title, body, status, user_id }: HungRow): Entry {
  const titles = { note: 'Note', task: `Task: ${title}`, attachment: `File: ${title}` }
  return { ...blank, id, kind, at, title: titles[kind], body, status, user_id, resource_id: id }
}

/** @param noun the record in words: `company` */
export function entryOfChange(
  { id, at, version, user_id, source, difference }: ChangeRow,
  noun: string,
  recordId: string,
): Entry {
  const { merged, merged_into: _, ...fields } = difference
  const changes = Object.entries(fields).map(([field, [from, to]]) => ({
    field,
    from: shownValue(from),
    to: shownValue(to),
  }))
  const title = merged === undefined ? titleOfChange(noun, version, source, changes) : titleOfMerge(merged[1])
  return { ...blank, id, kind: 'change', at, title, changes, user_id, resource_id: recordId }
}

function titleOfChange(noun: string, version: number, source: string, changes: readonly Change[]): string {
  if (version === 1) return `${noun.charAt(0).toUpperCase()}${noun.slice(1)} created`
  const trash = changes.find(({ field }) => field === 'deleted_at')
  if (trash !== undefined) return trash.to === null ? 'Restored from the trash' : 'Moved to the trash'
  const names = changes.map(({ field }) => field.replaceAll('_', ' ')).join(', ')
  // What names a record that was merged.
  if (source === 'merge') return `Changed by a merge: ${names}`
  if (source === 'purge') return `What it named is removed for good: ${names}`
  return `Changed ${names}`
}

/** @param others as the history of the one that stays has them */
function titleOfMerge(others: unknown): string {
  return `Merged with ${(others as readonly { title: string }[]).map(({ title }) => title).join(', ')}`
}

/** Of a long text the history has its length. */
function shownValue(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (typeof value !== 'object') return String(value)
  const { length } = value as { length?: unknown }
  return !Array.isArray(value) && typeof length === 'number' ? `${length} characters` : JSON.stringify(value)
}

export function entryOfMessage(row: MessageRow): Entry {
  const { id, direction, from_address: from, to_address: to } = row
  return {
    id,
    kind: 'message',
    at: row.created_at,
    direction,
    title: direction === 'inbound' ? `Text from ${from}` : `Text to ${to}`,
    body: row.redacted_at === null ? row.body : null,
    status: row.status,
    code: row.code,
    from,
    to,
    duration_seconds: null,
    changes: [],
    recordings: [],
    user_id: null,
    resource_id: id,
  }
}

/**
 * @param seconds from its creation to its end; null while it lasts
 * @param recordings those of this call
 */
export function entryOfCall(call: Call, seconds: number | null, recordings: readonly Recording[]): Entry {
  const { id, direction, from_number: from, to_number: to } = call
  return {
    id,
    kind: 'call',
    at: isoMs(Date.parse(call.created_at)),
    direction,
    title: direction === 'inbound' ? `Call from ${from}` : `Call to ${to}`,
    body: null,
    status: call.state,
    code: call.hangup_cause,
    from,
    to,
    duration_seconds: seconds,
    changes: [],
    recordings: recordings.map(entryOfRecording),
    user_id: null,
    resource_id: id,
  }
}

function entryOfRecording({ id, state, duration_ms: ms, error }: Recording): RecordingEntry {
  return { recording_id: id, state, duration_seconds: ms === null ? null : Math.ceil(ms / 1_000), code: error }
}

export function entryOfLeadEvent(row: LeadEventRow, leadId: number): Entry {
  const changes = row.type === 'lead.updated' ? changesBetween(row.previous ?? {}, row.data) : []
  return {
    id: row.id,
    kind: 'lead_event',
    at: isoMs(Date.parse(row.at)),
    direction: null,
    title: titleOf(row, changes),
    body: row.type === 'lead.status_changed' ? textOf(row.data.lost_reason) : null,
    status: textOf(row.data.status),
    code: null,
    from: null,
    to: null,
    duration_seconds: null,
    changes,
    recordings: [],
    user_id: null,
    resource_id: String(leadId),
  }
}

/** The fields that a change of a lead shows; the rest follows from it, or has an event of its own. */
const fieldNames = {
  name: 'name',
  email: 'e-mail',
  phone: 'phone',
  company: 'company',
  priority: 'priority',
  owner_id: 'owner',
  source: 'source',
  notes: 'notes',
  lost_reason: 'lost reason',
} as const

function changesBetween(before: LeadSnapshot, after: LeadSnapshot): Change[] {
  return Object.keys(fieldNames)
    .map(field => ({
      field,
      from: textOf(before[field as keyof LeadSnapshot]),
      to: textOf(after[field as keyof LeadSnapshot]),
    }))
    .filter(change => change.from !== change.to)
}

function textOf(value: string | number | null | undefined): string | null {
  return value === null || value === undefined ? null : String(value)
}

function titleOf({ type, data }: LeadEventRow, changes: readonly Change[]): string {
  switch (type) {
    case 'lead.created':
      return 'Lead created'
    case 'lead.status_changed':
      return `Status changed from ${data.previousStatus} to ${data.status}`
    case 'lead.updated':
      return titleOfChanges(changes)
    case 'lead.deleted':
      return 'Moved to the trash'
    case 'lead.restored':
      return 'Restored from the trash'
    default:
      return `Lead ${type.slice('lead.'.length).replaceAll('_', ' ')}`
  }
}

function titleOfChanges(changes: readonly Change[]): string {
  const [only] = changes
  if (changes.length === 1 && only?.field === 'owner_id') return only.to === null ? 'Owner taken away' : 'Owner changed'
  const names = changes.map(({ field }) => fieldNames[field as keyof typeof fieldNames])
  return names.length === 0 ? 'Lead changed' : `Changed ${names.join(', ')}`
}

/** Lists, each newest first, as one: by time, then by id, so that a cursor of both leads on without gap or repetition. */
export function merged(lists: readonly (readonly Entry[])[]): Entry[] {
  return lists.flat().sort((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1))
}
