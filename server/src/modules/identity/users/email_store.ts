// SQL of another e-mail address for an account: links that are mailed, kept as hashes.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { refuseTakenEmail } from './store.ts'

const hashOf = (token: string) => createHash('sha256').update(token).digest()

type NewLink = { accountId: number; address: string; token: string; nowMs: number; untilMs: number }

/** False when the account asked too often. */
export async function keepEmailChange(
  tx: Tx,
  { accountId, address, token, nowMs, untilMs }: NewLink,
): Promise<boolean> {
  const { rows } = await sql<{ kept: boolean }>`
    select keep_account_link(${hashOf(token)}, 'email_change', ${accountId}, ${address}, null, null, null, ${isoMs(nowMs)},
      ${isoMs(untilMs)}) as kept`.execute(tx)
  return rows[0]?.kept === true
}

export async function isAccountAddress(tx: Tx, address: string): Promise<boolean> {
  const { rows } = await sql<{ is: boolean }>`select is_account_address(${address}) as is`.execute(tx)
  return rows[0]?.is === true
}

type Confirmed = { accountId: number; token: string; undoToken: string; nowMs: number; undoUntilMs: number }

/** Changes the address to that of the link; undefined where it is no good. @throws Problem `email_taken` */
export async function takeEmailChange(
  tx: Tx,
  { accountId, token, undoToken, nowMs, undoUntilMs }: Confirmed,
): Promise<{ before: string; after: string } | undefined> {
  const { rows } = await refuseTakenEmail(
    sql<{ before: string; after: string }>`
      select email_before as before, email_after as after
      from take_email_change(${hashOf(token)}, ${accountId}, ${hashOf(undoToken)}, ${isoMs(nowMs)}, ${isoMs(undoUntilMs)})`.execute(
      tx,
    ),
  )
  return rows[0]
}

type UndoRow = {
  account_id: number
  organization_id: number
  tenant_id: number
  user_id: number
  address: string
  name: string
}

/** Whose the way back is, while it is good. */
export async function findEmailUndo(db: Db, token: string, nowMs: number): Promise<UndoRow | undefined> {
  const rows = await db.call<UndoRow>('find_email_undo', 'select * from find_email_undo($1, $2)', [
    hashOf(token),
    isoMs(nowMs),
  ])
  return rows[0]
}

/** Whether it was still good. @throws Problem `email_taken` */
export async function undoEmailChange(tx: Tx, token: string, nowMs: number): Promise<boolean> {
  const undoing = sql<{ undone: boolean }>`select undo_email_change(${hashOf(token)}, ${isoMs(nowMs)}) as undone`
  const { rows } = await refuseTakenEmail(undoing.execute(tx))
  return rows[0]?.undone === true
}
