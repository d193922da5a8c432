// Serves the built portal: its one page for every address of a screen, with a nonce of its own in each answer, and its
// files, all held in memory under the names the build gave them. An address that is none of these is not ours: nothing is
// ever looked up on disk by what a request says.
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { FastifyRequest } from 'fastify'
import { closedPolicy } from '../kernel/http/closed_headers.ts'
import type { Site, SiteAnswer } from '../kernel/http/send.ts'
import type { PortalFault } from './fault.ts'

/** A built portal in memory. */
export type Bundle = {
  /** The page, cut where the nonce goes. */
  page: readonly string[]
  /** By path, such as `/_built/index-Bx3.js`. */
  files: ReadonlyMap<string, File>
}

type Encoding = 'br' | 'gzip'
type File = { type: string; hash: string; body: Buffer; encoded: Partial<Record<Encoding, Buffer>>; lasting: boolean }

/** What people get to see: nothing at all, that it is being built, the portal, or why it could not be built. */
export type Showing =
  | { kind: 'nothing' }
  | { kind: 'building' }
  | { kind: 'portal'; bundle: Bundle }
  | ({ kind: 'failure' } & PortalFault)

const noncePlace = '__CSP_NONCE__'
/** Who may make an organization: the page says it, so that nobody has to ask for it. */
const signUpPlace = '__SIGN_UP__'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
}
const suffixes: Record<Encoding, string> = { br: '.br', gzip: '.gz' }

/**
 * Reads what `vite build` left in `folder`. Files of types a browser is not given here, and those in hidden folders, are
 * left out. @throws Error when there is no page or its nonces have no place
 */
export function readBundle(folder: string): Bundle {
  const page = readFileSync(join(folder, 'index.html'), 'utf8').split(noncePlace)
  if (page.length < 2) throw new Error(`${join(folder, 'index.html')} has no ${noncePlace}`)
  const files = new Map<string, File>()
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name)
    const path = `/${relative(folder, file).split(sep).join('/')}`
    const type = types[extname(entry.name)]
    if (!entry.isFile() || type === undefined || path.includes('/.')) continue
    const body = readFileSync(file)
    const hash = createHash('sha256').update(body).digest('base64url').slice(0, 22)
    files.set(path, { type, hash, body, encoded: readEncoded(file), lasting: path.startsWith('/_built/') })
  }
  const icon = files.get('/favicon.svg')
  // Browsers ask for this name when they show an answer of the API.
  if (icon !== undefined && !files.has('/favicon.ico')) files.set('/favicon.ico', icon)
  return { page, files }
}

function readEncoded(file: string): File['encoded'] {
  const encoded: File['encoded'] = {}
  for (const [encoding, suffix] of Object.entries(suffixes) as [Encoding, string][]) {
    if (existsSync(file + suffix)) encoded[encoding] = readFileSync(file + suffix)
  }
  return encoded
}

/**
 * The site of the portal, and how to change what it shows. It shows nothing at first.
 * @param signUp who may make an organization, as it is when a page is sent
 */
export function createPages(signUp: () => string): { site: Site; show(showing: Showing): void } {
  let showing: Showing = { kind: 'nothing' }
  return {
    show(next) {
      showing = next
    },
    site: request => answerTo(request, showing, signUp),
  }
}

function answerTo(request: FastifyRequest, showing: Showing, signUp: () => string): SiteAnswer | undefined {
  if (showing.kind === 'nothing' || (request.method !== 'GET' && request.method !== 'HEAD')) return undefined
  const [path = ''] = request.url.split('?')
  const bundle = showing.kind === 'portal' ? showing.bundle : undefined
  const file = bundle?.files.get(path)
  if (file !== undefined) return fileAnswer(path, file, request)
  if (path === '/robots.txt') return robots
  if (!isScreen(path) || !takesHtml(request.headers.accept)) return undefined
  if (showing.kind === 'portal') {
    const page = (nonce: string) => showing.bundle.page.join(nonce).replace(signUpPlace, signUp())
    return pageAnswer(200, page)
  }
  return showing.kind === 'building'
    ? pageAnswer(503, buildingPage, ['retry-after', '2'])
    : pageAnswer(503, nonce => failurePage(nonce, showing))
}

/** Whether an address may be one of a screen: not below the API or what programs ask for, and not the name of a file. */
function isScreen(path: string): boolean {
  const [first = '', ...rest] = path.slice(1).split('/')
  return !notScreens.has(first) && !(rest.at(-1) ?? first).includes('.') && !first.startsWith('.')
}

const notScreens = new Set(['v1', 'v2', 'api', 'oauth', 'portal', '_built', 'exports', 'healthz', 'readyz', 'metrics'])

/** A browser that navigates names HTML; programs that take anything get the API's own answer. */
function takesHtml(accept = ''): boolean {
  return /\btext\/html\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(accept)
}

const robots: SiteAnswer = {
  status: 200,
  headers: ['content-type', 'text/plain; charset=utf-8', 'cache-control', 'public, max-age=3600'],
  // Everything worth finding is behind a login.
  body: 'User-agent: *\nDisallow: /\n',
}

function fileAnswer(path: string, file: File, { headers: sent }: FastifyRequest): SiteAnswer {
  const encoding = encodingFor(file, String(sent['accept-encoding'] ?? ''))
  // Each coding of a file is another representation, with an ETag of its own (RFC 9110 §8.8.3.3).
  const etag = `"${file.hash}${encoding === undefined ? '' : `-${encoding}`}"`
  const headers = [
    'etag',
    etag,
    'cache-control',
    file.lasting ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
    'vary',
    'Accept-Encoding',
    'x-content-type-options',
    'nosniff',
    'cross-origin-resource-policy',
    'same-origin',
  ]
  // A worker is held to the policy of its file, which lets it read what the page may; anything else that is opened by itself runs nothing.
  // 304 says so too: a browser puts its headers in the place of those it has (RFC 9111 §3.2).
  headers.push('content-security-policy', path.endsWith('.js') ? scriptPolicy : closedPolicy)
  if (isKnown(sent['if-none-match'], etag)) return { status: 304, headers, body: '' }
  headers.push('content-type', file.type)
  if (encoding !== undefined) headers.push('content-encoding', encoding)
  return { status: 200, headers, body: (encoding && file.encoded[encoding]) ?? file.body }
}

const scriptPolicy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** The smallest coding there is that the client takes (RFC 9110 §12.5.3). */
function encodingFor(file: File, accepted: string): Encoding | undefined {
  const qualities = new Map<string, number>()
  for (const part of accepted.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map(text => text.trim())
    const quality = parameters.find(text => text.startsWith('q='))
    qualities.set(name, quality === undefined ? 1 : Number(quality.slice(2)))
  }
  const takes = (encoding: Encoding) => (qualities.get(encoding) ?? qualities.get('*') ?? 0) > 0
  return (['br', 'gzip'] as const).find(encoding => file.encoded[encoding] !== undefined && takes(encoding))
}

/** Whether an If-None-Match names this ETag; compared weakly (RFC 9110 §13.1.2). */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  return header.split(',').some(tag => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag)
}

const closedFeatures = [
  'accelerometer',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'magnetometer',
  'midi',
  'payment',
  'serial',
  'usb',
]

/** A page with a fresh nonce, which alone may run scripts and styles that stand in it. */
function pageAnswer(status: number, page: (nonce: string) => string, more: readonly string[] = []): SiteAnswer {
  const nonce = randomBytes(16).toString('base64')
  const headers = [
    'content-type',
    'text/html; charset=utf-8',
    'content-security-policy',
    policy.join('; ').replaceAll('{nonce}', nonce),
    'cache-control',
    'no-store',
    'vary',
    'Accept',
    'x-content-type-options',
    'nosniff',
    'referrer-policy',
    'no-referrer',
    'cross-origin-opener-policy',
    'same-origin',
    'cross-origin-resource-policy',
    'same-origin',
    'permissions-policy',
    // The phone of the portal hears; nothing that a page might frame does.
    [...closedFeatures.map(feature => `${feature}=()`), 'microphone=(self)'].join(', '),
    ...more,
  ]
  return { status, headers, body: page(nonce) }
}

const policy = [
  "default-src 'none'",
  "script-src 'self' 'nonce-{nonce}'",
  "style-src 'self' 'nonce-{nonce}'",
  "img-src 'self' data:",
  "font-src 'self'",
  // Recordings are fetched with the person's token, which a player cannot send, and played from memory.
  'media-src blob:',
  // A mail is shown from memory, in a frame that may do nothing.
  'frame-src blob:',
  "connect-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  // No text becomes script or markup; one policy, the portal's own, lets its worker start.
  "require-trusted-types-for 'script'",
  'trusted-types default',
]

const buildingPage = (nonce: string) =>
  noticePage(nonce, {
    title: 'Building the portal',
    lines: [
      'This takes some seconds after an installation or an update. The portal opens here by itself; the API is at work already.',
    ],
    refreshSeconds: 2,
  })

const failurePage = (nonce: string, { what, remedy }: PortalFault) =>
  noticePage(nonce, {
    title: 'The portal could not be built',
    lines: [what, remedy, 'The API is at work all the same.'],
  })

type Notice = { title: string; lines: readonly string[]; refreshSeconds?: number }

function noticePage(nonce: string, { title, lines, refreshSeconds }: Notice): string {
  const refresh = refreshSeconds === undefined ? '' : `<meta http-equiv="refresh" content="${refreshSeconds}" />\n`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" />
<meta name="color-scheme" content="light dark" />
${refresh}<title>${title} · Tandem</title>
<style nonce="${nonce}">
body { font: 16px/1.5 system-ui, sans-serif; margin: 20vh auto 0; max-width: 34rem; padding: 0 1.5rem; }
h1 { font-size: 1.5rem; }
</style>
</head>
<body>
<main>
<h1>${title}</h1>
${lines.map(line => `<p>${escaped(line)}</p>`).join('\n')}
</main>
</body>
</html>
`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
