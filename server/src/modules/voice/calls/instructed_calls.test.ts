// What calls under instructions may do and meet, from the API to the simulated remote party: caller ids, their turn on a trunk, calls
// that come in, texts that calls send.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { leftovers, startCall } from '../../../../test/voice/calls.ts'
import { human, startInstructedCalls, typesOf } from '../../../../test/voice/instructed_calls.ts'

const { t, base, answers, asked, ended, happened, post } = await startInstructedCalls()

describe('caller ids', () => {
  const start = (from: string) => post('/v2/voice/calls', { from, to: human }, t.main.liveKey)
  const trunk = (id: string, settings: object) =>
    t.ownerSql(`insert into trunks (tenant_id, id, name, settings, routes) values ($1, $2, 'One', $3, '[]')`, [
      t.main.liveTenantId,
      id,
      JSON.stringify(settings),
    ])

  test('any until there is a trunk, then own numbers that make calls, unless a trunk shows foreign ones', async () => {
    assert.equal((await start('+15550100001')).status, 200)
    await trunk('trk_1', { foreignCallerIds: false })
    const refused = await start('+15550100001')
    assert.deepEqual([refused.status, refused.json.error.code], [403, 'caller_id_not_allowed'])
    assert.equal(refused.json.error.details[0].field, 'from')
    const { numberId } = (await post('/v2/numbers', { number: '+15550100001' }, t.main.liveKey)).json.data
    assert.equal((await start('+15550100001')).status, 200)
    await t.call('PATCH', `/v2/numbers/${numberId}`, { as: t.main.liveKey, body: { voice: false } })
    assert.match((await start('+15550100001')).json.error.message, /makes no calls/)
    assert.equal((await post('/v2/voice/calls', { from: '+15550100077', to: human })).status, 200, 'test mode')
    await trunk('trk_2', { foreignCallerIds: true })
    assert.equal((await start('+15550100078')).status, 200)
    await t.ownerSql(`delete from trunks where tenant_id = $1`, [t.main.liveTenantId])
  })

  test('those in instructions likewise: of calls, commands and numbers, each reported with its place', async () => {
    await trunk('trk_1', { foreignCallerIds: false })
    const as = t.main.liveKey
    const own = '+15550100041'
    const { numberId } = (await post('/v2/numbers', { number: own }, as)).json.data
    const target = { type: 'number', number: human }
    const dial = (callerId: string, more: object = {}) => ({ verb: 'dial', callerId, targets: [target], ...more })
    const handOn = { verb: 'transfer', to: target, mode: 'attended', callerId: '+15550100042' }
    const wrong = [{ verb: 'notify', data: { callerId: '+1' } }, dial(own, { onFail: [dial('+15550100077'), handOn] })]
    const places = ['instructions[1].onFail[0].callerId', 'instructions[1].onFail[1].callerId']
    const refusal = (answer: { status: number; json: { error: { code: string; details: { field: string }[] } } }) => {
      assert.deepEqual([answer.status, answer.json.error.code], [403, 'caller_id_not_allowed'])
      return answer.json.error.details.map(detail => detail.field)
    }
    assert.deepEqual(refusal(await post('/v2/voice/calls', { from: own, to: human, instructions: wrong }, as)), places)
    const voice = `/v2/numbers/${numberId}/voice`
    assert.deepEqual(refusal(await t.call('PUT', voice, { as, body: { instructions: wrong } })), places)
    const right = [dial(own), { ...handOn, callerId: own }]
    const started = await post('/v2/voice/calls', { from: own, to: human, instructions: right }, as)
    assert.equal(started.status, 200, started.text)
    const { callId } = started.json.data
    const commands = `/v2/voice/calls/${callId}/commands`
    assert.deepEqual(refusal(await post(commands, { instructions: wrong }, as)), places)
    assert.equal((await post(commands, { instructions: right }, as)).status, 200)
    await t.ownerSql(`update calls set state = 'answered', answered_at = changed_at where id = $1`, [callId])
    assert.deepEqual(refusal(await post(commands, dial('+15550100077'), as)), ['callerId'])
    await post(`/v2/voice/calls/${callId}/hangup`, {}, as)
    assert.equal(
      (await post('/v2/voice/calls', { from: own, to: human, instructions: wrong })).status,
      200,
      'test mode',
    )
    await t.ownerSql(`delete from trunks where tenant_id = $1`, [t.main.liveTenantId])
  })
})

describe('calls that wait for their turn', () => {
  test('are refused where more wait than the trunks start in five minutes', async () => {
    const as = t.main.liveKey
    const pace = (id: string, callsPerSecond: number, enabled = true) =>
      t.ownerSql(
        `insert into trunks (tenant_id, id, name, settings, routes, enabled) values ($1, $2, 'One', $3, '[]', $4)`,
        [t.main.liveTenantId, id, JSON.stringify({ callsPerSecond, foreignCallerIds: true }), enabled],
      )
    const start = () => post('/v2/voice/calls', { from: '+15550100001', to: human }, as)
    const wait = (count: number) =>
      t.ownerSql(
        `with made as (
           insert into calls (tenant_id, id, direction, from_number, to_number, timeout_seconds, time_limit_seconds, changed_at)
           select $1, 'call_queued' || clock_timestamp() || n, 'outbound', '+15550100001', '+15550100002', 60, 60, now()
           from generate_series(1, $2) n returning id)
         insert into call_jobs (tenant_id, call_id, kind, due_at) select $1, id, 'originate', now() + interval '1 hour' from made`,
        [t.main.liveTenantId, count],
      )
    await wait(40)
    assert.equal((await start()).status, 200, 'without a trunk nothing waits')
    await pace('trk_slow', 0.1)
    const refused = await start()
    assert.deepEqual([refused.status, refused.json.error.code], [429, 'cps_queue_full'])
    assert.equal(refused.json.error.retriable, true)
    assert.ok(Number(refused.headers['retry-after']) > 0)
    await pace('trk_off', 100, false)
    assert.equal((await start()).status, 429, 'a trunk that is off begins none')
    await pace('trk_more', 0.1)
    assert.equal((await start()).status, 200, 'two begin twice as many')
    await t.ownerSql('delete from call_jobs where tenant_id = $1', [t.main.liveTenantId])
    await t.ownerSql('delete from trunks where tenant_id = $1', [t.main.liveTenantId])
  })
})

describe('calls that come in', () => {
  const to = '+15005550006'
  const offer = async (more: object = {}) => {
    const { status, json, text } = await post('/v2/test/calls', { from: '+15005550100', to, ...more })
    assert.equal(status, 201, text)
    assert.deepEqual([json.data.direction, json.data.state], ['inbound', 'initiated'])
    return json.data.callId as string
  }

  test('follow the instructions of the number; the simulated caller types and hangs up', async () => {
    const { numberId } = (await post('/v2/numbers', { number: to })).json.data
    const path = `/v2/numbers/${numberId}/voice`
    const empty = (await t.call('GET', path, { as: t.main.testKey })).json.data
    assert.deepEqual([empty.callbackUrl, empty.instructions, empty.updatedAt], [null, null, null])
    const gather = { verb: 'gather', numDigits: 2, timeoutSeconds: 10, actionUrl: `${base}/typed` }
    const body = { fallbackUrl: `${base}/nobody`, instructions: [gather] }
    const set = await t.call('PUT', path, { as: t.main.testKey, body })
    assert.equal(set.status, 200, set.text)
    assert.deepEqual(set.json.data.instructions, [gather])
    answers.set('/typed', () => ({
      body: [
        { verb: 'tag', tags: ['typed'] },
        { verb: 'pause', seconds: 300 },
      ],
    }))
    const typing = await offer({ digits: 'w42', seconds: 600 })
    await happened(typing, 'call.tagged')
    const [request] = asked()
    assert.deepEqual([request?.path, request?.json.data.digits], ['/typed', '42'])
    await post(`/v2/voice/calls/${typing}/hangup`, {})
    assert.deepEqual(
      typesOf(await ended(typing)).filter(type => !['gather.completed', 'call.tagged'].includes(type)),
      ['call.initiated', 'call.ringing', 'call.answered', 'call.dtmf', 'call.dtmf', 'call.completed'],
    )
    const call = await ended(await offer({ seconds: 2 }))
    assert.deepEqual([call.state, call.hangupBy], ['completed', 'caller'])

    // A callback address is asked first, and the instructions are what is done when it does not answer.
    const instructions = [{ verb: 'reject', reason: 'busy' }]
    await t.call('PUT', path, { as: t.main.testKey, body: { callbackUrl: `${base}/inbound`, instructions } })
    answers.set('/inbound', () => ({ body: [{ verb: 'notify', data: { own: 1 } }, ...instructions] }))
    const rejected = await ended(await offer())
    assert.equal(asked().at(-1)?.json.data.reason, 'received')
    assert.ok(typesOf(rejected).includes('call.notified'))
    assert.deepEqual(
      [rejected.state, rejected.errorCode, rejected.sipCode, rejected.answeredAt],
      ['busy', 'callee_busy', 486, null],
      JSON.stringify(rejected.history),
    )
    assert.equal(await leftovers(t, rejected.callId), 0)
    answers.delete('/inbound')
    const fallenBack = await ended(await offer())
    assert.ok(typesOf(fallenBack).includes('call.instructions_failed'))
    assert.equal(fallenBack.state, 'busy')
  })

  test('a password in them is shown as dots and sealed at rest', async () => {
    const { numberId } = (await post('/v2/numbers', { number: '+15005550011' })).json.data
    const target = { type: 'sip', uri: 'sip:desk@example.com', user: 'desk', password: 'open-sesame-7' }
    const body = { instructions: [{ verb: 'dial', targets: [target] }] }
    const { json, text } = await t.call('PUT', `/v2/numbers/${numberId}/voice`, { as: t.main.testKey, body })
    assert.equal(json.data.instructions[0].targets[0].password, '••••••••', text)
    const rows = await t.ownerSql<{ instructions: string }>(
      'select instructions from number_voice where number_id = $1',
      [numberId],
    )
    assert.match(rows[0]?.instructions ?? '', /^sealed\.1\./)
    await t.call('DELETE', `/v2/numbers/${numberId}`, { as: t.main.testKey })
    assert.equal((await t.ownerSql('select 1 from number_voice where number_id = $1', [numberId])).length, 0)
  })

  test('only telephone numbers take calls', async () => {
    const { numberId } = (await post('/v2/numbers', { number: '40404' })).json.data
    const { status, json } = await t.call('GET', `/v2/numbers/${numberId}/voice`, { as: t.main.testKey })
    assert.deepEqual([status, json.error.code], [400, 'validation_failed'])
  })
})

test('a leg that leaves the installation is not dialled while nothing is sent', async () => {
  await t.ownerSql(`insert into sending_hold (because, since) values ('Restored.', now())`)
  const dial = { verb: 'dial', targets: [{ type: 'number', number: human }] }
  const call = await ended(await startCall(t, human, { instructions: [dial, { verb: 'hangup' }] }))
  await t.ownerSql('delete from sending_hold')
  const legs = await t.ownerSql('select dialed_at, hangup_cause from calls where parent_call_id = $1', [call.callId])
  assert.deepEqual(legs, [{ dialed_at: null, hangup_cause: 'congestion' }])
})

describe('texts of calls', () => {
  test('go out as those of requests do, and what refuses them is reported on the call', async () => {
    const instructions = [
      { verb: 'message', to: '+15005550100', from: '+15005550006', body: 'Your code is 42.' },
      { verb: 'message', to: '+15005550004', body: 'Not wanted.' },
      { verb: 'pause', seconds: 20 },
      { verb: 'hangup' },
    ]
    const call = await ended(await startCall(t, human, { instructions }))
    const { json } = await t.call('GET', '/v2/messages?limit=10', { as: t.main.testKey })
    assert.deepEqual(
      json.data.map((message: { from: string; to: string; body: string }) => [message.from, message.to, message.body]),
      [['+15005550006', '+15005550100', 'Your code is 42.']],
    )
    const failed = call.history.filter(entry => entry.type === 'call.message_failed')
    assert.equal(failed.length, 1)
    assert.match(String(failed[0]?.details?.['why']), /stop|opted/i)
  })
})
