// Documents made from the catalog for people and programs that do not open the portal: OpenAPI, collections to import,
// llms.txt, the guides, and every page of the Explorer and the error reference as Markdown. Made once, at the first request; the address in them
// is put in for each by which the server is reached.
import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
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
import { takesGzip } from '../kernel/http/send.ts'
import { guideMarkdown, listGuides } from './guides.ts'

const codings = {
  br: (text: string) => promisify(brotliCompress)(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
  gzip: (text: string) => promisify(gzip)(text),
}

type Coding = keyof typeof codings

/** A document as it is sent; `tag` names its bytes (RFC 9110 §8.8.3). */
type Document = {
  type: string
  text: string
  packed: { [coding in Coding]?: Promise<Buffer> }
  tag: string
  fileName: string | undefined
}

/** A document as it was made, with `placeholder` where the address belongs: making one takes tens of milliseconds. */
type Template = { text: string; tag: string }

/** Stands for the address until it is known; long and odd enough to be nowhere else. */
const placeholder = 'https://address-of-this-server.tandem.invalid'

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
  { url: '/llms.txt', type: plainText, make: ({ document }, origin) => llmsTxt(document, origin, listGuides()) },
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
  {
    url: '/docs/:name(^[a-z_]+).md',
    type: markdown,
    make: (_source, origin, { name = '' }) => guideMarkdown(name, origin),
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

/** The address a server is asked by is the caller's to choose: only so many are kept, and each new one is charged. */
const originsKept = 8

export type DocumentOptions = {
  /** The OpenAPI document, read at the first request. */
  document(): object
  /** Scheme and host the request came by, for links and server addresses. */
  origin(request: FastifyRequest): string
  /** Counts a request that makes work. @throws Problem `rate_limited` */
  charge?(request: FastifyRequest): Promise<void> | void
}

/** Adds the routes; none is logged, and an unknown document is left to the not-found handler. */
export function registerDocuments(app: FastifyInstance, { document, origin, charge }: DocumentOptions): void {
  let source: Source | undefined
  const templates = new Map<string, Template | undefined>()
  const kept = new Map<string, Map<string, Document>>()

  async function documentsOf(request: FastifyRequest): Promise<[host: string, documents: Map<string, Document>]> {
    const host = origin(request)
    if (!kept.has(host)) await charge?.(request)
    const known = kept.get(host) ?? new Map<string, Document>()
    // Put back at the end: the first one is then the one not asked by for longest.
    kept.delete(host)
    kept.set(host, known)
    if (kept.size > originsKept) kept.delete(kept.keys().next().value as string)
    return [host, known]
  }

  function templateOf(name: string, make: Maker, params: Record<string, string>): Template | undefined {
    const known = templates.get(name)
    if (known !== undefined) return known
    if (source === undefined) {
      // Through JSON, as every other reader gets it.
      const read: object = JSON.parse(JSON.stringify(document()))
      source = { document: read, catalog: readCatalog(read) }
    }
    const text = make(source, placeholder, params)
    // What does not exist is not kept: its names have no end.
    if (text === undefined) return undefined
    const template = { text, tag: tagOf(text) }
    templates.set(name, template)
    return template
  }

  async function documentFor({ url, type, make, fileName }: Route, request: FastifyRequest) {
    const params = request.params as Record<string, string>
    // Not by the address as it was sent: escapes spell the same one in many ways.
    const name = [url, ...Object.values(params)].join(' ')
    const template = templateOf(name, make, params)
    if (template === undefined) return undefined
    const [host, documents] = await documentsOf(request)
    const known = documents.get(name)
    if (known !== undefined) return known
    const text = template.text.replaceAll(placeholder, () => host)
    const made: Document = { type, text, packed: {}, tag: tagOf(`${template.tag} ${host}`), fileName }
    documents.set(name, made)
    return made
  }

  for (const route of routes) {
    app.get(route.url, { config: { internal: true } }, async (request, reply) => {
      const found = await documentFor(route, request)
      return found === undefined ? reply.callNotFound() : sendDocument(found, request, reply)
    })
  }
}

function tagOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22)
}

function codingFor(header: unknown): Coding | undefined {
  const accepted = String(header ?? '')
  if (/\bbr\b(?!\s*;\s*q=0(?:\.0*)?(?:,|\s|$))/i.test(accepted)) return 'br'
  return takesGzip(accepted) ? 'gzip' : undefined
}

async function sendDocument(document: Document, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const { type, text, fileName } = document
  const coding = codingFor(request.headers['accept-encoding'])
  const tag = `"${document.tag}${coding === undefined ? '' : `-${coding}`}"`
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
  if (coding === undefined) return reply.send(text)
  reply.header('content-encoding', coding)
  document.packed[coding] ??= codings[coding](text)
  return reply.send(await document.packed[coding])
}

/** RFC 9110 §13.1.2: a list of tags, weak or strong, or a star for any. */
function isKnown(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false
  const tags = header.split(',').map(part => part.trim().replace(/^W\//, ''))
  return tags.includes(tag) || tags.includes('*')
}
