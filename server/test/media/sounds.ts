// Audio for the tests of this folder: noise that is the same each time, something that sounds like speech to a detector, and
// measures of what came out.
import { peakOf, saturate } from '../../src/media/audio.ts'

/** 0 to below 1, always the same for a seed. */
export function createChance(seed = 1): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

export function sine(frequency: number, ms: number, levelDbm0 = -10, rate = 8_000, phase = 0): Int16Array {
  const peak = peakOf(levelDbm0)
  return Int16Array.from({ length: Math.round((ms * rate) / 1_000) }, (_, i) =>
    saturate(Math.round(peak * Math.sin((2 * Math.PI * frequency * i) / rate + phase))),
  )
}

export function noise(ms: number, levelDbm0 = -60, chance = createChance()): Int16Array {
  const peak = peakOf(levelDbm0) * Math.sqrt(1.5)
  return Int16Array.from({ length: Math.round(ms * 8) }, () => saturate(Math.round(peak * (2 * chance() - 1))))
}

/** Syllables: a gliding voice of many harmonics, with breaths of noise between them. */
export function speechLike(ms: number, levelDbm0 = -20, chance = createChance(7)): Int16Array {
  const samples = noise(ms, levelDbm0 - 35, chance)
  const peak = peakOf(levelDbm0) / 2.5
  let at = 0
  let phase = 0
  while (at < samples.length) {
    const length = Math.min(samples.length - at, Math.round(8 * (120 + 120 * chance())))
    const [from, to] = [100 + 80 * chance(), 100 + 80 * chance()]
    const formant = 3 + Math.floor(6 * chance())
    for (let i = 0; i < length; i++) {
      phase += (2 * Math.PI * (from + ((to - from) * i) / length)) / 8_000
      let sum = 0
      for (let k = 1; k <= 14; k++) sum += Math.sin(k * phase + k * k) / (1 + Math.abs(k - formant))
      samples[at + i] = saturate(samples[at + i]! + peak * sum * Math.sin((Math.PI * i) / length))
    }
    at += length + Math.round(8 * 40 * chance())
  }
  return samples
}

export function mix(one: Int16Array, other: Int16Array): Int16Array {
  return Int16Array.from(one, (sample, i) => saturate(sample + (other[i] ?? 0)))
}

/** A WAV file by hand, in any of the formats. */
export function wavOf(parts: {
  tag: number
  bits: number
  channels: number
  rate: number
  data: Buffer
  dataLength?: number
  before?: Buffer
}): Buffer {
  const { tag, bits, channels, rate, data, before = Buffer.alloc(0) } = parts
  const head = Buffer.alloc(36)
  head.write('RIFF\0\0\0\0WAVEfmt ', 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(tag, 20)
  head.writeUInt16LE(channels, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE((rate * channels * bits) / 8, 28)
  head.writeUInt16LE((channels * bits) / 8, 32)
  head.writeUInt16LE(bits, 34)
  const dataHead = Buffer.alloc(8)
  dataHead.write('data', 'latin1')
  dataHead.writeUInt32LE(parts.dataLength ?? data.length, 4)
  return Buffer.concat([head, before, dataHead, data])
}
