// What people change of conversations: who has it, and whether it is open.
import type { Principal } from '../../kernel/access/principal.ts'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import { emit } from '../../kernel/data/events.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { invalid } from '../../kernel/values/problem.ts'
import { type Asked, changed, maxSnoozeMs } from './change_rules.ts'
import { type EventFacts, insertEntries, signal } from './entries_store.ts'
import { requireReaders } from './members_store.ts'
import { namesOfTeams } from './people_store.ts'
import { presentForEvent } from './present.ts'
import { type ConversationRow, lockConversations, setChanged } from './store.ts'

/**
 * Changes a locked conversation.
 * @throws Problem `validation_failed` for who reads no conversations, for a team that is not there, for a time that is past
 */
export async function changeConversation(
  tx: Tx,
  principal: Principal,
  row: ConversationRow,
  asked: Asked,
  nowMs: number,
): Promise<ConversationRow> {
  await requireSound(tx, principal, asked, nowMs)
  return writeChange(tx, principal, row, asked, nowMs)
}

/** The same of what is sound. */
export async function writeChange(
  tx: Tx,
  author: Scope & { readonly userId: number | null },
  row: ConversationRow,
  asked: Asked,
  nowMs: number,
): Promise<ConversationRow> {
  const { next, happened } = changed(row, asked)
  if (happened.length === 0) return row
  await setChanged(tx, author, row.id, next)
  const [now] = await lockConversations(tx, author, [row.id])
  const { userId } = author
  const at = isoMs(nowMs)
  const facts = (type: EventFacts['type']): EventFacts => ({
    type,
    assigneeId: now!.assignee_id,
    teamId: now!.team_id,
    snoozedUntil: now!.snoozed_until,
  })
  await insertEntries(
    tx,
    author,
    happened.map(type => ({ conversationId: row.id, at, kind: 'event', userId, data: facts(type) })),
  )
  const data = presentForEvent(now!, userId)
  await emit(tx, author, ...happened.map(type => ({ type: `conversation.${type}` as const, resourceId: row.id, data })))
  // Who it was taken from hears of it, too.
  const seenBy = row.assignee_id === now!.assignee_id ? [now!] : [now!, { ...now!, assignee_id: row.assignee_id }]
  await signal(
    tx,
    author,
    seenBy.map(conversation => ({ type: 'conversation.updated', conversation, userId, at })),
  )
  return now!
}

async function requireSound(tx: Tx, principal: Principal, asked: Asked, nowMs: number): Promise<void> {
  const { state, snoozedUntil, assigneeId, teamId } = asked
  if (state === 'snoozed' && snoozedUntil === undefined)
    throw invalid({ field: 'snoozedUntil', code: 'required', message: 'is needed to snooze: when it is open again' })
  if (snoozedUntil !== undefined) {
    if (state !== undefined && state !== 'snoozed')
      throw invalid({ field: 'snoozedUntil', code: 'not_allowed', message: `cannot be combined with state ${state}` })
    const atMs = Date.parse(snoozedUntil)
    if (atMs <= nowMs || atMs > nowMs + maxSnoozeMs)
      throw invalid({
        field: 'snoozedUntil',
        code: 'out_of_range',
        message: 'must be in the future, at most a year ahead',
      })
  }
  if (typeof assigneeId === 'number') await requireReaders(tx, principal, [{ field: 'assigneeId', userId: assigneeId }])
  if (typeof teamId === 'string' && !(await namesOfTeams(tx, principal, [teamId])).has(teamId))
    throw invalid({ field: 'teamId', code: 'not_found', message: 'is no team of the organization' })
}
