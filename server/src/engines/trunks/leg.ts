// A leg by a trunk: what a call with a far side and its sound are to the rest of the server. The call may come to be after the leg
// does: targets are looked for, trunks tried one after the other.
import { setTimeout as sleep } from 'node:timers/promises'
import type { AudioSource, AudioStream, FrameKind } from '@tandem/sip'
import type { Clock } from '../../kernel/clock.ts'
import type { Leg, LegHappening } from '../../modules/voice/engine.ts'
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
  const { clock } = hooks
  const waiting: [LegHappening, number][] = []
  let listener: ((happening: LegHappening, atMs: number) => void) | undefined
  let call: FarCall | undefined
  let sound: CallSound | undefined
  let source: AudioSource | null = null
  let sink: ((frame: Buffer, kind: FrameKind) => void) | null = null
  let isHeld = false
  let isOver = false

  function tell(happening: LegHappening): void {
    if (isOver) return
    if (happening.type === 'ended') {
      isOver = true
      void sound?.close()
    }
    if (listener === undefined) waiting.push([happening, clock.now()])
    else listener(happening, clock.now())
  }

  return {
    callId,
    get isOver() {
      return isOver
    },
    tell,
    agree(stream) {
      sound?.agree(stream)
      if (stream.isHeld !== isHeld) tell({ type: stream.isHeld ? 'held' : 'resumed' })
      isHeld = stream.isHeld
    },
    use(parts) {
      if (parts.call !== undefined) call = parts.call
      if (parts.sound === undefined || parts.sound === sound) return
      void sound?.close()
      sound = parts.sound
      sound.setSource(source)
      sound.setSink(sink)
      if (isOver) void sound.close()
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
    listen(next) {
      listener = next
      for (const [happening, atMs] of waiting.splice(0)) next(happening, atMs)
    },
    async sleep(ms, signal) {
      await sleep(ms, undefined, { signal, ref: false }).catch(() => {})
    },
    ring: (withSound = false) => hooks.ring(withSound),
    answer: hooks.answer,
    reject: hooks.reject,
    hangup(q850) {
      isOver = true
      hooks.hangup(q850)
      void sound?.close()
    },
    hold: async isOn => call !== undefined && !isOver && call.hold(isOn),
    async refer(to) {
      if (call === undefined || isOver) return { ok: false, sipCode: 481 }
      const { ok, status } = await call.refer(to)
      return { ok, sipCode: status }
    },
  }
}
