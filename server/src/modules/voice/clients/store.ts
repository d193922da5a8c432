// SQL of phones in browsers: who is connected, and the calls they have. Process and browser meet in these rows only.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { ClientLegRow } from './rules.ts'

/** A browser whose node did not say for so long that it is there is gone. Nodes say so every five seconds. */
const goneSeconds = 15
/** How long what happened to a call is reported to browsers after its end. */
const shownSeconds = 60

export type Registration = { id: string; identity: string }

/** Says that these browsers are there. */
export async function register(tx: Tx, { tenantId }: Scope, registrations: readonly Registration[]): Promise<void> {
  if (registrations.length === 0) return
  await sql`
    insert into client_registrations (tenant_id, id, identity)
    select ${tenantId}, id, identity
    from unnest(${registrations.map(one => one.id)}::text[], ${registrations.map(one => one.identity)}::text[]) as r (id, identity)
    on conflict on constraint client_registrations_pkey do update set seen_at = clock_timestamp()`.execute(tx)
}

export async function unregister(tx: Tx, { tenantId }: Scope, id: string): Promise<void> {
  await sql`delete from client_registrations where tenant_id = ${tenantId} and id = ${id}`.execute(tx)
}

/** Takes away what is of no use any more: browsers that are gone, and calls whose end was reported to everybody. */
export async function sweep(tx: Tx, { tenantId }: Scope): Promise<void> {
  await sql`
    delete from client_registrations
    where tenant_id = ${tenantId} and seen_at < clock_timestamp() - make_interval(secs => ${2 * goneSeconds})`.execute(
    tx,
  )
  await sql`
    delete from client_legs l using calls c
    where l.tenant_id = ${tenantId} and c.tenant_id = l.tenant_id and c.id = l.call_id
      and c.ended_at < clock_timestamp() - make_interval(secs => ${2 * shownSeconds})`.execute(tx)
}

/** Those of these identities that a browser is connected for. */
export async function registeredAmong(
  tx: Tx,
  { tenantId }: Scope,
  identities: readonly string[],
): Promise<Set<string>> {
  if (identities.length === 0) return new Set()
  const { rows } = await sql<{ identity: string }>`
    select distinct identity from client_registrations
    where tenant_id = ${tenantId} and identity = any(${[...identities]})
      and seen_at > clock_timestamp() - make_interval(secs => ${goneSeconds})`.execute(tx)
  return new Set(rows.map(row => row.identity))
}

export type NewClientLeg = {
  call_id: string
  identity: string
  kind: ClientLegRow['kind']
  lead_id: number | null
  offer: string | null
}

export async function insertClientLegs(tx: Tx, { tenantId }: Scope, legs: readonly NewClientLeg[]): Promise<void> {
  if (legs.length === 0) return
  await sql`
    insert into client_legs (tenant_id, call_id, identity, kind, lead_id, offer)
    select ${tenantId}, call_id, identity, kind, lead_id, offer
    from json_to_recordset(${JSON.stringify(legs)}::json)
      as l (call_id text, identity text, kind text, lead_id bigint, offer text)`.execute(tx)
}

/** Of these calls, those that a browser has made. */
export async function listOffers(tx: Tx, { tenantId }: Scope, callIds: readonly string[]): Promise<NewClientLeg[]> {
  const { rows } = await sql<NewClientLeg>`
    select call_id, identity, kind, lead_id, offer from client_legs
    where tenant_id = ${tenantId} and call_id = any(${[...callIds]}) and offer is not null`.execute(tx)
  return rows
}

/** What the process that holds the call answers the browser. */
export async function writeAnswer(tx: Tx, { tenantId }: Scope, callId: string, answer: string): Promise<void> {
  await sql`
    update client_legs set answer = ${answer} where tenant_id = ${tenantId} and call_id = ${callId}`.execute(tx)
}

/** Whose call it is, where it is one of a browser. */
export async function findClientLeg(
  tx: Tx,
  { tenantId }: Scope,
  callId: string,
): Promise<{ identity: string; kind: ClientLegRow['kind']; taken: boolean } | undefined> {
  const { rows } = await sql<{ identity: string; kind: ClientLegRow['kind']; taken: boolean }>`
    select identity, kind, taken_at is not null as taken from client_legs
    where tenant_id = ${tenantId} and call_id = ${callId}`.execute(tx)
  return rows[0]
}

/** False where another browser was faster. */
export async function takeClientLeg(tx: Tx, { tenantId }: Scope, callId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update client_legs set taken_at = clock_timestamp()
    where tenant_id = ${tenantId} and call_id = ${callId} and taken_at is null`.execute(tx)
  return numAffectedRows === 1n
}

/** The calls of these identities that are under way, or have ended just now. */
export async function listClientLegs(
  tx: Tx,
  { tenantId }: Scope,
  identities: readonly string[],
): Promise<ClientLegRow[]> {
  const { rows } = await sql<ClientLegRow>`
    select l.call_id, l.identity, l.kind, l.lead_id, l.answer, l.taken_at is not null as taken,
      c.ended_at is not null as ended, c.state, c.from_number,
      case when p.direction = 'inbound' then p.to_number else c.to_number end as to_number,
      c.caller_name, c.bridged_to, c.q850, c.hangup_cause,
      (select d.hangup_cause from calls d
       where l.kind = 'calls' and c.ended_at is not null and d.tenant_id = l.tenant_id and d.parent_call_id = l.call_id
       order by d.created_at desc, d.id desc limit 1) as dialed_cause
    from client_legs l
    join calls c on c.tenant_id = l.tenant_id and c.id = l.call_id
    left join calls p on p.tenant_id = l.tenant_id and p.id = c.parent_call_id
    where l.tenant_id = ${tenantId} and l.identity = any(${[...identities]})
      and (c.ended_at is null or c.ended_at > clock_timestamp() - make_interval(secs => ${shownSeconds}))
    order by l.call_id`.execute(tx)
  return rows
}
