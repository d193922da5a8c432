// The developer portal as a person meets it, for one test file: a whole Tandem on a free port with its real pages, a
// Chromium, and pages that fail their test for whatever no page may do (`pages.ts`, `page_watch.ts`).
//
//   describe('leads in the portal', { skip: chromiumMissing }, () => {
//     const portal = portalForTests()
//     test('…', async t => {
//       const page = await portal.newPage(t, { width: 390 })
//       await portal.logIn(page, { role: 'Sales Manager', mode: 'live' })
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { readBundle } from '../../server/src/portal/index.ts'
import { startTestApp, type TestApp, testPassword } from '../../server/test/harness.ts'
import { builtPortal } from './built.ts'
import { screenReady } from './checks.ts'
import { openPages, type Pages } from './pages.ts'
import type { Mode } from './seed.ts'

export * from './accessibility.ts'
export * from './checks.ts'
export { chromiumMissing } from './chromium.ts'
export * from './going.ts'
export * from './journeys.ts'
export { countCalls, type PageOptions, resetCalls, watchOf } from './pages.ts'
export { type Mode, type Seeded, seedBelievable, sendText, untilData } from './seed.ts'

type Role = keyof TestApp['main']['users']

export type Portal = Pages & {
  t: TestApp
  /** Logs in with a session cookie, without the form, and opens the dashboard (or `path`) in the mode asked for. */
  logIn(page: Page, options?: LogInOptions): Promise<void>
}

export type LogInOptions = {
  /** Admin by default. */
  role?: Role
  /** The other organization is empty. */
  organization?: 'main' | 'other'
  /** Test by default, as for anybody who comes for the first time. */
  mode?: Mode
  path?: string
  /** The path opens a dialog or drawer, which hides the screen under it from who cannot see. */
  dialog?: true
}

export type PortalOptions = {
  /** Settings of the server. */
  env?: Record<string, string>
  /** False leaves messages and calls lying. */
  work?: boolean
  /** Of Chromium, such as for a fake microphone. */
  flags?: readonly string[]
}

/**
 * A portal for the tests of the `describe` that asks for it: it stands before the first of them and is closed after the last.
 * What they need in it is made in a `before` of theirs; until then the object that is returned is empty.
 */
export function portalForTests(options: PortalOptions = {}): Portal {
  const portal = {} as Partial<Portal>
  before(async () => void Object.assign(portal, await startPortal(options)))
  after(() => portal.close?.())
  return portal as Portal
}

export async function startPortal(options: PortalOptions = {}): Promise<Portal> {
  const { env = {}, work = true, flags = [] } = options
  const folder = await builtPortal()
  const t = await startTestApp({ work, env })
  try {
    t.app.showPortal({ kind: 'portal', bundle: readBundle(folder) })
    await t.app.http.listen({ host: '127.0.0.1', port: 0 })
    const { port } = t.app.http.server.address() as AddressInfo
    const secrets = [t.main.liveKey, t.main.testKey, testPassword]
    const pages = await openPages({ address: `http://127.0.0.1:${port}`, secrets, flags })
    return {
      ...pages,
      t,
      logIn: (page, options) => logIn(t, pages.address, page, options),
      async close() {
        await pages.close()
        await t.close()
      },
    }
  } catch (error) {
    await t.close()
    throw error
  }
}

async function logIn(t: TestApp, address: string, page: Page, options: LogInOptions = {}): Promise<void> {
  const { role = 'Admin', organization = 'main', mode = 'test', path = '/', dialog = false } = options
  const answer = await page.context().request.post(`${address}/portal/session`, {
    headers: { 'x-tandem-portal': '1', origin: address },
    data: { emailOrAdminId: t[organization].users[role].email, password: testPassword },
  })
  assert.equal(answer.status(), 200, await answer.text())
  // Only where nothing was chosen yet, so that what a test switches to outlives a reload.
  await page.addInitScript(mode => {
    if (location.protocol === 'http:') localStorage['tandem.mode'] ??= mode
  }, mode)
  await page.goto(path)
  await (dialog ? page.getByRole('dialog').waitFor() : screenReady(page))
}
