// What all of the audio toolkit shares: the shape of a frame, sums that do not overflow, levels in dBm0, and faults as values:
// what is wrong, and in plain words what to do about it.

/** All audio of calls is 8 kHz, mono, in frames of 20 ms. */
export const sampleRate = 8_000
export const frameSamples = 160
export const frameMs = 20
export const samplesPerMs = 8

/** The peak of a sine of 0 dBm0: a sine at the limit of µ-law is 3.17 dBm0 (ITU-T G.711 §3). */
export const referencePeak = 22_304

/** Fills a frame of 20 ms with G.711 octets; false leaves it silent. The same as AudioSource of @tandem/sip. */
export type FrameSource = (into: Buffer) => boolean

export type MediaFault = {
  /**
   * `format`: not audio that we take; `cut`: ends too early; `too_large`, `too_long`: over a limit; `timeout`: took too long;
   * `aborted`: nobody waits any more; `unreachable`, `status`: no answer, or not the one asked for; `url`: not one we fetch;
   * `text`: cannot be spoken; `no_engine`: nothing here speaks; `engine`: what speaks has failed.
   */
  fault:
    | 'format'
    | 'cut'
    | 'too_large'
    | 'too_long'
    | 'timeout'
    | 'aborted'
    | 'unreachable'
    | 'status'
    | 'url'
    | 'text'
    | 'no_engine'
    | 'engine'
  detail: string
}

export function mediaFault(fault: MediaFault['fault'], detail: string): MediaFault {
  return { fault, detail }
}

export function isMediaFault(result: object): result is MediaFault {
  return 'fault' in result && 'detail' in result
}

/** A sum of samples as one of 16 bits; what is too loud is as loud as can be. */
export function saturate(sum: number): number {
  return sum > 32_767 ? 32_767 : sum < -32_768 ? -32_768 : sum
}

/** The mean power of samples in dBm0; -100 where there is none. */
export function levelOf(samples: Int16Array, from = 0, to = samples.length): number {
  let energy = 0
  for (let i = from; i < to; i++) energy += samples[i]! * samples[i]!
  return levelOfPower(energy / Math.max(1, to - from))
}

/** Of a mean square. */
export function levelOfPower(power: number): number {
  return power < 0.05 ? -100 : 10 * Math.log10(power / ((referencePeak * referencePeak) / 2))
}

/** The peak of a sine of this level. */
export function peakOf(levelDbm0: number): number {
  return referencePeak * 10 ** (levelDbm0 / 20)
}

export function joinSamples(parts: readonly Int16Array[]): Int16Array {
  if (parts.length === 1) return parts[0]!
  const joined = new Int16Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    joined.set(part, at)
    at += part.length
  }
  return joined
}
