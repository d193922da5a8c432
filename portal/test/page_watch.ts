// Watches a page of a test for what no page of the portal may ever do: break its content security policy, ask another
// origin, throw, complain on the console, or leave a credential where it outlives the page (storage, history, address).
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page, Request } from 'playwright-core'

export type WatchOptions = {
  /** The only origin that may be asked. */
  origin: string
  /** Origins that the page may be sent to all the same, such as that of an identity provider: as a page, never by a script. */
  visits?: readonly string[]
  /** Console errors that the test provokes; matched against `<text> <address>`. Nothing is allowed by default. */
  allow?: readonly RegExp[]
  /** Values that must not be found anywhere, beside everything that has the shape of a credential. */
  secrets?: readonly string[]
}

export type ApiCall = { method: string; path: string; query: string; atMs: number }

export type PageWatch = {
  /** What was seen so far, one line each. */
  faults: string[]
  /** Requests to /v1 and /v2 so far, without the live stream. */
  apiCalls: ApiCall[]
  /** Resolves when nothing has been under way for `ms`, streams left out; after `limitMs` in any case. */
  quiet(ms?: number, limitMs?: number): Promise<void>
  /** Allows a console error from now on. */
  allow(pattern: RegExp): void
  /** Looks into every store of the page; rejects, naming all faults, unless there was none. */
  finish(): Promise<void>
}

/** API keys, refresh tokens and JWTs, as this product writes them. */
export const credentialShapes = [
  /tdm_(?:live|test)_[0-9A-Za-z]{20,}/,
  /tdm_rt_[0-9A-Za-z_.]{20,}/,
  /eyJ[\w-]{8,}\.eyJ[\w-]{8,}\.[\w-]{8,}/,
]

const reporter = 'reportPolicyViolation'

/** To be called before the page's first navigation. */
export async function watchPage(page: Page, options: WatchOptions): Promise<PageWatch> {
  const { origin, visits = [], allow = [], secrets = [] } = options
  const context = page.context()
  const faults: string[] = []
  const errors: string[] = []
  const allowed = [...allow]
  const apiCalls: ApiCall[] = []
  const addresses = new Set<string>()
  const underWay = new Set<Request>()
  let lastMs = performance.now()
  await page.exposeBinding(reporter, (_source, text: string) => void faults.push(`policy violation: ${text}`))
  await page.addInitScript(listenForViolations, reporter)
  page.on('pageerror', error => void faults.push(`uncaught error: ${error.stack ?? error.message}`))
  page.on('crash', () => void faults.push('the page crashed'))
  page.on('console', message => {
    const text = `${message.text()} ${message.location().url}`.trim()
    // The listener above reports a violation with more detail; in workers there is only this line.
    if (/Content Security Policy/i.test(text)) faults.push(`policy violation: ${text}`)
    else if (message.type() === 'error') errors.push(text)
  })
  page.on('framenavigated', frame => void addresses.add(frame.url()))
  const ended = (request: Request) => {
    if (underWay.delete(request)) lastMs = performance.now()
  }
  page.on('requestfinished', ended)
  page.on('requestfailed', ended)
  page.on('request', request => {
    if (!isStream(request)) underWay.add(request)
    lastMs = performance.now()
    const fault = isVisit(request, visits) ? null : foreignRequest(request, origin)
    if (fault !== null) faults.push(fault)
    const call = apiCall(request, origin)
    if (call !== null) apiCalls.push(call)
  })
  const unallowed = () => errors.filter(text => !allowed.some(pattern => pattern.test(text)))
  return {
    get faults() {
      return [...faults, ...unallowed().map(text => `console error: ${text}`)]
    },
    apiCalls,
    async quiet(ms = 150, limitMs = 5_000) {
      const deadlineMs = performance.now() + limitMs
      while (performance.now() < deadlineMs && (underWay.size > 0 || performance.now() - lastMs < ms)) await sleep(20)
    },
    allow: pattern => void allowed.push(pattern),
    async finish() {
      const leaks = page.isClosed() ? [] : await findLeaks(page, context, { addresses, secrets, origin })
      const all = [...faults, ...unallowed().map(text => `console error: ${text}`), ...leaks]
      assert.equal(all.length, 0, `${all.length} faults of ${page.url()}:\n${all.map(line => `  ${line}`).join('\n')}`)
    },
  }
}

/** Runs in the page, before anything of the page. */
function listenForViolations(name: string): void {
  document.addEventListener('securitypolicyviolation', event => {
    const place = `${event.sourceFile}:${event.lineNumber}`
    const text = `${event.violatedDirective} refused ${event.blockedURI} ${event.sample} (${place})`
    ;(window as unknown as Record<string, (text: string) => void>)[name]?.(text)
  })
}

/** One connection for as long as the page is open, not a question. */
function isStream(request: Request): boolean {
  return ['/v2/stream', '/v2/voice/client-stream'].includes(new URL(request.url()).pathname)
}

function isVisit(request: Request, visits: readonly string[]): boolean {
  return request.isNavigationRequest() && visits.includes(new URL(request.url()).origin)
}

function foreignRequest(request: Request, origin: string): string | null {
  const url = request.url()
  if (/^(data|blob|about):/.test(url) || new URL(url).origin === origin) return null
  return `request to another origin: ${request.method()} ${url}`
}

function apiCall(request: Request, origin: string): ApiCall | null {
  const { origin: asked, pathname, search } = new URL(request.url())
  if (asked !== origin || !/^\/v[12]\//.test(pathname) || isStream(request)) return null
  return { method: request.method(), path: pathname, query: search, atMs: performance.now() }
}

type Places = { addresses: ReadonlySet<string>; secrets: readonly string[]; origin: string }

async function findLeaks(page: Page, context: BrowserContext, { addresses, secrets, origin }: Places) {
  const texts: [place: string, text: string][] = [...addresses].map(address => ['the address', decode(address)])
  if (page.url().startsWith(origin)) {
    const stores = await page.evaluate(readStores)
    texts.push(...Object.entries(stores))
  }
  const readable = (await context.cookies()).filter(({ httpOnly }) => !httpOnly)
  texts.push(['a cookie that scripts can read', JSON.stringify(readable)])
  return texts.flatMap(([place, text]) => {
    const shapes = credentialShapes.filter(shape => shape.test(text)).map(shape => String(shape))
    const values = secrets.filter(secret => text.includes(secret)).map(secret => `${secret.slice(0, 12)}…`)
    return [...shapes, ...values].map(what => `a credential (${what}) is kept in ${place}`)
  })
}

function decode(address: string): string {
  try {
    return decodeURIComponent(address)
  } catch {
    return address
  }
}

/** Runs in the page: everything that outlives it or can be shared, as text by place. */
async function readStores(): Promise<Record<string, string>> {
  const databases: unknown[] = []
  for (const { name } of await indexedDB.databases()) {
    if (name === undefined) continue
    const database = await new Promise<IDBDatabase>((resolve, reject) => {
      const opening = indexedDB.open(name)
      opening.onsuccess = () => resolve(opening.result)
      opening.onerror = () => reject(opening.error)
    })
    for (const store of database.objectStoreNames) {
      const rows = await new Promise((resolve, reject) => {
        const reading = database.transaction(store).objectStore(store).getAll()
        reading.onsuccess = () => resolve(reading.result)
        reading.onerror = () => reject(reading.error)
      })
      databases.push({ name, store, rows })
    }
    database.close()
  }
  return {
    localStorage: JSON.stringify({ ...localStorage }),
    sessionStorage: JSON.stringify({ ...sessionStorage }),
    IndexedDB: JSON.stringify(databases),
    'the state of the history': JSON.stringify(history.state) ?? '',
    'the name of the window': window.name,
  }
}
