// SQL of the figures of the installation: functions of the engine, for they cross tenants and show no record.
import type { Db } from '../../kernel/data/db.ts'
import type { Disk, ProcessInfo } from '../../kernel/observe/process_info.ts'
import { isoMs } from '../../kernel/values/clock.ts'

export type QueueFigure = {
  queue: string
  waiting: number
  due: number
  /** 0 when nothing is due. */
  oldestDueSeconds: number
  /** There are more rows than are counted. */
  isEstimate: boolean
}

export type DatabaseFigures = {
  version: string
  sizeBytes: number
  connections: number
  maxConnections: number
  /** Of the oldest row, in transactions: PostgreSQL stops taking writes near two thousand million. */
  transactionAge: number
  commits: number
  rollbacks: number
  deadlocks: number
  blocksRead: number
  blocksHit: number
}

export type Figures = {
  queues: readonly QueueFigure[]
  links: readonly { noun: 'carrier' | 'trunk'; kind: string; state: string; links: number }[]
  /** Under way, by the engine that carries them. */
  calls: readonly { engine: string; calls: number }[]
  database: DatabaseFigures
  silent_nodes: number
  live_nodes: number
}

/** One statement. It goes behind requests: its looks at 10,000 rows are felt by none. */
export async function readFigures(db: Db): Promise<Figures> {
  const [row] = await db.work<Figures>('installation_figures', 'select * from installation_figures()', [])
  return row!
}

const beatText = 'select beat_node($1, $2, $3, $4, $5, $6, $7, $8)'

/** Writes a sign of life of this process down. */
export async function beat(db: Db, node: ProcessInfo, disks: readonly Disk[]): Promise<void> {
  const { id, host, pid, version, runtime, roles, startedAtMs } = node
  const values = [id, host, pid, version, runtime, roles, JSON.stringify(disks), isoMs(startedAtMs)]
  await db.work('beat_node', beatText, values)
}

/** Takes this process from the list: it ends in order. */
export async function removeNode(db: Db, id: string): Promise<void> {
  await db.work('remove_node', 'select remove_node($1)', [id])
}

export type DueRow = { queue: string; due: number; oldest_due_at: string | null }

/** What is due in the queues of all tenants. */
export async function readBacklog(db: Db): Promise<DueRow[]> {
  return db.work<DueRow>('queue_backlog', 'select queue, due, oldest_due_at from queue_backlog()', [])
}
