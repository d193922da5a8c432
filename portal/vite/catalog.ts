// Compiles the OpenAPI document into what the portal ships: an index of all endpoints inside the bundle, for search and
// navigation, and one small JSON file an endpoint, fetched when it is opened.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalogIndex, endpointDetail, readCatalog } from '@tandem/catalog'
import type { Plugin } from 'vite'

const documentFile = join(import.meta.dirname, '../../docs/openapi.json')
const moduleName = 'virtual:catalog'

type Compiled = { code: string; files: Map<string, string> }

function compile(): Compiled {
  const document = JSON.parse(readFileSync(documentFile, 'utf8'))
  const files = new Map<string, string>()
  const add = (name: string, value: unknown): string => {
    const text = JSON.stringify(value)
    const hash = createHash('sha256').update(text).digest('base64url').slice(0, 8)
    const file = `assets/catalog/${name}-${hash}.json`
    files.set(file, text)
    return `/${file}`
  }
  const index = catalogIndex(document)
  const detailUrls = Object.fromEntries(index.map(({ id }) => [id, add(id, endpointDetail(document, id))]))
  const { problems, endpoints, categories } = readCatalog(document)
  const answering = (code: string) => endpoints.filter(own => own.problems.some(problem => problem.code === code))
  const problemsUrl = add(
    'problems',
    problems.map(problem => ({ ...problem, endpoints: answering(problem.code).map(({ id }) => id) })),
  )
  // What so many may answer says little of any one of them.
  const common = problems.map(({ code }) => code).filter(code => answering(code).length >= endpoints.length / 4)
  const code = [
    `export const endpoints = ${JSON.stringify(index)}`,
    `export const categories = ${JSON.stringify(categories.map(({ name, description }) => ({ name, description })))}`,
    `export const commonProblems = ${JSON.stringify(common)}`,
    `export const detailUrls = ${JSON.stringify(detailUrls)}`,
    `export const problemsUrl = ${JSON.stringify(problemsUrl)}`,
  ].join('\n')
  return { code, files }
}

/** Serves `virtual:catalog` and the JSON files it names, in development from memory, in a build as assets. */
export function catalogPlugin(): Plugin {
  let compiled: Compiled | undefined
  const current = () => {
    compiled ??= compile()
    return compiled
  }
  return {
    name: 'tandem-catalog',
    resolveId: id => (id === moduleName ? `\0${moduleName}` : undefined),
    load(id) {
      if (id !== `\0${moduleName}`) return undefined
      this.addWatchFile(documentFile)
      compiled = undefined
      return current().code
    },
    generateBundle() {
      for (const [fileName, source] of current().files) this.emitFile({ type: 'asset', fileName, source })
    },
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        const text = current().files.get((request.url ?? '').slice(1))
        if (text === undefined) return next()
        response.setHeader('content-type', 'application/json')
        response.end(text)
      })
    },
  }
}
