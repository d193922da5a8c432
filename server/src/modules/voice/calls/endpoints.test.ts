// Guards: the exact reply of a call's creation, committed with its job and event; refusals; filters and pages;
// and that no tenant sees or ends another's calls.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { leftovers, seeCall, startCall } from '../../../../test/voice/calls.ts'
import { makeRecording } from '../../../../test/voice/recordings.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { receiveCallEvents } from '../call_records/receive.ts'
import { callStates, terminalCallStates } from '../call_records/rules.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t.close())

const body = { from: '+15550100001', to: '+15005550200' }
const post = (sent: object, as = t.main.testKey, headers = {}) =>
  t.call('POST', '/v2/voice/calls', { as, body: sent, headers })

describe('starting a call', () => {
  test('answers exactly the documented fields, in the envelope', async () => {
    const answer = await post({ ...body, callbackUrl: 'https://example.com/hooks/calls' })
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(Object.keys(answer.json), ['status', 'data', 'meta'])
    assert.equal(answer.json.status, 200)
    const { callId, createdAt, ...rest } = answer.json.data
    assert.deepEqual(rest, {
      from: '+15550100001',
      to: '+15005550200',
      direction: 'outbound',
      state: 'initiated',
      callbackUrl: 'https://example.com/hooks/calls',
    })
    assert.match(callId, /^call_[0-9a-z]{26}$/)
    assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.match(answer.json.meta.responseTime, /^\d+ms$/)
    assert.equal(answer.json.meta.requestId, answer.headers['x-request-id'])
    assert.equal((await post(body)).json.data.callbackUrl, null)
  })

  test('stores the call, one job and one event together, and reads back what was asked for', async () => {
    const more = {
      callerName: 'Ada & Co',
      tags: ['a', 'b'],
      metadata: { leadId: '42' },
      timeoutSeconds: 5,
      timeLimitSeconds: 9,
    }
    const callId = await startCall(t, body.to, more)
    const jobs = await t.sql<{ kind: string }>('select kind from call_jobs where call_id = $1', [callId])
    assert.deepEqual(jobs, [{ kind: 'originate' }])
    const events = await t.sql<{
      type: string
      sequence: number
      data: Record<string, unknown>
    }>('select type, sequence, data from event_log where resource_id = $1', [callId])
    const [event] = events
    assert.ok(event !== undefined && events.length === 1)
    assert.deepEqual([event.type, event.sequence], ['call.initiated', 1])
    const seen = (await t.call('GET', `/v2/voice/calls/${callId}`, { as: t.main.testKey })).json.data
    const { history, instructions, recordings, ...snapshot } = seen
    assert.deepEqual([instructions, recordings], [null, []])
    const { previousState, details, occurredAt, ...call } = event.data
    assert.deepEqual(call, snapshot, 'the event carries the call as the API shows it')
    assert.deepEqual([previousState, details, occurredAt], [null, null, seen.createdAt])
    assert.deepEqual(history, [
      { sequence: 1, type: 'call.initiated', at: seen.createdAt, state: 'initiated', details: null },
    ])
    for (const [name, value] of Object.entries(more)) assert.deepEqual(seen[name], value, name)
  })

  test('numbers are taken in usual spellings and answered as E.164', async () => {
    const { json } = await post({ from: '(555) 010-0001', to: '0049 30 123456' })
    assert.deepEqual([json.data.from, json.data.to], ['+15550100001', '+4930123456'])
  })

  test('a number that can be none is refused by its own code, with the field and the remedy', async () => {
    for (const [field, code] of [
      ['from', 'invalid_from_number'],
      ['to', 'invalid_to_number'],
    ] as const) {
      const { status, json } = await post({ ...body, [field]: '12345678901234567890' })
      assert.deepEqual([status, json.error.code, json.error.details[0].field], [422, code, field])
      assert.match(json.error.message, /international format with \+/)
    }
    for (const to of ['sip:desk@pbx.example.com', 'client:ada']) {
      const { status, json } = await post({ ...body, to })
      assert.deepEqual([status, json.error.code], [422, 'invalid_to_number'], to)
      assert.match(json.error.message, /phone\.address .* instruction dial/)
    }
  })

  test('callback addresses inside the network are refused', async () => {
    for (const callbackUrl of [
      'http://127.0.0.1/',
      'https://169.254.169.254/x',
      'https://localhost/x',
      'https://a:b@example.com/',
    ]) {
      const { status, json } = await post({ ...body, callbackUrl })
      assert.deepEqual([status, json.error.code], [422, 'invalid_callback_url'], callbackUrl)
    }
  })

  test('every fault of the input is reported at once', async () => {
    const { status, json } = await post({
      from: 'abc',
      callbackUrl: 'ftp://example.com',
      timeoutSeconds: 4,
      timeLimitSeconds: 0,
      callerName: 'a\nb',
      tags: [''],
      metadata: { a: 1 },
      url: 'x',
    })
    assert.equal(status, 400)
    const fields = json.error.details.map((fault: { field: string }) => fault.field).sort()
    const expected = [
      'callbackUrl',
      'callerName',
      'from',
      'metadata.a',
      'tags[0]',
      'timeLimitSeconds',
      'timeoutSeconds',
      'to',
      'url',
    ]
    assert.deepEqual(fields, expected)
    assert.equal((await post({ ...body, timeoutSeconds: 601 })).status, 400)
  })

  test('a repeated Idempotency-Key starts one call and answers it again byte for byte', async () => {
    const headers = { 'idempotency-key': newId('key') }
    const [first, second] = await Promise.all([
      post(body, t.main.testKey, headers),
      post(body, t.main.testKey, headers),
    ])
    assert.equal(first.text, second.text)
    const { count } =
      (await t.ownerSql<{ count: number }>('select count(*) from calls where id = $1', [first.json.data.callId]))[0] ??
      {}
    assert.equal(count, 1)
  })
})

describe('listing calls', () => {
  const page = (query: string, as = t.main.liveKey) => t.call('GET', `/v2/voice/calls${query}`, { as })
  const ids = (answer: { json: { data: { callId: string }[] } }) => answer.json.data.map(call => call.callId)
  let made: string[]
  before(async () => {
    made = []
    for (const to of ['+15550100002', '+15550100003', '+15550100002', '+15550100004', '+15550100002']) {
      made.unshift(await startCall(t, to, {}, t.main.liveKey))
    }
    await t.call('POST', `/v2/voice/calls/${made[1]}/hangup`, { as: t.main.liveKey })
  })

  test('newest first, cut into pages by a cursor that neither loses nor repeats', async () => {
    const seen: string[] = []
    let cursor = ''
    for (let pages = 0; pages < 3; pages++) {
      const answer = await page(`?limit=2${cursor}`)
      assert.equal(answer.status, 200, answer.text)
      seen.push(...ids(answer))
      const { pagination } = answer.json.meta
      assert.equal(pagination.limit, 2)
      assert.equal(pagination.hasMore, pagination.nextCursor !== null)
      cursor = `&cursor=${pagination.nextCursor}`
    }
    assert.deepEqual(seen, made)
    assert.equal(cursor, '&cursor=null')
  })

  test('filters by state, numbers in any spelling, direction and time, together', async () => {
    assert.deepEqual(ids(await page('?state=canceled')), [made[1]])
    const toTwo = [made[0], made[2], made[4]]
    for (const to of ['%2B15550100002', '+15550100002', '555-010-0002'])
      assert.deepEqual(ids(await page(`?to=${to}`)), toTwo, to)
    assert.deepEqual(ids(await page('?to=%2B15550100002&state=canceled')), [])
    assert.deepEqual(ids(await page('?from=%2B15550100001&direction=outbound')), made)
    assert.deepEqual(ids(await page('?direction=inbound')), [])
    const middle = (await seeCall(t, made[2] as string, t.main.liveKey)).createdAt
    const [since, until] = [ids(await page(`?createdAfter=${middle}`)), ids(await page(`?createdBefore=${middle}`))]
    assert.deepEqual([...since, ...until], made)
    assert.ok(since.includes(made[2] as string))
    assert.deepEqual(ids(await page('?createdBefore=2020-01-01')), [])
  })

  test('filters by parent, trunk and lead', async () => {
    const [first, second, third] = made as [string, string, string]
    await t.ownerSql('update calls set parent_call_id = $1 where id = any ($2)', [first, [second, third]])
    await t.ownerSql(`update calls set trunk_id = 'trk_one' where id = any ($1)`, [[first, third]])
    const lead = async (phone: string | null, as: string) => {
      const sent = { name: 'Ada', email: `${newId('x')}@example.com`, ...(phone && { phone }) }
      return (await t.call('POST', '/v1/api/leads', { as, body: sent })).json.lead.id
    }
    assert.deepEqual(ids(await page(`?parentCallId=${first}`)), [second, third])
    assert.deepEqual(ids(await page(`?parentCallId=${second}`)), [])
    assert.deepEqual(ids(await page('?trunkId=trk_one')), [first, third])
    assert.deepEqual(ids(await page(`?trunkId=trk_one&parentCallId=${first}`)), [third])
    const called = await lead('+15550100002', t.main.liveKey)
    assert.deepEqual(ids(await page(`?leadId=${called}`)), [made[0], made[2], made[4]])
    assert.deepEqual(ids(await page(`?leadId=${await lead('+15550100001', t.main.liveKey)}`)), made, 'who called, too')
    for (const other of [999_999, await lead(null, t.main.liveKey), await lead('+15550100002', t.other.liveKey)])
      assert.deepEqual(ids(await page(`?leadId=${other}`)), [])
    const scoped = await t.call('POST', '/v2/auth/api-keys', {
      as: t.main.tokens.Admin,
      body: { name: 'calls only', mode: 'live', scopes: ['calls:read'] },
    })
    const { status, json } = await page(`?leadId=${called}`, scoped.json.data.secret)
    assert.deepEqual([status, json.error.details[0].field], [400, 'leadId'])
    const alone = await t.call('GET', `/v2/voice/calls/${first}`, { as: scoped.json.data.secret })
    assert.equal(alone.json.data.recordings, null)
  })

  test('a cursor of other filters, and one made up, are refused', async () => {
    const { nextCursor } = (await page('?limit=1')).json.meta.pagination
    for (const query of [`?limit=1&state=busy&cursor=${nextCursor}`, '?cursor=abc']) {
      const { status, json } = await page(query)
      assert.deepEqual([status, json.error.code], [400, 'invalid_cursor'], query)
    }
    const forged = JSON.parse(Buffer.from(nextCursor, 'base64url').toString()) as unknown[]
    for (const key of [['x', 'y'], [1, 2], ['2026-01-01', "call_'"], []]) {
      const cursor = Buffer.from(JSON.stringify([forged[0], ...key])).toString('base64url')
      assert.equal((await page(`?cursor=${cursor}`)).json.error.code, 'invalid_cursor', JSON.stringify(key))
    }
  })

  test('unknown states, limits and numbers are refused', async () => {
    for (const query of [
      '?state=done',
      '?limit=0',
      '?limit=201',
      '?to=12345678901234567890',
      '?createdAfter=yesterday',
      '?number=1',
    ]) {
      assert.equal((await page(query)).json.error.code, 'validation_failed', query)
    }
  })
})

describe('reading a call', () => {
  const read = async (callId: string, query = '') =>
    (await t.call('GET', `/v2/voice/calls/${callId}${query}`, { as: t.main.liveKey })).json.data

  test('shows its instructions without secrets, and its recordings', async () => {
    const target = { type: 'sip', uri: 'sip:ada@example.com', user: 'ada', password: 'hunter22' }
    const typed = { verb: 'sendDigits', digits: '1234', sensitive: true }
    const instructions = [typed, { verb: 'dial', targets: [target] }]
    const callId = await startCall(t, body.to, { instructions }, t.main.liveKey)
    const ready = await makeRecording(t, { callId })
    const failed = await makeRecording(t, { callId, state: 'failed' })
    const seen = await read(callId)
    assert.deepEqual(seen.instructions, [
      { ...typed, digits: '••••' },
      { verb: 'dial', targets: [{ ...target, password: '••••••••' }] },
    ])
    assert.deepEqual(seen.recordings, [
      { recordingId: ready.id, state: 'available', durationMs: 1_000, errorCode: null },
      { recordingId: failed.id, state: 'failed', durationMs: null, errorCode: 'recording_write_failed' },
    ])
    assert.equal('events' in seen, false)
  })

  test('expand=events adds each event whole, as it was reported', async () => {
    const callId = await startCall(t, body.to, {}, t.main.liveKey)
    await t.call('POST', `/v2/voice/calls/${callId}/hangup`, { as: t.main.liveKey })
    const { events, history } = await read(callId, '?expand=events')
    assert.deepEqual(
      events.map((event: { type: string; sequence: number }) => [event.type, event.sequence]),
      history.map((entry: { type: string; sequence: number }) => [entry.type, entry.sequence]),
    )
    const [, canceled] = events
    assert.match(canceled.id, /^evt_/)
    assert.deepEqual([canceled.data.callId, canceled.data.previousState], [callId, 'initiated'])
    const refused = await t.call('GET', `/v2/voice/calls/${callId}?expand=everything`, { as: t.main.liveKey })
    assert.equal(refused.status, 400)
  })
})

describe('tenants', () => {
  test("another tenant's call is answered like one that is not there, and stays untouched", async () => {
    const callId = await startCall(t, body.to)
    const missing = newId('call')
    for (const as of [t.other.testKey, t.other.liveKey, t.main.liveKey]) {
      for (const [method, suffix] of [
        ['GET', ''],
        ['POST', '/hangup'],
      ] as const) {
        const foreign = await t.call(method, `/v2/voice/calls/${callId}${suffix}`, { as })
        const absent = await t.call(method, `/v2/voice/calls/${missing}${suffix}`, { as })
        assert.equal(foreign.status, 404)
        assert.deepEqual(foreign.json.error, absent.json.error)
      }
      const { json } = await t.call('GET', '/v2/voice/calls?limit=200', { as })
      assert.ok(json.data.every((call: { callId: string }) => call.callId !== callId))
    }
    assert.equal((await seeCall(t, callId)).state, 'initiated')
  })

  test("a report in another tenant's transaction reaches nothing", async () => {
    const callId = await startCall(t, body.to)
    const scope = { tenantId: t.other.testTenantId, organizationId: t.other.organizationId }
    const report = { callId, atMs: t.clock.now(), event: { type: 'ringing' } as const }
    const received = await t.app.services.db.inTenant(scope, tx => receiveCallEvents(tx, scope, [report]))
    assert.deepEqual(received, { applied: 0, over: [] })
    assert.equal((await seeCall(t, callId)).state, 'initiated')
  })

  test('an id that is none of ours is simply not there', async () => {
    for (const id of ['x', '1', 'call_', `call_${'9'.repeat(26)}`, '%27%3Bdrop']) {
      assert.equal((await t.call('GET', `/v2/voice/calls/${id}`, { as: t.main.testKey })).status, 404, id)
    }
  })

  test('permissions: who may start, read and end calls', async () => {
    const callId = await startCall(t, body.to, {}, t.main.tokens.Admin)
    const as = t.main.tokens['Finance Manager']
    assert.equal((await post(body, as)).json.error.code, 'insufficient_role')
    assert.equal((await t.call('GET', `/v2/voice/calls/${callId}`, { as })).status, 200)
    assert.equal((await t.call('POST', `/v2/voice/calls/${callId}/hangup`, { as })).status, 403)
    assert.equal((await post(body, t.main.tokens['Sales Executive'])).status, 200)
  })
})

describe('what the database holds', () => {
  test('its check constraint lists exactly the states of the table', async () => {
    const rows = await t.ownerSql<{ text: string }>(
      `select pg_get_constraintdef(oid) as text from pg_constraint where conname = 'calls_state'`,
    )
    const states = [...(rows[0]?.text ?? '').matchAll(/'(\w+)'/g)].map(match => match[1])
    assert.deepEqual(states.sort(), [...callStates].sort())
  })

  test('a call in a terminal state has an end and a cause, any other has neither', async () => {
    const callId = await startCall(t, body.to)
    for (const state of [...terminalCallStates, 'gone']) {
      await assert.rejects(
        t.ownerSql('update calls set state = $1 where id = $2', [state, callId]),
        /check constraint/,
        state,
      )
    }
    await assert.rejects(t.ownerSql('update calls set ended_at = now() where id = $1', [callId]), /check constraint/)
    assert.equal(await leftovers(t, callId), 1)
  })
})
