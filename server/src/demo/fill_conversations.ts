// Makes the inbox of the demo company of what it wrote and said: with whom, what waits since when, and who has it. As conversations would
// have followed it while it happened.
import type { Scope } from '../kernel/data/db.ts'
import { isoMs } from '../kernel/values/clock.ts'
import { newId } from '../kernel/values/ids.ts'
import { type FoundExchange, ofCall, ofText } from '../modules/conversations/exchanges.ts'
import { begin, follow, type Standing } from '../modules/conversations/rules.ts'
import type { SalesTeam } from './lead_stories.ts'
import { dayMs, hourMs } from './times.ts'
import type { DemoTransaction } from './transaction.ts'

type Person = {
  phone: string
  record_id: string
  party_kind: 'lead' | 'contact'
  name: string
  owner_id: number | null
}
type Made = Standing & {
  id: string
  record_id: string | null
  party_kind: Person['party_kind'] | 'unknown'
  name: string
  owner_id: number | null
  assignee_id: number | null
  address: string
  created_at: string
}

/** What is older than this was dealt with, whether or not anybody wrote back. */
const openMs = 2 * dayMs

export async function fillConversations(
  transaction: DemoTransaction,
  scope: Scope,
  team: SalesTeam,
  nowMs: number,
): Promise<number> {
  const exchanges = await exchangesOf(transaction, scope)
  const people = await peopleOf(transaction, scope)
  const made = [...Map.groupBy(exchanges, ({ address }) => address!.address)].flatMap(([address, some]) =>
    madeOf(address, some, people.get(address)),
  )
  // Two numbers of one contact are one conversation: the last one stands.
  const unique = [...new Map(made.map(one => [one.record_id ?? one.id, one])).values()]
  await insert(transaction, scope, given(unique, team, nowMs))
  return unique.length
}

async function exchangesOf(
  transaction: DemoTransaction,
  { tenantId, organizationId }: Scope,
): Promise<FoundExchange[]> {
  const scope = { tenantId, organizationId }
  const texts = await transaction.inTenant<{ facts: Parameters<typeof ofText>[0] }>(
    scope,
    `select json_build_object('messageId', id, 'direction', direction, 'from', from_address, 'to', to_address, 'body', body, 'createdAt',
       created_at) as facts from messages where tenant_id = $1 order by id`,
    [tenantId],
  )
  const calls = await transaction.inTenant<{ facts: Parameters<typeof ofCall>[0] }>(
    scope,
    `select json_build_object('callId', id, 'direction', direction, 'from', from_number, 'to', to_number, 'state', state, 'bridgedTo',
       -- Calls of the story have one leg; nothing says who picked up.
       case when answered_at is not null then id end, 'answeredAt', answered_at, 'createdAt', created_at) as facts
     from calls where tenant_id = $1 and ended_at is not null order by id`,
    [tenantId],
  )
  const all = [...texts.map(({ facts }) => ofText(facts)), ...calls.flatMap(({ facts }) => ofCall(facts) ?? [])]
  return all.sort((a, b) => (a.at < b.at ? -1 : 1))
}

async function peopleOf(transaction: DemoTransaction, scope: Scope): Promise<Map<string, Person>> {
  const rows = await transaction.inTenant<Person>(
    scope,
    `select l.phone, coalesce(c.id, 'lead:' || l.id) as record_id, case when c.id is null then 'lead' else 'contact' end as party_kind,
       coalesce(c.name, l.name) as name, case when c.id is null then l.owner_id else c.owner_id end as owner_id
     from leads l left join contacts c on c.tenant_id = l.tenant_id and c.id = l.contact_id and c.deleted_at is null
     where l.tenant_id = $1 and l.phone is not null and l.deleted_at is null order by l.id`,
    [scope.tenantId],
  )
  return new Map(rows.map(row => [row.phone, row]))
}

function madeOf(address: string, exchanges: readonly FoundExchange[], person: Person | undefined): Made[] {
  const first = exchanges.find(({ effect }) => person !== undefined || effect === 'waits')
  if (first === undefined) return []
  const begun = exchanges.slice(exchanges.indexOf(first))
  const standing = begun.slice(1).reduce((now, exchange) => follow(now, exchange).next, begin(first))
  const { record_id = null, party_kind = 'unknown', name = address, owner_id = null } = person ?? {}
  const id = newId('cnv', Date.parse(first.at))
  return [{ ...standing, id, record_id, party_kind, name, owner_id, assignee_id: null, address, created_at: first.at }]
}

/** Who has which, and what is put off: of what is new. */
function given(made: readonly Made[], { admin, managers }: SalesTeam, nowMs: number): Made[] {
  const newest = made.toSorted((a, b) => (a.last_at < b.last_at ? 1 : -1))
  const hands = [admin, null, managers[0] ?? admin, admin, null, null]
  let place = 0
  let snoozed = 0
  return newest.map((one): Made => {
    const ageMs = nowMs - Date.parse(one.last_at)
    if (ageMs > openMs || one.last_inbound_at === null || Date.parse(one.last_inbound_at) < nowMs - openMs)
      return { ...one, state: 'closed', waiting_since: null, assignee_id: one.owner_id }
    const assignee_id = one.record_id === null ? null : (hands[place++ % hands.length] ?? null)
    if (one.waiting_since !== null || ageMs < 4 * hourMs) return { ...one, state: 'open', assignee_id }
    if (snoozed++ < 2) {
      const until = isoMs(Math.ceil((nowMs + snoozed * dayMs) / hourMs) * hourMs)
      return { ...one, state: 'snoozed', snoozed_until: until, assignee_id: admin }
    }
    return { ...one, state: 'open', assignee_id: assignee_id ?? admin }
  })
}

async function insert(transaction: DemoTransaction, scope: Scope, made: readonly Made[]): Promise<void> {
  const rows = JSON.stringify(made)
  await transaction.inTenant(
    scope,
    `insert into conversations (tenant_id, id, record_id, party_kind, name, owner_id, state, snoozed_until, assignee_id, waiting_since,
       last_inbound_at, last_answer_at, last_at, last_item, last_kind, last_direction, last_sender, last_preview, find, created_at, updated_at)
     select $1, n.id, n.record_id, n.party_kind, n.name, n.owner_id, n.state, n.snoozed_until, n.assignee_id, n.waiting_since,
       n.last_inbound_at, n.last_answer_at, n.last_at, n.last_item, n.last_kind, n.last_direction, n.last_sender, n.last_preview,
       lower(fold_search(n.name)) || E'\\n' || (n.row ->> 'address'), n.created_at, n.last_at
     from (select r.*, e.row from json_array_elements($2::json) as e (row)
       cross join lateral json_populate_record(null::conversations, e.row) r) n`,
    [scope.tenantId, rows],
  )
  await transaction.inTenant(
    scope,
    `insert into conversation_addresses (tenant_id, address, channel, conversation_id)
     select $1, e.row ->> 'address', 'phone', e.row ->> 'id' from json_array_elements($2::json) as e (row)`,
    [scope.tenantId, rows],
  )
  // What there is, is taken in.
  await transaction.inTenant(
    scope,
    `insert into conversation_positions (tenant_id, snapshot, floor_at, mark_at, mark_xid, seen_id, look_until, fill_before)
     values ($1, pg_current_snapshot(), clock_timestamp(), clock_timestamp(),
       pg_snapshot_xmax(pg_current_snapshot()), '', 'infinity', $2)
     on conflict (tenant_id) do nothing`,
    [scope.tenantId, newId('cnv').slice(-26)],
  )
}
