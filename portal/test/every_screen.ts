// What the tests of all screens share: a real address for every screen of the router's list, and opening it until it
// stands and has asked the server whatever it asks by itself.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Page } from 'playwright-core'
import { type Screen, screens } from '../src/app/routes.ts'
import { type LogInOptions, type Portal, screenReady, seedBelievable, startPortal, watchOf } from './browser.ts'
import { seedMessaging } from './seed_messaging.ts'
import { seedTrunk } from './seed_voice.ts'
import { type Sink, startSink } from './webhook_sink.ts'

export const everyScreen = screens as readonly Screen[]
/** Those of the navigation. */
export const mainScreens = everyScreen.filter(({ section }) => section !== undefined)

export const wide = { width: 1440, height: 900 }
export const narrow = { width: 390, height: 844 }

export type Screens = {
  portal: Portal
  open(page: Page, screen: Screen, options?: LogInOptions): Promise<void>
}

/** Carriers and trunks belong to live mode; everything else was seeded in test mode. */
function modeOf({ id }: Screen): LogInOptions {
  return /^(carrier|trunk)/.test(id) ? { mode: 'live' } : {}
}

/** As `portalForTests`, with something on every screen; messages and calls have come to their end. */
export function screensForTests(): Screens {
  const screens = {} as Partial<Screens>
  before(async () => void Object.assign(screens, await startScreens()))
  after(() => screens.portal?.close())
  return screens as Screens
}

async function startScreens(): Promise<Screens> {
  const sink = await startSink()
  const portal = await startPortal({ env: { TANDEM_EGRESS_ALLOW: '127.0.0.1/32' } })
  const { t } = portal
  const hook = await seedWebhook(t, sink)
  const seeded = await seedBelievable(t)
  const messaging = await seedMessaging(t)
  const trunk = await seedTrunk(t)
  await seeded.untilCarried()
  await t.app.flush()
  const { json } = await t.call('GET', '/v2/requests?limit=1', { as: t.main.testKey })
  const real: Record<string, string> = {
    endpoint: '/explorer/v2/messaging/post-messages-sms',
    error: '/errors/validation_failed',
    message: `/messages/${seeded.messages[1]}`,
    service: `/services/${messaging.service}`,
    carrier: `/carriers/${messaging.carrier}`,
    trunk: `/trunks/${trunk}`,
    call: `/calls/${seeded.calls[0]}`,
    lead: `/leads/${seeded.leads[0]}`,
    invoice: `/invoices/${seeded.invoices[3]}`,
    log: `/logs/${json.data[0].requestId}`,
    webhook: `/webhooks/${hook.webhookId}`,
    delivery: `/webhooks/deliveries/${hook.deliveryId}`,
  }

  return {
    portal: {
      ...portal,
      async close() {
        await portal.close()
        await sink.close()
      },
    },
    async open(page, screen, options = {}) {
      const path = screen.path.includes('$') ? real[screen.id] : screen.path
      assert.ok(path !== undefined, `no address is known for ${screen.path}: name one in every_screen.ts`)
      if (screen.public === true) {
        await page.goto(path)
        await screenReady(page)
      } else await portal.logIn(page, { ...modeOf(screen), ...options, path })
      await watchOf(page).quiet()
      await screenReady(page)
    },
  }
}

/** A webhook whose first delivery has been answered by an error: the page has something to explain. */
async function seedWebhook(t: Portal['t'], sink: Sink): Promise<{ webhookId: string; deliveryId: string }> {
  const as = t.main.testKey
  sink.answer = { status: 503, body: 'Down for maintenance' }
  const body = { url: sink.url, description: 'Order system', eventTypes: ['message.*', 'call.completed'] }
  const made = await t.call('POST', '/v2/webhooks', { as, body })
  assert.equal(made.status, 201, made.text)
  const { webhookId } = made.json.data
  const tested = await t.call('POST', `/v2/webhooks/${webhookId}/test`, { as })
  assert.equal(tested.status, 201, tested.text)
  await sink.until(() => true)
  sink.answer = { status: 204 }
  return { webhookId, deliveryId: tested.json.data.deliveryId }
}
