// Looks domains up again, every week: one whose row is gone three times in a row has lapsed. Those who may manage domains get a mail each time
// that it is missing, and an event reports the end to the organization.
import { recordAudit } from '../../../kernel/audit/record.ts'
import { emit } from '../../../kernel/data/events.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { JobMaker } from '../../../kernel/jobs/background.ts'
import { mailQueue } from '../../mail/mails/index.ts'
import { presentDomain } from './endpoints.ts'
import { lookUpText } from './lookup.ts'
import { mailAboutRow } from './mails.ts'
import { afterLook, domainRecord } from './rules.ts'
import { type DueDomain, domains, findDue, writeLook } from './store.ts'

const domainsAtOnce = 50

export const recheckDomains: JobMaker = services => ({
  name: 'recheck_domains',
  cron: '23 * * * *',
  run: () => recheckDue(services),
})

/** Every look moves the next one on, so the loop ends. */
export async function recheckDue(services: Services): Promise<void> {
  const { db, clock } = services
  for (let due: DueDomain[] = []; ; ) {
    due = await findDue(db, clock.now(), domainsAtOnce)
    for (const one of due) await recheck(services, one)
    if (due.length < domainsAtOnce) return
  }
}

async function recheck(services: Services, due: DueDomain): Promise<void> {
  const { db, clock, mail } = services
  const scope = { organizationId: due.organization_id, tenantId: due.tenant_id }
  const looked = await lookUpText(domainRecord(due).name, mail.nameServers)
  const nowMs = clock.now()
  await db.inTenant(scope, async tx => {
    const row = await domains.lock(tx, scope, due.id)
    // Looked up by somebody else meanwhile.
    if (row?.check_at == null || Date.parse(row.check_at) > nowMs) return
    const changed = await writeLook(tx, scope, row, afterLook(row, looked, nowMs), nowMs)
    const isMissed = changed.misses > row.misses || changed.status === 'lapsed'
    if (isMissed) await mailAboutRow(tx, services, scope, changed, nowMs)
    if (changed.status === row.status) return
    const type = 'organization_domain.updated'
    await emit(tx, scope, { type, resourceId: row.id, data: { ...presentDomain(changed), changed: ['status'] } })
    const by = { organizationId: scope.organizationId, type: 'system' } as const
    const targets = [{ type: 'organization_domain', id: row.id }]
    const change = { before: { status: row.status }, after: { status: changed.status } }
    await recordAudit(tx, by, { action: 'organization_domain.lapsed', targets, ...change })
  })
  services.wake(mailQueue)
}
