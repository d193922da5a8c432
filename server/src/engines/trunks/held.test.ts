// The trunks that a process holds, as it starts: the port that they share opens once all of them are known, so that no call that comes
// in by the last one is refused as nobody's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { addTrunk, sipEnv } from '../../../test/engines/sip_carrier.ts'
import { createTestDriver } from '../../../test/engines/trunks.ts'
import { startTestApp } from '../../../test/harness.ts'
import type { Db } from '../../kernel/data/db.ts'
import type { TrunkDriver } from './driver.ts'
import { createHeldTrunks } from './held.ts'
import { tryOccupy } from './load.ts'

test('the port is opened once every trunk has been read, however long one takes', async context => {
  const t = await startTestApp({ env: sipEnv })
  context.after(() => t.close())
  for (const port of [5071, 5072, 5073]) await addTrunk(t, port)
  const { db } = t.app.services
  const order: string[] = []
  let reads = 0
  const slow = {
    ...db,
    async inTenant(scope, work) {
      const delayMs = 50 * reads++
      await new Promise(resolve => setTimeout(resolve, delayMs))
      const found = await db.inTenant(scope, work)
      order.push('read')
      return found
    },
  } as Db
  const { driver } = createTestDriver()
  const watched = {
    ...driver,
    async open() {
      order.push('open')
    },
  }
  const trunks = createHeldTrunks({ ...t.app.services, db: slow }, { drivers: [watched], wake() {} })
  context.after(() => trunks.close())
  await trunks.round()
  assert.deepEqual(order.slice(0, 4), ['read', 'read', 'read', 'open'])
  assert.equal(trunks.all().length, 3)
})

test('a trunk whose settings change is there at every moment, and as it was until the new ones can be used', async context => {
  const t = await startTestApp({ env: sipEnv })
  context.after(() => t.close())
  const id = await addTrunk(t, 5071)
  const { driver } = createTestDriver()
  const ready = Promise.withResolvers<void>()
  const seen: string[] = []
  const watched: TrunkDriver = {
    ...driver,
    keep(trunk, keeping) {
      const name = trunk.kind === 'sip' ? `${trunk.settings.optionsSeconds}` : ''
      return {
        ...driver.keep(trunk, keeping),
        ...(name === '60' ? { ready: ready.promise } : {}),
        lead: () => void seen.push(`${name} leads`),
        async close(next) {
          seen.push(`${name} closes`)
          if (next !== undefined) assert.equal(trunks.find(trunk.scope.tenantId, id), next)
          await sleep(20)
        },
      }
    },
  }
  const trunks = createHeldTrunks(t.app.services, { drivers: [watched], wake() {} })
  context.after(() => trunks.close())
  await trunks.round()
  const [before] = trunks.all()
  assert.ok(before?.kind === 'sip')
  const patched = await t.call('PATCH', `/v2/voice/trunks/${id}`, {
    as: t.main.tokens.Admin,
    body: { settings: { optionsSeconds: 60 } },
  })
  assert.equal(patched.status, 200, patched.text)
  const changing = trunks.round()
  await sleep(200)
  assert.deepEqual([trunks.all(), seen.slice(1)], [[before], []])
  ready.resolve()
  await changing
  const after = trunks.find(before.scope.tenantId, id)
  assert.ok(after?.kind === 'sip' && after !== before)
  assert.equal(after.settings.optionsSeconds, 60)
  assert.deepEqual(seen, [
    `${before.settings.optionsSeconds} leads`,
    `${before.settings.optionsSeconds} closes`,
    '60 leads',
  ])
})

test('what a trunk carries still counts when its settings change, and when it is switched off and on again', async context => {
  const t = await startTestApp({ env: sipEnv })
  context.after(() => t.close())
  const id = await addTrunk(t, 5071, { settings: { concurrentCalls: 2 } })
  const trunks = createHeldTrunks(t.app.services, { drivers: [createTestDriver().driver], wake() {} })
  context.after(() => trunks.close())
  await trunks.round()
  const now = () => trunks.all()[0]!
  const change = async (body: object) => {
    const patched = await t.call('PATCH', `/v2/voice/trunks/${id}`, { as: t.main.tokens.Admin, body })
    assert.equal(patched.status, 200, patched.text)
    await trunks.round()
  }
  const before = now()
  const [leave, leaveToo] = [tryOccupy(before), tryOccupy(before)]
  assert.ok(leave && leaveToo)
  assert.equal(tryOccupy(before), undefined)

  await change({ settings: { optionsSeconds: 60 } })
  assert.notEqual(now(), before)
  assert.deepEqual([now().counters.active, tryOccupy(now())], [2, undefined])
  leave()
  // Once, however often it is said.
  leave()
  assert.equal(now().counters.active, 1)

  await change({ enabled: false })
  assert.equal(trunks.all().length, 0)
  await change({ enabled: true })
  assert.equal(now().counters.active, 1)
  leaveToo()
  assert.equal(now().counters.active, 0)
})
