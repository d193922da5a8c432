// The sounds that need no file: music without a click, also where it starts again, and never louder than speech.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeG711 } from '@tandem/sip'
import { levelOf } from '../../../media/audio.ts'
import { endless, toneClip } from './tones.ts'

test('music on hold has no click and no seam, and is as loud as somebody who speaks', () => {
  const clip = toneClip('hold')
  const next = endless(clip, { law: 'PCMU' })
  const frame = Buffer.alloc(160)
  const rounds = (clip.durationMs / 20) * 2
  const samples = new Int16Array(rounds * 160)
  for (let i = 0; i < rounds; i++) {
    assert.ok(next(frame))
    samples.set(decodeG711('PCMU', frame, new Int16Array(160)), i * 160)
  }
  // Of the steps between samples, the largest are those of the waves themselves: 523 Hz of all notes at once.
  let steepest = 0
  for (let i = 1; i < samples.length; i++)
    steepest = Math.max(steepest, Math.abs((samples[i] ?? 0) - (samples[i - 1] ?? 0)))
  assert.ok(steepest < 4_000, `${steepest}`)
  const level = levelOf(samples)
  assert.ok(level < -15 && level > -30, `${level} dBm0`)
  assert.equal(
    samples.some(sample => Math.abs(sample) > 20_000),
    false,
  )
})
