// What is scheduled from a number that is not there any more when its time comes, on the real database: where a messaging service chose
// the number it chooses another one, by its rules; what asked for the number itself fails and says so.
import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { startSteps, taken } from '../../../../test/messages.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { strandedMessages } from './stranded.ts'

const { t, s } = await startSteps('live')

const to = '+4915112345678'
const [first, second, foreign] = ['+4930111111', '+4930222222', '+442071838750'] as const
const sendAt = () => new Date(Date.now() + 6 * 60_000).toISOString()
const schedule = (body: object) => s.send({ from: undefined, to, sendAt: sendAt(), ...body })

beforeEach(() => s.addCarrier('car_a', [{ prefix: '', cost: '0.02' }]))

/** A service with these numbers, whose recipients know the first one. */
async function pool(...numbers: [address: string, more?: object][]): Promise<string> {
  const serviceId = await s.addService()
  for (const [address, more = {}] of numbers) await s.addNumber(address, { service_id: serviceId, ...more })
  await t.ownerSql('insert into service_contacts values ($1, $2, $3, $4)', [s.tenantId, serviceId, to, first])
  return serviceId
}

async function release(address: string): Promise<void> {
  const { json } = await t.call('GET', `/v2/numbers?number=${encodeURIComponent(address)}`, { as: s.as })
  const answer = await t.call('DELETE', `/v2/numbers/${json.data[0].numberId}`, { as: s.as })
  assert.equal(answer.status, 200, answer.text)
}

/** Lets the time of all come, and begins them as the carriers' processes would: who sent which. */
async function begin(carrier = 'car_a'): Promise<Map<string, string>> {
  await s.ripen('message_jobs')
  const begun = new Map<string, string>()
  for (let round = 0; round < 5; round++) {
    const token = newId('lse')
    const rows = await s.claim(token, { carrier })
    await s.conclude(token, rows, row => taken(row.id), { carrier })
    for (const row of rows) begun.set(row.id, row.from_address)
    const queue = strandedMessages({ ...t.app.services, wake() {} })
    const lease = newId('lse')
    const stranded = await queue.claim(lease, 1)
    if (stranded.length > 0) await queue.work(stranded, lease, () => false)
  }
  return begun
}

async function endOf(id: string): Promise<string> {
  const { path, code } = await s.read(id)
  return `${path} ${code}`
}

test('released: another number of the service sends it, and all that is said of it from then on says so', async () => {
  const serviceId = await pool([first, { country: 'DE' }], [foreign, { country: 'GB' }], [second, { country: 'DE' }])
  const id = await schedule({ serviceId })
  assert.equal((await s.read(id)).from, first)
  await release(first)
  assert.deepEqual(await begin(), new Map([[id, second]]), 'the one of the country')
  const { from, carrier, price, path } = await s.read(id)
  assert.deepEqual([from, carrier, price, path], [second, 'car_a', '0.02', 'scheduled queued sending sent'])
  const { json } = await t.call('GET', `/v2/events?resourceId=${id}`, { as: s.as })
  assert.deepEqual(
    json.data.toReversed().map((event: { type: string; data: { from: string } }) => `${event.type} ${event.data.from}`),
    [`message.scheduled ${first}`, `message.queued ${second}`, `message.sending ${second}`, `message.sent ${second}`],
  )
  const next = await s.send({ from: undefined, to, serviceId })
  assert.equal((await s.read(next)).from, second, 'the one that the recipient knows now')
  assert.deepEqual(
    (await s.jobs()).map(job => job.ids),
    [[next]],
  )
})

test('taken out of the service, made unable or held by another organization: the same', async () => {
  const other = await s.addService()
  for (const change of [`service_id = '${other}'`, 'service_id = null', 'sms = false', "ownership = 'contested'"]) {
    const serviceId = await pool([first], [second])
    const id = await schedule({ serviceId })
    await s.change(`update numbers set ${change} where address = $1`, [first])
    // Who opted out where the number is now has not opted out of the service.
    await s.optOut(other, to)
    assert.deepEqual(await begin(), new Map([[id, second]]), change)
    await s.change('delete from numbers')
    await t.ownerSql('delete from opt_outs')
  }
})

test('who opted out of the service meanwhile gets nothing', async () => {
  const serviceId = await pool([first], [second])
  const id = await schedule({ serviceId })
  await s.optOut(serviceId, to)
  await release(first)
  assert.deepEqual(await begin(), new Map())
  assert.equal(await endOf(id), 'scheduled queued failed recipient_opted_out')
})

test('many at once are spread over the numbers that are left', async () => {
  const serviceId = await pool([first])
  const recipients = Array.from({ length: 100 }, (_, n) => `+49151123456${String(n).padStart(2, '0')}`)
  const messages = recipients.map(each => ({ serviceId, to: each, body: 'Hello', sendAt: sendAt() }))
  const batch = await t.call('POST', '/v2/messages/sms/batch', { as: s.as, body: { messages } })
  assert.equal(batch.json.data.accepted, 100, batch.text)
  for (const address of [second, foreign]) await s.addNumber(address, { service_id: serviceId })
  await release(first)
  const senders = [...(await begin()).values()]
  assert.deepEqual(
    [second, foreign].map(address => senders.filter(sender => sender === address).length),
    [50, 50],
  )
})

test('the carrier of the new sender has it, and one whose carriers have no link waits for that', async () => {
  await s.addCarrier('car_b', [{ prefix: '+49', cost: '0.05' }], { currency: 'USD' })
  const serviceId = await pool([first, { carrier_id: 'car_a' }], [second, { carrier_id: 'car_b' }])
  const [id, waiting] = [await schedule({ serviceId }), await schedule({ serviceId, body: 'Later' })]
  assert.equal((await t.call('POST', `/v2/messages/${waiting}/cancel`, { as: s.as })).status, 200)
  await s.link('car_b', 'down')
  await release(first)
  assert.deepEqual(await begin(), new Map())
  const { from, carrier, status } = await s.read(id)
  assert.deepEqual([from, carrier, status], [second, 'car_b', 'scheduled'])
  assert.equal(await endOf(waiting), 'scheduled canceled null')
  await s.link('car_b', 'up')
  assert.deepEqual(await begin('car_b'), new Map([[id, second]]))
})

const policy = (body: object) => t.call('PATCH', '/v2/destinations/policies/organization', { as: s.as, body })
const spent = async () => {
  const { json } = await t.call('GET', '/v2/destinations/policies/organization', { as: s.as })
  return Number(json.data.today.spend[0]?.amount ?? 0)
}

test('by a carrier that costs less it makes room on the day on which it was counted, and on no other', async () => {
  await s.addCarrier('car_b', [{ prefix: '+49', cost: '0.01' }])
  assert.equal((await policy({ dailySpend: [{ currency: 'EUR', amount: '5' }] })).status, 200)
  for (const [days, room] of [[0, 0.01] as const, [2, 0] as const]) {
    const serviceId = await pool([first, { carrier_id: 'car_a' }], [second, { carrier_id: 'car_b' }])
    const id = await schedule({ serviceId })
    const before = await spent()
    await t.ownerSql(`update messages set created_at = created_at - ${days} * interval '1 day' where id = $1`, [id])
    await release(first)
    await begin()
    assert.deepEqual(await begin('car_b'), new Map([[id, second]]))
    assert.equal((before - (await spent())).toFixed(2), room.toFixed(2))
    await s.change('delete from numbers')
  }
  assert.equal((await policy({ dailySpend: null })).status, 200)
})

test('while no carrier may have it, for what it costs or as none is switched on, it keeps its sender and its price', async () => {
  await s.addCarrier('car_b', [{ prefix: '+49', cost: '0.05' }])
  assert.equal(
    (await policy({ dailySpend: [{ currency: 'EUR', amount: (0.04 + (await spent())).toFixed(2) }] })).status,
    200,
  )
  const before = await spent()
  const serviceId = await pool([first, { carrier_id: 'car_a' }], [second, { carrier_id: 'car_b' }])
  const id = await schedule({ serviceId })
  const standing = async () => {
    const [row] = await t.ownerSql<object>(
      'select from_address, carrier, price_micros::integer, currency, status from messages where id = $1',
      [id],
    )
    return [...Object.values(row!), ((await spent()) - before).toFixed(2)]
  }
  const asAccepted = [first, 'car_a', 20_000, 'EUR', 'scheduled', '0.02']
  await release(first)
  assert.deepEqual(await begin(), new Map())
  assert.deepEqual(await standing(), asAccepted, 'too dear')
  assert.equal((await policy({ dailySpend: null })).status, 200)
  await s.change("update carriers set enabled = false, updated_at = now() - interval '1 minute'")
  assert.deepEqual(await begin(), new Map())
  assert.deepEqual(await standing(), asAccepted, 'none is switched on')
  await s.change("update carriers set enabled = true, updated_at = now() - interval '1 minute'")
  assert.deepEqual(await begin('car_a'), new Map())
  assert.deepEqual(await begin('car_b'), new Map([[id, second]]))
  assert.equal((await s.read(id)).price, '0.05')
})

test('where no other number gets there it goes by the one that left, and fails where that is gone', async () => {
  await s.addCarrier('car_b', [{ prefix: '+1' }])
  for (const others of [[], [[second, { carrier_id: 'car_b' }]]] as [string, object][][]) {
    for (const [change, end] of [
      ['update numbers set service_id = null where address = $1', 'scheduled queued sending sent null'],
      ['delete from numbers where address = $1', 'scheduled queued failed sender_not_owned'],
    ] as const) {
      const serviceId = await pool([first], ...others)
      const id = await schedule({ serviceId })
      await s.change(change, [first])
      assert.deepEqual([...(await begin()).values()], change.startsWith('update') ? [first] : [])
      assert.equal(await endOf(id), end)
      await s.change('delete from numbers')
    }
  }
})

test('what asked for the number itself goes by no other', async () => {
  const serviceId = await pool([first], [second])
  const ids = [await schedule({ from: first }), await schedule({ from: first, serviceId, body: 'Later' })]
  await release(first)
  assert.deepEqual(await begin(), new Map())
  for (const id of ids) assert.equal(await endOf(id), 'scheduled queued failed sender_not_owned')
})

test('what is scheduled from a number that another organization holds, or that sends no texts any more, is not sent', async () => {
  for (const change of ["ownership = 'contested'", 'sms = false']) {
    await s.addNumber(first)
    const id = await schedule({ from: first })
    await s.change(`update numbers set ${change} where address = $1`, [first])
    assert.deepEqual(await begin(), new Map(), change)
    assert.equal(await endOf(id), 'scheduled queued failed sender_not_owned')
    await s.change('delete from numbers')
  }
})
