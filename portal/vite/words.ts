// Compiles the texts of the portal (`src/**/messages/<language>.ts`, ICU MessageFormat) into small JSON files, one a folder and language,
// and lets each `import()` fetch those of what it loads beside its script: a screen comes with its words, in one language, in one trip.
import { createHash } from 'node:crypto'
import { globSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import compileMessage from 'icu-minify/compile'
import type { CompiledMessage } from 'icu-minify/format'
import { type Plugin, parseSync, Visitor } from 'vite'
import { languages } from '../src/words/files.ts'

const portal = join(import.meta.dirname, '..')
const sources = join(portal, 'src')
const mark = 'words-of:'

const problemAreas = 'accounts apps calls fields mails messages organizations records requests webhooks'.split(' ')

/** Files that hold the texts of several folders, which are wanted together: of the frame, lists and forms, errors, and a large screen. */
const bundles: Readonly<Record<string, readonly string[]>> = {
  first: ['app', 'navigation', 'session', 'softphone/frame', 'ui', 'words'],
  records: ['data', 'forms', 'lists'],
  problems: problemAreas.map(area => `problems/${area}`),
  playground: ['playground', 'playground/json', 'playground/request_panel', 'playground/response_panel'],
}
const bundleOf = new Map(Object.entries(bundles).flatMap(([name, folders]) => folders.map(folder => [folder, name])))

export type Texts = Readonly<Record<string, string>>
export type MessageFile = { folder: string; language: string; path: string; texts: Texts }

/** All message files as they are written. */
export async function readMessages(): Promise<MessageFile[]> {
  const paths = globSync(`**/messages/{${languages.join(',')}}.ts`, { cwd: sources }).sort()
  return Promise.all(
    paths.map(async name => {
      const path = join(sources, name)
      const parts = name.split(sep)
      const language = parts.pop()!.slice(0, -'.ts'.length)
      // A file that was changed since it was read is another module.
      const module = await import(`${pathToFileURL(path).href}?${statSync(path).mtimeMs}`)
      return { folder: parts.slice(0, -1).join('/'), language, path, texts: module[language] as Texts }
    }),
  )
}

/** @throws Error that names the text which is no ICU message */
export function compileTexts({ texts, path }: MessageFile): Record<string, CompiledMessage> {
  const compiled = Object.entries(texts).map(([key, text]) => {
    try {
      return [key, compileMessage(text)]
    } catch (error) {
      throw new Error(`${relative(sources, path)}, ${key}: ${(error as Error).message}`)
    }
  })
  return Object.fromEntries(compiled)
}

const fileOf = (folder: string) => bundleOf.get(folder) ?? folder.replaceAll('/', '.')

/** The files as they are fetched, by `<language>/<file>`. */
function packed(messages: readonly MessageFile[]): Map<string, string> {
  const files = Map.groupBy(messages, ({ language, folder }) => `${language}/${fileOf(folder)}`)
  return new Map(
    [...files].map(([name, parts]) => [
      name,
      JSON.stringify(Object.fromEntries(parts.map(part => [part.folder, compileTexts(part)]))),
    ]),
  )
}

/** The code with each import() of a file of ours given to `withWords`, with a mark in place of the files that it fetches beside it. */
async function wrapImports(code: string, id: string, resolve: (target: string) => Promise<string | undefined>) {
  const found: { start: number; end: number; target: string }[] = []
  const visitor = new Visitor({
    ImportExpression({ start, end, source }) {
      if (source.type === 'Literal' && typeof source.value === 'string' && source.value.startsWith('.'))
        found.push({ start, end, target: source.value })
    },
  })
  visitor.visit(parseSync(id, code, { lang: 'js', sourceType: 'module' }).program)
  if (found.length === 0) return undefined
  let wrapped = code
  for (const { start, end, target } of found.toSorted((a, b) => b.start - a.start)) {
    const resolved = (await resolve(target)) ?? target
    const call = `withWords(${JSON.stringify(`${mark}${resolved}`)}, () => ${code.slice(start, end)})`
    wrapped = wrapped.slice(0, start) + call + wrapped.slice(end)
  }
  // On the first line, so that those below keep their numbers.
  return `import { withWords } from '/src/words/with_words.ts';${wrapped}`
}

type ModuleInfo = { importedIds: readonly string[] }

/** Every module that is there with `id`: what it imports, and so on. */
function closureOf(id: string, infoOf: (id: string) => ModuleInfo | null): Set<string> {
  const reached = new Set([id])
  for (const each of reached) for (const next of infoOf(each)?.importedIds ?? []) reached.add(next)
  return reached
}

/** The folder of a module that says texts: `teams` of `…/src/teams/texts.ts`. */
function folderOf(id: string): string | undefined {
  const name = relative(sources, id).split(sep).join('/')
  return name.endsWith('/texts.ts') ? dirname(name) : undefined
}

export function wordsPlugin(): Plugin {
  let files = new Map<string, string>()
  let version = 'now'
  /** By what is loaded: the files that are fetched beside it. */
  const beside = new Map<string, string[]>()
  return {
    name: 'tandem-words',
    async config(_config, { command }) {
      files = packed(await readMessages())
      // One version for all: a screen need not know that of each.
      if (command === 'build')
        version = createHash('sha256')
          .update(JSON.stringify([...files]))
          .digest('base64url')
          .slice(0, 8)
      return { define: { __WORDS__: JSON.stringify({ version, files: Object.fromEntries(bundleOf) }) } }
    },
    async transform(code, id) {
      if (!id.startsWith(sources) || !/\.tsx?$/.test(id) || !code.includes('import(')) return undefined
      const wrapped = await wrapImports(code, id, async target => (await this.resolve(target, id))?.id)
      return wrapped === undefined ? undefined : { code: wrapped, map: null }
    },
    renderChunk(code) {
      if (!code.includes(mark)) return undefined
      const infoOf = (id: string) => this.getModuleInfo(id)
      const filled = code.replaceAll(/(["'`])words-of:([^"'`]+)\1/g, (_all, _quote, id: string) => {
        const folders = [...closureOf(id, infoOf)].flatMap(each => folderOf(each) ?? [])
        // Those of the frame are there with the page.
        const names = [...new Set(folders.map(fileOf).filter(name => name !== 'first'))].sort()
        beside.set(relative(portal, id).split(sep).join('/'), names)
        return JSON.stringify(names.join(' '))
      })
      return { code: filled, map: null }
    },
    generateBundle() {
      for (const [name, source] of files)
        this.emitFile({ type: 'asset', fileName: `_built/words/${name}-${version}.json`, source })
      // For tests, beside Vite's own manifest.
      const source = JSON.stringify({ version, beside: Object.fromEntries(beside) })
      this.emitFile({ type: 'asset', fileName: '.vite/words.json', source })
    },
    configureServer(server) {
      server.middlewares.use(async (request, response, next) => {
        const [, name] = /^\/_built\/words\/(.+)-now\.json$/.exec(request.url ?? '') ?? []
        if (name === undefined) return next()
        const text = packed(await readMessages()).get(name)
        if (text === undefined) return next()
        response.setHeader('content-type', 'application/json')
        response.end(text)
      })
    },
  }
}
