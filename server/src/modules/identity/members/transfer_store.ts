// SQL of transfers of ownership. The organization is locked whenever one is read to be changed.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { type TransferState, undoWithinMs } from './transfer_rules.ts'

export type TransferRow = {
  id: string
  from_user_id: number
  to_user_id: number
  state: TransferState
  expires_at: string
  undo_until: string | null
  created_at: string
  decided_at: string | null
}

const columns = sql.raw(
  't.id, t.from_user_id, t.to_user_id, t.state, t.expires_at, t.undo_until, t.created_at, t.decided_at',
)

/** Of a transfer `t`: it waits for its answer, or can be taken back. */
function isOpen(nowMs: number) {
  const now = sql`${isoMs(nowMs)}::timestamptz`
  return sql`((t.state = 'pending' and t.expires_at > ${now}) or (t.state = 'accepted' and t.undo_until > ${now}))`
}

export async function insertTransfer(
  tx: Tx,
  { organizationId }: Scope,
  made: Pick<TransferRow, 'id' | 'from_user_id' | 'to_user_id' | 'expires_at' | 'created_at'>,
): Promise<TransferRow> {
  const { rows } = await sql<TransferRow>`
    insert into ownership_transfers as t (organization_id, id, from_user_id, to_user_id, expires_at, created_at)
    values (${organizationId}, ${made.id}, ${made.from_user_id}, ${made.to_user_id}, ${made.expires_at}, ${made.created_at})
    returning ${columns}`.execute(tx)
  return rows[0]!
}

/** The last one of which something may still become: it waits for its answer, or can be undone. */
export async function findOpenTransfer(
  tx: Tx,
  { organizationId }: Scope,
  nowMs: number,
): Promise<TransferRow | undefined> {
  const { rows } = await sql<TransferRow>`
    select ${columns} from ownership_transfers t where t.organization_id = ${organizationId} and ${isOpen(nowMs)}
    order by t.id desc limit 1`.execute(tx)
  return rows[0]
}

/** Who is not to be shut out, and whether the ownership went over or came back; before that it is only offered. */
export type KeptIn = { user_id: number; is_settled: boolean }

/** Who offered the ownership: while that is open, and until 72 hours after it was accepted, or taken back. */
export async function findKeptIn(
  tx: Tx,
  { organizationId }: Pick<Scope, 'organizationId'>,
  nowMs: number,
): Promise<KeptIn | undefined> {
  const undoneAfter = isoMs(nowMs - undoWithinMs)
  const { rows } = await sql<KeptIn>`
    select t.from_user_id as user_id, bool_or(t.state <> 'pending') over (partition by t.from_user_id) as is_settled
    from ownership_transfers t
    where t.organization_id = ${organizationId}
      and (${isOpen(nowMs)} or (t.state = 'undone' and t.decided_at > ${undoneAfter}::timestamptz))
    order by t.id desc limit 1`.execute(tx)
  return rows[0]
}

/** One that nobody answered in time makes room for another. */
export async function cancelExpired(tx: Tx, { organizationId }: Scope, nowMs: number): Promise<void> {
  await sql`
    update ownership_transfers set state = 'canceled', decided_at = ${isoMs(nowMs)}::timestamptz
    where organization_id = ${organizationId} and state = 'pending' and expires_at <= ${isoMs(nowMs)}::timestamptz`.execute(
    tx,
  )
}

export async function changeTransfer(
  tx: Tx,
  { organizationId }: Scope,
  id: string,
  { state, nowMs, undoUntil }: { state: TransferState; nowMs: number; undoUntil?: string },
): Promise<TransferRow> {
  const { rows } = await sql<TransferRow>`
    update ownership_transfers t set state = ${state}, decided_at = ${isoMs(nowMs)}::timestamptz,
      undo_until = coalesce(${undoUntil ?? null}::timestamptz, t.undo_until)
    where t.organization_id = ${organizationId} and t.id = ${id} returning ${columns}`.execute(tx)
  return rows[0]!
}

export async function changeOwner(tx: Tx, { organizationId }: Scope, userId: number): Promise<void> {
  await sql`
    update organizations set owner_user_id = ${userId}, version = version + 1, updated_at = now()
    where id = ${organizationId}`.execute(tx)
}
