// SQL of conferences and of the calls in them.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import {
  type Conference,
  type ConferenceEvent,
  type ConferenceState,
  type ConferenceStep,
  nextConference,
  type Participant,
  type Seated,
} from './rules.ts'

export type NewConference = Pick<Conference, 'id' | 'name' | 'owner' | 'callback_url' | 'created_at'>

/** Adds a conference; false when one of its name is under way. */
export async function insertConference(tx: Tx, { tenantId }: Scope, conference: NewConference): Promise<boolean> {
  const { id, name, owner, callback_url, created_at } = conference
  const { numAffectedRows = 0n } = await sql`
    insert into conferences (tenant_id, id, name, owner, callback_url, created_at, changed_at)
    values (${tenantId}, ${id}, ${name}, ${owner}, ${callback_url}, ${created_at}, ${created_at})
    on conflict (tenant_id, name) where state <> 'ended' do nothing`.execute(tx)
  return numAffectedRows > 0n
}

/** The conference of this name that is under way though no call of its node is held any more. */
export async function findLostConference(tx: Tx, { tenantId }: Scope, name: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select c.id from conferences c
    where c.tenant_id = ${tenantId} and c.name = ${name} and c.state <> 'ended'
      and not exists (select from call_leases l
        where l.tenant_id = c.tenant_id and l.owner = c.owner and l.heartbeat_at > now() - interval '30 seconds')`.execute(
    tx,
  )
  return rows[0]?.id
}

export async function findConference(tx: Tx, { tenantId }: Scope, id: string): Promise<Conference | undefined> {
  const query = tx.selectFrom('conferences').selectAll().where('tenant_id', '=', tenantId).where('id', '=', id)
  return (await query.executeTakeFirst()) as Conference | undefined
}

/** Newest first; `behind` is creation time and id of the last one of the page before. */
export async function listConferences(
  tx: Tx,
  { tenantId }: Scope,
  { state, name }: { state?: ConferenceState; name?: string },
  behind: readonly [string, string] | undefined,
  limit: number,
): Promise<Conference[]> {
  let query = tx.selectFrom('conferences').selectAll().where('tenant_id', '=', tenantId)
  if (state !== undefined) query = query.where('state', '=', state)
  if (name !== undefined) query = query.where('name', '=', name)
  if (behind !== undefined)
    query = query.where(sql<boolean>`(created_at, id) < (${behind[0]}::timestamptz, ${behind[1]})`)
  return (await query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()) as Conference[]
}

/** Those of these calls that are or were in a conference. */
async function listParticipants(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  callIds: readonly string[],
): Promise<Participant[]> {
  if (callIds.length === 0) return []
  const query = tx.selectFrom('conference_participants').selectAll().where('tenant_id', '=', tenantId)
  const rows = await query
    .where('conference_id', '=', id)
    .where(sql<boolean>`call_id = any(${[...callIds]}::text[])`)
    .execute()
  return rows as Participant[]
}

/** The calls that are in a conference now. */
export async function listInside(tx: Tx, { tenantId }: Scope, id: string): Promise<string[]> {
  const query = tx.selectFrom('conference_participants').select('call_id').where('tenant_id', '=', tenantId)
  const rows = await query.where('conference_id', '=', id).where('left_at', 'is', null).execute()
  return rows.map(({ call_id }) => call_id)
}

/** Who is in a conference, and as many who left last, with the two sides of each one's call, in the order they came. */
export async function listSeated(
  tx: Tx,
  { tenantId }: Scope,
  id: string,
  maxLeft: number,
): Promise<{ participants: Seated[]; othersLeft: boolean }> {
  const { rows } = await sql<Seated & { place: number }>`
    select p.*, c.direction, c.from_number, c.to_number
    from (
      (select *, 0 as place from conference_participants
       where tenant_id = ${tenantId} and conference_id = ${id} and left_at is null)
      union all
      (select *, row_number() over (order by left_at desc, call_id desc)::integer as place from conference_participants
       where tenant_id = ${tenantId} and conference_id = ${id} and left_at is not null
       order by left_at desc, call_id desc limit ${maxLeft + 1})
    ) p join calls c on c.tenant_id = p.tenant_id and c.id = p.call_id
    order by p.joined_at, p.call_id`.execute(tx)
  const participants = rows.filter(({ place }) => place <= maxLeft)
  return { participants, othersLeft: participants.length < rows.length }
}

/** One participant with its row locked, after that of the conference, as those lock it who report what happens there. */
export async function lockParticipant(
  tx: Tx,
  { tenantId }: Scope,
  conferenceId: string,
  callId: string,
): Promise<Participant | undefined> {
  await sql`
    select from conferences where tenant_id = ${tenantId} and id = ${conferenceId} for update`.execute(tx)
  const query = tx.selectFrom('conference_participants').selectAll().where('tenant_id', '=', tenantId)
  const row = await query
    .where('conference_id', '=', conferenceId)
    .where('call_id', '=', callId)
    .forUpdate()
    .executeTakeFirst()
  return row as Participant | undefined
}

/**
 * Writes what happened in one conference, in order; what cannot have happened any more is passed over.
 * @param before how many reports of its node came before these, which are numbered by that: those that are written already, by a
 *   transaction whose outcome the node did not hear, are passed over too
 */
export async function applyConferenceEvents(
  tx: Tx,
  scope: Scope,
  id: string,
  events: readonly ConferenceEvent[],
  before?: number,
): Promise<void> {
  const { tenantId } = scope
  const query = tx.selectFrom('conferences').selectAll().where('tenant_id', '=', tenantId).where('id', '=', id)
  let conference = (await query.forUpdate().executeTakeFirst()) as Conference | undefined
  if (conference === undefined) return
  const unwritten = events.slice(before === undefined ? 0 : Math.max(0, conference.reported - before))
  const named = unwritten.flatMap(event => ('callId' in event ? [event.callId] : []))
  const known = await listParticipants(tx, scope, id, [...new Set(named)])
  const participants = new Map(known.map(participant => [participant.call_id, participant]))
  const steps: ConferenceStep[] = []
  const changed = new Map<string, Participant>()
  for (const event of unwritten) {
    const participant = 'callId' in event ? participants.get(event.callId) : undefined
    const step = nextConference(conference, participant, event)
    if (step === undefined) continue
    conference = step.conference
    steps.push(step)
    if (step.participant === undefined) continue
    participants.set(step.participant.call_id, step.participant)
    changed.set(step.participant.call_id, step.participant)
  }
  if (steps.length === 0) return
  if (before !== undefined) conference.reported = before + events.length
  await tx.updateTable('conferences').set(conference).where('tenant_id', '=', tenantId).where('id', '=', id).execute()
  if (changed.size > 0) await writeParticipants(tx, [...changed.values()])
  await emit(tx, scope, ...steps.map(step => step.event))
}

async function writeParticipants(tx: Tx, participants: readonly Participant[]): Promise<void> {
  await tx
    .insertInto('conference_participants')
    .values([...participants])
    .onConflict(conflict =>
      conflict.columns(['tenant_id', 'conference_id', 'call_id']).doUpdateSet(({ ref }) => ({
        muted: ref('excluded.muted'),
        held: ref('excluded.held'),
        coach: ref('excluded.coach'),
        joined_at: ref('excluded.joined_at'),
        left_at: ref('excluded.left_at'),
        left_reason: ref('excluded.left_reason'),
      })),
    )
    .execute()
}

export type LostConference = { tenant_id: number; organization_id: number; conference_id: string }

/** Conferences that nothing was written of for so long, and whose node holds no call of the tenant any more. */
export function listLostConferences(db: Db, silentSeconds: number, limit: number): Promise<LostConference[]> {
  return db.work('lost_conferences', 'select * from lost_conferences($1, $2)', [silentSeconds, limit])
}
