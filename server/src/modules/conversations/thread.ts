// The thread of a conversation: what was exchanged, read where it stands, with what was noted and done beside it, as one list.

import type { Principal } from '../../kernel/access/principal.ts'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import type { Permission } from '../../kernel/values/permission.ts'
import { listMailsNamed, listMailsOf, type MailOfRecord } from '../mail/timeline/index.ts'
import { listMessagesWith } from '../messaging/sms/index.ts'
import { type Entry, entryOfCall, entryOfMail, entryOfMessage, listHung } from '../timeline/index.ts'
import { type Call, durationsOf, isLive, listCallsWith } from '../voice/call_records/index.ts'
import { listRecordingsOf } from '../voice/recordings/index.ts'
import { attachedOf } from './attached_store.ts'
import { type EntryRow, type EventFacts, entriesAbout, listEntries, type NoteExtras } from './entries_store.ts'
import { isMissed } from './exchanges.ts'
import { addressesOfRecord, namesOfTeams, namesOfUsers, recordsOf } from './people_store.ts'
import type { ItemKind } from './rules.ts'
import { blankItem, type ShownItem } from './schemas.ts'
import { type ConversationRow, listAddresses } from './store.ts'

export type Behind = readonly [at: string, id: string] | undefined

/** What each kind of items is read with. */
const neededFor = {
  text: 'messages:read',
  call: 'calls:read',
  recording: 'recordings:read',
  mail: 'mail:read',
  note: 'notes:read',
} as const satisfies Record<string, Permission>
type Kind = keyof typeof neededFor

export function leftOutOf({ permissions }: Pick<Principal, 'permissions'>) {
  return (Object.keys(neededFor) as Kind[])
    .filter(kind => !permissions.has(neededFor[kind]))
    .map(kind => ({ kind, permission: neededFor[kind] }))
}

/** Whether somebody may read the words of such items. */
export function readsKind({ permissions }: Pick<Principal, 'permissions'>, kind: Exclude<ItemKind, 'event'>): boolean {
  return permissions.has(neededFor[kind === 'voicemail' ? 'call' : kind])
}

/** Numbers and e-mail addresses: those that it was exchanged with, and those of the record as they are now. */
export type Reach = { phones: string[]; mails: string[] }

export async function reachOf(
  tx: Tx,
  scope: Scope,
  row: Pick<ConversationRow, 'id' | 'record_id' | 'party_kind'>,
): Promise<Reach> {
  const known = await listAddresses(tx, scope, [row.id])
  const own =
    row.record_id === null || row.party_kind === 'unknown'
      ? []
      : await addressesOfRecord(tx, scope, row.party_kind, row.record_id)
  const phones = [
    ...known.filter(({ channel }) => channel === 'phone').map(({ address }) => address),
    ...own.filter(isPhone),
  ]
  const mails = [
    ...known.filter(({ channel }) => channel === 'mail').map(({ address }) => address),
    ...own.filter(one => !isPhone(one)),
  ]
  return { phones: [...new Set(phones)], mails: [...new Set(mails)] }
}

const isPhone = (address: string) => address.startsWith('+')

/** Items, newest first, at most `most` of each kind. @param principal whose kinds are shown; null for all */
export async function listItems(
  tx: Tx,
  scope: Scope,
  principal: Principal | null,
  row: ConversationRow,
  { behind, most }: { behind: Behind; most: number },
): Promise<ShownItem[]> {
  const shows = (kind: Kind) => principal === null || principal.permissions.has(neededFor[kind])
  const [{ phones }, records] = await Promise.all([reachOf(tx, scope, row), recordsOf(tx, scope, row.record_id)])
  const [texts, calls, mails, notes, entries] = await Promise.all([
    shows('text') ? Promise.all(phones.map(phone => listMessagesWith(tx, scope, phone, behind, most))) : [],
    shows('call') ? Promise.all(phones.map(phone => listCallsWith(tx, scope, phone, behind, most))) : [],
    shows('mail') ? Promise.all(records.map(id => listMailsOf(tx, scope, id, behind, most))) : [],
    shows('note') ? Promise.all(records.map(id => listHung(tx, scope, id, ['note'], behind, most))) : [],
    listEntries(tx, scope, row.id, behind, most),
  ])
  const named = shows('mail') ? entries.filter(({ kind }) => kind === 'mail').map(({ id }) => id) : []
  const freeMails = await listMailsNamed(tx, scope, named)
  const withPerson = calls
    .flat()
    .filter(call => phones.includes(call.direction === 'inbound' ? call.from_number : call.to_number))
  const items = [
    ...texts.flat().map(message => itemOf(entryOfMessage(message), 'text')),
    ...(await callItems(tx, scope, [...new Map(withPerson.map(call => [call.id, call])).values()], shows('recording'))),
    ...mails.flat().map(mailItem),
    ...freeMails.map(mailItem),
    ...notes.flat().map(note => ({
      ...blankItem,
      itemId: note.id,
      kind: 'note' as const,
      at: note.at,
      body: note.body,
      author: { userId: note.user_id, name: '' },
    })),
    ...entries.flatMap(entry => entryItem(entry, shows('note'))),
  ]
  const newest = [...new Map(items.map(item => [item.itemId, item])).values()].sort(newestFirst).slice(0, most)
  return withNames(tx, scope, newest, principal?.permissions.has('attachments:read') ?? true)
}

export function newestFirst(a: Pick<ShownItem, 'at' | 'itemId'>, b: Pick<ShownItem, 'at' | 'itemId'>): number {
  if (a.at !== b.at) return a.at < b.at ? 1 : -1
  return a.itemId < b.itemId ? 1 : Number(-(a.itemId > b.itemId))
}

/** An entry of a timeline as an item. */
function itemOf(entry: Entry, kind: ShownItem['kind']): ShownItem {
  const { id, at, direction, body, quoted, status, code, from, to, duration_seconds, recordings, user_id } = entry
  return {
    ...blankItem,
    itemId: id,
    kind,
    at,
    direction,
    author: user_id === null ? null : { userId: user_id, name: '' },
    from,
    to,
    body,
    quoted,
    status,
    code,
    durationSeconds: duration_seconds,
    recordings: recordings.map(one => ({
      recordingId: one.recording_id,
      state: one.state,
      durationSeconds: one.duration_seconds,
    })),
  }
}

function mailItem(mail: MailOfRecord): ShownItem {
  return { ...itemOf(entryOfMail(mail), 'mail'), subject: mail.subject }
}

async function callItems(tx: Tx, scope: Scope, calls: readonly Call[], withRecordings: boolean): Promise<ShownItem[]> {
  const all = await listRecordingsOf(
    tx,
    scope,
    calls.map(({ id }) => id),
  )
  const recordings = Map.groupBy(all, ({ call_id }) => call_id)
  return calls.map(call => {
    const recorded = recordings.get(call.id) ?? []
    const missed = !isLive(call) && isMissed({ direction: call.direction, bridgedTo: call.bridged_to })
    const heard = recorded.some(({ state }) => state !== 'absent' && state !== 'failed')
    const entry = entryOfCall(call, durationsOf(call).durationSeconds, withRecordings ? recorded : [])
    return { ...itemOf(entry, missed && heard ? 'voicemail' : 'call'), missed }
  })
}

function entryItem({ id, kind, at, user_id, data }: EntryRow, showsNotes: boolean): ShownItem[] {
  const base = { ...blankItem, itemId: id, at, author: user_id === null ? null : { userId: user_id, name: '' } }
  if (kind === 'note') {
    const { body, mentions } = data as { body: string; mentions: number[] }
    return showsNotes ? [{ ...base, kind, body, mentions: mentions.map(userId => ({ userId, name: '' })) }] : []
  }
  if (kind !== 'event') return []
  const { type, assigneeId = null, teamId = null, snoozedUntil = null, recordId = null } = data as EventFacts
  const assignee = assigneeId === null ? null : { userId: assigneeId, name: '' }
  const team = teamId === null ? null : { teamId, name: '' }
  return [{ ...base, kind, event: { type, assignee, team, snoozedUntil, recordId } }]
}

/** With who answered, whom notes mention, and everybody's name. */
async function withNames(tx: Tx, scope: Scope, items: readonly ShownItem[], showsFiles: boolean): Promise<ShownItem[]> {
  const about = await entriesAbout(
    tx,
    scope,
    items.filter(({ kind }) => kind === 'text' || kind === 'note').map(({ itemId }) => itemId),
  )
  const extrasOf = (entry: EntryRow | undefined) => (entry?.kind === 'of_note' ? (entry.data as NoteExtras) : undefined)
  const named = showsFiles ? [...about.values()].flatMap(entry => extrasOf(entry)?.attachments ?? []) : []
  const files = await attachedOf(tx, scope, named)
  const known = items.map(item => {
    const entry = about.get(item.itemId)
    if (entry?.kind === 'answer' && entry.user_id !== null)
      return { ...item, author: { userId: entry.user_id, name: '' } }
    const extras = extrasOf(entry)
    if (extras === undefined) return item
    const { mentions, attachments = [] } = extras
    return {
      ...item,
      mentions: mentions.map(userId => ({ userId, name: '' })),
      attachments: attachments.flatMap(id => files.get(id) ?? []),
    }
  })
  const people = known.flatMap(({ author, mentions, event }) => [
    ...(author === null ? [] : [author.userId]),
    ...mentions.map(({ userId }) => userId),
    ...(event?.assignee == null ? [] : [event.assignee.userId]),
  ])
  const [users, teams] = await Promise.all([
    namesOfUsers(tx, scope, people),
    namesOfTeams(
      tx,
      scope,
      known.flatMap(({ event }) => event?.team?.teamId ?? []),
    ),
  ])
  const personOf = ({ userId }: { userId: number }) => ({ userId, name: users.get(userId) ?? `User ${userId}` })
  return known.map(item => ({
    ...item,
    author: item.author === null ? null : personOf(item.author),
    mentions: item.mentions.map(personOf),
    event:
      item.event === null
        ? null
        : {
            ...item.event,
            assignee: item.event.assignee === null ? null : personOf(item.event.assignee),
            team:
              item.event.team === null
                ? null
                : { teamId: item.event.team.teamId, name: teams.get(item.event.team.teamId) ?? item.event.team.teamId },
          },
  }))
}
