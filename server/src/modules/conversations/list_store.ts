// SQL of lists of the inbox. Each view has an index in its order. Who sees only conversations of some people reads as many beginnings of
// that index as there are people, and what they are assigned to or mentioned in beside; so nothing is sorted but what is shown.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../kernel/data/db.ts'
import type { Sql } from '../../kernel/noun/field.ts'
import { isUnread } from './read_store.ts'
import type { View } from './rules.ts'
import { isSeen, type Sight } from './sight_store.ts'
import { type ConversationRow, columns } from './store.ts'

export type Behind = readonly [at: string, id: string] | undefined
export type Listed = ConversationRow & { at: string }

/** What a view holds, and by which column it is ordered. */
const viewsOf = (userId: number): Record<View, { where: Sql; by: Sql }> => {
  const last = sql.ref('c.last_at')
  const open = sql`c.merged_into is null and c.state = 'open'`
  return {
    waiting: { where: sql`${open} and c.waiting_since is not null`, by: sql.ref('c.waiting_since') },
    mine: { where: sql`${open} and c.assignee_id = ${userId} and c.assignee_id is not null`, by: last },
    unassigned: { where: sql`${open} and c.assignee_id is null`, by: last },
    mentioned: { where: sql`c.merged_into is null`, by: sql.ref('m.mentioned_at') },
    // Read by `unreadIn`.
    unread: { where: open, by: sql`coalesce(c.waiting_since, c.last_at)` },
    open: { where: open, by: last },
    snoozed: { where: sql`c.merged_into is null and c.state = 'snoozed'`, by: sql.ref('c.snoozed_until') },
    closed: { where: sql`c.merged_into is null and c.state = 'closed'`, by: last },
    all: { where: sql`c.merged_into is null`, by: last },
  }
}

type Asked = {
  view: View
  sight: Sight
  isOldestFirst: boolean
  behind: Behind
  limit: number
  among?: readonly string[] | undefined
  /** Texts that all must be found in name or addresses, where there are too many of these to name them in `among`. */
  words?: readonly string[] | undefined
  /** A further condition on rows `c`, and on the person's own row `u` where there is one. */
  only?: Sql
}

export async function listConversations(tx: Tx, scope: Scope, asked: Asked): Promise<Listed[]> {
  const { by } = viewsOf(asked.sight.userId)[asked.view]
  const { rows } = await sql<Listed>`
    select ${columns}, ${asked.view === 'mentioned' ? sql`i.at` : by} as at
    from (${idsOf(scope, asked)}) i join conversations c on c.tenant_id = ${scope.tenantId} and c.id = i.id
    order by i.at ${direction(asked)}, i.id ${direction(asked)} limit ${asked.limit}`.execute(tx)
  return rows
}

const direction = ({ isOldestFirst }: Pick<Asked, 'isOldestFirst'>) => (isOldestFirst ? sql`asc` : sql`desc`)

/** The condition that a row stands behind the cursor. @param place columns of the time and the id that lists are ordered by */
function isBehind({ behind, isOldestFirst }: Asked, place: Sql): Sql {
  if (behind === undefined) return sql`true`
  const [at, id] = behind
  return sql`(${place}) ${isOldestFirst ? sql`>` : sql`<`} (${at}::timestamptz, ${id}::text)`
}

const isAmong = ({ among }: Asked, id: Sql) => (among === undefined ? sql`true` : sql`${id} = any(${among}::text[])`)

/**
 * The condition on rows `c` that they hold the words. PostgreSQL would guess that next to none meets it, and read and sort all of the view;
 * of `coalesce` it guesses that half do, and reads the index in order until the page is full.
 */
const holdsWords = ({ words }: Asked) =>
  words === undefined
    ? sql`true`
    : sql`coalesce(c.find like all ((select conversation_patterns(${words}::text[]))::text[]), false)`

/** Ids and places of a page, as rows `(id, at)`. */
function idsOf(scope: Scope, asked: Asked): Sql {
  const { view, sight, among } = asked
  if (view === 'mentioned') return mentionedIn(scope, asked)
  if (view === 'unread') return unreadIn(scope, asked)
  if (sight.seesAll || view === 'mine') return oneArm(scope, asked, sql`true`)
  // What a search found is few.
  if (among !== undefined) return oneArm(scope, asked, isSeen(sight))
  const own = oneArm(scope, asked, sql`c.assignee_id = ${sight.userId}`)
  const mentioned = ownArm(scope, asked, sql`u.mentioned_at is not null`)
  return sql`${sql.join([...heldArms(scope, asked), own, mentioned], sql` union `)}`
}

/** Of each kind and holder that the person sees. */
function heldArms(scope: Scope, asked: Asked): Sql[] {
  return asked.sight.kinds.flatMap(({ kind, holders }) =>
    (holders ?? [undefined]).map(holder =>
      oneArm(
        scope,
        asked,
        holder === undefined ? sql`c.party_kind = ${kind}` : sql`c.party_kind = ${kind} and c.holder = ${holder}`,
      ),
    ),
  )
}

/**
 * Waiting ones that the person looks after or nobody does, in the order in which they wait; and the few that the person marked as unread or
 * was mentioned in.
 */
function unreadIn(scope: Scope, asked: Asked): Sql {
  const { sight, among } = asked
  const waiting = { ...asked, view: 'waiting', only: isUnread } as const
  const free = { ...waiting, only: sql`c.assignee_id is null and ${isUnread}` }
  const arms = [
    oneArm(scope, waiting, sql`c.assignee_id = ${sight.userId}`),
    ...(sight.seesAll || among !== undefined ? [oneArm(scope, free, isSeen(sight))] : heldArms(scope, free)),
    ownArm(scope, asked, sql`u.mentioned_at is not null and ${isUnread}`),
    ownArm(scope, asked, sql`u.is_unread and ${isSeen(sight)}`),
  ]
  return sql.join(arms, sql` union `)
}

function oneArm({ tenantId }: Scope, asked: Asked, seen: Sql): Sql {
  const { view, sight, limit, only } = asked
  const { where, by } = viewsOf(sight.userId)[view]
  const own = sql`left join conversation_users u on u.tenant_id = c.tenant_id and u.conversation_id = c.id and u.user_id = ${sight.userId}`
  return sql`(
    select c.id, ${by} as at from conversations c ${only === undefined ? sql`` : own}
    where c.tenant_id = ${tenantId} and ${where} and ${seen} and ${only ?? sql`true`}
      and ${isBehind(asked, sql`${by}, c.id`)} and ${isAmong(asked, sql.ref('c.id'))} and ${holdsWords(asked)}
    order by ${by} ${direction(asked)}, c.id ${direction(asked)} limit ${limit})`
}

/**
 * Of those that the person has a row of, which meets a condition that few do, those of the view. Each is looked up (`offset 0` keeps the
 * join in this order): by its guesses PostgreSQL would at times read all of the view behind the cursor instead.
 */
function ownArm({ tenantId }: Scope, asked: Asked, condition: Sql): Sql {
  const { view, sight, limit } = asked
  const { where, by } = viewsOf(sight.userId)[view]
  return sql`(
    select c.id, ${by} as at from conversation_users u
    cross join lateral (
      select * from conversations c where c.tenant_id = u.tenant_id and c.id = u.conversation_id offset 0) c
    where u.tenant_id = ${tenantId} and u.user_id = ${sight.userId} and ${condition} and ${where}
      and ${isBehind(asked, sql`${by}, c.id`)} and ${isAmong(asked, sql.ref('c.id'))} and ${holdsWords(asked)}
    order by ${by} ${direction(asked)}, c.id ${direction(asked)} limit ${limit})`
}

/** By when one was mentioned. */
function mentionedIn({ tenantId }: Scope, asked: Asked): Sql {
  const { sight, limit, words } = asked
  const found =
    words === undefined
      ? sql`true`
      : sql`exists (select from conversations c where c.tenant_id = m.tenant_id and c.id = m.conversation_id and ${holdsWords(asked)})`
  return sql`(
    select m.conversation_id as id, m.mentioned_at as at from conversation_users m
    where m.tenant_id = ${tenantId} and m.user_id = ${sight.userId} and m.mentioned_at is not null
      and ${isBehind(asked, sql`m.mentioned_at, m.conversation_id`)} and ${isAmong(asked, sql.ref('m.conversation_id'))}
      and ${found}
    order by m.mentioned_at ${direction(asked)}, m.conversation_id ${direction(asked)} limit ${limit})`
}

/** Beyond this many a count says "or more": counting them would be the most of the work. */
export const maxCount = 1_000

/** How many each view has, at most one more than `maxCount`, in one statement. */
export async function countViews(
  tx: Tx,
  scope: Scope,
  sight: Sight,
  names: readonly View[],
): Promise<Record<string, number>> {
  const counted = names.map(view => {
    const asked = { view, sight, isOldestFirst: false, behind: undefined, limit: maxCount + 1 }
    return sql`(select count(*) from (select from (${idsOf(scope, asked)}) i limit ${maxCount + 1}) n) as ${sql.ref(view)}`
  })
  const { rows } = await sql<Record<string, number>>`select ${sql.join(counted)}`.execute(tx)
  return rows[0]!
}

/** One that is seen; one that became part of another is that other. */
export async function findConversation(
  tx: Tx,
  { tenantId }: Scope,
  sight: Sight,
  id: string,
  { locked = false } = {},
): Promise<ConversationRow | undefined> {
  const { rows } = await sql<ConversationRow>`
    select ${columns} from conversations c
    where c.tenant_id = ${tenantId} and ${isSeen(sight)} and c.merged_into is null
      and c.id = coalesce((select o.merged_into from conversations o where o.tenant_id = ${tenantId} and o.id = ${id}), ${id})
    ${locked ? sql`for update of c` : sql``}`.execute(tx)
  return rows[0]
}

/** Ids of the tenant's conversations that hold all these texts, at most so many of them, in no order. */
export async function searchConversations(tx: Tx, words: readonly string[], limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from conversations_found(${words}::text[], ${limit}) as id`.execute(tx)
  return rows.map(row => row.id)
}
