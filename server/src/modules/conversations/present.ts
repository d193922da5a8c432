// Conversations as the API shows them to one person, and as events have them.
import type { Static } from 'typebox'
import type { Principal } from '../../kernel/access/principal.ts'
import type { Tx } from '../../kernel/data/db.ts'
import { listMentioned } from './entries_store.ts'
import { namesOfTeams, namesOfUsers } from './people_store.ts'
import { listPresences } from './presence_store.ts'
import { unreadOf } from './read_store.ts'
import type { Conversation } from './schemas.ts'
import { type ConversationRow, listAddresses } from './store.ts'
import { readsKind } from './thread.ts'

type Shown = Static<typeof Conversation>

/** For webhooks and the log. @param userId who did it */
export function presentForEvent(row: ConversationRow, userId: number | null) {
  return {
    conversationId: row.id,
    party: partyOf(row),
    state: row.state,
    snoozedUntil: row.snoozed_until,
    assigneeId: row.assignee_id,
    teamId: row.team_id,
    waitingSince: row.waiting_since,
    lastActivity: activityOf(row),
    by: { userId },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function partyOf({ party_kind: kind, record_id: recordId, name, owner_id: ownerId }: ConversationRow): Shown['party'] {
  return { kind, recordId, name, ownerId }
}

function activityOf(row: ConversationRow, isRead = true): Shown['lastActivity'] {
  return {
    itemId: row.last_item,
    kind: row.last_kind,
    direction: row.last_direction,
    sender: row.last_sender,
    at: row.last_at,
    preview: isRead ? row.last_preview : '',
  }
}

/** As somebody sees them. In a handful of statements, however many. */
export async function presentConversations(
  tx: Tx,
  principal: Principal,
  rows: readonly ConversationRow[],
): Promise<Shown[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const [addresses, mentioned, presences, own] = await Promise.all([
    listAddresses(tx, principal, ids),
    listMentioned(tx, principal, ids),
    listPresences(tx, principal, ids),
    unreadOf(tx, principal, ids),
  ])
  const [users, teams] = await Promise.all([
    namesOfUsers(tx, principal, [
      ...mentioned.map(({ user_id }) => user_id),
      ...rows.flatMap(row => row.assignee_id ?? []),
    ]),
    namesOfTeams(
      tx,
      principal,
      rows.flatMap(({ team_id }) => team_id ?? []),
    ),
  ])
  const person = (userId: number) => ({ userId, name: users.get(userId) ?? `User ${userId}` })
  return rows.map(row => ({
    conversationId: row.id,
    party: partyOf(row),
    addresses: addresses
      .filter(one => one.conversation_id === row.id)
      .map(({ channel, address }) => ({ channel, address })),
    state: row.state,
    snoozedUntil: row.snoozed_until,
    assignee: row.assignee_id === null ? null : person(row.assignee_id),
    team: row.team_id === null ? null : { teamId: row.team_id, name: teams.get(row.team_id) ?? row.team_id },
    waitingSince: row.waiting_since,
    lastActivity: activityOf(row, readsKind(principal, row.last_kind)),
    unread: own.get(row.id)?.unread ?? false,
    mentioned: own.get(row.id)?.mentioned ?? false,
    participants: mentioned.filter(one => one.conversation_id === row.id).map(one => person(one.user_id)),
    presence: presences
      .filter(one => one.conversationId === row.id && one.userId !== principal.userId)
      .map(({ conversationId: _, ...presence }) => presence),
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }))
}
