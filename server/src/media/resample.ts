// From any sample rate to 8 kHz: a polyphase low-pass (a sinc under a Kaiser window) that keeps what telephones carry, up to
// 3.4 kHz, and removes all above 4 kHz, which would come back as false tones. Works on a stream, in pieces of any size.
import { saturate } from './audio.ts'

export type Resampler = {
  /** Takes samples of -1 to 1; gives those of 8 kHz that are settled by them. */
  push(samples: Float64Array): Int16Array
  /** The rest: what waited for samples that will not come. */
  end(): Int16Array
}

const targetRate = 8_000
/** Taps on each side, counted at the lower of both rates. */
const halfTaps = 32
const windowShape = 6.5
/** Of the lower rate: half of the amplitude is left here, between 3.4 and 4 kHz. */
const cutoff = 0.4675
/** Rates that have no small common divisor with 8,000 share so many phases, and are interpolated between them. */
const maxPhases = 640

/** The zeroth modified Bessel function of the first kind. */
function bessel(x: number): number {
  let sum = 1
  let term = 1
  for (let k = 1; term > 1e-12 * sum; k++) {
    term *= (x / (2 * k)) ** 2
    sum += term
  }
  return sum
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b)
}

type Filter = { phases: number; reach: number; taps: Float64Array }

const filters = new Map<number, Filter>()

/** One row of taps for each place of an output sample between two input samples, and one more to interpolate towards. */
function filterOf(rate: number): Filter {
  const known = filters.get(rate)
  if (known !== undefined) return known
  const phases = Math.min(targetRate / divisor(rate, targetRate), maxPhases)
  const scale = Math.min(1, targetRate / rate)
  const reach = Math.ceil(halfTaps / scale)
  const taps = new Float64Array((phases + 1) * 2 * reach)
  for (let phase = 0; phase <= phases; phase++) {
    const row = taps.subarray(phase * 2 * reach, (phase + 1) * 2 * reach)
    for (let i = 0; i < row.length; i++) row[i] = tapAt(i - reach + 1 - phase / phases, scale, reach)
    // Each row passes what does not change as it is.
    const sum = row.reduce((total, tap) => total + tap, 0)
    for (let i = 0; i < row.length; i++) row[i] = row[i]! / sum
  }
  const filter = { phases, reach, taps }
  // Files have a handful of rates; anyone who makes up more of them gets no memory for it.
  if (filters.size < 16) filters.set(rate, filter)
  return filter
}

function tapAt(distance: number, scale: number, reach: number): number {
  const edge = distance / reach
  if (Math.abs(edge) >= 1) return 0
  const angle = 2 * Math.PI * cutoff * scale * distance
  const sinc = angle === 0 ? 1 : Math.sin(angle) / angle
  return (sinc * bessel(windowShape * Math.sqrt(1 - edge * edge))) / bessel(windowShape)
}

/** From a whole number of samples in a second. The output has the length of the input, to the sample, without delay. */
export function createResampler(rate: number): Resampler {
  if (rate === targetRate) return { push: samples => Int16Array.from(samples, toSixteen), end: () => new Int16Array(0) }
  const { phases, reach, taps } = filterOf(rate)
  const common = divisor(rate, targetRate)
  // Output n lies at n * step / parts of the input.
  const [step, parts] = [rate / common, targetRate / common]
  const isExact = parts === phases
  // What precedes the start is silence.
  let held = new Float64Array(reach)
  let heldFrom = -reach
  let position = 0
  let remainder = 0
  let received = 0
  let made = 0

  function push(samples: Float64Array): Int16Array {
    const joined = new Float64Array(held.length + samples.length)
    joined.set(held)
    joined.set(samples, held.length)
    received += samples.length
    return run(joined)
  }

  function run(input: Float64Array): Int16Array {
    const end = heldFrom + input.length
    const room = Math.max(0, Math.ceil(((end - position) * parts) / step) + 1)
    const output = new Int16Array(room)
    let count = 0
    for (; position + reach < end; count++) {
      output[count] = toSixteen(sampleAt(input, position - reach + 1 - heldFrom))
      remainder += step
      const whole = Math.floor(remainder / parts)
      position += whole
      remainder -= whole * parts
    }
    const keepFrom = Math.min(position - reach + 1, end)
    held = input.slice(keepFrom - heldFrom)
    heldFrom = keepFrom
    made += count
    return output.subarray(0, count)
  }

  function sampleAt(input: Float64Array, from: number): number {
    const length = 2 * reach
    const place = isExact ? remainder : (remainder * phases) / parts
    const phase = Math.floor(place)
    const first = phase * length
    let sum = 0
    for (let i = 0; i < length; i++) sum += input[from + i]! * taps[first + i]!
    const between = place - phase
    if (between === 0) return sum
    let next = 0
    for (let i = 0; i < length; i++) next += input[from + i]! * taps[first + length + i]!
    return sum + (next - sum) * between
  }

  function end(): Int16Array {
    const wanted = Math.ceil((received * parts) / step) - made
    const silence = new Float64Array(2 * reach)
    const joined = new Float64Array(held.length + silence.length)
    joined.set(held)
    return run(joined).subarray(0, Math.max(0, wanted))
  }

  return { push, end }
}

function toSixteen(sample: number): number {
  // What is no number came from a broken float; it must not click.
  return Number.isFinite(sample) ? saturate(Math.round(sample * 32_768)) : 0
}
