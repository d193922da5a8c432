// The real command in a process of its own, for tests of starting and stopping: what it prints, what it answers, how it
// ends, and what it leaves running.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { guardedFolder } from './cluster.ts'

const root = join(import.meta.dirname, '../..')
const main = join(root, 'server/src/main.ts')
const startLimitMs = 60_000
const exitLimitMs = 40_000

/** Half of what a start costs is compiling the same sources again. */
const { NODE_COMPILE_CACHE } = process.env
export const compileCache = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }

export type ServerOptions = {
  /** Settings; the server sees nothing else of this process's environment but PATH and where Node keeps what it compiled. */
  env: Record<string, string>
  command?: string
  /** Instead of `node server/src/main.ts <command>`: the program and its arguments, run at the root of the checkout. */
  program?: [file: string, ...args: string[]]
  /** Runs it as an ordinary user even where the tests run as root. */
  as?: OrdinaryUser
}

export type Ended = { code: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

export type ServerProcess = {
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** Resolves when its standard output holds `text`, with all of it; fails when the process ends before. */
  printed(text: string | RegExp): Promise<string>
  /** Its end, of one that is to end soon: rejects when it has not in the time of a start and an end. */
  ended: Promise<Ended>
  /** Its end, whenever that is. */
  over: Promise<Ended>
}

export type ReadyServer = ServerProcess & { pid: number; address: string }

let folders = 0
const base = guardedFolder()

/** A fresh folder with a short path; what still runs in it when this process ends is ended. */
export function freshFolder(): string {
  const folder = join(base, String(++folders))
  mkdirSync(folder, { mode: 0o700 })
  // Others may pass through: a folder below may belong to another account.
  chmodSync(base, 0o711)
  return folder
}

/** Spawns the command; it is killed at the end of the test, if not gone before. */
export function spawnServer(
  context: TestContext,
  { env, command = 'serve', program, as }: ServerOptions,
): ServerProcess {
  const [file, ...args] = [...(as?.prefix ?? []), ...(program ?? [process.execPath, main, command])]
  const child = spawn(file!, args, {
    // The portal has tests of its own: it would be built first whenever a line of it has changed.
    env: {
      PATH: process.env['PATH'],
      ...compileCache,
      PORT: '0',
      TANDEM_PORTAL: '0',
      TANDEM_SHOW_SECRETS: '1',
      ...env,
    },
    cwd: root,
    // A group of its own, so that whatever npm leaves running can be ended too.
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(as?.account ?? {}),
  })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', chunk => {
    stdout += chunk
  })
  child.stderr.setEncoding('utf8').on('data', chunk => {
    stderr += chunk
  })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  context.after(() => {
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // All gone.
    }
  })
  const soonEnded = within(ended, () => `it did not end\n${stdout}\n${stderr}`, startLimitMs + exitLimitMs)
  // Of one that is to run for longer nobody asks for it.
  soonEnded.catch(() => {})
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    ended: soonEnded,
    over: ended,
    async printed(text) {
      const holds = () => (typeof text === 'string' ? stdout.includes(text) : text.test(stdout))
      const deadline = performance.now() + startLimitMs
      while (!holds()) {
        if (child.exitCode !== null || child.signalCode !== null || performance.now() > deadline) {
          throw new Error(`the server did not print ${text}\n${stdout}\n${stderr}`)
        }
        await sleep(10)
      }
      return stdout
    },
  }
}

/** Spawns the server and waits until it is ready. */
export async function startServer(context: TestContext, options: ServerOptions): Promise<ReadyServer> {
  const server = spawnServer(context, options)
  const text = await server.printed(/Tandem is ready on \S+\n/)
  return { ...server, pid: server.child.pid!, address: /Tandem is ready on (\S+)/.exec(text)![1]! }
}

/** Sends `signal` and waits for the end. */
export function endServer(server: ServerProcess, signal: NodeJS.Signals = 'SIGINT'): Promise<Ended> {
  server.child.kill(signal)
  return within(server.over, () => `it did not end by ${signal}\n${server.stdout()}`, exitLimitMs)
}

async function within<T>(promise: Promise<T>, what: () => string, limitMs: number): Promise<T> {
  const limit = new AbortController()
  const tooLate = sleep(limitMs, undefined, { signal: limit.signal, ref: false }).then(() => {
    throw new Error(what())
  })
  tooLate.catch(() => {})
  try {
    return await Promise.race([promise, tooLate])
  } finally {
    limit.abort()
  }
}

/** Process numbers of everything that works in `folder`: a PostgreSQL works in its data. */
export function processesIn(folder: string): number[] {
  if (!existsSync('/proc/self/cwd')) {
    const { stdout } = spawnSync('ps', ['-axww', '-o', 'pid=,args='], { encoding: 'utf8' })
    return stdout
      .split('\n')
      .filter(line => line.includes(`${folder}/`))
      .map(line => Number.parseInt(line, 10))
  }
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(`${folder}/`)
      } catch {
        return false
      }
    })
}

/** Process number of the PostgreSQL of a data folder, as it says itself. */
export function postmasterOf(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0])
}

/** Whether `check` comes true within ten seconds. */
export async function soon(check: () => boolean | Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 500; tries++) {
    if (await check()) return true
    await sleep(20)
  }
  return false
}

export type OrdinaryUser = { prefix?: string[]; account?: { uid: number; gid: number } }

/**
 * How to run the server as a user who is not root: as we are, or in a user namespace of its own, or under another account
 * when that may read this checkout. Undefined when none of them goes.
 */
export function ordinaryUser(): OrdinaryUser | undefined {
  if (process.getuid!() !== 0) return {}
  const namespace = ['unshare', '--user', '--map-user=65534', '--map-group=65534']
  if (spawnSync(namespace[0]!, [...namespace.slice(1), 'true']).status === 0) return { prefix: namespace }
  const account = { uid: 65_534, gid: 65_534 }
  const reads = spawnSync(process.execPath, [main, 'help'], { ...account, cwd: root })
  return reads.status === 0 ? { account } : undefined
}
