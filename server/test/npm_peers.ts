// Programs of npm that check or run what Tandem gives out, and are too large to be dependencies: `scripts/system_tools.sh` installs
// them, at the versions it names, into a folder outside the checkout.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

const cache = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
/** As `scripts/system_tools.sh` has it. */
export const peersFolder = process.env['TANDEM_PEERS'] || join(cache, 'tandem-peers')

/** Where such a program lies, or undefined where it is not installed. */
export function findPeer(program: string): string | undefined {
  const file = join(peersFolder, 'node_modules/.bin', program)
  return existsSync(file) ? file : undefined
}

/** What a test without it says instead of running. */
export const missingPeer = (program: string) =>
  `${program} is not in ${peersFolder}: bash scripts/system_tools.sh (CONTRIBUTING.md, "Peers from npm")`

/** None of them may report anywhere that it was run, or ask whether there is a newer one. */
const quiet = {
  CI: '1',
  NO_UPDATE_NOTIFIER: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}

/** Runs a program of npm by the Node of the tests: its exit code and all it says. */
export function runPeer(
  file: string,
  args: readonly string[],
  { cwd, timeoutMs = 120_000 }: { cwd?: string; timeoutMs?: number } = {},
): Promise<{ code: number; text: string }> {
  const options = { cwd, env: { ...process.env, ...quiet }, timeout: timeoutMs, maxBuffer: 50_000_000 }
  return new Promise(resolve => {
    execFile(process.execPath, [file, ...args], options, (error, out, err) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? 1), text: `${out}${err}` })
    })
  })
}
