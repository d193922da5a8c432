// Commands of ours in a process of their own, of low priority, so that who is served meanwhile does not notice.
import { type ChildProcess, spawn } from 'node:child_process'
import { setPriority } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

const main = join(import.meta.dirname, 'main.ts')
/** As `nice` counts it: what else runs goes first. */
const lowPriority = 10

export type Apart = {
  child: ChildProcess
  /** `code` is null where it was killed, or could not be started. */
  ended: Promise<{ code: number | null; stdout: string; stderr: string }>
}

/** Starts `tandem <words>`. @param environment the variables that it takes its settings from */
export function runApart(words: readonly string[], environment: NodeJS.ProcessEnv): Apart {
  const child = spawn(process.execPath, [...process.execArgv, main, ...words], {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (child.pid !== undefined) {
    try {
      setPriority(child.pid, lowPriority)
    } catch {
      // It has just ended.
    }
  }
  const closed = new Promise<number | null>(resolve => {
    child.once('error', () => resolve(null))
    child.once('close', resolve)
  })
  const ended = Promise.all([text(child.stdout!), text(child.stderr!), closed]).then(([stdout, stderr, code]) => ({
    code,
    stdout,
    stderr,
  }))
  return { child, ended }
}
