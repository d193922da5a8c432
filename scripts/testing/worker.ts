// A process that runs test files one after another, as `npm test` names them. Each file is a suite:
// so its hooks end with it. This module is the reporter of that process too (`--test-reporter`), and sends what happens
// to the parent as it happens: of a file that ends the process, what came before is known.
import { join } from 'node:path'
import { suite } from 'node:test'
import { spec as Spec } from 'node:test/reporters'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { closeLasting, outlivesFiles } from '../../server/test/lasting.ts'
import { changesOf, idsIncrease, openOf, takeSnapshot } from './leftovers.ts'
import { processorTime } from './processor_time.ts'

/** To the worker. */
export type Order = { kind: 'run'; file: string } | { kind: 'end' }

/** From the worker. */
export type News =
  | { kind: 'text'; text: string }
  | { kind: 'started' | 'passed'; name: string }
  | { kind: 'skipped'; name: string; why: string }
  | { kind: 'failed'; name: string; text: string }
  /** `isSpent` when the process is not fit for another file. */
  | { kind: 'ended'; memoryMb: number; processorSeconds: number; isSpent: boolean }

/** So long a file's connections and timers have to end after its last test. */
const settleMs = 5_000
const root = join(import.meta.dirname, '../..')

const post = (news: News) => process.send?.(news)

/** Errors that nobody caught, and those of them that made a test fail. */
const strays = new Set<unknown>()
let ended = Promise.withResolvers<void>()

async function runFile(file: string): Promise<void> {
  ended = Promise.withResolvers()
  strays.clear()
  const snapshot = takeSnapshot()
  const usedBefore = usedSeconds()
  // A suite begins its tests once all of the file has been evaluated, as at the top of a process.
  void suite(file, async () => {
    await import(pathToFileURL(join(root, file)).href)
  })
  await ended.promise
  const changes = outlivesFiles() ? changesOf(snapshot) : []
  for (const text of [...(await openAfter(snapshot)), ...changes])
    post({ kind: 'failed', name: 'what the file leaves behind', text })
  for (const error of strays)
    post({ kind: 'failed', name: 'an error outside of any running test', text: textOf(error) })
  post({
    kind: 'ended',
    memoryMb: process.memoryUsage.rss() / 2 ** 20,
    processorSeconds: usedSeconds() - usedBefore,
    isSpent: !idsIncrease(),
  })
}

/** What stays open that was not, once it had the time to close. */
async function openAfter(snapshot: ReturnType<typeof takeSnapshot>): Promise<string[]> {
  const deadline = performance.now() + settleMs
  let open = openOf(snapshot)
  while (open.length > 0 && performance.now() < deadline) {
    await sleep(10)
    open = openOf(snapshot)
  }
  return open
}

/** Processor time of this process and, on Linux, of those it started that have ended; PostgreSQL's is not in it. */
function usedSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6 + (processorTime('self').children || 0)
}

/** With what caused it: the fault of a property is what its counterexample threw. */
function textOf(error: unknown): string {
  const { stack, cause } = (error ?? {}) as Partial<Error>
  const text = String(stack ?? error)
  return cause === undefined ? text : `${text}\nCaused by: ${textOf(cause)}`
}

type TestEvent = {
  type: string
  data: { name: string; nesting: number; skip?: string | boolean; details?: { type?: string; error?: Error } }
}

/** Tests of the file under way, its hooks apart. */
let tests = 0

// biome-ignore lint/style/noDefaultExport: `--test-reporter` takes the default export
export default async function* report(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  let lines = new Spec()
  for await (const event of events) {
    const { type, data } = event
    // What is reported of the whole process at its end, and of the file as a test, is said by the parent.
    if (data.nesting > 0) {
      lines.write({ type, data: { ...data, nesting: data.nesting - 1 } })
      for (let text = lines.read(); text !== null; text = lines.read()) post({ kind: 'text', text: String(text) })
    }
    if (type === 'test:dequeue' && data.nesting > 0) post({ kind: 'started', name: data.name })
    if (type === 'test:pass') passed(data)
    if (type === 'test:fail') failed(data)
    if ((type === 'test:pass' || type === 'test:fail') && data.nesting === 0) {
      if (tests === 0 && type === 'test:pass') post({ kind: 'failed', name: 'the file', text: 'It holds no test.' })
      tests = 0
      lines = new Spec()
      ended.resolve()
    }
  }
  yield ''
}

function passed({ name, nesting, skip, details }: TestEvent['data']): void {
  const isSkipped = skip !== undefined && skip !== false
  // The tests of a suite that is skipped are never seen: it stands for them.
  if (nesting === 0 || (details?.type === 'suite' && !isSkipped)) return
  tests++
  if (!isSkipped) post({ kind: 'passed', name })
  else post({ kind: 'skipped', name, why: typeof skip === 'string' ? skip : '' })
}

function failed({ name, nesting, details }: TestEvent['data']): void {
  if (nesting > 0) tests++
  const error = details?.error as (Error & { failureType?: string; cause?: unknown }) | undefined
  const { failureType, cause = error } = error ?? {}
  strays.delete(cause)
  strays.delete(error)
  // Its parts have reported theirs.
  if (failureType !== 'subtestsFailed')
    post({ kind: 'failed', name: nesting === 0 ? 'the file' : name, text: textOf(cause) })
}

async function end(): Promise<void> {
  await closeLasting()
  process.disconnect?.()
}

function obey(order: Order): void {
  void (order.kind === 'run' ? runFile(order.file) : end())
}

// Imported as a reporter, it is the same module: it is loaded once.
process.on('uncaughtException', error => void strays.add(error))
process.on('unhandledRejection', error => void strays.add(error))
process.on('message', obey)
