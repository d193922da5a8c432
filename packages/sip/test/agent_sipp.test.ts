// sipp as the remote party, calling and being called, by scenarios of ours in test/sipp: calls, proofs, holds, early media, PRACK,
// refusals, CANCEL, digits, and an ACK that gets lost.
// test: waits, programs
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { credentialsOf, digestSecret } from '../src/digest.ts'
import { createDigestGuard } from '../src/digest_guard.ts'
import { isFault } from '../src/message.ts'
import { openFolder, startSipp, without } from './agent_programs.ts'
import type { Sound } from './agent_sound.ts'
import { openSound } from './agent_sound.ts'
import { accept, answered, dial, ended, forgotten, note, openAgent, type Reported } from './agent_support.ts'
import { until } from './transport_support.ts'

const skip = without('sipp')
const timers = { t1Ms: 100, t2Ms: 400, t4Ms: 100, dMs: 1_000, tryingMs: 50 }

/** Somebody who answers with an echo, after what `before` does. */
async function openEcho(
  context: TestContext,
  before: (call: Parameters<typeof accept>[0]) => boolean | Promise<boolean> = () => true,
) {
  const bobs: Reported[] = []
  const sounds: Sound[] = []
  const bob = await openAgent(
    context,
    async call => {
      const sound = await openSound(context)
      sounds.push(sound)
      bobs.push(accept(call, note({ onMedia: sound.onMedia }), { local: sound.local }))
      if (await before(call)) await call.answer()
    },
    { timers },
  )
  return { bob, bobs, sounds, at: `127.0.0.1:${bob.bound[0]!.port}` }
}

for (const scenario of ['uac_basic', 'uac_hold', 'uac_lost_ack']) {
  test(`sipp calls: ${scenario}`, { skip }, async context => {
    const { bob, bobs, at } = await openEcho(context, call => {
      call.ring()
      return true
    })
    const sipp = await startSipp(context, scenario, { to: at, calls: 3 })
    const { code, text } = await sipp.done
    assert.equal(code, 0, text)
    await ended(...bobs)
    assert.equal(bobs.length, 3)
    for (const reported of bobs)
      assert.deepEqual([reported.end.by, reported.end.status, reported.ends.length], ['remote', 200, 1])
    if (scenario === 'uac_hold') {
      assert.deepEqual(
        bobs[0]?.media.map(({ direction }) => direction),
        ['sendrecv', 'recvonly', 'sendrecv'],
      )
    }
    if (scenario === 'uac_lost_ack') assert.ok(bob.said('out').filter(what => what === '200').length > 6, 'repetitions')
    await forgotten(bob)
    assert.deepEqual(bob.errors, [])
  })
}

test('sipp calls and proves who it is', { skip }, async context => {
  const guard = createDigestGuard({ realm: 'tandem', key: randomBytes(16), algorithms: ['MD5'] })
  const { bobs, at } = await openEcho(context, call => {
    const credentials = credentialsOf(call.request, 'Authorization', 'tandem')
    const secret = digestSecret('MD5', 'alice', 'tandem', 'secret')
    const isRight =
      credentials !== undefined &&
      !isFault(credentials) &&
      guard.check(credentials, { secret, method: 'INVITE', uri: call.request.uri }, Date.now()) === 'right'
    if (!isRight) call.reject(401, guard.challenge(401, Date.now()))
    return isRight
  })
  const { code, text } = await (
    await startSipp(context, 'uac_digest', { to: at, args: ['-auth_uri', 'service@127.0.0.1'] })
  ).done
  assert.equal(code, 0, text)
  await ended(...bobs)
  assert.deepEqual(
    bobs.map(({ end }) => end.status),
    [401, 200],
  )
})

test('sipp calls and cancels while it rings', { skip }, async context => {
  const { bobs, at } = await openEcho(context, call => {
    call.ring()
    return false
  })
  const { code, text } = await (await startSipp(context, 'uac_cancel', { to: at })).done
  assert.equal(code, 0, text)
  await ended(...bobs)
  assert.deepEqual(
    bobs.map(({ end }) => [end.by, end.status]),
    [['remote', 487]],
  )
})

test('sipp calls and must have early media by a reliable response', { skip }, async context => {
  const { bobs, at } = await openEcho(context, call => {
    call.ring(true)
    return true
  })
  const { code, text } = await (await startSipp(context, 'uac_prack', { to: at })).done
  assert.equal(code, 0, text)
  await ended(...bobs)
})

const clips = '/usr/share/sip-tester'
const clipOf = (digit: number) => `${clips}/dtmf_2833_${digit}.pcap`
const isRoot = process.getuid?.() === 0
const skipDigits =
  skip || ((!existsSync(clipOf(5)) || !isRoot) && 'NOT TESTED: digits from sipp need its pcap files and root')

/** The packets of a capture (Ethernet, IPv4, UDP) with another payload type. */
function withType(capture: Buffer, payloadType: number): Buffer {
  const changed = Buffer.from(capture)
  for (let at = 24; at < changed.length; at += 16 + changed.readUInt32LE(at + 8)) {
    const second = at + 16 + 14 + 20 + 8 + 1
    changed[second] = (changed[second]! & 0x80) | payloadType
  }
  return changed
}

test('sipp presses digits: the payload type it offered is the one it gets', { skip: skipDigits }, async context => {
  const { bobs, sounds, at } = await openEcho(context)
  const folder = openFolder(context)
  for (const digit of [5, 9])
    writeFileSync(join(folder, `digit_${digit}.pcap`), withType(readFileSync(clipOf(digit)), 96))
  const { code, text } = await (await startSipp(context, 'uac_digits', { to: at, replace: { CLIPS: folder } })).done
  assert.equal(code, 0, text)
  await ended(...bobs)
  assert.deepEqual(bobs[0]?.media[0]?.telephoneEvent, { send: 96, receive: 96, events: '0-15' })
  assert.deepEqual(sounds[0]?.digits, ['5', '9'])
})

async function callSipp(context: TestContext, scenario: string, parts: Parameters<typeof dial>[2] = {}, replace = {}) {
  const sound = await openSound(context, { toneHz: 440 })
  const alice = await openAgent(context, undefined, { timers })
  const caller = `127.0.0.1:${alice.bound[0]!.port}`
  const sipp = await startSipp(context, scenario, { replace: { CALLER: caller, ...replace } })
  const { call, reported } = dial(alice, sipp.uri, { local: sound.local, ...parts }, note({ onMedia: sound.onMedia }))
  const isDone = async () => {
    const { code, text } = await sipp.done
    assert.equal(code, 0, text)
    assert.deepEqual([reported.ends.length, alice.errors], [1, []])
  }
  return { call, reported, alice, sound, isDone }
}

test('sipp is called, and either side hangs up', { skip }, async context => {
  const one = await callSipp(context, 'uas_basic')
  await answered(one.reported)
  one.call.end()
  await one.isDone()
  const two = await callSipp(context, 'uas_bye')
  await ended(two.reported)
  assert.equal(two.reported.end.by, 'remote')
  await two.isDone()
})

test('sipp is called and wants a proof', { skip }, async context => {
  const { call, reported, isDone } = await callSipp(context, 'uas_digest', {
    account: { username: 'alice', password: 'secret' },
  })
  await answered(reported)
  call.end()
  await isDone()
})

test('sipp is called: early media, PRACK, hold and resume', { skip }, async context => {
  for (const scenario of ['uas_early', 'uas_prack', 'uas_hold']) {
    const { call, reported, isDone, alice } = await callSipp(context, scenario)
    await answered(reported)
    if (scenario === 'uas_hold') assert.deepEqual([await call.hold(true), await call.hold(false)], [true, true])
    else assert.ok(reported.log.includes('progress 183 with media'))
    assert.equal(alice.said('out').includes('PRACK'), scenario === 'uas_prack')
    call.end()
    await isDone()
  }
})

test('sipp refuses: each status ends the call as it is', { skip }, async context => {
  for (const status of ['302', '404', '480', '486', '500', '503', '603']) {
    const { reported, isDone } = await callSipp(context, 'uas_refuse', {}, { STATUS: status })
    await ended(reported)
    await isDone()
    assert.deepEqual([reported.end.by, reported.end.status, reported.end.isSilent], ['remote', Number(status), false])
  }
})

test('sipp is called and cancelled', { skip }, async context => {
  const { call, reported, isDone } = await callSipp(context, 'uas_cancel')
  await until(() => reported.log.includes('progress 180'), 'ringing')
  call.end()
  await isDone()
})
