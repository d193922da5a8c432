// Says that a backup is under way, for as long as the session lasts that reads it: one that is recorded as running and is held by nobody was
// killed.
import type pg from 'pg'

/** SQL of its key. */
export const lockOf = (id: string) => `hashtextextended('backup ' || ${id}, 0)`

/** While its session lasts, a backup is under way. */
export async function holdBackup(client: pg.ClientBase, id: string): Promise<void> {
  await client.query(`select pg_advisory_lock(${lockOf('$1')})`, [id])
}
