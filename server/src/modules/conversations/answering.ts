// Answers out of the inbox. The row of the conversation is locked while it is looked whether somebody answered meanwhile, and until the
// answer is stored: of two at the same moment the second sees the first.
import type { Principal } from '../../kernel/access/principal.ts'
import type { Tx } from '../../kernel/data/db.ts'
import { emit } from '../../kernel/data/events.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { timeOfId } from '../../kernel/values/ids.ts'
import type { Permission } from '../../kernel/values/permission.ts'
import { invalid, Problem } from '../../kernel/values/problem.ts'
import { insertEntries, type NewEntry, setRead, signal } from './entries_store.ts'
import type { FoundExchange } from './exchanges.ts'
import { findConversation } from './list_store.ts'
import { presentForEvent } from './present.ts'
import { follow, previewOf } from './rules.ts'
import type { ShownItem } from './schemas.ts'
import { sightOf } from './sight_store.ts'
import { type ConversationRow, lockConversations, setAnswered, updateStandings } from './store.ts'
import { listItems, newestFirst, readsKind } from './thread.ts'

/** @throws Problem `insufficient_role` */
export function requirePermission(principal: Principal, permission: Permission, what: string): void {
  if (principal.permissions.has(permission)) return
  throw new Problem('insufficient_role', {
    message: `${what} needs the permission ${permission}, too.`,
  })
}

/** So many of the newest items are looked through for answers; who is further behind than that is behind. */
const looked = 60

/**
 * Locks the conversation for an answer.
 * @throws Problem `not_found`; `conversation_answered` where somebody answered after what the writer has read
 */
export async function lockForAnswer(
  tx: Tx,
  principal: Principal,
  id: string,
  { lastSeenItemId, askedMs }: { lastSeenItemId: string | null; askedMs: number },
): Promise<ConversationRow> {
  const sight = sightOf(principal)
  const found = await findConversation(tx, principal, sight, id)
  // Who answers meanwhile takes it, perhaps out of sight: that is what has to be said then, and not that it is not there.
  const [locked] = found === undefined ? [] : await lockConversations(tx, principal, [found.id])
  const row = locked?.merged_into == null ? locked : await findConversation(tx, principal, sight, id, { locked: true })
  if (row === undefined) throw new Problem('not_found')
  const items = await listItems(tx, principal, null, row, { behind: undefined, most: looked })
  const seen = lastSeenItemId === null ? undefined : seenOf(items, lastSeenItemId)
  const answers = items.filter(isAnswer)
  const newer = answers.find(answer => seen === undefined || newestFirst(answer, seen) < 0)
  // One that was committed since this was asked for cannot have been read, whatever its time.
  const isMeanwhile =
    row.answered_at !== null && Date.parse(row.answered_at) > askedMs && answers[0]?.itemId !== lastSeenItemId
  const answer = newer ?? (isMeanwhile ? answers[0] : undefined)
  if (answer !== undefined) throw answeredProblem(principal, answer)
  if ((await findConversation(tx, principal, sight, row.id)) === undefined) throw new Problem('not_found')
  return row
}

function seenOf(items: readonly ShownItem[], id: string): Pick<ShownItem, 'at' | 'itemId'> {
  const item = items.find(({ itemId }) => itemId === id)
  if (item !== undefined) return item
  if (/^[a-z]{2,8}_[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(id)) return { at: isoMs(timeOfId(id)), itemId: id }
  throw invalid({
    field: 'lastSeenItemId',
    code: 'wrong_format',
    message: 'must be the itemId of an item of the thread',
  })
}

/** What went out and reached out to the person: texts, mails that a person wrote, calls that were answered. */
function isAnswer({ kind, direction, author, status }: ShownItem): boolean {
  if (direction !== 'outbound') return false
  if (kind === 'text') return true
  return kind === 'mail' ? author !== null : kind === 'call' && status === 'completed'
}

const calledKinds: Partial<Record<ShownItem['kind'], string>> = { text: 'a text', mail: 'a mail', call: 'a call' }

function answeredProblem(principal: Principal, answer: ShownItem): Problem {
  const { itemId, kind, at, author, body, subject } = answer
  const who = author?.name ?? 'Somebody'
  const isRead = kind !== 'event' && readsKind(principal, kind)
  const preview = !isRead ? '' : kind === 'call' ? 'Call' : previewOf(body ?? subject ?? '')
  const [words, ask] = isRead ? [`: “${preview}”`, 'Read it'] : ['', 'Ask them what they said']
  return new Problem('conversation_answered', {
    message: `${who} answered meanwhile with ${calledKinds[kind]}${words}. ${ask}, and send again with lastSeenItemId ${itemId} if yours is still needed.`,
    also: { answered: { itemId, kind, at, author, preview } },
  })
}

/** What an answer does to its conversation, which is locked, in the transaction that stores the answer. */
export async function noteAnswer(
  tx: Tx,
  principal: Principal,
  row: ConversationRow,
  exchange: FoundExchange,
  nowMs: number,
): Promise<void> {
  const { userId } = principal
  const at = isoMs(nowMs)
  const { next, happened } = follow(row, exchange)
  const isAssigned = row.assignee_id !== null
  await updateStandings(tx, principal, [{ ...next, state: 'open', snoozed_until: null, id: row.id }])
  await setAnswered(tx, principal, row.id, userId)
  await setRead(tx, principal, {
    conversationId: row.id,
    userId,
    isUnread: false,
    at: exchange.at > at ? exchange.at : at,
  })
  const entries: NewEntry[] = []
  const of = (kind: NewEntry['kind'], data: NewEntry['data'], id?: string): NewEntry => ({
    conversationId: row.id,
    at: kind === 'event' ? at : exchange.at,
    kind,
    userId,
    data,
    ...(id === undefined ? {} : { id }),
  })
  if (exchange.kind === 'text') entries.push(of('answer', {}, exchange.itemId))
  else if (exchange.recordId === null) entries.push(of('mail', {}, exchange.itemId))
  if (row.state !== 'open') entries.push(of('event', { type: 'reopened' }))
  if (!isAssigned) entries.push(of('event', { type: 'assigned', assigneeId: userId, teamId: row.team_id }))
  await insertEntries(tx, principal, entries)
  const [now] = await lockConversations(tx, principal, [row.id])
  const types = [
    ...(row.state === 'open' ? [] : (['reopened'] as const)),
    ...(isAssigned ? [] : (['assigned'] as const)),
    ...(happened === 'answered' ? (['answered'] as const) : []),
  ]
  const data = presentForEvent(now!, userId)
  await emit(tx, principal, ...types.map(type => ({ type: `conversation.${type}` as const, resourceId: row.id, data })))
  await signal(tx, principal, [{ type: 'conversation.updated', conversation: now!, userId, at }])
}
