// Compiles the OpenAPI document into what the portal ships: an index of all endpoints for search and navigation, which is data and so
// no part of a script, and one small JSON file an endpoint, fetched when it is opened.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalogIndex, endpointDetail, planned, readCatalog } from '@tandem/catalog'
import type { Plugin } from 'vite'

const documentFile = join(import.meta.dirname, '../../docs/openapi.json')
const moduleName = 'virtual:catalog'
/** The names of all endpoints and nothing else of them, for screens that only say them. */
const namesModule = 'virtual:catalog-names'

type Compiled = { code: string; names: string; files: Map<string, string> }

function compile(): Compiled {
  const document = JSON.parse(readFileSync(documentFile, 'utf8'))
  const files = new Map<string, string>()
  const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 8)
  const addressOf = (name: string, hash: string) => `/_built/catalog/${name}-${hash}.json`
  const add = (name: string, text: string, hash = hashOf(text)): string => {
    const address = addressOf(name, hash)
    files.set(address.slice(1), text)
    return address
  }
  const index = catalogIndex(document)
  const details = index.map(({ id }) => JSON.stringify(endpointDetail(document, id)))
  // One hash for all: one for each would be most of what the list of addresses weighs in the bundle.
  const version = hashOf(details.join('\n'))
  for (const [place, { id }] of index.entries()) add(id, details[place] ?? '', version)
  const { problems, endpoints, categories } = readCatalog(document)
  const answering = (code: string) => endpoints.filter(own => own.problems.some(problem => problem.code === code))
  const problemsUrl = add(
    'problems',
    JSON.stringify(problems.map(problem => ({ ...problem, endpoints: answering(problem.code).map(({ id }) => id) }))),
  )
  // What so many may answer says little of any one of them.
  const common = problems.map(({ code }) => code).filter(code => answering(code).length >= endpoints.length / 4)
  const indexUrl = add(
    'index',
    JSON.stringify({
      endpoints: index,
      categories: categories.map(({ name, description }) => ({ name, description })),
      planned,
      commonProblems: common,
    }),
  )
  const code = [
    `const response = await fetch(${JSON.stringify(indexUrl)}, { credentials: 'omit' })`,
    "if (!response.ok) throw new Error('The catalog could not be loaded (' + response.status + '). Reload the page.')",
    'export const { endpoints, categories, planned, commonProblems } = await response.json()',
    `const addressOf = id => ${JSON.stringify(addressOf('|', version))}.replace('|', id)`,
    'export const detailUrls = Object.fromEntries(endpoints.map(({ id }) => [id, addressOf(id)]))',
    `export const problemsUrl = ${JSON.stringify(problemsUrl)}`,
  ].join('\n')
  const names = `export const endpointNames = ${JSON.stringify(index.map(({ id, name, version }) => ({ id, name, version })))}`
  return { code, names, files }
}

/** Serves `virtual:catalog`, which is there once the index has come, and the JSON files it names, in development from memory, in a build as assets. */
export function catalogPlugin(): Plugin {
  let compiled: Compiled | undefined
  const current = () => {
    compiled ??= compile()
    return compiled
  }
  return {
    name: 'tandem-catalog',
    resolveId: id => (id === moduleName || id === namesModule ? `\0${id}` : undefined),
    load(id) {
      if (id !== `\0${moduleName}` && id !== `\0${namesModule}`) return undefined
      this.addWatchFile(documentFile)
      // The names are read of what the other module was made from.
      if (id === `\0${namesModule}`) return current().names
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
