// The record of backups, and what is held after a restore.

import { basename } from 'node:path'
import type pg from 'pg'
import { lockOf } from './backup_lock.ts'
import { findHold, type Hold } from './hold_store.ts'
import type { Made } from './make_backup.ts'

/** Runs work in one transaction with the rights of the engine. */
export type Engine = <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>

export type BackupRow = {
  id: string
  state: 'running' | 'done' | 'failed'
  destination: string
  is_sealed: boolean
  is_planned: boolean
  rows: number | null
  objects: number | null
  size_bytes: number | null
  error: string | null
  started_at: string
  ended_at: string | null
}

export type Begun = { id: string; destination: string; isSealed: boolean; isPlanned: boolean }

export async function recordBegin(engine: Engine, begun: Begun): Promise<void> {
  await engine(client =>
    client.query(
      `insert into backups (id, state, destination, is_sealed, is_planned, started_at) values ($1, 'running', $2, $3, $4, clock_timestamp())`,
      [begun.id, begun.destination, begun.isSealed, begun.isPlanned],
    ),
  )
}

export async function recordEnd(engine: Engine, id: string, came: Made | { error: string }): Promise<void> {
  const [error, made] = 'error' in came ? [came.error, undefined] : [null, came]
  await engine(client =>
    client.query(
      `update backups set state = $2, rows = $3, objects = $4, size_bytes = $5, error = $6, ended_at = clock_timestamp() where id = $1`,
      [id, made === undefined ? 'failed' : 'done', made?.rows, made?.objects, made?.sizeBytes, error],
    ),
  )
}

/**
 * Ends those whose process was killed: nobody holds them. One that is just beginning holds nothing yet.
 * @returns where they were to be
 */
export async function endAbandoned(engine: Engine): Promise<string[]> {
  const text = `update backups set state = 'failed', ended_at = clock_timestamp(), error = 'Its process was killed before it was done.'
    where state = 'running' and started_at < clock_timestamp() - interval '1 minute' and pg_try_advisory_xact_lock(${lockOf('id')})
    returning destination`
  const { rows } = await engine(client => client.query<Pick<BackupRow, 'destination'>>(text))
  return rows.map(({ destination }) => destination)
}

/** Backups that were under way in a server that is lost. */
export async function endInterrupted(engine: Engine, why: string): Promise<void> {
  await engine(client =>
    client.query(`update backups set state = 'failed', ended_at = started_at, error = $1 where state = 'running'`, [
      why,
    ]),
  )
}

/** File names of the backups that this installation made by schedule, also of those that were removed since. */
export async function namesOfPlanned(engine: Engine): Promise<Set<string>> {
  const text = 'select destination from backups where is_planned'
  const { rows } = await engine(client => client.query<Pick<BackupRow, 'destination'>>(text))
  return new Set(rows.map(({ destination }) => basename(destination)))
}

/** The newest backups, the newest first. */
export async function listBackups(engine: Engine, most: number): Promise<BackupRow[]> {
  return engine(async client => {
    const { rows } = await client.query<BackupRow>(
      `select id, state, destination, is_sealed, is_planned, rows::float8 as rows, objects::float8 as objects,
         size_bytes::float8 as size_bytes, error, ${rfc3339('started_at')}, ${rfc3339('ended_at')}
       from backups order by started_at desc limit $1`,
      [most],
    )
    return rows
  })
}

/** A time as the API writes it, RFC 3339 in UTC. */
const rfc3339 = (column: string) =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`

export type Waiting = { kind: 'messages' | 'mails' | 'events' | 'calls'; waiting: number; oldest: string | null }

/** Whether the installation sends nothing, and what waits to leave it. */
export async function readHold(engine: Engine): Promise<{ hold: Hold | undefined; waiting: Waiting[] }> {
  return engine(async client => {
    const hold = await findHold(client)
    const { rows } = await client.query<Waiting>(
      `select kind, waiting::float8 as waiting, ${rfc3339('oldest')} from waiting_to_leave()`,
    )
    return { hold, waiting: rows }
  })
}

export async function holdSending(engine: Engine, because: string): Promise<void> {
  await engine(client => client.query('select hold_sending($1)', [because]))
}

/** @returns false where nothing was held */
export async function releaseSending(engine: Engine, isExpired: boolean): Promise<boolean> {
  return engine(async client => {
    const { rows } = await client.query<{ released: boolean }>('select release_sending($1) as released', [isExpired])
    return rows[0]!.released
  })
}
