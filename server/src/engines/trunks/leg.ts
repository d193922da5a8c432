// A leg by a trunk: what a call with a remote party and its sound are to the rest of the server. The call may come to be after the leg
// does: targets are looked for, trunks tried one after the other.
import { setTimeout as sleep } from 'node:timers/promises'
import type { AudioSource, AudioStream, FrameKind } from '@tandem/sip'
import type { Clock } from '../../kernel/values/clock.ts'
import type { Leg, LegEvent } from '../../modules/voice/engine/index.ts'
import { createLegEvents } from '../leg_events.ts'
import type { CallSound } from './sound.ts'

/** What is under way with a remote party. */
export type RemoteCall = {
  hold(isOn: boolean): Promise<boolean>
  refer(to: string): Promise<{ ok: boolean; status: number }>
}

export type TrunkLeg = Leg & {
  /** What is under way for it now. */
  use(parts: { call?: RemoteCall; sound?: CallSound }): void
  emit(event: LegEvent): void
  /** What was agreed of its sound, the first time and after each change. */
  agree(stream: AudioStream): void
  readonly isOver: boolean
}

export type LegHooks = {
  clock: Clock
  ring(withSound: boolean): void
  answer(): Promise<void>
  reject(sipCode: number): void
  /** Ends whatever is under way. */
  hangup(q850: number | undefined): void
}

export function createTrunkLeg(callId: string, hooks: LegHooks): TrunkLeg {
  const events = createLegEvents(hooks.clock)
  let call: RemoteCall | undefined
  let sound: CallSound | undefined
  let source: AudioSource | null = null
  let sink: ((frame: Buffer, kind: FrameKind) => void) | null = null
  let isHeld = false
  let isAnswered = false

  function emit(event: LegEvent): void {
    if (events.isOver()) return
    if (event.type === 'ended') void sound?.close()
    events.emit(event)
    if (event.type !== 'answered' || isAnswered) return
    isAnswered = true
    // An answer that holds at once is an answer first.
    if (isHeld) events.emit({ type: 'held' })
  }

  return {
    callId,
    get isOver() {
      return events.isOver()
    },
    emit,
    agree(stream) {
      sound?.agree(stream)
      if (isAnswered && stream.isHeld !== isHeld) emit({ type: stream.isHeld ? 'held' : 'resumed' })
      isHeld = stream.isHeld
    },
    use(parts) {
      if (parts.call !== undefined) call = parts.call
      if (parts.sound === undefined || parts.sound === sound) return
      void sound?.close()
      sound = parts.sound
      sound.setSource(source)
      sound.setSink(sink)
      if (events.isOver()) void sound.close()
    },
    sound: {
      get law() {
        return sound?.law ?? 'PCMU'
      },
      setSource(next) {
        source = next
        sound?.setSource(next)
      },
      setSink(next) {
        sink = next
        sound?.setSink(next)
      },
      sendDigits: async (digits, options) => sound?.sendDigits(digits, options),
    },
    listen: events.listen,
    async sleep(ms, signal) {
      await sleep(ms, undefined, { signal, ref: false }).catch(() => {})
    },
    ring: (withSound = false) => hooks.ring(withSound),
    answer: hooks.answer,
    reject: hooks.reject,
    hangup(q850) {
      events.close()
      hooks.hangup(q850)
      void sound?.close()
    },
    hold: async isOn => call !== undefined && !events.isOver() && call.hold(isOn),
    async refer(to) {
      if (call === undefined || events.isOver()) return { ok: false, sipCode: 481 }
      const { ok, status } = await call.refer(to)
      return { ok, sipCode: status }
    },
  }
}
