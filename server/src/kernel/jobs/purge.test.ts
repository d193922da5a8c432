// Cold work stays away from the connections of requests, and no single call of it is long: it would stand in front of
// everything else on its connection.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import type { Services } from '../endpoint/endpoint.ts'
import { purgeExpired } from './purge.ts'

test('what has expired goes in steps until a step is not full, on the connections of work behind requests', async () => {
  const steps = [5_000, 5_000, 12]
  const limits: unknown[] = []
  const db = {
    call: () => assert.fail('a purge is in front of requests'),
    work: async (_name: string, _text: string, values: unknown[]) => {
      limits.push(values[0])
      return [{ gone: steps.shift() }]
    },
  }
  const reported: unknown[] = []
  const log = { info: (fields: unknown) => reported.push(fields) }
  await purgeExpired({ db, log } as unknown as Services).run()
  assert.deepEqual(limits, [5_000, 5_000, 5_000])
  assert.deepEqual(reported, [{ rows: 10_012 }])
})

test('a step that takes longer than a statement may is made smaller', async () => {
  const limits: unknown[] = []
  const db = {
    work: async (_name: string, _text: string, [most]: [number]) => {
      limits.push(most)
      if (most > 2_000) throw Object.assign(new pg.DatabaseError('canceling statement', 0, 'error'), { code: '57014' })
      return [{ gone: limits.length < 4 ? most : 3 }]
    },
  }
  await purgeExpired({ db, log: { info: () => {} } } as unknown as Services).run()
  assert.deepEqual(limits, [5_000, 2_500, 1_250, 1_250])
})
