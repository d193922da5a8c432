// What members may do is known to every node, which has to ask again when it changes.
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import type { Context } from '../../../kernel/endpoint/endpoint.ts'
import { insertRevocation } from '../login/index.ts'

/** Every node asks again what the members of the organization may do. */
export async function forgetOrganization(
  tx: Tx,
  { organizationId }: Principal,
  { afterCommit, services }: Pick<Context<unknown, unknown, unknown>, 'afterCommit' | 'services'>,
): Promise<void> {
  await insertRevocation(tx, 'organization', organizationId)
  afterCommit(() => services.authenticator.forget())
}
