// The story of a record as one list: how a message, a call and a change of the record look in it, and how lists of these are
// put together. Nothing here knows HTTP or SQL.
import { columnLabel } from '../../kernel/noun/columns.ts'
import { words } from '../../kernel/noun/schemas.ts'
import type { AnySpec } from '../../kernel/noun/spec.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import type { MailOfRecord } from '../mail/timeline/index.ts'
import type { MessageRow } from '../messaging/sms/index.ts'
import type { Call } from '../voice/call_records/index.ts'
import type { Recording } from '../voice/recordings/index.ts'
import type { ChangeRow, HungRow } from './store.ts'

export const entryKinds = ['message', 'call', 'mail', 'change', 'note', 'task', 'attachment'] as const
/** What is read with permissions of its own. */
export const leftOutKinds = ['message', 'call', 'recording', 'mail', 'note', 'task', 'attachment'] as const
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
  /** What a mail quotes at its end. */
  quoted: string | null
  status: string | null
  code: string | null
  from: string | null
  to: string | null
  duration_seconds: number | null
  /** What came of a call, as the person who had it says. */
  outcome: Call['outcome']
  changes: Change[]
  recordings: RecordingEntry[]
  user_id: number | null
  resource_id: string
}

/** What an entry has of which its kind says nothing. */
const blank = {
  direction: null,
  body: null,
  quoted: null,
  status: null,
  code: null,
  from: null,
  to: null,
  duration_seconds: null,
  outcome: null,
  changes: [],
  recordings: [],
  user_id: null,
} satisfies Partial<Entry>

export function entryOfHung({ kind, id, at, title, body, status, user_id }: HungRow): Entry {
  const titles = { note: 'Note', task: `Task: ${title}`, attachment: `File: ${title}` }
  return { ...blank, id, kind, at, title: titles[kind], body, status, user_id, resource_id: id }
}

/** What titles are made of. */
export type TitledNoun = Pick<AnySpec, 'names' | 'fields' | 'rows'>

/** @param recordId as others name it: `cmp_…`, `lead:17` */
export function entryOfChange(change: ChangeRow, noun: TitledNoun, recordId: string): Entry {
  const { id, at, user_id, difference } = change
  const { merged, merged_into: _, ...fields } = difference
  const changes = Object.entries(fields).map(([field, [from, to]]) => ({
    field,
    from: shownValue(from),
    to: shownValue(to),
  }))
  const title = merged === undefined ? titleOfChange(noun, change, changes) : titleOfMerge(merged[1])
  const moved = movedOf(noun, changes)
  const body = moved === undefined ? null : reasonOf(changes)
  const status = moved?.to ?? null
  return { ...blank, id, kind: 'change', at, title, body, status, changes, user_id, resource_id: recordId }
}

function titleOfChange(noun: TitledNoun, { version, source }: ChangeRow, changes: readonly Change[]): string {
  if (version === 1) return `${sentence(words(noun.names[0]))} created`
  const trash = changes.find(({ field }) => field === 'deleted_at')
  if (trash !== undefined) return trash.to === null ? 'Restored from the trash' : 'Moved to the trash'
  const names = changes.map(({ field }) => nameIn(labelOf(noun, field))).join(', ')
  // What names a record that was merged.
  if (source === 'merge') return `Changed by a merge: ${names}`
  if (source === 'hand_over') return `Its owner left: ${names} changed`
  if (source === 'purge') return `What it named is removed for good: ${names}`
  const moved = movedOf(noun, changes)
  // Where a record stands is the news, whatever else follows from it.
  if (moved !== undefined) return `${labelOf(noun, moved.field)} changed from ${moved.from} to ${moved.to}`
  const [only] = changes
  if (changes.length === 1 && only !== undefined && only.field === noun.rows?.owner)
    return `${labelOf(noun, only.field)} ${only.to === null ? 'taken away' : 'changed'}`
  return `Changed ${names}`
}

/** The change of where a record stands. */
function movedOf({ fields }: TitledNoun, changes: readonly Change[]): Change | undefined {
  return changes.find(({ field }) => fields[field]?.kind === 'state')
}

/** Why it moved, where the noun has a field for that: `lost_reason`. */
function reasonOf(changes: readonly Change[]): string | null {
  return changes.find(({ field }) => field.endsWith('_reason'))?.to ?? null
}

/** Of a field that is no more, its name alone is known. */
function labelOf({ fields }: TitledNoun, field: string): string {
  return columnLabel(field, fields[field] ?? { label: undefined }, '')
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** A label within a sentence: `e-mail`, but `SMS consent`. */
function nameIn(label: string): string {
  return /^\p{Lu}{2}/u.test(label) ? label : label.charAt(0).toLowerCase() + label.slice(1)
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
    quoted: null,
    status: row.status,
    code: row.code,
    from,
    to,
    duration_seconds: null,
    outcome: null,
    changes: [],
    recordings: [],
    user_id: null,
    resource_id: id,
  }
}

/** What one wrote to the other, with its words as far as they were written and not quoted. */
export function entryOfMail(mail: MailOfRecord): Entry {
  const { id, direction, at, subject, text, quoted, from, to, status, code, userId } = mail
  const title = subject === '' ? '(without a subject)' : subject
  return {
    ...blank,
    id,
    kind: 'mail',
    at,
    direction,
    title: direction === 'inbound' ? `Mail from ${from ?? 'nobody'}: ${title}` : `Mail to ${to ?? 'nobody'}: ${title}`,
    body: text,
    quoted,
    status,
    code,
    from,
    to,
    user_id: userId,
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
    quoted: null,
    status: call.state,
    code: call.hangup_cause,
    from,
    to,
    duration_seconds: seconds,
    outcome: call.outcome,
    changes: [],
    recordings: recordings.map(entryOfRecording),
    user_id: call.outcome_by,
    resource_id: id,
  }
}

function entryOfRecording({ id, state, duration_ms: ms, error }: Recording): RecordingEntry {
  return { recording_id: id, state, duration_seconds: ms === null ? null : Math.ceil(ms / 1_000), code: error }
}

/** Lists, each newest first, as one: by time, then by id, so that a cursor of both leads on without gap or repetition. */
export function merged(lists: readonly (readonly Entry[])[]): Entry[] {
  return lists.flat().sort((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1))
}
