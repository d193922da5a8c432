// Finds tones in audio by Goertzel's algorithm: one frequency, the strongest of many, and DTMF digits in-band within the limits
// of ITU-T Q.24, for phones that send no telephone events. Fed with samples in pieces of any size.
import { levelOfPower } from './audio.ts'
import { dtmfColumns, dtmfKeys, dtmfRows } from './tone.ts'

const rate = 8_000

type Phasor = { real: number; imaginary: number }

/** The correlation of samples with one frequency; its phase is that at the last sample. */
function correlate(samples: Int16Array, from: number, length: number, frequency: number): Phasor {
  const angle = (2 * Math.PI * frequency) / rate
  const cosine = Math.cos(angle)
  const factor = 2 * cosine
  let last = 0
  let before = 0
  for (let i = from; i < from + length; i++) {
    const next = samples[i]! + factor * last - before
    before = last
    last = next
  }
  return { real: last - before * cosine, imaginary: before * Math.sin(angle) }
}

/** The mean power of a sine that correlates so, over so many samples. */
function powerOf({ real, imaginary }: Phasor, length: number): number {
  return (2 * (real * real + imaginary * imaginary)) / (length * length)
}

/** The level of one frequency in samples, in dBm0: a sine of that level gives it. 50 Hz beside it, 160 samples see nothing. */
export function toneLevel(samples: Int16Array, frequency: number, from = 0, length = samples.length - from): number {
  return levelOfPower(powerOf(correlate(samples, from, length, frequency), length))
}

export type Purity = {
  frequency: number
  levelDbm0: number
  /** Of all power in the samples, the part that this frequency has: 0 to 1. */
  share: number
}

/** The strongest frequency from `lowest` to `highest` Hz, to within 10 Hz; null in near silence. */
export function strongestTone(samples: Int16Array, lowest = 350, highest = 2_250, quietDbm0 = -40): Purity | null {
  let energy = 0
  for (const sample of samples) energy += sample * sample
  const total = energy / samples.length
  if (levelOfPower(total) < quietDbm0) return null
  const power = (frequency: number) => powerOf(correlate(samples, 0, samples.length, frequency), samples.length)
  // Steps of half a bin cannot miss it; finer ones follow where it is.
  const step = rate / samples.length / 2
  let best = { frequency: lowest, power: 0 }
  for (let frequency = lowest; frequency <= highest; frequency += step) {
    const found = power(frequency)
    if (found > best.power) best = { frequency, power: found }
  }
  for (let finer = step / 2; finer >= 4; finer /= 2) {
    for (const frequency of [best.frequency - finer, best.frequency + finer]) {
      const found = power(frequency)
      if (found > best.power) best = { frequency, power: found }
    }
  }
  return { frequency: best.frequency, levelDbm0: levelOfPower(best.power), share: Math.min(1, best.power / total) }
}

export type DtmfEvent = { digit: string; atMs: number } & ({ type: 'start' } | { type: 'end'; durationMs: number })

export type DtmfDetector = {
  /** Digits that started or ended in these samples; times are counted from the first sample ever. */
  push(samples: Int16Array): readonly DtmfEvent[]
  /** The digit that sounds now. */
  readonly digit: string | null
}

/**
 * Short enough that 40 ms, which must be heard (Q.24 table A-1), hold two whole blocks, and 23 ms, which must not, hold only
 * one.
 */
const blockSamples = 102
const blockMs = (1_000 * blockSamples) / rate
const lowestDbm0 = -30
/** The high tone may be 4 dB louder or 8 dB softer than the low one; leakage of what is off its frequency makes it more. */
const twistDb = { highest: 6.5, lowest: -10.5 }
/** Of all power, what both tones have: speech and music have more beside them. */
const leastShare = 0.7
/** Of two blocks, how much the tones fill each: 22 ms in all. */
const leastFilled = 0.86
/** By how much a tone is louder than the others of its group. */
const peakDb = 8
/** Q.24: up to 1.5 % and 2 Hz away is the digit, from 3.5 % it is not. */
const offsetLimit = (frequency: number) => 0.025 * frequency

type Hit = { key: number; low: Phasor; high: Phasor; power: number; total: number }

const nothing: readonly DtmfEvent[] = []

export function createDtmfDetector(): DtmfDetector {
  const block = new Int16Array(blockSamples)
  let filled = 0
  let blocks = 0
  let last: Hit | null = null
  let current: { digit: string; key: number; power: number; startMs: number } | null = null
  let misses = 0
  let quiet = 0
  let events: DtmfEvent[] = []

  function push(samples: Int16Array): readonly DtmfEvent[] {
    for (let at = 0; at < samples.length; ) {
      const length = Math.min(samples.length - at, blockSamples - filled)
      block.set(samples.subarray(at, at + length), filled)
      filled += length
      at += length
      if (filled === blockSamples) look()
    }
    if (events.length === 0) return nothing
    const found = events
    events = []
    return found
  }

  function look(): void {
    filled = 0
    const startMs = blocks * blockMs
    blocks += 1
    const hit = hitOf(block)
    const isSteady = hit !== null && last !== null && hit.key === last.key && isWhole(last, hit)
    if (current !== null) follow(hit, isSteady, startMs)
    if (current === null && isSteady) {
      const digit = dtmfKeys[hit.key]!
      current = { digit, key: hit.key, power: hit.power, startMs: startMs - blockMs }
      misses = 0
      quiet = 0
      events.push({ type: 'start', digit, atMs: current.startMs })
    }
    last = hit
  }

  function follow(hit: Hit | null, isSteady: boolean, startMs: number): void {
    const { digit, key, power, startMs: startedMs } = current!
    if (hit?.key === key) {
      misses = 0
      quiet = 0
      return
    }
    misses += 1
    // A gap of 10 ms in a digit does not end it (Q.24): it can spoil two blocks, but leaves much of the tone in them.
    const left = pairPower(block, key)
    if (left < power / 4) quiet += 1
    if (quiet < 2 && misses < 4 && !isSteady) return
    current = null
    const endMs = startMs - (misses - 1) * blockMs
    events.push({ type: 'end', digit, atMs: endMs, durationMs: endMs - startedMs })
  }

  return {
    push,
    get digit() {
      return current?.digit ?? null
    },
  }
}

function pairPower(block: Int16Array, key: number): number {
  const pair = [dtmfRows[key >> 2]!, dtmfColumns[key & 3]!]
  return pair.reduce((sum, frequency) => sum + powerOf(correlate(block, 0, blockSamples, frequency), blockSamples), 0)
}

function hitOf(block: Int16Array): Hit | null {
  let energy = 0
  for (const sample of block) energy += sample * sample
  const total = energy / blockSamples
  if (levelOfPower(total) < lowestDbm0) return null
  const low = strongestOf(block, dtmfRows)
  const high = strongestOf(block, dtmfColumns)
  if (low === null || high === null) return null
  const power = low.power + high.power
  const twist = high.levelDbm0 - low.levelDbm0
  if (Math.min(low.levelDbm0, high.levelDbm0) < lowestDbm0 || power < leastShare * total) return null
  if (twist > twistDb.highest || twist < twistDb.lowest) return null
  return { key: low.index * 4 + high.index, low: low.phasor, high: high.phasor, power, total }
}

function strongestOf(block: Int16Array, frequencies: readonly number[]) {
  const phasors = frequencies.map(frequency => correlate(block, 0, blockSamples, frequency))
  const powers = phasors.map(phasor => powerOf(phasor, blockSamples))
  const index = powers.indexOf(Math.max(...powers))
  const power = powers[index]!
  const isClear = powers.every((other, i) => i === index || 10 * Math.log10(power / Math.max(other, 1e-9)) >= peakDb)
  return isClear ? { index, phasor: phasors[index]!, power, levelDbm0: levelOfPower(power) } : null
}

/**
 * From block to block the phase moves on by what the frequency is worth: it gives the frequency far finer than the power. And
 * with that it is known how much power the blocks would have if the tones filled them: two halves of a tone are too short.
 */
function isWhole(before: Hit, after: Hit): boolean {
  const [low, high] = [dtmfRows[after.key >> 2]!, dtmfColumns[after.key & 3]!]
  const lowOffset = offsetOf(before.low, after.low, low)
  const highOffset = offsetOf(before.high, after.high, high)
  if (Math.abs(lowOffset) > offsetLimit(low) || Math.abs(highOffset) > offsetLimit(high)) return false
  return [before, after].every(hit => {
    const [lowPower, highPower] = [hit.low, hit.high].map(phasor => powerOf(phasor, blockSamples))
    return lowPower! / responseAt(lowOffset) + highPower! / responseAt(highOffset) >= leastFilled * hit.total
  })
}

/** What a block sees of the power of a tone that is so far off. */
function responseAt(offset: number): number {
  const angle = (Math.PI * offset * blockSamples) / rate
  return angle === 0 ? 1 : (Math.sin(angle) / angle) ** 2
}

/** In Hz, up to 39 each way; what is further away shows as less. */
function offsetOf(before: Phasor, after: Phasor, frequency: number): number {
  const moved = Math.atan2(after.imaginary, after.real) - Math.atan2(before.imaginary, before.real)
  const expected = (2 * Math.PI * frequency * blockSamples) / rate
  const turns = (moved - expected) / (2 * Math.PI)
  return ((turns - Math.round(turns)) * rate) / blockSamples
}
