// A clip: audio that is ready to be played, kept in both laws of G.711 so that playing it is copying octets. Clips are kept
// within a budget of octets, the least recently used is forgotten first.
import { convertG711, encodeG711, silenceOf } from '@tandem/sip'
import type { MediaFault } from './audio.ts'
import { isMediaFault, samplesPerMs } from './audio.ts'
import { silenceSamples, type Tone, toneSamples } from './tone.ts'
import type { WavLimits } from './wav_read.ts'
import { readWav } from './wav_read.ts'

export type Clip = {
  /** One octet a sample, 8,000 in a second. */
  readonly PCMU: Buffer
  readonly PCMA: Buffer
  readonly durationMs: number
}

export function clipOf(samples: Int16Array): Clip {
  // Both from the samples: by way of the other law they would lose twice.
  return {
    PCMU: encodeG711('PCMU', samples),
    PCMA: encodeG711('PCMA', samples),
    durationMs: samples.length / samplesPerMs,
  }
}

/** Of octets of G.711 as they came from a call. */
export function clipOfOctets(law: 'PCMU' | 'PCMA', octets: Buffer): Clip {
  const other = convertG711(law, octets)
  const durationMs = octets.length / samplesPerMs
  return law === 'PCMU' ? { PCMU: octets, PCMA: other, durationMs } : { PCMU: other, PCMA: octets, durationMs }
}

export function toneClip(tone: Tone, ms?: number): Clip {
  return clipOf(toneSamples(tone, ms))
}

export function silenceClip(ms: number): Clip {
  const { length } = silenceSamples(ms)
  return {
    PCMU: Buffer.alloc(length, silenceOf.PCMU),
    PCMA: Buffer.alloc(length, silenceOf.PCMA),
    durationMs: length / samplesPerMs,
  }
}

export async function clipOfWav(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limits?: WavLimits & { signal?: AbortSignal },
): Promise<Clip | MediaFault> {
  const samples = await readWav(chunks, limits)
  return isMediaFault(samples) ? samples : clipOf(samples)
}

export function clipBytes({ PCMU, PCMA }: Clip): number {
  return PCMU.length + PCMA.length
}

export type ClipCache = {
  get(key: string): Clip | undefined
  /** A clip of more than a quarter of the budget is not kept: it would cost all others. */
  put(key: string, clip: Clip): void
  remove(key: string): void
  readonly bytes: number
  readonly size: number
}

/** Each minute of audio takes 960,000 octets. */
export function createClipCache({ maxBytes }: { maxBytes: number }): ClipCache {
  // A Map keeps the order of insertion: the first is the one that was not used for longest.
  const clips = new Map<string, Clip>()
  let bytes = 0

  function remove(key: string): void {
    const clip = clips.get(key)
    if (clip === undefined) return
    clips.delete(key)
    bytes -= clipBytes(clip)
  }

  return {
    get(key) {
      const clip = clips.get(key)
      if (clip === undefined) return undefined
      clips.delete(key)
      clips.set(key, clip)
      return clip
    },
    put(key, clip) {
      remove(key)
      if (clipBytes(clip) > maxBytes / 4) return
      clips.set(key, clip)
      bytes += clipBytes(clip)
      for (const oldest of clips.keys()) {
        if (bytes <= maxBytes) break
        remove(oldest)
      }
    },
    remove,
    get bytes() {
      return bytes
    },
    get size() {
      return clips.size
    },
  }
}
