// Recordings: both sides in their places whatever is lost or late, mixed or apart, paused, trimmed, ended by length and by
// silence, after a beep. Each is read back from its file.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeG711 } from '@tandem/sip'
import { createChance, sine } from '../../test/media/sounds.ts'
import { isMediaFault, levelOf } from './audio.ts'
import { toneLevel } from './goertzel.ts'
import type { Recorder, RecorderOptions, RecordingEnd, RecordingSide } from './recorder.ts'
import { createRecorder } from './recorder.ts'
import { framesOf } from './tone.ts'
import { createWavReader } from './wav_read.ts'

function setUp(options: Partial<RecorderOptions> = {}) {
  const bytes: Buffer[] = []
  const ends: RecordingEnd[] = []
  let file: Buffer | null = null
  const sink = {
    write: (more: Buffer) => bytes.push(more),
    finish({ header, fileBytes }: { header: Buffer; fileBytes: number }) {
      const all = Buffer.concat(bytes)
      assert.ok(fileBytes <= all.length)
      file = Buffer.concat([header, all.subarray(44, fileBytes)])
    },
  }
  const recorder = createRecorder({ sink, channels: 'dual', startMs: 5_000, onEnd: end => ends.push(end), ...options })
  return { recorder, ends, channels: () => channelsOf(file!), unfinished: () => Buffer.concat(bytes) }
}

function channelsOf(file: Buffer): { left: Int16Array; right: Int16Array; ms: number } {
  const reader = createWavReader()
  const read = [reader.push(file), reader.end()]
  assert.ok(read.every(part => !isMediaFault(part)))
  const count = reader.format!.channels
  const samples = new Int16Array(new Uint8Array(file.subarray(44)).buffer)
  const pick = (channel: number) => samples.filter((_, i) => i % count === channel)
  return { left: pick(0), right: pick(count - 1), ms: samples.length / count / 8 }
}

/** Frames of a tone from one time to another, with late and early ones among them. */
function say(
  recorder: Recorder,
  side: RecordingSide,
  frequency: number,
  fromMs: number,
  toMs: number,
  chance = () => 0,
) {
  let atMs = fromMs
  for (const frame of framesOf(sine(frequency, toMs - fromMs))) {
    recorder.push(side, encodeG711('PCMU', frame), 'PCMU', atMs + 30 * chance())
    atMs += 20
  }
}

/** Both at once, as they come. */
function sayBoth(recorder: Recorder, fromMs: number, toMs: number, chance?: () => number) {
  for (let atMs = fromMs; atMs < toMs; atMs += 20) {
    say(recorder, 'caller', 500, atMs, atMs + 20, chance)
    say(recorder, 'callee', 1_000, atMs, atMs + 20, chance)
  }
}

const loud = (samples: Int16Array, frequency: number, fromMs: number, toMs: number) =>
  Math.abs(toneLevel(samples, frequency, fromMs * 8, (toMs - fromMs) * 8) + 10) < 1

test('the caller left and the callee right, without a seam', () => {
  const { recorder, ends, channels } = setUp()
  sayBoth(recorder, 5_000, 8_000, createChance())
  recorder.stop(8_000)
  const { left, right, ms } = channels()
  assert.equal(ms, 3_000)
  assert.deepEqual(ends, [{ reason: 'stopped', durationMs: 3_000, fileBytes: 44 + 3_000 * 32 }])
  for (let at = 0; at < 3_000; at += 100) {
    assert.ok(loud(left, 500, at, at + 100) && loud(right, 1_000, at, at + 100), `at ${at}`)
    assert.ok(toneLevel(left, 1_000, at * 8, 800) < -40 && toneLevel(right, 500, at * 8, 800) < -40)
  }
})

test('mixed into one', () => {
  const { recorder, channels } = setUp({ channels: 'mono' })
  sayBoth(recorder, 5_000, 6_000)
  recorder.stop(6_000)
  const { left, ms } = channels()
  assert.ok(ms === 1_000 && loud(left, 500, 0, 1_000) && loud(left, 1_000, 0, 1_000))
})

test('gaps are silence, in their place; a side that says nothing holds up nobody', () => {
  const { recorder, channels, unfinished } = setUp()
  say(recorder, 'caller', 500, 5_000, 6_000)
  say(recorder, 'caller', 500, 7_000, 7_500)
  say(recorder, 'callee', 1_000, 7_500, 8_000)
  assert.ok(unfinished().length > 2_000 * 32, 'written as it comes')
  recorder.tick(10_000)
  say(recorder, 'caller', 500, 65_000, 65_500)
  recorder.stop(66_000)
  const { left, right, ms } = channels()
  assert.equal(ms, 61_000)
  assert.ok(loud(left, 500, 0, 1_000) && loud(left, 500, 2_000, 2_500) && loud(left, 500, 60_000, 60_500))
  assert.equal(levelOf(left, 8 * 1_000, 8 * 2_000), -100)
  assert.equal(levelOf(left, 8 * 2_500, 8 * 60_000), -100)
  assert.ok(loud(right, 1_000, 2_500, 3_000))
})

test('a pause is left out, or silence', () => {
  for (const [how, length] of [
    ['skip', 2_000],
    ['silence', 3_000],
  ] as const) {
    const { recorder, channels } = setUp()
    sayBoth(recorder, 5_000, 6_000)
    recorder.pause(how, 6_000)
    assert.equal(recorder.state, 'paused')
    sayBoth(recorder, 6_000, 7_000)
    recorder.resume(7_000)
    sayBoth(recorder, 7_000, 8_000)
    recorder.stop(8_000)
    const { left, right, ms } = channels()
    assert.equal(ms, length, how)
    assert.ok(loud(left, 500, 0, 1_000) && loud(right, 1_000, length - 1_000, length), how)
    if (how === 'silence') assert.equal(levelOf(left, 8_000, 16_000), -100)
  }
})

test('ends at its length, and after silence; later frames change nothing', () => {
  const long = setUp({ maxMs: 2_000 })
  sayBoth(long.recorder, 5_000, 9_000)
  assert.deepEqual([long.ends.length, long.ends[0]?.reason, long.channels().ms], [1, 'max_length', 2_000])
  long.recorder.stop(9_000)
  assert.equal(long.ends.length, 1)
  const quiet = setUp({ endSilenceMs: 1_000, listensTo: ['caller'] })
  sayBoth(quiet.recorder, 5_000, 6_000)
  say(quiet.recorder, 'callee', 1_000, 6_000, 9_000)
  assert.deepEqual([quiet.ends[0]?.reason, quiet.recorder.state], ['silence', 'ended'])
  assert.ok(Math.abs(quiet.ends[0]!.durationMs - 2_100) <= 40)
  const never = setUp({ endSilenceMs: 3_000 })
  for (let atMs = 5_000; atMs < 9_000; atMs += 20) never.recorder.tick(atMs)
  assert.equal(never.ends[0]?.durationMs, 3_000)
})

test('silence at both ends is trimmed; nothing but silence leaves nothing', () => {
  const { recorder, channels, ends } = setUp({ isTrimmed: true })
  recorder.tick(7_000)
  sayBoth(recorder, 7_000, 8_000)
  recorder.tick(8_500)
  sayBoth(recorder, 8_500, 9_000)
  recorder.stop(20_000)
  const { left, ms } = channels()
  assert.ok(ms > 2_400 && ms < 2_520, `${ms} ms`)
  assert.ok(loud(left, 500, 220, 1_180))
  assert.equal(ends[0]!.fileBytes, 44 + ms * 32)
  const empty = setUp({ isTrimmed: true })
  empty.recorder.stop(9_000)
  assert.deepEqual([empty.ends[0]?.durationMs, empty.ends[0]?.fileBytes], [0, 44])
})

test('the beep comes first, and is not recorded', () => {
  const { recorder, channels } = setUp({ hasBeep: true })
  const frame = Buffer.alloc(160)
  let beeps = 0
  for (let atMs = 5_000; atMs < 6_000; atMs += 20) {
    if (recorder.nextBeep(frame, 'PCMA')) beeps += 1
    say(recorder, 'caller', 700, atMs, atMs + 20)
  }
  recorder.stop(6_000)
  assert.equal(beeps, 20)
  const { left, ms } = channels()
  assert.ok(ms >= 580 && ms <= 620, `${ms} ms`)
  assert.ok(loud(left, 700, 20, 580))
})
