// What waits for a carrier without a link, on the real database: another carrier gets it by its routes, else it waits and
// expires with the reason; what was being handed over when its carrier died is in doubt and goes to nobody else.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { keyWithPolicy } from '../../../../test/destinations.ts'
import { longText, startSteps, taken, throttled } from '../../../../test/messages.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { forgetDirectory } from '../directory.ts'
import { strandedMessages } from './stranded.ts'

const { t, s } = await startSteps('live')

const from = '+4930123456'
const to = '+4915112345678'
const send = (body: object = {}) => s.send({ from, to, ...body })

/** One round over what is stranded, as a process with the worker role does each second. */
async function look(): Promise<string[]> {
  const woken: string[] = []
  const queue = strandedMessages({ ...t.app.services, wake: name => woken.push(name) })
  const token = newId('lse')
  const rows = await queue.claim(token, 1)
  if (rows.length > 0) await queue.work(rows, token, () => false)
  return woken
}

async function whereIs(id: string): Promise<{ carrier: string; waits: boolean; status: string; code: string | null }> {
  const jobs = (await s.jobs()).filter(job => job.ids.includes(id))
  assert.ok(jobs.length <= 1, 'in one place at most')
  const { carrier, status, code } = await s.read(id)
  if (jobs[0] !== undefined) assert.equal(jobs[0].carrier, carrier, 'its job is where the message says')
  return { carrier, waits: jobs.length === 1, status, code }
}

describe('a carrier whose links are down', () => {
  beforeEach(async () => {
    await s.addNumber(from)
    await s.addCarrier('car_a', [{ prefix: '+49', priority: 1, cost: '0.05' }])
    await s.addCarrier('car_b', [{ prefix: '', priority: 1, cost: '0.07' }], { currency: 'USD' })
    await s.addCarrier('car_c', [{ prefix: '+49', priority: 2, cost: '0.01' }])
  })

  test('gives what waits to the next one by its routes, at that one’s price', async () => {
    const id = await send({ body: longText(2) })
    assert.equal((await whereIs(id)).carrier, 'car_a')
    assert.deepEqual(await look(), [], 'while a link is up nothing is stranded')
    await s.link('car_a', 'down')
    assert.deepEqual(await look(), ['messages_car_c'])
    assert.deepEqual(await whereIs(id), { carrier: 'car_c', waits: true, status: 'queued', code: null })
    const rows = await s.claim('t', { carrier: 'car_c' })
    assert.equal(rows.length, 1)
    await s.conclude('t', rows, (row, part) => taken(`${row.id}/${part}`), { carrier: 'car_c' })
    const message = await s.read(id)
    assert.deepEqual([message.price, message.currency, message.path], ['0.02', 'EUR', 'queued sending sent'])
    assert.ok(message.parts.every((part: { carrier: string }) => part.carrier === 'car_c'))
  })

  test('and when that one is down as well, the next; with none up it waits where it would go first', async () => {
    const id = await send()
    await s.link('car_a', 'down')
    await s.link('car_c', 'connecting')
    await look()
    assert.equal((await whereIs(id)).carrier, 'car_b')
    await s.link('car_b', 'stopped')
    await look()
    assert.deepEqual(await whereIs(id), { carrier: 'car_a', waits: true, status: 'queued', code: null })
    await s.ripen('message_jobs')
    await s.link('car_c', 'up')
    await look()
    assert.equal((await whereIs(id)).carrier, 'car_c')
  })

  test('is down when its owner has said nothing for 15 seconds; a receiver sends nothing; throttled is up', async () => {
    const id = await send()
    await s.link('car_a', 'throttled')
    await look()
    assert.equal((await whereIs(id)).carrier, 'car_a')
    await s.link('car_a', 'up', { role: 'receiver' })
    await look()
    assert.equal((await whereIs(id)).carrier, 'car_c')
    const second = await send()
    assert.equal((await whereIs(second)).carrier, 'car_c', 'and new messages do not go there in the first place')
    await s.link('car_c', 'up', { ageSeconds: 20 })
    await look()
    assert.equal((await whereIs(second)).carrier, 'car_b')
  })

  test('with nobody else: it waits on, and expires with the reason when its validity has passed', async () => {
    for (const carrier of ['car_a', 'car_b', 'car_c']) await s.link(carrier, 'down')
    const id = await send({ validityPeriod: 60 })
    await look()
    assert.equal((await whereIs(id)).status, 'queued')
    await t.ownerSql("update messages set created_at = now() - interval '2 minutes'")
    await s.ripen('message_jobs')
    await look()
    assert.deepEqual(await whereIs(id), {
      carrier: 'car_a',
      waits: false,
      status: 'expired',
      code: 'carrier_link_down',
    })
    assert.equal((await s.read(id)).path, 'queued expired')
  })

  test('what a queue full of the carrier held up until then says so', async () => {
    const id = await send({ validityPeriod: 60 })
    await s.conclude('t', await s.claim('t', { carrier: 'car_a' }), () => throttled, { carrier: 'car_a' })
    for (const carrier of ['car_a', 'car_b', 'car_c']) await s.link(carrier, 'down')
    await t.ownerSql("update messages set created_at = now() - interval '2 minutes'")
    await s.ripen('message_jobs')
    await look()
    assert.deepEqual([(await whereIs(id)).status, (await whereIs(id)).code], ['expired', 'carrier_queue_overflow'])
  })

  test('a message of a number with a carrier of its own goes to nobody else', async () => {
    await t.ownerSql("update numbers set carrier_id = 'car_a'")
    const id = await send()
    await s.link('car_a', 'down')
    await look()
    assert.equal((await whereIs(id)).carrier, 'car_a')
  })

  test('switched off: its messages go elsewhere, and wait when there is no other', async () => {
    const id = await send()
    await t.ownerSql("update carriers set enabled = false where id = 'car_a'")
    await s.link('car_a', 'stopped')
    await look()
    assert.equal((await whereIs(id)).carrier, 'car_c')
    await t.ownerSql('update carriers set enabled = false')
    for (const carrier of ['car_b', 'car_c']) await s.link(carrier, 'stopped')
    await s.ripen('message_jobs')
    await look()
    assert.deepEqual(await whereIs(id), { carrier: 'car_c', waits: true, status: 'queued', code: null })
  })

  test('deleted: its messages go elsewhere', async () => {
    const id = await send()
    await t.ownerSql("delete from carriers where id = 'car_a'")
    await look()
    assert.equal((await whereIs(id)).carrier, 'car_c')
  })

  test('deleted, and no other has a route: failed with no_route', async () => {
    const id = await send()
    await t.ownerSql('delete from carriers')
    await look()
    assert.deepEqual(await whereIs(id), { carrier: 'car_a', waits: false, status: 'failed', code: 'no_route' })
    assert.equal((await s.read(id)).path, 'queued failed')
  })

  /** Of a text of two segments the first is taken, and the second is not for want of a link. */
  async function sendInPart(body: object = {}): Promise<string> {
    const id = await send({ body: longText(2), ...body })
    await s.conclude(
      't',
      await s.claim('t', { carrier: 'car_a' }),
      (row, part) => (part === 1 ? taken(`${row.id}/1`) : { ...throttled, code: 'carrier_link_down' }),
      { carrier: 'car_a' },
    )
    await s.link('car_a', 'down')
    await look()
    return id
  }

  test('what it has a part of waits for it, as nobody else joins the others to that one', async () => {
    const id = await sendInPart()
    assert.deepEqual(await whereIs(id), {
      carrier: 'car_a',
      waits: true,
      status: 'queued',
      code: 'carrier_link_down',
    })
    await s.ripen('message_jobs')
    await s.link('car_a', 'up')
    const rows = await s.claim('u', { carrier: 'car_a' })
    assert.deepEqual(
      rows.map(row => row.parts_mask),
      [0b10],
    )
    await s.conclude('u', rows, row => taken(`${row.id}/2`), { carrier: 'car_a' })
    for (const part of [1, 2]) await s.receive(`${id}/${part}`, {}, 'car_a')
    assert.equal((await s.read(id)).status, 'delivered')
  })

  test('what it has a part of is unconfirmed when its validity passes, or the carrier is deleted', async () => {
    const id = await sendInPart()
    await t.ownerSql("delete from carriers where id = 'car_a'")
    await s.ripen('message_jobs')
    await look()
    assert.deepEqual(await whereIs(id), { carrier: 'car_a', waits: false, status: 'unconfirmed', code: 'no_route' })
    await s.addCarrier('car_a', [{ prefix: '+49', priority: 1, cost: '0.05' }])
    const second = await sendInPart({ validityPeriod: 60 })
    await t.ownerSql("update messages set created_at = now() - interval '2 minutes'")
    await s.ripen('message_jobs')
    await look()
    assert.deepEqual(await whereIs(second), {
      carrier: 'car_a',
      waits: false,
      status: 'unconfirmed',
      code: 'validity_expired',
    })
  })

  test('what nothing was taken of goes to the next carrier, also after an attempt', async () => {
    const id = await send({ body: longText(2) })
    await s.conclude('t', await s.claim('t', { carrier: 'car_a' }), () => throttled, { carrier: 'car_a' })
    await s.link('car_a', 'down')
    await s.ripen('message_jobs')
    await look()
    assert.equal((await whereIs(id)).carrier, 'car_c')
    assert.deepEqual(
      (await s.claim('u', { carrier: 'car_c' })).map(row => row.parts_mask),
      [0b11],
    )
  })

  test('what was being handed over when it died is unconfirmed, and goes to nobody else', async () => {
    const id = await send()
    await s.claim('dead', { carrier: 'car_a', leaseMs: -1 })
    await s.link('car_a', 'down')
    await look()
    assert.deepEqual(await whereIs(id), {
      carrier: 'car_a',
      waits: false,
      status: 'unconfirmed',
      code: 'submit_unconfirmed',
    })
  })

  test('unless its service asks for that: then the next carrier gets it', async () => {
    const serviceId = await s.addService({ unknown_outcome: 'resend' })
    await t.ownerSql('update numbers set service_id = $1', [serviceId])
    const id = await send({ from: undefined, serviceId })
    await s.claim('dead', { carrier: 'car_a', leaseMs: -1 })
    await s.link('car_a', 'down')
    await look()
    assert.deepEqual(await whereIs(id), { carrier: 'car_c', waits: true, status: 'queued', code: 'submit_unconfirmed' })
    assert.deepEqual(
      (await s.claim('u', { carrier: 'car_c' })).map(row => row.attempt),
      [2],
    )
  })

  test('a process that dies while it looks after them loses none', async () => {
    const id = await send()
    await s.link('car_a', 'down')
    const queue = strandedMessages(t.app.services)
    assert.equal((await queue.claim('dead', 1)).length, 1)
    await s.ripen('message_jobs')
    await look()
    assert.deepEqual(await whereIs(id), { carrier: 'car_c', waits: true, status: 'queued', code: null })
    const second = await send()
    await s.link('car_c', 'down')
    assert.ok((await queue.claim('dead too', 1)).length > 0)
    await s.ripen('message_jobs')
    // The carrier itself is back first.
    await s.link('car_c', 'up')
    assert.deepEqual((await s.claim('u', { carrier: 'car_c' })).map(row => row.id).toSorted(), [id, second])
  })

  test('many at once all find their way, in jobs of ordinary size', async () => {
    const messages = Array.from({ length: 500 }, () => ({ from, to, body: 'x' }))
    const { json } = await t.call('POST', '/v2/messages/sms/batch', { as: s.as, body: { messages } })
    assert.equal(json.data.accepted, 500)
    await s.link('car_a', 'down')
    await look()
    const jobs = await s.jobs()
    assert.deepEqual(new Set(jobs.map(job => job.carrier)), new Set(['car_c']))
    assert.ok(jobs.every(job => job.ids.length <= 64))
    assert.equal(new Set(jobs.flatMap(job => job.ids)).size, 500)
  })
})

describe('no carrier', () => {
  /** As it is before the first carrier. */
  beforeEach(async () => {
    await t.ownerSql('update messaging_revisions set revision = revision + 1, had_carrier = false')
    forgetDirectory(s.db, s.tenantId)
  })

  const failed = { carrier: 'none', waits: false, status: 'failed', code: 'no_route' }

  test('the virtual handset has numbers of the simulator, and is never stranded', async () => {
    const id = await send({ to: '+15005550100' })
    await look()
    assert.deepEqual(await whereIs(id), { carrier: 'handset', waits: true, status: 'queued', code: null })
  })

  test('what goes to any other number is taken in and fails, as nobody carries it', async () => {
    const id = await send()
    assert.deepEqual(await whereIs(id), { carrier: 'none', waits: true, status: 'queued', code: null })
    await look()
    assert.deepEqual(await whereIs(id), failed)
    assert.equal((await s.read(id)).path, 'queued failed')
  })

  test('once the last one was removed, or is switched off, it is the same, with senders of one’s own', async () => {
    await s.addCarrier('car_a', [{ prefix: '', cost: '0.05' }], { enabled: false })
    assert.equal(await s.refusal({ from, to }), '403 sender_not_owned')
    await s.addNumber(from)
    const [first, simulated] = [await send(), await send({ to: '+15005550100' })]
    await look()
    assert.deepEqual([await whereIs(first), (await whereIs(simulated)).carrier], [failed, 'handset'])
    await t.ownerSql('delete from carriers')
    forgetDirectory(s.db, s.tenantId)
    const second = await send()
    await look()
    assert.deepEqual(await whereIs(second), failed)
    assert.equal(await s.refusal({ from: '+4930999999', to }), '403 sender_not_owned')
  })

  test('what is sent later goes by the carrier that is there then, if its sender may', async () => {
    const sendAt = new Date(Date.now() + 600_000).toISOString()
    await s.addNumber(from)
    const [own, foreign] = [await send({ sendAt }), await send({ from: '+4930999999', sendAt })]
    await s.addCarrier('car_a', [{ prefix: '', cost: '0.05' }])
    await look()
    assert.equal((await whereIs(own)).carrier, 'none', 'until then it waits')
    await s.ripen('message_jobs')
    await look()
    assert.deepEqual(await whereIs(own), { carrier: 'car_a', waits: true, status: 'scheduled', code: null })
    assert.deepEqual(await whereIs(foreign), { ...failed, code: 'sender_not_owned' })
  })
})

describe('with a ceiling for what is spent', () => {
  const ceiling = (amounts: object[]) =>
    t.call('PATCH', '/v2/destinations/policies/organization', { as: s.as, body: { dailySpend: amounts } })
  const spent = async (policy = 'organization') =>
    (await t.call('GET', `/v2/destinations/policies/${policy}`, { as: s.as })).json.data.today.spend

  test('goes by no carrier that costs more than it allows, and what it costs is counted', async () => {
    const euros = [{ currency: 'EUR', amount: '0.10' }]
    assert.equal((await ceiling(euros)).status, 200)
    await s.addNumber(from)
    await s.addCarrier('car_a', [{ prefix: '+49', priority: 1, cost: '0.02' }])
    await s.addCarrier('car_b', [{ prefix: '+49', priority: 2, cost: '0.50' }], { currency: 'USD' })
    await s.addCarrier('car_c', [{ prefix: '+49', priority: 3, cost: '0.06' }])
    const ids = [await send(), await send()]
    await s.link('car_a', 'down')
    await look()
    const places = await Promise.all(ids.map(async id => (await whereIs(id)).carrier))
    assert.deepEqual(places.toSorted(), ['car_a', 'car_c'], 'of the two one may cost three times as much')
    assert.deepEqual(await spent(), [{ currency: 'EUR', amount: '0.08' }])
    await s.link('car_c', 'down')
    await s.link('car_a', 'up')
    await s.ripen('message_jobs')
    await look()
    assert.deepEqual(await spent(), [{ currency: 'EUR', amount: '0.04' }], 'and given back when it costs less')
    await ceiling([])
  })

  test('what was taken back costs nothing by another carrier', async () => {
    assert.equal((await ceiling([{ currency: 'EUR', amount: '1' }])).status, 200)
    await s.addNumber(from)
    await s.addCarrier('car_a', [{ prefix: '+49', priority: 1, cost: '0.02' }])
    await s.addCarrier('car_b', [{ prefix: '+49', priority: 2, cost: '0.05' }])
    const id = await send()
    assert.equal((await t.call('POST', `/v2/messages/${id}/cancel`, { as: s.as })).status, 200)
    const before = await spent()
    await s.link('car_a', 'down')
    await look()
    assert.deepEqual(await spent(), before)
    assert.deepEqual(await s.jobs(), [])
    await ceiling([])
  })

  test('what had no carrier, and no price, is counted when it gets one', async () => {
    assert.equal((await ceiling([{ currency: 'EUR', amount: '1' }])).status, 200)
    await s.addNumber(from)
    const id = await send({ sendAt: new Date(Date.now() + 6 * 60_000).toISOString() })
    const before = await spent()
    await s.addCarrier('car_a', [{ prefix: '+49', priority: 1, cost: '0.02' }])
    await s.ripen('message_jobs')
    await look()
    assert.equal((await whereIs(id)).carrier, 'car_a')
    const amountOf = (spend: { amount: string }[]) => Number(spend[0]?.amount ?? 0)
    assert.equal((amountOf(await spent()) - amountOf(before)).toFixed(2), '0.02')
    await ceiling([])
  })

  test('of an API key with its own: what its texts cost by another carrier is counted there too', async () => {
    const dailySpend = [{ currency: 'EUR', amount: '0.10' }]
    const { secret, keyId } = await keyWithPolicy(t, { dailySpend }, { mode: 'live' })
    await s.addNumber(from)
    await s.addCarrier('car_a', [{ prefix: '+49', priority: 1, cost: '0.02' }])
    await s.addCarrier('car_b', [{ prefix: '+49', priority: 2, cost: '0.06' }])
    for (let n = 0; n < 2; n++)
      await t.call('POST', '/v2/messages/sms', { as: secret, body: { from, to, body: 'Hello' } })
    await s.link('car_a', 'down')
    await look()
    const places = (await s.jobs()).map(job => job.carrier)
    assert.deepEqual(places.toSorted(), ['car_a', 'car_b'], 'of the two one may cost three times as much')
    assert.deepEqual(await spent(keyId), [{ currency: 'EUR', amount: '0.08' }])
  })
})
