// What systemd hears of a service of Type=notify (sd_notify(3)): that it is ready, that its event loop turns, and that it stops. Its socket
// takes datagrams, which Node cannot send to a path, so the program systemd-notify does; where nobody listens, nothing is said.
import { execFile } from 'node:child_process'
import type { Log } from './log.ts'

export type Supervisor = {
  /** The start is over: from now on the event loop is watched. */
  ready(status: string): void
  /** The end has begun. */
  stopping(): void
}

export type SupervisorOptions = {
  /** Of this process: NOTIFY_SOCKET and WATCHDOG_USEC are read. */
  environment: Readonly<Record<string, string | undefined>>
  log: Pick<Log, 'warn'>
  /** Runs `systemd-notify` with these arguments; rejects when it cannot (tests). */
  notify?: (args: readonly string[]) => Promise<void>
}

const program = 'systemd-notify'
const searchPath = '/usr/bin:/bin:/usr/local/bin'
const longestMs = 10_000

/** Speaks to the supervisor that the environment names; does nothing without one. */
export function createSupervisor({ environment, log, notify }: SupervisorOptions): Supervisor {
  const socket = environment['NOTIFY_SOCKET']
  if (!socket) return { ready() {}, stopping() {} }
  const send = notify ?? (args => run(args, socket))
  const watchdogMs = Number(environment['WATCHDOG_USEC'] ?? 0) / 1_000
  let timer: NodeJS.Timeout | undefined
  let isSilent = false

  function say(...args: string[]): void {
    send(args).then(
      () => {
        isSilent = false
      },
      (error: Error) => {
        // Said once: it is repeated every few seconds.
        if (!isSilent)
          log.warn({ why: error.message }, 'systemd could not be reached, and does not know how the server does')
        isSilent = true
      },
    )
  }

  return {
    ready(status) {
      say('--ready', `--status=${status}`)
      // A third of the time leaves room for one that comes late, and one that is lost.
      if (watchdogMs > 0) timer = setInterval(say, watchdogMs / 3, 'WATCHDOG=1').unref()
    },
    stopping() {
      clearInterval(timer)
      say('STOPPING=1', '--status=stopping')
    },
  }
}

function run(args: readonly string[], socket: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { env: { NOTIFY_SOCKET: socket, PATH: searchPath }, timeout: longestMs }
    execFile(program, args, options, error => (error === null ? resolve() : reject(error)))
  })
}
