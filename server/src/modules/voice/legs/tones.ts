// The sounds that need no file: tones of the network, a beep, and music for those who wait.
import type { AudioSource } from '@tandem/sip'
import { samplesPerMs } from '../../../media/audio.ts'
import { type Clip, clipOf, toneClip as clipOfTone } from '../../../media/clip.ts'
import { createPlayer } from '../../../media/player.ts'
import { tones } from '../../../media/tone.ts'
import type { PlayInstruction } from '../instructions/index.ts'
import type { LegMedia } from './media.ts'

type ToneName = NonNullable<PlayInstruction['tone']>

const makers: { readonly [Name in ToneName]: () => Clip } = {
  ringback: () => clipOfTone(tones.ringback_us),
  busy: () => clipOfTone(tones.busy_us),
  congestion: () => clipOfTone(tones.congestion_us),
  dial: () => clipOfTone(tones.dial_us, 2_000),
  beep: () => clipOfTone(tones.beep),
  hold: music,
}
const made = new Map<ToneName, Clip>()

/** One period of a tone; with `hold` a piece of music. */
export function toneClip(name: ToneName): Clip {
  let clip = made.get(name)
  if (clip === undefined) {
    clip = makers[name]()
    made.set(name, clip)
  }
  return clip
}

/** A clip that goes on and on, for a leg on hold. */
export function endless(clip: Clip, media: Pick<LegMedia, 'law'>): AudioSource {
  const player = createPlayer({ law: media.law })
  player.play(clip, { times: 0 })
  return into => {
    player.setLaw(media.law)
    return player.next(into)
  }
}

const joining = clipOfTone(tones.join)
const leaving = clipOfTone(tones.leave)
export const conferenceTones = { enter: joining, exit: leaving } as const

/** Broken chords in C, A minor, F and G, one bar each, twice over: eight bars of 2 s. */
const bars = [
  [261.63, 329.63, 392, 523.25],
  [220, 261.63, 329.63, 440],
  [174.61, 220, 261.63, 349.23],
  [196, 246.94, 293.66, 392],
] as const
const noteMs = 250
/** How long a note is heard. */
const ringMs = 1_600

/** A quiet piece of our own, of 16 s, plucked as on a harp: each note fades while the next ones sound. */
function music(): Clip {
  const notes = [...bars, ...bars].flatMap(([a, b, c, d]) => [a, b, c, d, c, b, c, b])
  const samples = new Float64Array(notes.length * noteMs * samplesPerMs)
  const length = ringMs * samplesPerMs
  notes.forEach((hertz, index) => {
    const start = index * noteMs * samplesPerMs
    for (let i = 0; i < length; i++) {
      const seconds = i / 8_000
      // Neither the start nor the end of a note may click.
      const edge = Math.min(1, i / 40, (length - i) / 400)
      const loudness = 3_200 * edge * Math.exp(-3 * seconds)
      const wave = Math.sin(2 * Math.PI * hertz * seconds) + 0.3 * Math.sin(4 * Math.PI * hertz * seconds)
      // The end rings on into the start, so that the loop has no seam.
      const at = (start + i) % samples.length
      samples[at] = (samples[at] ?? 0) + loudness * wave
    }
  })
  return clipOf(Int16Array.from(samples, value => Math.round(value)))
}
