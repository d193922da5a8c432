// What operations know of backups, as the command that makes them records it.
import type { Db } from '../../kernel/data/db.ts'

export type Backup = {
  /** When the last one that succeeded was complete. */
  finishedAtMs: number
  sizeBytes: number | null
}

/** The last backup that succeeded; undefined where there is none. */
export async function lastBackup(db: Db): Promise<Backup | undefined> {
  const [row] = await db.work<{ ended_at: string; size_bytes: number | null }>(
    'last_backup',
    'select ended_at, size_bytes from last_backup()',
    [],
  )
  return row && { finishedAtMs: Date.parse(row.ended_at), sizeBytes: row.size_bytes }
}
