// Audio that is made and not recorded: the tones of telephone networks (ITU-T E.180), DTMF pairs (ITU-T Q.23), a beep, the
// milliwatt that levels are measured by, and silence. All as 8 kHz samples.
import { frameSamples, joinSamples, peakOf, samplesPerMs, saturate } from './audio.ts'

/** Of one or two frequencies in Hz, none for silence. */
export type TonePart = { frequencies: readonly number[]; ms: number }

/** Parts one after the other, then from the start again. The level is that of each frequency. */
export type Tone = { parts: readonly TonePart[]; levelDbm0: number }

const cadence = (frequencies: readonly number[], ...onAndOff: number[]): Tone => ({
  parts: onAndOff.map((ms, i) => ({ frequencies: i % 2 === 0 ? frequencies : [], ms })),
  levelDbm0: frequencies.length > 1 ? -19 : -16,
})

export const tones = {
  ringback_us: cadence([440, 480], 2_000, 4_000),
  ringback_eu: cadence([425], 1_000, 4_000),
  ringback_uk: cadence([400, 450], 400, 200, 400, 2_000),
  busy_us: cadence([480, 620], 500, 500),
  busy_eu: cadence([425], 500, 500),
  /** All lines are taken. */
  congestion_us: cadence([480, 620], 250, 250),
  congestion_eu: cadence([425], 250, 250),
  dial_us: cadence([350, 440], 1_000),
  dial_eu: cadence([425], 1_000),
  /** Before a recording. */
  beep: { parts: [{ frequencies: [1_000], ms: 400 }], levelDbm0: -12 },
  /** Somebody joins or leaves a conference. */
  join: {
    parts: [
      { frequencies: [600], ms: 120 },
      { frequencies: [900], ms: 160 },
    ],
    levelDbm0: -16,
  },
  leave: {
    parts: [
      { frequencies: [900], ms: 120 },
      { frequencies: [600], ms: 160 },
    ],
    levelDbm0: -16,
  },
  /** 1 kHz of 0 dBm0. */
  milliwatt: { parts: [{ frequencies: [1_000], ms: 1_000 }], levelDbm0: 0 },
} as const satisfies Record<string, Tone>

export type ToneName = keyof typeof tones

/** An edge softer than a click. */
const edgeSamples = 2 * samplesPerMs

/** Once through the tone, or as long as said, from the start again where that is longer. */
export function toneSamples({ parts, levelDbm0 }: Tone, ms?: number): Int16Array {
  const once = parts.reduce((sum, part) => sum + part.ms, 0)
  const samples = new Int16Array(Math.round((ms ?? once) * samplesPerMs))
  if (once <= 0) return samples
  // A tone without a pause goes on where it is repeated.
  if (parts.length === 1) return fillPart(samples, parts[0]!.frequencies, levelDbm0)
  for (let at = 0, i = 0; at < samples.length; i++) {
    const part = parts[i % parts.length]!
    const end = at + Math.round(part.ms * samplesPerMs)
    fillPart(samples.subarray(at, end), part.frequencies, levelDbm0)
    at = end
  }
  return samples
}

function fillPart(into: Int16Array, frequencies: readonly number[], levelDbm0: number): Int16Array {
  const peak = peakOf(levelDbm0)
  for (let i = 0; i < into.length; i++) {
    let sum = 0
    for (const frequency of frequencies) sum += Math.sin((2 * Math.PI * frequency * i) / 8_000)
    const edge = Math.min(1, (i + 1) / edgeSamples, (into.length - i) / edgeSamples)
    into[i] = saturate(Math.round(peak * edge * sum))
  }
  return into
}

export function silenceSamples(ms: number): Int16Array {
  return new Int16Array(Math.round(ms * samplesPerMs))
}

export const dtmfRows = [697, 770, 852, 941] as const
export const dtmfColumns = [1_209, 1_336, 1_477, 1_633] as const
/** Row by row, as on the keys. */
export const dtmfKeys = '123A456B789C*0#D'

/** The pair of a digit (ITU-T Q.23), the low one first; null for what is no digit. */
export function dtmfPair(digit: string): readonly [low: number, high: number] | null {
  const key = digit.length === 1 ? dtmfKeys.indexOf(digit.toUpperCase()) : -1
  return key < 0 ? null : [dtmfRows[key >> 2]!, dtmfColumns[key & 3]!]
}

export type DtmfOptions = {
  /** Default 100. */
  onMs?: number
  /** After each digit; default 100. */
  offMs?: number
  /** Of each of both tones; default -9. */
  levelDbm0?: number
}

/** Digits as they sound; `w` is a pause of half a second, `W` of a whole one. Throws RangeError for other characters. */
export function dtmfSamples(digits: string, options: DtmfOptions = {}): Int16Array {
  const { onMs = 100, offMs = 100, levelDbm0 = -9 } = options
  const parts = [...digits].map((digit, i) => {
    if (digit === 'w' || digit === 'W') return silenceSamples(digit === 'w' ? 500 : 1_000)
    const pair = dtmfPair(digit)
    if (pair === null) throw new RangeError(`digits: ${JSON.stringify(digit)} at ${i} is none of 0-9, *, #, A-D, w, W`)
    return toneSamples({
      parts: [
        { frequencies: pair, ms: onMs },
        { frequencies: [], ms: offMs },
      ],
      levelDbm0,
    })
  })
  return joinSamples(parts.length === 0 ? [new Int16Array(0)] : parts)
}

/** Samples in frames of 20 ms; the last one is filled up with silence. */
export function* framesOf(samples: Int16Array): Generator<Int16Array> {
  for (let at = 0; at < samples.length; at += frameSamples) {
    if (at + frameSamples <= samples.length) yield samples.subarray(at, at + frameSamples)
    else {
      const last = new Int16Array(frameSamples)
      last.set(samples.subarray(at))
      yield last
    }
  }
}
