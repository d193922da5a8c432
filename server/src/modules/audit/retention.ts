// Deletes what the audit log has kept for as long as it was to: whole seals from the front, and says so in the log itself.
import { auditScope, recordAudit } from '../../kernel/audit/record.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import type { JobMaker } from '../../kernel/jobs/background.ts'
import { expireSeal, organizationsToExpire } from './policy_store.ts'

declare module '../../kernel/endpoint/endpoint.ts' {
  interface Services {
    /** Days that events of the audit log are kept where an organization says nothing else. */
    auditDays: number
  }
}

const sealsAtOnce = 20

export const expireAuditEvents: JobMaker = services => ({
  name: 'expire_audit_events',
  cron: '41 2 * * *',
  async run() {
    for (const organizationId of await organizationsToExpire(services.db, services.auditDays)) {
      try {
        while ((await expireSome(services, organizationId)) === sealsAtOnce);
      } catch (err) {
        // One whose log cannot be shortened keeps no other from it; the next day goes on where this one stopped.
        services.log.error({ err, organizationId }, 'could not delete old events of an audit log')
      }
    }
  },
})

/** Deletes some, and records it, in one transaction; how many seals' events went. */
async function expireSome({ db, auditDays }: Services, organizationId: number): Promise<number> {
  const scope = auditScope(organizationId)
  return db.inTenant(scope, async tx => {
    let [seals, events, upTo] = [0, 0, 0]
    for (; seals < sealsAtOnce; seals++) {
      const gone = await expireSeal(tx, auditDays)
      if (gone === undefined) break
      events += gone.events
      upTo = gone.up_to
    }
    if (seals > 0) {
      const by = { organizationId, type: 'system' } as const
      await recordAudit(tx, by, { action: 'audit_log.expired', targets: [], more: { events, upTo } })
    }
    return seals
  })
}
