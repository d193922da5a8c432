// What the tests of media share: a cheap repeatable chance, short ways to write packets, tones and how strong they are in
// what arrived, and a wait for conditions.
import assert from 'node:assert/strict'
import { encodeSample, type G711Law } from '../src/rtp/g711.ts'
import { writeRtp } from '../src/rtp/packet.ts'

/** Numbers below a limit, the same for the same seed (mulberry32). */
export function createChance(seed: number): (limit: number) => number {
  let state = seed >>> 0
  return limit => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }
}

export function hex(text: string): Buffer {
  return Buffer.from(text.replaceAll(/\s/g, ''), 'hex')
}

/** An audio packet of PCMU, 20 ms of one octet, the `index`th of its stream. */
export function audio(index: number, { ssrc = 7, start = 1000, octet = 0x55, payloadType = 0 } = {}): Buffer {
  return writeRtp({
    payloadType,
    marker: index === 0,
    sequence: (start + index) & 0xffff,
    timestamp: ((start + index) * 160) >>> 0,
    ssrc,
    payload: Buffer.alloc(160, octet),
  })
}

/** Frames of a sine, one after the other. */
export function createTone(law: G711Law, hertz: number, amplitude = 8000): (into: Buffer) => boolean {
  let at = 0
  return into => {
    for (let i = 0; i < into.length; i++, at++)
      into[i] = encodeSample(law, Math.round(amplitude * Math.sin((2 * Math.PI * hertz * at) / 8000)))
    return true
  }
}

/** The part of the power of samples that is at one frequency, 0 to 1 (Goertzel). */
export function toneShare(samples: Int16Array, hertz: number): number {
  const factor = 2 * Math.cos((2 * Math.PI * hertz) / 8000)
  let [last, beforeLast, power] = [0, 0, 0]
  for (const sample of samples) {
    const next = sample + factor * last - beforeLast
    beforeLast = last
    last = next
    power += sample * sample
  }
  const atTone = last * last + beforeLast * beforeLast - factor * last * beforeLast
  return power === 0 ? 0 : atTone / ((power * samples.length) / 2)
}

/** Waits until a condition holds, for at most 20 s. */
export async function until(condition: () => boolean, what: string): Promise<void> {
  const endMs = performance.now() + 20_000
  while (!condition()) {
    assert.ok(performance.now() < endMs, `${what} did not come true`)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
}
