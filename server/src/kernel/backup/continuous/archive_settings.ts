// The settings by which PostgreSQL archives its WAL, and those by which it recovers from the archive.
import { join } from 'node:path'
import { commandOfPostgres } from '../../boot/postgres_programs.ts'
import { recipientFile, type Sealing } from './archive_keys.ts'

const program = join(import.meta.dirname, './program.ts')

/** What was committed is in the archive after so long, also where little is written. */
export const archiveTimeoutSeconds = 60

export function archiveSettings(root: string, { recipient, passphrase }: Sealing): Record<string, string> {
  const seal =
    recipient !== undefined
      ? ['--recipient', recipient]
      : passphrase !== undefined
        ? ['--recipient-file', recipientFile(root)]
        : []
  return {
    archive_mode: 'on',
    archive_timeout: `${archiveTimeoutSeconds}s`,
    archive_command: commandOfPostgres(program, ['archive', '%p', '--to', root, ...seal]),
  }
}

export type Recovery = {
  /** The folder of the database in the archive. */
  shelf: string
  timeline: number
  /** The moment to stop at; without one, all that is in the archive is taken. */
  atMs: number | undefined
  /** File of private keys. */
  identityFile: string | undefined
}

export function recoverySettings({ shelf, timeline, atMs, identityFile }: Recovery): Record<string, string> {
  const open = identityFile === undefined ? [] : ['--identity-file', identityFile]
  return {
    // Nobody reads from it before it is where it should be.
    hot_standby: 'off',
    restore_command: commandOfPostgres(program, ['fetch', '%f', '%p', '--from', shelf, ...open]),
    recovery_target_timeline: String(timeline),
    recovery_target_action: 'promote',
    ...(atMs === undefined ? {} : { recovery_target_time: inPostgres(atMs) }),
  }
}

/** A time as this setting takes it, which does not know the letters of ISO 8601. */
const inPostgres = (atMs: number) => new Date(atMs).toISOString().replace('T', ' ').replace('Z', '+00')
