// What comes in, on the real database: stored once however it is told and wherever the process dies, parts joined in any
// order, and what a text sets off: opt-outs, answers, leads, events.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import type { Db } from '../../../kernel/db.ts'
import { startQueue } from '../../../kernel/queue.ts'
import type { InboundMessage } from '../carrier.ts'
import { listInboundReferences } from '../carriers/store.ts'
import { overdueParts, receiveInbound } from './jobs.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())
beforeEach(async () => {
  await t.ownerSql('truncate messages, message_jobs, inbound_parts, opt_outs, leads, lead_counts, events cascade')
  // By name, so that whoever keeps them in memory hears of it.
  await t.ownerSql('delete from numbers')
  await t.ownerSql('delete from messaging_services')
})

const carrier = 'simulator'
const ours = '+15005550006'
const theirs = '+4915123456789'
let told = 0

function text(body: string, more: Partial<InboundMessage> = {}): InboundMessage {
  return { tenantId: t.main.testTenantId, reference: `r${++told}`, from: theirs, to: ours, body, ...more }
}

/** The parts of one message, each with an id of its own. */
function parts(texts: string[], more: Partial<InboundMessage> = {}, reference = 7): InboundMessage[] {
  return texts.map((body, index) => text(body, { ...more, part: { reference, part: index + 1, total: texts.length } }))
}

const receive = (...batch: InboundMessage[]) => receiveInbound(t.app.services, carrier, batch)

async function call(method: string, path: string, body?: unknown, as = t.main.testKey) {
  const answer = await t.call(method, path, { as, ...(body === undefined ? {} : { body }) })
  assert.ok(answer.status < 300, answer.text)
  return answer.json.data
}

type Shown = {
  body: string
  direction: string
  partial: boolean
  segments: number
  serviceId: string | null
  to: string
}

/** What came in, oldest first. */
async function inbox(as = t.main.testKey): Promise<Shown[]> {
  return (await call('GET', '/v2/messages?limit=200&direction=inbound', undefined, as)).toReversed()
}
const bodies = async () => (await inbox()).map(message => message.body)

/** What was answered, oldest first. */
async function answers(): Promise<string[]> {
  const sent: Shown[] = await call('GET', '/v2/messages?limit=200&direction=outbound')
  return sent.toReversed().map(message => message.body)
}

async function eventTypes(like = '%'): Promise<string[]> {
  const rows = await t.sql<{ type: string }>(
    "select type from events where tenant_id = $1 and type like $2 and type <> 'message.queued' order by id",
    [t.main.testTenantId, like],
  )
  return rows.map(row => row.type)
}

async function eventually(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + 5_000; performance.now() < deadline; await sleep(10))
    if (await holds()) return
  assert.fail(`${what} did not come about`)
}

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
  test('are stored once, however often they are told, each tenant for itself', async () => {
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
      "select callback_url, data ->> 'serviceId' as service from events where type = 'message.received' order by id",
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
      "select (data ->> 'partial')::boolean as partial from events where type = 'message.received'",
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
    const working = overdue.work(groups, 'token')
    await sleep(100)
    released.resolve()
    await Promise.all([receiving, working])
    await timePasses()
    await settleParts()
    assert.deepEqual(await bodies(), ['xy'])
  })

  test('keep a character that was cut in two, and count as keywords only when whole', async () => {
    await receive(...parts(['x\ud83d', '\ude00']), ...parts(['ST', 'OP'], {}, 8))
    assert.deepEqual(await bodies(), ['x😀', 'STOP'])
    assert.deepEqual(await eventTypes('optout.%'), ['optout.created'])
    await receive(parts(['STOP', ' it'], { from: '+4915123456780' }, 9)[0]!)
    await timePasses()
    await settleParts()
    assert.deepEqual(await bodies(), ['x😀', 'STOP', 'STOP'])
    assert.deepEqual(await eventTypes('optout.%'), ['optout.created'])
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
            // Acknowledged; some of it is told once more all the same.
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
        assert.equal((await t.sql("select from events where type = 'message.received'")).length, messages.length)
        assert.deepEqual(await t.ownerSql('select from inbound_parts where body is not null'), [])
      }),
      { numRuns: 40 },
    )
  })
})

describe('keywords', () => {
  const send = (body = 'Hello') =>
    t.call('POST', '/v2/messages/sms', { as: t.main.testKey, body: { from: ours, to: theirs, body } })

  test('STOP opts out and is answered once; START opts in again and is answered; nothing in between is sent', async () => {
    assert.equal((await send()).status, 200)
    await receive(text('stop.'))
    const refused = await send()
    assert.equal(refused.json.error.code, 'recipient_opted_out', refused.text)
    await receive(text('STOP'), text('no'))
    await receive(text('Start'))
    await receive(text('YES'))
    assert.equal((await send('again')).status, 200)
    assert.deepEqual(await answers(), [
      'Hello',
      'You will get no more messages from us. Reply START to get them again.',
      'You will get our messages again. Reply STOP to end them, HELP for help.',
      'again',
    ])
    assert.deepEqual(await eventTypes('optout.%'), ['optout.created', 'optout.removed'])
    const [created, removed] = await t.sql<{ resource_id: string; sequence: number; data: Record<string, unknown> }>(
      "select resource_id, sequence, data from events where type like 'optout.%' order by id",
    )
    assert.deepEqual(
      { ...created!.data, createdAt: '' },
      {
        ...{ optOutId: created!.resource_id, scope: ours, recipient: theirs },
        ...{ source: 'keyword', keyword: 'STOP', createdAt: '' },
      },
    )
    assert.deepEqual([removed!.resource_id, created!.sequence, removed!.sequence], [created!.resource_id, 1, 2])
  })

  test('the word tells the language of the answer', async () => {
    await receive(text('Arrêt'))
    await receive(text('weiter'))
    const [first, second] = await answers()
    assert.match(first!, /^Vous ne recevrez plus/)
    assert.match(second!, /^Sie erhalten wieder/)
  })

  test('in a service they are its own, and stand for all its senders', async () => {
    const german = { language: 'de', stop: { words: ['SCHLUSS'], reply: 'Schade.' }, help: { reply: null } }
    const { serviceId } = await call('POST', '/v2/messages/services', { name: 'S', keywords: [german] })
    const callbackUrl = 'https://example.com/hook'
    await call('POST', '/v2/numbers', { number: ours, serviceId, callbackUrl })
    await call('POST', '/v2/numbers', { number: '+15005550016', serviceId })
    await receive(text('basta'), text('hilfe'))
    assert.deepEqual(await answers(), [], 'a word of no language of the service, and one that is not answered')
    await receive(text('schluß'))
    assert.deepEqual(await answers(), ['Schade.'])
    const [optOut] = await call('GET', '/v2/messages/opt-outs')
    assert.deepEqual([optOut.scope, optOut.recipient, optOut.keyword], [serviceId, theirs, 'SCHLUSS'])
    const [event] = await t.sql("select callback_url from events where type = 'optout.created'")
    assert.deepEqual(event, { callback_url: callbackUrl })
    const body = { from: '+15005550016', to: theirs, body: 'x' }
    const refused = await t.call('POST', '/v2/messages/sms', { as: t.main.testKey, body })
    assert.equal(refused.json.error.code, 'recipient_opted_out')
    await receive(text('START', { to: '+15005550016' }))
    assert.match((await answers()).at(-1)!, /^Sie erhalten wieder/)
  })

  test('HELP is answered once in ten minutes, also to who opted out', async () => {
    await receive(text('STOP'))
    await receive(text('HELP'), text('info'))
    await receive(text('help'))
    assert.deepEqual((await answers()).slice(1), [
      'Reply STOP to get no more messages from us, START to get them again.',
    ])
    await t.ownerSql("update messages set created_at = created_at - interval '11 minutes'")
    await receive(text('help'))
    assert.equal((await answers()).length, 3)
  })

  test('told twice they are answered once; a number that sends no texts answers nothing', async () => {
    const stop = text('STOP')
    await Promise.all([receive(stop), receive(stop)])
    assert.equal((await answers()).length, 1)
    await call('POST', '/v2/numbers', { number: '+15005550016', sms: false })
    await receive(text('STOP', { to: '+15005550016' }))
    assert.equal((await answers()).length, 1)
    assert.equal((await call('GET', '/v2/messages/opt-outs')).length, 2)
  })

  test('from what is no telephone number are texts like others', async () => {
    await receive(text('STOP', { from: 'ACME' }), text('HELP', { from: '12345' }))
    assert.deepEqual(await answers(), [])
    assert.deepEqual(await call('GET', '/v2/messages/opt-outs'), [])
    assert.equal((await inbox()).length, 2)
  })

  test('of many people at the same moment on two nodes: none lost, none waits for ever', async () => {
    const second = await t.secondApp()
    const people = Array.from({ length: 30 }, (_, n) => `+49151${10_000_000 + n}`)
    const batch = (order: string[]) => order.map(from => text('STOP', { from }))
    await Promise.all([
      receive(...batch(people)),
      receiveInbound(second.app.services, carrier, batch(people.toReversed())),
    ])
    assert.equal((await call('GET', '/v2/messages/opt-outs?limit=200')).length, people.length)
    await second.app.stop()
  })
})

describe('leads', () => {
  const leads = async () => (await t.call('GET', '/v1/api/leads', { as: t.main.testKey })).json.leads

  test('are made of strangers where the number says so, once, with their history and event', async () => {
    await call('POST', '/v2/numbers', { number: ours, createsLeads: true })
    await receive(text('Hello'), text('Anybody?'))
    await receive(text('Hello?'), text('to another', { to: '+15005550016', from: '+4915123456780' }))
    const found = await leads()
    assert.equal(found.length, 1)
    const { name, phone, source, status, owner_id } = found[0]
    assert.deepEqual(
      { name, phone, source, status, owner_id },
      { ...{ name: theirs, phone: theirs, source: 'sms' }, ...{ status: 'New', owner_id: null } },
    )
    assert.deepEqual(await eventTypes('lead.%'), ['lead.created'])
    const history = await t.ownerSql<{ to_status: string }>(
      'select to_status from lead_status_changes where lead_id = $1',
      [found[0].id],
    )
    assert.deepEqual(history, [{ to_status: 'New' }])
  })

  test('are not made of who is one already, nor of who wants no texts', async () => {
    await call('POST', '/v2/numbers', { number: ours, createsLeads: true })
    const lead = await t.call('POST', '/v1/api/leads', { as: t.main.testKey, body: { name: 'Ada', phone: theirs } })
    assert.equal(lead.status, 201, lead.text)
    await receive(text('Hello'), text('STOP', { from: '+4915123456780' }), text('Hi', { from: 'ACME' }))
    assert.deepEqual(
      (await leads()).map((row: { name: string }) => row.name),
      ['Ada'],
    )
    // In the bin is gone.
    await t.call('DELETE', `/v1/api/leads/${lead.json.lead.id}`, { as: t.main.testKey })
    await receive(text('Hello again'))
    assert.deepEqual(
      (await leads()).map((row: { name: string }) => row.name),
      [theirs],
    )
  })

  test('of two texts at the same moment on two nodes: one', async () => {
    await call('POST', '/v2/numbers', { number: ours, createsLeads: true })
    const second = await t.secondApp()
    await Promise.all([
      receive(text('a')),
      receiveInbound(second.app.services, carrier, [text('b')]),
      receive(text('c')),
    ])
    assert.equal((await leads()).length, 1)
    await second.app.stop()
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
  assert.equal((await asked(carrier, since + 60_000)).length, 1, 'parts are few, and kept for minutes only')
  assert.deepEqual(await asked('car_another', since - 1_000), [])
})
