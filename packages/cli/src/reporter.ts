// Reports to the server what was answered, some at a time, until it has taken them: what it has not, it would send again.
import { isTandemError, type Tandem } from '@tandem/sdk'
import type { Delivery, Outcome } from './forward.ts'

const gatherMs = 250
const atOnce = 200
/** The server takes a megabyte, and JSON may make six characters of one. */
const bytesAtOnce = 500_000
const longestRetryMs = 5_000

export type Reporter = {
  add(delivery: Delivery, outcome: Outcome): void
  /** Resolves when all is reported, or cannot be. */
  settled(): Promise<void>
}

/** @param failed is called with the reason when nothing can be reported any more */
export function createReporter(tandem: Tandem, listenerId: string, failed: (error: unknown) => void): Reporter {
  type Result = Parameters<Tandem['webhookListeners']['report']>[0]['results'][number]
  let waiting: Result[] = []
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    await new Promise(resolve => setTimeout(resolve, gatherMs))
    for (let failures = 0; waiting.length > 0; ) {
      const results = waiting.slice(0, countOf(waiting))
      try {
        await tandem.webhookListeners.report({ listenerId, results })
        waiting = waiting.slice(results.length)
        failures = 0
      } catch (error) {
        if (!isTandemError(error) || !error.retriable) {
          waiting = []
          return failed(error)
        }
        const waitMs = Math.min(longestRetryMs, 500 * 2 ** failures++)
        await new Promise(resolve => setTimeout(resolve, waitMs))
      }
    }
  }

  return {
    add({ eventId, attempt }, outcome) {
      waiting.push({ eventId, attempt, ...outcome })
      running ??= run().finally(() => {
        running = undefined
      })
    },
    async settled() {
      await running
    },
  }
}

/** How many of them one report holds: one at least. */
function countOf(results: readonly object[]): number {
  let bytes = 0
  for (const [count, result] of results.slice(0, atOnce).entries()) {
    bytes += Buffer.byteLength(JSON.stringify(result))
    if (bytes > bytesAtOnce) return Math.max(1, count)
  }
  return Math.min(results.length, atOnce)
}
