// Waiting in tests for what comes by itself, and showing that nothing is waited for.
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * Looks again and again until there is something, and gives it.
 * @param what names what is waited for in the error: "the trunk did not come within 20000 ms"
 * @throws when there is nothing by then; what `look` throws is thrown at once.
 */
export async function eventually<T>(
  what: string,
  look: () => Promise<T> | T,
  { withinMs = 20_000, everyMs = 20 }: { withinMs?: number; everyMs?: number } = {},
): Promise<Exclude<T, undefined | null | false | '' | 0>> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const found = await look()
    if (found) return found as Exclude<T, undefined | null | false | '' | 0>
    if (performance.now() > deadline) throw new Error(`${what} did not come within ${withinMs} ms`)
    await sleep(everyMs)
  }
}

/**
 * What a promise gives that waits for no timer, no socket and no other process: it is there before the event loop goes on.
 * @param what names in the error what should have been there
 */
export async function atOnce<T>(what: string, promise: Promise<T>): Promise<T> {
  let isLate = false
  const turn = setImmediate(() => {
    isLate = true
  })
  const value = await promise
  clearImmediate(turn)
  if (isLate) throw new Error(`${what} was waited for`)
  return value
}
