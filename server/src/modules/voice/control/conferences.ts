// Conferences: calls that all hear each other. One lives in the node that holds its calls, by its name within the tenant, from
// its first participant to its last.
import { newId } from '../../../kernel/ids.ts'
import type { Clip } from '../../../media/clip.ts'
import { createMixer, type Mixer, type MixerLeg } from '../../../media/mixer.ts'
import { createPlayer, type Player } from '../../../media/player.ts'
import type { Complete } from '../instructions/index.ts'
import { answer } from './answering.ts'
import { askIfNamed } from './asking.ts'
import { pipe } from './leg_sound.ts'
import type { Jump, Run, VerbFunction } from './run.ts'
import { runList } from './run.ts'
import { conferenceTones, toneClip } from './tones.ts'

/** One call in a conference. */
export type Participant = {
  readonly callId: string
  readonly joinedMs: number
  readonly isMuted: boolean
  readonly isHeld: boolean
  setMuted(isMuted: boolean): void
  setHeld(isHeld: boolean): void
  /** Takes it out; its list goes on. */
  remove(): void
}

export type Conference = {
  readonly id: string
  readonly name: string
  readonly tenantId: number
  readonly startedMs: number | null
  readonly participants: readonly Participant[]
}

export type Conferences = {
  join(run: Run, instruction: Complete<'conference'>): Membership | 'full'
  list(tenantId: number): Conference[]
}

type Membership = {
  readonly conferenceId: string
  /** Aborts when the conference is over for this call: it was removed, or it ended for all. */
  readonly ended: AbortSignal
  /** Resolves when the conference has started. */
  readonly started: Promise<void>
  leave(): void
}

type Member = Participant & { leg: MixerLeg; mixed: boolean; leave(): void }

type Room = {
  id: string
  name: string
  tenantId: number
  mixer: Mixer
  members: Map<string, Member>
  startedMs: number | null
  start: PromiseWithResolvers<void>
  /** Tones that all hear. */
  sounds: Player
}

export function createConferences(): Conferences {
  const rooms = new Map<string, Room>()

  function roomOf(tenantId: number, name: string): Room {
    const key = `${tenantId} ${name}`
    let room = rooms.get(key)
    if (room === undefined) {
      const sounds = createPlayer({ law: 'PCMU' })
      const mixer = createMixer()
      mixer.join({ law: 'PCMU', source: sounds.next })
      const start = Promise.withResolvers<void>()
      room = { id: newId('conf'), name, tenantId, mixer, members: new Map(), startedMs: null, start, sounds }
      rooms.set(key, room)
    }
    return room
  }

  /** The oldest member's frames set the beat for all. */
  function beat(room: Room, member: Member): void {
    const [oldest] = room.members.values()
    if (oldest === member) room.mixer.mix()
  }

  return {
    join(run, { name, startOnEnter, endOnExit, muted, coach, maxParticipants, beep }) {
      const { held, media, tools } = run
      const room = roomOf(held.ref.tenantId, name)
      if (room.members.size >= maxParticipants) return 'full'
      const ended = new AbortController()
      const from = pipe(media, () => media.law)
      const leg = room.mixer.join({ law: media.law, source: from.source, isMuted: muted })
      let isMuted = muted
      let isHeld = false
      const member: Member = {
        callId: held.call.id,
        joinedMs: tools.clock.now(),
        leg,
        mixed: true,
        get isMuted() {
          return isMuted
        },
        get isHeld() {
          return isHeld
        },
        setMuted(next) {
          isMuted = next
          leg.setMuted(next)
        },
        setHeld(next) {
          isHeld = next
          leg.setHeld(next)
        },
        remove: () => ended.abort(),
        leave,
      }
      const coached = coach === undefined ? undefined : room.members.get(coach)
      if (coached !== undefined) leg.setCoach(coached.leg)
      else if (coach !== undefined) member.setMuted(true)
      room.members.set(held.call.id, member)
      media.setBase(into => {
        beat(room, member)
        return leg.next(into)
      })
      if (startOnEnter && room.startedMs === null) {
        room.startedMs = tools.clock.now()
        room.start.resolve()
      }
      if (beep === 'enter' || beep === 'both') sound(room, conferenceTones.enter)

      function leave(): void {
        if (!room.members.delete(held.call.id)) return
        from.close()
        leg.leave()
        media.setBase(null)
        if (beep === 'exit' || beep === 'both') sound(room, conferenceTones.exit)
        if (endOnExit) for (const other of [...room.members.values()]) other.remove()
        if (room.members.size === 0) rooms.delete(`${room.tenantId} ${room.name}`)
      }
      return { conferenceId: room.id, ended: ended.signal, started: room.start.promise, leave }
    },
    list: tenantId => [...rooms.values()].filter(room => room.tenantId === tenantId).map(present),
  }

  function present({ id, name, tenantId, startedMs, members }: Room): Conference {
    return { id, name, tenantId, startedMs, participants: [...members.values()] }
  }

  function sound(room: Room, clip: Clip): void {
    if (room.members.size > 1) room.sounds.play(clip)
  }
}

export const conference: VerbFunction<'conference'> = async (run, instruction) => {
  if (!(await answer(run))) return { type: 'end' }
  const { name, actionUrl, timeLimitSeconds, finishOnKey } = instruction
  const { held, tools, digits, scratch, signal } = run
  const membership = tools.conferences.join(run, instruction)
  if (membership === 'full') return askIfNamed(run, actionUrl, 'conference_left', { conference: name, reason: 'full' })
  const { conferenceId } = membership
  const stop = new AbortController()
  let reason: 'left' | 'key' | 'timeout' | 'removed' = 'left'
  const leave = (why: typeof reason) => {
    reason = why
    stop.abort()
  }
  const unlisten = digits.listen(digit => finishOnKey !== '' && digit === finishOnKey && leave('key'))
  scratch.leave = () => leave('left')
  membership.ended.addEventListener('abort', () => leave('removed'), { once: true })
  void held.leg.sleep(timeLimitSeconds * 1_000, stop.signal).then(() => stop.signal.aborted || leave('timeout'))
  const joinedMs = tools.clock.now()
  held.tell({ type: 'noted', event: 'conference.participant_joined', details: { conference: name, conferenceId } })
  const until = AbortSignal.any([signal, stop.signal])
  await waitForStart(run.until(stop.signal), instruction, membership.started)
  await aborted(until)
  unlisten()
  scratch.leave = undefined
  membership.leave()
  stop.abort()
  const seconds = Math.round((tools.clock.now() - joinedMs) / 1_000)
  const details = { conference: name, conferenceId, reason: signal.aborted ? 'hangup' : reason, seconds }
  held.tell({ type: 'noted', event: 'conference.participant_left', details })
  return signal.aborted ? { type: 'end' } : askIfNamed(run, actionUrl, 'conference_left', details)
}

/** What is heard until the conference starts. */
async function waitForStart(run: Run, { wait }: Complete<'conference'>, started: Promise<void>): Promise<Jump> {
  const stop = new AbortController()
  void started.then(() => stop.abort())
  // One that has started is entered at once.
  await Promise.resolve()
  const waiting = run.until(stop.signal)
  if (wait === undefined) await waiting.player.play(toneClip('hold'), { loop: 0, signal: waiting.signal })
  else while (!waiting.signal.aborted) await runList(waiting, wait)
  return undefined
}

function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  else signal.addEventListener('abort', () => resolve(), { once: true })
  return promise
}
