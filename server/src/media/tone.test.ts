// Tones have the frequencies, levels and cadences they should; DTMF is found within the limits of ITU-T Q.24, and nowhere else;
// speech is distinguished from noise.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeG711, encodeG711 } from '@tandem/sip'
import { createChance, mix, noise, sine, speechLike } from '../../test/media/sounds.ts'
import { joinSamples, levelOf } from './audio.ts'
import type { DtmfEvent } from './goertzel.ts'
import { createDtmfDetector, strongestTone, toneLevel } from './goertzel.ts'
import { createActivityDetector } from './silence.ts'
import { dtmfKeys, dtmfPair, dtmfSamples, framesOf, silenceSamples, toneSamples, tones } from './tone.ts'

test('a milliwatt is 0 dBm0, also behind both laws', () => {
  const milliwatt = toneSamples(tones.milliwatt, 2_000)
  assert.equal(milliwatt.length, 16_000)
  for (const samples of [
    milliwatt,
    ...(['PCMU', 'PCMA'] as const).map(law => decodeG711(law, encodeG711(law, milliwatt))),
  ])
    assert.ok(Math.abs(toneLevel(samples, 1_000, 800, 8_000)) < 0.1)
})

test('ringing has its frequencies and its pauses', () => {
  const us = toneSamples(tones.ringback_us)
  assert.equal(us.length, 48_000)
  for (const frequency of [440, 480]) assert.ok(Math.abs(toneLevel(us, frequency, 800, 8_000) + 19) < 0.2)
  assert.equal(levelOf(us, 16_000, 48_000), -100)
  const eu = toneSamples(tones.ringback_eu, 6_000)
  assert.ok(Math.abs(toneLevel(eu, 425, 800, 6_400) + 16) < 0.2)
  assert.equal(levelOf(eu, 8_000, 40_000), -100)
  assert.ok(toneLevel(eu, 425, 41_600, 6_400) > -17, 'again after five seconds')
})

test('the strongest tone, its frequency and share', () => {
  for (const frequency of [400, 437, 1_000, 1_391, 2_100]) {
    const found = strongestTone(mix(sine(frequency, 20, -15), noise(20, -38)))!
    assert.ok(Math.abs(found.frequency - frequency) <= 12, `${found.frequency}, not ${frequency}`)
    assert.ok(found.share > 0.85 && Math.abs(found.levelDbm0 + 15) < 1)
  }
  assert.equal(strongestTone(noise(20, -50)), null)
  assert.ok(strongestTone(noise(20, -20))!.share < 0.5)
})

function eventsIn(samples: Int16Array): DtmfEvent[] {
  const detector = createDtmfDetector()
  return [...framesOf(samples)].flatMap(frame => [...detector.push(frame)])
}

const digitsIn = (samples: Int16Array) =>
  eventsIn(samples)
    .filter(event => event.type === 'start')
    .map(event => event.digit)
    .join('')

/** Silence before and after, and a start at every place in a block. */
function pair(low: number, high: number, ms: number, lowDbm0 = -10, highDbm0 = -10, afterMs = 80): Int16Array {
  const both = mix(sine(low, ms, lowDbm0), sine(high, ms, highDbm0))
  return joinSamples([silenceSamples(60), both, silenceSamples(afterMs)])
}

test('all digits, in a row, in order', () => {
  assert.equal(digitsIn(dtmfSamples(dtmfKeys)), dtmfKeys)
  assert.equal(digitsIn(dtmfSamples('11w22', { onMs: 50, offMs: 50 })), '1122')
  assert.throws(() => dtmfSamples('12x'), /"x" at 2/)
  const [start, end] = eventsIn(dtmfSamples('5', { onMs: 200 }))
  assert.deepEqual([start?.type, end?.type, end?.digit], ['start', 'end', '5'])
  assert.ok(end?.type === 'end' && Math.abs(end.durationMs - 200) < 26, JSON.stringify(end))
})

test('40 ms are a digit and 40 ms of pause part two, wherever they start; 20 ms are none', () => {
  for (let shift = 0; shift < 102; shift += 6) {
    const before = new Int16Array(shift)
    const short = dtmfSamples('484', { onMs: 40, offMs: 40 })
    assert.equal(digitsIn(joinSamples([before, short, silenceSamples(40)])), '484', `shifted by ${shift}`)
    assert.equal(digitsIn(joinSamples([before, pair(770, 1_336, 20)])), '', `shifted by ${shift}`)
  }
})

test('1.5 % and 2 Hz off is the digit, 3.5 % off is not', () => {
  for (const digit of dtmfKeys) {
    const [low, high] = dtmfPair(digit)!
    for (const sign of [-1, 1]) {
      const near = (frequency: number) => frequency + sign * (0.015 * frequency + 2)
      const far = (frequency: number) => frequency * (1 + sign * 0.035)
      assert.equal(digitsIn(pair(near(low), near(high), 60)), digit, `${digit} near`)
      assert.equal(digitsIn(pair(near(low), high, 60)), digit)
      assert.equal(digitsIn(pair(low, near(high), 60)), digit)
      assert.equal(digitsIn(pair(far(low), high, 60)), '', `${digit}: low tone far, ${sign}`)
      assert.equal(digitsIn(pair(low, far(high), 60)), '', `${digit}: high tone far, ${sign}`)
    }
  }
})

test('levels from 0 to -25 dBm0, the high tone 4 dB louder or 8 dB softer, noise, and a gap of 10 ms', () => {
  for (const digit of dtmfKeys) {
    const [low, high] = dtmfPair(digit)!
    for (const level of [-3, -10, -25]) assert.equal(digitsIn(pair(low, high, 50, level, level)), digit)
    assert.equal(digitsIn(pair(low, high, 50, -14, -10)), digit)
    assert.equal(digitsIn(pair(low, high, 50, -10, -18)), digit)
    const noisy = pair(low, high, 60)
    assert.equal(digitsIn(mix(noisy, noise(noisy.length / 8, -25))), digit)
    const broken = pair(low, high, 120)
    broken.fill(0, 900, 980)
    assert.equal(digitsIn(broken), digit, `${digit} with a gap`)
    for (const law of ['PCMU', 'PCMA'] as const)
      assert.equal(digitsIn(decodeG711(law, encodeG711(law, pair(low, high, 50, -25, -25)))), digit)
  }
  assert.equal(digitsIn(pair(770, 1_336, 60, -45, -45)), '')
})

test('speech, noise and single tones are no digits', () => {
  for (let seed = 1; seed <= 5; seed++) assert.equal(digitsIn(speechLike(20_000, -15, createChance(seed))), '')
  assert.equal(digitsIn(noise(20_000, -10)), '')
  for (const frequency of [697, 1_209, 1_000]) assert.equal(digitsIn(sine(frequency, 500)), '')
})

test('activity: words stand out, steady noise does not', () => {
  const share = (samples: Int16Array, fromFrame = 0) => {
    const detector = createActivityDetector()
    const active = [...framesOf(samples)].map(frame => detector.push(frame).isActive).slice(fromFrame)
    return active.filter(Boolean).length / active.length
  }
  assert.ok(share(speechLike(5_000, -20)) > 0.9)
  assert.equal(share(noise(5_000, -50)), 0)
  assert.ok(share(noise(40_000, -40), 1_250) < 0.05, 'noise that goes on becomes the floor')
  assert.equal(createActivityDetector().push(null).levelDbm0, -100)
  const detector = createActivityDetector({ hangoverMs: 40 })
  detector.push(sine(500, 20))
  assert.deepEqual(
    [1, 2, 3].map(() => detector.push(null).isActive),
    [true, false, false],
  )
})
