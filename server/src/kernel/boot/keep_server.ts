// Keeps the embedded database running: when it ends by itself it is started again, after pauses that grow; if that fails for ten
// minutes, `onExit` reports that it was given up. Requests are refused with 503 meanwhile, and nothing that was committed is lost.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../observe/log.ts'

export type Server = {
  readonly pid: number
  /** Calls back when it ends without `stop()`. */
  onExit(callback: (why: string) => void): void
  stop(): Promise<void>
}

export type KeepOptions = {
  log: Pick<Log, 'info' | 'warn'>
  firstPauseMs?: number
  maxPauseMs?: number
  /** Without a start that lasted for so long, it is given up. */
  giveUpMs?: number
  /** What has run for so long was no failed start. */
  settledMs?: number
}

/** Starts a server by `start` and keeps it running. `onExit` of the answer means that it was given up. */
export async function keepServer(start: () => Promise<Server>, options: KeepOptions): Promise<Server> {
  const { log, firstPauseMs = 200, maxPauseMs = 10_000, giveUpMs = 600_000, settledMs = 60_000 } = options
  const callbacks: ((why: string) => void)[] = []
  const stopping = new AbortController()
  let server = await start()
  let startedMs = performance.now()
  let troubleSinceMs: number | undefined
  let pauseMs = firstPauseMs
  let restarting: Promise<void> = Promise.resolve()

  function watch(): void {
    server.onExit(why => {
      if (!stopping.signal.aborted) restarting = again(why)
    })
  }

  async function again(why: string): Promise<void> {
    const nowMs = performance.now()
    if (troubleSinceMs === undefined || nowMs - startedMs > settledMs) {
      troubleSinceMs = nowMs
      pauseMs = firstPauseMs
    }
    log.warn({ why }, 'the database ended; it is started again')
    let reported = why
    while (performance.now() - troubleSinceMs < giveUpMs) {
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      pauseMs = Math.min(2 * pauseMs, maxPauseMs)
      try {
        server = await start()
        startedMs = performance.now()
        log.info({ seconds: Math.round((startedMs - nowMs) / 1_000) }, 'the database runs again')
        watch()
        return
      } catch (error) {
        const { message } = error as Error
        if (message !== reported) log.warn({ why: message }, 'the database could not be started; it is tried again')
        reported = message
      }
    }
    for (const callback of callbacks) callback(reported)
  }

  watch()
  return {
    get pid() {
      return server.pid
    },
    onExit: callback => void callbacks.push(callback),
    async stop() {
      stopping.abort()
      await restarting
      await server.stop()
    },
  }
}
