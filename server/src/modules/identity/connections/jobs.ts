// Queue `sso_notices`: writes to the members who have to come by the identity provider from now on, some at a time, so that an organization of
// thousands holds nothing up. Each gets one mail, however often it is begun again.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { QueueMaker } from '../../../kernel/jobs/background.ts'
import { mailQueue, queueMail } from '../../mail/mails/index.ts'
import { addressesOf } from './endpoints.ts'
import { ssoRequiredMail } from './mails.ts'
import { listBound, listNotifying, lockNotifying, moveNotified, type Notifying } from './notify_store.ts'
import { noticesQueue } from './rules.ts'

const membersAtOnce = 100

export const notifyMembers: QueueMaker = services => ({
  name: noticesQueue,
  lanes: 1,
  batch: 100,
  pollMs: 60_000,
  claim: (_token, limit) => listNotifying(services.db, limit),
  async work(due: Notifying[]) {
    for (const one of due)
      await notify(services, one).catch(err =>
        services.log.error({ err, connection: one.id }, 'members were not written to about single sign-on'),
      )
  },
})

async function notify(services: Services, { organization_id, tenant_id, id }: Notifying): Promise<void> {
  const scope = { organizationId: organization_id, tenantId: tenant_id }
  const isMore = await services.db.inTenant(scope, async tx => {
    // Another node was here first.
    const row = await lockNotifying(tx, scope, id)
    if (row === undefined) return false
    const members = row.status === 'enforced' ? await listBound(tx, scope, id, row.notified_up_to, membersAtOnce) : []
    const url = services.ownAddress() === undefined ? '' : addressesOf(services, id).startUrl
    for (const { user_id, email, name, locale } of members)
      await queueMail(tx, scope, {
        template: ssoRequiredMail,
        to: { address: email, name },
        data: { name, email, provider: row.name, url },
        dedupeKey: `${noticesQueue} ${id} ${row.enforced_at} ${user_id}`,
        ...(locale !== null && { locale }),
      })
    const last = members.length < membersAtOnce ? undefined : members.at(-1)
    await moveNotified(tx, scope, id, last?.user_id ?? null)
    return last !== undefined
  })
  services.wake(mailQueue)
  if (isMore) services.wake(noticesQueue)
}
