// Sending text messages over the API: the founding document's contract, every refusal, and idempotency under a race.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { TestApp } from '../../../../test/harness.ts'
import { number, sender, startSms } from '../../../../test/sms.ts'

const { t, send, read } = await startSms()

describe('accepting', () => {
  test('what the simulator refuses names its field, as a real refusal does', async () => {
    for (const [body, field] of [
      [{ from: sender, to: number('0001') }, 'to'],
      [{ from: number('0001'), to: number('0100') }, 'from'],
    ] as const) {
      const { status, json } = await t.call('POST', '/v2/messages/sms', {
        as: t.main.testKey,
        body: { ...body, body: 'x' },
      })
      assert.deepEqual([status, json.error.details?.[0]?.field], [422, field], JSON.stringify(json))
    }
  })

  test('answers 200 with the bare body of the contract', async () => {
    const answer = await t.call('POST', '/v2/messages/sms', {
      as: t.main.testKey,
      body: { from: sender, to: number('0100'), body: 'Your table is ready.' },
    })
    assert.equal(answer.status, 200)
    assert.match(answer.text, /^\{"messageId":"msg_[0-9a-z]{26}","status":"queued","deliveredAt":null\}$/)
  })

  test('stores message, event and job in the one commit', async () => {
    const id = await send('+15005550123', 'Grüße €', t.main.testKey, {
      callbackUrl: 'https://hooks.example.com/sms',
      tags: ['a', 'b"c'],
      metadata: { 'order id': '4711', quote: '"\\' },
      validityPeriod: 600,
    })
    const message = await read(id)
    assert.deepEqual(
      { ...message, createdAt: 0, history: 0, parts: 0 },
      {
        messageId: id,
        direction: 'outbound',
        from: sender,
        to: '+15005550123',
        body: 'Grüße €',
        status: 'queued',
        code: null,
        encoding: 'GSM-7',
        segments: 1,
        segmentsDelivered: 0,
        attempts: 0,
        carrier: 'simulator',
        serviceId: null,
        price: null,
        currency: null,
        callbackUrl: 'https://hooks.example.com/sms',
        tags: ['a', 'b"c'],
        metadata: { 'order id': '4711', quote: '"\\' },
        validityPeriod: 600,
        partial: false,
        createdAt: 0,
        sendAt: null,
        sentAt: null,
        deliveredAt: null,
        finalAt: null,
        redactedAt: null,
        history: 0,
        parts: 0,
      },
    )
    assert.deepEqual(message.history, [{ status: 'queued', at: message.createdAt, code: null }])
    const events = await t.sql<{ type: string; sequence: number; data: Record<string, unknown> }>(
      'select type, sequence, data from event_log where resource_id = $1',
      [id],
    )
    const { history: _, parts: _parts, ...snapshot } = message
    assert.deepEqual(events, [{ type: 'message.queued', sequence: 1, data: { ...snapshot, previousStatus: null } }])
    const jobs = await t.sql('select from message_jobs where $1 = any (message_ids)', [id])
    assert.equal(jobs.length, 1)
  })

  test('takes numbers in every usual spelling, short codes and sender ids', async () => {
    const spellings: [from: string, kept: string][] = [
      ['+1 (500) 555-0006', '+15005550006'],
      ['001 500 555 0006', '+15005550006'],
      ['tel:+1-500-555-0006', '+15005550006'],
      ['(500) 555-0006', '+15005550006'],
      ['12345', '12345'],
      ['ACME Corp', 'ACME Corp'],
      ['A1', 'A1'],
    ]
    for (const [from, kept] of spellings) {
      const id = await send('+1 (500) 555 0123', 'x', t.main.testKey, { from })
      const message = await read(id)
      assert.equal(message.from, kept)
      assert.equal(message.to, '+15005550123')
    }
  })

  test('takes what the documentation says ten segments hold, and what smart encoding leaves out besides', async () => {
    const full = ['a'.repeat(1_530), 'я'.repeat(670)]
    for (const text of full) {
      const { segments } = await read(await send(number('0100'), text))
      assert.equal(segments, 10)
    }
    const longest = `${'a'.repeat(1_530)}${'\u200b'.repeat(70)}`
    const { segments, body } = await read(
      await send(number('0100'), longest, t.main.testKey, { from: sender, smartEncoding: true }),
    )
    assert.deepEqual([segments, body], [10, 'a'.repeat(1_530)])
  })

  test('refuses what is malformed with 400 and names every fault', async () => {
    const cases: [body: object, fields: string[]][] = [
      [{}, ['to', 'body']],
      [{ to: number('0100'), body: 'x' }, ['from']],
      [{ from: sender, to: number('0100'), body: '' }, ['body']],
      [{ from: sender, to: number('0100'), body: 'a'.repeat(1_601) }, ['body']],
      [{ from: sender, to: 'nobody', body: 'x' }, ['to']],
      [{ from: sender, to: number('0100'), body: '\ud800' }, ['body']],
      [{ from: sender, to: number('0100'), body: 'a\0b' }, ['body']],
      [{ from: sender, to: number('0100'), body: 'x', sendAt: 'soon' }, ['sendAt']],
      [
        { from: sender, to: number('0100'), body: 'x', validityPeriod: 0, callbackUrl: 'nowhere' },
        ['validityPeriod', 'callbackUrl'],
      ],
      [{ from: sender, to: number('0100'), body: 'x', metadata: { a: 1 }, tags: [''] }, ['metadata.a', 'tags[0]']],
    ]
    for (const [body, fields] of cases) {
      const answer = await t.call('POST', '/v2/messages/sms', { as: t.main.testKey, body })
      assert.equal(answer.status, 400, answer.text)
      const named = answer.json.error.details.map((fault: { field: string }) => fault.field)
      for (const field of fields) assert.ok(named.includes(field), `${field} is not among ${named}`)
    }
  })

  const refusals: [what: string, body: object, status: number, code: string][] = [
    ['a sender that is none', { from: '!!' }, 422, 'invalid_from_number'],
    ['a sender id of 12 letters', { from: 'TwelveLetter' }, 422, 'invalid_from_number'],
    ['a recipient no country can read', { to: `12${'3'.repeat(15)}` }, 422, 'invalid_to_number'],
    ['11 segments', { body: 'a'.repeat(1_531) }, 422, 'body_too_long'],
    ['11 segments in UCS-2', { body: 'я'.repeat(671) }, 422, 'body_too_long'],
    ['a callback to this machine', { callbackUrl: 'http://127.0.0.1:8080/' }, 422, 'invalid_callback_url'],
    ['a callback to an inner name', { callbackUrl: 'https://db.internal/' }, 422, 'invalid_callback_url'],
    ['…0001', { to: number('0001') }, 422, 'invalid_to_number'],
    ['from …0001', { from: number('0001') }, 422, 'invalid_from_number'],
    ['…0002', { to: number('0002') }, 422, 'no_route'],
    ['…0003', { to: number('0003') }, 403, 'destination_not_allowed'],
    ['…0004', { to: number('0004') }, 403, 'recipient_opted_out'],
    ['from …0007', { from: number('0007') }, 403, 'sender_not_owned'],
    ['from …0008', { from: number('0008') }, 429, 'sender_queue_full'],
    ['from …0009', { from: number('0009') }, 422, 'sender_not_capable'],
  ]
  for (const [what, body, status, code] of refusals) {
    test(`refuses ${what}: ${code}`, async () => {
      const count = () => t.sql<{ n: string }>('select count(*) as n from messages')
      const [before] = await count()
      const answer = await t.call('POST', '/v2/messages/sms', {
        as: t.main.testKey,
        body: { from: sender, to: number('0100'), body: 'x', ...body },
      })
      assert.equal(answer.status, status, answer.text)
      assert.equal(answer.json.error.code, code)
      if (status === 429) assert.ok(Number(answer.headers['retry-after']) > 0)
      assert.deepEqual(await count(), [before], 'a refusal leaves nothing behind')
    })
  }

  test('ten segments are taken, in both encodings', async () => {
    assert.equal((await read(await send(number('0100'), 'a'.repeat(1_530)))).segments, 10)
    const wide = await read(await send(number('0100'), 'я'.repeat(670)))
    assert.deepEqual([wide.encoding, wide.segments], ['UCS-2', 10])
  })

  test('the numbers mean nothing special in the live mode', async () => {
    for (const last of ['0001', '0004', '0008']) await send(number(last), 'x', t.main.liveKey)
  })
})

describe('Idempotency-Key', () => {
  const post = (key: string, body: object, as = t.main.testKey) =>
    t.call('POST', '/v2/messages/sms', {
      as,
      headers: { 'idempotency-key': key },
      body: { from: sender, to: number('0100'), ...body },
    })

  test('20 requests at once with one key make one message and get the same bytes', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => post('race', { body: 'once' })))
    assert.deepEqual(new Set(answers.map(answer => answer.status)), new Set([200]))
    assert.equal(new Set(answers.map(answer => answer.text)).size, 1)
    assert.equal(answers.filter(answer => answer.headers['idempotent-replayed'] === undefined).length, 1)
    const rows = await t.sql("select from messages where body = 'once'")
    assert.equal(rows.length, 1)
    const events = await t.sql("select from event_log where data ->> 'body' = 'once'")
    assert.equal(events.length, 1)
  })

  test('races of many keys across two nodes neither double nor lock up', async () => {
    const second = await t.secondApp()
    const keys = Array.from({ length: 40 }, (_, index) => `both ${index}`)
    const on = (call: TestApp['call'], key: string) =>
      call('POST', '/v2/messages/sms', {
        as: t.main.testKey,
        headers: { 'idempotency-key': key },
        body: { from: sender, to: number('0100'), body: key },
      })
    const answers = await Promise.all([
      ...keys.map(key => on(t.call, key)),
      ...keys.toReversed().map(key => on(second.call, key)),
    ])
    for (const answer of answers) assert.equal(answer.status, 200, answer.text)
    const rows = await t.sql<{ n: string }>("select count(*) as n from messages where body like 'both %'")
    assert.equal(Number(rows[0]!.n), keys.length)
    assert.equal(new Set(answers.map(answer => answer.text)).size, keys.length)
  })

  test('the same key with another body is refused, also within one group', async () => {
    const answers = await Promise.all([post('mixed', { body: 'first' }), post('mixed', { body: 'second' })])
    assert.deepEqual(answers.map(answer => answer.status).toSorted(), [200, 422])
    assert.equal(answers.find(answer => answer.status === 422)?.json.error.code, 'idempotency_mismatch')
    const rows = await t.sql("select from messages where body in ('first', 'second')")
    assert.equal(rows.length, 1)
  })

  test('refusals are not kept: the corrected request may use the key', async () => {
    const refused = await post('corrected', { to: number('0004'), body: 'x' })
    assert.equal(refused.status, 403)
    assert.equal((await post('corrected', { body: 'x' })).status, 200)
  })

  test('keyed and unkeyed requests of one group, of two organizations, do not touch each other', async () => {
    const answers = await Promise.all([
      post('shared', { body: 'of main' }),
      post('shared', { body: 'of other' }, t.other.testKey),
      send(number('0100'), 'without key'),
    ])
    assert.equal(answers[0]!.status, 200)
    assert.equal(answers[1]!.status, 200)
    assert.notEqual(answers[0]!.text, answers[1]!.text)
  })
})
