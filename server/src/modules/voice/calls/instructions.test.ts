// Calls under instructions, from the API to the simulated far side: lists given with the call and by a callback server, what
// happens when that is down, commands, secrets at rest, caller ids, inbound calls, texts that calls send.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertDocumented } from '../../../../test/documented_request.ts'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { simulatorEngine } from '../../../engines/simulator/simulator.ts'
import { callbackKeys, sign } from '../../../kernel/signature.ts'
import { askedInstructions } from '../asked_instructions.ts'
import { endLostConferences } from '../conferences/index.ts'
import { callTools } from '../tools.ts'
import { carryCalls } from './jobs.ts'
import { callIn, leftovers, type SeenCall, seeCall, startCall, startQueues } from './testing.ts'

const types1234 = '+15005550208'
const human = '+15005550209'
const terminal = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']

// biome-ignore lint/suspicious/noExplicitAny: tests look into requests of every shape
type Request = { path: string; headers: Record<string, any>; text: string; json: any }
type Answer = { status?: number; body?: unknown; raw?: string }

let t: TestApp
let running: { stop(): Promise<void> }
let server: Server
let base = ''
/** What the callback server answers to each path; 500 to every other. */
const answers = new Map<string, (request: Request) => Answer>()
/** Requests for instructions only: events are told to the same addresses, by another queue. */
let asked: Request[] = []

before(async () => {
  server = createServer((incoming, reply) => {
    const chunks: Buffer[] = []
    incoming.on('data', chunk => chunks.push(chunk))
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const { url = '/', headers } = incoming
      const request = { path: url, headers, text, json: JSON.parse(text) }
      asked.push(request)
      const { status = 200, body, raw } = answers.get(url)?.(request) ?? { status: 500 }
      reply.writeHead(status, { 'content-type': 'application/json' }).end(raw ?? JSON.stringify(body ?? {}))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  t = await startTestApp({ env: { TANDEM_EGRESS_ALLOW: '127.0.0.1/32' } })
  running = startQueues(t, [
    carryCalls({ engines: [simulatorEngine({ speed: 6 })], tools: callTools }),
    endLostConferences,
  ])
})
after(async () => {
  await running?.stop()
  await t?.close()
  server?.close()
})
afterEach(() => {
  for (const { json } of asked) assertDocumented(askedInstructions, json)
})
beforeEach(() => {
  answers.clear()
  asked = []
})

const scope = () => ({ tenantId: t.main.testTenantId, organizationId: t.main.organizationId })
const ended = (callId: string) => callIn(t, callId, terminal, t.main.testKey, 20_000)
const typesOf = (call: SeenCall) => call.history.map(entry => entry.type)
const post = (path: string, body: object, as = t.main.testKey) => t.call('POST', path, { as, body })
const command = (callId: string, body: object) => post(`/v2/voice/calls/${callId}/commands`, body)
const detailsOf = (call: SeenCall, type: string) => call.history.find(entry => entry.type === type)?.details

/** Waits until an entry of this type stands in the history. */
async function happened(callId: string, type: string): Promise<SeenCall> {
  const deadline = performance.now() + 15_000
  for (;;) {
    const call = await seeCall(t, callId)
    if (typesOf(call).includes(type)) return call
    if (terminal.includes(call.state) || performance.now() > deadline)
      assert.fail(`no ${type}: ${JSON.stringify(call.history)}`)
    await sleep(10)
  }
}

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
    assert.deepEqual(asked, [])
  })

  test('asked of the callback address: gathered digits are sent there, and its next list follows', async () => {
    answers.set('/voice/start', () => ({
      body: { instructions: [{ verb: 'gather', finishOnKey: '#', timeoutSeconds: 20, actionUrl: 'menu?step=2' }] },
    }))
    answers.set('/voice/menu?step=2', () => ({ body: [{ verb: 'notify', data: { got: 'it' } }, { verb: 'hangup' }] }))
    const call = await ended(await startCall(t, types1234, { callbackUrl: `${base}/voice/start` }))
    assert.deepEqual(detailsOf(call, 'call.notified'), { got: 'it' }, JSON.stringify(call.history))
    assert.deepEqual(
      asked.map(({ path }) => path),
      ['/voice/start', '/voice/menu?step=2'],
      'relative to the address that answered',
    )
    const [first, second] = asked as [Request, Request]
    assert.equal(first.json.type, 'instructions.requested')
    assert.equal(first.json.expectsInstructions, true)
    assert.deepEqual([first.json.data.callId, first.json.data.reason], [call.callId, 'answered'])
    assert.deepEqual([second.json.data.reason, second.json.data.digits], ['gathered', '1234'])
    const keys = await t.app.services.db.inTenant(scope(), tx => callbackKeys(tx, scope(), t.app.services.pepper))
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
    const told = asked.map(({ json: { data } }) => data)
    const reasons = ['waiting', 'queue_left', 'transfer_failed', 'machine_detected', 'conference_left', 'recorded']
    assert.deepEqual(
      told.map(({ reason }) => reason),
      [...reasons, 'redirected'],
      JSON.stringify(call.history),
    )
    for (const data of told) assert.deepEqual([data.callId, data.to, data.state], [call.callId, human, 'answered'])
    const [waiting, queue, transfer, who, room, message] = told
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
      asked.map(({ path }) => path),
      ['/down', '/down', '/down', '/fallback'],
    )
    assert.equal(new Set(asked.slice(0, 3).map(request => request.headers['webhook-id'])).size, 1)
    assert.equal(asked[3]?.json.data.failedUrl, `${base}/down`)
    assert.deepEqual(detailsOf(call, 'call.notified'), { from: 'fallback' })
    assert.match(String(detailsOf(call, 'call.instructions_failed')?.['why']), /500/)
  })

  test('where nobody says how to go on, the caller hears an apology, and the call ends', async () => {
    answers.set('/wrong', () => ({ body: [{ verb: 'sing' }] }))
    const call = await ended(await startCall(t, human, { callbackUrl: `${base}/wrong` }))
    assert.equal(asked.length, 1, 'what is understood and wrong stays wrong')
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
      `select count(*) from (select c::text as row from calls c union all select e::text from events e
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
    await running.stop()
    const callId = await startCall(t, human, { instructions: waiting })
    const canceled = await startCall(t, human, { instructions: waiting })
    for (const id of [callId, canceled]) await command(id, { verb: 'notify', data: { early: true } })
    await command(canceled, { verb: 'hangup' })
    assert.equal(await leftovers(t, canceled), 1, 'its job only')
    running = startQueues(t, [
      carryCalls({ engines: [simulatorEngine({ speed: 6 })], tools: callTools }),
      endLostConferences,
    ])
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

  test('those in instructions likewise: of calls, commands and numbers, each told with its place', async () => {
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
  test('are refused where more wait than the trunks begin in five minutes', async () => {
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
    answers.set('/typed', () => ({ body: [{ verb: 'pause', seconds: 100 }] }))
    const call = await ended(await offer({ digits: 'w42', seconds: 8 }))
    assert.deepEqual(
      typesOf(call).filter(type => type !== 'gather.completed'),
      ['call.initiated', 'call.ringing', 'call.answered', 'call.dtmf', 'call.dtmf', 'call.completed'],
    )
    assert.deepEqual([call.state, call.hangupBy], ['completed', 'caller'])
    const [request] = asked
    assert.deepEqual([request?.path, request?.json.data.digits], ['/typed', '42'])

    // A callback address is asked first, and the instructions are what is done when it does not answer.
    const instructions = [{ verb: 'reject', reason: 'busy' }]
    await t.call('PUT', path, { as: t.main.testKey, body: { callbackUrl: `${base}/inbound`, instructions } })
    answers.set('/inbound', () => ({ body: [{ verb: 'notify', data: { own: 1 } }, ...instructions] }))
    const rejected = await ended(await offer())
    assert.equal(asked.at(-1)?.json.data.reason, 'received')
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

describe('texts of calls', () => {
  test('go out as those of requests do, and what refuses them is told on the call', async () => {
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
