// Senders of limited speed and the senders of services: turns that are given back, texts whose turn comes too late, and batches that share
// senders and say nothing twice.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { recipient, sender, startSteps } from '../../../../test/messages.ts'

const { t, s } = await startSteps()

const slow = '+15005550031'
const dueOf = async (id: string) => (await s.jobs()).find(job => job.ids.includes(id))!.seconds
const cancel = (id: string) => t.call('POST', `/v2/messages/${id}/cancel`, { as: s.as })
const near = (seconds: number, wanted: number) => assert.ok(Math.abs(seconds - wanted) < 3, `${seconds}, not ${wanted}`)

async function sendBatch(messages: object[]) {
  const answer = await t.call('POST', '/v2/messages/sms/batch', { as: s.as, body: { messages } })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.data
}

async function addPool(more: object, ...numbers: [address: string, more?: object][]): Promise<string> {
  const serviceId = await s.addService({ ...more })
  for (const [address, number = {}] of numbers) await s.addNumber(address, { service_id: serviceId, ...number })
  return serviceId
}

describe('turns of a slow sender', () => {
  const at = { from: slow, validityPeriod: 3_600 }

  test('go back when what stands last is canceled; those in between are kept', async () => {
    await s.addNumber(slow, { segments_per_second: 0.1 })
    const ids: string[] = []
    for (let n = 0; n < 6; n++) ids.push(await s.send(at))
    assert.equal((await cancel(ids[1]!)).status, 200)
    near(await dueOf(await s.send(at)), 60)
    for (const id of ids.slice(3)) assert.equal((await cancel(id)).status, 200)
    near(await dueOf(await s.send(at)), 70)
    const { rows } = { rows: await t.sql<{ id: string }>("select id from messages where status = 'queued'") }
    for (const { id } of rows) assert.equal((await cancel(id)).status, 200)
    near(await dueOf(await s.send(at)), 0)
  })

  test('are as far away as the new speed says', async () => {
    await s.addNumber(slow, { segments_per_second: 0.1 })
    for (let n = 0; n < 10; n++) await s.send(at)
    await s.change('update numbers set segments_per_second = 1 where address = $1', [slow])
    near(await dueOf(await s.send(at)), 10)
    await s.change('update numbers set segments_per_second = 0.1 where address = $1', [slow])
    near(await dueOf(await s.send(at)), 110)
  })

  test('that come after the validity of a text are not given: it is refused, also within its own batch', async () => {
    await s.addNumber(slow, { segments_per_second: 0.01 })
    const text = { from: slow, to: recipient, validityPeriod: 150 }
    const { messages } = await sendBatch([1, 2, 3].map(n => ({ ...text, body: `Code ${n}` })))
    assert.deepEqual(
      messages.map(({ code }: { code: string | null }) => code),
      [null, null, 'sender_queue_full'],
    )
    assert.equal(await s.refusal(text), '429 sender_queue_full')
    near(await dueOf(await s.send({ ...text, validityPeriod: 3_600 })), 200)
  })
})

describe('a batch by a service', () => {
  const sendersOf = async (messages: { messageId: string }[]) =>
    Promise.all(messages.map(async ({ messageId }) => (await s.read(messageId)).from))

  test('is spread over senders of limited speed, and a recipient hears from one of them', async () => {
    const pace = { segments_per_second: 0.1 }
    const numbers: [string, object][] = [
      ['+15005550021', pace],
      ['+15005550022', pace],
    ]
    const texts = (serviceId: string, to: (n: number) => string) =>
      Array.from({ length: 10 }, (_, n) => ({ serviceId, to: to(n), body: `Text ${n}` }))
    const spread = await addPool({ sticky_sender: false }, ...numbers)
    const from = await sendersOf((await sendBatch(texts(spread, n => `+1500555100${n}`))).messages)
    assert.deepEqual(
      ['+15005550021', '+15005550022'].map(number => from.filter(one => one === number).length),
      [5, 5],
    )
    await s.clear()
    const sticky = await addPool({ sticky_sender: true }, ...numbers)
    const known = await sendersOf((await sendBatch(texts(sticky, n => `+1500555100${n % 2}`))).messages)
    for (const n of [0, 1]) assert.equal(new Set(known.filter((_, place) => place % 2 === n)).size, 1)
  })

  test('says nothing twice within the window of duplicates, and a refused text is no one’s duplicate', async () => {
    const serviceId = await addPool({ duplicate_window_seconds: 60 }, ['+15005550021'])
    const text = { serviceId, to: recipient, body: 'Your code is 1234' }
    const { messages } = await sendBatch([text, { ...text, body: 'Another' }, text])
    assert.deepEqual(
      messages.map(({ code }: { code: string | null }) => code),
      [null, null, 'duplicate_suppressed'],
    )
    assert.match(messages[2].message, new RegExp(messages[0].messageId))
    const to = '+15005550997'
    await s.optOut(serviceId, to)
    const refused = await sendBatch([
      { ...text, to },
      { ...text, to },
    ])
    assert.deepEqual(
      refused.messages.map(({ code }: { code: string | null }) => code),
      ['recipient_opted_out', 'recipient_opted_out'],
    )
  })
})

test('the same text for several days is no duplicate, and for one moment it is, however it is asked for', async () => {
  const serviceId = await addPool({ duplicate_window_seconds: 3_600 }, ['+15005550021'])
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString()
  const text = { from: undefined, serviceId, to: recipient, body: 'Please take your medicine' }
  const codesOf = async (times: (string | undefined)[]) => {
    const { messages } = await sendBatch(times.map(sendAt => ({ ...text, sendAt })))
    return messages.map(({ code }: { code: string | null }) => code)
  }
  const again = 'duplicate_suppressed'
  assert.deepEqual(await codesOf([undefined, inHours(24), inHours(48), inHours(48.5)]), [null, null, null, again])
  assert.deepEqual(await codesOf([inHours(72), inHours(48)]), [null, again])
  await s.send({ ...text, sendAt: inHours(96) })
  // Accepted long before the window, and to be sent within it.
  await t.ownerSql("update messages set created_at = created_at - interval '3 days' where send_at is not null")
  assert.equal(await s.refusal({ ...text, sendAt: inHours(95.5) }), `409 ${again}`)
  assert.equal(await s.refusal(text), `409 ${again}`)
  // It went out ten minutes ago, and was asked for days before.
  const planned = { ...text, body: 'Your table waits' }
  await s.send({ ...planned, sendAt: inHours(1) })
  await t.ownerSql(
    "update messages set created_at = created_at - interval '3 days', send_at = now() - interval '10 minutes' where body = $1",
    [planned.body],
  )
  assert.equal(await s.refusal(planned), `409 ${again}`)
})

test('of countries that share a calling code the recipient’s own comes first, in whatever order they were added', async () => {
  const [american, canadian]: [string, object][] = [
    ['+12125550100', { country: 'US' }],
    ['+14165550100', { country: 'CA' }],
  ]
  for (const numbers of [
    [american!, canadian!],
    [canadian!, american!],
  ]) {
    const serviceId = await addPool({ sticky_sender: false }, ['+4930123456', { country: 'DE' }], ...numbers)
    const fromOf = async (to: string) => (await s.read(await s.send({ from: undefined, serviceId, to }))).from
    assert.deepEqual([await fromOf('+12125550123'), await fromOf('+14165550123')], ['+12125550100', '+14165550100'])
    await s.clear()
  }
})

test('recipients are spread over senders that are equal', async () => {
  const numbers = ['+15005550021', '+15005550022', '+15005550023']
  const serviceId = await addPool({ sticky_sender: false }, ...numbers.map((number): [string] => [number]))
  const texts = Array.from({ length: 30 }, (_, n) => ({ serviceId, to: `+1500555${1_000 + n}`, body: 'Hello' }))
  const sendersOf = async () => {
    const { messages } = await sendBatch(texts)
    return Promise.all(messages.map(async (one: { messageId: string }) => (await s.read(one.messageId)).from))
  }
  const from = await sendersOf()
  assert.deepEqual(
    numbers.map(number => from.filter(one => one === number).length),
    [10, 10, 10],
  )
  assert.deepEqual(await sendersOf(), from, 'a recipient hears from the same one again')
})

test('a speed of its own keeps no other sender waiting', async () => {
  await s.addNumber(slow, { segments_per_second: 0.1 })
  for (let n = 0; n < 3; n++) await s.send({ from: slow })
  near(await dueOf(await s.send({ from: sender })), 0)
})
