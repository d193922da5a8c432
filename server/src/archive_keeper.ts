// Looks after the archive of WAL while the server runs: makes base backups, removes what no restore needs any more, and says in the log
// when archiving fails. It wakes every five minutes, and asks the database once an hour.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type Apart, runApart } from './apart.ts'
import type { Config } from './config/config.ts'
import {
  type ArchivePlace,
  type ArchiveState,
  type ArchiveWatch,
  archiveLateMs,
  lastFailure,
  readArchiveState,
  readWaiting,
} from './kernel/backup/continuous/archive_state.ts'
import { prune, readShelf, systemIdentifier } from './kernel/backup/continuous/shelf.ts'
import { isBaseDue } from './kernel/backup/continuous/windows.ts'
import { ownFileName } from './kernel/boot/root_key.ts'
import type { ConnectionOptions } from './kernel/data/db.ts'
import { connectClient } from './kernel/data/session.ts'
import type { Log } from './kernel/observe/log.ts'
import type { Clock } from './kernel/values/clock.ts'
import { readyArchive } from './moments.ts'

const everyMs = 300_000
const keptMs = 5_000
/** Of looks at waiting segments. */
const looksBetweenUpkeep = 12

export type ArchiveKeeper = {
  /** For the status pages and metrics; undefined where nothing is archived. */
  watch: ArchiveWatch | undefined
  /** Begins, with a base backup where one is due. */
  start(): void
  /** Does at once what is due. */
  upkeep(): Promise<void>
  /** Says in the log what changed about waiting segments. */
  look(): Promise<void>
  stop(): Promise<void>
}

export type KeeperOptions = {
  config: Config
  /** The variables of the server, which base backups take their settings from. */
  environment: NodeJS.ProcessEnv
  owner: ConnectionOptions
  clock: Clock
  log: Log
}

export function createArchiveKeeper({ config, environment, owner, clock, log }: KeeperOptions): ArchiveKeeper {
  const { walTo: root, walKeepHours, dataDir } = config
  const nothing = async () => {}
  if (root === undefined) return { watch: undefined, start() {}, upkeep: nothing, look: nothing, stop: nothing }
  const cluster = join(dataDir, 'postgres')
  let timer: NodeJS.Timeout | undefined
  let making: Apart | undefined
  let working: Promise<void> = Promise.resolve()
  let [isStopped, isLate, looks] = [false, false, 0]

  /** Unless it was stopped meanwhile: a base backup takes as long as the database is large. */
  async function makeOne(): Promise<void> {
    if (isStopped) return
    making = runApart(['backup', 'base', '--json'], environment)
    const { code, stdout, stderr } = await making.ended
    making = undefined
    if (code === 0) log.info({ baseBackup: stdout.trim() }, 'made a base backup')
    else if (!isStopped) log.error({ code, why: stderr.trim() }, 'a base backup failed; it is tried again in an hour')
  }

  async function upkeep(): Promise<void> {
    try {
      await readyArchive(root!, config)
      const shelf = join(root!, await systemIdentifier(cluster))
      const keyMadeMs = (await stat(join(dataDir, ownFileName)).catch(() => undefined))?.mtimeMs
      if (isBaseDue(await readShelf(shelf), await timelineNow(owner), clock.now(), keyMadeMs)) await makeOne()
      if (isStopped) return
      const removed = await prune(shelf, clock.now(), walKeepHours * 3_600_000)
      if (removed > 0) log.debug({ removed }, 'removed archived WAL that no restore needs')
    } catch (error) {
      if (!isStopped) log.error({ why: (error as Error).message }, 'the archive of WAL could not be looked after')
    }
  }

  async function look(): Promise<void> {
    const { waiting, waitingSinceMs } = await readWaiting(cluster)
    const isNow = waitingSinceMs !== undefined && clock.now() - waitingSinceMs > archiveLateMs
    if (isNow === isLate) return
    isLate = isNow
    if (isNow)
      log.error(
        { waiting, why: await lastFailure(join(dataDir, 'postgres.log')) },
        'WAL is not archived: it stays on the disk',
      )
    else log.info('WAL is archived again')
  }

  function next(): void {
    timer = setTimeout(() => {
      const isUpkeep = ++looks % looksBetweenUpkeep === 0
      working = look()
        .then(() => (isUpkeep ? upkeep() : undefined))
        .catch(error => log.warn({ err: error }, 'looking at archived WAL'))
        .finally(() => {
          if (!isStopped) next()
        })
    }, everyMs)
    timer.unref()
  }

  return {
    watch: createWatch({ dataDir, root }, clock),
    start() {
      working = upkeep().finally(() => {
        if (!isStopped) next()
      })
    },
    upkeep,
    look,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      making?.child.kill('SIGTERM')
      await working
    },
  }
}

function createWatch(place: ArchivePlace, clock: Clock): ArchiveWatch {
  let reading: { atMs: number; state: Promise<ArchiveState> } | undefined
  return {
    /** A scrape asks for several figures at once. */
    read() {
      const nowMs = clock.now()
      if (reading === undefined || Math.abs(nowMs - reading.atMs) >= keptMs)
        reading = { atMs: nowMs, state: readArchiveState(place) }
      return reading.state
    },
  }
}

async function timelineNow(owner: ConnectionOptions): Promise<number> {
  const client = await connectClient(owner)
  try {
    const { rows } = await client.query<{ segment: string }>('select pg_walfile_name(pg_current_wal_lsn()) as segment')
    return Number.parseInt(rows[0]!.segment.slice(0, 8), 16)
  } finally {
    await client.end()
  }
}
