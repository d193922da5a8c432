// What a list plays on its leg. Several things may play at once, as a command beside the running list does: the latest is
// heard, and what it covered goes on behind it when it has ended.
import type { Clip } from '../../../media/clip.ts'
import { createPlayer as createClipPlayer } from '../../../media/player.ts'
import { frameOctets, type LegMedia } from './media.ts'

export type PlayOptions = {
  /** How often; 0 is until the signal aborts. */
  loop: number
  seekMs?: number
  signal: AbortSignal
}

export type Player = {
  /** Resolves when all of it was played, or the signal aborts. */
  play(clip: Clip, options: PlayOptions): Promise<void>
  /** How many play. */
  readonly size: number
}

export function createPlayer(media: LegMedia): Player {
  const playing: ReturnType<typeof createClipPlayer>[] = []
  const covered = Buffer.alloc(frameOctets)

  media.setOver(into => {
    const top = playing.at(-1)
    if (top === undefined) return false
    // Time passes for what is covered too. From the last to the first: one that ends takes itself out.
    for (let i = playing.length - 2; i >= 0; i--) {
      const other = playing[i] as typeof top
      other.setLaw(media.law)
      other.next(covered)
    }
    top.setLaw(media.law)
    return top.next(into)
  })

  return {
    play(clip, { loop, seekMs = 0, signal }) {
      if (signal.aborted || clip.durationMs === 0) return Promise.resolve()
      const player = createClipPlayer({ law: media.law })
      const { promise, resolve } = Promise.withResolvers<void>()
      const stop = () => player.stop()
      player.play(clip, {
        times: loop,
        offsetMs: seekMs,
        onEnd() {
          playing.splice(playing.indexOf(player), 1)
          signal.removeEventListener('abort', stop)
          resolve()
        },
      })
      playing.push(player)
      signal.addEventListener('abort', stop, { once: true })
      return promise
    },
    get size() {
      return playing.length
    },
  }
}
