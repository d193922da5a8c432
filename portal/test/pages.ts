// A browser for one test file: pages that are watched from before their first request to the end of their test, each in
// a profile in which nothing is stored. Knows nothing of Tandem but an address, so that the watching itself can be tested on a
// small fixture.
import type { TestContext } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { screenshot, type Theme } from './checks.ts'
import { startChromium } from './chromium.ts'
import { type PageWatch, watchPage } from './page_watch.ts'

/** Where the browser is. */
const timeZone = 'Europe/Berlin'

export type PageOptions = {
  /** What the system prefers; light by default. */
  theme?: Theme
  width?: number
  height?: number
  /** True by default: motion is not what tests look at, and waiting for it makes them slow. */
  reducedMotion?: boolean
  /** The first language of the browser, and its region; American English by default. */
  locale?: string
  /** Where the reader is, when not where all others are. */
  timezoneId?: string
  /** Console errors that the test provokes, such as /status of 404/; none by default. */
  allow?: readonly RegExp[]
  /** Where the portal is reached for this page, when not at the server's own address. */
  origin?: string
  /** Other origins that the page is sent to and comes back from, such as that of an identity provider. */
  visits?: readonly string[]
  /** Another profile's page shares its cookies: a second tab. */
  beside?: Page
}

/** What a page is tied to: a test's context. Its end closes the page and fails the test for what the page did wrong. */
export type PageOwner = Pick<TestContext, 'after' | 'name'>

export type Pages = {
  address: string
  browser: Browser
  newPage(owner: PageOwner, options?: PageOptions): Promise<Page>
  close(): Promise<void>
}

const watches = new WeakMap<Page, PageWatch>()

/** The watch of a page that `newPage` made. */
export function watchOf(page: Page): PageWatch {
  const watch = watches.get(page)
  if (watch === undefined) throw new Error('this page was not made by newPage')
  return watch
}

/** @param options.secrets values that no page may keep anywhere; `flags` of Chromium beside the usual ones */
export async function openPages(options: {
  address: string
  secrets?: readonly string[]
  flags?: readonly string[]
}): Promise<Pages> {
  const { address, secrets = [], flags = [] } = options
  const { browser, close } = await startChromium(flags)
  const { origin } = new URL(address)
  const profiles = new Map<string, BrowserContext[]>()

  async function newContext(options: PageOptions) {
    const {
      theme = 'light',
      width = 1440,
      height = 900,
      reducedMotion = true,
      locale = 'en-US',
      timezoneId = timeZone,
    } = options
    const context = await browser.newContext({
      baseURL: address,
      viewport: { width, height },
      colorScheme: theme,
      reducedMotion: reducedMotion ? 'reduce' : 'no-preference',
      locale,
      timezoneId,
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    // Five files at once on two processors leave a page none for seconds.
    context.setDefaultTimeout(20_000)
    context.setDefaultNavigationTimeout(20_000)
    return context
  }

  /** Profiles that nobody uses any more: a new one would fetch all of the portal again, which costs more than most tests. */
  function freeProfiles({ theme, width, height, reducedMotion, locale, timezoneId }: PageOptions): BrowserContext[] {
    const key = JSON.stringify([theme, width, height, reducedMotion, locale, timezoneId])
    const free = profiles.get(key) ?? []
    profiles.set(key, free)
    return free
  }

  /** The first page of a profile in which nothing is stored but files of the portal, which never change. */
  async function firstPage(pageOptions: PageOptions): Promise<Page> {
    const used = freeProfiles(pageOptions).pop()
    if (used === undefined) return (await newContext(pageOptions)).newPage()
    await used.clearCookies()
    const page = await used.newPage()
    const session = await used.newCDPSession(page)
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' })
    await session.detach()
    return page
  }

  async function newPage(owner: PageOwner, pageOptions: PageOptions = {}): Promise<Page> {
    const { beside, allow, visits, origin: at = origin } = pageOptions
    const page = beside === undefined ? await firstPage(pageOptions) : await beside.context().newPage()
    const watch = await watchPage(page, { origin: at, visits, allow, secrets })
    watches.set(page, watch)
    owner.after(() => endPage(owner, page, watch, beside === undefined ? freeProfiles(pageOptions) : null))
    return page
  }

  return { address, browser, newPage, close }
}

/** @param free takes the profile for another test, unless this one failed; null where it is another page's */
async function endPage(owner: PageOwner, page: Page, watch: PageWatch, free: BrowserContext[] | null): Promise<void> {
  const context = page.context()
  const passed = (owner as Partial<TestContext>).passed ?? true
  let isSound = false
  try {
    if (!passed && !page.isClosed()) await screenshot(page, `failed ${owner.name}`)
    await watch.finish()
    isSound = passed
  } finally {
    await page.close().catch(() => {})
    if (free !== null && isSound) {
      for (const beside of context.pages()) await beside.close().catch(() => {})
      free.push(context)
    } else if (free !== null) await context.close().catch(() => {})
  }
}

/** Requests of the page to /v1 and /v2 since the last `resetCalls`, without the live stream: in all, and by method and path. */
/** The day so many days from now where the browser is, `2026-11-28`; before midnight in UTC it may be tomorrow there. */
export function dayFromNow(days = 0): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone }).format(Date.now() + days * 86_400_000)
}

export function countCalls(page: Page): { total: number; byRoute: Record<string, number> } {
  const byRoute: Record<string, number> = {}
  const { apiCalls } = watchOf(page)
  for (const { method, path } of apiCalls) byRoute[`${method} ${path}`] = (byRoute[`${method} ${path}`] ?? 0) + 1
  return { total: apiCalls.length, byRoute }
}

export function resetCalls(page: Page): void {
  watchOf(page).apiCalls.length = 0
}
