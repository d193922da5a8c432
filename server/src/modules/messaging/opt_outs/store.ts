// SQL of opt-outs. What sending asks of them is in the functions of messages.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { resourceRows } from '../../../kernel/resource/rows.ts'
import type { OptOutRow } from './rules.ts'

const columnsText = 'r.id, r.scope, r.recipient, r.source, r.keyword, r.created_at'
const columns = sql.raw(columnsText)

export const optOuts = resourceRows<OptOutRow, 'scope' | 'recipient'>({
  table: 'opt_outs',
  columns: columnsText,
  filters: { scope: 'scope', recipient: 'recipient' },
})

/** Adds an opt-out; undefined when this recipient has opted out of this scope already. */
export const insertOptOut = (tx: Tx, scope: Scope, row: OptOutRow) =>
  optOuts.insert(tx, scope, row, 'opt_outs_recipient_of_scope')

export async function findOptOut(
  tx: Tx,
  scope: Scope,
  key: { scope: string; recipient: string },
): Promise<OptOutRow | undefined> {
  const { rows } = await sql<OptOutRow>`
    select ${columns} from opt_outs r
    where tenant_id = ${scope.tenantId} and scope = ${key.scope} and recipient = ${key.recipient}`.execute(tx)
  return rows[0]
}

/** Takes away what a recipient asked for, and answers what it was. */
export async function removeOptOut(
  tx: Tx,
  scope: Scope,
  which: { scope: string; recipient: string },
): Promise<OptOutRow | undefined> {
  const { rows } = await sql<OptOutRow>`
    delete from opt_outs r
    where tenant_id = ${scope.tenantId} and scope = ${which.scope} and recipient = ${which.recipient}
    returning ${columns}`.execute(tx)
  return rows[0]
}

/** What one recipient opted out of, the newest first, at most 100. */
export const listOptOutsOf = (tx: Tx, scope: Scope, recipient: string) =>
  optOuts.list(tx, scope, { recipient }, { limit: 99, beforeId: undefined })

/** Of one statement, so that each stays well within the time that one may take. */
const atOnce = 20_000

type Step = { last: string | null; count: number }

/** Goes through the opt-outs of a scope by their recipients; `next` does a step behind one of them. */
async function inSteps(next: (behind: string) => Promise<Step>): Promise<void> {
  for (let behind = ''; ; ) {
    const { last, count } = await next(behind)
    if (last === null || count < atOnce) return
    behind = last
  }
}

/** Lets the opt-outs of one scope count in another, too. An id keeps the time of the one it was copied from. */
export async function copyOptOuts(tx: Tx, scope: Scope, from: string, to: string): Promise<void> {
  await inSteps(async behind => {
    const { rows } = await sql<Step>`
      with step as materialized (
        select id, recipient, source, keyword, created_at from opt_outs
        where tenant_id = ${scope.tenantId} and scope = ${from} and recipient > ${behind}
        order by recipient limit ${atOnce}
      ), copied as (
        insert into opt_outs (tenant_id, id, scope, recipient, source, keyword, created_at)
        select ${scope.tenantId}, left(s.id, 14) || left(md5(s.id || ' ' || ${to}::text), 16), ${to}, s.recipient,
          s.source, s.keyword, s.created_at
        from step s
        on conflict on constraint opt_outs_recipient_of_scope do nothing
      )
      select max(recipient) as last, count(*) as count from step`.execute(tx)
    return rows[0]!
  })
}

export async function removeOptOutsOf(tx: Tx, scope: Scope, of: string): Promise<void> {
  await inSteps(async behind => {
    const { rows } = await sql<Step>`
      with step as materialized (
        select ctid as place, recipient from opt_outs
        where tenant_id = ${scope.tenantId} and scope = ${of} and recipient > ${behind}
        order by recipient limit ${atOnce}
      ), gone as (
        -- By their places: a plan that was made while there were few would look each of them up among all.
        delete from opt_outs where ctid = any (array(select place from step))
      )
      select max(recipient) as last, count(*) as count from step`.execute(tx)
    return rows[0]!
  })
}
