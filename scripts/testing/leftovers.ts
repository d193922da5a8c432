// What a test file leaves in the process that it shares with others: what is open, and what it changed for all. Either would
// meet the files after it, so it is a failure of the file that left it.
import { newId, timeOfId } from '../../server/src/kernel/values/ids.ts'
import { lastingResources, openResources } from '../../server/test/lasting.ts'

export type Snapshot = {
  open: Map<string, number>
  lasting: Map<string, number>
  env: Record<string, string | undefined>
  cwd: string
  globals: Map<string, unknown>
}

/** Functions of the language and of Node that a test might replace. */
const replaceable: [name: string, read: () => unknown][] = [
  ['Date', () => Date],
  ['Date.now', () => Date.now],
  ['Math.random', () => Math.random],
  ['fetch', () => globalThis.fetch],
  ['WebSocket', () => globalThis.WebSocket],
  ['setTimeout', () => globalThis.setTimeout],
  ['setInterval', () => globalThis.setInterval],
  ['process.exit', () => process.exit],
  ['console.log', () => console.log],
]

export function takeSnapshot(): Snapshot {
  return {
    open: openResources(),
    lasting: new Map(lastingResources()),
    env: { ...process.env },
    cwd: process.cwd(),
    globals: new Map(replaceable.map(([name, read]) => [name, read()])),
  }
}

/**
 * Sockets are left out: clients keep idle ones for a while, and a pool that outlives the file grows. A server or a program at their other
 * end is seen by itself.
 */
const sockets = ['PipeWrap', 'TCPSocketWrap', 'TLSWrap']

/** What is open that was not, a sentence a kind. */
export function openOf(before: Snapshot): string[] {
  return [...openResources()].flatMap(([kind, count]) => {
    if (sockets.includes(kind)) return []
    const more = count - (before.open.get(kind) ?? 0) - lastingSince(before, kind)
    return more > 0 ? [`${more} ${kind} stayed open: close it in an after() of the file.`] : []
  })
}

function lastingSince(before: Snapshot, kind: string): number {
  return (lastingResources().get(kind) ?? 0) - (before.lasting.get(kind) ?? 0)
}

/**
 * Whether ids of this process increase still: those after one of a far future do not, and a file that moves its clock makes such. It is
 * no fault of the file; but the process has had its time.
 */
export function idsIncrease(): boolean {
  const ids = Array.from({ length: 12 }, () => newId('chk'))
  // What is due when its id says would wait.
  if (timeOfId(ids[0] as string) > Date.now() + 1_000) return false
  return ids.every((id, index) => index === 0 || id > (ids[index - 1] as string))
}

/** What is another than it was, a sentence each; the settings are put back. */
export function changesOf(before: Snapshot): string[] {
  const found: string[] = []
  for (const name of new Set([...Object.keys(before.env), ...Object.keys(process.env)])) {
    if (process.env[name] === before.env[name]) continue
    found.push(`process.env.${name} was changed: put it back, or mark the file "// test: own process".`)
    if (before.env[name] === undefined) delete process.env[name]
    else process.env[name] = before.env[name]
  }
  if (process.cwd() !== before.cwd) {
    found.push(`the working directory became ${process.cwd()}`)
    process.chdir(before.cwd)
  }
  for (const [name, read] of replaceable)
    if (read() !== before.globals.get(name)) found.push(`${name} was replaced and not put back`)
  return found
}
