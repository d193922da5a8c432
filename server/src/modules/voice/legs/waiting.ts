// Waiting that ends with a signal: no verb is held up by the world when it is not wanted any more.

/** Resolves when the signal aborts. */
export function aborted(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (signal.aborted) resolve()
  else signal.addEventListener('abort', () => resolve(), { once: true })
  return promise
}

/**
 * What a promise resolves with, or undefined as soon as the signal aborts. What comes later is given to `late`, and a fault that
 * comes later is nobody's any more.
 */
export function orAborted<T>(
  signal: AbortSignal,
  promise: Promise<T>,
  late: (value: T) => void = () => {},
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const stop = () => resolve(undefined)
    const leave = () => signal.removeEventListener('abort', stop)
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop, { once: true })
    promise.then(
      value => {
        leave()
        if (signal.aborted) late(value)
        else resolve(value)
      },
      error => {
        leave()
        if (!signal.aborted) reject(error)
      },
    )
  })
}
