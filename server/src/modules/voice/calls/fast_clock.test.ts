// Guards: X-Simulate-Clock compresses the time of the call that asks for it and of the legs it dials, of no other, and only in
// the test mode.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { callIn, startQueues } from '../../../../test/voice/calls.ts'
import { simulatorEngine } from '../../../engines/simulator/simulator.ts'
import { carryCalls } from '../node/jobs.ts'
import { callTools } from '../node/tools.ts'
import { storeRecordings } from '../recordings/jobs.ts'

let t: TestApp
let running: { stop(): Promise<void> }
before(async () => {
  t = await startTestApp()
  running = startQueues(t, [carryCalls({ engines: [simulatorEngine()], tools: callTools }), storeRecordings()])
})
after(async () => {
  await running?.stop()
  await t?.close()
})

const fast = { 'x-simulate-clock': 'fast' }
const post = (path: string, body: object, headers: Record<string, string> = {}, as = t.main.testKey) =>
  t.call('POST', path, { as, body, headers })
async function start(body: object, headers: Record<string, string> = {}): Promise<string> {
  const { status, json, text } = await post('/v2/voice/calls', { from: '+15550100001', ...body }, headers)
  assert.equal(status, 200, text)
  return json.data.callId
}

test('a call with it is over before one without has been given up', async () => {
  const body = { to: '+15005550202', timeoutSeconds: 15 }
  const usual = await start(body)
  const call = await callIn(t, await start(body, fast), ['no_answer'], t.main.testKey, 25_000)
  assert.equal(call.errorCode, 'callee_no_answer')
  assert.ok((await callIn(t, usual, ['initiated', 'ringing'])).durationSeconds === null)
  await post(`/v2/voice/calls/${usual}/hangup`, {})
})

test('instructions wait as fast, and legs that it dials have the same clock', async () => {
  const targets = [{ type: 'number', number: '+15005550202' }]
  const instructions = [
    { verb: 'pause', seconds: 20 },
    { verb: 'dial', targets, timeoutSeconds: 20 },
    { verb: 'hangup' },
  ]
  const callId = await start({ to: '+15005550209', instructions }, fast)
  const call = await callIn(t, callId, ['completed', 'failed'], t.main.testKey, 25_000)
  assert.equal(call.state, 'failed', 'the remote party of …0209 ends in the middle of it: 37 s are 3.7')
  const { json } = await t.call('GET', `/v2/voice/calls?parentCallId=${callId}`, { as: t.main.testKey })
  assert.equal(json.data.length, 1)
  const rows = await t.ownerSql<{ fast_clock: boolean }>('select fast_clock from calls where id = any ($1)', [
    [callId, json.data[0].callId],
  ])
  assert.deepEqual(rows, [{ fast_clock: true }, { fast_clock: true }])
})

test('a call that comes in for a test has it, too', async () => {
  const sent = { from: '+15005550100', to: '+15005550006', seconds: 600 }
  const answer = await post('/v2/test/calls', sent, fast)
  assert.equal(answer.status, 201, answer.text)
  const { callId } = answer.json.data
  const commands = `/v2/voice/calls/${callId}/commands`
  await callIn(t, callId, ['answered', 'completed'])
  const paused = await post(commands, { instructions: [{ verb: 'pause', seconds: 10 }, { verb: 'hangup' }] })
  assert.equal(paused.status, 200, paused.text)
  assert.equal((await callIn(t, callId, ['completed'], t.main.testKey, 20_000)).hangupBy, 'system')
})

test('it is refused in the live mode, and with another word', async () => {
  const body = { from: '+15005550301', to: '+15005550200' }
  for (const [headers, as, message] of [
    [fast, t.main.liveKey, /test mode/],
    [{ 'x-simulate-clock': 'slow' }, t.main.testKey, /must be fast/],
  ] as const)
    for (const path of ['/v2/voice/calls', '/v2/test/calls']) {
      const { status, json } = await post(path, body, headers, as)
      assert.deepEqual([status, json.error.code], [400, 'validation_failed'], path)
      assert.deepEqual(json.error.details[0].field, 'X-Simulate-Clock')
      assert.match(json.error.details[0].message, message)
    }
})

/** The recording of a call that comes in to these instructions, once it is over, with the loudest sample of its sound. */
async function recordingOf(instructions: unknown[], from: string, headers: Record<string, string> = fast) {
  const to = '+15005550016'
  const known = await t.call('GET', '/v2/numbers', { as: t.main.testKey })
  const { numberId } =
    known.json.data.find(({ number }: { number: string }) => number === to) ??
    (await post('/v2/numbers', { number: to })).json.data
  await t.call('PUT', `/v2/numbers/${numberId}/voice`, { as: t.main.testKey, body: { instructions } })
  const { callId } = (await post('/v2/test/calls', { from, to, seconds: 300 }, headers)).json.data
  await callIn(t, callId, ['completed'], t.main.testKey, 40_000)
  for (const deadline = performance.now() + 10_000; ; await sleep(50)) {
    const { json } = await t.call('GET', `/v2/voice/calls/${callId}`, { as: t.main.testKey })
    const [recording, ...others] = json.data.recordings
    assert.deepEqual(others, [])
    if (recording !== undefined && ['available', 'absent'].includes(recording.state)) {
      const url = `/v2/voice/recordings/${recording.recordingId}/media`
      const media = await t.app.http.inject({ url, headers: { authorization: `Bearer ${t.main.testKey}` } })
      const wav = media.rawPayload.subarray(44)
      let loudest = 0
      if (media.statusCode === 200)
        for (let at = 0; at + 1 < wav.length; at += 2) loudest = Math.max(loudest, Math.abs(wav.readInt16LE(at)))
      return { state: recording.state, durationMs: recording.durationMs, loudest }
    }
    assert.ok(performance.now() < deadline, JSON.stringify(json.data))
  }
}

test('voicemail can be tried: the simulated caller speaks when it is listened to, or never', async () => {
  const text = readFileSync(join(import.meta.dirname, '../../../../../docs/voice.md'), 'utf8')
  const example = JSON.parse(/A voicemail is .*?```json\n(.*?)```/s.exec(text)?.[1] ?? '')
  const greeting = { verb: 'play', tone: 'beep' }
  const record = { verb: 'record', silenceSeconds: 3 }
  const prompt = { verb: 'gather', numDigits: 1, timeoutSeconds: 1, prompt: [greeting] }
  for (const [instructions, headers] of [
    [example, fast],
    [[greeting, record], fast],
    // Without a beep nobody waits for the file to be opened, which takes ten times as long for those whose clock is fast.
    [[prompt, { ...record, beep: false }], {}],
  ] as const) {
    const spoken = await recordingOf(instructions, '+15005550100', headers)
    assert.equal(spoken.state, 'available', JSON.stringify(instructions))
    assert.ok(spoken.durationMs > 2_000 && spoken.durationMs < 5_000, `${spoken.durationMs} ms`)
    assert.ok(spoken.loudest > 3_000, `nothing is heard: ${spoken.loudest}`)
  }
  assert.equal((await recordingOf(example, '+15005550211')).state, 'absent')
})
