// What doctor looks at in the archive of WAL: that its folder is there and has room, that nothing waits, and how old the newest base backup is.
import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { type ArchiveState, archiveLateMs, readArchiveState } from '../kernel/backup/continuous/archive_state.ts'
import { bytesText } from '../kernel/values/bytes_text.ts'
import { type Check, type Finding, inTime, ok, problem, warning } from './finding.ts'

const check = 'archived WAL'
const oldBaseMs = 36 * 3_600_000
const littleShare = 0.1
const littleBytes = 1e9

export const archivedWal: Check = async ({ config, nowMs, serverPid }) => {
  const { walTo: root, dataDir } = config
  if (root === undefined || config.databaseUrl !== undefined) return []
  if (!existsSync(root))
    return [
      problem(
        check,
        `the folder ${root} is not there`,
        'Mount its disk, or make the folder and give it to the server.',
      ),
    ]
  const { bavail, blocks, bsize } = await statfs(root)
  const room = roomFindings(root, bavail * bsize, blocks * bsize)
  if (!existsSync(join(dataDir, 'postgres'))) return [...room, ok(check, 'there is no database yet')]
  return [...room, ...archiveFindings(await readArchiveState({ dataDir, root }), nowMs, serverPid !== undefined)]
}

export function roomFindings(root: string, freeBytes: number, sizeBytes: number): Finding[] {
  const words = `${bytesText(freeBytes)} of ${bytesText(sizeBytes)} are free for ${root}`
  const remedy = 'Make room there, or set TANDEM_WAL_KEEP lower: what is not archived fills the disk of the database.'
  const disk = 'disk of archived WAL'
  if (freeBytes < littleBytes) return [problem(disk, words, remedy)]
  return [freeBytes / sizeBytes < littleShare ? warning(disk, words, remedy) : ok(disk, words)]
}

/** @param isRunning where no server runs, nothing is archived, and a base backup grows old */
export function archiveFindings(state: ArchiveState, nowMs: number, isRunning: boolean): Finding[] {
  const { waiting, waitingSinceMs, why, lastBaseMs, window } = state
  const findings: Finding[] = []
  const waitingMs = waitingSinceMs === undefined ? 0 : nowMs - waitingSinceMs
  if (waitingMs > archiveLateMs && isRunning)
    findings.push(
      problem(
        check,
        `${waiting} segments are not archived, the oldest for ${inTime(waitingMs)}${why === undefined ? '' : `: ${why}`}`,
        'Mend what keeps them from their folder (disk, rights). PostgreSQL tries again every minute, and keeps them on the disk of the database until then.',
      ),
    )
  const ageMs = lastBaseMs === undefined ? undefined : nowMs - lastBaseMs
  if (window === undefined || ageMs === undefined)
    findings.push(
      warning(
        check,
        'no moment can be restored yet: there is no base backup whose WAL is archived',
        'The server makes one at its start; see its log, or run tandem backup base.',
      ),
    )
  else if (ageMs > oldBaseMs && isRunning)
    findings.push(
      problem(
        check,
        `the newest base backup is ${inTime(ageMs)} old`,
        'See the log of the server, and run tandem backup base.',
      ),
    )
  if (findings.length > 0) return findings
  const { fromMs, toMs } = window!
  return [
    ok(check, `any moment from ${new Date(fromMs).toISOString()} to ${new Date(toMs).toISOString()} can be restored`),
  ]
}
