// What comes in, on the real database: stored once however it is delivered and wherever the process dies, parts joined in any
// order. What a text sets off stands in effects.test.ts.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { eventually } from '../../../../test/eventually.ts'
import { carrier, ours, startInbound, theirs } from '../../../../test/inbound.ts'
import type { Db } from '../../../kernel/data/db.ts'
import { startQueue } from '../../../kernel/jobs/queue.ts'
import type { InboundMessage } from '../carrier.ts'
import { listInboundReferences } from '../carriers/store.ts'
import { overdueParts, receiveInbound } from './jobs.ts'

const { t, text, parts, receive, call, inbox, bodies, eventTypes } = await startInbound()

const overdueQueue = () => overdueParts(t.app.services)

/** Lets the queue of overdue parts run until nothing is due. */
async function settleParts(): Promise<void> {
  const { log } = t.app.services
  const queue = startQueue({ ...overdueQueue(), pollMs: 10 }, { log, newToken: () => 'token' })
  const due = 'select count(*)::int as due from inbound_parts where due_at <= now()'
  await eventually('all settled', async () => (await t.ownerSql<{ due: number }>(due))[0]!.due === 0)
  await queue.stop()
}

const timePasses = () => t.ownerSql("update inbound_parts set due_at = due_at - interval '5 minutes 1 second'")

describe('whole messages', () => {
  test('are stored once, however often they are delivered, each tenant for itself', async () => {
    const hi = text('Hi 😀')
    await Promise.all([receive(hi), receive(hi, hi)])
    await receive(hi, { ...hi, tenantId: t.other.testTenantId })
    const [message, ...more] = await inbox()
    assert.deepEqual(more, [])
    assert.deepEqual(
      { ...message, messageId: '', createdAt: '', finalAt: '' },
      {
        ...{ messageId: '', direction: 'inbound', from: theirs, to: ours, body: 'Hi 😀', status: 'received' },
        ...{ code: null, encoding: 'UCS-2', segments: 1, segmentsDelivered: 0, attempts: 0, carrier, serviceId: null },
        ...{ price: null, currency: null, callbackUrl: null, tags: [], metadata: {}, validityPeriod: null },
        ...{
          partial: false,
          createdAt: '',
          sendAt: null,
          sentAt: null,
          deliveredAt: null,
          finalAt: '',
          redactedAt: null,
        },
      },
    )
    assert.equal((await inbox(t.other.testKey)).length, 1)
    assert.deepEqual(await eventTypes(), ['message.received'])
  })

  test('of no tenant are dropped and hold up nobody; text that cannot be stored becomes text that can', async () => {
    t.app.services.log.level = 'silent'
    await receive(text('x', { tenantId: 999_999 }), text('a\0b\ud800', { from: 'BAN\0K' }))
    t.app.services.log.level = 'error'
    assert.deepEqual(await bodies(), ['a\ufffdb\ufffd'])
  })

  test('carry the settings of the number they came to', async () => {
    const service = await call('POST', '/v2/messages/services', {
      name: 'S',
      callbackUrl: 'https://example.com/service',
    })
    const { serviceId } = service
    await call('POST', '/v2/numbers', { number: ours, serviceId, callbackUrl: 'https://example.com/number' })
    await call('POST', '/v2/numbers', { number: '+15005550016', serviceId })
    await receive(text('one'), text('two', { to: '+15005550016' }), text('three', { to: '+15005550026' }))
    const seen = (await call('GET', '/v2/messages?direction=inbound')).toReversed()
    assert.deepEqual(
      seen.map((message: { serviceId: string; callbackUrl: string }) => [message.serviceId, message.callbackUrl]),
      [
        [serviceId, 'https://example.com/number'],
        [serviceId, 'https://example.com/service'],
        [null, null],
      ],
    )
    const events = await t.sql(
      "select callback_url, data ->> 'serviceId' as service from event_log where type = 'message.received' order by id",
    )
    assert.deepEqual(events, [
      { callback_url: 'https://example.com/number', service: serviceId },
      { callback_url: 'https://example.com/service', service: serviceId },
      { callback_url: null, service: null },
    ])
  })

  test('of a large batch are all taken in', async () => {
    await receive(...Array.from({ length: 450 }, (_, n) => text(`n ${n}`)))
    const [row] = await t.sql<{ count: number }>('select count(*)::int as count from messages')
    assert.equal(row?.count, 450)
  })
})

describe('parts', () => {
  test('make one message when the last of them came, whichever that is', async () => {
    const [one, two, three] = parts(['Good ', 'morning, ', 'Ada'])
    await receive(three!)
    await receive(one!)
    assert.deepEqual(await inbox(), [])
    await receive(two!)
    const [message] = await inbox()
    assert.deepEqual([message?.body, message?.segments, message?.partial], ['Good morning, Ada', 3, false])
    await receive(one!, two!, three!)
    assert.equal((await inbox()).length, 1, 'repeated, they are known')
    await timePasses()
    await settleParts()
    assert.equal((await inbox()).length, 1)
  })

  test('of two nodes at the same moment: one message', async () => {
    const second = await t.secondApp()
    for (let round = 0; round < 20; round++) {
      const [one, two] = parts([`a${round} `, 'b'], {}, round)
      await Promise.all([
        receive(one!),
        receiveInbound(second.app.services, carrier, [two!]),
        receiveInbound(second.app.services, carrier, [one!]),
      ])
    }
    assert.equal((await inbox()).length, 20)
    await second.app.stop()
  })

  test('become a partial message after five minutes; what comes later becomes another', async () => {
    const [one, two, three] = parts(['one ', 'two ', 'three'])
    await receive(three!)
    await receive(one!)
    await settleParts()
    assert.deepEqual(await inbox(), [], 'not before the time')
    await timePasses()
    await settleParts()
    const [message, ...more] = await inbox()
    assert.deepEqual(more, [])
    assert.deepEqual([message?.body, message?.segments, message?.partial], ['one three', 2, true])
    const [event] = await t.sql<{ partial: boolean }>(
      "select (data ->> 'partial')::boolean as partial from event_log where type = 'message.received'",
    )
    assert.equal(event?.partial, true)
    await receive(one!, two!)
    await timePasses()
    await settleParts()
    assert.deepEqual(
      (await inbox()).map(({ body, partial }) => [body, partial]),
      [
        ['one three', true],
        ['two ', true],
      ],
    )
  })

  test('are forgotten a day after they were joined', async () => {
    await receive(...parts(['a', 'b']))
    await t.ownerSql("update inbound_parts set due_at = due_at - interval '23 hours'")
    await settleParts()
    assert.equal((await t.ownerSql('select from inbound_parts')).length, 2)
    await t.ownerSql("update inbound_parts set due_at = due_at - interval '2 hours'")
    await settleParts()
    assert.deepEqual(await t.ownerSql('select from inbound_parts'), [])
  })

  test('that come at the moment their time runs out are joined or partial, and never both', async () => {
    const [one, two] = parts(['x', 'y'])
    await receive(two!)
    await timePasses()
    const overdue = overdueQueue()
    const groups = await overdue.claim('token', 10)
    assert.equal(groups.length, 1)
    const [written, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { db } = t.app.services
    const slow: Db = {
      ...db,
      inTenant: (scope, work) =>
        db.inTenant(scope, async tx => {
          const result = await work(tx)
          written.resolve()
          await released.promise
          return result
        }),
    }
    const receiving = receiveInbound({ ...t.app.services, db: slow }, carrier, [one!])
    await written.promise
    const working = overdue.work(groups, 'token', () => false)
    await sleep(100)
    released.resolve()
    await Promise.all([receiving, working])
    await timePasses()
    await settleParts()
    assert.deepEqual(await bodies(), ['xy'])
  })

  test('of which one group cannot be stored keep no other back', async () => {
    t.app.services.log.level = 'silent'
    await receive(parts(['x', 'y'])[0]!)
    await receive(parts(['a', 'b'], { from: '+4915123456780' }, 8)[0]!)
    await timePasses()
    const { db } = t.app.services
    let failed = 0
    const failing: Db = {
      ...db,
      inTenant: (scope, work) =>
        failed++ === 0 ? Promise.reject(new Error('this group cannot be stored')) : db.inTenant(scope, work),
    }
    const overdue = overdueParts({ ...t.app.services, db: failing })
    const groups = await overdue.claim('token', 10)
    assert.equal(groups.length, 2)
    await overdue.work(groups, 'token', () => false)
    assert.equal((await bodies()).length, 1)
    await timePasses()
    await settleParts()
    assert.deepEqual((await bodies()).toSorted(), ['a', 'x'])
  })

  test('keep a character that was cut in two, and count as keywords only when whole', async () => {
    await receive(...parts(['x\ud83d', '\ude00']), ...parts(['ST', 'OP'], {}, 8))
    assert.deepEqual(await bodies(), ['x😀', 'STOP'])
    assert.deepEqual(await eventTypes('opt_out.%'), ['opt_out.created'])
    await receive(parts(['STOP', ' it'], { from: '+4915123456780' }, 9)[0]!)
    await timePasses()
    await settleParts()
    assert.deepEqual(await bodies(), ['x😀', 'STOP', 'STOP'])
    assert.deepEqual(await eventTypes('opt_out.%'), ['opt_out.created'])
  })

  test('whatever the order, repetitions, batches and crashes: every message once, and nothing else', async () => {
    /** A process that dies at the end of some transactions, before they are committed. */
    const dying = (dies: () => boolean): Db => ({
      ...t.app.services.db,
      inTenant: (scope, work) =>
        t.app.services.db.inTenant(scope, async tx => {
          const result = await work(tx)
          if (dies()) throw new Error('the process died')
          return result
        }),
    })
    const scenario = fc.record({
      messages: fc.uniqueArray(
        fc.record({
          from: fc.constantFrom('+4915100000001', '+4915100000002'),
          reference: fc.constantFrom(0, 1),
          texts: fc.array(fc.string({ minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 4 }),
        }),
        {
          selector: ({ from, reference, texts }) => `${from} ${reference} ${texts.length}`,
          minLength: 1,
          maxLength: 5,
        },
      ),
      seed: fc.array(fc.nat(), { minLength: 60, maxLength: 60 }),
    })
    await fc.assert(
      fc.asyncProperty(scenario, async ({ messages, seed }) => {
        await t.ownerSql('truncate messages, message_jobs, inbound_parts, opt_outs, events cascade')
        let at = 0
        const draw = (below: number) => seed[at++ % seed.length]! % below
        const all = messages.flatMap(({ from, reference, texts }) => parts(texts, { from }, reference))
        const repeated = Array.from({ length: draw(5) }, () => all[draw(all.length)]!)
        const queue = [...all, ...repeated]
        for (let last = queue.length - 1; last > 0; last--) {
          const other = draw(last + 1)
          ;[queue[last], queue[other]] = [queue[other]!, queue[last]!]
        }
        const services = { ...t.app.services, db: dying(() => draw(3) === 0) }
        while (queue.length > 0) {
          const batch = queue.slice(0, 1 + draw(3))
          try {
            await receiveInbound(services, carrier, batch)
            // Acknowledged; some of it is delivered again all the same.
            queue.splice(0, batch.length)
            if (draw(4) === 0) queue.push(batch[0]!)
          } catch (error) {
            assert.match(String(error), /the process died/)
          }
          if (at > 2_000) assert.fail('it never ended')
        }
        const rows = await t.sql<{ body: string }>('select body from messages')
        assert.deepEqual(
          rows.map(row => row.body).toSorted(),
          messages.map(({ texts }) => texts.join('').replaceAll('\0', '\ufffd')).toSorted(),
        )
        assert.equal((await t.sql("select from event_log where type = 'message.received'")).length, messages.length)
        assert.deepEqual(await t.ownerSql('select from inbound_parts where body is not null'), [])
      }),
      { numRuns: 40 },
    )
  })
})

test('what was stored shortly before a crash can be asked for: texts and parts, the newest last', async () => {
  const since = Date.now()
  await receive(text('first', { reference: 'kA.era.s.0' }))
  await receive(parts(['a', 'b'])[0] as InboundMessage)
  await receive(text('last', { reference: 'kB.era.s.0' }))
  const scope = { tenantId: t.main.testTenantId, organizationId: t.main.organizationId }
  const asked = (of: string, sinceMs: number) =>
    t.app.services.db.inTenant(scope, tx => listInboundReferences(tx, scope, of, sinceMs))
  const stored = await asked(carrier, since - 1_000)
  assert.deepEqual(
    stored.filter(reference => reference.startsWith('k')),
    ['kA.era.s.0', 'kB.era.s.0'],
  )
  assert.equal(stored.length, 3)
  assert.equal((await asked(carrier, since + 60_000)).length, 1, 'a part that waits may have come just now')
  assert.deepEqual(await asked(carrier, since + 301_000), [])
  await receive(...parts(['a', 'b'], {}, 8))
  assert.equal((await asked(carrier, since - 1_000)).length, 6)
  await t.ownerSql("update inbound_parts set due_at = due_at - interval '8 hours' where body is null")
  assert.equal(
    (await asked(carrier, since - 1_000)).length,
    4,
    'parts that were joined in the morning were acknowledged',
  )
  const [hour, minute] = [3_600_000, 60_000]
  assert.equal((await asked(carrier, since - hour - minute)).length, 1, 'nothing was stored an hour after a crash')
  assert.deepEqual(await asked('car_another', since - 1_000), [])
})
