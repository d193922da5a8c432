// Calls under instructions, from the API to the simulated remote party: lists given with the call and by a callback server, what
// happens when that is down, secrets at rest, commands.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { callIn, leftovers, seeCall, startCall } from '../../../../test/voice/calls.ts'
import {
  detailsOf,
  human,
  type Request,
  startInstructedCalls,
  typesOf,
} from '../../../../test/voice/instructed_calls.ts'
import { callbackKeys, sign } from '../../../kernel/data/signature.ts'

const { t, base, answers, asked, stopNode, restartNode, press, ended, post, command, happened } =
  await startInstructedCalls()

const scope = () => ({ tenantId: t.main.testTenantId, organizationId: t.main.organizationId })

describe('instructions of a call', () => {
  test('given with it, they are carried out once it is answered', async () => {
    const instructions = [
      { verb: 'notify', data: { step: 'greeted' } },
      { verb: 'tag', tags: ['done'] },
      { verb: 'hangup' },
    ]
    const call = await ended(await startCall(t, human, { instructions }))
    assert.deepEqual([call.state, call.hangupBy], ['completed', 'system'], JSON.stringify(call.history))
    assert.deepEqual(detailsOf(call, 'call.notified'), { step: 'greeted' })
    assert.equal(await leftovers(t, call.callId), 0)
    assert.deepEqual(asked(), [])
  })

  test('asked of the callback address: gathered digits are sent there, and its next list follows', async () => {
    const gather = { verb: 'gather', finishOnKey: '#', timeoutSeconds: 120, actionUrl: 'menu?step=2' }
    answers.set('/voice/start', () => ({ body: { instructions: [{ verb: 'tag', tags: ['listening'] }, gather] } }))
    answers.set('/voice/menu?step=2', () => ({ body: [{ verb: 'notify', data: { got: 'it' } }, { verb: 'hangup' }] }))
    const callId = await startCall(t, human, { callbackUrl: `${base}/voice/start` })
    await happened(callId, 'call.tagged')
    press(callId, '1234#')
    const call = await ended(callId)
    assert.deepEqual(detailsOf(call, 'call.notified'), { got: 'it' }, JSON.stringify(call.history))
    assert.deepEqual(
      asked().map(({ path }) => path),
      ['/voice/start', '/voice/menu?step=2'],
      'relative to the address that answered',
    )
    const [first, second] = asked() as [Request, Request]
    assert.equal(first.json.type, 'instructions.requested')
    assert.equal(first.json.expectsInstructions, true)
    assert.deepEqual([first.json.data.callId, first.json.data.reason], [call.callId, 'answered'])
    assert.deepEqual([second.json.data.reason, second.json.data.digits], ['gathered', '1234'])
    const keys = await t.app.services.db.inTenant(scope(), tx => callbackKeys(tx, scope(), t.app.services.keyring))
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = second.headers
    assert.equal(signature, sign(keys, id, Number(at), Buffer.from(second.text)))
  })

  test('each reason brings what belongs to it, beside the call as it is', async () => {
    answers.set('/wait', () => ({ body: [{ verb: 'leave' }] }))
    for (const path of ['/queue', '/transfer', '/who', '/room', '/message']) answers.set(path, () => ({}))
    answers.set('/end', () => ({ body: [{ verb: 'hangup' }] }))
    const to = '+15005550201'
    const instructions = [
      { verb: 'enqueue', queue: 'support', waitUrl: `${base}/wait`, actionUrl: `${base}/queue` },
      { verb: 'transfer', to: { type: 'number', number: to }, leg: 'peer', actionUrl: `${base}/transfer` },
      { verb: 'detectMachine', timeoutSeconds: 3, actionUrl: `${base}/who` },
      { verb: 'conference', name: 'reasons', timeLimitSeconds: 1, actionUrl: `${base}/room` },
      { verb: 'record', mode: 'message', maxSeconds: 1, actionUrl: `${base}/message` },
      { verb: 'redirect', url: `${base}/end` },
    ]
    const call = await ended(await startCall(t, human, { instructions }))
    const requests = asked().map(({ json: { data } }) => data)
    const reasons = ['waiting', 'queue_left', 'transfer_failed', 'machine_detected', 'conference_left', 'recorded']
    assert.deepEqual(
      requests.map(({ reason }) => reason),
      [...reasons, 'redirected'],
      JSON.stringify(call.history),
    )
    for (const data of requests) assert.deepEqual([data.callId, data.to, data.state], [call.callId, human, 'answered'])
    const [waiting, queue, transfer, who, room, message] = requests
    assert.deepEqual([waiting?.queue, waiting?.place], ['support', 1])
    assert.equal(queue?.queueResult, 'left')
    assert.deepEqual([transfer?.transferTo, transfer?.why], [to, 'the call is joined with nobody'])
    assert.equal(who?.answeredBy, who?.verdict === 'human' || who?.verdict === 'unknown' ? who?.verdict : 'machine')
    assert.deepEqual([room?.conference, room?.conferenceResult], ['reasons', 'timeout'])
    assert.match(message?.recordingId, /^rec_/)
  })

  test('a callback address that is down is tried three times, then the fallback is asked', async () => {
    answers.set('/fallback', () => ({ body: [{ verb: 'notify', data: { from: 'fallback' } }, { verb: 'hangup' }] }))
    const urls = { callbackUrl: `${base}/down`, fallbackUrl: `${base}/fallback` }
    const callId = await startCall(t, human, urls)
    const call = await ended(callId)
    assert.deepEqual(
      asked().map(({ path }) => path),
      ['/down', '/down', '/down', '/fallback'],
    )
    assert.equal(
      new Set(
        asked()
          .slice(0, 3)
          .map(request => request.headers['webhook-id']),
      ).size,
      1,
    )
    assert.equal(asked()[3]?.json.data.failedUrl, `${base}/down`)
    assert.deepEqual(detailsOf(call, 'call.notified'), { from: 'fallback' })
    assert.match(String(detailsOf(call, 'call.instructions_failed')?.['why']), /500/)
  })

  test('where nobody says how to go on, the caller hears an apology, and the call ends', async () => {
    answers.set('/wrong', () => ({ body: [{ verb: 'sing' }] }))
    const call = await ended(await startCall(t, human, { callbackUrl: `${base}/wrong` }))
    assert.equal(asked().length, 1, 'what is understood and wrong stays wrong')
    assert.deepEqual([call.state, call.hangupBy], ['completed', 'system'])
    assert.match(String(detailsOf(call, 'call.instructions_failed')?.['why']), /invalid_instructions.*sing/)
  })

  test('every fault of a list is refused with its place, and nothing is stored', async () => {
    const body = { from: '+15550100001', to: human, instructions: [{ verb: 'say', txt: 'x' }, { verb: 'sing' }] }
    const { status, json } = await post('/v2/voice/calls', body)
    assert.deepEqual([status, json.error.code], [400, 'invalid_instructions'])
    const fields = json.error.details.map(({ field }: { field: string }) => field)
    assert.ok(fields.includes('instructions[0].txt') && fields.includes('instructions[1].verb'), fields.join())
    const long = { verb: 'say', text: 'x'.repeat(3_000) }
    const most = await post('/v2/voice/calls', { ...body, instructions: Array.from({ length: 20 }, () => long) })
    assert.equal(most.status, 200, most.text)
    const more = await post('/v2/voice/calls', { ...body, instructions: Array.from({ length: 40 }, () => long) })
    assert.deepEqual([more.status, more.json.error.code], [400, 'invalid_instructions'])
  })

  test('a list with a password is sealed at rest and carried out all the same', async () => {
    const target = { type: 'sip', uri: 'sip:desk@example.com', user: 'desk', password: 'open-sesame-9' }
    const instructions = [{ verb: 'dial', targets: [target], timeoutSeconds: 10 }, { verb: 'hangup' }]
    const callId = await startCall(t, human, { instructions })
    const [stored] = await t.ownerSql<{ instructions: unknown }>('select instructions from calls where id = $1', [
      callId,
    ])
    assert.match(String(stored?.instructions), /^sealed\.1\./)
    await happened(callId, 'call.bridged')
    const sent = await command(callId, { instructions })
    assert.equal(sent.status, 200, sent.text)
    await command(callId, { verb: 'hangup' })
    await ended(callId)
    const [leak] = await t.ownerSql<{ count: number }>(
      `select count(*) from (select c::text as row from calls c union all select e::text from event_log e
         union all select c::text from call_commands c) as rows where row like '%open-sesame%'`,
    )
    assert.equal(Number(leak?.count), 0)
  })
})

describe('commands', () => {
  const waiting = [{ verb: 'pause', seconds: 300 }]

  test('one verb acts beside what runs; a list takes its place', async () => {
    const say = { verb: 'say', text: 'Please hold the line while we look for somebody who can help you.', loop: 20 }
    const callId = await startCall(t, human, { instructions: [say, ...waiting] })
    await callIn(t, callId, ['answered'])
    const sent = await command(callId, { verb: 'notify', data: { beside: 1 } })
    assert.equal(sent.status, 200, sent.text)
    const { commandId, acceptedAt, ...rest } = sent.json.data
    assert.deepEqual(rest, { callId, state: 'answered' })
    assert.match(commandId, /^cmd_[0-9a-z]{26}$/)
    assert.match(acceptedAt, /Z$/)
    assert.equal(detailsOf(await happened(callId, 'call.notified'), 'call.notified')?.['beside'], 1)
    assert.equal((await seeCall(t, callId)).state, 'answered')
    await command(callId, { instructions: [{ verb: 'tag', tags: ['moved'] }, { verb: 'hangup' }] })
    const call = await ended(callId)
    assert.ok(typesOf(call).includes('call.tagged'))
    assert.equal(await leftovers(t, callId), 0)
  })

  test('hangup ends the call as hanging it up does', async () => {
    const callId = await startCall(t, human, { instructions: waiting })
    await callIn(t, callId, ['answered'])
    const { json } = await command(callId, { verb: 'hangup' })
    assert.equal(json.data.state, 'completed')
    const call = await seeCall(t, callId)
    assert.deepEqual([call.state, call.hangupBy], ['completed', 'api'])
    assert.equal((await command(callId, { verb: 'hangup' })).json.error.code, 'call_not_active')
  })

  test('what the state or the side of the call forbids is refused, naming the remedy', async () => {
    const callId = await startCall(t, '+15005550202', { instructions: waiting, timeoutSeconds: 600 })
    const mute = await command(callId, { verb: 'mute' })
    assert.deepEqual([mute.status, mute.json.error.code], [409, 'command_not_allowed'])
    assert.match(mute.json.error.message, /needs an answered call/)
    assert.match((await command(callId, { verb: 'reject' })).json.error.message, /came in/)
    for (const body of [{ verb: 'pause', seconds: 1 }, { verb: 'mute', legs: 'x' }, {}, { verb: 'say' }])
      assert.equal((await command(callId, body)).json.error.code, 'invalid_instructions', JSON.stringify(body))
    await command(callId, { verb: 'hangup' })
  })

  test('asked of a call that is not dialled yet, they wait for it', async () => {
    // Without a node nothing is dialled.
    await stopNode()
    const callId = await startCall(t, human, { instructions: waiting })
    const canceled = await startCall(t, human, { instructions: waiting })
    for (const id of [callId, canceled]) await command(id, { verb: 'notify', data: { early: true } })
    await command(canceled, { verb: 'hangup' })
    assert.equal(await leftovers(t, canceled), 1, 'its job only')
    restartNode()
    assert.deepEqual(detailsOf(await happened(callId, 'call.notified'), 'call.notified'), { early: true })
    await command(callId, { verb: 'hangup' })
    await ended(callId)
  })

  test('a repeated Idempotency-Key commands once', async () => {
    const callId = await startCall(t, human, { instructions: waiting })
    await callIn(t, callId, ['answered'])
    const options = {
      as: t.main.testKey,
      body: { verb: 'notify', data: { n: 1 } },
      headers: { 'idempotency-key': 'once' },
    }
    const path = `/v2/voice/calls/${callId}/commands`
    const [first, second] = [await t.call('POST', path, options), await t.call('POST', path, options)]
    assert.equal(first.text, second.text)
    await command(callId, { instructions: [{ verb: 'hangup' }] })
    const call = await ended(callId)
    assert.equal(typesOf(call).filter(type => type === 'call.notified').length, 1)
  })
})
