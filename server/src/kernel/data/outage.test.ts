// Outages of the database: who looks whether it is back, and for how long. What requests are answered meanwhile stands in
// server/test/outage.test.ts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { pino } from 'pino'
import type { Db } from './db.ts'
import { createOutages } from './outage.ts'

const away = Object.assign(new pg.DatabaseError('terminating connection', 0, 'error'), { code: '57P01' })

test('a connection that breaks once all is closed is looked after by nobody', async t => {
  let looks = 0
  const db = {
    control: async () => {
      looks++
      throw away
    },
  } as unknown as Db
  t.mock.timers.enable({ apis: ['setInterval'] })
  const open = () => createOutages({ db, log: pino({ level: 'silent' }), clock: { now: () => looks * 10_000 } })
  const watching = open()
  assert.ok(watching.note(away), 'it is an outage')
  t.mock.timers.tick(1_000)
  assert.equal(looks, 1)
  watching.close()
  const closed = open()
  closed.close()
  assert.ok(closed.note(away))
  t.mock.timers.tick(10_000)
  assert.equal(looks, 1)
})
