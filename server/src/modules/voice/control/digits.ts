// Keys that are pressed on a call, one after the other, for whoever waits for them.
export type Digits = {
  /** A key was pressed. */
  press(digit: string): void
  /**
   * The next key: one that was pressed while nobody listened, when it was kept, or one that comes within `ms`.
   * Undefined when none comes, or when the signal aborts.
   */
  next(wait: Promise<void>, signal: AbortSignal): Promise<string | undefined>
  /** Is told of each key at once; answers what ends that. */
  listen(listener: (digit: string) => void): () => void
  /** Keeps a key for the next who asks. */
  keep(digit: string): void
  /** Forgets what was kept. */
  clear(): void
}

export function createDigits(): Digits {
  const kept: string[] = []
  const listeners = new Set<(digit: string) => void>()

  return {
    press(digit) {
      for (const listener of [...listeners]) listener(digit)
    },
    listen(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    async next(wait, signal) {
      const waiting = kept.shift()
      if (waiting !== undefined) return waiting
      if (signal.aborted) return undefined
      return new Promise(resolve => {
        const done = (digit: string | undefined) => {
          listeners.delete(done)
          signal.removeEventListener('abort', stop)
          resolve(digit)
        }
        const stop = () => done(undefined)
        listeners.add(done)
        signal.addEventListener('abort', stop, { once: true })
        void wait.then(stop)
      })
    },
    keep: digit => void kept.push(digit),
    clear: () => void kept.splice(0),
  }
}
