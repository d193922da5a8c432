// All SQL of the simulated voice engine: the steps that wait for their time.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../kernel/db.ts'
import type { Happening } from '../../modules/voice/engine.ts'

export type NewStep = { call_id: string; position: number; delay_ms: number; happening: Happening }

/** Writes scripts; delays count from the start of the transaction, by the database's clock. */
export async function insertSteps(tx: Tx, { tenantId }: Scope, steps: readonly NewStep[]): Promise<void> {
  await sql`
    insert into simulator_call_steps (tenant_id, call_id, position, due_at, happening)
    select ${tenantId}, call_id, position, now() + delay_ms * interval '1 millisecond', happening
    from json_to_recordset(${JSON.stringify(steps)}::json)
      as s (call_id text, position integer, delay_ms integer, happening json)`.execute(tx)
}

export type DueStep = { tenant_id: number; organization_id: number; call_id: string }

/** Leases due steps, at most one of each call: its first. */
export function claimSteps(db: Db, token: string, limit: number, leaseSeconds: number): Promise<DueStep[]> {
  return db.call('claim_simulator_call_steps', 'select * from claim_simulator_call_steps($1, $2, $3)', [
    token,
    limit,
    leaseSeconds,
  ])
}

export type TakenStep = { call_id: string; due_at: string; happening: Happening }

/** Takes leased steps out to be played in this transaction; none whose lease was lost. */
export async function takeSteps(
  tx: Tx,
  { tenantId }: Scope,
  token: string,
  callIds: readonly string[],
): Promise<TakenStep[]> {
  const { rows } = await sql<TakenStep>`
    delete from simulator_call_steps
    where tenant_id = ${tenantId} and call_id = any(${[...callIds]}) and lease_token = ${token}
    returning call_id, due_at, happening`.execute(tx)
  return rows
}

/** Forgets the rest of these calls' scripts. */
export async function removeSteps(tx: Tx, { tenantId }: Scope, callIds: readonly string[]): Promise<void> {
  await sql`delete from simulator_call_steps where tenant_id = ${tenantId} and call_id = any(${[...callIds]})`.execute(
    tx,
  )
}
