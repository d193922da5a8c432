// The queue of one leg: gapless, repeated, moved, paused, stopped, barged; and the mixer: everybody hears all others, and who is
// muted, held or coaching is heard by those who should.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { G711Law } from '@tandem/sip'
import { decodeG711, encodeG711, silenceOf } from '@tandem/sip'
import type { Clip } from './clip.ts'
import { clipOf } from './clip.ts'
import { createMixer, type MixerLegOptions } from './mixer.ts'
import type { PlayEnd } from './player.ts'
import { createPlayer } from './player.ts'

/** A clip of one value. */
const clip = (value: number, samples: number): Clip => clipOf(new Int16Array(samples).fill(value))
const octetOf = (value: number, law: G711Law = 'PCMU') => encodeG711(law, new Int16Array([value]))[0]!

function drain(player: ReturnType<typeof createPlayer>, limit = 100): number[] {
  const heard: number[] = []
  const frame = Buffer.alloc(160)
  for (let i = 0; i < limit && player.next(frame); i++) heard.push(...frame)
  return heard
}

test('clips follow each other without a gap, each as often as said, and report their end', () => {
  const player = createPlayer({ law: 'PCMU' })
  const ends: [string, PlayEnd][] = []
  player.play(clip(1_000, 100), { times: 3, onEnd: end => ends.push(['one', end]) })
  player.play(clip(2_000, 50), { onEnd: end => ends.push(['two', end]) })
  const heard = drain(player)
  assert.equal(heard.length, 480)
  assert.ok(heard.slice(0, 300).every(octet => octet === octetOf(1_000)))
  assert.ok(heard.slice(300, 350).every(octet => octet === octetOf(2_000)))
  assert.ok(heard.slice(350).every(octet => octet === silenceOf.PCMU))
  assert.deepEqual(ends, [
    ['one', { how: 'played', playedMs: 37.5 }],
    ['two', { how: 'played', playedMs: 6.25 }],
  ])
  const untouched = Buffer.alloc(160, 7)
  assert.equal(player.next(untouched), false)
  assert.ok(untouched.every(octet => octet === 7))
})

test('seeking, skipping, pausing and another law', () => {
  const player = createPlayer({ law: 'PCMU' })
  const steps = clipOf(Int16Array.from({ length: 1_600 }, (_, i) => 1_000 * (1 + Math.floor(i / 160))))
  const frame = Buffer.alloc(160)
  const next = () => (player.next(frame) ? frame[0] : null)
  player.play(steps, { offsetMs: 40 })
  assert.equal(next(), octetOf(3_000))
  player.seek(160)
  assert.equal(next(), octetOf(9_000))
  player.skip(-100)
  assert.equal(player.positionMs, 80)
  player.setLaw('PCMA')
  assert.equal(next(), octetOf(5_000, 'PCMA'))
  player.pause()
  assert.deepEqual([next(), player.isPlaying], [null, false])
  player.resume()
  assert.equal(next(), octetOf(6_000, 'PCMA'))
  player.seek(-5)
  assert.equal(player.positionMs, 0)
  player.seek(9_999)
  assert.deepEqual([next(), player.queued], [null, 0])
  assert.throws(() => player.play(steps, { times: -1 }), /times: -1/)
  assert.throws(() => player.play(steps, { offsetMs: Number.NaN }), /offsetMs: NaN/)
})

test('for ever, stopped; barged up to what may not be; an empty clip does not hang', () => {
  const player = createPlayer({ law: 'PCMU' })
  const ends: string[] = []
  const onEnd = ({ how }: PlayEnd) => ends.push(how)
  player.play(clip(1_000, 10), { times: 0, onEnd })
  assert.equal(drain(player, 50).length, 8_000)
  player.play(clip(1_000, 10), { onEnd })
  player.stop()
  assert.deepEqual(ends.splice(0), ['stopped', 'stopped'])
  player.play(clip(1_000, 500), { onEnd })
  player.play(clip(2_000, 160), { mayBeBarged: false, onEnd })
  assert.equal(player.bargeIn(), true)
  assert.equal(player.bargeIn(), false)
  assert.ok(drain(player).every(octet => octet === octetOf(2_000)))
  assert.deepEqual(ends.splice(0), ['barged', 'played'])
  player.play(clip(0, 0), { times: 0, onEnd })
  assert.deepEqual([drain(player), ends.splice(0)], [[], ['played']])
  let rounds = 0
  const again = () => {
    rounds += 1
    if (rounds < 3) player.play(clip(1_000, 160), { onEnd: again })
  }
  again()
  assert.equal(drain(player).length, 320, 'what the end of one plays follows at once')
})

/** A leg that says one value all the time. */
function speaker(
  mixer: ReturnType<typeof createMixer>,
  value: number | null,
  law: G711Law = 'PCMU',
  more: Partial<MixerLegOptions> = {},
) {
  let says = value
  const source = (into: Buffer) => {
    if (says !== null) into.fill(octetOf(says, law))
    return says !== null
  }
  const leg = mixer.join({ law, source, ...more })
  const frame = Buffer.alloc(160)
  const heard = () => (leg.next(frame) ? decodeG711(law, frame)[80]! : null)
  return Object.assign(leg, { hears: heard, say: (to: number | null) => (says = to) })
}

const near = (heard: number | null, wanted: number) =>
  assert.ok(heard !== null && Math.abs(heard - wanted) <= 40 + Math.abs(wanted) / 16, `${heard}, not ${wanted}`)

test('everybody hears the sum of all others, in their own law, no louder than can be', () => {
  const mixer = createMixer()
  const [a, b, c] = [speaker(mixer, 1_000), speaker(mixer, 2_000, 'PCMA'), speaker(mixer, -4_000)]
  const listener = speaker(mixer, null, 'PCMA')
  mixer.mix()
  near(a.hears(), -2_000)
  near(b.hears(), -3_000)
  near(c.hears(), 3_000)
  near(listener.hears(), -1_000)
  assert.equal(listener.hears(), null, 'once for each frame')
  a.say(30_000)
  b.say(30_000)
  mixer.mix()
  near(c.hears(), 32_000)
  near(a.hears(), 26_000)
  const sum = new Int16Array(160)
  assert.equal(mixer.read(sum), true)
  assert.equal(sum[0], 32_767)
})

test('alone, muted, held, gone', () => {
  const mixer = createMixer()
  const [a, b] = [speaker(mixer, 1_000), speaker(mixer, 2_000, 'PCMU', { isMuted: true })]
  mixer.mix()
  assert.deepEqual([a.hears(), mixer.size], [null, 2])
  near(b.hears(), 1_000)
  near(b.heard?.[0] ?? null, 2_000)
  b.setMuted(false)
  a.setHeld(true)
  mixer.mix()
  assert.deepEqual([a.hears(), b.hears()], [null, null])
  a.setHeld(false)
  mixer.mix()
  near(a.hears(), 2_000)
  b.leave()
  mixer.mix()
  assert.deepEqual([a.hears(), b.hears(), mixer.size], [null, null, 1])
})

test('a coach is heard by one alone, and by nobody when that one leaves', () => {
  const mixer = createMixer()
  const [agent, caller, coach] = [speaker(mixer, 1_000), speaker(mixer, 2_000), speaker(mixer, 8_000)]
  coach.setCoach(agent)
  mixer.mix()
  near(agent.hears(), 10_000)
  near(caller.hears(), 1_000)
  near(coach.hears(), 3_000)
  coach.setMuted(true)
  mixer.mix()
  near(agent.hears(), 2_000)
  coach.setMuted(false)
  agent.leave()
  mixer.mix()
  assert.equal(caller.hears(), null)
  near(coach.hears(), 2_000)
  coach.setMuted(false)
  mixer.mix()
  near(caller.hears(), 8_000)
})
