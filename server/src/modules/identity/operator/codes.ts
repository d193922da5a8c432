// Codes with which operators let somebody make an organization: made and taken back for the console, the API and the command line alike.
import type { Db } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId, randomToken } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { type Acting, eventOf } from './acts.ts'
import { type CodeRow, deleteCode, insertCode } from './code_store.ts'
import { addEvent } from './store.ts'

/** A new code, which is shown this once. */
export async function makeCode(
  db: Db,
  { note, days }: { note: string | null; days: number },
  acting: Acting,
): Promise<CodeRow & { code: string }> {
  const { nowMs, by } = acting
  const code = `org_${randomToken(18)}`
  const times = { created_at: isoMs(nowMs), expires_at: isoMs(nowMs + days * 86_400_000) }
  const row = { id: newId('oco', nowMs), note, ...times }
  await db.outside(async tx => {
    await insertCode(tx, { ...row, code, madeBy: by.accountId })
    await addEvent(tx, eventOf(acting, 'organization_code.create', { target: row.id, reason: note }))
  })
  return { ...row, code, used_at: null, organization_id: null }
}

/** Takes back one that nobody used. @throws Problem `not_found` */
export async function removeCode(db: Db, id: string, acting: Acting): Promise<void> {
  await db.outside(async tx => {
    if (!(await deleteCode(tx, id))) throw new Problem('not_found')
    await addEvent(tx, eventOf(acting, 'organization_code.delete', { target: id }))
  })
}
