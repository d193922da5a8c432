// Keeps the built portal what its sources say. A hash over everything that goes into it is in the built folder; when it
// differs, a process of its own builds into a folder beside, which then takes the place of the old one in one step.
// An installation without the sources uses what it was given.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join, relative, sep } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'

export type PortalFolders = {
  /** The checkout. */
  root: string
  /** Source folders and files below it. */
  inputs: readonly string[]
  /** Script below it that builds into the folder it is given. */
  script: string
  /** Where the built portal goes, below it. */
  dist: string
}

/** Where the portal of this checkout lies. */
export const portalFolders: PortalFolders = {
  root: join(import.meta.dirname, '../../..'),
  inputs: [
    'portal',
    'sdk/src',
    'packages/catalog/package.json',
    'packages/catalog/src',
    'docs/openapi.json',
    'package-lock.json',
    'node_modules/vite/package.json',
  ],
  script: 'portal/vite/build.ts',
  dist: 'portal/dist',
}

/** What is no source, wherever it lies below an input. */
const notSources = /^(node_modules|dist|test|\..*|.*\.test\.tsx?)$/
const hashFile = '.build.json'
const longestBuildMs = 5 * 60_000
const waitForLockMs = 100

/** `builtMs` is how long a build took; undefined when what stood there was current. */
export type Built = { folder: string; builtMs: number | undefined }

/** The folder of the built portal; undefined where it is to be built. @throws Error when there is nothing to build it from */
export function builtPortal(folders: PortalFolders): string | undefined {
  const { root, script } = folders
  const folder = join(root, folders.dist)
  if (existsSync(join(root, script))) return hashIn(folder) === hashOf(folders) ? folder : undefined
  if (existsSync(join(folder, 'index.html'))) return folder
  throw new Error(`there is neither a built portal (${folder}) nor what it is built from (${join(root, script)})`)
}

/**
 * Makes sure that the built portal is current and says where it is. Of several processes one builds, the others wait.
 * @throws Error that says what failed: the output of the build, or the file system's refusal
 */
export async function preparePortal(folders: PortalFolders, signal: AbortSignal): Promise<Built> {
  const built = builtPortal(folders)
  if (built !== undefined) return { folder: built, builtMs: undefined }
  const hash = hashOf(folders)
  const folder = join(folders.root, folders.dist)
  const workshop = join(folder, '..', '.build')
  mkdirSync(workshop, { recursive: true })
  const unlock = await lock(join(workshop, 'lock'), signal)
  try {
    if (hashIn(folder) === hash) return { folder, builtMs: undefined }
    const startedMs = performance.now()
    for (const left of readdirSync(workshop)) {
      if (left.startsWith('made-')) rmSync(join(workshop, left), { recursive: true, force: true })
    }
    // A folder of its own: the build of a server that was killed may still be writing into another.
    const made = mkdtempSync(join(workshop, 'made-'))
    await run(folders, made, signal)
    writeFileSync(join(made, hashFile), JSON.stringify({ hash }))
    // Made for one user; what is served may be read by all, as any checkout.
    chmodSync(made, 0o755)
    replace(folder, made, join(workshop, 'replaced'))
    return { folder, builtMs: performance.now() - startedMs }
  } finally {
    unlock()
  }
}

/** A digest of the names and contents of every source. */
export function hashOf({ root, inputs }: Pick<PortalFolders, 'root' | 'inputs'>): string {
  const digest = createHash('sha256')
  for (const file of inputs.flatMap(input => filesIn(join(root, input)))) {
    const text = readFileSync(file)
    digest.update(`${relative(root, file).split(sep).join('/')}\0${text.length}\0`).update(text)
  }
  return digest.digest('hex')
}

/** Files at or below a path, in an order of their own; none when there is nothing. */
function filesIn(path: string): string[] {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return []
  if (stats.isFile()) return [path]
  const entries = readdirSync(path, { withFileTypes: true }).filter(({ name }) => !notSources.test(name))
  return entries
    .map(({ name }) => name)
    .sort()
    .flatMap(name => filesIn(join(path, name)))
}

function hashIn(folder: string): string | undefined {
  try {
    return (JSON.parse(readFileSync(join(folder, hashFile), 'utf8')) as { hash?: string }).hash
  } catch {
    return undefined
  }
}

const sqliteBusy = 5

/** Waits for the lock on a file, which is gone with its process however that ends; answers what lets it go. */
async function lock(file: string, signal: AbortSignal): Promise<() => void> {
  for (;;) {
    const database = new DatabaseSync(file, { timeout: 0 })
    try {
      database.exec('pragma journal_mode = off; begin exclusive')
      return () => database.close()
    } catch (error) {
      database.close()
      if ((error as { errcode?: number }).errcode !== sqliteBusy) throw error
    }
    await sleep(waitForLockMs, undefined, { signal })
  }
}

/** Runs the build; what it says is kept for the error. */
async function run({ root, script }: PortalFolders, outDir: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  const tooLong = AbortSignal.timeout(longestBuildMs)
  const child = spawn(process.execPath, ['--conditions=source', join(root, script), outDir], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal: AbortSignal.any([signal, tooLong]),
    killSignal: 'SIGKILL',
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      // The first mistake is the one to mend.
      output = (output + chunk).slice(0, 4_000)
    })
  }
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', error => reject(tooLong.aborted ? new Error('the build of the portal took too long') : error))
    child.once('close', resolve)
  })
  if (code !== 0) throw new Error(`the build of the portal ended with ${code ?? 'a signal'}:\n${output.trim()}`)
}

/** Puts a folder in the place of another. Anyone who reads in between finds neither, never a mixture. */
function replace(folder: string, made: string, replaced: string): void {
  rmSync(replaced, { recursive: true, force: true })
  if (existsSync(folder)) renameSync(folder, replaced)
  try {
    renameSync(made, folder)
  } catch (error) {
    if (existsSync(replaced)) renameSync(replaced, folder)
    throw error
  }
  rmSync(replaced, { recursive: true, force: true })
}
