// The trunks that a process holds, as it starts: the port that they share opens once all of them are known, so that no call that comes
// in by the last one is refused as nobody's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addTrunk, sipEnv } from '../../../test/engines/sip_carrier.ts'
import { createTestDriver } from '../../../test/engines/trunks.ts'
import { startTestApp } from '../../../test/harness.ts'
import type { Db } from '../../kernel/data/db.ts'
import { createHeldTrunks } from './held.ts'

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
