// What a request to send may ask for and what becomes of it: services and their senders, opt-outs, senders of limited speed,
// schedules, and messages that are taken back.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import pg from 'pg'
import { longText, recipient, sender, startSteps, taken, throttled } from '../../../../test/messages.ts'
import { type Answer, acceptAnswersIn } from './intake.ts'

const { t, s } = await startSteps()

const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
const cancel = (id: string) => t.call('POST', `/v2/messages/${id}/cancel`, { as: s.as })

describe('opt-outs', () => {
  test('refuse at acceptance, for the service or for the one sender, and nothing is written', async () => {
    const serviceId = await s.addService()
    await s.addNumber('+15005550016', { service_id: serviceId })
    await s.addNumber('+15005550017')
    await s.optOut(serviceId)
    await s.optOut('+15005550017')
    assert.equal(await s.refusal({ from: undefined, serviceId }), '403 recipient_opted_out')
    assert.equal(await s.refusal({ from: '+15005550016' }), '403 recipient_opted_out', 'the sender is of the service')
    assert.equal(await s.refusal({ from: '+15005550017' }), '403 recipient_opted_out')
    assert.deepEqual(await t.sql('select from messages'), [])
    await s.send()
    await s.send({ from: '+15005550017', to: '+15005550998' })
    await t.ownerSql('delete from opt_outs')
    await s.send({ from: undefined, serviceId })
  })

  test('of other organizations and of the other mode do not count', async () => {
    for (const tenantId of [t.main.liveTenantId, t.other.testTenantId])
      await t.ownerSql("insert into opt_outs values ($1, 'opt_1', $2, $3, 'api', null, now())", [
        ...[tenantId, sender, recipient],
      ])
    await s.send()
  })

  test('that come while a message waits keep it back', async () => {
    const [waiting, later] = [await s.send(), await s.send({ sendAt: inMinutes(6) })]
    await s.optOut(sender)
    assert.deepEqual(await s.claim('t'), [])
    await s.ripen('message_jobs')
    assert.deepEqual(await s.claim('u'), [])
    for (const id of [waiting, later]) {
      const message = await s.read(id)
      assert.deepEqual([message.status, message.code, message.attempts], ['failed', 'recipient_opted_out', 0])
    }
    assert.deepEqual(await s.jobs(), [])
  })

  test('keep back the parts that were not taken yet', async () => {
    const id = await s.send({ body: longText(2) })
    await s.conclude('t', await s.claim('t'), (row, part) => (part === 1 ? taken(`${row.id}/1`) : throttled))
    await s.optOut(sender)
    assert.deepEqual(await s.claim('u'), [])
    assert.equal((await s.read(id)).path, 'queued sending queued failed')
  })

  test('do not keep back the answer to the word itself', async () => {
    await s.optOut(sender)
    const scope = { tenantId: s.tenantId, organizationId: t.main.organizationId }
    const queue = async (more: Partial<Answer>) => {
      const text = { from: sender, to: recipient, body: 'Bye', ...more }
      const owner = { tenantId: s.tenantId, mode: 'test' as const }
      const [queued] = await s.db.inTenant(scope, tx => acceptAnswersIn(tx, owner, [text]))
      return queued
    }
    assert.equal(await queue({}), undefined)
    const queued = await queue({ ignoreOptOut: true })
    assert.equal(queued?.carrier, 'simulator')
    assert.deepEqual(
      (await s.claim('t')).map(row => [row.id, row.body]),
      [[queued!.messageId, 'Bye']],
    )
  })

  test('an answer under an Idempotency-Key is repeated, whatever was opted out since', async () => {
    const post = () => s.post({}, { 'idempotency-key': 'before stop' })
    const first = await post()
    assert.equal(first.status, 200)
    await s.optOut(sender)
    const again = await post()
    assert.deepEqual([again.status, again.text], [200, first.text])
    assert.equal((await s.post({}, { 'idempotency-key': 'after stop' })).status, 403)
  })
})

describe('a sender of limited speed', () => {
  const slow = '+15005550020'
  const dueOf = async (id: string) => (await s.jobs()).find(job => job.ids.includes(id))!.seconds

  test('sends one after the other, a segment at its time', async () => {
    await s.addNumber(slow, { segments_per_second: 0.1 })
    const ids: string[] = []
    for (const segments of [1, 3, 1]) ids.push(await s.send({ from: slow, body: longText(segments) }))
    const dues = await Promise.all(ids.map(dueOf))
    for (const [index, due] of [0, 10, 40].entries())
      assert.ok(Math.abs(dues[index]! - due) < 2, `message ${index} is due in ${dues[index]} s, not ${due}`)
    const free = await s.send()
    assert.deepEqual(
      (await s.claim('t')).map(row => row.id),
      [ids[0], free],
      'another sender does not wait',
    )
  })

  test('keeps its speed for a batch and for many requests at once', async () => {
    await s.addNumber(slow, { segments_per_second: 2 })
    const messages = Array.from({ length: 20 }, () => ({ from: slow, to: recipient, body: 'x' }))
    const [{ json }] = await Promise.all([
      t.call('POST', '/v2/messages/sms/batch', { as: s.as, body: { messages } }),
      ...Array.from({ length: 20 }, () => s.send({ from: slow })),
    ])
    assert.equal(json.data.accepted, 20)
    const dues = (await s.jobs()).flatMap(job => job.ids.map(() => job.seconds)).toSorted((a, b) => a - b)
    assert.equal(dues.length, 40)
    const gaps = dues.slice(1).map((due, index) => due - dues[index]!)
    assert.ok(
      gaps.every(gap => Math.abs(gap - 0.5) < 0.01),
      gaps.join(' '),
    )
  })

  test('is full when ten hours wait: refused, and nothing is written; what is scheduled is not', async () => {
    await s.addNumber(slow, { segments_per_second: 1 })
    const freeIn = (hours: string) =>
      t.ownerSql(
        `insert into sender_pace values ($1, $2, now() + $3::interval)
        on conflict (tenant_id, sender) do update set free_at = excluded.free_at`,
        [s.tenantId, slow, hours],
      )
    await freeIn('9 hours 59 minutes')
    await s.send({ from: slow, validityPeriod: 36_000 })
    await freeIn('10 hours 1 minute')
    const answer = await s.post({ from: slow })
    assert.deepEqual([answer.status, answer.json.error.code], [429, 'sender_queue_full'])
    assert.ok(Number(answer.headers['retry-after']) > 0)
    assert.equal((await t.sql('select from messages')).length, 1)
    await s.send({ from: slow, sendAt: inMinutes(24 * 60) })
    await s.send()
  })

  test('what is scheduled takes its turn when its time has come', async () => {
    await s.addNumber(slow, { segments_per_second: 0.1 })
    const later = [
      await s.send({ from: slow, sendAt: inMinutes(6) }),
      await s.send({ from: slow, sendAt: inMinutes(6) }),
    ]
    const now = await s.send({ from: slow })
    assert.ok((await dueOf(now)) < 1, 'it does not wait for those of later')
    await s.ripen('message_jobs')
    const rows = await s.claim('t')
    assert.deepEqual(
      rows.map(row => row.id),
      [now],
    )
    const dues = await Promise.all(later.map(dueOf))
    assert.ok(Math.abs(dues[0]! - 10) < 2 && Math.abs(dues[1]! - 20) < 2, dues.join(' '))
    for (const id of later) assert.equal((await s.read(id)).path, 'scheduled queued')
    await t.ownerSql("update message_jobs set due_at = now() - interval '1 second' where lease_token is not null")
    await s.claim('finds the lost lease')
    assert.deepEqual(await Promise.all([now, ...later].map(async id => (await s.read(id)).status)), [
      'unconfirmed',
      'queued',
      'queued',
    ])
    await s.ripen('message_jobs')
    assert.deepEqual((await s.claim('u')).map(row => row.id).toSorted(), later)
  })
})

describe('schedules', () => {
  test('a message waits until its time, then goes its way', async () => {
    const sendAt = inMinutes(6)
    const answer = await s.post({ sendAt, validityPeriod: 60 })
    assert.deepEqual([answer.status, answer.json.status], [200, 'scheduled'])
    const id = answer.json.messageId
    assert.deepEqual([(await s.read(id)).sendAt, (await s.read(id)).status], [sendAt, 'scheduled'])
    assert.deepEqual(await s.claim('t'), [])
    const seconds = (await s.jobs())[0]!.seconds
    assert.ok(Math.abs(seconds - 360) < 5)
    await s.ripen('message_jobs')
    const rows = await s.claim('u')
    // The validity counts from then.
    assert.ok(Math.abs(Date.parse(rows[0]!.expires_at) - Date.parse(sendAt) - 60_000) < 5)
    await s.conclude('u', rows, row => taken(row.id))
    assert.equal((await s.read(id)).path, 'scheduled queued sending sent')
    const events = await t.sql<{ type: string }>(
      'select type from event_log where resource_id = $1 order by sequence',
      [id],
    )
    assert.deepEqual(
      events.map(event => event.type),
      ['message.scheduled', 'message.queued', 'message.sending', 'message.sent'],
    )
  })

  test('it expires when it could not be handed over in time after that', async () => {
    const id = await s.send({ sendAt: inMinutes(6), validityPeriod: 60 })
    await t.ownerSql(
      "update messages set send_at = now() - interval '50 seconds', created_at = now() - interval '1 day'",
    )
    await s.ripen('message_jobs')
    assert.equal((await s.claim('t')).length, 1, 'it was created long ago, but is in time')
    const late = await s.send({ sendAt: inMinutes(6), validityPeriod: 60 })
    await t.ownerSql("update messages set send_at = now() - interval '70 seconds' where id = $1", [late])
    await s.ripen('message_jobs')
    await s.claim('u')
    assert.equal((await s.read(late)).status, 'expired')
    assert.notEqual((await s.read(id)).status, 'expired')
  })

  for (const [what, minutes, status] of [
    ['too near', 4.9, 422],
    ['just far enough', 5.1, 200],
    ['35 days', 35 * 24 * 60 - 1, 200],
    ['too far', 35 * 24 * 60 + 1, 422],
    ['the past', -10, 422],
  ] as const) {
    test(`${what}: ${status}`, async () => {
      const answer = await s.post({ sendAt: inMinutes(minutes) })
      assert.equal(answer.status, status, answer.text)
      if (status === 422) {
        assert.equal(answer.json.error.code, 'invalid_schedule')
        assert.equal(answer.json.error.details[0].field, 'sendAt')
      }
    })
  }

  test('are listed by themselves', async () => {
    const id = await s.send({ sendAt: inMinutes(6) })
    await s.send()
    const { json } = await t.call('GET', '/v2/messages?status=scheduled', { as: s.as })
    assert.deepEqual(
      json.data.map((item: { messageId: string }) => item.messageId),
      [id],
    )
  })
})

describe('taking back', () => {
  test('what is scheduled or queued, and nobody gets it', async () => {
    for (const body of [{}, { sendAt: inMinutes(6) }]) {
      const id = await s.send(body)
      const { status, json } = await cancel(id)
      assert.deepEqual([status, json.data.status], [200, 'canceled'])
      assert.ok(json.data.finalAt !== null)
      await s.ripen('message_jobs')
      assert.deepEqual(await s.claim(`t ${id}`), [])
      const events = await t.sql<{ type: string }>('select type from event_log where resource_id = $1', [id])
      assert.ok(events.some(event => event.type === 'message.canceled'))
      const again = await cancel(id)
      assert.deepEqual([again.status, again.json.data.finalAt], [200, json.data.finalAt], 'again changes nothing')
    }
    assert.deepEqual(await s.jobs(), [])
  })

  test('not what is with the carrier, nor what has ended, nor what is not there', async () => {
    const id = await s.send()
    const rows = await s.claim('t')
    assert.equal((await cancel(id)).json.error.code, 'not_cancelable')
    await s.conclude('t', rows, row => taken(row.id))
    const answer = await cancel(id)
    assert.deepEqual([answer.status, answer.json.error.code], [409, 'not_cancelable'])
    assert.match(answer.json.error.message, /is sent/)
    assert.equal((await cancel('msg_00000000000000000000000000')).status, 404)
    const theirs = await t.call('POST', `/v2/messages/${await s.send()}/cancel`, { as: t.other.testKey })
    assert.equal(theirs.status, 404)
  })

  test('at the moment it is claimed: exactly one of the two wins, over and over', async () => {
    for (let round = 0; round < 40; round++) {
      const id = await s.send()
      const [answer, rows] = await Promise.all([cancel(id), s.claim(`t${round}`)])
      const isCanceled = answer.status === 200
      assert.equal(rows.length, isCanceled ? 0 : 1)
      assert.equal((await s.read(id)).path, isCanceled ? 'queued canceled' : 'queued sending')
    }
  })
})

describe('messaging services', () => {
  async function pool(more: object = {}, ...numbers: [address: string, more?: object][]): Promise<string> {
    const serviceId = await s.addService({ ...more })
    for (const [address, number = {}] of numbers) await s.addNumber(address, { service_id: serviceId, ...number })
    return serviceId
  }
  const fromOf = async (body: object) => (await s.read(await s.send({ from: undefined, ...body }))).from

  test('a recipient keeps the sender they know', async () => {
    const serviceId = await pool({}, ['+15005550021'], ['+15005550022'], ['+15005550023'])
    const known = await fromOf({ serviceId })
    // The others are free earlier and stand first.
    await t.ownerSql("insert into sender_pace values ($1, $2, now() + interval '1 hour')", [s.tenantId, known])
    for (let n = 0; n < 5; n++) assert.equal(await fromOf({ serviceId }), known)
    await s.send({ from: '+15005550023', serviceId })
    assert.equal(await fromOf({ serviceId }), '+15005550023', 'the one who wrote last')
    await s.change('update numbers set service_id = null where address = $1', ['+15005550023'])
    assert.notEqual(await fromOf({ serviceId }), '+15005550023', 'not one that was taken out')
  })

  test('without that, the one of the country, and among those the one that is free first', async () => {
    const serviceId = await pool(
      { sticky_sender: false },
      ['+15005550021', { country: 'US' }],
      ['+4930111', { country: 'DE' }],
      ['+4930222', { country: 'DE' }],
      ['+442071838750', { country: 'GB' }],
    )
    await t.ownerSql("insert into sender_pace values ($1, '+4930111', now() + interval '1 hour')", [s.tenantId])
    assert.equal(await fromOf({ serviceId, to: '+4915112345678' }), '+4930222')
    await t.ownerSql("insert into sender_pace values ($1, '+4930222', now() + interval '2 hours')", [s.tenantId])
    assert.equal(await fromOf({ serviceId, to: '+4915112345678' }), '+4930111')
    assert.equal(await fromOf({ serviceId, to: '+447911123456' }), '+442071838750')
    assert.ok(!['+4930111', '+4930222'].includes(await fromOf({ serviceId, to: '+33612345678' })), 'else who is free')
  })

  test('spread over senders of limited speed', async () => {
    // So slow that none is free again before the tenth text, however long the ten take.
    const slow = { segments_per_second: 0.1 }
    const serviceId = await pool({ sticky_sender: false }, ['+15005550021', slow], ['+15005550022', slow])
    const counts = new Map<string, number>()
    for (let n = 0; n < 10; n++) {
      const from = await fromOf({ serviceId })
      counts.set(from, (counts.get(from) ?? 0) + 1)
    }
    assert.deepEqual([...counts.values()], [5, 5])
  })

  test('name what is wrong: unknown, empty, a sender that is not theirs', async () => {
    const serviceId = await pool({}, ['+15005550021', { sms: false }])
    assert.equal(await s.refusal({ from: undefined, serviceId: 'msv_nothing' }), '422 service_not_found')
    assert.equal(await s.refusal({ from: undefined, serviceId }), '422 service_without_senders')
    assert.equal(await s.refusal({ serviceId }), '403 sender_not_owned')
    assert.equal(await s.refusal({ serviceId, from: '+15005550021' }), '422 sender_not_capable')
  })

  test('suppress the same text to the same recipient within their window, and nothing else', async () => {
    const serviceId = await pool({ duplicate_window_seconds: 60 }, ['+15005550021'])
    const body = { from: undefined, serviceId, body: 'Your code is 1234' }
    const first = await s.send(body)
    const answer = await s.post(body)
    assert.deepEqual([answer.status, answer.json.error.code], [409, 'duplicate_suppressed'])
    assert.match(answer.json.error.message, new RegExp(first))
    await s.send({ ...body, body: 'Your code is 1235' })
    await s.send({ ...body, to: '+15005550998' })
    await s.send({ ...body, serviceId: undefined, from: sender })
    await t.ownerSql("update messages set created_at = created_at - interval '61 seconds'")
    const second = await s.send(body)
    assert.equal((await cancel(second)).status, 200)
    await s.send(body)
  })

  test('find the duplicates of a whole batch by one query', async context => {
    const serviceId = await pool({ duplicate_window_seconds: 60 }, ['+15005550021'])
    const texts = Array.from({ length: 150 }, (_, n) => ({ serviceId, to: recipient, body: `Your code is ${n}` }))
    await s.send({ from: undefined, ...texts[7] })
    const seen: string[] = []
    const { query } = pg.Client.prototype
    context.mock.method(
      pg.Client.prototype,
      'query',
      function (this: pg.Client, ...args: [{ text?: string } | string]) {
        const [first] = args
        seen.push(typeof first === 'string' ? first : (first.text ?? ''))
        return Reflect.apply(query, this, args)
      },
    )
    const path = '/v2/messages/sms/batch'
    const answer = await t.call('POST', path, { as: s.as, body: { messages: texts } })
    const { accepted, messages } = answer.json.data
    assert.deepEqual([accepted, messages[7].code, messages[8].code], [149, 'duplicate_suppressed', null])
    assert.equal(seen.filter(text => text.includes('find_duplicate_message')).length, 1)
  })

  test('give smart encoding, validity and callback address, where the message says nothing else', async () => {
    const callback = 'https://hooks.example.com/service'
    const serviceId = await pool({ smart_encoding: true, validity_seconds: 90, callback_url: callback }, [
      '+15005550021',
    ])
    const text = { from: undefined, serviceId, body: '“It’s ready” – see you…' }
    const message = await s.read(await s.send(text))
    assert.deepEqual(
      [message.body, message.encoding, message.validityPeriod, message.callbackUrl, message.serviceId],
      ['"It\'s ready" - see you...', 'GSM-7', 90, callback, serviceId],
    )
    const own = { smartEncoding: false, validityPeriod: 30, callbackUrl: 'https://hooks.example.com/own' }
    const other = await s.read(await s.send({ ...text, ...own }))
    assert.deepEqual(
      [other.body, other.encoding, other.validityPeriod, other.callbackUrl],
      [...[text.body, 'UCS-2', 30, own.callbackUrl]],
    )
  })
})
