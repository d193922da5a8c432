// What the process uses of operations.
export type { Backup } from './backups_store.ts'
export { createFigureReader, type FigureReader } from './figures.ts'
export { heartbeats } from './heartbeat.ts'
export { measureInstallation } from './meters.ts'
