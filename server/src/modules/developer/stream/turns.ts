// Things to be said to one reader, one after the other, each when the connection takes it: a burst is no reason to take a
// reader for slow.
import type { Sink } from '../../../kernel/endpoint/stream.ts'

export type Turns = {
  /** @param bytes what waits with it */
  add(bytes: number, say: () => void): void
  /** Says what waits, as far as the sink takes it; to be called when there is a sink. */
  go(): void
  waiting(): { count: number; bytes: number }
}

/** @param sinkNow undefined as long as nothing may be said */
export function createTurns(sinkNow: () => Sink | undefined): Turns {
  let list: { bytes: number; say: () => void }[] = []
  let next = 0
  let bytes = 0
  let paused = false

  function resume(): void {
    paused = false
    go()
  }

  function go(): void {
    const sink = sinkNow()
    if (paused || sink === undefined) return
    for (; next < list.length; next++) {
      const drained = sink.drained()
      if (drained !== undefined) {
        paused = true
        void drained.then(resume)
        return
      }
      const turn = list[next] as { bytes: number; say: () => void }
      bytes -= turn.bytes
      turn.say()
    }
    list = []
    next = 0
  }

  return {
    add(size, say) {
      list.push({ bytes: size, say })
      bytes += size
      go()
    },
    go,
    waiting: () => ({ count: list.length - next, bytes }),
  }
}
