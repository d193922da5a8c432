// What operations know of backups, as what makes them reports it.

export type Backup = {
  /** When the last one that succeeded was complete. */
  finishedAtMs: number
  sizeBytes: number | null
}

declare module '../../kernel/endpoint/endpoint.ts' {
  interface Services {
    /** The last backup that succeeded; undefined where none is known of. */
    lastBackup(): Promise<Backup | undefined>
  }
}
