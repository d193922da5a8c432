// SQL of what calls to a number start with.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { StoredInstructions } from '../instructions/index.ts'

export type NumberVoice = {
  number_id: string
  callback_url: string | null
  fallback_url: string | null
  instructions: StoredInstructions | null
  updated_at: string
}

export async function findNumberVoice(tx: Tx, { tenantId }: Scope, numberId: string): Promise<NumberVoice | undefined> {
  const row = await tx
    .selectFrom('number_voice')
    .select(['number_id', 'callback_url', 'fallback_url', 'instructions', 'updated_at'])
    .where('tenant_id', '=', tenantId)
    .where('number_id', '=', numberId)
    .executeTakeFirst()
  return row as NumberVoice | undefined
}

/** Writes what calls to a number start with in the place of what was there. */
export async function writeNumberVoice(tx: Tx, { tenantId }: Scope, row: NumberVoice): Promise<void> {
  const instructions = row.instructions === null ? null : JSON.stringify(row.instructions)
  await sql`
    insert into number_voice as v (tenant_id, number_id, callback_url, fallback_url, instructions, updated_at)
    values (${tenantId}, ${row.number_id}, ${row.callback_url}, ${row.fallback_url}, ${instructions}, ${row.updated_at})
    on conflict on constraint number_voice_pkey do update set
      callback_url = excluded.callback_url, fallback_url = excluded.fallback_url,
      instructions = excluded.instructions, updated_at = excluded.updated_at`.execute(tx)
}
