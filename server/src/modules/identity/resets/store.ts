// SQL of passwords that are set again by mail. Tokens are found before any organization is known.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'

/** Whose a token is, and in whose name the mail goes out. */
export type ResetRow = {
  account_id: number
  organization_id: number
  tenant_id: number
  user_id: number
  email: string
  name: string
}

const hashOf = (token: string) => createHash('sha256').update(token).digest()

/** Keeps a token for the account of an address; undefined where there is none that may have one. `byInstallation`: by its operators. */
export async function openReset(
  by: Db | Tx,
  {
    email,
    token,
    nowMs,
    untilMs,
    byInstallation = false,
  }: { email: string; token: string; nowMs: number; untilMs: number; byInstallation?: boolean },
): Promise<(Omit<ResetRow, 'user_id'> & { locale: string | null }) | undefined> {
  type Row = Omit<ResetRow, 'user_id'> & { locale: string | null }
  const values = [email, hashOf(token), isoMs(nowMs), isoMs(untilMs), byInstallation]
  if ('call' in by) return (await by.call<Row>('open_reset', 'select * from open_reset($1, $2, $3, $4, $5)', values))[0]
  const { rows } = await sql<Row>`select * from open_reset(${sql.join(values)})`.execute(by)
  return rows[0]
}

/** Whose a token is that is still good. */
export async function findReset(db: Db, token: string, nowMs: number): Promise<ResetRow | undefined> {
  const rows = await db.call<ResetRow>('find_reset', 'select * from find_reset($1, $2)', [hashOf(token), isoMs(nowMs)])
  return rows[0]
}

/** Uses it up, with all others of its account. @returns whether it was still good */
export async function takeReset(tx: Tx, token: string, nowMs: number): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select use_reset(${hashOf(token)}, ${isoMs(nowMs)}) as taken`.execute(
    tx,
  )
  return rows[0]?.taken === true
}
