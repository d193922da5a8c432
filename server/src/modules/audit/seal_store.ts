// SQL of the chain: what is to be sealed, where the chain ends, its seals, and its events in their order.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../kernel/data/db.ts'
import type { EventRow, LinkRow, SealRow } from './present.ts'

const sealColumns = sql.raw('id, at, from_position, to_position, previous, head, signature')
const eventColumns =
  sql.raw(`e.id, e.at, e.action, e.actor_type, e.actor_id, e.on_behalf_of, e.outcome, e.reason, e.target_types,
  e.target_ids, e.context, e.before, e.after, e.digests`)

/** Organizations with events that no seal holds. */
export async function organizationsToSeal(db: Db): Promise<number[]> {
  const rows = await db.work<{ organization_id: number }>(
    'audit_to_seal',
    'select organization_id from audit_to_seal()',
    [],
  )
  return rows.map(row => row.organization_id)
}

/** Events that no seal holds, those that were made first in front. */
export async function listUnsealed(tx: Tx, { organizationId }: Scope, limit: number): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select ${eventColumns} from audit_unsealed u
    join audit_events e on e.organization_id = u.organization_id and e.id = u.event_id
    where u.organization_id = ${organizationId} order by u.event_id limit ${limit}`.execute(tx)
  return rows
}

export async function findLastSeal(tx: Tx, { organizationId }: Scope): Promise<SealRow | undefined> {
  const { rows } = await sql<SealRow>`
    select ${sealColumns} from audit_seals where organization_id = ${organizationId}
    order by to_position desc limit 1`.execute(tx)
  return rows[0]
}

/** Puts events behind the end of the chain; false when another process did so meanwhile. */
export async function insertSeal(
  tx: Tx,
  seal: SealRow,
  events: readonly { id: string; hash: string }[],
): Promise<boolean> {
  const { rows } = await sql<{ done: boolean }>`
    select seal_audit(${seal.id}, ${seal.at}::timestamptz, ${seal.from_position}, ${seal.previous},
      ${events.map(({ id }) => id)}::text[], ${events.map(({ hash }) => hash)}::text[], ${seal.signature}) as done`.execute(
    tx,
  )
  return rows[0]!.done
}

/** Newest first, one more than `limit` when there are more. */
export async function listSeals(
  tx: Tx,
  { organizationId }: Scope,
  { limit, beforeId }: { limit: number; beforeId: string | undefined },
): Promise<SealRow[]> {
  const { rows } = await sql<SealRow>`
    select ${sealColumns} from audit_seals where organization_id = ${organizationId} and id < ${beforeId ?? 'ase_z'}
    order by id desc limit ${limit + 1}`.execute(tx)
  return rows
}

/** Seals that hold events behind a position, the first in front. */
export async function sealsBehind(
  tx: Tx,
  { organizationId }: Scope,
  position: number,
  limit: number,
): Promise<SealRow[]> {
  const { rows } = await sql<SealRow>`
    select ${sealColumns} from audit_seals where organization_id = ${organizationId} and to_position > ${position}
    order by to_position limit ${limit}`.execute(tx)
  return rows
}

/** Events of the chain behind a position, in its order. What is missing in it is missing here. */
export async function chainBehind(
  tx: Tx,
  { organizationId }: Scope,
  position: number,
  limit: number,
  upTo: number | null = null,
): Promise<LinkRow[]> {
  const { rows } = await sql<LinkRow>`
    select ${eventColumns}, c.position, c.hash,
      (select json_agg(json_build_object('field', l.field, 'label', l.label, 'salt', l.salt) order by l.field)
       from audit_labels l where l.organization_id = e.organization_id and l.event_id = e.id) as labels
    from audit_chain c join audit_events e on e.organization_id = c.organization_id and e.id = c.event_id
    where c.organization_id = ${organizationId} and c.position > ${position}
      and (${upTo}::bigint is null or c.position <= ${upTo}::bigint)
    order by c.position limit ${limit}`.execute(tx)
  return rows
}

/** Up to where the chain is not there any more, and the hash of the last event that was. */
export async function lastExpired(
  tx: Tx,
  { organizationId }: Scope,
): Promise<{ position: number; hash: string } | undefined> {
  const { rows } = await sql<{ position: number; hash: string }>`
    select position, hash from audit_expired where organization_id = ${organizationId}
    order by position desc limit 1`.execute(tx)
  return rows[0]
}
