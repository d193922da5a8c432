// The end of a process. Whatever asks for it (Ctrl-C, a closing terminal, the database's death, a bug), what was opened
// is closed in order, last first, within a bounded time; and a standard output that nobody reads any more ends nothing.
import type { Log } from './log.ts'

export type Lifetime = {
  /** What to close at the end, last first. */
  readonly open: AsyncDisposableStack
  /** Begins the end. Only the first call counts, but a failure's exit code stays. */
  end(why: string, exitCode: 0 | 1): void
  /** Aborted when the end begins, for what may be given up then. */
  readonly ending: AbortSignal
  /** For between the steps of a start: throws when the end has begun, so that no further step is taken. */
  goOn(): void
  /** The start is over: resolves when the end begins. */
  untilEnd(): Promise<void>
}

/** A second signal means "at once"; but npm hands a terminal's Ctrl-C on to a process that has already had it. */
const repeatMs = 500
/** A step of the start that takes longer is abandoned, such as the wait for another process that migrates. */
const startStepMs = 5_000
/** Less than the minute that packaging gives (TimeoutStopSec, stop_grace_period): behind calls of 20 seconds PostgreSQL may take as long. */
const closeMs = 55_000

/**
 * Runs `work` and closes what it opened. When the end was asked for, leaves the process: with 0 after a signal, with 1
 * after a failure. @throws what `work` throws by itself, after everything was closed.
 */
export async function runLifetime(log: Log, work: (lifetime: Lifetime) => Promise<void>): Promise<void> {
  const open = new AsyncDisposableStack()
  const ending = new AbortController()
  const begun = new Promise<void>(resolve => ending.signal.addEventListener('abort', () => resolve()))
  let exitCode: 0 | 1 = 0
  let started = false

  function end(why: string, code: 0 | 1): void {
    if (code === 1) exitCode = 1
    if (ending.signal.aborted) return
    log.info({ why }, 'stopping')
    if (!started) leaveAfter(startStepMs, log)
    ending.abort(new Error(`asked to stop: ${why}`))
  }

  ignoreClosedOutput()
  endOnSignals(end, log)
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'a mistake of the program')
    end('a mistake of the program', 1)
  })

  let fault: { error: unknown } | undefined
  try {
    await work({
      open,
      end,
      ending: ending.signal,
      goOn: () => ending.signal.throwIfAborted(),
      untilEnd() {
        started = true
        return begun
      },
    })
  } catch (error) {
    // A start that is being stopped may fail in any way.
    if (ending.signal.aborted) log.debug({ err: error }, 'the start was given up')
    else fault = { error }
  }
  leaveAfter(closeMs, log)
  try {
    await open.disposeAsync()
  } catch (error) {
    log.error({ err: error }, 'not everything could be closed in order')
    exitCode = 1
  }
  if (fault !== undefined) throw fault.error
  if (!ending.signal.aborted) return
  log.info('stopped')
  process.exit(exitCode)
}

function endOnSignals(end: Lifetime['end'], log: Log): void {
  let firstMs: number | undefined
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      const nowMs = performance.now()
      const isRepeat = firstMs !== undefined && nowMs - firstMs > repeatMs
      firstMs ??= nowMs
      if (!isRepeat) return end(signal, 0)
      // A terminal that closes may hang up more than once.
      if (signal === 'SIGHUP') return
      log.warn({ why: signal }, 'asked again: leaving at once')
      process.exit(1)
    })
  }
}

/** Whatever hangs, the process ends. A hook on its exit signals its database to stop, and the next start recovers. */
function leaveAfter(ms: number, log: Log): void {
  const leave = () => {
    log.error({ seconds: ms / 1_000 }, 'something did not end in time: leaving without it')
    process.exit(1)
  }
  setTimeout(leave, ms).unref()
}

/** EPIPE when a reader such as `head` has left, EIO when the terminal is gone: from then on nobody hears us. */
function ignoreClosedOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
}
