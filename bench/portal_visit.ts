/**
 * One visit of the portal for a measurement: a fresh profile that is logged in, a processor as fast as asked for, and the
 * probe in the page. Also what a figure is.
 */
import { fileURLToPath } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { admin } from './servers.ts'

const probe = fileURLToPath(new URL('./portal_probe.js', import.meta.url))

/** Each figure is the median of so many visits, each in a fresh profile. */
export const visits = 7
/** How many times slower than it is the processor is made (Chromium's Emulation.setCPUThrottlingRate). */
export const throttles = [1, 4] as const
export type Throttle = (typeof throttles)[number]

/** `wanted`: at most so much; null where nothing was promised. */
export type Figure = { what: string; throttle: Throttle; values: number[]; wanted: number | null; unit: 'ms' | 'nodes' }

/** Where the portal is: the server, or something that stands before it. */
export type Place = { host: string; port: number }

export type Visit = { page: Page; end(): Promise<void> }

/** Which of its two sides the portal shows, until another is chosen. */
export type Side = 'workspace' | 'developers'

/** A page in a fresh profile that is logged in, in test mode, with the probe in it; nothing is loaded yet. */
export async function visit(
  browser: Browser,
  { host, port }: Place,
  throttle: Throttle,
  side: Side = 'developers',
): Promise<Visit> {
  const address = `http://${host}:${port}`
  const context = await browser.newContext({ baseURL: address, viewport: { width: 1440, height: 900 } })
  const userId = await logIn(context, address)
  const page = await context.newPage()
  await page.addInitScript({ path: probe })
  await page.addInitScript(
    ([key, side]) => {
      localStorage['tandem.mode'] = 'test'
      localStorage[key!] = side!
    },
    [`tandem.side.${userId}`, side] as const,
  )
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: throttle })
  return { page, end: () => context.close() }
}

/** @returns the id of the person */
async function logIn(context: BrowserContext, address: string): Promise<number> {
  const answer = await context.request.post('/portal/session', {
    headers: { 'x-tandem-portal': '1', origin: address },
    data: { emailOrAdminId: admin.email, password: admin.password },
  })
  if (answer.status() !== 200) throw new Error(`login answered ${answer.status()}: ${await answer.text()}`)
  return (await answer.json()).user.id
}

/** Runs a script against the probe; the number it gives. */
export const measureIn = (page: Page, script: string) => page.evaluate<number>(script)

/** ms of the longest task that held the main thread since `sinceMs`; 0 where none took 50 ms. */
export const longestTask = (page: Page, sinceMs = 0) =>
  measureIn(page, `Math.max(0, ...bench.longTasks.filter(task => task.startMs >= ${sinceMs}).map(task => task.ms))`)
