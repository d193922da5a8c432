// Messages of several parts, step by step on the real database: each part has a row of its own, only what was not taken is
// handed over again, and the message ends when all of its parts have.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import {
  longText,
  recipient,
  refused,
  sender,
  startSteps,
  stepsOf,
  taken,
  throttled,
  unknown,
} from '../../../../test/messages.ts'
import type { Db } from '../../../kernel/data/db.ts'
import { receiveReceipts } from './jobs.ts'
import { partsOf } from './rules.ts'

const { t, s } = await startSteps()

const takenAs = (row: { id: string }, part: number) => taken(`${row.id}/${part}`)

/** A message of some parts that the carrier has taken whole. */
async function sent(count: number): Promise<string> {
  const id = await s.send({ body: longText(count) })
  await s.conclude('t', await s.claim('t'), takenAs)
  return id
}

describe('handing over', () => {
  test('each segment has a row of its own, with the id the carrier gave it', async () => {
    const id = await s.send({ body: longText(3) })
    const [row] = await s.claim('t')
    assert.deepEqual(partsOf(row!), [1, 2, 3])
    assert.equal((await s.read(id)).states, 'submitting submitting submitting', 'before any byte leaves')
    await s.conclude('t', [row!], takenAs)
    const message = await s.read(id)
    assert.deepEqual(
      message.parts.map(({ part, state, attempt, carrierMessageId, carrier }: Record<string, unknown>) => [
        ...[part, state, attempt, carrierMessageId, carrier],
      ]),
      [1, 2, 3].map(part => [part, 'accepted', 1, `${id}/${part}`, 'simulator']),
    )
    assert.deepEqual([message.status, message.segments, message.segmentsDelivered], ['sent', 3, 0])
  })

  test('after partial throttling only the parts that were not taken go again, under the same reference', async () => {
    const id = await s.send({ body: longText(4) })
    const first = await s.claim('one')
    await s.conclude('one', first, (row, part) => (part % 2 === 0 ? throttled : takenAs(row, part)))
    assert.deepEqual(
      [(await s.read(id)).status, (await s.read(id)).states],
      ['queued', 'accepted throttled accepted throttled'],
    )
    const second = await s.claim('two')
    assert.deepEqual(second.map(partsOf), [[2, 4]])
    assert.equal(second[0]!.attempt, 2)
    assert.equal(second[0]!.reference, first[0]!.reference)
    await s.conclude('two', second, (row, part) => (part === 4 ? throttled : takenAs(row, part)))
    const third = await s.claim('three')
    assert.deepEqual(third.map(partsOf), [[4]])
    assert.equal(third[0]!.reference, first[0]!.reference)
    await s.conclude('three', third, takenAs)
    for (const part of [1, 2, 3, 4]) await s.receive(`${id}/${part}`)
    const message = await s.read(id)
    assert.equal(message.path, 'queued sending queued sending queued sending sent delivered')
    assert.deepEqual([message.attempts, message.segmentsDelivered], [3, 4])
    assert.deepEqual(
      message.parts.map(({ attempt }: { attempt: number }) => attempt),
      [1, 2, 1, 3],
    )
  })

  test('one refused part fails the message, whatever became of the others', async () => {
    const id = await s.send({ body: longText(3) })
    await s.conclude('t', await s.claim('t'), (row, part) => [takenAs(row, 1), refused, throttled][part - 1]!)
    const message = await s.read(id)
    assert.deepEqual(
      [message.status, message.code, message.states],
      ['failed', 'unknown_subscriber', 'accepted refused throttled'],
    )
    assert.deepEqual(await s.jobs(), [], 'nothing of it is handed over again')
    await s.receive(`${id}/1`)
    assert.equal((await s.read(id)).status, 'failed')
  })

  test('one part of unknown outcome makes it unconfirmed; the parts that were throttled do not go out alone', async () => {
    const id = await s.send({ body: longText(3) })
    await s.conclude('t', await s.claim('t'), (row, part) => [takenAs(row, 1), unknown, throttled][part - 1]!)
    const message = await s.read(id)
    assert.deepEqual(
      [message.status, message.code, message.states],
      ['unconfirmed', 'submit_unconfirmed', 'accepted unknown throttled'],
    )
    assert.deepEqual(await s.jobs(), [])
  })
})

describe('references', () => {
  const referenceOf = async (id: string) =>
    (await t.sql<{ reference: number | null }>('select reference from messages where id = $1', [id]))[0]!.reference

  test('differ for long messages to one phone, also of one batch and of two nodes', async () => {
    const second = stepsOf({ ...t, ...(await t.secondApp()) })
    const ids = await Promise.all(
      Array.from({ length: 60 }, (_, n) => (n % 2 === 0 ? s : second).send({ body: longText(2) })),
    )
    const batch = await t.call('POST', '/v2/messages/sms/batch', {
      as: s.as,
      body: { messages: Array.from({ length: 100 }, () => ({ from: sender, to: recipient, body: longText(3) })) },
    })
    assert.equal(batch.json.data.accepted, 100, batch.text)
    const all = [...ids, ...batch.json.data.messages.map((item: { messageId: string }) => item.messageId)]
    const references = await Promise.all(all.map(referenceOf))
    assert.ok(references.every(reference => reference !== null && reference >= 0 && reference <= 65_535))
    assert.equal(new Set(references.map(reference => (reference as number) % 256)).size, 160, 'in 8 bits, too')
  })

  test('wrap at 16 bits; short messages have none; another phone counts for itself', async () => {
    await t.ownerSql('insert into message_references values ($1, $2, 65534)', [s.tenantId, recipient])
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.push(await s.send({ body: longText(2) }))
    assert.deepEqual(await Promise.all(ids.map(referenceOf)), [65_535, 0, 1])
    assert.equal(await referenceOf(await s.send()), null)
    assert.equal(await referenceOf(await s.send({ body: longText(2), to: '+15005550998' })), 1)
  })
})

describe('receipts of parts', () => {
  test('in any order: delivered with the last one, and counted until then', async () => {
    const id = await sent(3)
    for (const [part, status, delivered] of [
      [2, 'sent', 1],
      [3, 'sent', 2],
      [1, 'delivered', 3],
    ] as const) {
      await s.receive(`${id}/${part}`)
      const message = await s.read(id)
      assert.deepEqual([message.status, message.segmentsDelivered], [status, delivered])
    }
    assert.deepEqual(await t.sql('select from message_routes'), [])
  })

  test('one part that is not delivered: the message is not, and says how many parts are', async () => {
    const id = await sent(3)
    await s.receive(`${id}/1`)
    await s.receive(`${id}/3`, { status: 'undelivered', code: 'unknown_subscriber', carrierCode: '0x0B' })
    assert.equal((await s.read(id)).status, 'sent', 'a receipt for the last part may still come')
    await s.receive(`${id}/2`)
    const message = await s.read(id)
    assert.deepEqual(
      [message.status, message.code, message.segmentsDelivered, message.states],
      [...['undelivered', 'unknown_subscriber', 2, 'delivered delivered undelivered']],
    )
    assert.equal(message.parts[2].carrierCode, '0x0B')
    assert.equal(message.deliveredAt, null)
  })

  test('expired, when some expired and none was refused', async () => {
    const id = await sent(2)
    await s.receive(`${id}/1`, { status: 'expired', code: 'validity_expired' })
    await s.receive(`${id}/2`)
    assert.deepEqual([(await s.read(id)).status, (await s.read(id)).code], ['expired', 'validity_expired'])
  })

  test('all of them before the answers are stored: parked, then joined', async () => {
    const id = await s.send({ body: longText(3) })
    const rows = await s.claim('t')
    for (const part of [3, 1, 2]) await s.receive(`${id}/${part}`)
    assert.equal((await s.read(id)).status, 'sending')
    await s.conclude('t', rows, takenAs)
    assert.equal((await s.read(id)).path, 'queued sending sent delivered')
  })

  test('repeated, in one batch, at once and after the end: counted once', async () => {
    const id = await sent(2)
    const twice = { tenantId: s.tenantId, carrierMessageId: `${id}/1`, status: 'delivered' } as const
    await receiveReceipts(s.db, 'simulator', [twice, twice])
    await Promise.all([s.receive(`${id}/1`), s.receive(`${id}/1`)])
    assert.deepEqual([(await s.read(id)).status, (await s.read(id)).segmentsDelivered], ['sent', 1])
    await s.receive(`${id}/2`)
    await s.receive(`${id}/2`, { status: 'undelivered' })
    assert.equal((await s.read(id)).path, 'queued sending sent delivered')
  })

  test('a part whose receipt never comes: unconfirmed; it still counts when it comes late', async () => {
    const id = await sent(2)
    await s.receive(`${id}/1`)
    await s.ripen('message_routes')
    await s.settle()
    const message = await s.read(id)
    assert.deepEqual([message.status, message.segmentsDelivered], ['unconfirmed', 1])
    await s.receive(`${id}/2`)
    assert.equal((await s.read(id)).path, 'queued sending sent unconfirmed delivered')
  })

  test('between two attempts: what was delivered is not forgotten', async () => {
    const id = await s.send({ body: longText(2) })
    await s.conclude('one', await s.claim('one'), (row, part) => (part === 1 ? takenAs(row, 1) : throttled))
    await s.receive(`${id}/1`)
    assert.equal((await s.read(id)).status, 'queued')
    await s.conclude('two', await s.claim('two'), takenAs)
    await s.receive(`${id}/2`)
    assert.equal((await s.read(id)).path, 'queued sending queued sending sent delivered')
  })

  /** The same functions in one open transaction of another connection. */
  const elsewhere = () =>
    ({ work: (_name: string, text: string, values: unknown[]) => t.ownerSql(text, values) }) as unknown as Db

  test('receipts for two parts over two links at the same moment: neither overlooks the other', async () => {
    const id = await sent(2)
    await t.ownerSql('begin')
    await receiveReceipts(elsewhere(), 'simulator', [
      { tenantId: s.tenantId, carrierMessageId: `${id}/1`, status: 'delivered' },
    ])
    const other = s.receive(`${id}/2`)
    await Promise.race([other, sleep(100)])
    await t.ownerSql('commit')
    await other
    const message = await s.read(id)
    assert.deepEqual([message.status, message.segmentsDelivered], ['delivered', 2])
  })

  test('receipts for all parts at once, over and over', async () => {
    for (let round = 0; round < 10; round++) {
      const id = await sent(4)
      await Promise.all([1, 2, 3, 4].map(part => s.receive(`${id}/${part}`)))
      assert.deepEqual([(await s.read(id)).path], ['queued sending sent delivered'])
    }
  })
})

test('whatever carriers say of the parts in whatever order, they and the message end as was said', async () => {
  const answer = fc.constantFrom('accepted', 'throttled', 'refused', 'unknown')
  const reported = fc.constantFrom('delivered', 'undelivered', 'expired')
  const plan = fc.record({
    parts: fc.integer({ min: 1, max: 4 }),
    attempts: fc.array(fc.array(answer, { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 3 }),
    receipts: fc.array(
      fc.record({ part: fc.integer({ min: 1, max: 4 }), status: reported, after: fc.integer({ min: 0, max: 6 }) }),
      { maxLength: 8 },
    ),
  })
  await fc.assert(
    fc.asyncProperty(plan, async ({ parts, attempts, receipts }) => {
      await s.clear()
      const id = await s.send({ body: longText(parts) })
      const model = Array.from({ length: parts }, () => ({ state: 'open', receipt: undefined as string | undefined }))
      let status = 'queued'
      let turn = 0
      const finalOf = () => {
        const ends = model.map(part => (part.state === 'accepted' ? part.receipt : undefined))
        if (ends.includes(undefined)) return undefined
        if (ends.every(end => end === 'delivered')) return 'delivered'
        return ends.includes('undelivered') ? 'undelivered' : 'expired'
      }
      const report = async () => {
        for (const { part, status: said } of receipts.filter(item => item.after === turn && item.part <= parts)) {
          await s.receive(`${id}/${part}`, { status: said })
          model[part - 1]!.receipt ??= said
          if (status === 'sent' || status === 'unconfirmed') status = finalOf() ?? status
        }
        turn++
      }
      await report()
      for (const answers of attempts) {
        if (status !== 'queued') break
        const rows = await s.claim(`t${turn}`)
        const open = model.flatMap((part, index) => (part.state === 'accepted' ? [] : [index + 1]))
        assert.deepEqual(rows.map(partsOf), [open], 'those not taken, each once')
        await report()
        await s.conclude(`t${turn}`, rows, (row, part) => {
          const said = answers[part - 1]
          return said === 'accepted'
            ? takenAs(row, part)
            : { throttled, refused, unknown }[said as 'throttled' | 'refused' | 'unknown']
        })
        for (const part of open) model[part - 1]!.state = answers[part - 1]!
        const states = model.map(part => part.state)
        status = states.includes('refused')
          ? 'failed'
          : states.includes('unknown')
            ? 'unconfirmed'
            : states.includes('throttled')
              ? 'queued'
              : (finalOf() ?? 'sent')
        await report()
        // The lease of the steps above has its own token.
        await t.ownerSql('delete from message_jobs where lease_token is not null')
      }
      while (turn <= 6) await report()
      const message = await s.read(id)
      assert.equal(message.status, status)
      const delivered = model.filter(part => part.state === 'accepted' && part.receipt === 'delivered').length
      assert.equal(message.segmentsDelivered, delivered)
      const holding = (await s.jobs()).filter(job => job.ids.includes(id))
      assert.equal(holding.length, status === 'queued' ? 1 : 0, 'it waits in one place, or in none')
    }),
    { numRuns: 60 },
  )
})
