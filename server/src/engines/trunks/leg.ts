// A leg by a trunk: what a call with a far side and its sound are to the rest of the server. The call may come to be after the leg
// does: targets are looked for, trunks tried one after the other.
import { setTimeout as sleep } from 'node:timers/promises'
import type { AudioSource, AudioStream, FrameKind } from '@tandem/sip'
import type { Clock } from '../../kernel/clock.ts'
import type { Leg, LegHappening } from '../../modules/voice/engine.ts'
import { createHappenings } from '../happenings.ts'
import type { CallSound } from './sound.ts'

/** What is under way with a far side. */
export type FarCall = {
  hold(isOn: boolean): Promise<boolean>
  refer(to: string): Promise<{ ok: boolean; status: number }>
}

export type TrunkLeg = Leg & {
  /** What is under way for it now. */
  use(parts: { call?: FarCall; sound?: CallSound }): void
  tell(happening: LegHappening): void
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
  const happenings = createHappenings(hooks.clock)
  let call: FarCall | undefined
  let sound: CallSound | undefined
  let source: AudioSource | null = null
  let sink: ((frame: Buffer, kind: FrameKind) => void) | null = null
  let isHeld = false
  let isAnswered = false

  function tell(happening: LegHappening): void {
    if (happenings.isOver()) return
    if (happening.type === 'ended') void sound?.close()
    happenings.tell(happening)
    if (happening.type !== 'answered' || isAnswered) return
    isAnswered = true
    // An answer that holds at once is an answer first.
    if (isHeld) happenings.tell({ type: 'held' })
  }

  return {
    callId,
    get isOver() {
      return happenings.isOver()
    },
    tell,
    agree(stream) {
      sound?.agree(stream)
      if (isAnswered && stream.isHeld !== isHeld) tell({ type: stream.isHeld ? 'held' : 'resumed' })
      isHeld = stream.isHeld
    },
    use(parts) {
      if (parts.call !== undefined) call = parts.call
      if (parts.sound === undefined || parts.sound === sound) return
      void sound?.close()
      sound = parts.sound
      sound.setSource(source)
      sound.setSink(sink)
      if (happenings.isOver()) void sound.close()
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
    listen: happenings.listen,
    async sleep(ms, signal) {
      await sleep(ms, undefined, { signal, ref: false }).catch(() => {})
    },
    ring: (withSound = false) => hooks.ring(withSound),
    answer: hooks.answer,
    reject: hooks.reject,
    hangup(q850) {
      happenings.close()
      hooks.hangup(q850)
      void sound?.close()
    },
    hold: async isOn => call !== undefined && !happenings.isOver() && call.hold(isOn),
    async refer(to) {
      if (call === undefined || happenings.isOver()) return { ok: false, sipCode: 481 }
      const { ok, status } = await call.refer(to)
      return { ok, sipCode: status }
    },
  }
}
