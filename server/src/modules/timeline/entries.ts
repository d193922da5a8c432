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

/** What happened to a record, where it was changed. */
export const changeKinds = [
  'created',
  'trashed',
  'restored',
  'merged',
  'changed_by_merge',
  'owner_left',
  'reference_removed',
  'moved',
  'owner_changed',
  'changed',
] as const
type ChangeKind = (typeof changeKinds)[number]

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
  /** What a mail, a task or a file is called; of a merge the records that were taken in. */
  subject: string | null
  change_kind: ChangeKind | null
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
  subject: null,
  change_kind: null,
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
  return { ...blank, id, kind, at, title: titles[kind], subject: title, body, status, user_id, resource_id: id }
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
  const kind = merged === undefined ? kindOfChange(noun, change, changes) : 'merged'
  const subject = merged === undefined ? null : namesOfMerged(merged[1])
  const title = titleOf(noun, kind, changes, subject)
  const moved = movedOf(noun, changes)
  const body = moved === undefined ? null : reasonOf(changes)
  const status = moved?.to ?? null
  return {
    ...blank,
    id,
    kind: 'change',
    at,
    title,
    subject,
    change_kind: kind,
    body,
    status,
    changes,
    user_id,
    resource_id: recordId,
  }
}

function kindOfChange(noun: TitledNoun, { version, source }: ChangeRow, changes: readonly Change[]): ChangeKind {
  if (version === 1) return 'created'
  const trash = changes.find(({ field }) => field === 'deleted_at')
  if (trash !== undefined) return trash.to === null ? 'restored' : 'trashed'
  // What names a record that was merged.
  if (source === 'merge') return 'changed_by_merge'
  if (source === 'hand_over') return 'owner_left'
  if (source === 'purge') return 'reference_removed'
  // Where a record stands is the news, whatever else follows from it.
  if (movedOf(noun, changes) !== undefined) return 'moved'
  return changes.length === 1 && changes[0]?.field === noun.rows?.owner ? 'owner_changed' : 'changed'
}

function titleOf(noun: TitledNoun, kind: ChangeKind, changes: readonly Change[], subject: string | null): string {
  const names = changes.map(({ field }) => nameIn(labelOf(noun, field))).join(', ')
  const { field = '', from = null, to = null } = movedOf(noun, changes) ?? changes[0] ?? {}
  const titles: Record<ChangeKind, string> = {
    created: `${sentence(words(noun.names[0]))} created`,
    trashed: 'Moved to the trash',
    restored: 'Restored from the trash',
    merged: `Merged with ${subject}`,
    changed_by_merge: `Changed by a merge: ${names}`,
    owner_left: `Its owner left: ${names} changed`,
    reference_removed: `What it named is removed for good: ${names}`,
    moved: `${labelOf(noun, field)} changed from ${from} to ${to}`,
    owner_changed: `${labelOf(noun, field)} ${to === null ? 'taken away' : 'changed'}`,
    changed: `Changed ${names}`,
  }
  return titles[kind]
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
function namesOfMerged(others: unknown): string {
  return (others as readonly { title: string }[]).map(({ title }) => title).join(', ')
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
    ...blank,
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
    subject: subject === '' ? null : subject,
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
    ...blank,
    id,
    kind: 'call',
    at: isoMs(Date.parse(call.created_at)),
    direction,
    title: direction === 'inbound' ? `Call from ${from}` : `Call to ${to}`,
    status: call.state,
    code: call.hangup_cause,
    from,
    to,
    duration_seconds: seconds,
    outcome: call.outcome,
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
