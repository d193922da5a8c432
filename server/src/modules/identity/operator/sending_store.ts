// SQL of what is held for the whole installation (docs/backups.md). The command `tandem sending` does the same by the owner's connection.
import { sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/data/db.ts'

export const waitingKinds = ['messages', 'mails', 'events', 'calls'] as const
export type WaitingRow = { kind: (typeof waitingKinds)[number]; waiting: number; oldest: string | null }

export function listWaiting(db: Db): Promise<WaitingRow[]> {
  return db.work('waiting_to_leave', 'select kind, waiting::float8 as waiting, oldest from waiting_to_leave()', [])
}

export async function hold(tx: Tx, because: string): Promise<void> {
  await sql`select hold_sending(${because})`.execute(tx)
}

/** @returns false where nothing was held */
export async function release(tx: Tx, isExpired: boolean): Promise<boolean> {
  const { rows } = await sql<{ released: boolean }>`select release_sending(${isExpired}) as released`.execute(tx)
  return rows[0]!.released
}
