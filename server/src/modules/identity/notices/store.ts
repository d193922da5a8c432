// SQL of notices: they are of the live mode, whichever mode asked for what they are about.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'

/** The test mode sends nothing, and what is about a person is the same in both. */
export async function inLiveMode(tx: Tx, scope: Scope, work: (live: Scope) => Promise<unknown>): Promise<void> {
  const { organizationId, tenantId } = scope
  const { id } = await tx
    .selectFrom('tenants')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('mode', '=', 'live')
    .executeTakeFirstOrThrow()
  const enter = (to: number) => sql`select set_config('app.tenant_id', ${String(to)}, true)`.execute(tx)
  if (id !== tenantId) await enter(id)
  await work({ ...scope, tenantId: id })
  if (id !== tenantId) await enter(tenantId)
}
