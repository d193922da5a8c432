// What happens on a leg, in order and each once: kept until somebody listens, and nothing after the end.
import type { Clock } from '../kernel/values/clock.ts'
import type { LegEvent } from '../modules/voice/engine/index.ts'

type Listener = (event: LegEvent, atMs: number) => void

export type LegEvents = {
  /** Of now. What comes after `ended` is not emitted. */
  emit(event: LegEvent): void
  /** Gets what happened already, with its times, and then the rest. */
  listen(listener: Listener): void
  /** Nothing more is reported: anyone who ends a call knows it. */
  close(): void
  /** Whether it was closed, or the end was reported. */
  isOver(): boolean
}

export function createLegEvents(clock: Clock): LegEvents {
  const waiting: [LegEvent, number][] = []
  let listener: Listener | undefined
  let isOver = false
  return {
    emit(event) {
      if (isOver) return
      isOver = event.type === 'ended'
      if (listener === undefined) waiting.push([event, clock.now()])
      else listener(event, clock.now())
    },
    listen(next) {
      listener = next
      for (const [event, atMs] of waiting.splice(0)) next(event, atMs)
    },
    close() {
      isOver = true
    },
    isOver: () => isOver,
  }
}
