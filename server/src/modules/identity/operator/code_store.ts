// SQL of the codes that make an organization, by functions: they belong to none.
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db, Tx } from '../../../kernel/data/db.ts'

export type CodeRow = {
  id: string
  note: string | null
  expires_at: string
  used_at: string | null
  organization_id: number | null
  created_at: string
}

type NewCode = Pick<CodeRow, 'id' | 'note' | 'expires_at' | 'created_at'> & { code: string; madeBy: number | null }

export async function insertCode(tx: Tx, { id, code, note, madeBy, created_at, expires_at }: NewCode): Promise<void> {
  const hash = createHash('sha256').update(code).digest()
  await sql`select make_organization_code(${id}, ${hash}, ${note}, ${madeBy}::bigint, ${created_at}, ${expires_at})`.execute(
    tx,
  )
}

/** The newest first. */
export function listCodes(
  db: Db,
  { beforeId, limit }: { beforeId: string | undefined; limit: number },
): Promise<CodeRow[]> {
  const text = 'select * from list_organization_codes($1, $2)'
  return db.call('list_organization_codes', text, [beforeId ?? null, limit])
}

/** @returns whether there was one that nobody used */
export async function deleteCode(tx: Tx, id: string): Promise<boolean> {
  const { rows } = await sql<{ gone: boolean }>`select remove_organization_code(${id}) as gone`.execute(tx)
  return rows[0]?.gone === true
}
