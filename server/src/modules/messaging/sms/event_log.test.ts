// Events of messages are read out of the messages: they say what the message was then, each once, in order, wherever they are read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { keepSnapshots } from '../../../../test/event_snapshots.ts'
import { refused, startSteps, taken, throttled, unknown } from '../../../../test/messages.ts'
import { firstIdAt, timeOfId } from '../../../kernel/values/ids.ts'
import { movesOf } from './rules.ts'
import { settleStranded } from './store.ts'

const { t, s } = await startSteps()
const compare = await keepSnapshots(t)

/** What may happen next; each takes a number that says to which message, and how. */
const steps = ['send', 'schedule', 'cancel', 'claim', 'receive', 'late', 'reroute', 'settle', 'redact'] as const
const answers = [taken, () => throttled, () => refused, () => unknown] as const

test('whatever happens to messages, their events say what they were when it did', async () => {
  let run = 0
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.constantFrom(...steps), fc.nat(1000)), { minLength: 10, maxLength: 40 }),
      async walk => {
        run++
        const ids: string[] = []
        const claimed: Awaited<ReturnType<typeof s.claim>> = []
        const chosen = <Item>(items: readonly Item[], n: number) => items[n % Math.max(1, items.length)]
        for (const [index, [step, n]] of walk.entries()) {
          const token = `${run}_${index}`
          if (step === 'send')
            ids.push(await s.send({ body: 'x'.repeat(n % 3 === 0 ? 400 : 20), ...(n % 2 && { tags: ['a'] }) }))
          if (step === 'schedule') ids.push(await s.send({ sendAt: new Date(Date.now() + 3_600_000).toISOString() }))
          const id = chosen(ids, n)
          if (id === undefined) continue
          if (step === 'cancel') await t.call('POST', `/v2/messages/${id}/cancel`, { as: s.as })
          if (step === 'redact') await t.call('DELETE', `/v2/messages/${id}`, { as: s.as })
          if (step === 'claim') {
            await s.ripen('message_jobs')
            const rows = await s.claim(token)
            claimed.push(...rows)
            await s.conclude(token, rows, (row, part) => chosen(answers, n + part)!(`${row.id}-${part}-${row.attempt}`))
          }
          const row = chosen(claimed, n)
          if (step === 'receive' && row !== undefined) {
            const status = n % 5 === 0 ? 'undelivered' : n % 7 === 0 ? 'expired' : 'delivered'
            for (let part = 1; part <= row.segments; part++)
              if ((n >> part) % 3 > 0) await s.receive(`${row.id}-${part}-${row.attempt}`, { status })
          }
          if (step === 'late' && row !== undefined) await s.late(row, 1, taken(`${row.id}-1-${row.attempt}`))
          if (step === 'settle') {
            await s.ripen('message_routes')
            await s.settle()
          }
          if (step === 'reroute') await reroute(n)
        }
      },
    ),
    { numRuns: 25 },
  )
  assert.ok((await compare()) > 200)
})

/** Gives all that waits to another carrier, at another price, and some of it to another sender. */
async function reroute(n: number): Promise<void> {
  const carrier = n % 2 === 0 ? 'simulator' : 'car_other'
  const waiting = await t.ownerSql<{ tenant_id: string; id: string }>(
    "select tenant_id, id from messages where status in ('queued', 'scheduled') and id in (select unnest(message_ids) from message_jobs)",
  )
  await t.ownerSql("update message_jobs set lease_token = 'reroute'")
  await settleStranded(
    s.db,
    'reroute',
    waiting.map(({ tenant_id, id }) => ({
      tenantId: Number(tenant_id),
      id,
      event: null,
      code: null,
      carrier,
      priceMicros: n,
      currency: 'EUR',
      retryMs: 0,
      sender: n % 3 === 0 ? `+1500555${1000 + n}` : null,
    })),
    movesOf('outlived'),
  )
  // No matter who has them, they are claimed as the simulator's.
  await t.ownerSql("update message_jobs set carrier = 'simulator'")
}

test('ids of events hold their time, and events of one message go forward', async () => {
  const id = await s.send()
  await s.conclude('go', await s.claim('go'), () => taken('c1'))
  await s.receive('c1')
  const { json } = await t.call('GET', `/v2/events?resourceId=${id}`, { as: s.as })
  const events = json.data.toReversed() as { id: string; type: string; sequence: number; timestamp: string }[]
  assert.deepEqual(
    events.map(({ type, sequence }) => `${type} ${sequence}`),
    ['message.queued 1', 'message.sending 2', 'message.sent 3', 'message.delivered 4'],
  )
  assert.deepEqual(
    events.map(event => event.id),
    events.map(event => event.id).toSorted(),
  )
  for (const { id, timestamp } of events.slice(1)) assert.equal(timeOfId(id), Date.parse(timestamp))
  const [digits] = await t.ownerSql<{ ms: string }>('select extract(epoch from time_of_id($1)) * 1000 as ms', [
    firstIdAt('evt', 1_764_312_345_678),
  ])
  assert.equal(Number(digits!.ms), 1_764_312_345_678)
})

test('events of a scheduled message go forward too, when its time has come', async () => {
  const sendAt = new Date(Date.now() + 3_600_000).toISOString()
  const ids = await Promise.all(Array.from({ length: 60 }, () => s.send({ sendAt })))
  await s.ripen('message_jobs')
  for (let rows = await s.claim('time'); rows.length > 0; rows = await s.claim('time'))
    await s.conclude('time', rows, row => taken(row.id))
  for (const id of ids) {
    const { json } = await t.call('GET', `/v2/events?resourceId=${id}`, { as: s.as })
    assert.deepEqual(
      json.data.toReversed().map(({ type }: { type: string }) => type),
      ['message.scheduled', 'message.queued', 'message.sending', 'message.sent'],
    )
    const { history } = await s.read(id)
    const times = history.map(({ at }: { at: string }) => at)
    assert.deepEqual(times, times.toSorted())
  }
})

test('the list shows each once at any page, with other events between, however many moved at once', async () => {
  await s.clear()
  const before = new Date(Date.now() - 1).toISOString()
  const leads = 9
  for (let n = 0; n < leads; n++)
    await t.call('POST', '/v1/api/leads', { as: s.as, body: { name: `Person ${n}`, email: `p${n}@events.example` } })
  const messages = Array.from({ length: 230 }, (_, n) => ({
    from: '+15005550006',
    to: `+1500555${2000 + n}`,
    body: `No ${n}`,
  }))
  const batch = await t.call('POST', '/v2/messages/sms/batch', {
    as: s.as,
    body: { messages },
  })
  assert.equal(batch.status, 200, batch.text)
  for (let rows = await s.claim('all'); rows.length > 0; rows = await s.claim('all'))
    await s.conclude('all', rows, row => taken(row.id))
  for (const query of ['', '&type=message.sent', '&type=lead.created', '&type=message.*']) {
    const seen: { id: string; type: string; resourceId: string }[] = []
    for (let cursor = ''; ; ) {
      const path = `/v2/events?limit=70&createdAfter=${before}${query}${cursor && `&cursor=${cursor}`}`
      const { status, json, text } = await t.call('GET', path, { as: s.as })
      assert.equal(status, 200, text)
      seen.push(...json.data)
      if (json.meta.pagination.nextCursor === null) break
      cursor = json.meta.pagination.nextCursor
    }
    const ids = seen.map(event => event.id)
    assert.deepEqual(ids, ids.toSorted().toReversed(), `${query}: newest first`)
    assert.equal(new Set(ids).size, ids.length, `${query}: each once`)
    const count = (type: string) => seen.filter(event => event.type === type).length
    assert.equal(count('message.sent'), query.includes('lead') ? 0 : messages.length, query)
    assert.equal(count('message.queued'), query === '' || query.endsWith('*') ? messages.length : 0, query)
    assert.equal(count('lead.created'), query === '' || query.includes('lead') ? leads : 0, query)
  }
})

test('a message that was on its way when this came goes on where the log of before ends', async () => {
  await s.clear()
  const id = await s.send()
  // As the version before left it: the first event is a row.
  await t.ownerSql(
    `insert into events (tenant_id, id, type, resource_id, sequence, at, data)
     select tenant_id, id, type, resource_id, sequence, at, data from event_log where resource_id = $1`,
    [id],
  )
  await t.ownerSql('delete from message_event_batches where strpos(entries, $1) > 0', [id.slice(4)])
  await t.ownerSql('update messages set moves = null where id = $1', [id])
  await s.conclude('go', await s.claim('go'), () => taken('old1'))
  await s.receive('old1')
  const { json } = await t.call('GET', `/v2/events?resourceId=${id}`, { as: s.as })
  const events = json.data.toReversed() as { sequence: number; data: { status: string; previousStatus: string } }[]
  assert.deepEqual(
    events.map(({ sequence, data }) => [sequence, data.previousStatus, data.status]),
    [
      [1, null, 'queued'],
      [2, 'queued', 'sending'],
      [3, 'sending', 'sent'],
      [4, 'sent', 'delivered'],
    ],
  )
  assert.equal((await s.read(id)).path, 'queued sending sent delivered')
})

test('once the log is purged the message keeps its history', async () => {
  const id = await s.send()
  await t.ownerSql('delete from message_event_batches')
  await t.ownerSql("delete from events where type like 'message.%'")
  assert.equal((await s.read(id)).path, 'queued')
  const { json } = await t.call('GET', '/v2/events?type=message.*', { as: s.as })
  assert.deepEqual(json.data, [])
})

test('a webhook is sent what the list of events shows, whatever the text holds', async () => {
  await s.clear()
  const webhook = await t.call('POST', '/v2/webhooks', { as: s.as, body: { url: 'https://example.com/hooks' } })
  assert.equal(webhook.status, 201, webhook.text)
  const bodies = ['"quoted" \\ back\\slash', 'two\nlines\tand\u0001 a control', 'ünïcode 😀 \u2028 </script>']
  const ids: string[] = []
  for (const body of bodies)
    ids.push(
      await s.send({ body, tags: ['a "b"'], metadata: { 'k"ey': 'v\\' }, callbackUrl: 'https://example.com/c?a="b"' }),
    )
  await s.conclude('go', await s.claim('go'), row => taken(row.id))
  await s.receive(ids[0]!)
  await s.receive(ids[1]!, { status: 'undelivered', code: 'unknown_subscriber' })
  const lanes = await t.ownerSql<{ tenant_id: string; lane: string }>(
    'select distinct tenant_id, lane from webhook_jobs',
  )
  const sent = await t.ownerSql<{ event_id: string; type: string; data: string; shown: string }>(
    `select f.event_id, f.type, f.data, e.data::text as shown
     from fetch_webhook_jobs($1, $2, $3, $4, '{}', 1000, now()) f
     join event_log e on e.tenant_id = $5 and e.id = f.event_id and e.type = f.type and e.at = f.at and e.sequence = f.sequence`,
    [
      lanes.map(lane => lane.tenant_id),
      lanes.map(lane => lane.lane),
      lanes.map(() => 100),
      lanes.map(() => false),
      lanes[0]!.tenant_id,
    ],
  )
  // Each of eleven to the webhook and to the callback.
  assert.equal(sent.length, 22)
  for (const { type, data, shown } of sent) {
    assert.equal(data, shown, type)
    assert.equal(data, JSON.stringify(JSON.parse(data)), 'as our own JSON is written')
  }
  const last = sent.filter(({ type }) => type === 'message.delivered').map(({ data }) => JSON.parse(data).body)
  assert.deepEqual(last, [bodies[0], bodies[0]])
})
