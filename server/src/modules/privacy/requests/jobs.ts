// Works on requests of persons: piece by piece, each written down before the next begins, for as long as the lease is ours. What waits gives
// it back. Archives that were kept for a week are removed.
import { recordAudit } from '../../../kernel/audit/record.ts'
import type { Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { QueueMaker } from '../../../kernel/jobs/background.ts'
import { forgetPerson, holdOn, isSame } from '../holds/index.ts'
import type { Person } from '../person/index.ts'
import { eraseSome } from './erasing.ts'
import { exportSome } from './exporting.ts'
import { presentRequest } from './present.ts'
import { privacyQueue } from './queue.ts'
import {
  claimRequests,
  expireRequests,
  findRequest,
  finishRequest,
  listExpiredExports,
  listTelling,
  type RequestJob,
  type RequestRow,
} from './store.ts'
import { leaseSeconds, save, type Work } from './work.ts'

const heldSeconds = 3_600
/** Failures in a row after which a request is given up. */
const maxAttempts = 8

export const answerPrivacyRequests: QueueMaker = services => ({
  name: privacyQueue,
  lanes: 1,
  batch: 1,
  pollMs: 10_000,
  async claim(token, limit) {
    await removeExpired(services)
    return claimRequests(services.db, token, limit, leaseSeconds)
  },
  async work(jobs: RequestJob[], token, isStopping) {
    for (const { tenant_id: tenantId, organization_id: organizationId, id } of jobs)
      await answer({ services, scope: { tenantId, organizationId }, token }, id, isStopping)
  },
})

async function answer(work: Work, id: string, isStopping: () => boolean): Promise<void> {
  const { services, scope } = work
  try {
    let request = await services.db.inTenant(scope, tx => findRequest(tx, scope, id))
    while (request !== undefined && request.state === 'running') {
      if (isStopping()) return release(work, request, 0)
      request = await goOn(work, request)
      if (request.waits_for !== null) return
    }
  } catch (err) {
    services.log.error({ err, tenantId: scope.tenantId, request: id }, 'a request of a person did not go on')
    await setBack(work, id)
  }
}

/** The next piece, or what stops it, or the end. */
async function goOn(work: Work, request: RequestRow): Promise<RequestRow> {
  const { services, scope } = work
  if (request.kind === 'export') {
    const next = await exportSome(work, request)
    if (next.state === 'completed') await services.db.inTenant(scope, tx => reportEnd(tx, work, next))
    return next
  }
  const held = await services.db.inTenant(scope, async tx => {
    if (request.person === null || (await holdOn(tx, scope, request.person)) === undefined) return undefined
    return save(work, tx, request, { waits_for: 'legal_hold', releaseSeconds: heldSeconds })
  })
  if (held !== undefined) return held
  return request.step === 'done' ? finishErasure(work, request) : eraseSome(work, request)
}

/** Nothing says any more who the person was: not this request, nor others of them, nor released holds. */
async function finishErasure(work: Work, request: RequestRow): Promise<RequestRow> {
  const { services, scope, token } = work
  const person = request.person as Person
  const others = await services.db.inTenant(scope, tx => listTelling(tx, scope))
  const same = others.filter(other => other.person !== null && isSame(other.person, person))
  for (const { storage, storage_key } of same)
    if (storage !== null && storage_key !== null) await services.objects.at(storage)?.remove(storage_key)
  return services.db.inTenant(scope, async tx => {
    await expireRequests(
      tx,
      scope,
      same.map(({ id }) => id),
    )
    await forgetPerson(tx, scope, person)
    const end = { state: 'completed', nowMs: services.clock.now() } as const
    const done = await finishRequest(tx, scope, { id: request.id, token }, end)
    await reportEnd(tx, work, done)
    return done
  })
}

async function reportEnd(tx: Tx, { scope }: Work, request: RequestRow): Promise<void> {
  const type = request.state === 'completed' ? 'privacy_request.completed' : 'privacy_request.failed'
  await emit(tx, scope, { type, resourceId: request.id, data: presentRequest(request) })
  const by = { organizationId: scope.organizationId, type: 'system' } as const
  await recordAudit(tx, by, {
    action: type,
    targets: [{ type: 'privacy_request', id: request.id }],
    outcome: request.state === 'completed' ? 'ok' : 'failed',
    more: { kind: request.kind, ...request.counts },
  })
}

function release(work: Work, request: RequestRow, seconds: number): Promise<void> {
  return work.services.db.inTenant(work.scope, async tx => {
    await save(work, tx, request, { releaseSeconds: seconds })
  })
}

/** It is tried again later, each time later still; what fails again and again is given up, and says so. */
async function setBack(work: Work, id: string): Promise<void> {
  const { services, scope, token } = work
  await services.db
    .inTenant(scope, async tx => {
      const request = await findRequest(tx, scope, id)
      if (request === undefined || request.state !== 'running') return
      if (request.attempts < maxAttempts) {
        await save(work, tx, request, { failed: true, releaseSeconds: 10 * 2 ** request.attempts })
        return
      }
      const error = `it could not be finished after ${maxAttempts} attempts; the log of the server says why. Ask for it again`
      const end = { state: 'failed', nowMs: services.clock.now(), error } as const
      await reportEnd(tx, work, await finishRequest(tx, scope, { id, token }, end))
    })
    .catch(err => services.log.error({ err, request: id }, 'a request of a person could not be set back'))
}

async function removeExpired({ db, objects, clock }: Services): Promise<void> {
  for (const {
    tenant_id: tenantId,
    organization_id: organizationId,
    id,
    storage,
    storage_key,
  } of await listExpiredExports(db, clock.now())) {
    await objects.at(storage)?.remove(storage_key)
    const scope = { tenantId, organizationId }
    await db.inTenant(scope, tx => expireRequests(tx, scope, [id]))
  }
}
