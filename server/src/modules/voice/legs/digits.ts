// Keys that are pressed on a call: reported at once to anyone who listens, and handed one after the other to who takes them.
export type Digits = {
  /** A key was pressed. */
  press(digit: string): void
  /**
   * Receives each key at once. Anyone who answers true wants it kept for the next who takes keys, where nobody takes it now.
   * Answers what ends that.
   */
  listen(listener: (digit: string) => boolean | undefined): () => void
  /** Takes every key from here on, those that were kept first; to be closed. */
  take(): Taking
  /** Forgets what was kept. */
  clear(): void
}

export type Taking = {
  /** The next key; undefined when `wait` resolves before one comes, or the signal aborts. */
  next(wait: Promise<unknown>, signal: AbortSignal): Promise<string | undefined>
  close(): void
}

type Taker = { keys: string[]; wake: (() => void) | undefined }

/** As many as the longest `gather` takes. */
const maxKept = 128

export function createDigits(): Digits {
  const kept: string[] = []
  const listeners = new Set<(digit: string) => boolean | undefined>()
  const takers: Taker[] = []

  return {
    press(digit) {
      let isWanted = false
      for (const listener of [...listeners]) isWanted = listener(digit) === true || isWanted
      const taker = takers.at(-1)
      if (taker !== undefined) {
        if (taker.keys.length < maxKept) taker.keys.push(digit)
        taker.wake?.()
      } else if (isWanted && kept.length < maxKept) kept.push(digit)
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    take() {
      const taker: Taker = { keys: kept.splice(0), wake: undefined }
      takers.push(taker)
      return {
        next(wait, signal) {
          const waiting = taker.keys.shift()
          if (waiting !== undefined || signal.aborted) return Promise.resolve(waiting)
          return new Promise(resolve => {
            const done = () => {
              taker.wake = undefined
              signal.removeEventListener('abort', done)
              resolve(taker.keys.shift())
            }
            taker.wake = done
            signal.addEventListener('abort', done, { once: true })
            // A wait that is over after its key has nobody to wake.
            const late = () => taker.wake === done && done()
            wait.then(late, late)
          })
        },
        close() {
          const at = takers.indexOf(taker)
          if (at !== -1) takers.splice(at, 1)
        },
      }
    },
    clear: () => void kept.splice(0),
  }
}
