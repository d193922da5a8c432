// The program `tandem` in a process of its own: what it prints, and how it ends.
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { eventually } from '../../../server/test/eventually.ts'

const main = join(import.meta.dirname, '../src/main.ts')

// biome-ignore lint/suspicious/noExplicitAny: lines of every kind
export type Line = any

export type Program = {
  child: ChildProcess
  stdout(): string
  stderr(): string
  /** With `--json`: every line so far. */
  lines(): Line[]
  /** The first line of an event, among those that came and those to come. */
  line(event: string, fits?: (line: Line) => boolean): Promise<Line>
  ended: Promise<number | null>
}

/** @param file the program; that of the sources when not said */
export function tandem(args: readonly string[], env: Record<string, string>, file?: string): Program {
  const started = file === undefined ? ['--conditions=source', '--disable-warning=ExperimentalWarning', main] : [file]
  const child = spawn(process.execPath, [...started, ...args], { env: { PATH: process.env['PATH'], ...env } })
  let [stdout, stderr] = ['', '']
  child.stdout.setEncoding('utf8').on('data', piece => {
    stdout += piece
  })
  child.stderr.setEncoding('utf8').on('data', piece => {
    stderr += piece
  })
  const lines = () =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map(line => JSON.parse(line))
  return {
    child,
    stdout: () => stdout,
    stderr: () => stderr,
    lines,
    async line(event, fits = () => true) {
      const found = () => lines().find(line => line.event === event && fits(line))
      await eventually(
        `a line ${event} of\n${stdout}${stderr}`,
        () => found() !== undefined || child.exitCode !== null,
        { withinMs: 60_000 },
      )
      if (found() === undefined) throw new Error(`it ended without a line ${event}\n${stdout}${stderr}`)
      return found()
    },
    ended: new Promise(resolve => void child.once('close', code => resolve(code))),
  }
}
