// Who answered, on made-up answers: short hellos, long greetings, beeps of all kinds, silence, noise, fax; through both laws.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeG711, encodeG711 } from '@tandem/sip'
import { createChance, mix, noise, sine, speechLike } from '../../test/media/sounds.ts'
import type { AmdOptions, AmdResult } from './amd.ts'
import { createAmdDetector } from './amd.ts'
import { isMediaFault, joinSamples } from './audio.ts'
import { createDtmfDetector } from './goertzel.ts'
import { findSpeechPrograms } from './speech_programs.ts'
import { framesOf, silenceSamples } from './tone.ts'

const engines = await findSpeechPrograms({ path: process.env['PATH'] ?? '' })
const skip = engines.length === 0 && 'NOT TESTED: spoken answers need espeak-ng or flite: bash scripts/system_tools.sh'

/** The answer on a line with noise; after it the noise goes on. */
function detect(parts: Int16Array[], options: AmdOptions = {}, law: 'PCMU' | 'PCMA' = 'PCMU', noiseDbm0 = -58) {
  const all = joinSamples([...parts, silenceSamples(32_000)])
  const line = mix(all, noise(all.length / 8, noiseDbm0))
  const detector = createAmdDetector(options)
  for (const frame of framesOf(line)) {
    const result = detector.push(decodeG711(law, encodeG711(law, frame)))
    if (result !== null) return result
  }
  return assert.fail('no verdict')
}

const hello = () => speechLike(700, -18, createChance(3))
const greeting = (ms = 6_000) => speechLike(ms, -18, createChance(4))
const pause = silenceSamples
const near = (actual: number, wanted: number, by = 150) =>
  assert.ok(Math.abs(actual - wanted) <= by, `${actual}, not ${wanted}`)

test('a short hello is a human, reported when the silence after it is long enough', () => {
  for (const law of ['PCMU', 'PCMA'] as const) {
    for (const waitsForGreetingEnd of [false, true]) {
      const result = detect([pause(500), hello()], { waitsForGreetingEnd }, law)
      assert.equal(result.verdict, 'human')
      near(result.atMs, 500 + 700 + 1_200, 250)
      near(result.speechMs, 700, 250)
    }
  }
  assert.equal(detect([hello(), pause(600), hello()]).verdict, 'human', 'hello? … hello?')
})

test('who speaks for long is a machine', () => {
  const result = detect([pause(500), greeting()])
  assert.equal(result.verdict, 'machine_start')
  near(result.atMs, 500 + 2_400, 200)
  assert.equal(detect([pause(500), greeting(2_000)], { speechMs: 1_500 }).verdict, 'machine_start')
  assert.equal(detect([pause(500), greeting(2_000)], { speechMs: 2_800 }).verdict, 'human')
})

test('the end of a greeting by its beep, whatever its sound', () => {
  for (const frequency of [440, 850, 1_000, 1_400, 2_050]) {
    for (const ms of [200, 500, 1_500]) {
      const parts = [pause(300), greeting(), pause(700), sine(frequency, ms, -16)]
      const result: AmdResult = detect(parts, { waitsForGreetingEnd: true })
      assert.equal(result.verdict, 'machine_end_beep', `${frequency} Hz, ${ms} ms`)
      near(result.atMs, 7_000 + ms, 60)
      near(result.beepFrequency!, frequency, 15)
    }
  }
  assert.equal(
    detect([sine(1_000, 400, -16)], { waitsForGreetingEnd: true }).verdict,
    'machine_end_beep',
    'only a beep',
  )
})

test('the end of a greeting by silence, and a beep that is worth a wait', () => {
  const waits = { waitsForGreetingEnd: true }
  const silent = detect([greeting()], waits)
  assert.equal(silent.verdict, 'machine_end_silence')
  near(silent.atMs, 6_000 + 1_200, 250)
  const late = [greeting(), pause(2_000), sine(1_000, 300, -16)]
  assert.equal(detect(late, waits).verdict, 'machine_end_silence')
  assert.equal(detect(late, { ...waits, beepWaitMs: 1_500 }).verdict, 'machine_end_beep')
  assert.equal(detect([greeting(40_000)], { ...waits, timeoutMs: 10_000 }).verdict, 'machine_end_other')
})

test('unknown: silence, noise, a tone that does not end; a fax', () => {
  const silent = detect([])
  assert.deepEqual([silent.verdict, silent.atMs, silent.speechMs], ['unknown', 5_000, 0])
  assert.equal(detect([], { silenceMs: 2_000 }).atMs, 2_000)
  assert.equal(detect([], {}, 'PCMU', -44).verdict, 'unknown')
  assert.equal(detect([sine(425, 20_000, -16)]).verdict, 'unknown')
  assert.equal(detect([pause(500), sine(2_100, 3_000, -16)]).verdict, 'fax')
  const detector = createAmdDetector({ timeoutMs: 4_000, silenceMs: 60_000 })
  for (let i = 0; i < 199; i++) assert.equal(detector.push(null), null)
  const last = detector.push(null)
  assert.equal(last?.verdict, 'unknown')
  assert.equal(detector.push(null), last)
})

test('voices are no beeps', () => {
  for (let seed = 1; seed <= 10; seed++) {
    const parts = [speechLike(12_000, -16, createChance(seed))]
    assert.equal(detect(parts, { waitsForGreetingEnd: true }).verdict, 'machine_end_silence', `voice ${seed}`)
  }
})

test('words that programs speak: a hello, a greeting with its beep; no digit is heard in them', { skip }, async () => {
  for (const engine of engines) {
    const say = async (text: string) => {
      const signal = new AbortController().signal
      const samples = await engine.say({ text, ssml: null, voice: null, language: 'en-US', signal })
      return isMediaFault(samples) ? assert.fail(samples.detail) : samples
    }
    const short = detect([pause(400), await say('Hello?')], { waitsForGreetingEnd: true })
    assert.equal(short.verdict, 'human', `${engine.name}: ${JSON.stringify(short)}`)
    const text =
      'Hello, you have reached the office of Smith and Jones. Please leave your name and number after the tone.'
    const words = await say(text)
    assert.equal(detect([pause(400), words]).verdict, 'machine_start', engine.name)
    const long = detect([pause(400), words, pause(500), sine(1_400, 400, -16)], { waitsForGreetingEnd: true })
    assert.equal(long.verdict, 'machine_end_beep', `${engine.name}: ${JSON.stringify(long)}`)
    const detector = createDtmfDetector()
    assert.deepEqual(
      [...framesOf(words)].flatMap(frame => [...detector.push(frame)]),
      [],
      engine.name,
    )
  }
})
