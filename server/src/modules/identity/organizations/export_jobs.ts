// Makes archives of organizations, and removes them when they were kept for a week.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { QueueMaker } from '../../../kernel/jobs/background.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { type Archived, archiveOf } from './archive_store.ts'
import {
  claimExports,
  type ExportJob,
  expireExport,
  findExport,
  listExpired,
  renewExport,
  settleExport,
} from './export_store.ts'
import { findTenants } from './store.ts'

export const exportsQueue = 'organization_exports'
const leaseSeconds = 120
const renewEveryMs = 40_000
const maxAttempts = 3
const keptMs = 7 * 86_400_000

export const makeExports: QueueMaker = services => ({
  name: exportsQueue,
  lanes: 1,
  batch: 1,
  pollMs: 5_000,
  async claim(token, limit) {
    await removeExpired(services)
    return claimExports(services.db, token, limit, leaseSeconds)
  },
  async work(jobs: ExportJob[], token) {
    for (const job of jobs) await make(services, job, token)
  },
})

async function make(
  services: Services,
  { organization_id: organizationId, id }: ExportJob,
  token: string,
): Promise<void> {
  const { db, objects, clock, log } = services
  const { live, test } = await db.inTenant({ organizationId, tenantId: 0 }, tx =>
    findTenants(tx, { organizationId, tenantId: 0 }),
  )
  const scopes = { live: { organizationId, tenantId: live }, test: { organizationId, tenantId: test } }
  const done: Archived = { rows: 0, files: 0 }
  const renewing = setInterval(() => {
    void db.inTenant(scopes.live, tx => renewExport(tx, scopes.live, id, token, leaseSeconds)).catch(() => {})
  }, renewEveryMs)
  try {
    const key = `organizations/${organizationId}/${id}.tar.gz`
    const { size, sha256 } = await objects.current.put(
      key,
      archiveOf(services, scopes, part => Object.assign(done, part)),
    )
    const place = { storage: objects.current.name, storage_key: key, size_bytes: size, sha256, ...done }
    const times = { ready_at: isoMs(clock.now()), expires_at: isoMs(clock.now() + keptMs) }
    const change = { state: 'ready', ...place, ...times, error: null } as const
    await db.inTenant(scopes.live, tx => settleExport(tx, scopes.live, { id, token }, change))
  } catch (err) {
    log.error({ err, organizationId, export: id }, 'an archive of an organization could not be made')
    await db.inTenant(scopes.live, async tx => {
      const isLast = ((await findExport(tx, scopes.live, id))?.attempts ?? maxAttempts) >= maxAttempts
      const change = isLast
        ? ({ state: 'failed', error: 'the archive could not be written' } as const)
        : ({ state: 'queued' } as const)
      await settleExport(tx, scopes.live, { id, token }, change)
    })
  } finally {
    clearInterval(renewing)
  }
}

async function removeExpired({ db, objects, clock }: Services): Promise<void> {
  for (const { organization_id: organizationId, id, storage, storage_key } of await listExpired(db, clock.now())) {
    await objects.at(storage)?.remove(storage_key)
    const scope = { organizationId, tenantId: 0 }
    await db.inTenant(scope, tx => expireExport(tx, scope, id))
  }
}
