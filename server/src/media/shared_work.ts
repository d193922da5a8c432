// Work that many ask for at once is done once: the same greeting for a hundred calls is fetched or spoken a single time. It is
// ended when the last of those who wait has gone.

export type SharedWork<T> = {
  /** What `start` rejects with, all who wait get. Anyone who aborts gets `whenAborted` at once. */
  run(
    key: string,
    signal: AbortSignal | undefined,
    whenAborted: T,
    start: (ended: AbortSignal) => Promise<T>,
  ): Promise<T>
  readonly size: number
}

type Running<T> = { result: Promise<T>; waiting: number; end: AbortController }

export function createSharedWork<T>(): SharedWork<T> {
  const running = new Map<string, Running<T>>()

  function launch(key: string, start: (ended: AbortSignal) => Promise<T>): Running<T> {
    const end = new AbortController()
    const work: Running<T> = { result: start(end.signal), waiting: 0, end }
    running.set(key, work)
    const done = () => forget(key, work)
    work.result.then(done, done)
    return work
  }

  function forget(key: string, work: Running<T>): void {
    if (running.get(key) === work) running.delete(key)
  }

  return {
    async run(key, signal, whenAborted, start) {
      if (signal?.aborted) return whenAborted
      const work = running.get(key) ?? launch(key, start)
      work.waiting += 1
      const { promise: aborted, resolve } = Promise.withResolvers<T>()
      const leave = () => resolve(whenAborted)
      signal?.addEventListener('abort', leave, { once: true })
      try {
        return await Promise.race([work.result, aborted])
      } finally {
        signal?.removeEventListener('abort', leave)
        work.waiting -= 1
        if (work.waiting === 0) {
          // Anyone who comes now must not be given what is being ended.
          forget(key, work)
          work.end.abort()
        }
      }
    },
    get size() {
      return running.size
    },
  }
}
