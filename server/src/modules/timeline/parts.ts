// The parts of a timeline that all kinds of records have: messages and calls with a number, and what was put on the record.
import type { Principal } from '../../kernel/access/principal.ts'
import type { Tx } from '../../kernel/data/db.ts'
import { cutPage } from '../../kernel/endpoint/page.ts'
import type { Permission } from '../../kernel/values/permission.ts'
import { listMailsOf } from '../mail/timeline/index.ts'
import { listMessagesWith } from '../messaging/sms/index.ts'
import { durationsOf, listCallsWith } from '../voice/call_records/index.ts'
import { listRecordingsOf } from '../voice/recordings/index.ts'
import {
  type Entry,
  entryOfCall,
  entryOfHung,
  entryOfMail,
  entryOfMessage,
  type LeftOutKind,
  merged,
} from './entries.ts'
import { listHung } from './store.ts'

/** What each kind is read with; changes come with the record. */
const neededFor: Readonly<Record<LeftOutKind, Permission>> = {
  message: 'messages:read',
  call: 'calls:read',
  recording: 'recordings:read',
  mail: 'mail:read',
  note: 'notes:read',
  task: 'tasks:read',
  attachment: 'attachments:read',
}

export type Behind = readonly [at: string, id: string] | undefined

const mayRead = ({ permissions }: Principal, kind: LeftOutKind) => permissions.has(neededFor[kind])

/** Messages and calls with these numbers. @param most of each list, one more than a page has */
export async function exchangedWith(
  tx: Tx,
  principal: Principal,
  phones: readonly string[],
  behind: Behind,
  most: number,
): Promise<Entry[]> {
  const none = async () => []
  const [messages, calls] = await Promise.all([
    Promise.all(
      phones.map(mayRead(principal, 'message') ? phone => listMessagesWith(tx, principal, phone, behind, most) : none),
    ),
    Promise.all(
      phones.map(mayRead(principal, 'call') ? phone => listCallsWith(tx, principal, phone, behind, most) : none),
    ),
  ])
  const ids = calls.flat().map(call => call.id)
  const found = mayRead(principal, 'recording') ? await listRecordingsOf(tx, principal, [...new Set(ids)]) : []
  const recordings = Map.groupBy(found, recording => recording.call_id)
  const entries = [
    ...messages.flat().map(entryOfMessage),
    ...calls.flat().map(call => entryOfCall(call, durationsOf(call).durationSeconds, recordings.get(call.id) ?? [])),
  ]
  // What went from one number of a record to another of it is found with both.
  return [...new Map(entries.map(entry => [entry.id, entry])).values()]
}

/** Mails that were written to a record, and that came from it. @param recordId as they name it: `con_…`, `lead:17` */
export async function mailsOf(
  tx: Tx,
  principal: Principal,
  recordId: string,
  behind: Behind,
  most: number,
): Promise<Entry[]> {
  if (!mayRead(principal, 'mail')) return []
  return (await listMailsOf(tx, principal, recordId, behind, most)).map(entryOfMail)
}

const hungKinds = ['note', 'task', 'attachment'] as const

/** Notes, tasks and files. @param recordId as they name it: `cmp_…`, `lead:17` */
export async function putOn(
  tx: Tx,
  principal: Principal,
  recordId: string,
  behind: Behind,
  most: number,
): Promise<Entry[]> {
  const kinds = hungKinds.filter(kind => mayRead(principal, kind))
  return (await listHung(tx, principal, recordId, kinds, behind, most)).map(entryOfHung)
}

/** The page of a timeline. @param shown the kinds that its records can have @param listed what a cursor of it is tied to */
export function pageOf(
  principal: Principal,
  lists: readonly (readonly Entry[])[],
  { limit, shown, listed }: { limit: number; shown: readonly LeftOutKind[]; listed: unknown },
) {
  const page = cutPage(merged(lists).slice(0, limit + 1), limit, entry => [entry.at, entry.id], listed)
  const left = shown.filter(kind => !mayRead(principal, kind))
  return {
    entries: page.rows,
    left_out: left.map(kind => ({ kind, permission: neededFor[kind] })),
    pagination: { limit, nextCursor: page.nextCursor },
  }
}
