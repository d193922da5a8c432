// What a node knows of senders and carriers: kept in memory, at most two seconds old, read again when it was changed here,
// and never read for every message.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../../test/eventually.ts'
import { startSteps } from '../../../test/messages.ts'
import type { Db } from '../../kernel/data/db.ts'
import { type Directory, directoryIn, directoryOf, forgetDirectory } from './directory.ts'

const { t, s } = await startSteps('live')

/** The same database, read through an own cache that counts what it asks. */
function counted(): { db: Db; asked: () => number; full: () => number } {
  let asked = 0
  let full = 0
  const call: Db['call'] = async (name, text, values) => {
    asked++
    if (values[1] === null) full++
    return s.db.call(name, text, values)
  }
  return { db: { ...s.db, call }, asked: () => asked, full: () => full }
}

test('holds carriers, numbers and services of the tenant and of no other', async () => {
  const serviceId = await s.addService({ unknown_outcome: 'resend', validity_seconds: 60 })
  await s.addCarrier('car_a', [{ prefix: '+49', priority: 3, cost: '0.01' }])
  await s.addCarrier('car_b', [{ prefix: '' }], { up: false, enabled: false, currency: 'USD' })
  await s.addNumber('+4930123456', {
    country: 'DE',
    service_id: serviceId,
    carrier_id: 'car_a',
    segments_per_second: 0.5,
  })
  const directory = await directoryOf(s.db, s.tenantId)
  assert.deepEqual(
    directory.carriers
      .map(({ id, up, enabled, currency, routes }) => [id, up, enabled, currency, routes.length])
      .toSorted(),
    [
      ['car_a', true, true, 'EUR', 1],
      ['car_b', false, false, 'USD', 1],
    ],
  )
  const number = directory.numbers.get('+4930123456')!
  assert.deepEqual(
    [number.kind, number.country, number.serviceId, number.carrierId, number.sms, number.segmentsPerSecond],
    ['long_code', 'DE', serviceId, 'car_a', true, 0.5],
  )
  const service = directory.services.get(serviceId)!
  assert.deepEqual([service.unknownOutcome, service.validitySeconds, service.stickySender], ['resend', 60, true])
  for (const other of [t.main.testTenantId, t.other.liveTenantId]) {
    const theirs = await directoryOf(s.db, other)
    assert.deepEqual([theirs.carriers.length, theirs.numbers.size, theirs.services.size], [0, 0, 0])
  }
})

test('is not read for every message, and in full only when something changed', async () => {
  const { db, asked, full } = counted()
  await directoryOf(db, s.tenantId)
  for (let n = 0; n < 1_000; n++) await directoryOf(db, s.tenantId)
  assert.equal(asked(), 1)
  await directoryOf(db, s.tenantId, { fresh: true })
  assert.deepEqual([asked(), full()], [2, 1], 'the second time it asked by revision')
  await s.addNumber('+4930123456')
  const seen = await directoryOf(db, s.tenantId, { fresh: true })
  assert.ok(seen.numbers.has('+4930123456'))
})

test('knows at once what was changed here, whatever changed: insert, update, delete', async () => {
  const changed = async (text: string): Promise<Directory> => {
    await t.ownerSql(text)
    forgetDirectory(s.db, s.tenantId)
    return directoryOf(s.db, s.tenantId)
  }
  await s.addNumber('+4930123456')
  assert.ok((await directoryOf(s.db, s.tenantId)).numbers.has('+4930123456'))
  assert.equal((await changed('update numbers set sms = false')).numbers.get('+4930123456')?.sms, false)
  assert.equal((await changed('delete from numbers')).numbers.size, 0)
  await s.addCarrier('car_a', [{ prefix: '' }])
  assert.equal((await changed('update carriers set enabled = false')).carriers[0]?.enabled, false)
  assert.equal((await changed('delete from carriers')).carriers.length, 0)
})

test('knows within two seconds what was changed elsewhere, and whether links are up', async () => {
  await s.addCarrier('car_a', [{ prefix: '' }])
  const known = async () => directoryOf(s.db, s.tenantId)
  assert.equal((await known()).carriers[0]?.up, true)
  await t.ownerSql("update carriers set name = 'renamed'")
  await s.link('car_a', 'down')
  await eventually('the change', async () => {
    const [carrier] = (await known()).carriers
    return carrier?.name === 'renamed' && carrier.up === false
  })
  await s.link('car_a', 'up', { ageSeconds: 16 })
  assert.equal((await directoryOf(s.db, s.tenantId, { fresh: true })).carriers[0]?.up, false, 'its owner is silent')
  await s.link('car_a', 'throttled')
  assert.equal((await directoryOf(s.db, s.tenantId, { fresh: true })).carriers[0]?.up, true)
})

test('a change during a reading is not missed', async () => {
  let release: () => void = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  let first = true
  const call: Db['call'] = async (name, text, values) => {
    const rows = await s.db.call(name, text, values)
    if (first) {
      first = false
      await held
    }
    return rows as never
  }
  const db: Db = { ...s.db, call }
  const before = directoryOf(db, s.tenantId)
  await s.addNumber('+4930123456')
  forgetDirectory(db, s.tenantId)
  release()
  await before
  assert.ok((await directoryOf(db, s.tenantId)).numbers.has('+4930123456'))
})

test('a failed reading is reported and tried again', async () => {
  let broken = true
  const call: Db['call'] = (name, text, values) =>
    broken ? Promise.reject(new Error('away')) : s.db.call(name, text, values)
  const db: Db = { ...s.db, call }
  await assert.rejects(async () => directoryOf(db, s.tenantId), /away/)
  broken = false
  assert.equal((await directoryOf(db, s.tenantId)).numbers.size, 0)
})

test('a transaction sees what it wrote itself', async () => {
  const scope = { tenantId: s.tenantId, organizationId: t.main.organizationId }
  await s.db.inTenant(scope, async tx => {
    await tx
      .insertInto('numbers')
      .values({
        ...{ tenant_id: s.tenantId, id: 'num_x', kind: 'short_code', address: '12345', sms: true, voice: false },
        ...{ created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z' },
      })
      .execute()
    assert.ok((await directoryIn(tx, s.tenantId)).numbers.has('12345'))
  })
})
