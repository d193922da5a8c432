// Phones in browsers, remote parties by the same library (portal/test has Chromium): calls both ways, sound compared by its spectrum, keys,
// several windows, refusals, browsers that vanish, tokens, handsets, and the death of the process that holds a call.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Browser, openBrowser } from '../../../test/engines/browser_phone.ts'
import { eventually } from '../../../test/eventually.ts'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { openStream } from '../../../test/stream_reader.ts'
import {
  callIn,
  leftovers,
  patientWatch,
  type RunningQueues,
  seeCall,
  startCall,
  startQueues,
} from '../../../test/voice/calls.ts'
import { quietTools } from '../../../test/voice/engine.ts'
import { carryCalls } from '../../modules/voice/node/jobs.ts'
import { simulatorEngine } from '../simulator/simulator.ts'
import { clientEngine, handsets } from './client.ts'

let t: TestApp
let running: RunningQueues
const browsers: Browser[] = []

before(async () => {
  t = await startTestApp({ env: { TANDEM_WEBRTC_ADDRESS: '127.0.0.1' } })
  const engines = [clientEngine({ silenceMs: 1_500 }), simulatorEngine({ handsets })]
  running = startQueues(t, [carryCalls({ engines, tools: () => quietTools, drainMs: 0 })])
})
after(async () => {
  await Promise.all(browsers.map(browser => browser.close()))
  await running.stop()
  await t.close()
})

async function browserOf(as: string, query = ''): Promise<Browser> {
  const browser = await openBrowser(t, as, query)
  browsers.push(browser)
  return browser
}

async function tokenFor(identity: string, more: Record<string, unknown> = {}): Promise<string> {
  const { status, json } = await t.call('POST', '/v2/voice/client-tokens', {
    as: t.main.testKey,
    body: { identity, ...more },
  })
  assert.equal(status, 201, JSON.stringify(json))
  return json.data.token
}

const phoneOf = async (identity: string) => browserOf(await tokenFor(identity))

const about = (frequency: number, heard: number | null) => heard !== null && Math.abs(heard - frequency) < 20
const calls = (query: string) => t.call('GET', `/v2/voice/calls?${query}`, { as: t.main.testKey })

test('a browser calls a browser: each hears the other, keys go both ways, and the end is reported', async () => {
  const [ada, bob] = await Promise.all([phoneOf('ada'), phoneOf('Bob@example.com')])
  assert.deepEqual([ada.identity, bob.identity], ['ada', 'bob@example.com'])
  const { callId, phone } = await ada.call({ to: 'client:bob@EXAMPLE.com' })
  const rung = await bob.ringing()
  assert.deepEqual([rung.from, rung.identity, rung.leadId], ['client:ada', 'bob@example.com', null])
  const other = await bob.answer(rung.callId)
  phone.speak(700)
  other.speak(1_200)
  await eventually('both tones', () => about(700, other.hears()) && about(1_200, phone.hears()), { withinMs: 15_000 })
  await phone.press('5')
  await other.press('#')
  await eventually('both keys', () => other.keys.join('') === '5' && phone.keys.join('') === '#', { withinMs: 15_000 })
  phone.speak(null)
  await eventually('silence of one who is mute', () => other.hears() === null, { withinMs: 15_000 })
  const talking = await ada.stream.until(({ event, data }) => event === 'state' && data.state === 'talking')
  assert.equal(talking.data.peerCallId, rung.callId)

  assert.equal((await bob.say(rung.callId, 'hangup')).status, 200)
  assert.deepEqual([await bob.ended(rung.callId), await ada.ended(callId)], ['normal', 'normal'])
  const [first, second] = [await seeCall(t, callId), await seeCall(t, rung.callId)]
  assert.deepEqual([second.state, second.hangupBy], ['completed', 'callee'])
  assert.deepEqual(
    first.history.filter(entry => entry.type === 'call.dtmf').map(entry => entry.details),
    [{ digit: '5' }],
    'a press counts once',
  )
  assert.ok((second.billableSeconds ?? 0) >= 1)
  assert.deepEqual([await leftovers(t, callId), await leftovers(t, rung.callId)], [0, 0])
})

test('a browser calls a number as the organization; the call is in the list and in the story of the lead', async () => {
  const as = t.main.testKey
  await t.call('POST', '/v2/numbers', { as, body: { number: '+15005550006' } })
  const made = await t.call('POST', '/v1/api/leads', {
    as,
    body: { name: 'Grace', email: 'grace@example.net', phone: '+15005550208' },
  })
  const leadId = made.json.data?.id ?? made.json.lead?.id
  const browser = await browserOf(as)
  const { callId, phone } = await browser.call({ to: '+1 500 555 0208', leadId, record: 'none' })
  await eventually('the keys the callee types', () => phone.keys.join('') === '1234#', { withinMs: 15_000 })
  const seen = await t.call('GET', `/v2/voice/calls/${callId}`, { as })
  assert.deepEqual(
    [seen.json.data.from, seen.json.data.to, seen.json.data.metadata],
    ['+15005550006', 'client:admin@example.com', { leadId: String(leadId) }],
  )
  const { json } = await calls('to=%2B15005550208')
  assert.equal(json.data[0].parentCallId, callId)
  const story = await t.call('GET', `/v1/api/leads/${leadId}/timeline`, { as })
  const reported = story.json.entries ?? story.json.data
  assert.deepEqual(
    reported.filter((entry: { kind: string }) => entry.kind === 'call').map((entry: { to: string }) => entry.to),
    ['+15005550208'],
  )
  await browser.say(callId, 'hangup')
  assert.equal(await browser.ended(callId), 'normal')
  assert.equal((await callIn(t, json.data[0].callId, ['completed'])).hangupBy, 'caller')
  await browser.close()
})

test('the caller learns that the callee is busy or declines; nobody connected ends the call at once', async () => {
  const [ada, bob] = await Promise.all([phoneOf('ada2'), phoneOf('bob2')])
  for (const [reason, cause, state] of [
    ['busy', 'user_busy', 'busy'],
    ['declined', 'declined', 'rejected'],
  ] as const) {
    const call = ada.call({ to: 'client:bob2' })
    const { callId } = await bob.ringing(({ data }) => !rungBefore.has(data.callId))
    rungBefore.add(callId)
    assert.equal((await bob.say(callId, 'reject', { reason })).status, 200)
    assert.equal(await ada.ended((await call).callId), cause)
    assert.equal(await bob.ended(callId), cause)
    assert.equal((await callIn(t, callId, [state])).hangupBy, 'callee')
  }
  const { callId } = await ada.call({ to: 'client:nobody' })
  assert.equal(await ada.ended(callId), 'not_registered')
  const { json } = await calls('to=client:nobody').then(answer => (answer.status === 200 ? answer : calls('limit=1')))
  assert.deepEqual(
    [json.data[0].to, json.data[0].state, json.data[0].errorCode],
    ['client:nobody', 'no_answer', 'callee_not_registered'],
  )
})
const rungBefore = new Set<string>()

test('all windows of an identity ring, the first to answer has the call, and a window that connects late rings too', async () => {
  const [ada, one, two] = await Promise.all([phoneOf('ada3'), phoneOf('bob3'), phoneOf('bob3')])
  const call = ada.call({ to: 'client:bob3' })
  const [rung, again] = await Promise.all([one.ringing(), two.ringing()])
  assert.equal(rung.callId, again.callId)
  const three = await phoneOf('bob3')
  assert.equal((await three.ringing()).callId, rung.callId)
  await two.answer(rung.callId)
  const taken = await one.stream.until(({ event, data }) => event === 'state' && data.callId === rung.callId)
  assert.match(taken.data.state, /^(taken|answered|talking)$/)
  const late = await one.say(rung.callId, 'reject')
  assert.deepEqual(late, { status: 409, code: 'call_taken' })
  await ada.say((await call).callId, 'hangup')
  assert.equal(await three.ended(rung.callId), 'normal')
})

test('a browser that vanishes while it talks or rings ends its call', async () => {
  const [ada, bob] = await Promise.all([phoneOf('ada4'), phoneOf('bob4')])
  const { callId } = await ada.call({ to: 'client:bob4' })
  const rung = await bob.ringing()
  const phone = await bob.answer(rung.callId)
  await bob.stream.until(({ event, data }) => event === 'state' && data.state === 'talking')
  await phone.vanish()
  assert.equal(await ada.ended(callId), 'normal')
  const lost = await callIn(t, rung.callId, ['failed'])
  assert.deepEqual([lost.hangupCause, lost.hangupBy], ['media_timeout', 'system'])
  assert.ok((lost.billableSeconds ?? 0) >= 1)

  const second = await ada.call({ to: 'client:bob4' })
  const { callId: ringing } = await bob.ringing(({ data }) => data.callId !== rung.callId)
  bob.stream.close()
  assert.equal(await ada.ended(second.callId), 'not_registered')
  assert.equal((await seeCall(t, ringing)).state, 'no_answer')
})

test('a token is a phone and nothing else, for its time and as long as its maker', async () => {
  const token = await tokenFor('kiosk', { incoming: false, outgoing: false })
  for (const [method, path] of [
    ['GET', '/v2/voice/calls'],
    ['GET', '/v1/api/auth/me'],
    ['POST', '/v2/voice/client-tokens'],
  ] as const)
    assert.equal(
      (await t.call(method, path, { as: token, ...(method === 'POST' ? { body: {} } : {}) })).status,
      403,
      path,
    )
  const kiosk = await browserOf(token)
  await assert.rejects(kiosk.call({ to: 'client:nobody' }), /makes no calls/)
  const ada = await phoneOf('ada5')
  assert.equal(await ada.ended((await ada.call({ to: 'client:kiosk' })).callId), 'not_registered')

  const own = await t.call('POST', '/v2/voice/client-tokens', { as: t.main.tokens['Sales Executive'], body: {} })
  assert.equal(own.json.data.identity, t.main.users['Sales Executive'].email)
  const foreign = await t.call('POST', '/v2/voice/client-tokens', {
    as: t.main.tokens['Sales Executive'],
    body: { identity: t.main.users.Admin.email.toUpperCase() },
  })
  assert.deepEqual([foreign.status, foreign.json.error.code], [403, 'insufficient_role'])
  for (const body of [{ ttlSeconds: 59 }, { ttlSeconds: 86_401 }])
    assert.equal((await t.call('POST', '/v2/voice/client-tokens', { as: t.main.testKey, body })).status, 400)

  const made = await t.call('POST', '/v2/auth/api-keys', { as: t.main.testKey, body: { name: 'Pages', mode: 'test' } })
  const short = await t.call('POST', '/v2/voice/client-tokens', {
    as: made.json.data.secret,
    body: { identity: 'page' },
  })
  const stream = await browserOf(short.json.data.token)
  await t.call('DELETE', `/v2/auth/api-keys/${made.json.data.keyId}`, { as: t.main.testKey })
  const { data } = await stream.stream.until(message => message.event === 'end', 10_000)
  assert.equal(data.reason, 'key_revoked')
  const forged = `${token.slice(0, -8)}AAAAAAAA`
  assert.equal((await openStream(t.app, { as: forged, path: '/v2/voice/client-stream' })).status, 401)
})

test('calls of another organization do not exist, and what is no offer is refused with what is wrong', async () => {
  const [ada, bob] = await Promise.all([phoneOf('ada6'), phoneOf('bob6')])
  const stranger = await browserOf(t.other.testKey)
  const call = await ada.call({ to: 'client:bob6' })
  const { callId } = await bob.ringing()
  for (const what of ['reject', 'hangup'] as const) {
    assert.equal((await stranger.say(callId, what)).status, 404)
    assert.equal((await ada.say(callId, what)).status, 404, 'nor do those of another phone')
  }
  assert.equal(stranger.stream.messages.length, 1)
  const wrong = await t.call('POST', '/v2/voice/client-calls', {
    as: t.main.testKey,
    body: { to: 'client:bob6', sdp: 'v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\n' },
  })
  assert.deepEqual(
    [wrong.status, wrong.json.error.code, wrong.json.error.details[0].field],
    [400, 'invalid_offer', 'sdp'],
  )
  await ada.say(call.callId, 'hangup')
  assert.equal(await bob.ended(callId), 'canceled')
})

test('a handset rings for its number in place of the script, and calls in from there', async () => {
  const as = t.main.testKey
  const number = '+15005550177'
  const handset = await browserOf(as, `?incoming=false&number=${encodeURIComponent(number)}`)
  const callId = await startCall(t, number, { instructions: [{ verb: 'gather', numDigits: 1, timeoutSeconds: 30 }] })
  const rung = await handset.ringing()
  assert.deepEqual([rung.callId, rung.from, rung.to], [callId, '+15550100001', number])
  const phone = await handset.answer(callId)
  await phone.press('7')
  assert.equal(await handset.ended(callId), 'normal')
  const gathered = (await seeCall(t, callId)).history.find(entry => entry.type === 'gather.completed')
  assert.equal(gathered?.details?.['digits'], '7')

  const incoming = await handset.call({ number, to: '+15005550006' })
  const seen = await t.call('GET', `/v2/voice/calls/${incoming.callId}`, { as })
  assert.deepEqual([seen.json.data.direction, seen.json.data.from], ['inbound', number])
  assert.equal((await callIn(t, incoming.callId, ['answered'])).state, 'answered')
  await handset.say(incoming.callId, 'hangup')
  assert.equal((await callIn(t, incoming.callId, ['completed'])).hangupBy, 'caller')
})

test('when the process that holds it dies, a call ends as node_lost and its browser hears of it', async () => {
  const ada = await phoneOf('ada7')
  const { callId } = await ada.call({ to: '+15005550208' })
  await callIn(t, callId, ['answered'])
  await t.ownerSql(
    `update call_leases set owner = 'node_gone', heartbeat_at = now() - interval '1 minute' where call_id = $1`,
    [callId],
  )
  const watch = await patientWatch(t)
  await watch.work(await watch.claim('', 100), '', () => false)
  running.services.wake('call_jobs')
  assert.equal(await ada.ended(callId), 'node_lost')
  assert.equal((await seeCall(t, callId)).state, 'failed')
})
