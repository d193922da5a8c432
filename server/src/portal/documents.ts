// Documents made from the catalog for people and programs that do not open the portal: OpenAPI, collections to import,
// llms.txt, and every page of the Explorer and the error reference as Markdown. Made at the first request, then kept.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import {
  brunoCollection,
  type Catalog,
  catalogMarkdown,
  endpointMarkdown,
  errorsMarkdown,
  llmsFullTxt,
  llmsTxt,
  postmanCollection,
  problemMarkdown,
  readCatalog,
  schemasMarkdown,
} from '@tandem/catalog'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const compress = promisify(gzip)

/** A document as it is sent; `tag` names its bytes (RFC 9110 §8.8.3). */
type Document = { type: string; text: string; zipped?: Promise<Buffer>; tag: string; fileName?: string }

/** What all documents are made from, read once. */
type Source = { document: object; catalog: Catalog }

type Maker = (source: Source, origin: string, params: Record<string, string>) => string | undefined

type Route = { url: string; type: string; make: Maker; fileName?: string }

const json = 'application/json; charset=utf-8'
const markdown = 'text/markdown; charset=utf-8'
const plainText = 'text/plain; charset=utf-8'

const routes: Route[] = [
  {
    url: '/openapi.json',
    type: json,
    make: ({ document }, origin) => JSON.stringify({ ...document, servers: [{ url: origin }] }),
  },
  {
    url: '/exports/postman.json',
    type: json,
    fileName: 'tandem.postman_collection.json',
    make: ({ document }, origin) => JSON.stringify(postmanCollection(document, origin), null, 1),
  },
  {
    url: '/exports/bruno.json',
    type: json,
    fileName: 'tandem.bruno.json',
    make: ({ document }, origin) => JSON.stringify(brunoCollection(document, origin), null, 1),
  },
  { url: '/llms.txt', type: plainText, make: ({ document }, origin) => llmsTxt(document, origin) },
  { url: '/llms-full.txt', type: plainText, make: ({ document }, origin) => llmsFullTxt(document, origin) },
  { url: '/explorer.md', type: markdown, make: ({ catalog }, origin) => catalogMarkdown(catalog, origin) },
  {
    url: '/explorer/:version/:category/:slug(^[a-z0-9-]+).md',
    type: markdown,
    make({ catalog }, origin, { version, category, slug }) {
      const endpoint = catalog.byAddress.get(`/explorer/${version}/${category}/${slug}`)
      return endpoint && endpointMarkdown(endpoint, origin)
    },
  },
  { url: '/schemas.md', type: markdown, make: ({ catalog }, origin) => schemasMarkdown(catalog, origin) },
  { url: '/errors.md', type: markdown, make: ({ catalog }, origin) => errorsMarkdown(catalog.problems, origin) },
  {
    url: '/errors/:code(^[a-z0-9_]+).md',
    type: markdown,
    make({ catalog }, origin, { code = '' }) {
      const problem = catalog.problemByCode.get(code)
      return problem && problemMarkdown(problem, catalog.endpoints, origin)
    },
  },
]

/** The address a server is asked by is the caller's to choose: only so many are kept. */
const originsKept = 8

/**
 * Adds the routes; none is limited or logged, and an unknown document is left to the not-found handler.
 * @param document the OpenAPI document, read at the first request
 * @param origin scheme and host the request came by, for links and server addresses
 */
export function registerDocuments(
  app: FastifyInstance,
  document: () => object,
  origin: (request: FastifyRequest) => string,
): void {
  let source: Source | undefined
  const kept = new Map<string, Map<string, Document>>()

  function documentsOf(host: string): Map<string, Document> {
    const known = kept.get(host) ?? new Map<string, Document>()
    // Put back at the end: the first one is then the one not asked by for longest.
    kept.delete(host)
    kept.set(host, known)
    if (kept.size > originsKept) kept.delete(kept.keys().next().value as string)
    return known
  }

  function documentFor({ url, type, make, fileName }: Route, request: FastifyRequest): Document | undefined {
    const host = origin(request)
    const documents = documentsOf(host)
    const params = request.params as Record<string, string>
    // Not by the address as it was sent: escapes spell the same one in many ways.
    const name = [url, ...Object.values(params)].join(' ')
    const known = documents.get(name)
    if (known !== undefined) return known
    if (source === undefined) {
      // Through JSON, as every other reader gets it.
      const read: object = JSON.parse(JSON.stringify(document()))
      source = { document: read, catalog: readCatalog(read) }
    }
    const text = make(source, host, params)
    if (text === undefined) return undefined
    const tag = createHash('sha256').update(text).digest('base64url').slice(0, 22)
    const made: Document = { type, text, tag, ...(fileName && { fileName }) }
    documents.set(name, made)
    return made
  }

  for (const route of routes) {
    app.get(route.url, { config: { internal: true } }, async (request, reply) => {
      const found = documentFor(route, request)
      return found === undefined ? reply.callNotFound() : sendDocument(found, request, reply)
    })
  }
}

async function sendDocument(document: Document, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { type, text, fileName } = document
  const isZipped = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/i.test(String(request.headers['accept-encoding'] ?? ''))
  const tag = `"${document.tag}${isZipped ? '-gzip' : ''}"`
  reply.headers({
    'x-request-id': request.id,
    'cache-control': 'no-cache',
    'x-content-type-options': 'nosniff',
    vary: 'accept-encoding',
    etag: tag,
  })
  if (isKnown(request.headers['if-none-match'], tag)) return reply.code(304).send()
  reply.header('content-type', type)
  if (fileName !== undefined) reply.header('content-disposition', `attachment; filename="${fileName}"`)
  if (isZipped) reply.header('content-encoding', 'gzip')
  if (!isZipped) return reply.send(text)
  document.zipped ??= compress(text)
  return reply.send(await document.zipped)
}

/** RFC 9110 §13.1.2: a list of tags, weak or strong, or a star for any. */
function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const tags = header.split(',').map(part => part.trim().replace(/^W\//, ''))
  return tags.includes(tag) || tags.includes('*')
}
