// What the tests of all screens share: a real address for every screen of the router's list, and opening it until it
// stands and has asked the server whatever it asks by itself.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { type Screen, screens } from '../src/app/routes.ts'
import { type LogInOptions, type Portal, screenReady, seedBelievable, startPortal, watchOf } from './browser.ts'

export const everyScreen = screens as readonly Screen[]
/** Those of the navigation. */
export const mainScreens = everyScreen.filter(({ section }) => section !== undefined)

export const wide = { width: 1440, height: 900 }
export const narrow = { width: 390, height: 844 }

export type Screens = {
  portal: Portal
  open(page: Page, screen: Screen, options?: LogInOptions): Promise<void>
}

/** A portal with something on every screen; messages and calls have come to their end. */
export async function startScreens(): Promise<Screens> {
  const portal = await startPortal()
  const { t } = portal
  const seeded = await seedBelievable(t)
  await seeded.untilCarried()
  await t.app.flush()
  const { json } = await t.call('GET', '/v2/requests?limit=1', { as: t.main.testKey })
  const real: Record<string, string> = {
    endpoint: '/explorer/v2/messaging/post-messages-sms',
    error: '/errors/validation_failed',
    message: `/messages/${seeded.messages[1]}`,
    call: `/calls/${seeded.calls[0]}`,
    lead: `/leads/${seeded.leads[0]}`,
    invoice: `/invoices/${seeded.invoices[3]}`,
    log: `/logs/${json.data[0].requestId}`,
  }

  return {
    portal,
    async open(page, screen, options = {}) {
      const path = screen.path.includes('$') ? real[screen.id] : screen.path
      assert.ok(path !== undefined, `no address is known for ${screen.path}: name one in every_screen.ts`)
      if (screen.public === true) {
        await page.goto(path)
        await screenReady(page)
      } else await portal.logIn(page, { ...options, path })
      await watchOf(page).quiet()
      await screenReady(page)
    },
  }
}
