// What time does to organizations: notices before the end, the end, and the erasure, in small steps that another process goes on with when
// this one dies.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { QueueMaker } from '../../../kernel/jobs/background.ts'
import { crashPoint } from '../../../kernel/values/crash_points.ts'
import { mailQueue } from '../../mail/mails/index.ts'
import { type Closing, eraseSome, listClosing, listStorages, listToErase, type ToErase } from './acting_store.ts'
import { closingMail } from './mails.ts'
import { dueNotice } from './rules.ts'
import { changeState, mailAdmins } from './state_changes.ts'

export const closingsQueue = 'organization_closings'
const rowsAtOnce = 2_000
const everyMs = 60_000

type Due = { closing: Closing } | { erasing: ToErase }

export const closeOrganizations: QueueMaker = services => ({
  name: closingsQueue,
  lanes: 1,
  batch: 1_000,
  pollMs: everyMs,
  claim: () => listDue(services),
  async work(due: Due[]) {
    for (const one of due) {
      const organizationId = 'closing' in one ? one.closing.organization_id : one.erasing.organization_id
      const work = 'closing' in one ? closeOrRemind(services, one.closing) : erase(services, one.erasing)
      await work.catch(err => services.log.error({ err, organizationId }, 'a closing did not go on'))
    }
  },
})

async function listDue({ db, clock, organizations }: Services): Promise<Due[]> {
  const nowMs = clock.now()
  const [closing, erasing] = await Promise.all([
    listClosing(db),
    listToErase(db, nowMs, Math.ceil(organizations.fiscalYears * 365.25)),
  ])
  const due = closing.filter(({ closes_at }) => dueNotice(Date.parse(closes_at) - nowMs) !== undefined)
  return [...due.map(one => ({ closing: one })), ...erasing.map(one => ({ erasing: one }))]
}

async function closeOrRemind(
  services: Services,
  { organization_id, tenant_id, name, closes_at }: Closing,
): Promise<void> {
  const { db, clock } = services
  const scope = { organizationId: organization_id, tenantId: tenant_id }
  const msLeft = Date.parse(closes_at) - clock.now()
  if (msLeft > 0) {
    const data = { company: name, day: closes_at.slice(0, 10) }
    const key = `closing ${closes_at} ${dueNotice(msLeft)}`
    await db.inTenant(scope, tx => mailAdmins(tx, scope, closingMail, data, key))
  } else {
    const by = { organizationId: organization_id, type: 'system' } as const
    const change = { event: 'end', reason: null, as: 'system', by, nowMs: clock.now(), closingDays: 0 } as const
    await db.inTenant(scope, tx => changeState(tx, scope, change))
    services.authenticator.forget()
    services.wake(closingsQueue)
  }
  services.wake(mailQueue)
}

/**
 * Files first: what names them goes with the rows. Where it stops, the next round begins again; and for an hour each round looks for what was
 * written late.
 */
async function erase(
  services: Services,
  { organization_id: organizationId, tenant_ids, all_of_it }: ToErase,
): Promise<void> {
  for (const tenantId of tenant_ids) await removeFiles(services, { organizationId, tenantId })
  crashPoint('erasure.files_removed')
  let rows = 0
  for (let gone = -1; gone !== 0; rows += gone) {
    gone = await eraseSome(services.db, organizationId, all_of_it, rowsAtOnce)
    crashPoint('erasure.some_erased')
  }
  if (rows > 0) services.log.info({ organizationId, rows }, 'a closed organization is erased')
}

async function removeFiles(
  { db, objects }: Services,
  scope: { organizationId: number; tenantId: number },
): Promise<void> {
  const names = await db.inTenant(scope, tx => listStorages(tx, scope))
  const stores = new Set([objects.current, ...names.flatMap(name => objects.at(name) ?? [])])
  const folders = [
    `${scope.tenantId}/`,
    `attachments/${scope.tenantId}/`,
    `imports/${scope.tenantId}/`,
    `inbound_mails/${scope.tenantId}/`,
    `privacy/${scope.tenantId}/`,
    `organizations/${scope.organizationId}/`,
  ]
  for (const store of stores)
    for (const folder of folders) for await (const { key } of store.list(folder)) await store.remove(key)
}
