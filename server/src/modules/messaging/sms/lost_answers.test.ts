// Messages of several parts whose answers were lost or came late, step by step on the real database: a receipt still reports
// what became of a part, and an answer counts whenever it comes.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { longText, recipient, refused, sender, startSteps, taken, unknown } from '../../../../test/messages.ts'

const { t, s } = await startSteps()
const takenAs = (row: { id: string }, part: number) => taken(`${row.id}/${part}`)

/** A message of some parts that the carrier has taken whole. */
async function sent(count: number): Promise<string> {
  const id = await s.send({ body: longText(count) })
  await s.conclude('t', await s.claim('t'), takenAs)
  return id
}

describe('receipts of answers that were lost', () => {
  /** A message of which the process died after submitting. */
  async function lost(body: object = {}): Promise<string> {
    const id = await s.send(body)
    await s.claim('dead', { leaseMs: -1 })
    await s.claim('finds it')
    assert.equal((await s.read(id)).status, 'unconfirmed')
    return id
  }
  const of = { from: sender, to: recipient }
  async function settleNow(): Promise<void> {
    await s.ripen('message_routes')
    await s.settle()
  }

  test('are found by sender and recipient', async () => {
    const id = await lost()
    await s.receive('x1', of)
    assert.equal((await s.read(id)).status, 'unconfirmed')
    await settleNow()
    assert.equal((await s.read(id)).path, 'queued sending unconfirmed delivered')
    assert.deepEqual(await t.sql('select from message_routes'), [])
  })

  test('of all parts, settled in one go', async () => {
    const id = await lost({ body: longText(3) })
    for (const n of [1, 2, 3]) await s.receive(`x${n}`, of)
    await settleNow()
    const message = await s.read(id)
    assert.deepEqual([message.status, message.segmentsDelivered], ['delivered', 3])
  })

  test('that name our id, of all parts', async () => {
    const id = await lost({ body: longText(2) })
    await s.receive('x1', { messageId: id })
    await s.receive('x2', { messageId: id, status: 'undelivered', code: 'unknown_subscriber' })
    await settleNow()
    const message = await s.read(id)
    assert.deepEqual([message.status, message.segmentsDelivered], ['undelivered', 1])
  })

  test('beside parts whose answer is known', async () => {
    const id = await s.send({ body: longText(2) })
    await s.conclude('t', await s.claim('t'), (row, part) => (part === 1 ? takenAs(row, 1) : unknown))
    await s.receive(`${id}/1`, of)
    await s.receive('x2', of)
    await settleNow()
    assert.equal((await s.read(id)).path, 'queued sending unconfirmed delivered')
  })

  test('are not guessed when they could be about two messages', async () => {
    const ids = [await lost(), await lost({ body: 'another' })]
    await s.receive('x1', of)
    await settleNow()
    for (const id of ids) assert.equal((await s.read(id)).status, 'unconfirmed')
  })

  test('of another sender, recipient, tenant or carrier are none of its', async () => {
    const id = await lost()
    await s.receive('x1', { ...of, from: '+15005550007' })
    await s.receive('x2', { ...of, to: '+15005550001' })
    await s.receive('x3', { ...of, tenantId: t.other.testTenantId })
    await s.receive('x4', of, 'handset')
    await settleNow()
    assert.equal((await s.read(id)).status, 'unconfirmed')
  })

  test('a repeated receipt of one message is not taken for that of another to the same phone', async () => {
    const known = await sent(1)
    await s.receive(`${known}/1`, of)
    const id = await lost()
    await s.receive(`${known}/1`, of)
    await settleNow()
    assert.equal((await s.read(known)).status, 'delivered')
    assert.equal((await s.read(id)).status, 'unconfirmed', 'nobody said a word about it')
  })
})

describe('late answers', () => {
  test('of every part: then its receipts decide', async () => {
    const id = await s.send({ body: longText(2) })
    const [row] = await s.claim('t')
    await s.conclude('t', [row!], () => unknown)
    await s.late(row!, 2, takenAs(row!, 2))
    await s.late(row!, 1, takenAs(row!, 1))
    assert.equal((await s.read(id)).states, 'accepted accepted')
    await s.receive(`${id}/1`)
    await s.receive(`${id}/2`)
    assert.equal((await s.read(id)).path, 'queued sending unconfirmed delivered')
  })

  test('of a message of one part: it is with the carrier', async () => {
    const id = await s.send()
    const [row] = await s.claim('t')
    await s.conclude('t', [row!], () => unknown)
    await s.late(row!, 1, refused)
    assert.equal((await s.read(id)).status, 'unconfirmed', 'only an acceptance counts')
    await s.late(row!, 1, takenAs(row!, 1))
    assert.equal((await s.read(id)).path, 'queued sending unconfirmed sent')
  })
})

describe('a message that is to be handed over again, of which a late answer and a receipt say that it arrived', () => {
  const asksAgain = '+15005550011'

  /** One whose first attempt has an unknown outcome, and the row of that attempt. */
  async function unsure() {
    const service = await s.addService({ unknown_outcome: 'resend' })
    await s.addNumber(asksAgain, { service_id: service })
    const id = await s.send({ from: asksAgain, serviceId: service })
    const [row] = await s.claim('first')
    await s.conclude('first', [row!], () => unknown)
    return { id, service, row: row! }
  }
  const arrives = async (row: Parameters<typeof s.late>[0]) => {
    await s.late(row, 1, taken('late'))
    await s.receive('late')
  }
  const delivered = 'queued sending queued sending sent delivered'

  test('is delivered, and not handed over', async () => {
    const { id, row } = await unsure()
    await arrives(row)
    await s.ripen('message_jobs')
    assert.deepEqual(await s.claim('second'), [])
    assert.equal((await s.read(id)).path, delivered)
  })

  test('also when its validity has passed meanwhile', async () => {
    const { id, row } = await unsure()
    await arrives(row)
    await t.ownerSql("update messages set created_at = created_at - interval '5 hours' where id = $1", [id])
    await s.ripen('message_jobs')
    await s.claim('second')
    const { path, code } = await s.read(id)
    assert.deepEqual([path, code], [delivered, null])
  })

  test('also when its recipient answered STOP meanwhile', async () => {
    const { id, row, service } = await unsure()
    await arrives(row)
    await s.optOut(service)
    await s.ripen('message_jobs')
    await s.claim('second')
    const { path, code } = await s.read(id)
    assert.deepEqual([path, code], [delivered, null])
  })

  test('also when the next attempt was under way by then, and is refused', async () => {
    const { id, row } = await unsure()
    await s.ripen('message_jobs')
    const [again] = await s.claim('second')
    assert.equal(again?.attempt, 2)
    await arrives(row)
    await s.conclude('second', [again!], () => refused)
    const { path, code } = await s.read(id)
    assert.deepEqual([path, code], [delivered, null])
  })
})
