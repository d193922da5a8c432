// Tones for tests of calls: a source of one, and ears that know it.
import { setTimeout as sleep } from 'node:timers/promises'
import { type AudioSource, decodeG711, encodeG711, type RunningSession } from '@tandem/sip'
import { toneLevel } from '../../src/media/goertzel.ts'
import { sine } from '../media/sounds.ts'

/** A tone without end. */
export function toneSource(hertz: number): AudioSource {
  const samples = sine(hertz, 1_000, -10)
  let at = 0
  return into => {
    encodeG711('PCMU', samples.subarray(at, at + 160), into)
    at = (at + 160) % 8_000
    return true
  }
}

/** How loud a tone is in what a remote party hears in the next half second. */
export async function hears(rtp: RunningSession, hertz: number): Promise<boolean> {
  const samples = new Int16Array(4_000)
  const octets = Buffer.alloc(160)
  for (let at = 0; at < samples.length; at += 160) {
    rtp.read(octets)
    decodeG711('PCMU', octets, samples.subarray(at, at + 160))
    await sleep(20)
  }
  return toneLevel(samples, hertz) > -25
}
