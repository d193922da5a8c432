// What somebody gets who decides over a member: all that the member may do.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { isPermission, permissionsOf, type Rights, type Role } from '../../../kernel/values/permission.ts'

/** Anyone who shuts a member out, or takes away how they log in, must hold all that the member holds. */
export async function rightsOfMember(
  tx: Tx,
  { organizationId }: Scope,
  { id, role }: { id: number; role: Role },
): Promise<Rights> {
  const { rows } = await sql<{ permissions: string[] }>`
    select r.permissions from users u join roles r on r.organization_id = u.organization_id and r.id = u.role_id
    where u.organization_id = ${organizationId} and u.id = ${id}`.execute(tx)
  const custom = rows[0] === undefined ? null : { permissions: new Set(rows[0].permissions.filter(isPermission)) }
  return { permissions: permissionsOf({ role, custom }), mode: 'live', endsAtMs: null }
}
