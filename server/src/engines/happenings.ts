// What happens on a leg, in order and each once: kept until somebody listens, and nothing after the end.
import type { Clock } from '../kernel/clock.ts'
import type { LegHappening } from '../modules/voice/engine.ts'

type Listener = (happening: LegHappening, atMs: number) => void

export type Happenings = {
  /** Of now. What comes after `ended` is not told. */
  tell(happening: LegHappening): void
  /** Gets what happened already, with its times, and then the rest. */
  listen(listener: Listener): void
  /** Nothing more is told: whoever ends a call knows it. */
  close(): void
  /** Whether it was closed, or the end was told. */
  isOver(): boolean
}

export function createHappenings(clock: Clock): Happenings {
  const waiting: [LegHappening, number][] = []
  let listener: Listener | undefined
  let isOver = false
  return {
    tell(happening) {
      if (isOver) return
      isOver = happening.type === 'ended'
      if (listener === undefined) waiting.push([happening, clock.now()])
      else listener(happening, clock.now())
    },
    listen(next) {
      listener = next
      for (const [happening, atMs] of waiting.splice(0)) next(happening, atMs)
    },
    close() {
      isOver = true
    },
    isOver: () => isOver,
  }
}
