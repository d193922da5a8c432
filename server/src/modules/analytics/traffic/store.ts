// SQL of message and call figures. What is older than the fold is counted already, in quarters of an hour; what changed of
// it since then stands in deltas; what is newer is counted from the rows themselves. Together that is exact.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { firstIdAt } from '../../../kernel/values/ids.ts'
import type { TimeAxis } from '../rules.ts'
import type { TrafficCell } from './rules.ts'

export type TrafficKind = 'message' | 'call'

/** An id's time and its row's may differ by so much. */
const slackMs = 30_000

/** What was counted of messages or calls by bucket, direction and status: one statement, so as of one moment. */
export async function listTraffic(
  tx: Tx,
  scope: Scope,
  kind: TrafficKind,
  { bounds }: Pick<TimeAxis, 'bounds'>,
): Promise<TrafficCell[]> {
  const { tenantId } = scope
  const instants = bounds.map(isoMs)
  const [from, to] = [instants[0], instants.at(-1)]
  const live =
    kind === 'message'
      ? sql`select created_at as at, direction, status, 1 as items, segments::bigint as amount from messages
            where tenant_id = ${tenantId} and id >= (select first_id from fold)
              and id < ${firstIdAt('msg', bounds.at(-1)! + slackMs)}`
      : sql`select created_at as at, direction, state as status, 1 as items, talk_ms(answered_at, ended_at) as amount
            from calls where tenant_id = ${tenantId}`
  const { rows } = await sql<TrafficCell>`
    with fold as materialized (
      select f.folded_to,
        first_id_at('msg', greatest(f.folded_to, ${from}::timestamptz) - make_interval(secs => ${slackMs / 1000})) as first_id
      from (select coalesce((select folded_to from traffic_folds where tenant_id = ${tenantId} and kind = ${kind}), 'epoch')
        as folded_to) as f
    )
    select width_bucket(at, ${instants}::timestamptz[]) as bucket, direction, status,
      sum(items)::bigint as items, sum(amount)::bigint as amount
    from (
      select slot as at, direction, status, items, amount from traffic_slots
      where tenant_id = ${tenantId} and kind = ${kind} and slot >= ${from} and slot < ${to}
      union all
      select at, direction, status, items, amount from traffic_deltas
      where tenant_id = ${tenantId} and kind = ${kind} and at >= ${from} and at < ${to}
        and at < (select folded_to from fold)
      union all
      select * from (${live}) as live
      where at >= (select folded_to from fold) and at >= ${from} and at < ${to}
    ) as counted
    group by 1, 2, 3`.execute(tx)
  return rows
}

/** Most rows that one step of folding counts: some tenths of a second. */
const rowsAtOnce = 100_000

/** Counts what can be counted for good, in all tenants that have such; answers how many there were. */
export async function foldTraffic(db: Db, onError: (error: unknown, tenantId: number) => void): Promise<number> {
  const due = await db.work<{ tenant_id: number; kind: TrafficKind }>('traffic_due', 'select * from traffic_due()', [])
  for (const { tenant_id, kind } of due) {
    try {
      while (await foldOnce(db, tenant_id, kind)) {}
    } catch (error) {
      onError(error, tenant_id)
    }
  }
  return due.length
}

/** Whether there is more. */
async function foldOnce(db: Db, tenantId: number, kind: TrafficKind): Promise<boolean> {
  const text = 'select fold_traffic($1, $2, $3) as more'
  const rows = await db.work<{ more: boolean }>('fold_traffic', text, [tenantId, kind, rowsAtOnce])
  return rows[0]!.more
}
