// What a build of the portal consists of, read from its folder and Vite's manifest: which files a screen needs before it
// can be used, and what they weigh on the wire.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { gzipSync } from 'node:zlib'
import { portalFolders, preparePortal } from '../../server/src/portal/index.ts'
import type { Language } from '../src/words/files.ts'

const portalFolder = join(import.meta.dirname, '..')

/**
 * The folder of a build that is what the sources say: made now when it is not, once for all who ask at the same time.
 * TANDEM_TEST_PORTAL names another folder to test as it is, such as an earlier build while the sources are in pieces.
 */
export async function builtPortal(): Promise<string> {
  const given = process.env['TANDEM_TEST_PORTAL']
  if (given !== undefined && given !== '') return given
  // A build gives up by itself, and who waits for it goes on when it does.
  const { folder } = await preparePortal(portalFolders, new AbortController().signal)
  return folder
}

type Chunk = {
  file: string
  src?: string
  isEntry?: boolean
  imports?: string[]
  dynamicImports?: string[]
  css?: string[]
}

/** Which files of texts are fetched beside what is loaded on demand. */
type Words = { version: string; beside: Record<string, string[]> }

export type Build = {
  /** `index.html` as built. */
  page: string
  /** Paths in the folder, by kind. */
  scripts: string[]
  styles: string[]
  fonts: string[]
  /** Scripts fetched with the page, whatever it shows: the entry, what it imports, and what index.html preloads. */
  entryScripts: ReadonlySet<string>
  /** Those plus the screen's own, by source file (`src/leads/leads_screen.tsx`), without what it loads later. */
  screenScripts(source: string): ReadonlySet<string>
  /** The same with everything that the screen itself loads later; `without` what only these sources bring. */
  allScreenScripts(source: string, without?: readonly string[]): ReadonlySet<string>
  /** The files of texts that are fetched with the page and with a screen. */
  screenTexts(source: string, language: Language): string[]
  text(file: string): string
  bytes(file: string): number
  gzipBytes(file: string): number
}

/** Reads the current build whole, so that a later one cannot mix into it. */
export async function readBuild(): Promise<Build> {
  const folder = await builtPortal()
  const names = globSync('**/*.*', { cwd: folder }).filter(name => statSync(join(folder, name)).isFile())
  const contents = new Map(names.map(name => [name.split(sep).join('/'), readFileSync(join(folder, name))]))
  const content = (file: string) => contents.get(file) ?? fail(`${file} is not in the build of the portal`)
  const manifest = JSON.parse(readFileSync(join(folder, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk>
  const words: Words = JSON.parse(readFileSync(join(folder, '.vite/words.json'), 'utf8'))
  const files = [...contents.keys()]
  const page = content('index.html').toString()
  const entry = Object.keys(manifest).find(key => manifest[key]?.isEntry)
  if (entry === undefined) return fail('the manifest of the portal names no entry')
  const preloaded = [...page.matchAll(/<link rel="modulepreload"[^>]* href="\/([^"]+)"/g)].map(match => match[1]!)
  const entryScripts = new Set([...closure(manifest, entry, 'static'), ...preloaded])
  // What is there with the page loads every screen on demand: that is not the screen's own.
  const first = new Set(Object.keys(manifest).filter(key => entryScripts.has(manifest[key]!.file)))
  const screenScripts = (source: string, reach: Reach, without: readonly string[] = []) => {
    const known = without.find(each => manifest[each] === undefined)
    if (known !== undefined) return fail(`${known} is no chunk of the portal: is it still loaded lazily?`)
    return new Set([...entryScripts, ...closure(manifest, source, reach, new Set([...first, ...without]))])
  }
  return {
    page,
    scripts: files.filter(file => file.endsWith('.js')),
    styles: files.filter(file => file.endsWith('.css')),
    fonts: files.filter(file => /\.(woff2?|ttf|otf)$/.test(file)),
    entryScripts,
    screenScripts: source => screenScripts(source, 'static'),
    allScreenScripts: (source, without) => screenScripts(source, 'all', without),
    screenTexts: (source, language) =>
      ['first', ...(words.beside[source] ?? fail(`${source} is loaded without its texts`))].map(
        name => `_built/words/${language}/${name}-${words.version}.json`,
      ),
    text: file => content(file).toString(),
    bytes: file => content(file).length,
    gzipBytes: file => gzipSync(content(file), { level: 9 }).length,
  }
}

function fail(message: string): never {
  throw new Error(message)
}

type Reach = 'static' | 'all'

/** Files of a chunk and of what it imports; with `all` also of what it loads on demand. @param first chunks that are there already */
function closure(
  manifest: Record<string, Chunk>,
  from: string,
  reach: Reach,
  first: ReadonlySet<string> = new Set(),
): Set<string> {
  const seen = new Set<string>()
  const walk = (key: string) => {
    const chunk = manifest[key]
    if (chunk === undefined) return fail(`${key} is no chunk of the portal: is it still loaded lazily?`)
    if (seen.has(key) || (first.has(key) && key !== from)) return
    seen.add(key)
    for (const next of [...(chunk.imports ?? []), ...(reach === 'all' ? (chunk.dynamicImports ?? []) : [])]) walk(next)
  }
  walk(from)
  return new Set([...seen].map(key => manifest[key]!.file))
}

/** Source files of the screens, as their entries load them (`src/leads/leads_screen.tsx`). */
export function screenSources(): string[] {
  const entries = globSync('src/*/screen.ts', { cwd: portalFolder }).sort()
  const sources = entries.flatMap(entry =>
    [...readFileSync(join(portalFolder, entry), 'utf8').matchAll(/import\('\.\/([^']+)'\)/g)].map(
      match => `${dirname(entry)}/${match[1]}`,
    ),
  )
  const missing = sources.filter(source => !existsSync(join(portalFolder, source)))
  if (sources.length === 0 || missing.length > 0) fail(`screens not found: ${missing.join(', ') || 'any'}`)
  return [...new Set(sources)]
}

/** Files in the sources of the portal, tests left out, with their text. */
export function portalSources(): [file: string, text: string][] {
  const files = globSync(['src/**/*.{ts,tsx,css}', 'index.html', 'public/**/*.svg'], { cwd: portalFolder })
  const own = files.filter(file => !/\.test\.tsx?$/.test(file)).sort()
  return own.map(file => [file, readFileSync(join(portalFolder, file), 'utf8')])
}
