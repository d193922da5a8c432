// Works on requests of persons: piece by piece, each written down before the next begins, for as long as the lease is ours. What waits gives
// it back. Archives that were kept for a week are removed.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { QueueMaker } from '../../../kernel/jobs/background.ts'
import { forgetPerson, isHeld, isSame } from '../holds/index.ts'
import type { Person } from '../person/index.ts'
import { endRequest } from './ending.ts'
import { eraseSome } from './erasing.ts'
import { exportSome, removeArchives } from './exporting.ts'
import { privacyQueue } from './queue.ts'
import {
  claimRequests,
  expireRequests,
  findRequest,
  listExpiredExports,
  listTelling,
  type RequestJob,
  type RequestRow,
  renewRequest,
} from './store.ts'
import { save, type Work } from './work.ts'

const heldSeconds = 3_600
/** Failures in a row after which a request is given up. */
const maxAttempts = 8

/** @param options.leaseSeconds how long after its last sign of life a process counts as ended */
export function answerPrivacyRequests({ leaseSeconds = 120 }: { leaseSeconds?: number } = {}): QueueMaker {
  return services => ({
    name: privacyQueue,
    lanes: 1,
    batch: 1,
    pollMs: 10_000,
    async claim(token, limit) {
      await removeExpired(services)
      return claimRequests(services.db, token, limit, leaseSeconds)
    },
    async work(jobs: RequestJob[], token, isStopping) {
      for (const { tenant_id: tenantId, organization_id: organizationId, id } of jobs) {
        const page = { of: '', rows: 0 }
        await answer({ services, scope: { tenantId, organizationId }, token, leaseSeconds, page }, id, isStopping)
      }
    },
  })
}

async function answer(work: Work, id: string, isStopping: () => boolean): Promise<void> {
  const { services, scope, token, leaseSeconds } = work
  const renewing = setInterval(() => {
    services.db
      .inTenant(scope, tx => renewRequest(tx, scope, { id, token, leaseSeconds }))
      .catch(err => services.log.warn({ err, request: id }, 'the lease of a request of a person could not be renewed'))
  }, leaseSeconds * 250)
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
  } finally {
    clearInterval(renewing)
  }
}

/** The next piece, or what stops it, or the end. */
async function goOn(work: Work, request: RequestRow): Promise<RequestRow> {
  const { services, scope } = work
  if (request.kind === 'export') return exportSome(work, request)
  const held = await services.db.inTenant(scope, async tx => {
    if (request.person === null || !(await isHeld(tx, scope, request.person))) return undefined
    return save(work, tx, request, { waits_for: 'legal_hold', releaseSeconds: heldSeconds })
  })
  if (held !== undefined) return held
  return request.step === 'done' ? finishErasure(work, request) : eraseSome(work, request)
}

/** Nothing says any more who the person was: not this request, nor others of them, nor released holds. */
async function finishErasure(work: Work, request: RequestRow): Promise<RequestRow> {
  const { services, scope } = work
  const person = request.person as Person
  const others = await services.db.inTenant(scope, tx => listTelling(tx, scope))
  const same = others.filter(other => other.person !== null && isSame(other.person, person))
  for (const { id, storage, storage_key } of same) {
    if (storage !== null && storage_key !== null) await services.objects.at(storage)?.remove(storage_key)
    await removeArchives(services.objects.current, scope, id)
  }
  return services.db.inTenant(scope, async tx => {
    await expireRequests(
      tx,
      scope,
      same.map(({ id }) => id),
    )
    await forgetPerson(tx, scope, person)
    return endRequest(tx, work, request.id, { state: 'completed', nowMs: services.clock.now() })
  })
}

function release(work: Work, request: RequestRow, seconds: number): Promise<void> {
  return work.services.db.inTenant(work.scope, async tx => {
    await save(work, tx, request, { releaseSeconds: seconds })
  })
}

/** It is tried again later, each time later still; what fails again and again is given up, and says so. */
async function setBack(work: Work, id: string): Promise<void> {
  const { services, scope } = work
  try {
    const ended = await services.db.inTenant(scope, async tx => {
      const request = await findRequest(tx, scope, id)
      if (request === undefined || request.state !== 'running') return undefined
      if (request.attempts < maxAttempts) {
        await save(work, tx, request, { failed: true, releaseSeconds: 10 * 2 ** request.attempts })
        return undefined
      }
      const error = `it could not be finished after ${maxAttempts} attempts; the log of the server says why. Ask for it again`
      return endRequest(tx, work, id, { state: 'failed', nowMs: services.clock.now(), error })
    })
    if (ended?.kind === 'export') await removeArchives(services.objects.current, scope, id)
  } catch (err) {
    services.log.error({ err, request: id }, 'a request of a person could not be set back')
  }
}

async function removeExpired({ db, objects, clock }: Services): Promise<void> {
  for (const {
    tenant_id: tenantId,
    organization_id: organizationId,
    id,
    storage,
    storage_key,
  } of await listExpiredExports(db, clock.now())) {
    const scope = { tenantId, organizationId }
    await objects.at(storage)?.remove(storage_key)
    await removeArchives(objects.current, scope, id)
    await db.inTenant(scope, tx => expireRequests(tx, scope, [id]))
  }
}
