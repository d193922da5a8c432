// What helps when somebody cannot log in: for the command line alone, which needs no login.
import { recordAudit } from '../../../kernel/audit/record.ts'

import { randomToken } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { endLogins, listMemberships } from '../login/index.ts'
import { openReset } from '../resets/index.ts'
import { findAccountId, removeFactors } from './account_store.ts'
import type { Acting, Means } from './acts.ts'

export { type AccountRow, listAccounts } from './account_store.ts'

const linkMs = 3_600_000

/** A link that sets another password. @throws Problem `no_such_account` */
export async function passwordLink({ db, ownAddress }: Means, email: string, { nowMs }: Acting): Promise<string> {
  const token = randomToken(32)
  const found = await openReset(db, { email, token, nowMs, untilMs: nowMs + linkMs, byInstallation: true })
  if (found === undefined)
    throw new Problem('no_such_account', {
      message: `Nobody who may log in has the address ${email}, or more than five links were asked for within the hour.`,
    })
  return `${ownAddress() ?? '<address of the server>'}/reset#${token}`
}

/** Takes second factors and recovery codes away, and ends all sessions; how many factors. @throws Problem `no_such_account` */
export async function resetFactors({ db }: Means, email: string, { by }: Acting): Promise<number> {
  const accountId = await findAccountId(db, email)
  if (accountId === undefined) throw new Problem('no_such_account')
  const person = { accountId }
  const nowhere = { organizationId: 0, tenantId: 0, person }
  const { removed, memberships } = await db.inTenant(nowhere, async tx => {
    const gone = await removeFactors(tx, accountId)
    await endLogins(tx, accountId, {})
    return { removed: gone, memberships: await listMemberships(tx, accountId) }
  })
  for (const { organization_id: organizationId, user_id: id } of memberships) {
    const actor = { organizationId, type: 'operator', id: 'command line', name: by.email } as const
    const entry = { action: 'factors.reset', targets: [{ type: 'user', id }], more: { removed } } as const
    await db.inTenant({ organizationId, tenantId: 0 }, tx => recordAudit(tx, actor, entry))
  }
  return removed
}
