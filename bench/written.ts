/**
 * What messages write: rows, records and bytes of the write-ahead log, and bytes that stay, as PostgreSQL counts them. The log is that of the
 * whole server, with what it writes besides.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { formatCount, markdownTable } from './measure.ts'

type Table = { name: string; writes: number; bytes: number }
type Books = { tables: Map<string, Table>; records: number; walBytes: number }

/**
 * Of one message: rows written (inserted, updated, deleted) by table and together, without the log of requests; records and bytes of WAL; bytes that
 * stay once tables were vacuumed, as autovacuum does within a minute: what is left of a queue is room that the next jobs fill.
 */
export type Written = {
  rows: number
  records: number
  walBytes: number
  stays: number
  byTable: { name: string; writes: number; bytes: number }[]
}

/** Connections report what they did at their next statement a second later, or when they are idle for long. */
const reportMs = 2_500
/** What is no part of a message. */
const apart = /^request_/

async function readWal(owner: pg.Client): Promise<Pick<Books, 'records' | 'walBytes'>> {
  const { rows } = await owner.query<{ records: string; bytes: string }>(
    'select wal_records as records, wal_bytes as bytes from pg_stat_wal',
  )
  return { records: Number(rows[0]!.records), walBytes: Number(rows[0]!.bytes) }
}

async function read(owner: pg.Client): Promise<Books> {
  await sleep(reportMs)
  // Before the vacuum, which is no part of a message.
  const wal = await readWal(owner)
  await owner.query('vacuum')
  const { rows } = await owner.query<{ name: string; writes: string; bytes: string }>(
    `select relname as name, n_tup_ins + n_tup_upd + n_tup_del as writes, pg_total_relation_size(relid) as bytes from pg_stat_user_tables`,
  )
  return {
    tables: new Map(
      rows.map(({ name, writes, bytes }) => [name, { name, writes: Number(writes), bytes: Number(bytes) }]),
    ),
    ...wal,
  }
}

/** Begins to count; the function returned says what each of so many messages wrote since. */
export async function watchWritten(owner: pg.Client): Promise<(messages: number) => Promise<Written>> {
  const weighed = await read(owner)
  // The first change of a page after a checkpoint writes the page whole: every run begins behind one, so none has more of them by chance.
  await owner.query('checkpoint')
  const before = { ...weighed, ...(await readWal(owner)) }
  return async messages => {
    const after = await read(owner)
    const byTable = [...after.tables.values()]
      .map(({ name, writes, bytes }) => {
        const known = before.tables.get(name)
        return {
          name,
          writes: (writes - (known?.writes ?? 0)) / messages,
          bytes: (bytes - (known?.bytes ?? 0)) / messages,
        }
      })
      .filter(({ name, writes }) => writes > 0.001 && !apart.test(name))
      .toSorted((a, b) => b.writes - a.writes)
    return {
      rows: byTable.reduce((sum, { writes }) => sum + writes, 0),
      records: (after.records - before.records) / messages,
      walBytes: (after.walBytes - before.walBytes) / messages,
      stays: byTable.reduce((sum, { bytes }) => sum + bytes, 0),
      byTable,
    }
  }
}

export function writtenTable(runs: readonly (Written & { gateway: string })[]): string {
  return markdownTable(
    ['a message writes', 'rows', 'WAL records', 'WAL bytes', 'bytes that stay', 'rows and bytes by table'],
    runs.map(run => [
      run.gateway,
      run.rows.toFixed(1),
      run.records.toFixed(1),
      formatCount(run.walBytes),
      formatCount(run.stays),
      run.byTable
        .filter(({ writes }) => writes >= 0.01)
        .map(({ name, writes, bytes }) => `${name} ${writes.toFixed(2)}, ${Math.round(bytes)}`)
        .join('; '),
    ]),
  )
}
