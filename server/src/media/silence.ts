// Whether somebody speaks, frame by frame: the level against a floor that follows the noise of the line, with a little
// patience at the end of words. Recordings, answering machine detection and "who is speaking" go by it.
import { frameMs, levelOf } from './audio.ts'

export type Activity = {
  levelDbm0: number
  isActive: boolean
  /** For 400 ms the level has hardly moved, as that of a voice would: all of it was noise. */
  isSteadyNoise: boolean
}

export type ActivityOptions = {
  /** What is softer is never speech; default -45. */
  leastDbm0?: number
  /** How far speech stands out of the noise; default 9. */
  aboveFloorDb?: number
  /** After speech, frames count as speech for this long; default 100. */
  hangoverMs?: number
}

export type ActivityDetector = {
  /** To be given every frame of 20 ms; null where none came. */
  push(samples: Int16Array | null): Activity
  /** The noise of the line as it is held to be. */
  readonly floorDbm0: number
}

/** Nobody's noise is louder than this: steady sound above it is a tone, music or a crowd. */
const highestFloorDbm0 = -32
const lowestFloorDbm0 = -70
const risePerFrameDb = 0.03
const steadyFrames = 400 / frameMs
const steadyDb = 5

export function createActivityDetector(options: ActivityOptions = {}): ActivityDetector {
  const { leastDbm0 = -45, aboveFloorDb = 9, hangoverMs = 100 } = options
  let floorDbm0 = lowestFloorDbm0
  let leftMs = 0
  const levels = new Float64Array(steadyFrames).fill(Number.NaN)
  let frames = 0

  function push(samples: Int16Array | null): Activity {
    const levelDbm0 = samples === null ? -100 : levelOf(samples)
    const isLoud = levelDbm0 > Math.max(leastDbm0, floorDbm0 + aboveFloorDb)
    levels[frames++ % steadyFrames] = levelDbm0
    const steady = steadyLevel()
    // Frames that did not come say nothing of the noise.
    if (samples !== null) moveFloor(levelDbm0, steady)
    if (isLoud) leftMs = hangoverMs
    else leftMs = Math.max(0, leftMs - frameMs)
    return { levelDbm0, isActive: isLoud || leftMs > 0, isSteadyNoise: steady !== null }
  }

  /** Of what is as even as noise and no louder, null of all else. */
  function steadyLevel(): number | null {
    // Before the first 400 ms are over both are no numbers.
    const [lowest, highest] = [Math.min(...levels), Math.max(...levels)]
    return highest - lowest < steadyDb && highest < highestFloorDbm0 ? highest : null
  }

  /** Falls fast to what is quiet, rises at once to what is noise for sure, and slowly else: 1.5 dB in a second. */
  function moveFloor(levelDbm0: number, steady: number | null): void {
    if (steady !== null) floorDbm0 = Math.max(floorDbm0, steady)
    const target = Math.min(Math.max(levelDbm0, lowestFloorDbm0), highestFloorDbm0)
    floorDbm0 = target < floorDbm0 ? floorDbm0 + (target - floorDbm0) / 4 : Math.min(target, floorDbm0 + risePerFrameDb)
  }

  return {
    push,
    get floorDbm0() {
      return floorDbm0
    },
  }
}
