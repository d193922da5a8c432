// What /metrics shows of the installation and of this process, beside what modules count themselves. Queues, links and the database are those
// of the whole installation, the same on every node: add nothing up over nodes.
import type { ArchiveState } from '../../kernel/backup/continuous/archive_state.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import type { Sample } from '../../kernel/observe/metrics.ts'
import { lastBackup } from './backups_store.ts'
import type { FigureReader } from './figures.ts'
import type { Figures } from './store.ts'

const carrierStates = ['up', 'throttled', 'connecting', 'down', 'stopped']
const trunkStates = ['up', 'registering', 'unregistered', 'down', 'unknown']

/** Adds the gauges; `reader` gives the figures of the installation. */
export function measureInstallation(services: Services, reader: FigureReader): void {
  const { metrics } = services
  const gauges = (name: string, help: string, labels: readonly string[], of: (figures: Figures) => readonly Sample[]) =>
    metrics.gauges(name, help, labels, async () => {
      const figures = await reader.read()
      return figures === undefined ? [] : of(figures)
    })
  measureProcess(services, reader)
  measureQueues(gauges)
  gauges('tandem_carrier_links', 'Links of carriers that are switched on, by state.', ['kind', 'state'], figures =>
    states(figures, 'carrier', carrierStates),
  )
  gauges('tandem_trunks', 'Trunks that are switched on, by state.', ['kind', 'state'], figures =>
    states(figures, 'trunk', trunkStates),
  )
  gauges('tandem_calls_active', 'Calls under way, by the engine that carries them.', ['engine'], ({ calls }) =>
    ['sip', 'client', 'simulator'].map(engine => ({
      labels: { engine },
      value: calls.find(one => one.engine === engine)?.calls ?? 0,
    })),
  )
  gauges(
    'tandem_nodes',
    'Processes of the server: live, or silent for 45 seconds without having ended.',
    ['state'],
    of => [
      { labels: { state: 'live' }, value: of.live_nodes },
      { labels: { state: 'silent' }, value: of.silent_nodes },
    ],
  )
  measureDatabase(gauges)
  measureArchive(services)
  metrics.gauge(
    'tandem_backup_last_success_timestamp_seconds',
    'When the last backup that succeeded was complete.',
    async () => {
      const backup = await lastBackup(services.db)
      return backup === undefined ? undefined : backup.finishedAtMs / 1_000
    },
  )
}

/** Without values where no WAL is archived. */
function measureArchive({ metrics, archive, clock }: Services): void {
  const one = (name: string, help: string, value: (state: ArchiveState) => number | undefined) =>
    metrics.gauge(name, help, async () => (archive === undefined ? undefined : value(await archive.read())))
  const seconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1_000)
  one('tandem_wal_archived_timestamp_seconds', 'Until when all that was committed is in the archive of WAL.', of =>
    seconds(of.lastArchivedMs),
  )
  one('tandem_wal_waiting_segments', 'Segments of 16 MiB that are finished and not archived.', of => of.waiting)
  one('tandem_wal_waiting_age_seconds', 'How long the oldest of them has waited.', of =>
    of.waitingSinceMs === undefined ? 0 : Math.max(0, clock.now() - of.waitingSinceMs) / 1_000,
  )
  one('tandem_base_backup_last_success_timestamp_seconds', 'When the newest base backup was complete.', of =>
    seconds(of.lastBaseMs),
  )
  one('tandem_restore_earliest_timestamp_seconds', 'The earliest moment that the database can be restored to.', of =>
    seconds(of.window?.fromMs),
  )
}

type Gauges = (
  name: string,
  help: string,
  labels: readonly string[],
  of: (figures: Figures) => readonly Sample[],
) => void

function measureProcess({ metrics, node, db, clock, streams, authenticator }: Services, reader: FigureReader): void {
  metrics.gauges(
    'tandem_build_info',
    'Always 1; the versions are its labels.',
    ['version', 'node', 'postgres'],
    async () => {
      const figures = await reader.read()
      const labels = { version: node.version, node: node.runtime, postgres: figures?.database.version ?? '' }
      return [{ labels, value: 1 }]
    },
  )
  const disks = async (value: 'freeBytes' | 'sizeBytes') =>
    (await node.disks()).map(disk => ({ labels: { folder: disk.folder }, value: disk[value] }))
  metrics.gauges('tandem_disk_free_bytes', 'Room on the disk of a folder of this node.', ['folder'], () =>
    disks('freeBytes'),
  )
  metrics.gauges('tandem_disk_size_bytes', 'Size of the disk of a folder of this node.', ['folder'], () =>
    disks('sizeBytes'),
  )
  metrics.gauge('tandem_streams_open', 'Open event streams.', () => streams.count())
  metrics.gauge('tandem_database_waiting', 'Requests waiting for a database connection.', () => db.waiting())
  metrics.gauges('tandem_database_pool_connections', 'Connections of this process for transactions.', ['state'], () => {
    const { used, open, max } = db.pool()
    return Object.entries({ used, idle: open - used, max }).map(([state, value]) => ({ labels: { state }, value }))
  })
  metrics.gauge(
    'tandem_revocation_feed_age_seconds',
    'Age of the revocation feed.',
    () => (clock.now() - authenticator.lastPollMs()) / 1000,
  )
  metrics.gauge('tandem_database_up', 'Whether the figures of the database could be read, 1 or 0.', async () =>
    (await reader.read()) === undefined ? 0 : 1,
  )
}

function measureQueues(gauges: Gauges): void {
  const each = (figures: Figures, value: 'waiting' | 'due' | 'oldestDueSeconds') =>
    figures.queues.map(one => ({ labels: { queue: one.queue }, value: one[value] }))
  gauges(
    'tandem_queue_depth',
    'What waits in a queue, later work included; an estimate beyond 10,000 rows.',
    ['queue'],
    of => each(of, 'waiting'),
  )
  gauges('tandem_queue_due', 'What is due in a queue and not done yet.', ['queue'], of => each(of, 'due'))
  gauges('tandem_queue_oldest_due_age_seconds', 'How long the oldest of it has been due.', ['queue'], of =>
    each(of, 'oldestDueSeconds'),
  )
}

function measureDatabase(gauges: Gauges): void {
  const one = (name: string, help: string, value: (database: Figures['database']) => number) =>
    gauges(name, help, [], ({ database }) => [{ value: value(database) }])
  one('tandem_database_size_bytes', 'Size of the database on disk.', of => of.sizeBytes)
  one('tandem_database_connections', 'Connections to the database, of all programs.', of => of.connections)
  one('tandem_database_max_connections', 'Connections that PostgreSQL takes.', of => of.maxConnections)
  one('tandem_database_transaction_age', 'Age of the oldest row, in transactions.', of => of.transactionAge)
}

/** Every state of each kind there is, so that one that was left reads 0. */
function states({ links }: Figures, noun: 'carrier' | 'trunk', all: readonly string[]): Sample[] {
  const own = links.filter(link => link.noun === noun)
  const kinds = [...new Set(own.map(link => link.kind))]
  return kinds.flatMap(kind =>
    all.map(state => ({
      labels: { kind, state },
      value: own.find(link => link.kind === kind && link.state === state)?.links ?? 0,
    })),
  )
}
