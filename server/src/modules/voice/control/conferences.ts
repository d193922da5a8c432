// Conferences: calls that all hear each other. One lives in the node that holds its calls, by its name within the tenant, from
// its first participant to its last; what happens in it is written down as it happens.
import { newId } from '../../../kernel/values/ids.ts'
import type { Clip } from '../../../media/clip.ts'
import { createMixer, type Mixer, type MixerLeg } from '../../../media/mixer.ts'
import { createPlayer, type Player } from '../../../media/player.ts'
import type { ConferenceRecords, EndReason, LeftReason } from '../conferences/index.ts'
import type { CallRef } from '../engine/index.ts'
import type { Complete } from '../instructions/index.ts'
import type { HeldLeg } from '../legs/index.ts'
import { aborted, conferenceTones, orAborted, pipe, toneClip } from '../legs/index.ts'
import { answer } from './answering.ts'
import { askIfNamed } from './asking.ts'
import { runPaced } from './call_queues.ts'
import { recordCall } from './recording.ts'
import type { CallRecorder, Conferences, Membership, Run, VerbFunction } from './run.ts'
import { until } from './run_list.ts'

type Member = {
  readonly callId: string
  readonly held: HeldLeg
  readonly leg: MixerLeg
  /** Whom alone it speaks to; that one may come later. */
  readonly coach: string | undefined
  isMuted: boolean
  /** Frames of its own since the last mix. */
  unmixed: number
  /** The call that was there when it first was not alone. */
  metCallId: string | undefined
  /** Aborts when somebody else is there, and it has started. */
  readonly ready: AbortController
  remove(why: LeftReason): void
}

type Room = {
  readonly id: string
  readonly name: string
  readonly scope: CallRef
  readonly mixer: Mixer
  readonly members: Map<string, Member>
  /** Whether it could be opened here; not known before. */
  opened: Promise<boolean>
  /** Those who are about to come in, once it is open. */
  coming: number
  /** Whose frames set the beat for all, as long as they come. */
  pacer: Member | undefined
  isStarted: boolean
  /** Why it ends for all. */
  endReason: EndReason
  /** Tones that all hear. */
  readonly sounds: Player
}

/** Frames that others wait for the one that sets the beat: its clock may be late. */
const patienceFrames = 3

export function createConferences(records: ConferenceRecords, owner: string): Conferences {
  const rooms = new Map<string, Room>()
  const keyOf = ({ tenantId }: Pick<CallRef, 'tenantId'>, name: string) => `${tenantId} ${name}`

  function open({ held, tools }: Run, name: string): Room {
    const sounds = createPlayer({ law: 'PCMU' })
    const mixer = createMixer()
    mixer.join({ law: 'PCMU', source: sounds.next })
    const id = newId('conf', tools.clock.now())
    const atMs = tools.clock.now()
    const room: Room = {
      ...{ id, name, scope: held.ref, mixer, members: new Map(), coming: 0, pacer: undefined, sounds },
      opened: records.open(held.ref, { id, name, owner, callbackUrl: held.call.callback_url, atMs }),
      isStarted: false,
      endReason: 'empty',
    }
    rooms.set(keyOf(held.ref, name), room)
    return room
  }

  /** A room without anybody is none. */
  function tidy(room: Room, atMs: number): void {
    const key = keyOf(room.scope, room.name)
    if (room.members.size > 0 || room.coming > 0 || rooms.get(key) !== room) return
    rooms.delete(key)
    void room.opened.then(
      isOpen => isOpen && records.report(room.scope, room.id, { type: 'ended', atMs, reason: room.endReason }),
      () => {},
    )
  }

  return {
    async join(run, instruction) {
      const { held, tools, signal } = run
      const { name, maxParticipants } = instruction
      const room = rooms.get(keyOf(held.ref, name)) ?? open(run, name)
      if (room.members.size + room.coming >= maxParticipants) return 'full'
      room.coming++
      let isOpen: boolean | undefined
      try {
        isOpen = await orAborted(signal, room.opened)
      } finally {
        room.coming--
        if (isOpen !== true) tidy(room, tools.clock.now())
      }
      return isOpen === true ? enter(room, run, instruction) : 'elsewhere'
    },
    change(callId, { conferenceId, muted, held, removed }) {
      for (const room of rooms.values()) {
        const member = room.id === conferenceId ? room.members.get(callId) : undefined
        if (member === undefined) continue
        if (muted !== undefined) member.isMuted = muted
        if (held !== undefined) member.leg.setHeld(held)
        attend(room, member)
        if (removed === true) member.remove('removed')
      }
    },
    legsWith(callId) {
      const room = [...rooms.values()].find(({ members }) => members.has(callId))
      return [...(room?.members.values() ?? [])].map(({ held }) => held)
    },
    get count() {
      return rooms.size
    },
  }

  function enter(room: Room, { held, media, tools }: Run, instruction: Complete<'conference'>): Membership {
    const { startOnEnter, endOnExit, muted, coach, beep } = instruction
    const { id: callId, callback_url: callbackUrl } = held.call
    const report = (event: Parameters<ConferenceRecords['report']>[2]) => records.report(room.scope, room.id, event)
    const ended = new AbortController()
    let takenOut: LeftReason | undefined
    let { law } = media
    const from = pipe(media, () => law)
    const leg = room.mixer.join({ law, source: from.source, isMuted: muted })
    const member: Member = {
      ...{ callId, held, leg, coach, isMuted: muted, unmixed: 0, metCallId: undefined, ready: new AbortController() },
      remove(why) {
        takenOut ??= why
        ended.abort()
      },
    }
    room.members.set(callId, member)
    report({ type: 'joined', atMs: tools.clock.now(), callId, muted, coach: coach ?? null, callbackUrl })
    if (startOnEnter && !room.isStarted) {
      room.isStarted = true
      report({ type: 'started', atMs: tools.clock.now() })
    }
    const silence = media.setBase(into => {
      // After a new offer and answer.
      if (law !== media.law) {
        law = media.law
        leg.setLaw(law)
      }
      if (!room.isStarted) return false
      keepBeat(room, member)
      return leg.next(into)
    })
    for (const other of room.members.values()) attend(room, other)
    if (room.members.size > 1 && (beep === 'enter' || beep === 'both')) sound(room, conferenceTones.enter)

    function leave(why: LeftReason): LeftReason {
      const reason = takenOut ?? why
      if (room.members.get(callId) !== member) return reason
      room.members.delete(callId)
      from.close()
      leg.leave()
      silence()
      part(room, member)
      report({ type: 'left', atMs: tools.clock.now(), callId, reason, callbackUrl })
      if (beep === 'exit' || beep === 'both') sound(room, conferenceTones.exit)
      if (endOnExit && room.members.size > 0) {
        room.endReason = 'host_left'
        for (const other of [...room.members.values()]) other.remove('ended')
      }
      tidy(room, tools.clock.now())
      return reason
    }
    return { conferenceId: room.id, ended: ended.signal, ready: member.ready.signal, leave }
  }
}

/** Who is heard by whom, and whether what they wait for has come. */
function attend(room: Room, member: Member): void {
  const coached = member.coach === undefined ? undefined : room.members.get(member.coach)
  if (coached !== undefined) member.leg.setCoach(coached.leg)
  // A coach is heard by one or by none.
  member.leg.setMuted(member.isMuted || (member.coach !== undefined && coached === undefined))
  if (!room.isStarted || room.members.size === 1) return
  meet(room, member)
  member.ready.abort()
}

function sound(room: Room, clip: Clip): void {
  if (room.isStarted) room.sounds.play(clip)
}

/** A call that is heard by another one talks with it, in a conference as in a conversation. */
function meet(room: Room, member: Member): void {
  const other = [...room.members.keys()].find(callId => callId !== member.callId)
  if (member.metCallId !== undefined || other === undefined) return
  member.metCallId = other
  member.held.report({ type: 'bridged', callId: other })
}

/** One who has left talks with nobody any more, nor does one who is alone by that. */
function part(room: Room, gone: Member): void {
  if (room.pacer === gone) room.pacer = undefined
  for (const member of room.members.size === 1 ? [gone, ...room.members.values()] : [gone]) {
    const { metCallId, held } = member
    if (metCallId === undefined) continue
    member.metCallId = undefined
    if (!held.isOver) held.report({ type: 'noted', event: 'call.unbridged', details: { callId: metCallId } })
  }
}

/** Mixes once for each frame of one member; where its frames do not come any more, another one takes the beat over. */
function keepBeat(room: Room, member: Member): void {
  room.pacer ??= member
  if (room.pacer !== member && ++member.unmixed <= patienceFrames) return
  room.pacer = member
  room.mixer.mix()
  for (const other of room.members.values()) other.unmixed = 0
}

export const conference: VerbFunction<'conference'> = async (run, instruction) => {
  if (!(await answer(run))) return { type: 'end' }
  const { name, actionUrl, timeLimitSeconds, finishOnKey, record } = instruction
  const { held, tools, digits, scratch, signal } = run
  const membership = await tools.conferences.join(run, instruction)
  if (typeof membership === 'string') {
    if (signal.aborted) return { type: 'end' }
    return askIfNamed(run, actionUrl, 'conference_left', { conference: name, conferenceResult: membership })
  }
  const joinedMs = tools.clock.now()
  const stop = new AbortController()
  let reason: LeftReason = 'left'
  const leave = (why: LeftReason) => {
    if (!stop.signal.aborted) reason = why
    stop.abort()
  }
  const unlisten = digits.listen(digit => {
    if (finishOnKey !== '' && digit === finishOnKey) leave('key')
    return undefined
  })
  const leaveVerb = () => leave('left')
  scratch.leave = leaveVerb
  membership.ended.addEventListener('abort', () => leave('removed'), { once: true })
  void held.leg.sleep(timeLimitSeconds * 1_000, stop.signal).then(() => leave('timeout'))
  const ended = AbortSignal.any([signal, stop.signal])
  let recorder: CallRecorder | undefined
  try {
    if (record === 'mono') recorder = await recordCall(run, 'mono')
    if (recorder?.asked.isStopped === false) scratch.recording ??= recorder
    await waitFor(run, instruction, ended, membership.ready)
    await aborted(ended)
  } finally {
    unlisten()
    if (scratch.leave === leaveVerb) scratch.leave = undefined
    reason = membership.leave(held.isOver ? 'hangup' : reason)
    stop.abort()
    void recorder?.stop()
  }
  if (signal.aborted) return { type: 'end' }
  const seconds = Math.round((tools.clock.now() - joinedMs) / 1_000)
  const { conferenceId } = membership
  return askIfNamed(run, actionUrl, 'conference_left', {
    conference: name,
    conferenceId,
    conferenceResult: reason,
    seconds,
  })
}

/** What is heard until the conference has started, and somebody is there to be heard. */
async function waitFor(
  run: Run,
  { wait }: Complete<'conference'>,
  ended: AbortSignal,
  ready: AbortSignal,
): Promise<void> {
  if (ready.aborted) return
  const waiting = until(run, AbortSignal.any([ended, ready]))
  if (wait === undefined) await waiting.player.play(toneClip('hold'), { loop: 0, signal: waiting.signal })
  else while (!waiting.signal.aborted) await runPaced(waiting, wait)
}
