// An export that takes longer than its lease: it keeps it, and one that has lost it all the same spoils nothing of the attempt that follows.
// That it is done is said in the transaction in which it is done.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { askPrivacy, seePrivacy } from '../../../../test/privacy.ts'
import { answerPrivacyRequests } from './jobs.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

type Services = TestApp['app']['services']

/** Services whose store writes an object, and answers when `until` does. */
function slow(until: () => Promise<unknown>): Services {
  const { services } = t.app
  const { current } = services.objects
  const put: typeof current.put = async (key, source) => {
    const result = await current.put(key, source)
    await until()
    return result
  }
  const log = { ...services.log, error: () => {} } as unknown as typeof services.log
  return { ...services, log, objects: { ...services.objects, current: { ...current, put } } }
}

let asked = 0
const askExport = async (): Promise<string> =>
  (await askPrivacy(t, { kind: 'export', email: `ada${++asked}@engines.example` })).json.data.privacyRequestId
const completed = async (id: string) =>
  (await t.ownerSql("select from event_log where type = 'privacy_request.completed' and resource_id = $1", [id])).length
const archives = () => Array.fromAsync(t.app.services.objects.current.list('privacy/'), ({ key }) => key)
const run = async (services: Services, token: string, leaseSeconds?: number) => {
  const queue = answerPrivacyRequests({ ...(leaseSeconds !== undefined && { leaseSeconds }) })(services)
  await queue.work(await queue.claim(token, 1), token, () => false)
}

test('it keeps its lease for as long as it takes', async () => {
  const id = await askExport()
  const other = answerPrivacyRequests()(t.app.services)
  const claims: unknown[] = []
  const services = slow(async () => {
    for (let second = 0; second < 5; second++) {
      await wait(1_000)
      claims.push(...(await other.claim('lse_2', 1)))
    }
  })
  await run(services, 'lse_1', 3)
  assert.deepEqual(claims, [])
  assert.equal((await seePrivacy(t, id)).state, 'completed')
  assert.equal(await completed(id), 1)
})

test('one whose lease went to another node leaves the archive of that node whole, and none of its own', async () => {
  const id = await askExport()
  const before = await archives()
  await run(
    slow(async () => {
      await t.ownerSql("update privacy_requests set lease_until = now() - interval '1 second' where id = $1", [id])
      await run(t.app.services, 'lse_2')
    }),
    'lse_1',
  )
  const added = (await archives()).filter(key => !before.includes(key))
  const [row] = await t.ownerSql<{ state: string; key: string }>(
    'select state, storage_key as key from privacy_requests where id = $1',
    [id],
  )
  assert.equal(row?.state, 'completed')
  assert.deepEqual(added, [row?.key])
  const file = await t.call('GET', `/v2/privacy/requests/${id}/file`, { as: t.main.tokens.Admin })
  assert.equal(file.status, 200)
  assert.equal(await completed(id), 1)
})

test('a process that ends as soon as it is done has said so', async () => {
  const id = await askExport()
  const { services } = t.app
  let left = Number.POSITIVE_INFINITY
  const waiting = slow(async () => {
    left = 1
  })
  const inTenant: typeof services.db.inTenant = async (scope, use) => {
    if (left-- <= 0) throw new Error('the process ended here')
    return services.db.inTenant(scope, use)
  }
  await run({ ...waiting, db: { ...services.db, inTenant } }, 'lse_1')
  assert.equal((await seePrivacy(t, id)).state, 'completed')
  assert.equal(await completed(id), 1)
})

test('what an attempt has stored and never written down goes with the next one', async () => {
  const id = await askExport()
  const before = await archives()
  const { services } = t.app
  let isOver = false
  const waiting = slow(async () => {
    isOver = true
  })
  const inTenant: typeof services.db.inTenant = async (scope, use) => {
    if (isOver) throw new Error('the process ended here')
    return services.db.inTenant(scope, use)
  }
  await run({ ...waiting, db: { ...services.db, inTenant } }, 'lse_1')
  assert.equal((await archives()).length, before.length + 1)
  await t.ownerSql('update privacy_requests set lease_until = now() where id = $1', [id])
  await run(services, 'lse_2')
  assert.equal((await seePrivacy(t, id)).state, 'completed')
  assert.equal((await archives()).length, before.length + 1)
})
