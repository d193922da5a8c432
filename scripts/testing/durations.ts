// How long each test file took when it last ran: what is known on this machine (in node_modules/.cache), else what is committed
// beside this file for a fresh clone. Only the order of a run depends on it.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const committed = join(import.meta.dirname, 'durations.json')
/** A file that nobody has timed. */
const unknownSeconds = 2

type Durations = Record<string, number>

const cacheOf = (root: string) => join(root, 'node_modules/.cache/tandem-tests/durations.json')

/** Seconds of a file, as a function of its path. */
export function readDurations(root: string): (file: string) => number {
  const known = { ...read(committed), ...read(cacheOf(root)) }
  return file => known[file] ?? unknownSeconds
}

/** Keeps what a run took beside what is known of other files. */
export function rememberDurations(root: string, seconds: ReadonlyMap<string, number>): void {
  const file = cacheOf(root)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, textOf({ ...read(file), ...Object.fromEntries(seconds) }))
}

/** Writes the times of a whole run for fresh clones: files of a few seconds or more. */
export function commitDurations(seconds: ReadonlyMap<string, number>): void {
  writeFileSync(committed, textOf(Object.fromEntries([...seconds].filter(([, value]) => value >= 3))))
}

function textOf(durations: Durations): string {
  const lines = Object.entries(durations)
    .sort(([, a], [, b]) => b - a)
    .map(([file, seconds]) => `  ${JSON.stringify(file)}: ${Math.round(seconds)}`)
  return `{\n${lines.join(',\n')}\n}\n`
}

function read(file: string): Durations {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Durations
  } catch {
    return {}
  }
}
