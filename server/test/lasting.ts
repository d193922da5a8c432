// What outlives a test file: made once a process, used by the files that come after, and closed when the process ends. Only the
// processes of `npm test` live for many files; run by hand, a file makes its own and closes it.

type Lasting = { made: Promise<unknown>; close(): Promise<void> }

const all = new Map<string, Lasting>()
/** How many resources of each kind were opened while something lasting was made. */
const opened = new Map<string, number>()

/** Whether this process lives for many files. */
export function outlivesFiles(): boolean {
  return process.env['TANDEM_TEST_WORKER'] === 'many files'
}

/** The same for every caller of `name` in this process. Call it only where `outlivesFiles()`. */
export function lasting<T>(name: string, make: () => Promise<T>, close: (made: T) => Promise<void>): Promise<T> {
  const known = all.get(name)
  if (known !== undefined) return known.made as Promise<T>
  const before = openResources()
  const made = make().then(value => {
    for (const [kind, count] of openResources()) {
      const more = count - (before.get(kind) ?? 0)
      if (more > 0) opened.set(kind, (opened.get(kind) ?? 0) + more)
    }
    return value
  })
  all.set(name, { made, close: async () => close(await made) })
  return made
}

/** How many open resources belong to lasting things, by kind. */
export function lastingResources(): ReadonlyMap<string, number> {
  return opened
}

/** Closes all of it, the last made first. */
export async function closeLasting(): Promise<void> {
  for (const { close } of [...all.values()].reverse()) await close()
  all.clear()
  opened.clear()
}

/** What keeps this process running, by kind. */
export function openResources(): Map<string, number> {
  const open = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) open.set(kind, (open.get(kind) ?? 0) + 1)
  return open
}
