// How far carrying is behind goes by the carrier that is served best: one that is slow, has no link or waits for its time says nothing.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { startSteps } from '../../../../test/messages.ts'
import { newId } from '../../../kernel/values/ids.ts'

const { t, s } = await startSteps()
beforeEach(() => t.ownerSql('truncate message_jobs'))

/** A job that fell due so many seconds ago. */
async function job(carrier: string, secondsAgo: number | 'never', lease: string | null = null): Promise<void> {
  await t.ownerSql(
    `insert into message_jobs (tenant_id, id, carrier, due_at, lease_token, message_ids)
     values ($1, $2, $3, case when $4 = 'never' then 'infinity' else now() - $4::float * interval '1 second' end, $5, array['msg_x'])`,
    [s.tenantId, newId('job'), carrier, String(secondsAgo), lease],
  )
}

async function lag(): Promise<number> {
  const [row] = await t.ownerSql<{ lag: number }>('select message_queue_lag() as lag')
  return Math.floor(row!.lag)
}

test('the oldest due message of the carrier that is least behind', async () => {
  assert.equal(await lag(), 0, 'nothing waits')
  await job('handset', 50)
  await job('handset', 7)
  assert.equal(await lag(), 50)
  await job('simulator', 20)
  assert.equal(await lag(), 20, 'the handset alone is slow')
})

test('all that a carrier has is being carried, or is for later', async () => {
  await job('handset', 50)
  await job('simulator', -30)
  assert.equal(await lag(), 50, 'what is for later says nothing')
  await job('simulator', 'never')
  assert.equal(await lag(), 50, 'nor does what is held')
  await job('simulator', -30, 'lse_one')
  assert.equal(await lag(), 0, 'it keeps up with what it is given')
})

test('a carrier counts while it has a link', async () => {
  await job('car_none', 50)
  await job('none', 50)
  assert.equal(await lag(), 0, 'nobody carries them')
  await s.addCarrier('car_none', [], { up: false })
  await s.link('car_none', 'down')
  assert.equal(await lag(), 0)
  await s.link('car_none', 'up')
  assert.equal(await lag(), 50)
})
