// What a call hears and what is heard of it: say, play, pause, gather, sendDigits, detectMachine, record.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { speechLike } from '../../../../test/media/sounds.ts'
import { clipOf, createWorld, nothingLeft } from '../../../../test/voice/control_world.ts'

const quiet = { playing: 0, attached: 0, recorders: 0 }

test('says and plays one after the other, so often as said, and the end of the list ends the call', async () => {
  const w = createWorld()
  w.speech.set('one', clipOf(500, 300))
  w.speech.set('https://example.com/two.wav', clipOf(900, 1_000))
  const remote = await w.call([
    { verb: 'say', text: 'one', loop: 2 },
    { verb: 'play', url: 'https://example.com/two.wav', seekSeconds: 0.6 },
  ])
  await w.run(300)
  assert.ok(remote.hears(500))
  await w.run(280)
  assert.ok(remote.hears(500) && !remote.hears(900))
  await w.run(320)
  assert.ok(remote.hears(900) && !remote.hears(500))
  await w.until(() => remote.held.isOver)
  assert.deepEqual(remote.types(), ['answered', 'ended'])
  assert.deepEqual(remote.reported.at(-1), { type: 'ended', cause: 'normal', by: 'system' })
  assert.deepEqual(w.left(), nothingLeft)
  assert.deepEqual(w.faults, [])
})

test('what is sent beside the list covers it, and what was covered goes on behind it', async () => {
  const w = createWorld()
  w.speech.set('list', clipOf(500, 2_000))
  w.speech.set('beside', clipOf(900, 400))
  const remote = await w.call([
    { verb: 'say', text: 'list' },
    { verb: 'pause', seconds: 60 },
  ])
  await w.run(300)
  w.command(remote, [{ verb: 'say', text: 'beside' }])
  await w.run(300)
  assert.ok(remote.hears(900) && !remote.hears(500))
  await w.run(400)
  assert.ok(remote.hears(500) && !remote.hears(900))
  // Time has passed for it too.
  await w.run(1_400)
  assert.ok(!remote.hears(500))
})

test('a sound that cannot be had is reported, and the list goes on', async () => {
  const w = createWorld()
  const remote = await w.call([
    { verb: 'play', url: 'https://example.com/none.wav' },
    { verb: 'pause', seconds: 5 },
  ])
  await w.run(100)
  assert.deepEqual(remote.notes('call.sound_failed'), [{ why: '404' }])
  assert.equal(remote.held.isOver, false)
})

test('a key ends what may be interrupted, and is kept for the gather behind it', async () => {
  const w = createWorld()
  w.speech.set('long', clipOf(500, 10_000))
  const remote = await w.call([
    { verb: 'say', text: 'long', bargeIn: true },
    { verb: 'gather', numDigits: 2, timeoutSeconds: 1 },
    { verb: 'pause', seconds: 60 },
  ])
  await w.run(200)
  remote.presses('4')
  await w.run(100)
  assert.ok(!remote.hears(500, 40))
  remote.presses('2')
  await w.run(100)
  assert.deepEqual(remote.notes('gather.completed'), [{ digits: '42', reason: 'digits' }])
  const { sleeps, ...rest } = w.hanging(remote)
  assert.deepEqual({ sleeps, ...rest }, { sleeps: 2, ...quiet }, 'the pause, and the time limit')
})

test('gather ends by count, key, and time, before and between digits', async () => {
  for (const [pressed, laterMs, expected] of [
    ['123', 0, { digits: '12', reason: 'digits' }],
    ['1#', 0, { digits: '1', reason: 'key' }],
    ['', 3_100, { digits: '', reason: 'timeout' }],
    ['1', 1_100, { digits: '1', reason: 'timeout' }],
  ] as const) {
    const w = createWorld()
    const remote = await w.call([
      { verb: 'gather', numDigits: 2, timeoutSeconds: 3, betweenDigitsSeconds: 1 },
      { verb: 'pause', seconds: 60 },
    ])
    remote.presses(pressed)
    await w.run(Math.max(40, laterMs - 200))
    if (laterMs > 0) assert.deepEqual(remote.notes('gather.completed'), [])
    await w.run(400)
    assert.deepEqual(remote.notes('gather.completed'), [expected])
    remote.hangsUp()
    await w.settle()
    assert.deepEqual(w.left(), nothingLeft)
  }
})

test('a prompt with barge-in of its own gives each key once', async () => {
  const w = createWorld()
  w.speech.set('menu', clipOf(500, 2_000))
  const remote = await w.call([
    { verb: 'gather', numDigits: 2, prompt: [{ verb: 'say', text: 'menu', bargeIn: true }] },
    { verb: 'pause', seconds: 60 },
  ])
  await w.run(100)
  remote.presses('1')
  await w.run(100)
  assert.deepEqual(remote.notes('gather.completed'), [])
  remote.presses('1')
  await w.run(40)
  assert.deepEqual(remote.notes('gather.completed'), [{ digits: '11', reason: 'digits' }])
})

test('a prompt that may not be interrupted is heard to its end; time counts from there', async () => {
  const w = createWorld()
  w.speech.set('menu', clipOf(500, 3_000))
  const remote = await w.call([
    { verb: 'gather', numDigits: 1, timeoutSeconds: 1, bargeIn: false, prompt: [{ verb: 'say', text: 'menu' }] },
    { verb: 'pause', seconds: 60 },
  ])
  await w.run(500)
  remote.presses('7')
  await w.run(2_000)
  assert.ok(remote.hears(500))
  await w.run(1_000)
  assert.deepEqual(remote.notes('gather.completed'), [{ digits: '7', reason: 'digits' }])
})

test('branches lead to labels of this list and of lists around it; an address decides otherwise', async () => {
  const w = createWorld()
  const remote = await w.call([
    { verb: 'gather', numDigits: 1, branches: { '2': 'two' }, timeoutSeconds: 1 },
    { verb: 'hangup' },
    { verb: 'notify', data: { at: 'two' }, label: 'two' },
    { verb: 'gather', numDigits: 1, actionUrl: 'https://example.com/a', actionOnEmpty: true, timeoutSeconds: 1 },
    { verb: 'hangup' },
  ])
  w.answers.set('https://example.com/a', { ok: true, list: [{ verb: 'notify', data: { at: 'answer' } }] })
  remote.presses('2')
  await w.run(1_500)
  assert.deepEqual(remote.notes('call.notified'), [{ at: 'two' }, { at: 'answer' }])
  assert.deepEqual(
    w.asks.map(({ reason, data }) => [reason, data]),
    [['gathered', { digits: '', gatherReason: 'timeout' }]],
  )
  assert.ok(remote.held.isOver)
})

test('a secret is never reported, not even the key that ended the prompt before it', async () => {
  const w = createWorld()
  w.speech.set('pin', clipOf(500, 5_000))
  const remote = await w.call([
    { verb: 'say', text: 'pin', bargeIn: true },
    { verb: 'gather', numDigits: 4, sensitive: true, actionUrl: 'https://example.com/pin' },
    { verb: 'pause', seconds: 60 },
  ])
  await w.run(100)
  remote.presses('9')
  await w.run(40)
  remote.presses('876')
  await w.run(40)
  assert.deepEqual(remote.notes('gather.completed'), [{ count: 4, reason: 'digits' }])
  assert.equal(w.asks[0]?.data['digits'], '9876')
  assert.ok(!remote.reported.some(it => it.type === 'dtmf'))
  remote.presses('1')
  assert.ok(remote.reported.some(it => it.type === 'dtmf'))
})

test('digits go to the remote party, or to the one it talks with', async () => {
  const w = createWorld({ onDial: child => child.answers() })
  const remote = await w.call([
    { verb: 'sendDigits', digits: '12' },
    { verb: 'dial', targets: [{ type: 'number', number: '+15550100009', sendDigits: 'w5' }] },
  ])
  await w.run(100)
  w.command(remote, [{ verb: 'sendDigits', digits: '34', leg: 'peer' }])
  await w.run(40)
  assert.deepEqual(remote.asked, ['digits 12'])
  assert.deepEqual(w.child(0).asked, ['digits w5', 'digits 34'])
  // Keys are typed again on the other side.
  remote.presses('7')
  w.child(0).presses('8')
  await w.run(40)
  assert.equal(w.child(0).asked.at(-1), 'digits 7')
  assert.equal(remote.asked.at(-1), 'digits 8')
})

test('distinguishes humans from machines, and does what is to be done with a machine', async () => {
  for (const [speechMs, expected] of [
    [800, 'human'],
    [6_000, 'machine'],
  ] as const) {
    const w = createWorld()
    const remote = await w.call([
      { verb: 'detectMachine', onMachine: [{ verb: 'notify', data: { machine: true } }] },
      { verb: 'pause', seconds: 60 },
    ])
    await w.run(300)
    remote.say(speechLike(speechMs))
    await w.run(5_000)
    assert.deepEqual(
      remote.reported.filter(it => it.type === 'machine_detected'),
      [{ type: 'machine_detected', answeredBy: expected }],
    )
    assert.equal(remote.notes('call.notified').length, expected === 'machine' ? 1 : 0)
    assert.equal(w.hanging(remote).attached, 0)
    remote.hangsUp()
    await w.settle()
    assert.deepEqual(w.left(), nothingLeft)
  }
})

function channel(chunks: readonly Buffer[], channels: number, index: number): Int16Array {
  const data = Buffer.concat(chunks).subarray(44)
  const samples = new Int16Array(new Uint8Array(data).buffer)
  return samples.filter((_, i) => i % channels === index)
}

test('records a message after the beep, until a key, silence, or the call ends', async () => {
  for (const end of ['key', 'silence', 'hangup'] as const) {
    const w = createWorld()
    const remote = await w.call([
      { verb: 'record', actionUrl: 'https://example.com/r', silenceSeconds: 2, maxSeconds: 30 },
      { verb: 'pause', seconds: 60 },
    ])
    await w.run(300)
    assert.ok(remote.hears(1_000), 'the beep')
    await w.run(400)
    remote.say(speechLike(2_000))
    await w.run(2_000)
    if (end === 'key') remote.presses('#')
    if (end === 'hangup') remote.hangsUp()
    await w.run(3_000)
    const [recording] = w.recordings
    assert.ok(Math.abs((recording?.durationMs ?? 0) - 2_200) < 500, `${end}: ${recording?.durationMs}`)
    const reason = { key: 'stopped', silence: 'silence' } as const
    if (end === 'hangup') assert.deepEqual(w.asks, [])
    else {
      assert.equal(w.asks[0]?.data['recordResult'], reason[end])
      assert.equal(w.asks[0]?.data['key'], end === 'key' ? '#' : '')
      assert.equal(w.hanging(remote).attached, 0)
    }
  }
})

test('records the whole call, the caller left and the callee right, with pauses', async () => {
  const w = createWorld()
  w.speech.set('ours', clipOf(900, 1_000))
  const remote = await w.call([
    { verb: 'record', mode: 'call', channels: 'dual' },
    { verb: 'say', text: 'ours', loop: 0 },
  ])
  remote.speak(500)
  await w.run(1_000)
  w.command(remote, [{ verb: 'recordPause', behavior: 'silence' }])
  await w.run(1_000)
  w.command(remote, [{ verb: 'recordResume' }])
  await w.run(1_000)
  w.command(remote, [{ verb: 'recordStop' }])
  await w.run(100)
  const [recording] = w.recordings
  assert.ok(Math.abs((recording?.durationMs ?? 0) - 3_000) <= 60, `${recording?.durationMs}`)
  const { toneLevel } = await import('../../../media/goertzel.ts')
  const chunks = recording?.chunks ?? []
  // We called: what we say is the caller's.
  const [left, right] = [channel(chunks, 2, 0), channel(chunks, 2, 1)]
  assert.ok(toneLevel(left, 900, 1_600, 4_000) > -30 && toneLevel(left, 500, 1_600, 4_000) < -45)
  assert.ok(toneLevel(right, 500, 1_600, 4_000) > -30 && toneLevel(right, 900, 1_600, 4_000) < -45)
  assert.ok(toneLevel(right, 500, 9_600, 4_000) < -60, 'the pause')
  assert.ok(toneLevel(right, 500, 18_000, 4_000) > -30)
  assert.equal(w.hanging(remote).recorders, 0)
})

test('two commands to record at once make one recording, and all end with the call', async () => {
  const w = createWorld()
  const remote = await w.call([{ verb: 'pause', seconds: 60 }])
  w.command(remote, [{ verb: 'record', mode: 'call' }])
  w.command(remote, [{ verb: 'record', mode: 'call' }])
  await w.run(100)
  assert.equal(w.hanging(remote).recorders, 1)
  remote.hangsUp()
  await w.settle()
  assert.deepEqual(w.left(), nothingLeft)
})
